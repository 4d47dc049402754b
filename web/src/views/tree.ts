// The search tree: one position, four ways to search it, and what each looked at. It shows what pruning saves.

import { post, type Trace } from "../api";
import { card, field, fill, h, select } from "../dom";
import { count, score } from "../format";
import { inLetters } from "../notation";
import { attempt, complain } from "../notice";
import { PositionPicker } from "../parts/position";
import { rename, type Route, type View } from "../route";
import { icicle } from "../tree/icicle";
import { Outline } from "../tree/outline";
import { CUTS } from "../tree/trace";
import { w } from "../words";

const METHODS = ["minimax", "alphabeta-unordered", "alphabeta", "full"] as const;
type Method = (typeof METHODS)[number];

const DEPTHS = ["1", "2", "3", "4"].map(depth => [depth, depth] as const);
const EXAMPLES = [
  ["8/8/1KP5/3r4/8/8/8/k7 w - - 0 1", "saavedra"],
  ["r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "mate"],
  ["6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "backRank"],
  ["k7/2p5/8/1P1p4/2P5/8/8/K7 w - - 0 1", "pawns"],
] as const;
const MOST_SHOWN = 1500;

export function open({ query }: Route): View {
  return new TreeView(query.get("fen") ?? EXAMPLES[3][0], query.get("depth") ?? "2");
}

class TreeView implements View {
  readonly element: HTMLElement;
  private readonly picker: PositionPicker;
  private readonly depth: HTMLSelectElement;
  private readonly table = h("div.scroll.table", { tabindex: 0, role: "region", "aria-label": w.inLab.tree.counts });
  private readonly tabs = h("div.row", { role: "group", "aria-label": w.inLab.tree.whichTree });
  private readonly tree = h("div.tree");
  private traces = new Map<Method, Trace>();
  private chosen: Method = "alphabeta";
  private running: AbortController | undefined;

  constructor(fen: string, depth: string) {
    const words = w.inLab.tree;
    this.depth = select(DEPTHS, depth as "2", () => this.search());
    const examples = EXAMPLES.map(([fen, name]) => [fen, words.examples[name]] as const);
    const example = select(
      [["", w.inLab.examples] as const, ...examples],
      "",
      value => value && this.picker.receive(value),
    );
    this.picker = new PositionPicker(fen, () => this.search());
    const legend = h(
      "p.legend",
      {},
      ...Object.entries(words.legend).map(([kind, told]) => h("span", {}, h(`i.${kind}` as "i", {}), told)),
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
            words.title,
            h("p", {}, words.about),
            h("div.columns", {}, field(words.depth, this.depth), field(words.position, example)),
            this.table,
          ),
        ),
      ),
      card(words.theTree, this.tabs, legend, this.tree, h("p.hint", {}, words.scoresHint)),
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
      fill(this.table, h("p.hint", {}, w.inLab.searching));
      this.showTree();
      try {
        for (const method of METHODS) {
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
    const rows = METHODS.flatMap(method => {
      const [title, about] = w.inLab.tree.methods[method];
      const trace = this.traces.get(method);
      if (!trace) return [];
      const { nodes, evaluations, never_tried, endings } = trace.totals;
      const cuts = Object.entries(endings).reduce((sum, [name, amount]) => sum + (CUTS.has(name) ? amount : 0), 0);
      const bar = h("span.share");
      bar.style.width = `${Math.max(0.5, (nodes / most) * 100)}%`;
      return [
        h(
          "tr",
          {},
          h("th", { scope: "row" }, title, h("small", {}, about)),
          h("td", {}, trace.score ? score(trace.score) : "–", h("small", {}, ` ${inLetters(trace.best.san[0] ?? "")}`)),
          h("td.number", {}, count(nodes), trace.is_complete ? "" : "+", bar),
          h("td.number", {}, count(evaluations)),
          h("td.number", {}, count(cuts)),
          h("td.number", {}, count(never_tried)),
        ),
      ];
    });
    const head = w.inLab.tree.columns.map((title, index) => h(index > 1 ? "th.number" : "th", { scope: "col" }, title));
    fill(this.table, h("table.counts", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)));
  }

  private showTree(): void {
    const words = w.inLab.tree;
    fill(
      this.tabs,
      ...METHODS.map(method =>
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
          words.methods[method][0],
        ),
      ),
    );
    const trace = this.traces.get(this.chosen);
    if (!trace) return fill(this.tree, h("p.hint", {}, w.inLab.searching));
    if (trace.nodes.length === 0) return fill(this.tree, h("p.hint", {}, words.empty));
    const outline = new Outline(trace.nodes);
    const label = words.treeOf(words.methods[this.chosen][0], count(trace.totals.nodes));
    const note =
      trace.hidden > 0 && h("p.hint", {}, words.someShown(count(trace.shown), count(trace.shown + trace.hidden)));
    fill(
      this.tree,
      h(
        "div.scroll",
        { tabindex: 0, role: "region", "aria-label": words.picture },
        icicle(trace.nodes, label, index => outline.reveal(index)),
      ),
      note,
      outline.element,
    );
  }
}
