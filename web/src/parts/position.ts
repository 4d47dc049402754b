// A board to choose a position on: by moves, by a FEN, by steps back. Several views use it.

import { Board } from "../board/board";
import { field, h } from "../dom";
import { looksLikeFen } from "../files";
import { attempt, complain } from "../notice";
import { playMove } from "../sound";
import { FenField } from "./fen";
import { Line } from "./line";
import { w } from "../words";

export class PositionPicker {
  readonly board = new Board();
  readonly line: Line;
  readonly element: HTMLElement;
  private readonly fen = new FenField(text => this.written(text));
  private readonly undo = h(
    "button",
    { type: "button", onclick: () => attempt(() => this.line.go(this.line.ply - 1)) },
    w.stepBack,
  );

  /** Calls back with every new position. */
  constructor(
    fen: string | null,
    private readonly changed: () => void,
  ) {
    this.line = new Line(() => this.draw());
    const flip = h("button", { type: "button", onclick: () => void this.board.flip() }, w.flip);
    this.element = h(
      "div.board-area",
      {},
      this.board.element,
      field("FEN", this.fen.element),
      h("div.row", {}, this.undo, flip),
    );
    attempt(() => this.line.load(fen ?? undefined));
  }

  /** Takes a FEN that was pasted; other texts are for others. */
  receive(text: string): boolean {
    if (!looksLikeFen(text)) return false;
    attempt(() => this.line.load(text.trim()));
    return true;
  }

  private written(text: string): void {
    if (!this.receive(text)) complain(w.noFen);
  }

  play(text: string): void {
    const made = this.line.play(text);
    attempt(async () => playMove((await made).san));
    made.catch(() => this.draw());
  }

  close(): void {
    this.line.close();
    this.board.close();
  }

  private draw(): void {
    const { position, last, fen, ply } = this.line;
    this.board.show(fen, last);
    this.fen.show(fen);
    this.undo.disabled = ply === 0;
    this.board.allow({ legal: position?.legal ?? [], onMove: uci => this.play(uci) });
    if (position) this.changed();
  }
}
