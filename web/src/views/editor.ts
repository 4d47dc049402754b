// The editor: set up any position, and see every reason why it is illegal.

import { announce } from "../announce";
import { post } from "../api";
import { Board } from "../board/board";
import { pieceIcon } from "../board/promotion";
import { pieceName, placement, placementField, START } from "../board/squares";
import { checkbox, field, fill, h, select } from "../dom";
import { copy, looksLikeFen } from "../files";
import { icon } from "../icons";
import { Newest } from "../newest";
import { attempt, complain } from "../notice";
import { FenField } from "../parts/fen";
import { address, rename, type Route, type View } from "../route";
import { endReason } from "../result";
import { told, w } from "../words";

type Tool = "hand" | "eraser" | string;

export function open({ query }: Route): View {
  return new Editor(query.get("fen") ?? START);
}

class Editor implements View {
  readonly element: HTMLElement;
  private readonly board = new Board();
  private readonly tools = h("div.palette", { role: "radiogroup", "aria-label": w.tool });
  private readonly rest = h("div.columns");
  private readonly verdict = h("div", { role: "status" });
  private readonly next = h("div.row");
  private readonly text = new FenField(text => this.written(text));
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
        this.verdict,
        this.next,
        h(
          "section.plain",
          { "aria-label": w.position },
          field("FEN", this.text.element),
          this.rest,
          h(
            "div.row",
            {},
            preset(w.startingPosition, START),
            preset(w.emptyBoard, "8/8/8/8/8/8/8/8 w - - 0 1"),
            h("button", { type: "button", onclick: () => attempt(random960) }, "Chess960"),
            h("button", { type: "button", onclick: () => void this.board.flip() }, w.flip),
            h("button", { type: "button", onclick: () => void copy(this.fen, "FEN") }, w.copyFen),
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

  receive(text: string): boolean {
    if (!looksLikeFen(text)) return false;
    this.load(text.trim());
    return true;
  }

  private written(text: string): void {
    if (!this.receive(text)) complain(w.noFen);
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
      tool("hand", w.movePieces, icon("move")),
      ...pieces.slice(0, 6).map(piece => tool(piece, pieceName(piece), pieceIcon(piece))),
      tool("eraser", w.erase, icon("eraser")),
      ...pieces.slice(6).map(piece => tool(piece, pieceName(piece), pieceIcon(piece))),
    );
  }

  private choose(tool: Tool, label: string): void {
    this.tool = tool;
    announce(`${label}: ${w.chooseSquares}`);
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
        ["w", w.white],
        ["b", w.black],
      ] as const,
      this.turn as "w",
      value => {
        this.turn = value;
        this.changed();
      },
    );
    const names = { K: `${w.white} O-O`, Q: `${w.white} O-O-O`, k: `${w.black} O-O`, q: `${w.black} O-O-O` };
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
      field(w.sideToMove, turn),
      field(w.passant, passant, w.passantHint),
      h("fieldset", {}, h("legend", {}, w.castling), ...rights, others && h("p.hint", {}, w.rooksOn(others))),
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
    const good = position?.over ? w.legalButOver(endReason(position.over.reason)) : w.legal;
    fill(
      this.verdict,
      problems.length === 0
        ? h("p.good", {}, good)
        : h(
            "div.problems",
            {},
            h("p", {}, w.illegal),
            h("ul", {}, ...problems.map(problem => h("li", {}, told(problem)))),
          ),
    );
    const link = (view: string, rest: string[], label: string) =>
      h("a.button", { href: address(view, rest, { fen }) }, label);
    const links = [link("new", [], w.analyse), link("play", [], w.play), link("lab", ["tree"], w.lab)];
    links[0]!.classList.add("primary");
    fill(this.next, ...(playable ? links : []));
  }
}
