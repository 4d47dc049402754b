// The FEN of what is shown, in a field where another can be written.

import { h } from "../dom";

export class FenField {
  private fen = "";
  readonly element: HTMLInputElement = h("input.mono", {
    type: "text",
    spellcheck: "false",
    onchange: () => this.onWritten(this.element.value),
    onblur: () => (this.element.value = this.fen),
  });

  constructor(private readonly onWritten: (text: string) => void) {}

  /** Shows a FEN, but does not overwrite one that is being typed. */
  show(fen: string): void {
    this.fen = fen;
    if (document.activeElement !== this.element) this.element.value = fen;
  }
}
