// What was deleted lately, to be brought back: the way back after the moment in which Undo was offered.

import { get, post } from "../api";
import { fill, h } from "../dom";
import { ago } from "../format";
import { button } from "../parts/buttons";
import { playerName } from "../play/people";
import { w } from "../words";

export class Deletions {
  private readonly list = h("ul.deletions");
  readonly element = h(
    "details.recently-deleted",
    { hidden: true },
    h("summary", {}, w.recentlyDeleted),
    h("p.hint", {}, w.recentlyDeletedHint),
    this.list,
  );

  /** Calls back when something was brought back. */
  constructor(private readonly changed: () => Promise<void>) {}

  /** Shows what there is; nothing of it where there is none. */
  async refresh(): Promise<void> {
    const { deletions } = await get("/library/deleted").catch(() => ({ deletions: [] }));
    this.element.hidden = deletions.length === 0;
    const items = deletions.map(({ undo, deleted, games, white, black }) => {
      const names = white || black ? `${playerName(white) || "?"} – ${playerName(black) || "?"}` : w.analysis;
      const restore = button(w.restore, async () => {
        await post("/library/undo", { undo });
        await this.changed();
      });
      restore.setAttribute("aria-label", `${w.restore}: ${names}`);
      return h(
        "li",
        {},
        h("span", {}, names, games > 1 && ` ${w.andMore(games - 1)}`),
        h("small", {}, ago(deleted)),
        restore,
      );
    });
    fill(this.list, ...items);
  }
}
