// The notes tab: the comment and the signs of a move, and what is told of the whole game.

import { remark, withDrawings } from "../board/drawings";
import { field, fill, h, select } from "../dom";
import { numbered, plyOf } from "../format";
import type { Line } from "../parts/line";
import { resultSign } from "../result";
import { w } from "../words";

/** The glyphs on offer: of the move, then of the position. */
const MOVE_SIGNS = [
  [3, "!!"],
  [1, "!"],
  [5, "!?"],
  [6, "?!"],
  [2, "?"],
  [4, "??"],
] as const;
const POSITION_SIGNS = [
  [18, "+−"],
  [16, "±"],
  [14, "+="],
  [10, "="],
  [13, "∞"],
  [15, "=+"],
  [17, "∓"],
  [19, "−+"],
] as const;
const TAGS = ["White", "Black", "Event", "Date"] as const;
const RESULTS = ["*", "1-0", "1/2-1/2", "0-1"] as const;

export class NotesPanel {
  readonly element: HTMLElement;
  private readonly title = h("h2");
  private readonly comment: HTMLTextAreaElement;
  private readonly signs = h("div.signs", { role: "group", "aria-label": w.signs });
  private readonly tags = h("div.columns.tag-fields");
  private readonly state = h("p.hint", { role: "status" });
  private at = -1;
  private shownTags = "";

  constructor(private readonly line: Line) {
    this.comment = h("textarea", {
      placeholder: w.commentHint,
      oninput: () => {
        const { at, tree } = this.line;
        this.line.comment(at, withDrawings(this.comment.value, tree.drawings(at)));
      },
    });
    this.element = h(
      "div.notes",
      {},
      this.title,
      field(w.comment, this.comment),
      this.signs,
      h("h2", {}, w.theGame),
      this.tags,
      this.state,
    );
  }

  /** Tells whether everything is saved. */
  told(text: string): void {
    this.state.textContent = text;
  }

  draw(): void {
    const { line } = this;
    const { at, last, tree } = line;
    this.title.textContent = last ? numbered([last.san], plyOf(last.fen) - 1) : w.atTheStart;
    // What is being typed is not overwritten by itself.
    if (at !== this.at || document.activeElement !== this.comment) this.comment.value = remark(tree.comment(at));
    this.at = at;
    const nags = last?.nags ?? [];
    fill(
      this.signs,
      ...[...MOVE_SIGNS, ...POSITION_SIGNS].map(([nag, sign]) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(nags.includes(nag)),
            "aria-label": w.nags[nag],
            title: w.nags[nag],
            disabled: at === 0,
            onclick: () => this.toggle(nag),
          },
          sign,
        ),
      ),
    );
    this.drawTags();
  }

  /** Sets a sign. A move has one of each kind. */
  private toggle(nag: number): void {
    const nags = this.line.last?.nags ?? [];
    const kind = MOVE_SIGNS.some(([sign]) => sign === nag) ? MOVE_SIGNS : POSITION_SIGNS;
    const others = nags.filter(other => !kind.some(([sign]) => sign === other));
    const focused = document.activeElement?.getAttribute("aria-label");
    this.line.mark(this.line.at, nags.includes(nag) ? others : [...others, nag].sort((a, b) => a - b));
    if (focused) this.signs.querySelector<HTMLElement>(`[aria-label="${focused}"]`)?.focus();
  }

  private result(): HTMLSelectElement {
    const { told } = this.line.tree;
    const named = RESULTS.map(result => [result, resultSign(result) || w.notSet] as const);
    return select<string>(named, told.result, result => {
      told.result = result;
      this.line.comment(0, told.comment ?? "");
    });
  }

  private drawTags(): void {
    const { told } = this.line.tree;
    const shown = JSON.stringify([told.tags, told.result]);
    if (shown === this.shownTags || this.tags.contains(document.activeElement)) return;
    this.shownTags = shown;
    fill(
      this.tags,
      ...TAGS.map(tag => {
        const value = told.tags[tag] ?? "";
        const input = h("input", {
          type: "text",
          value: /^[?.]*$/.test(value) ? "" : value,
          onchange: () => {
            if (input.value.trim()) told.tags[tag] = input.value.trim();
            else delete told.tags[tag];
            this.line.comment(0, told.comment ?? "");
          },
        });
        return field(w.tagNames[tag], input);
      }),
      field(w.tagNames.Result, this.result()),
    );
  }
}
