// Perft: the number of positions at each depth, by kind of move and by first move.

import { post, type Counters, type Perft } from "../api";
import { card, field, fill, h } from "../dom";
import { count } from "../format";
import { attempt, complain } from "../notice";
import { PositionPicker } from "../parts/position";
import { rename, type Route, type View } from "../route";

const COLUMNS = [
  ["nodes", "Positions"],
  ["captures", "Captures"],
  ["en_passant", "En passant"],
  ["castles", "Castles"],
  ["promotions", "Promotions"],
  ["checks", "Checks"],
  ["discovered_checks", "Discovered"],
  ["double_checks", "Double"],
  ["checkmates", "Mates"],
  ["stalemates", "Stalemates"],
] as const satisfies [keyof Counters, string][];

const KNOWN = [
  ["Starting position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"],
  ["Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"],
  ["Rook ending", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"],
  ["Promotions", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"],
] as const;

export function open({ query }: Route): View {
  const depth = h("input", { type: "number", min: 1, max: 8, value: query.get("depth") ?? "4", id: "perft-depth" });
  const byDepth = h("div.scroll.table", { tabindex: 0, role: "region", "aria-label": "Counts by depth" });
  const byMove = h("div.scroll.table.tall", { tabindex: 0, role: "region", "aria-label": "Counts by first move" });
  /** Enabled once there is a position. A new position ends the count. */
  const run = h("button.primary", { disabled: true }, "Count");
  const stop = h("button", { type: "button", hidden: true, onclick: () => running?.abort() }, "Stop");
  let running: AbortController | undefined;

  const picker = new PositionPicker(query.get("fen"), () => {
    rename("perft", [], { fen: picker.line.fen, depth: depth.value });
    running?.abort();
    run.disabled = false;
    fill(byDepth, h("p.hint", {}, "The counts appear here, one row for each depth."));
    fill(byMove, h("p.hint", {}, "The deepest count, by first move. Click a move to play it."));
  });

  /** Counts to every depth in turn, so that the first rows appear at once. */
  async function countAll(): Promise<void> {
    running?.abort();
    const own = (running = new AbortController());
    const rows: Perft[] = [];
    run.disabled = true;
    stop.hidden = false;
    try {
      for (let to = 1; to <= Number(depth.value); to++) {
        const found = await post("/perft", { ...picker.line.where, depth: to }, {}, own.signal);
        rows.push(found);
        fill(byDepth, depthTable(rows));
        fill(
          byMove,
          moveTable(found, uci => picker.play(uci)),
        );
      }
    } catch (error) {
      if (!own.signal.aborted) complain(error);
    } finally {
      if (own === running) {
        run.disabled = false;
        stop.hidden = true;
      }
    }
  }

  const form = h(
    "form.row.perft-form",
    {
      onsubmit: (event: Event) => {
        event.preventDefault();
        attempt(countAll);
      },
    },
    field("Depth (1 to 8)", depth),
    run,
    stop,
  );
  const known = KNOWN.map(([name, fen]) => h("button", { type: "button", onclick: () => picker.receive(fen) }, name));
  return {
    element: h(
      "div.stage",
      {},
      picker.element,
      h("div.panel", {}, card("Perft", form, h("div.row", {}, ...known), byDepth), card("By first move", byMove)),
    ),
    close: () => {
      running?.abort();
      picker.close();
    },
    receive: text => picker.receive(text),
  };
}

function depthTable(rows: Perft[]): HTMLElement {
  const head = ["Depth", ...COLUMNS.map(([, title]) => title), "Time"].map(title =>
    h("th.number", { scope: "col" }, title),
  );
  const body = rows.map(({ depth, total, time_ms }) =>
    h(
      "tr",
      {},
      h("th.number", { scope: "row" }, String(depth)),
      ...COLUMNS.map(([key]) => h("td.number", {}, count(total[key]))),
      h("td.number", {}, time_ms < 1000 ? `${Math.round(time_ms)} ms` : `${(time_ms / 1000).toFixed(2)} s`),
    ),
  );
  return h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...body));
}

function moveTable({ divide }: Perft, play: (uci: string) => void): HTMLElement {
  const rows = divide.map(({ uci, san, counters }) =>
    h(
      "tr",
      {},
      h("td", {}, h("button.quiet", { type: "button", title: `Play ${san}`, onclick: () => play(uci) }, san)),
      h("td.mono", {}, uci),
      h("td.number", {}, count(counters.nodes)),
    ),
  );
  const head = h("tr", {}, h("th", {}, "Move"), h("th", {}, "UCI"), h("th.number", {}, "Positions"));
  return h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows));
}
