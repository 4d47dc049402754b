// What a position is worth: the bar beside the board, and the lines of an analysis.

import type { Analysis, Line, Score } from "../api";
import { fill, h } from "../dom";
import { brief, count, numbered, plyOf, score, whiteShare } from "../format";
import type { Side } from "../board/squares";

export class EvaluationBar {
  private readonly white = h("div.white-part");
  private readonly worth = h("span.worth", { "aria-hidden": "true" });
  readonly element = h("div.evaluation-bar", { role: "img", "aria-label": "Evaluation" }, this.white, this.worth);

  show(value: Score | undefined): void {
    const share = value ? whiteShare(value) : 0.5;
    this.white.style.height = `${(share * 100).toFixed(1)}%`;
    this.worth.textContent = value
      ? score(value)
          .replace(/^[+−]/, "")
          .replace(/(\.\d)\d$/, "$1")
      : "";
    this.worth.classList.toggle("black-leads", share < 0.5);
    this.element.setAttribute("aria-label", value ? `Evaluation ${score(value)} for White` : "Evaluation unknown");
  }

  /** White is at the bottom of the bar where White is at the bottom of the board. */
  face(side: Side): void {
    this.element.classList.toggle("turned", side === "b");
  }
}

/** Chances of a win, a draw and a loss as one bar. */
export function chances([win, draw, loss]: [number, number, number]): HTMLElement {
  const part = (kind: string, share: number) => {
    const element = h(`span.${kind}` as "span", {}, share >= 120 ? `${Math.round(share / 10)} %` : "");
    element.style.flexGrow = String(share);
    return element;
  };
  const label = `White wins ${win / 10} %, draw ${draw / 10} %, Black wins ${loss / 10} %`;
  return h(
    "div.chances",
    { role: "img", "aria-label": label, title: label },
    part("win", win),
    part("draw", draw),
    part("loss", loss),
  );
}

/** Shows the lines of an analysis as they come. */
export class Lines {
  private readonly facts = h("p.facts");
  private readonly chances = h("div");
  private readonly list = h("ol.lines", { "aria-label": "Best lines" });
  readonly element = h("div.analysis-lines", {}, this.facts, this.chances, this.list);

  /** Calls back with the moves up to the one that was chosen. */
  constructor(private readonly onPlay: (moves: string[]) => void) {}

  show(analysis: Analysis | undefined): void {
    if (!analysis) return this.wait();
    const { depth, selective_depth, nodes, nps, lines, fen } = analysis;
    fill(
      this.facts,
      h("span", {}, h("b", {}, `Depth ${depth}`), h("small", {}, `/${selective_depth}`)),
      h("span", { title: `${count(nodes)} positions` }, `${brief(nodes)} positions`),
      h("span", {}, `${brief(nps)}/s`),
      analysis.done && h("span", {}, "finished"),
    );
    const best = lines[0];
    fill(this.chances, best ? chances(best.wdl) : null);
    fill(this.list, ...lines.map(line => this.line(line, plyOf(fen))));
  }

  private wait(): void {
    fill(this.facts, h("span", {}, "Starting …"));
    fill(this.list);
    fill(this.chances);
  }

  private line(line: Line, ply: number): HTMLElement {
    const sign = { exact: "", at_least: "≥ ", at_most: "≤ " }[line.bound];
    const leads = whiteShare(line.score) >= 0.5 ? "white-leads" : "black-leads";
    const moves = line.san.map((san, index) => {
      const text = numbered([san], ply + index);
      const shown = index > 0 && (ply + index) % 2 === 1 ? san : text;
      const play = () => this.onPlay(line.uci.slice(0, index + 1));
      return h("button.quiet", { type: "button", onclick: play }, shown);
    });
    return h("li", {}, h(`b.score.${leads}` as "b", {}, sign + score(line.score)), h("span.line-moves", {}, ...moves));
  }
}
