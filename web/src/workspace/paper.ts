// What is only on paper: above the moves who played, where and when, and the position that is shown; below them every
// mistake, if the review is open.

import type { Review } from "../api";
import { miniBoard } from "../board/mini";
import type { Side } from "../board/squares";
import { fill, h } from "../dom";
import type { Line } from "../parts/line";
import { mistakes } from "../review/summary";
import { namesOf } from "./shown";

export class Paper {
  readonly head = h("div.on-paper.sheet-head");
  readonly report = h("ol.on-paper");

  constructor(
    private readonly line: Line,
    private readonly side: () => Side,
    private readonly review: () => Review | undefined,
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
    const review = this.review();
    fill(this.report, ...(review ? mistakes(review) : []));
    fill(
      this.head,
      h("h2", {}, namesOf(this.line).join(" – ")),
      h("p", {}, known.join(", ")),
      miniBoard(fen, this.side(), last?.uci),
    );
  };
}
