// Exchanges: the attackers and defenders of a square, and the value of captures there by each method.

import { post, type Attacker, type Exchange } from "../api";
import type { Arrow, Mark } from "../board/overlay";
import { pieceIcon } from "../board/promotion";
import { roleName, sideToMove } from "../board/squares";
import { card, field, fill, h, select } from "../dom";
import { signed } from "../format";
import { Newest } from "../newest";
import { inLetters } from "../notation";
import { attempt } from "../notice";
import { PositionPicker } from "../parts/position";
import { rename, type Route, type View } from "../route";
import { w } from "../words";

const METHODS = ["lookup", "table", "swap", "oracle"] as const;

/** How often a method has the right sign, in per cent of 400,136 moves from games: `cargo xtask bench see`. */
const RIGHT = { lookup: "99.99", table: "99.83", swap: "99.99" } as const;

/** An exchange, and what it shows. How many signs a rule sets right is measured by the same command. */
interface Example {
  fen: string;
  square: string;
  /** Its title and its note are among the words. */
  name: keyof typeof w.inLab.exchange.examples;
  /** The move to explain, if not the best. */
  move?: string;
}

const EXAMPLES: readonly Example[] = [
  {
    fen: "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
    square: "e5",
    name: "defended",
  },
  {
    fen: "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1",
    square: "e5",
    name: "undefended",
  },
  {
    fen: "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    square: "f7",
    name: "two",
  },
  {
    fen: "3qk3/4n3/8/3pR3/2P5/8/8/4K3 w - - 0 1",
    square: "d5",
    name: "pin",
  },
  {
    fen: "4r1k1/8/3b4/4p3/8/5N2/4R3/4Q1K1 w - - 0 1",
    square: "e5",
    name: "xray",
  },
  {
    fen: "4q1k1/8/4r3/4p3/8/2Q2N2/1B6/6K1 w - - 0 1",
    square: "e5",
    name: "queens",
  },
  {
    fen: "8/8/2nk4/4p3/8/2Q2N2/1B6/6K1 w - - 0 1",
    square: "e5",
    name: "king",
  },
  {
    fen: "4k3/8/8/5b2/4B3/3p4/3Q4/4K3 w - - 0 1",
    square: "d3",
    name: "stuck",
    move: "d2d3",
  },
  {
    fen: "4k3/6p1/8/8/4N3/8/8/4RK2 w - - 0 1",
    square: "f6",
    name: "discovered",
  },
  {
    fen: "4k3/8/6p1/7p/6P1/5b2/4B3/3Q2K1 w - - 0 1",
    square: "h5",
    name: "lookup",
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
  private readonly captures = h("div.scroll.table", {
    tabindex: 0,
    role: "region",
    "aria-label": w.inLab.exchange.captures,
  });
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
    const words = w.inLab.exchange;
    const titles = EXAMPLES.map(({ fen, name }) => [fen, words.examples[name]] as const);
    const example = select([["", w.inLab.examples] as const, ...titles], "", value => {
      this.square = exampleOf(value)?.square;
      if (value) this.picker.receive(value);
    });
    example.setAttribute("aria-label", w.inLab.examples);
    this.element = h(
      "div.stage",
      {},
      this.picker.element,
      h(
        "div.panel",
        {},
        card(
          words.title,
          h("div.columns", {}, field(words.square, this.chosen, words.squareHint), field(words.position, example)),
          this.note,
          this.sides,
        ),
        card(words.captures, this.captures, this.told),
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
    this.note.textContent = (example && w.inLab.exchange.notes[example.name]) ?? "";
    this.picker.board.edit({ onSquare: square => this.choose(square) });
    if (this.square) this.choose(this.square, this.square === example?.square ? example.move : undefined);
    else fill(this.sides, h("p.hint", {}, w.inLab.exchange.clickSquare));
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
    const { attack, defend, answer } = w.inLab.exchange;
    fill(
      this.sides,
      this.side(attack, "attacker", found.attackers[us]),
      this.side(found.piece ? defend : answer, "defender", found.attackers[them]),
    );
    this.showCaptures(found);
    this.showTold(found);
  }

  private side(title: string, kind: string, attackers: Attacker[]): HTMLElement {
    const words = w.inLab.exchange;
    const items = attackers.map(({ square, piece, behind, pinned_by }) => {
      const side = piece === piece.toUpperCase() ? "w" : "b";
      const notes = [behind && words.behind(behind), pinned_by && words.pinnedBy(pinned_by)].filter(Boolean).join(", ");
      return h(
        "li",
        {},
        pieceIcon(side + piece.toLowerCase()),
        h("span", {}, `${roleName(piece.toLowerCase())} ${square}`, notes && h("small", {}, ` ${notes}`)),
      );
    });
    const list = items.length > 0 ? h("ol", {}, ...items) : h("p.hint", {}, w.inLab.none);
    return h(`section.side.${kind}` as "section", {}, h("h3", {}, title), list);
  }

  private showCaptures({ captures, square, told }: Exchange): void {
    const words = w.inLab.exchange;
    if (captures.length === 0) return fill(this.captures, h("p.hint", {}, words.noMove(square)));
    const head = [
      h("th", { scope: "col" }, words.move),
      ...METHODS.map(method => h("th.number", { scope: "col" }, words.methods[method])),
    ];
    const rows = captures.map(capture =>
      h(
        "tr",
        { "aria-current": told?.move.uci === capture.uci ? "true" : null },
        h(
          "td",
          {},
          h(
            "button.quiet",
            { type: "button", onclick: () => this.choose(square, capture.uci) },
            inLetters(capture.san),
          ),
        ),
        ...METHODS.map(key => {
          const value = capture[key];
          const kind = value !== null && value < 0 ? "td.number.loses" : "td.number";
          const differs = value !== null && value !== capture.oracle;
          return h(
            kind,
            {},
            value === null ? "–" : signed(value),
            differs && h("b", { title: words.notTruth }, "\u00a0≠"),
          );
        }),
      ),
    );
    fill(this.captures, h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)));
  }

  private showTold({ told }: Exchange): void {
    if (!told) return fill(this.told);
    const words = w.inLab.exchange;
    const often = words.often(RIGHT.lookup, RIGHT.table, RIGHT.swap);
    fill(
      this.told,
      h("h3", {}, words.stepByStep(inLetters(told.move.san))),
      h("ol.words", {}, ...sentences(told).map(sentence => h("li", {}, sentence))),
      h("p.hint", {}, [told.agree && words.agree, often].filter(Boolean).join(" ")),
    );
  }
}

/** The exchange in sentences: each capture, what is pinned, what it comes to, and which method errs. */
function sentences({ move, best_line, pins, oracle, ...by }: NonNullable<Exchange["told"]>): string[] {
  const words = w.inLab.exchange;
  const steps = best_line.map(({ uci, piece, takes, balance }, index) => {
    const what = [words.takes(takes ?? null), uci[4] ? words.promotes(uci[4]) : "", signed(balance)] as const;
    if (index === 0) return words.opens(inLetters(move.san), roleName(piece.toLowerCase()), ...what);
    return words.follows(piece === piece.toUpperCase() ? w.white : w.black, roleName(piece), uci.slice(0, 2), ...what);
  });
  const verdict =
    oracle === 0 ? words.nobodyWins : oracle > 0 ? words.wins(String(oracle)) : words.loses(String(-oracle));
  const errors = (["swap", "table", "lookup"] as const).flatMap(method => {
    const value = by[method];
    if (value === null) return [words.impossible(method)];
    return value === oracle ? [] : [words.wrong(method, signed(value))];
  });
  return [...steps, ...pins.map(({ pinned, pinner }) => words.pin(pinned, pinner)), verdict, ...errors];
}
