// The move list: two columns where there is only the game, running text below a move where there are variations.

import { fill, h, type Child } from "../dom";
import { clock, numbered, plyOf } from "../format";
import { inLetters } from "../notation";
import { w } from "../words";

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
  /** What the clock showed. */
  clock?: number;
}

export class MoveList {
  readonly element = h("ol.moves.scroll", { "aria-label": w.moves, tabindex: 0 });
  private readonly buttons = new Map<number, HTMLButtonElement>();
  private drawn = "";
  /** The current move, and the numbers of the current line. */
  private at = 0;
  private line: readonly number[] = [];

  /**
   * Calls back with the number of the move to go to: 0 is the start, 1 after the first move; and with the move whose
   * menu is asked for.
   */
  constructor(
    private readonly onGo: (number: number) => void,
    onMenu?: (number: number, x: number, y: number) => void,
  ) {
    this.element.addEventListener("contextmenu", event => {
      const button = event.target instanceof Element ? event.target.closest<HTMLElement>(".move") : null;
      if (!button || !onMenu) return;
      event.preventDefault();
      const box = button.getBoundingClientRect();
      const [x, y] = event.clientX > 0 ? [event.clientX, event.clientY] : [box.left, box.bottom];
      onMenu(Number(button.dataset.number), x, y);
    });
  }

  /** Shows the moves from a position on, and where one stands on which line (of them all unless told). */
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
  }

  /** Scrolls to the current move, once everything around the list has its size. */
  keepInView(): void {
    this.scrollTo(this.buttons.get(this.at));
  }

  /** How many moves along the line one stands, and how many there are. */
  get ply(): number {
    return this.line.indexOf(this.at) + 1;
  }

  get length(): number {
    return this.line.length;
  }

  walkTo(ply: number): void {
    const target = Math.max(0, Math.min(this.line.length, ply));
    if (target !== this.ply) this.onGo(this.line[target - 1] ?? 0);
  }

  /** Walks by arrow keys, unless a text field or the board has the focus. */
  readonly onKey = (event: KeyboardEvent): void => {
    if (!isFree(event)) return;
    const { ply, line } = this;
    const targets: Record<string, number> = {
      ArrowLeft: ply - 1,
      ArrowRight: ply + 1,
      ArrowUp: 0,
      ArrowDown: line.length,
      Home: 0,
      End: line.length,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.walkTo(target);
  };

  private button(move: Shown, number: number, text: string): HTMLButtonElement {
    const classes = move.kind ? (`button.move.${move.kind}` as "button") : "button.move";
    const button = h(
      classes as "button",
      { type: "button", "data-number": number, onclick: () => this.onGo(number) },
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
      const time = move.clock === undefined ? null : h("small.move-clock", {}, clock(move.clock));
      row.append(
        h(
          "span.move-cell",
          {},
          this.button(move, move.number ?? index + 1, inLetters(move.san)),
          ...(time ? [time] : []),
        ),
      );
      const below = [
        ...(move.comment ? [h("p.comment", {}, move.comment)] : []),
        ...(move.variations ?? []).map(line => h("p.variation", {}, "(", ...this.variation(line, ply), ")")),
      ];
      row.append(...below);
      if (below.length > 0) row = undefined;
    });
    fill(this.element, ...rows);
    this.element.classList.toggle("empty", moves.length === 0);
    if (moves.length === 0) this.element.append(h("li.nothing", {}, w.noMoves));
  }

  /** A variation as running text, with those inside it in brackets of their own. */
  private variation(moves: Shown[], firstPly: number): Child[] {
    let isBroken = true;
    return moves.flatMap((move, index) => {
      const ply = firstPly + index;
      const text = isBroken || ply % 2 === 0 ? numbered([move.san], ply) : inLetters(move.san);
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
    const list = this.element;
    if (!button) {
      list.scrollTop = this.at === 0 ? 0 : list.scrollHeight;
      return;
    }
    const [box, inner] = [list.getBoundingClientRect(), button.getBoundingClientRect()];
    if (inner.top < box.top) list.scrollTop -= box.top - inner.top + 8;
    if (inner.bottom > box.bottom) list.scrollTop += inner.bottom - box.bottom + 8;
    // A comment after the last move is seen with it.
    if (this.ply === this.line.length) list.scrollTop = list.scrollHeight;
  }
}

/**
 * Whether a key is for the page: no field, no board and no dialog has the focus, and it is pressed alone. Some keys are
 * for the page from the board too.
 */
export function isFree(event: KeyboardEvent, from: "page" | "board" = "page"): boolean {
  const place = event.target instanceof Element ? event.target : document.body;
  const board = from === "board" ? "" : ", [role=application]";
  return !(
    place.closest(`input, textarea, select, [role=dialog], [role=tab], [popover]${board}`) ||
    event.altKey ||
    event.ctrlKey ||
    event.metaKey ||
    event.defaultPrevented
  );
}
