// The name of the opening, one line above the moves.

import type { MoveView } from "../api";
import { fill, h } from "../dom";

export class OpeningName {
  readonly element = h("p.opening");

  /** Shows what the last position on the way here is called that has a name. */
  show(moves: readonly MoveView[]): void {
    const opening = moves.findLast(move => move.opening)?.opening;
    fill(this.element, opening ? h("small", {}, opening.eco) : null, opening?.name);
  }
}
