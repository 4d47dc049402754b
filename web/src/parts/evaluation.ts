// What a position is worth: the bar beside the board, and the lines of an analysis.

import type { Analysis, AnalysisLine, Outlook, Score } from "../api";
import { fill, h } from "../dom";
import { brief, count, fixed, numbered, percent, percentages, plyOf, score } from "../format";
import { sideToMove, type Side } from "../board/squares";
import { inLetters } from "../notation";
import { w } from "../words";

/** What a position is worth, and the points that White can expect of it, from 0 to 1, as the server tells them. */
export interface Worth {
  score: Outlook;
  expected: number;
}

export class EvaluationBar {
  private readonly white = h("div.white-part");
  private readonly worth = h("span.worth", { "aria-hidden": "true" });
  readonly element = h(
    "div.evaluation-bar",
    { role: "img", "aria-label": w.evaluationUnknown },
    this.white,
    this.worth,
  );

  show(value: Worth | undefined): void {
    const share = value?.expected ?? 0.5;
    this.element.style.setProperty("--share", `${(share * 100).toFixed(1)}%`);
    this.element.classList.toggle("unknown", !value);
    this.worth.textContent = value ? narrow(value.score) : "";
    this.worth.classList.toggle("black-leads", share < 0.5);
    this.element.setAttribute("aria-label", value ? w.evaluationIs(score(value.score)) : w.evaluationUnknown);
  }

  /** White is at the bottom of the bar where White is at the bottom of the board. */
  face(side: Side): void {
    this.element.classList.toggle("turned", side === "b");
  }
}

/** A score without its sign, as narrow as the bar: `0.3`, `12`, `#3`. */
function narrow({ kind, value }: Outlook): string {
  if (kind === "over") return value === "1/2-1/2" ? "½" : "1";
  if (kind === "mate") return `#${Math.abs(value)}`;
  const pawns = Math.abs(value) / 100;
  return fixed(pawns, pawns < 9.95 ? 1 : 0);
}

/** The points that White can expect of a line of the engine. */
export function expectedOf({ wdl: [win, draw] }: AnalysisLine): number {
  return (win + draw / 2) / 1000;
}

/** Chances of a win, a draw and a loss as one bar. */
export function chances([win, draw, loss]: [number, number, number]): HTMLElement {
  const [white, even, black] = percentages([win, draw, loss]);
  const shown = { win: white, draw: even, loss: black };
  const part = (kind: keyof typeof shown, share: number) => {
    const element = h(`span.${kind}` as "span", {}, share >= 120 ? percent(shown[kind] ?? 0) : "");
    element.style.flexGrow = String(share);
    return element;
  };
  const label = w.chancesAre(win / 10, draw / 10, loss / 10);
  return h(
    "div.chances",
    { role: "img", "aria-label": label, title: label },
    part("win", win),
    part("draw", draw),
    part("loss", loss),
  );
}

/**
 * The lines of an analysis, best first. While a depth is only partly searched, its lines come before those of the depth
 * before, whose scores say less; the better score is above within a depth, not across.
 */
export function inOrder({ fen, lines }: Analysis): AnalysisLine[] {
  const sign = sideToMove(fen) === "w" ? 1 : -1;
  return lines.toSorted((a, b) => b.depth - a.depth || sign * (worth(b.score) - worth(a.score)) || a.rank - b.rank);
}

/** A score as a number, higher where White is better off: any mate beats any centipawns, and a quick one a slow one. */
function worth({ kind, value }: Score): number {
  return kind === "cp" ? value : Math.sign(value) * 1e6 - value;
}

/**
 * Shows the lines of an analysis as they come, many times a second. Elements stay and only their texts change, so that
 * a move can be clicked or focused while the engine goes on.
 */
export class Lines {
  readonly facts = h("p.facts");
  private readonly chances = h("div.chances-row");
  private readonly list = h("ol.lines", { "aria-label": w.bestLines });
  readonly element = h("div.analysis-lines", {}, this.chances, this.list);
  private shown: AnalysisLine[] = [];

  /** Calls back with the moves up to the one that was chosen, or that is pointed at. */
  constructor(
    private readonly onPlay: (moves: string[]) => void,
    private readonly onPoint: (moves?: string[], near?: HTMLElement) => void = () => {},
  ) {
    this.list.addEventListener("pointerleave", () => this.onPoint());
  }

  /**
   * Announces the lines of another position. What is shown stays until they come, but cannot be played. Room for all
   * of them is kept from now on, so that what is below does not move while they come.
   */
  expect(amount: number, isOn: boolean): void {
    this.element.inert = true;
    this.element.classList.toggle("off", !isOn);
    this.list.style.setProperty("--rows", String(amount));
    if (!isOn) fill(this.facts);
  }

  /** Shows how far it has come, and the lines if there are any. */
  show({ engine, depth, selective_depth, nodes, nps, fen, done }: Analysis, lines: AnalysisLine[]): void {
    // A mate is found long before the depths run out, which then say nothing.
    const isMate = lines[0]?.score.kind === "mate" && depth > MATE_DEPTH;
    const depthReached = h("span", {}, h("b", {}, w.depth(depth)), h("small", {}, `/${selective_depth}`));
    fill(
      this.facts,
      engine !== OURS && h("span.engine-name", {}, engine),
      isMate ? h("b", {}, score(lines[0]!.score)) : depthReached,
      h("span", { title: w.positions(count(nodes)) }, w.positions(brief(nodes))),
      h("span", {}, `${brief(nps)}/s`),
      done && h("span", {}, w.finished),
    );
    if (lines.length === 0 && !done) return;
    this.element.inert = false;
    this.shown = lines;
    const best = lines[0];
    fill(this.chances, best ? chances(best.wdl) : null);
    adjust(this.list, lines.length, () => h("li", {}, h("b.score"), h("span.line-moves")));
    lines.forEach((line, row) => {
      this.list.children[row]!.classList.toggle("older", line.depth < best!.depth);
      this.showLine(line, row, plyOf(fen));
    });
  }

  private showLine(line: AnalysisLine, row: number, ply: number): void {
    const [value, moves] = this.list.children[row]!.children as unknown as [HTMLElement, HTMLElement];
    const sign = { exact: "", at_least: "≥ ", at_most: "≤ " }[line.bound];
    const isWhite = line.score.value >= 0;
    value.textContent = sign + score(line.score);
    value.className = isWhite ? "score white-leads" : "score black-leads";
    adjust(moves, line.san.length, index => {
      const upTo = () => this.shown[row]?.uci.slice(0, index + 1) ?? [];
      const point = (event: Event) => this.onPoint(upTo(), event.currentTarget as HTMLElement);
      const play = () => this.onPlay(upTo());
      const listeners = { onclick: play, onpointerenter: point, onfocus: point, onblur: () => this.onPoint() };
      return h("button.quiet", { type: "button", ...listeners });
    });
    line.san.forEach((san, index) => {
      const isNumbered = index === 0 || (ply + index) % 2 === 0;
      const text = isNumbered ? numbered([san], ply + index) : inLetters(san);
      const button = moves.children[index]!;
      if (button.textContent !== text) button.textContent = text;
    });
  }
}

/** The engine that needs no name. */
const OURS = "Saavedra";

/** The depth beyond which a mate is told instead of it. */
const MATE_DEPTH = 60;

/** Gives a parent so many children, keeping those it has. */
function adjust(parent: Element, amount: number, make: (index: number) => HTMLElement): void {
  while (parent.childElementCount > amount) parent.lastElementChild?.remove();
  while (parent.childElementCount < amount) parent.append(make(parent.childElementCount));
}
