// The lab: how boards, move generators, exchanges and searches work inside. Each experiment takes a position.

import { fill, h } from "../dom";
import { complain } from "../notice";
import { address, go, type OpenView, type Route, type View } from "../route";
import { w } from "../words";

const EXPERIMENTS = {
  perft: () => import("./perft"),
  boards: () => import("./boards"),
  exchange: () => import("./exchange"),
  tree: () => import("./tree"),
} satisfies Record<string, () => Promise<{ open: OpenView }>>;
type Experiment = keyof typeof EXPERIMENTS;

const SOURCE = "https://github.com/saavedra-chess/saavedra/blob/main/crates/";
/** The file that each experiment shows at work. */
const CODE: Record<Experiment, string> = {
  perft: "rules/src/perft/mod.rs",
  boards: "classic/src/lib.rs",
  exchange: "rules/src/see/mod.rs",
  tree: "search/src/alpha_beta.rs",
};

export function open(route: Route): View {
  const name = (Object.keys(EXPERIMENTS) as Experiment[]).find(name => name === route.rest[0]);
  if (!name) {
    go("lab", ["perft"], Object.fromEntries(route.query));
    return { element: h("div") };
  }
  const place = h("div.lab-place");
  let shown: View | undefined;
  let isClosed = false;
  EXPERIMENTS[name]()
    .then(({ open }) => {
      if (isClosed) return;
      shown = open(route);
      fill(place, shown.element);
    })
    .catch(complain);
  const fen = route.query.get("fen");
  const links = (Object.keys(EXPERIMENTS) as Experiment[]).map(other =>
    h(
      "a",
      { href: address("lab", [other], fen ? { fen } : {}), ...(other === name ? { "aria-current": "page" } : {}) },
      w.inLab.experiments[other],
    ),
  );
  const code = h("a", { href: SOURCE + CODE[name], rel: "noreferrer" }, w.inLab.readTheCode);
  return {
    element: h(
      "div.lab",
      { "data-experiment": name },
      h("nav.lab-nav", { "aria-label": w.lab }, ...links),
      h("p.lesson", {}, w.inLab.lessons[name], " ", code),
      place,
    ),
    close: () => {
      isClosed = true;
      shown?.close?.();
    },
    receive: text => shown?.receive?.(text) ?? false,
  };
}
