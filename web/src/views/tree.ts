// The search tree: one position, four ways to search it, and what each looked at. It shows what pruning saves.

import { post, type Trace } from "../api";
import { card, field, fill, h, select } from "../dom";
import { count, score } from "../format";
import { attempt, complain } from "../notice";
import { PositionPicker } from "../parts/position";
import { rename, type Route, type View } from "../route";
import { icicle } from "../tree/icicle";
import { Outline } from "../tree/outline";
import { ENDINGS } from "../tree/trace";

const METHODS = [
  ["minimax", "Minimax", "searches every move"],
  ["alphabeta-unordered", "Alpha-beta, unordered", "skips what cannot change the result"],
  ["alphabeta", "Alpha-beta", "the same, with captures first"],
  ["full", "Full search", "also prunes what is unlikely to matter"],
] as const;
type Method = (typeof METHODS)[number][0];

const DEPTHS = ["1", "2", "3", "4"].map(depth => [depth, depth] as const);
const EXAMPLES = [
  ["", "Examples …"],
  ["8/8/1KP5/3r4/8/8/8/k7 w - - 0 1", "The Saavedra position"],
  ["r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "Mate in one"],
  ["6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "Back rank"],
  ["k7/2p5/8/1P1p4/2P5/8/8/K7 w - - 0 1", "A few pawns"],
] as const;
const MOST_SHOWN = 1500;

export function open({ query }: Route): View {
  return new TreeView(query.get("fen") ?? EXAMPLES[4][0], query.get("depth") ?? "2");
}

class TreeView implements View {
  readonly element: HTMLElement;
  private readonly picker: PositionPicker;
  private readonly depth: HTMLSelectElement;
  private readonly table = h("div.scroll.table", { tabindex: 0, role: "region", "aria-label": "Counts" });
  private readonly tabs = h("div.row", { role: "group", "aria-label": "Which tree" });
  private readonly tree = h("div.tree");
  private traces = new Map<Method, Trace>();
  private chosen: Method = "alphabeta";
  private running: AbortController | undefined;

  constructor(fen: string, depth: string) {
    this.depth = select(DEPTHS, depth as "2", () => this.search());
    const example = select(EXAMPLES, "", value => value && this.picker.receive(value));
    this.picker = new PositionPicker(fen, () => this.search());
    const legend = h(
      "p.legend",
      {},
      ...[
        ["full", "all moves searched"],
        ["cut", "cut"],
        ["leaf", "evaluated"],
        ["quiet-node", "captures only, or a pass"],
        ["untried", "never tried"],
        ["hidden-node", "searched, not shown"],
      ].map(([kind, words]) => h("span", {}, h(`i.${kind}` as "i", {}), words)),
    );
    this.element = h(
      "div.page.wide",
      {},
      h(
        "div.stage",
        {},
        this.picker.element,
        h(
          "div.panel",
          {},
          card(
            "Four searches, one position",
            h(
              "p",
              {},
              "Each searches the position to the same depth. The first three find the same score; what differs is the number of nodes.",
            ),
            h("div.columns", {}, field("Depth in plies", this.depth), field("Position", example)),
            this.table,
          ),
        ),
      ),
      card(
        "The tree",
        this.tabs,
        legend,
        this.tree,
        h("p.hint", {}, "Scores and windows below the root are for the side to move."),
      ),
    );
  }

  close(): void {
    this.running?.abort();
    this.picker.close();
  }

  receive(text: string): boolean {
    return this.picker.receive(text);
  }

  private search(): void {
    if (!this.picker.line.position) return;
    attempt(async () => {
      this.running?.abort();
      const own = (this.running = new AbortController());
      rename("lab", ["tree"], { fen: this.picker.line.fen, depth: this.depth.value });
      this.traces.clear();
      fill(this.table, h("p.hint", {}, "Searching …"));
      this.showTree();
      try {
        for (const [method] of METHODS) {
          const { where } = this.picker.line;
          const body = { ...where, method, depth: Number(this.depth.value), most_shown: MOST_SHOWN };
          this.traces.set(method, await post("/tree", body, {}, own.signal));
          this.showTable();
          if (method === this.chosen) this.showTree();
        }
      } catch (error) {
        if (!own.signal.aborted) complain(error);
      }
    });
  }

  private showTable(): void {
    const most = Math.max(...[...this.traces.values()].map(trace => trace.totals.nodes));
    const rows = METHODS.flatMap(([method, title, about]) => {
      const trace = this.traces.get(method);
      if (!trace) return [];
      const { nodes, evaluations, never_tried, endings } = trace.totals;
      const cuts = Object.entries(endings).reduce(
        (sum, [name, amount]) => sum + (ENDINGS[name]?.startsWith("cut") ? amount : 0),
        0,
      );
      const bar = h("span.share");
      bar.style.width = `${Math.max(0.5, (nodes / most) * 100)}%`;
      return [
        h(
          "tr",
          {},
          h("th", { scope: "row" }, title, h("small", {}, about)),
          h("td", {}, trace.score ? score(trace.score) : "–", h("small", {}, ` ${trace.best.san[0] ?? ""}`)),
          h("td.number", {}, count(nodes), trace.is_complete ? "" : "+", bar),
          h("td.number", {}, count(evaluations)),
          h("td.number", {}, count(cuts)),
          h("td.number", {}, count(never_tried)),
        ),
      ];
    });
    const head = ["Method", "Score", "Nodes", "Evaluated", "Cuts", "Never tried"].map((title, index) =>
      h(index > 1 ? "th.number" : "th", { scope: "col" }, title),
    );
    fill(this.table, h("table.counts", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)));
  }

  private showTree(): void {
    fill(
      this.tabs,
      ...METHODS.map(([method, title]) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(method === this.chosen),
            onclick: () => {
              this.chosen = method;
              this.showTree();
            },
          },
          title,
        ),
      ),
    );
    const trace = this.traces.get(this.chosen);
    if (!trace) return fill(this.tree, h("p.hint", {}, "Searching …"));
    if (trace.nodes.length === 0) return fill(this.tree, h("p.hint", {}, "The tree is empty."));
    const outline = new Outline(trace.nodes);
    const label = `Tree of ${this.chosen}: ${trace.totals.nodes} nodes`;
    const note =
      trace.hidden > 0 &&
      h("p.hint", {}, `${count(trace.shown)} of ${count(trace.shown + trace.hidden)} nodes are shown.`);
    fill(
      this.tree,
      h(
        "div.scroll",
        { tabindex: 0, role: "region", "aria-label": "Picture of the tree" },
        icicle(trace.nodes, label, index => outline.reveal(index)),
      ),
      note,
      outline.element,
    );
  }
}
