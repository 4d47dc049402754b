// The evaluation through a game: White's share of the chances as a curve, with phases, clocks, mistakes and moments.

import type { Judgement, Review } from "../api";
import { h, svg } from "../dom";
import { w } from "../words";
import { expectedAfter } from "./words";

/** The judgements that get a dot. */
const MARKED: readonly Judgement[] = ["brilliant", "inaccuracy", "miss", "mistake", "blunder"];

export class Plot {
  readonly element: HTMLElement;
  private readonly cursor = h("span.plot-cursor");

  /** Calls back with the ply that was clicked. The clocks are what they showed after each move, if there were any. */
  constructor(
    private readonly review: Review,
    onGo: (ply: number) => void,
    clocks: (number | undefined)[] = [],
  ) {
    const pick = (event: MouseEvent) => {
      const box = this.element.getBoundingClientRect();
      onGo(Math.round(((event.clientX - box.left) / box.width) * this.last));
    };
    this.element = h(
      "div.plot",
      { role: "img", "aria-label": w.plot, onclick: pick },
      this.curve(clocks),
      ...this.phases(),
      ...this.dots(),
      this.cursor,
    );
    this.show(0);
  }

  /** Marks the current move. */
  show(ply: number): void {
    this.cursor.style.left = `${this.x(ply)}%`;
  }

  private get last(): number {
    return Math.max(1, this.review.moves.length);
  }

  private x(ply: number): number {
    return (100 * ply) / this.last;
  }

  private y(ply: number): number {
    return 100 - 100 * expectedAfter(this.review, ply);
  }

  private curve(clocks: (number | undefined)[]): SVGElement {
    const points = this.review.evals.map((_, ply) => `${this.x(ply).toFixed(2)} ${this.y(ply).toFixed(2)}`);
    const area = svg("path", { d: `M0 50 L${points.join(" L")} L100 50 Z`, class: "plot-area" });
    const line = svg("path", { d: `M${points.join(" L")}`, class: "plot-line" });
    const middle = svg("path", { d: "M0 50H100", class: "plot-middle" });
    const most = Math.max(1, ...clocks.map(time => time ?? 0));
    const clockLine = (color: number) => {
      const shown = clocks.flatMap((time, index) =>
        time !== undefined && index % 2 === color
          ? [`${this.x(index + 1).toFixed(2)} ${(100 - (100 * time) / most).toFixed(2)}`]
          : [],
      );
      return svg("path", { d: shown.length > 1 ? `M${shown.join(" L")}` : "", class: `plot-clock clock-${color}` });
    };
    const children = [area, middle, clockLine(0), clockLine(1), line];
    return svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" }, ...children);
  }

  /** A line and a name where a phase begins. */
  private phases(): HTMLElement[] {
    const { moves } = this.review;
    return (["opening", "middlegame", "endgame"] as const).flatMap(phase => {
      const first = moves.findIndex(move => move.phase === phase);
      if (first < 0) return [];
      const element = h("span.plot-phase", {}, w.phases[phase]);
      element.style.left = `${this.x(first)}%`;
      element.classList.toggle("first", first === 0);
      return [element];
    });
  }

  private dots(): HTMLElement[] {
    return this.review.moves.flatMap(({ judgement }, index) => {
      const moment = this.review.turning_points.indexOf(index);
      if (moment < 0 && !MARKED.includes(judgement)) return [];
      const dot = h(`span.plot-dot.${judgement}` as "span", {}, moment < 0 ? "" : String(moment + 1));
      dot.classList.toggle("moment", moment >= 0);
      dot.style.left = `${this.x(index + 1)}%`;
      dot.style.top = `${Math.min(92, Math.max(8, this.y(index + 1)))}%`;
      return [dot];
    });
  }
}
