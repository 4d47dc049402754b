// The moves of a game, to look at and to walk along: a list, four buttons, and the arrow keys.

import { fill, h } from "../dom";
import { plyOf } from "../format";

export interface Shown {
  san: string;
  /** `?!`, `?`, `??`, and the word behind it for colour. */
  glyph?: string;
  kind?: string;
  comment?: string | null;
}

export class MoveList {
  readonly element: HTMLElement;
  private readonly list = h("ol.moves.scroll", { "aria-label": "Moves", tabindex: 0 });
  private readonly steps: HTMLButtonElement[];
  private buttons: HTMLButtonElement[] = [];
  private drawn = "";
  private ply = 0;

  /** Calls back with the ply to go to: 0 is the start, 1 after the first move. */
  constructor(private readonly onGo: (ply: number) => void) {
    const step = (label: string, sign: string, target: () => number) =>
      h(
        "button.quiet",
        { type: "button", "aria-label": label, title: label, onclick: () => this.goTo(target()) },
        sign,
      );
    this.steps = [
      step("First position", "«", () => 0),
      step("One move back", "‹", () => this.ply - 1),
      step("One move on", "›", () => this.ply + 1),
      step("Last position", "»", () => this.buttons.length),
    ];
    this.element = h("div.move-list", {}, this.list, h("div.steps", {}, ...this.steps));
  }

  /** Shows the moves from a position on, and where one stands. */
  show(startFen: string, moves: Shown[], ply: number): void {
    // The list is only drawn anew when its moves change, so that a focus inside it survives.
    const drawn = JSON.stringify([startFen, moves]);
    if (drawn !== this.drawn) this.redraw(plyOf(startFen), moves);
    this.drawn = drawn;
    this.ply = ply;
    this.buttons.forEach((button, index) => {
      if (index + 1 === ply) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    this.scrollTo(this.buttons[ply - 1]);
    const [first, back, on, last] = this.steps;
    for (const button of [first, back]) button!.disabled = ply === 0;
    for (const button of [on, last]) button!.disabled = ply === this.buttons.length;
  }

  /** Walks by arrow keys, unless somebody writes or stands on the board. */
  readonly onKey = (event: KeyboardEvent): void => {
    const place = event.target instanceof Element ? event.target : document.body;
    if (
      place.closest("input, textarea, select, [role=application], dialog") ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey
    )
      return;
    const target = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.buttons.length }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.goTo(target);
  };

  private goTo(ply: number): void {
    if (ply >= 0 && ply <= this.buttons.length && ply !== this.ply) this.onGo(ply);
  }

  private redraw(firstPly: number, moves: Shown[]): void {
    this.buttons = moves.map((move, index) => {
      const classes = move.kind ? (`button.move.${move.kind}` as "button") : "button.move";
      return h(
        classes as "button",
        { type: "button", onclick: () => this.goTo(index + 1) },
        move.san,
        move.glyph && h("span.glyph", {}, move.glyph),
      );
    });
    const rows: HTMLElement[] = [];
    let row: HTMLElement | undefined;
    this.buttons.forEach((button, index) => {
      const ply = firstPly + index;
      const isWhite = ply % 2 === 0;
      if (isWhite || !row) {
        row = h(
          "li",
          {},
          h("span.move-number", {}, `${Math.floor(ply / 2) + 1}.`),
          !isWhite && h("span.absent", {}, "…"),
        );
        rows.push(row);
      }
      row.append(button);
      const comment = moves[index]?.comment;
      if (comment) {
        row.append(h("p.comment", {}, comment));
        row = undefined;
      }
    });
    fill(this.list, ...rows);
    this.list.classList.toggle("empty", moves.length === 0);
    if (moves.length === 0) this.list.append(h("li.nothing", {}, "No moves yet"));
  }

  private scrollTo(button: HTMLElement | undefined): void {
    if (!button) {
      this.list.scrollTop = 0;
      return;
    }
    const [box, inner] = [this.list.getBoundingClientRect(), button.getBoundingClientRect()];
    if (inner.top < box.top) this.list.scrollTop -= box.top - inner.top + 8;
    if (inner.bottom > box.bottom) this.list.scrollTop += inner.bottom - box.bottom + 8;
  }
}
