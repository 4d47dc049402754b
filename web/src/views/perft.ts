// Perft: in how many ways a game can go on at each depth, by kind of move and by first move.

import type { Counters, Perft } from "../api";
import { card, field, fill, h, select } from "../dom";
import { count, fixed } from "../format";
import { inLetters } from "../notation";
import { attempt, complain } from "../notice";
import { countTree } from "../parts/counting";
import { PositionPicker } from "../parts/position";
import { rename, type Route, type View } from "../route";
import { w } from "../words";

const COLUMNS = [
  "nodes",
  "captures",
  "en_passant",
  "castles",
  "promotions",
  "checks",
  "discovered_checks",
  "double_checks",
  "checkmates",
  "stalemates",
] as const satisfies (keyof Counters)[];

const BOARDS = ["bitboard", "mailbox", "packed", "movemap", "movemap-rights", "movemap-lines", "movemap-both"] as const;

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const KNOWN = [
  ["start", START],
  ["document", "rn3k1r/p1Bp2p1/5ppn/6N1/3pQ3/8/PP2PPPP/4KB1R w K - 4 21"],
  ["kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"],
  ["ending", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"],
  ["promotions", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"],
] as const;

/** The founding document's own table of the starting position. Its positions at depth 7 are wrong. */
const DOCUMENT: { depth: number; counts: [keyof Counters, number][]; time_ms: number }[] = [
  [1, 20, 0, 0, 0, 0, 4.6],
  [2, 400, 0, 0, 0, 0, 24.4],
  [3, 8_902, 34, 12, 0, 0, 83.8],
  [4, 197_281, 1_576, 469, 8, 0, 1_421],
  [5, 4_865_609, 82_719, 27_351, 347, 0, 33_937],
  [6, 119_060_324, 2_812_008, 809_099, 10_828, 0, 1_045_469],
  [7, 3_195_904_244, 108_329_926, 33_103_848, 435_767, 0, 25_288_351],
].map(([depth = 0, nodes = 0, captures = 0, checks = 0, checkmates = 0, stalemates = 0, time_ms = 0]) => ({
  depth,
  counts: [
    ["nodes", nodes],
    ["captures", captures],
    ["checks", checks],
    ["checkmates", checkmates],
    ["stalemates", stalemates],
  ],
  time_ms,
}));

export function open({ query }: Route): View {
  const depth = h("input", { type: "number", min: 1, max: 8, value: query.get("depth") ?? "4", id: "perft-depth" });
  const words = w.inLab.perft;
  const boards = BOARDS.map(name => [name, words.boards[name]] as const);
  const board = select(boards, BOARDS.find(name => name === query.get("board")) ?? "bitboard");
  const progress = h("progress", { "aria-label": w.inLab.progress, hidden: true });
  const document = h("div.scroll.table", {
    tabindex: 0,
    role: "region",
    "aria-label": words.documentCounts,
  });
  const byDepth = h("div.scroll.table", { tabindex: 0, role: "region", "aria-label": words.byDepth });
  const byMove = h("div.scroll.table.tall", { tabindex: 0, role: "region", "aria-label": words.countsByMove });
  /** Enabled once there is a position. A new position ends the count. */
  const run = h("button.primary", { disabled: true }, words.count);
  const stop = h("button", { type: "button", hidden: true, onclick: () => running?.abort() }, words.stop);
  let running: AbortController | undefined;

  const picker = new PositionPicker(query.get("fen"), () => {
    remember();
    running?.abort();
    run.disabled = false;
    fill(byDepth, h("p.hint", {}, words.rowsAppear));
    fill(byMove, h("p.hint", {}, words.deepest));
    fill(document, documentTable([]));
  });
  const remember = () => rename("lab", ["perft"], { fen: picker.line.fen, depth: depth.value, board: board.value });

  /** Counts to every depth in turn, so that the first rows appear at once. */
  async function countAll(): Promise<void> {
    running?.abort();
    const own = (running = new AbortController());
    const rows: Perft[] = [];
    run.disabled = true;
    stop.hidden = progress.hidden = false;
    remember();
    try {
      for (let to = 1; to <= Number(depth.value); to++) {
        progress.removeAttribute("value");
        const request = { ...picker.line.where, depth: to, board: board.value };
        const found = await countTree(request, showProgress, own.signal);
        rows.push(found);
        fill(byDepth, depthTable(rows));
        if (picker.line.fen === START) fill(document, documentTable(rows));
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
        stop.hidden = progress.hidden = true;
      }
    }
  }

  function showProgress(done: number, total: number): void {
    progress.max = total;
    progress.value = done;
  }

  const form = h(
    "form.row.perft-form",
    {
      onsubmit: (event: Event) => {
        event.preventDefault();
        attempt(countAll);
      },
    },
    field(words.depth, depth),
    field(w.board, board),
    run,
    stop,
  );
  const known = KNOWN.map(([name, fen]) =>
    h("button", { type: "button", onclick: () => picker.receive(fen) }, words.known[name]),
  );
  return {
    element: h(
      "div.stage",
      {},
      picker.element,
      h(
        "div.panel",
        {},
        card(words.title, form, progress, h("div.row", {}, ...known), byDepth),
        card(words.byMove, byMove),
        card(words.document, h("p.hint", {}, words.documentHint), document),
      ),
    ),
    close: () => {
      running?.abort();
      picker.close();
    },
    receive: text => picker.receive(text),
  };
}

/** The document's rows, each compared with ours where we have counted it. */
function documentTable(rows: Perft[]): HTMLElement {
  const { columns, time, ours: own } = w.inLab.perft;
  const { depth, nodes, captures, checks, checkmates, stalemates } = columns;
  const titles = [depth, nodes, captures, checks, checkmates, stalemates, time, own];
  const head = titles.map(title => h("th.number", { scope: "col" }, title));
  const body = DOCUMENT.map(({ depth, counts, time_ms }) => {
    const ours = rows.find(row => row.depth === depth);
    return h(
      "tr",
      {},
      h("th.number", { scope: "row" }, String(depth)),
      ...counts.map(([key, value]) =>
        h(ours && ours.total[key] !== value ? "td.number.loses" : "td.number", {}, count(value)),
      ),
      h("td.number", {}, duration(time_ms)),
      h("td.number", {}, ours ? compared(counts, time_ms, ours) : ""),
    );
  });
  return h("table.dense", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...body));
}

function compared(counts: [keyof Counters, number][], time_ms: number, ours: Perft): string {
  const isSame = counts.every(([key, value]) => ours.total[key] === value);
  const times = time_ms / Math.max(ours.time_ms, 1);
  return w.inLab.perft.compared(isSame, times >= 10 ? count(Math.round(times)) : fixed(times, 1));
}

function duration(time_ms: number): string {
  return time_ms < 1000 ? `${Math.round(time_ms)} ms` : `${fixed(time_ms / 1000, 2)} s`;
}

/** A column for each depth, so that the table fits beside the board. */
function depthTable(rows: Perft[]): HTMLElement {
  const { columns, time } = w.inLab.perft;
  const line = (title: string, value: (row: Perft) => string) =>
    h("tr", {}, h("th", { scope: "row" }, title), ...rows.map(row => h("td.number", {}, value(row))));
  const head = [
    h("th", { scope: "col" }, columns.depth),
    ...rows.map(({ depth }) => h("th.number", { scope: "col" }, String(depth))),
  ];
  const body = COLUMNS.map(key => line(columns[key], ({ total }) => count(total[key])));
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, ...head)),
    h(
      "tbody",
      {},
      ...body,
      line(time, ({ time_ms }) => duration(time_ms)),
    ),
  );
}

function moveTable({ divide }: Perft, play: (uci: string) => void): HTMLElement {
  const words = w.inLab.perft;
  const rows = divide.map(({ uci, san, counters }) =>
    h(
      "tr",
      {},
      h(
        "td",
        {},
        h(
          "button.quiet",
          { type: "button", title: words.playIt(inLetters(san)), onclick: () => play(uci) },
          inLetters(san),
        ),
      ),
      h("td.mono", {}, uci),
      h("td.number", {}, count(counters.nodes)),
    ),
  );
  const head = h("tr", {}, h("th", {}, words.move), h("th", {}, "UCI"), h("th.number", {}, words.columns.nodes));
  return h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows));
}
