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

/** How often a method has the right sign, in per cent of 400,136 moves from games: `cargo xtask bench see`. */
const RIGHT = { lookup: "99.99", table: "99.83", swap: "99.99" } as const;

/** An exchange, and what it shows. How many signs a rule sets right is measured by the same command. */
interface Example {
  fen: string;
  square: string;
  title: string;
  /** The move to explain, if not the best. */
  move?: string;
  note?: string;
}

const EXAMPLES: readonly Example[] = [
  {
    fen: "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
    square: "e5",
    title: "Knight takes a defended pawn",
  },
  {
    fen: "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1",
    square: "e5",
    title: "Rook takes an undefended pawn",
  },
  {
    fen: "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    square: "f7",
    title: "Two attackers on f7",
  },
  {
    fen: "3qk3/4n3/8/3pR3/2P5/8/8/4K3 w - - 0 1",
    square: "d5",
    title: "The document: a rook pins a knight",
    note: "The pinned knight cannot take back, and the queen would be lost to the rook. The rule decides 3 of 400,136 moves.",
  },
  {
    fen: "4r1k1/8/3b4/4p3/8/5N2/4R3/4Q1K1 w - - 0 1",
    square: "e5",
    title: "The document: a queen behind a rook",
    note: "The lesser piece stands in front, so both count. X-rays decide 2,418 of 400,136 moves.",
  },
  {
    fen: "4q1k1/8/4r3/4p3/8/2Q2N2/1B6/6K1 w - - 0 1",
    square: "e5",
    title: "The document: case I, both have a queen",
    note: "The queens come off, and the bishop behind one of them counts. The rule decides 51 of 400,136 moves.",
  },
  {
    fen: "8/8/2nk4/4p3/8/2Q2N2/1B6/6K1 w - - 0 1",
    square: "e5",
    title: "The document: the king is barred",
    note: "The bishop behind the only queen keeps the black king away. The rule decides 1 of 400,136 moves.",
  },
  {
    fen: "4k3/8/8/5b2/4B3/3p4/3Q4/4K3 w - - 0 1",
    square: "d3",
    title: "Where the table errs: stuck behind an enemy",
    move: "d2d3",
    note: "The table stages the black bishop, which cannot capture. The look-up stages only what can.",
  },
  {
    fen: "4k3/6p1/8/8/4N3/8/8/4RK2 w - - 0 1",
    square: "f6",
    title: "Where the table errs: a discovered check",
    note: "The pawn may not take the knight. The table counts; the look-up follows the captures.",
  },
  {
    fen: "4k3/8/6p1/7p/6P1/5b2/4B3/3Q2K1 w - - 0 1",
    square: "h5",
    title: "Where the look-up errs",
    note: "Bishop and queen are stuck behind the black bishop, but count as guards of h5.",
  },
];
const exampleOf = (fen: string): Example | undefined => EXAMPLES.find(example => example.fen === fen);

export function open({ query }: Route): View {
  return new ExchangeView(query.get("fen") ?? EXAMPLES[0]!.fen, query.get("square"));
}

class ExchangeView implements View {
  readonly element: HTMLElement;
  private readonly picker: PositionPicker;
  private readonly sides = h("div.sides");
  private readonly note = h("p.hint", { role: "status" });
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
    this.square = square ?? exampleOf(fen)?.square;
    this.picker = new PositionPicker(fen, () => this.changed());
    const titles = EXAMPLES.map(({ fen, title }) => [fen, title] as const);
    const example = select([["", "Examples …"], ...titles] as const, "", value => {
      this.square = exampleOf(value)?.square;
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
          this.note,
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

  receive(text: string): boolean {
    return this.picker.receive(text);
  }

  private changed(): void {
    const example = exampleOf(this.picker.line.fen);
    this.note.textContent = example?.note ?? "";
    this.picker.board.edit({ onSquare: square => this.choose(square) });
    if (this.square) this.choose(this.square, this.square === example?.square ? example.move : undefined);
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
    rename("lab", ["exchange"], { fen: this.picker.line.fen, square });
    const isNewest = this.questions.begin();
    attempt(async () => {
      const found = await post("/see", { ...this.picker.line.where, square, move });
      if (isNewest()) this.show(found);
    });
  }

  private show(found: Exchange): void {
    // A piece is attacked by the other side, even if its own side is to move; an empty square by the side to move.
    const isWhiteTurn = sideToMove(this.picker.line.fen) === "w";
    const isWhiteAttack = found.piece ? found.piece !== found.piece.toUpperCase() : isWhiteTurn;
    const [us, them] = isWhiteAttack ? (["white", "black"] as const) : (["black", "white"] as const);
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
          const kind = value !== null && value < 0 ? "td.number.loses" : "td.number";
          const differs = value !== null && value !== capture.oracle;
          return h(
            kind,
            {},
            value === null ? "–" : signed(value),
            differs && h("b", { title: "not the truth" }, "\u00a0≠"),
          );
        }),
      ),
    );
    fill(this.captures, h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)));
  }

  private showTold({ told }: Exchange): void {
    if (!told) return fill(this.told);
    const agreement = told.agree ? "All methods agree. " : "";
    const often = `On moves from games the right sign: look-up ${RIGHT.lookup} %, table ${RIGHT.table} %, swap-off ${RIGHT.swap} %.`;
    fill(
      this.told,
      h("h3", {}, `${told.move.san}, step by step`),
      h("ol.words", {}, ...told.words.map(words => h("li", {}, words))),
      h("p.hint", {}, agreement, often),
    );
  }
}
