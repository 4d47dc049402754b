// The boards: one position in the memory of four, and what each move does to it.

import { post } from "../api";
import { Board } from "../board/board";
import { boardCard } from "../boards/card";
import { Race } from "../boards/race";
import { card, field, fill, h, select } from "../dom";
import { looksLikeFen } from "../files";
import { numbered, plyOf } from "../format";
import { Newest } from "../newest";
import { attempt } from "../notice";
import { button } from "../parts/buttons";
import { FenField } from "../parts/fen";
import { Line, readPgn } from "../parts/line";
import { MoveList } from "../parts/moves";
import { rename, type Route, type View } from "../route";
import { playMove } from "../sound";
import { w } from "../words";

/** A capture, en passant, a promotion that takes, castling, and a king that loses its rights. */
const EVERYTHING = [
  "e2e4 d7d5 e4d5 c7c5 d5c6 g8f6 c6b7 c8d7 b7a8n d7c6 g1f3",
  "c6a8 f1c4 e7e6 e1g1 b8c6 d2d4 e8e7",
].join(" ");
const EXAMPLES = [
  [`|${EVERYTHING}|3`, "everything"],
  ["r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1|e1g1 e8c8|1", "castling"],
  ["4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1|d2d4 e4d3|2", "passant"],
  ["1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1|a7b8q|1", "promotion"],
  ["8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1||0", "ending"],
] as const;

export function open(route: Route): View {
  return new BoardsView(route);
}

class BoardsView implements View {
  readonly element: HTMLElement;
  private readonly board = new Board();
  private readonly line = new Line(() => this.draw());
  private readonly list = new MoveList(number => attempt(() => this.line.goTo(number)));
  private readonly fen = new FenField(text => void this.receive(text));
  private readonly boards = h("div.boards");
  private readonly current = h("span", { role: "status" });
  private readonly back = stepButton(w.inLab.boards.back, "‹", () => this.line.go(this.line.ply - 1));
  private readonly on = stepButton(w.inLab.boards.on, "›", () => this.line.go(this.line.ply + 1));
  private readonly race = new Race(() => this.line.where);
  private readonly place = h("input.mono", { type: "text", maxlength: 40, value: "any", spellcheck: "false" });
  private readonly questions = new Newest();
  private asked = "";
  private seed = 0;

  constructor({ query }: Route) {
    this.element = h(
      "div.page.wide",
      {},
      h(
        "div.boards-top",
        {},
        h("div.board-area", {}, this.board.element),
        this.movesCard(),
        h("div.panel", {}, this.flipCard(), this.race.element),
      ),
      h("div.stepper", {}, this.back, this.current, this.on),
      this.boards,
    );
    addEventListener("keydown", this.list.onKey);
    for (const kind of ["pointerover", "pointerleave"]) this.boards.addEventListener(kind, event => this.link(event));
    this.begin(query);
  }

  close(): void {
    this.questions.begin();
    this.race.close();
    removeEventListener("keydown", this.list.onKey);
    this.line.close();
    this.board.close();
  }

  receive(text: string): boolean {
    attempt(async () => {
      if (looksLikeFen(text)) return this.line.load(text.trim());
      const isNewest = this.line.loads.begin();
      const { games } = await readPgn(text);
      if (isNewest()) await this.line.loadGame(games[0]!);
    });
    return true;
  }

  private movesCard(): HTMLElement {
    const examples = EXAMPLES.map(([value, name]) => [value, w.inLab.boards.examples[name]] as const);
    const example = select([["", w.inLab.examples] as const, ...examples], "", value => this.load(value));
    example.setAttribute("aria-label", w.inLab.examples);
    return h("section.card", { "aria-label": w.moves }, this.list.element, field("FEN", this.fen.element), example);
  }

  private flipCard(): HTMLElement {
    const { about, title, flipOf, flipHint, flip, mend } = w.inLab.boards;
    this.place.setAttribute("aria-describedby", "flip-hint");
    return card(
      title,
      h("p", {}, about),
      h(
        "div.row.flip-form",
        {},
        field(flipOf, this.place),
        button(flip, () => this.flip()),
        button(mend, () => this.ask(true)),
      ),
      h("p.hint", { id: "flip-hint" }, flipHint),
    );
  }

  /** Shows what the address names, or else the game with every kind of move, after its first capture. */
  private begin(query: URLSearchParams): void {
    const fen = query.get("fen") ?? undefined;
    const named = query.get("moves")?.split(",").filter(Boolean) ?? (fen ? [] : undefined);
    const moves = named ?? EVERYTHING.split(" ");
    const ply = query.get("ply") ?? (named ? named.length : 3);
    attempt(() => this.line.load(fen, moves, Number(ply)));
  }

  private load(example: string): void {
    if (!example) return;
    const [fen, moves, ply] = example.split("|");
    attempt(() => this.line.load(fen || undefined, moves ? moves.split(" ") : [], Number(ply)));
  }

  private draw(): void {
    const { line } = this;
    this.board.show(line.fen, line.last);
    this.board.allow({ legal: line.position?.legal ?? [], onMove: uci => this.play(uci) });
    this.list.show(line.start, line.shown, line.at, line.numbers);
    this.fen.show(line.fen);
    this.back.disabled = line.ply === 0;
    this.on.disabled = line.ply === line.moves.length;
    const ply = plyOf(line.start) + line.ply - 1;
    this.current.textContent = line.last ? numbered([line.last.san], ply) : w.inLab.boards.beforeFirst;
    const moves = line.moves.map(move => move.uci).join(",");
    rename("lab", ["boards"], { fen: line.start, moves, ply: String(line.ply) });
    this.ask();
  }

  private play(uci: string): void {
    const made = this.line.play(uci);
    attempt(async () => playMove((await made).san));
    made.catch(() => this.draw());
  }

  /** Asks the boards for their memory, once for each position. */
  private ask(again = false): void {
    const question = JSON.stringify(this.line.where);
    if (question === this.asked && !again) return;
    if (question !== this.asked) this.race.reset();
    this.asked = question;
    this.look({});
  }

  /** Flips another bit each time. */
  private flip(): void {
    this.seed += 1;
    this.look({ corrupt: this.place.value.trim() || "any", seed: this.seed });
  }

  private look(flip: { corrupt?: string; seed?: number }): void {
    const isNewest = this.questions.begin();
    attempt(async () => {
      const found = post("/boards", { ...this.line.where, ...flip });
      const { boards } = await found.catch(error => {
        if (isNewest() && !flip.corrupt) fill(this.boards, h("p.hint", {}, w.inLab.boards.cannotShow));
        throw error;
      });
      if (!isNewest()) return;
      fill(this.boards, ...boards.map(boardCard));
      this.boards.querySelector(".flip")?.scrollIntoView({ block: "center" });
    });
  }

  /** Shows the square under the pointer in all memories. */
  private link(event: Event): void {
    const over = event.target instanceof Element ? event.target.closest("[data-square]") : null;
    const square = event.type === "pointerover" ? over?.getAttribute("data-square") : undefined;
    for (const cell of this.boards.querySelectorAll(".linked")) cell.classList.remove("linked");
    if (!square) return;
    for (const cell of this.boards.querySelectorAll(`[data-square="${square}"]`)) cell.classList.add("linked");
  }
}

function stepButton(label: string, sign: string, work: () => Promise<unknown>): HTMLButtonElement {
  const element = button(sign, work);
  element.setAttribute("aria-label", label);
  element.title = label;
  return element;
}
