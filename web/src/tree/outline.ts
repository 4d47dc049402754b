// The search tree as text: nodes that open, with scores, windows, and why each ended.

import { fill, h } from "../dom";
import type { Outlook, TraceNode } from "../api";
import { score as scoreText } from "../format";
import { inLetters } from "../notation";
import { w } from "../words";
import { children, isCut } from "./trace";

export class Outline {
  readonly element = h("div.outline");
  private readonly below: number[][];
  private readonly opened = new Map<number, HTMLDetailsElement>();

  constructor(private readonly nodes: TraceNode[]) {
    this.below = children(nodes);
    fill(this.element, this.item(0));
    this.reveal(0);
  }

  /** Opens the path to a node and scrolls to it. */
  reveal(index: number): void {
    const path: number[] = [];
    for (let at: number | null = index; at !== null; at = this.nodes[at]?.parent ?? null) path.unshift(at);
    for (const step of path) this.expand(step);
    const summary = this.opened.get(index)?.querySelector("summary");
    if (index > 0) summary?.focus();
  }

  private expand(index: number): void {
    const details = this.opened.get(index);
    if (details) {
      details.open = true;
      this.fillIn(details, index);
    }
  }

  private item(index: number): HTMLElement {
    const details = h("details", { ontoggle: () => details.open && this.fillIn(details, index) }, this.summary(index));
    this.opened.set(index, details);
    return details;
  }

  private summary(index: number): HTMLElement {
    const { san, score, alpha, beta, ending, kind, ...node } = this.nodes[index]!;
    const window = `${bound(alpha, "−∞")} … ${bound(beta, "∞")}`;
    const words = w.inLab.tree;
    const name = kind === "pass" ? words.pass : san ? inLetters(san) : words.root;
    return h(
      isCut(this.nodes[index]!) ? "summary.cut" : "summary",
      {},
      h("b", {}, name, node.is_again && h("small", {}, words.again)),
      h("span.node-score", {}, scoreText(score)),
      h("span.window", { title: words.window }, window),
      h(
        "span.why",
        {},
        words.endings[ending] ?? ending,
        node.never_tried > 0 && `; ${words.neverTried(node.never_tried)}`,
      ),
    );
  }

  private fillIn(details: HTMLDetailsElement, index: number): void {
    if (details.childElementCount > 1) return;
    const { skipped, never_tried, hidden } = this.nodes[index]!;
    const words = w.inLab.tree;
    const notes = [
      ...skipped.map(({ san, why }) => h("p.untried", {}, words.skipped(inLetters(san), words.skips[why] ?? why))),
      never_tried > 0 && h("p.untried", {}, words.neverTried(never_tried)),
      hidden > 0 && h("p.hint", {}, words.hidden(hidden)),
    ];
    const list = this.below[index]!.map(child => this.item(child));
    const isEmpty = list.length === 0 && !notes.some(Boolean);
    details.append(h("div.below", {}, ...list, ...notes, isEmpty && h("p.hint", {}, words.noneBelow)));
  }
}

function bound(value: Outlook | null, open: string): string {
  return value === null ? open : scoreText(value);
}
