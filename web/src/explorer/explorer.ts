// What was played in a position: moves, how often, and how the games ended.

import { get, type Explorer, type ExplorerMove } from "../api";
import { fill, h, select, type Child } from "../dom";
import { count, numbered, percentages, plyOf } from "../format";
import { Newest } from "../newest";
import { complain } from "../notice";
import { resultSign } from "../result";
import { w } from "../words";

interface Host {
  onMove(uci: string, san: string): void;
  onOpen(game: string): void;
  onHover?(uci: string | undefined): void;
}

type Source = Explorer["source"];

/** Puts an explorer into an element. */
export function mountExplorer(element: HTMLElement, host: Host): { show(fen: string): void; close(): void } {
  const requests = new Newest();
  let source: Source = "library";
  let shown = "";
  const load = async () => {
    const isNewest = requests.begin();
    const answer = await get("/explorer", { fen: shown, source });
    if (isNewest()) fill(element, ...parts(answer));
  };
  const parts = (answer: Explorer): Child[] => {
    const choice = select<Source>(
      answer.sources.map(name => [name, w.explorerSources[name]]),
      source,
      value => {
        source = value;
        load().catch(complain);
      },
    );
    choice.setAttribute("aria-label", w.explorerSource);
    return [
      answer.sources.length > 1 && h("div.row", {}, choice),
      answer.moves.length > 0 ? table(answer, host) : h("p.hint", {}, w.explorerEmpty),
      answer.samples.length > 0 && samples(answer, host),
    ];
  };
  return {
    show: fen => {
      if (fen === shown) return;
      shown = fen;
      load().catch(complain);
    },
    close: () => void requests.begin(),
  };
}

function table({ moves, games, fen, source }: Explorer, host: Host): HTMLElement {
  const row = (move: ExplorerMove) => {
    const point = () => host.onHover?.(move.uci);
    const leave = () => host.onHover?.(undefined);
    const play = () => host.onMove(move.uci, move.san);
    const listeners = { onclick: play, onpointerenter: point, onpointerleave: leave, onfocus: point, onblur: leave };
    const [share = 0] = percentages([move.games, Math.max(0, games - move.games)]);
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, h("button.quiet", { type: "button", ...listeners }, numbered([move.san], plyOf(fen)))),
      h("td.number", {}, source === "book" ? `${Math.round(move.weight ?? 0)} %` : count(move.games)),
      source === "library" && h("td.number.share", {}, `${share} %`),
      source === "library" && h("td.results", {}, results(move)),
    );
  };
  return h("table.explorer-moves", {}, h("tbody", {}, ...moves.map(row)));
}

/** How the games ended, as one bar. */
function results({ white, draws, black }: ExplorerMove): HTMLElement {
  const shares = percentages([white, draws, black]);
  const label = w.chancesAre(shares[0] ?? 0, shares[1] ?? 0, shares[2] ?? 0);
  const part = (kind: string, share = 0) => {
    const element = h(`span.${kind}` as "span", {}, share >= 15 ? `${share} %` : "");
    element.style.flexGrow = String(share);
    return element;
  };
  return h(
    "div.chances",
    { role: "img", "aria-label": label, title: label },
    part("win", shares[0]),
    part("draw", shares[1]),
    part("loss", shares[2]),
  );
}

function samples({ samples }: Explorer, host: Host): HTMLElement {
  const items = samples.slice(0, 5).map(game => {
    const title = `${game.white} – ${game.black}`;
    const result = resultSign(game.result);
    return h(
      "li",
      {},
      h("button.quiet", { type: "button", onclick: () => host.onOpen(game.id) }, title),
      h("small", {}, [result, game.date.replaceAll(/\.\?\?/g, "")].filter(Boolean).join(" · ")),
    );
  });
  return h("ul.explorer-games", {}, ...items);
}
