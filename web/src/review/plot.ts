// The evaluation through a game, drawn by uPlot: White's share of the chances, with mistakes and turning points marked.

import uPlot from "uplot";
import { h } from "../dom";
import { whiteShare } from "../format";
import { onSettings } from "../settings";
import type { Judgement, Review } from "../api";

/** The judgements that get a dot. */
const MARKED: readonly Judgement[] = ["brilliant", "inaccuracy", "miss", "mistake", "blunder"];

export class Plot {
  readonly element = h("div.plot", { role: "img", "aria-label": "Evaluation through the game" });
  private readonly watcher = new ResizeObserver(() => this.resize());
  private readonly forget = onSettings(() => this.draw());
  private readonly dark = matchMedia("(prefers-color-scheme: dark)");
  private readonly repaint = () => this.draw();
  private plot: uPlot | undefined;
  private ply = 0;

  constructor(
    private readonly review: Review,
    private readonly onGo: (ply: number) => void,
  ) {
    this.watcher.observe(this.element);
    this.dark.addEventListener("change", this.repaint);
    this.draw();
  }

  close(): void {
    this.watcher.disconnect();
    this.dark.removeEventListener("change", this.repaint);
    this.forget();
    this.plot?.destroy();
  }

  /** Marks the current move. */
  show(ply: number): void {
    this.ply = ply;
    this.plot?.redraw(false);
  }

  private size(): { width: number; height: number } {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    return { width: Math.max(120, this.element.clientWidth), height: 10 * rem };
  }

  private resize(): void {
    this.plot?.setSize(this.size());
  }

  private draw(): void {
    this.plot?.destroy();
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const shares = this.review.evals.map(outlook => whiteShare(outlook) * 100);
    const marks = this.review.moves.map(({ judgement }) => (MARKED.includes(judgement) ? `--${judgement}` : undefined));
    const font = `${0.75 * rem}px ${getComputedStyle(document.body).fontFamily}`;
    const axis = {
      stroke: color("--soft"),
      font,
      grid: { stroke: color("--line"), width: 1 },
      ticks: { show: false },
    };
    this.plot = new uPlot(
      {
        ...this.size(),
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
        scales: { x: { time: false }, y: { range: [0, 100] } },
        axes: [
          { ...axis, values: (_, plies) => plies.map(ply => (ply % 2 === 0 ? String(ply / 2) : "")), size: 1.8 * rem },
          {
            ...axis,
            values: (_, values) => values.map(value => `${value} %`),
            size: 3.2 * rem,
            splits: () => [0, 25, 50, 75, 100],
          },
        ],
        series: [
          {},
          {
            stroke: color("--accent"),
            width: 2,
            fill: color("--accent-soft"),
            fillTo: 50,
            points: { show: false },
          },
        ],
        hooks: {
          draw: [
            plot => {
              this.drawMarks(
                plot,
                shares,
                marks.map(name => (name ? color(name) : undefined)),
                rem,
              );
            },
          ],
        },
      },
      [shares.map((_, ply) => ply), shares],
      this.element,
    );
    this.plot.over.addEventListener("click", () => {
      const ply = this.plot?.cursor.idx;
      if (ply !== null && ply !== undefined) this.onGo(ply);
    });
  }

  private drawMarks(plot: uPlot, shares: number[], colors: (string | undefined)[], rem: number): void {
    const { ctx } = plot;
    const at = (ply: number) => [plot.valToPos(ply, "x", true), plot.valToPos(shares[ply] ?? 50, "y", true)] as const;
    const dot = (ply: number, radius: number, fill: string) => {
      const [x, y] = at(ply);
      ctx.beginPath();
      ctx.arc(x, y, radius * devicePixelRatio, 0, 2 * Math.PI);
      ctx.fillStyle = fill;
      ctx.fill();
    };
    ctx.save();
    colors.forEach((mark, index) => mark && dot(index + 1, rem * 0.26, mark));
    ctx.font = `600 ${0.75 * rem * devicePixelRatio}px ${getComputedStyle(document.body).fontFamily}`;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    this.review.turning_points.forEach((ply, index) => {
      const [x, y] = at(ply + 1);
      ctx.beginPath();
      ctx.arc(x, y, rem * 0.45 * devicePixelRatio, 0, 2 * Math.PI);
      ctx.strokeStyle = colors[ply] ?? color("--ink");
      ctx.lineWidth = 1.5 * devicePixelRatio;
      ctx.stroke();
      // The number stands above the dot, or below it where there is no room, and beside the line of the current move.
      const [aside, away] = [rem * 0.7 * devicePixelRatio, rem * 0.85 * devicePixelRatio];
      const isAtEnd = x + 2 * aside > plot.bbox.left + plot.bbox.width;
      ctx.fillStyle = color("--ink");
      ctx.fillText(
        String(index + 1),
        isAtEnd ? x - aside : x + aside,
        y - 1.5 * away < plot.bbox.top ? y + away : y - away,
      );
    });
    const [x] = at(this.ply);
    ctx.strokeStyle = color("--ink");
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, plot.bbox.top);
    ctx.lineTo(x, plot.bbox.top + plot.bbox.height);
    ctx.stroke();
    ctx.restore();
  }
}

/** A color of the page for a canvas: `light-dark()` is resolved for the current theme. */
function color(name: string): string {
  const probe = h("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
