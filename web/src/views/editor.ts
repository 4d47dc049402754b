// The editor: set up any position, and see every reason why it is illegal.

import { announce } from "../announce";
import { post } from "../api";
import { Board } from "../board/board";
import { pieceIcon } from "../board/promotion";
import { pieceName, placement, placementField, START } from "../board/squares";
import { card, checkbox, field, fill, h, select } from "../dom";
import { copy, looksLikeFen } from "../files";
import { Newest } from "../newest";
import { attempt, complain } from "../notice";
import { FenField } from "../parts/fen";
import { address, rename, type Route, type View } from "../route";

type Tool = "hand" | "eraser" | string;

export function open({ query }: Route): View {
  return new Editor(query.get("fen") ?? START);
}

class Editor implements View {
  readonly element: HTMLElement;
  private readonly board = new Board();
  private readonly tools = h("div.palette", { role: "radiogroup", "aria-label": "Tool" });
  private readonly rest = h("div.columns");
  private readonly verdict = h("div", { role: "status" });
  private readonly next = h("div.row");
  private readonly text = new FenField(text => this.receive(text));
  private readonly checks = new Newest();
  private tool: Tool = "hand";
  private pieces = new Map<string, string>();
  private turn = "w";
  private castling = "-";
  private passant = "-";
  private counters = "0 1";

  constructor(fen: string) {
    const preset = (label: string, fen: string) =>
      h("button", { type: "button", onclick: () => this.load(fen) }, label);
    const random960 = async () => {
      // A position that is set up meanwhile stays.
      const isNewest = this.checks.begin();
      const { fen } = await post("/chess960", {});
      if (isNewest()) this.load(fen);
    };
    this.element = h(
      "div.stage",
      {},
      h("div.board-area", {}, this.board.element, this.tools),
      h(
        "div.panel",
        {},
        card("Verdict", this.verdict, this.next),
        card(
          "Position",
          field("FEN", this.text.element),
          this.rest,
          h(
            "div.row",
            {},
            preset("Starting position", START),
            preset("Empty board", "8/8/8/8/8/8/8/8 w - - 0 1"),
            h("button", { type: "button", onclick: () => attempt(random960) }, "Chess960"),
            h("button", { type: "button", onclick: () => void this.board.flip() }, "Flip"),
            h("button", { type: "button", onclick: () => void copy(this.fen, "FEN") }, "Copy FEN"),
          ),
        ),
      ),
    );
    this.drawTools();
    this.load(fen);
  }

  close(): void {
    this.checks.begin();
    this.board.close();
  }

  receive(text: string): void {
    if (looksLikeFen(text)) this.load(text.trim());
    else complain("This is not a FEN. A FEN starts with eight ranks, separated by slashes.");
  }

  private get fen(): string {
    return [placementField(this.pieces), this.turn, this.castling, this.passant, this.counters].join(" ");
  }

  private load(fen: string): void {
    const [, turn = "w", castling = "-", passant = "-", half = "0", full = "1"] = fen.split(/\s+/);
    this.pieces = placement(fen);
    this.turn = turn === "b" ? "b" : "w";
    this.castling = castling;
    this.passant = passant;
    this.counters = `${half} ${full}`;
    this.drawRest();
    this.changed();
  }

  private drawTools(): void {
    const tool = (name: Tool, label: string, sign: Node | string) =>
      h(
        "button",
        {
          type: "button",
          role: "radio",
          "aria-checked": String(name === this.tool),
          "aria-label": label,
          title: label,
          onclick: () => this.choose(name, label),
        },
        sign,
      );
    const pieces = [..."wb"].flatMap(side => [..."kqrbnp"].map(role => side + role));
    fill(
      this.tools,
      tool("hand", "Move pieces", "✥"),
      ...pieces.slice(0, 6).map(piece => tool(piece, pieceName(piece), pieceIcon(piece))),
      tool("eraser", "Erase", "⌫"),
      ...pieces.slice(6).map(piece => tool(piece, pieceName(piece), pieceIcon(piece))),
    );
  }

  private choose(tool: Tool, label: string): void {
    this.tool = tool;
    announce(`${label}: choose squares`);
    for (const button of this.tools.children) {
      button.setAttribute("aria-checked", String(button.getAttribute("aria-label") === label));
    }
    this.permit();
  }

  private permit(): void {
    if (this.tool === "hand") return this.board.edit({ onShift: (start, end) => this.shift(start, end) });
    this.board.edit({ onSquare: square => this.put(square) });
  }

  private shift(start: string, end: string | undefined): void {
    const piece = this.pieces.get(start);
    this.pieces.delete(start);
    if (piece && end) this.pieces.set(end, piece);
    this.changed();
  }

  private put(square: string): void {
    if (this.tool === "eraser" || this.pieces.get(square) === this.tool) this.pieces.delete(square);
    else this.pieces.set(square, this.tool);
    this.changed();
  }

  private drawRest(): void {
    const turn = select(
      [
        ["w", "White"],
        ["b", "Black"],
      ] as const,
      this.turn as "w",
      value => {
        this.turn = value;
        this.changed();
      },
    );
    const names = { K: "White short", Q: "White long", k: "Black short", q: "Black long" };
    const rights = Object.entries(names).map(([right, name]) =>
      checkbox(name, this.castling.includes(right), may => this.allowCastling(right, may)),
    );
    const others = this.castling.replaceAll(/[KQkq-]/g, "");
    const passant = h("input", {
      type: "text",
      value: this.passant,
      maxlength: 2,
      onchange: () => {
        this.passant = passant.value.trim() || "-";
        this.changed();
      },
    });
    fill(
      this.rest,
      field("To move", turn),
      field("En passant square", passant, "The square behind a pawn that has just moved two squares; - for none."),
      h("fieldset", {}, h("legend", {}, "Castling"), ...rights, others && h("p.hint", {}, `and rooks on ${others}`)),
    );
  }

  private allowCastling(right: string, may: boolean): void {
    const others = this.castling.replaceAll(/[-]/g, "").replace(right, "");
    const rights = may ? others + right : others;
    this.castling = [...rights].sort((a, b) => "KQkq".indexOf(a) - "KQkq".indexOf(b)).join("") || "-";
    this.changed();
  }

  private changed(): void {
    const { fen } = this;
    this.text.show(fen);
    this.board.show(fen);
    this.permit();
    rename("editor", [], { fen });
    // Until the new verdict arrives, the old one is marked as outdated.
    this.verdict.ariaBusy = "true";
    this.next.inert = true;
    attempt(() => this.check(fen));
  }

  private async check(fen: string): Promise<void> {
    const isNewest = this.checks.begin();
    const { playable, problems, position } = await post("/check", { fen });
    if (!isNewest()) return;
    this.verdict.ariaBusy = "false";
    this.next.inert = false;
    const good = position?.over ? `Legal, but the game is over: ${position.over.reason}.` : "This position is legal.";
    fill(
      this.verdict,
      problems.length === 0
        ? h("p.good", {}, good)
        : h(
            "div.problems",
            {},
            h("p", {}, "This position is illegal:"),
            h("ul", {}, ...problems.map(problem => h("li", {}, problem))),
          ),
    );
    const link = (view: string, label: string) => h("a.button", { href: address(view, [], { fen }) }, label);
    const links = [
      link("play", "Play"),
      link("analysis", "Analyse"),
      link("perft", "Perft"),
      link("exchange", "Exchange"),
    ];
    fill(this.next, ...(playable ? [...links, link("tree", "Search tree")] : []));
  }
}
