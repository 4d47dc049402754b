// One line above the moves: the name of the opening, and how the game ended.

import type { MoveView } from "../api";
import { fill, h } from "../dom";

export class Caption {
  private readonly opening = h("p.opening");
  readonly element = h("div.caption", {}, this.opening);

  /** Shows what the last position on the way here is called that has a name, and the end. */
  show(moves: readonly MoveView[], ending: string): void {
    const opening = moves.findLast(move => move.opening)?.opening;
    fill(this.opening, opening ? h("small", {}, opening.eco) : null, opening?.name);
    fill(this.element, this.opening, ending && h("p.outcome", { title: ending }, ending));
  }
}
