// Exchanges: the attackers and defenders of a square, and the value of captures there by each method.

import { post, type Attacker, type Exchange } from "../api";
import type { Arrow, Mark } from "../board/overlay";
import { pieceIcon } from "../board/promotion";
import { sideToMove } from "../board/squares";
import { card, field, fill, h, select } from "../dom";
import { signed } from "../format";
import { Newest } from "../newest";
import { attempt } from "../notice";
import { PositionPicker } from "../parts/position";
import { rename, type Route, type View } from "../route";

const METHODS = [
  ["lookup", "Look-up"],
  ["table", "Table"],
  ["swap", "Swap-off"],
  ["oracle", "Truth"],
] as const;

const EXAMPLES = [
  ["1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Knight takes a defended pawn"],
  ["1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rook takes an undefended pawn"],
  ["r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "Two attackers on f7"],
] as const;
const SQUARES: Record<string, string> = { [EXAMPLES[0][0]]: "e5", [EXAMPLES[1][0]]: "e5", [EXAMPLES[2][0]]: "f7" };

export function open({ query }: Route): View {
  return new ExchangeView(query.get("fen") ?? EXAMPLES[0][0], query.get("square"));
}

class ExchangeView implements View {
  readonly element: HTMLElement;
  private readonly picker: PositionPicker;
  private readonly sides = h("div.sides");
  private readonly captures = h("div.scroll.table", { tabindex: 0, role: "region", "aria-label": "Captures" });
  private readonly told = h("div", { role: "status" });
  private readonly chosen = h("input", {
    type: "text",
    maxlength: 2,
    onchange: () => this.choose(this.chosen.value.trim().toLowerCase()),
  });
  private readonly questions = new Newest();
  private square: string | undefined;

  constructor(fen: string, square: string | null) {
    this.square = square ?? SQUARES[fen];
    this.picker = new PositionPicker(fen, () => this.changed());
    const example = select([["", "Examples …"], ...EXAMPLES] as const, "", value => {
      this.square = SQUARES[value];
      if (value) this.picker.receive(value);
    });
    example.setAttribute("aria-label", "Examples");
    this.element = h(
      "div.stage",
      {},
      this.picker.element,
      h(
        "div.panel",
        {},
        card(
          "Exchange on a square",
          h(
            "div.columns",
            {},
            field("Square", this.chosen, "Or click a square on the board."),
            field("Position", example),
          ),
          this.sides,
        ),
        card("Captures", this.captures, this.told),
      ),
    );
  }

  close(): void {
    this.questions.begin();
    this.picker.close();
  }

  receive(text: string): void {
    this.picker.receive(text);
  }

  private changed(): void {
    this.picker.board.edit({ onSquare: square => this.choose(square) });
    if (this.square) this.choose(this.square);
    else
      fill(
        this.sides,
        h("p.hint", {}, "Click a square to see its attackers and defenders in the order in which they capture."),
      );
  }

  private choose(square: string, move?: string): void {
    this.square = square;
    this.chosen.value = square;
    // Without a position the request is sent once there is one.
    if (!this.picker.line.position) return;
    rename("exchange", [], { fen: this.picker.line.fen, square });
    const isNewest = this.questions.begin();
    attempt(async () => {
      const found = await post("/see", { ...this.picker.line.where, square, move });
      if (isNewest()) this.show(found);
    });
  }

  private show(found: Exchange): void {
    const us = sideToMove(this.picker.line.fen) === "w" ? "white" : "black";
    const them = us === "white" ? "black" : "white";
    const marks: [string, Mark][] = [[found.square, "selected"]];
    const arrows: Arrow[] = [];
    for (const [color, kind] of [
      [us, "attacker"],
      [them, "defender"],
    ] as const) {
      found.attackers[color].forEach(({ square }, index) => {
        marks.push([square, kind]);
        arrows.push({ from: square, to: found.square, kind, label: String(index + 1) });
      });
    }
    this.picker.board.mark(marks);
    this.picker.board.point(arrows);
    fill(
      this.sides,
      this.side("Attack", "attacker", found.attackers[us]),
      this.side(found.piece ? "Defend" : "Answer", "defender", found.attackers[them]),
    );
    this.showCaptures(found);
    this.showTold(found);
  }

  private side(title: string, kind: string, attackers: Attacker[]): HTMLElement {
    const items = attackers.map(({ square, piece, role, behind, pinned_by }) => {
      const side = piece === piece.toUpperCase() ? "w" : "b";
      const notes = [behind && `behind ${behind}`, pinned_by && `pinned by ${pinned_by}`].filter(Boolean).join(", ");
      return h(
        "li",
        {},
        pieceIcon(side + piece.toLowerCase()),
        h("span", {}, `${role} ${square}`, notes && h("small", {}, ` ${notes}`)),
      );
    });
    const list = items.length > 0 ? h("ol", {}, ...items) : h("p.hint", {}, "none");
    return h(`section.side.${kind}` as "section", {}, h("h3", {}, title), list);
  }

  private showCaptures({ captures, square, told }: Exchange): void {
    if (captures.length === 0) return fill(this.captures, h("p.hint", {}, `There is no legal move to ${square}.`));
    const head = [
      h("th", { scope: "col" }, "Move"),
      ...METHODS.map(([, title]) => h("th.number", { scope: "col" }, title)),
    ];
    const rows = captures.map(capture =>
      h(
        "tr",
        { "aria-current": told?.move.uci === capture.uci ? "true" : null },
        h(
          "td",
          {},
          h("button.quiet", { type: "button", onclick: () => this.choose(square, capture.uci) }, capture.san),
        ),
        ...METHODS.map(([key]) => {
          const value = capture[key];
          return h(
            value !== null && value < 0 ? "td.number.loses" : "td.number",
            {},
            value === null ? "–" : signed(value),
          );
        }),
      ),
    );
    fill(this.captures, h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)));
  }

  private showTold({ told }: Exchange): void {
    if (!told) return fill(this.told);
    const agreement = told.agree
      ? "All methods agree."
      : "The methods disagree: the quick ones go wrong with pins and hidden attackers.";
    fill(
      this.told,
      h("h3", {}, `${told.move.san}, step by step`),
      h("ol.words", {}, ...told.words.map(words => h("li", {}, words))),
      h("p.hint", {}, agreement),
    );
  }
}
