// The move list: moves with their variations, four buttons, and the arrow keys.

import { fill, h, type Child } from "../dom";
import { numbered, plyOf } from "../format";

export interface Shown {
  san: string;
  /** `?!`, `?`, `??`, and the word behind it for color. */
  glyph?: string;
  kind?: string;
  /** The comment after the move, and the one before it if it begins a variation. */
  comment?: string | null;
  before?: string | null;
  /** The number of the move; its ply if there are no variations. */
  number?: number;
  /** The variations. */
  variations?: Shown[][];
}

export class MoveList {
  readonly element: HTMLElement;
  private readonly list = h("ol.moves.scroll", { "aria-label": "Moves", tabindex: 0 });
  private readonly steps: HTMLButtonElement[];
  private readonly buttons = new Map<number, HTMLButtonElement>();
  private drawn = "";
  /** The current move, and the numbers of the current line. */
  private at = 0;
  private line: readonly number[] = [];

  /** Calls back with the number of the move to go to: 0 is the start, 1 after the first move. */
  constructor(private readonly onGo: (number: number) => void) {
    const step = (label: string, sign: string, target: () => number) =>
      h(
        "button.quiet",
        { type: "button", "aria-label": label, title: label, onclick: () => this.walkTo(target()) },
        sign,
      );
    this.steps = [
      step("First position", "«", () => 0),
      step("Previous move", "‹", () => this.ply - 1),
      step("Next move", "›", () => this.ply + 1),
      step("Last position", "»", () => this.line.length),
    ];
    this.element = h("div.move-list", {}, this.list, h("div.steps", {}, ...this.steps));
  }

  /** Shows the moves from a position on, and where one stands on which line: of them all unless told. */
  show(startFen: string, moves: Shown[], at: number, line?: readonly number[]): void {
    // The list is only drawn anew when its moves change, so that a focus inside it survives.
    const drawn = JSON.stringify([startFen, moves]);
    if (drawn !== this.drawn) this.redraw(plyOf(startFen), moves);
    this.drawn = drawn;
    this.at = at;
    this.line = line ?? moves.map((move, index) => move.number ?? index + 1);
    for (const [number, button] of this.buttons) {
      if (number === at) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    this.scrollTo(this.buttons.get(at));
    const [first, back, on, last] = this.steps;
    for (const button of [first, back]) button!.disabled = this.ply === 0;
    for (const button of [on, last]) button!.disabled = this.ply === this.line.length;
  }

  /** Walks by arrow keys, unless a text field or the board has the focus. */
  readonly onKey = (event: KeyboardEvent): void => {
    const place = event.target instanceof Element ? event.target : document.body;
    if (
      place.closest("input, textarea, select, [role=application], dialog") ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey
    )
      return;
    const { ply, line } = this;
    const target = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: line.length }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.walkTo(target);
  };

  private get ply(): number {
    return this.line.indexOf(this.at) + 1;
  }

  private walkTo(ply: number): void {
    if (ply >= 0 && ply <= this.line.length && ply !== this.ply) this.onGo(this.line[ply - 1] ?? 0);
  }

  private button(move: Shown, number: number, text: string): HTMLButtonElement {
    const classes = move.kind ? (`button.move.${move.kind}` as "button") : "button.move";
    const button = h(
      classes as "button",
      { type: "button", onclick: () => this.onGo(number) },
      text,
      move.glyph && h("span.glyph", {}, move.glyph),
    );
    this.buttons.set(number, button);
    return button;
  }

  private redraw(firstPly: number, moves: Shown[]): void {
    this.buttons.clear();
    const rows: HTMLElement[] = [];
    let row: HTMLElement | undefined;
    moves.forEach((move, index) => {
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
      row.append(this.button(move, move.number ?? index + 1, move.san));
      const below = [
        ...(move.comment ? [h("p.comment", {}, move.comment)] : []),
        ...(move.variations ?? []).map(line => h("p.variation", {}, "(", ...this.variation(line, ply), ")")),
      ];
      row.append(...below);
      if (below.length > 0) row = undefined;
    });
    fill(this.list, ...rows);
    this.list.classList.toggle("empty", moves.length === 0);
    if (moves.length === 0) this.list.append(h("li.nothing", {}, "No moves yet"));
  }

  /** A variation as running text, with those inside it in brackets of their own. */
  private variation(moves: Shown[], firstPly: number): Child[] {
    let isBroken = true;
    return moves.flatMap((move, index) => {
      const ply = firstPly + index;
      const text = isBroken || ply % 2 === 0 ? numbered([move.san], ply) : move.san;
      const inside = (move.variations ?? []).map(line =>
        h("span.variation", {}, "(", ...this.variation(line, ply), ")"),
      );
      isBroken = Boolean(move.comment) || inside.length > 0;
      return [
        move.before && h("span.comment", {}, move.before),
        this.button(move, move.number ?? 0, text),
        move.comment && h("span.comment", {}, move.comment),
        ...inside,
      ];
    });
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
