// The head of a printed game: who played, where and when, and the position that is shown.

import { miniBoard } from "../board/mini";
import type { Side } from "../board/squares";
import { fill, h } from "../dom";
import type { Line } from "../parts/line";
import { namesOf } from "./shown";

export class Paper {
  readonly element = h("div.on-paper.sheet-head");

  constructor(
    private readonly line: Line,
    private readonly side: () => Side,
  ) {
    addEventListener("beforeprint", this.draw);
  }

  close(): void {
    removeEventListener("beforeprint", this.draw);
  }

  private readonly draw = (): void => {
    const { fen, last, tree } = this.line;
    const { Event: event, Site: site, Date: date } = tree.told.tags;
    const known = [event, site, date?.replaceAll(".??", "")].filter(text => text && !/^[?.-]*$/.test(text));
    fill(
      this.element,
      h("h2", {}, namesOf(this.line).join(" – ")),
      h("p", {}, known.join(", ")),
      miniBoard(fen, this.side(), last?.uci),
    );
  };
}
