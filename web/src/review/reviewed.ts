// A reviewed game: the board, the plot, what is said of each move, and the mistakes to retry.

import type { MoveReview, Review } from "../api";
import { Board } from "../board/board";
import type { Arrow, Mark } from "../board/overlay";
import { other, type Side } from "../board/squares";
import { fill, h, select } from "../dom";
import { save } from "../files";
import { glyph } from "../format";
import { attempt } from "../notice";
import { button } from "../parts/buttons";
import { EvaluationBar } from "../parts/evaluation";
import { Line } from "../parts/line";
import { MoveList } from "../parts/moves";
import { go } from "../route";
import { Plot } from "./plot";
import { Retry, type Effort } from "./retry";
import { summary } from "./summary";
import { isMistake, moveName, moveWords } from "./words";

/** Whose mistakes are looked at. */
type Whose = "both" | "white" | "black";

/** What a review was made of, and with what effort. */
export interface Source {
  pgn: string | undefined;
  names: [white: string, black: string];
  effort: Effort;
}

export class Reviewed {
  readonly element: HTMLElement;
  private readonly board = new Board();
  private readonly bar = new EvaluationBar();
  private readonly list = new MoveList(ply => this.go(ply));
  private readonly line = new Line(() => this.draw());
  private readonly words = h("div.words", { role: "status" });
  private readonly tryIt = button("Try it yourself", () => this.tryAgain(this.line.ply));
  private readonly judged: HTMLElement;
  private readonly retried = h("div", { hidden: true });
  private readonly walk: HTMLButtonElement[];
  private readonly plot: Plot;
  private readonly loaded: Promise<void>;
  private readonly details = { isOpen: false };
  private whose: Whose = "both";
  private retry: Retry | undefined;

  constructor(
    private readonly review: Review,
    private readonly source: Source,
    another: () => void,
  ) {
    this.plot = new Plot(review, ply => this.go(ply));
    this.walk = [
      button("Previous mistake", () => this.toMistake(-1)),
      button("Next mistake", () => this.toMistake(1)),
      button("Retry mistakes", () => this.tryAgain()),
    ];
    const [previous, next, retry] = this.walk;
    this.judged = h(
      "div.judged",
      {},
      h("div.row", {}, previous, next),
      this.turningPoints(),
      this.words,
      h("div.row", {}, retry, this.players(), this.tryIt),
    );
    this.element = h(
      "div.stage",
      {},
      h("div.board-area", {}, h("div.board-row", {}, this.bar.element, this.board.element), this.plot.element),
      h(
        "div.panel",
        {},
        h("section.card", { "aria-label": "Judgement" }, this.judged, this.retried),
        h("section.card", { "aria-label": "Moves" }, this.list.element, this.actions(another)),
        summary(review, source.names),
      ),
    );
    addEventListener("keydown", this.list.onKey);
    this.choose("both");
    const moves = review.moves.map(move => move.uci);
    this.loaded = this.line.load(review.start, moves, 0);
    attempt(() => this.loaded);
  }

  close(): void {
    removeEventListener("keydown", this.list.onKey);
    this.retry?.close();
    this.line.close();
    this.plot.close();
    this.board.close();
  }

  /** A choice of whose mistakes are walked through and retried. */
  private players(): HTMLElement {
    const names = [
      ["both", "Both players"],
      ["white", "White"],
      ["black", "Black"],
    ] as const;
    const choice = select<Whose>(names, "both", whose => this.choose(whose));
    choice.setAttribute("aria-label", "Whose mistakes");
    return choice;
  }

  /** Buttons that lead to the moves that decided the game, numbered as in the plot. */
  private turningPoints(): HTMLElement | null {
    const { turning_points, moves } = this.review;
    if (turning_points.length === 0) return null;
    const points = turning_points.map((ply, index) => {
      const move = moves[ply]!;
      const point = button("", () => this.go(ply + 1));
      point.append(
        h("span.unseen", {}, "Turning point "),
        h("small", {}, String(index + 1)),
        h("span.unseen", {}, ": "),
        h(`span.name.${move.judgement}` as "span", {}, moveName(move)),
      );
      return point;
    });
    return h("div.row.turning-points", {}, h("span.hint", {}, "Turning points"), ...points);
  }

  private actions(another: () => void): HTMLElement {
    const { pgn } = this.source;
    // The PGN has the comments and the better lines.
    const analyse = () => {
      const { start, moves, ply } = this.line;
      if (pgn) sessionStorage.setItem("saavedra.dropped", pgn);
      go("analysis", [], { fen: start, moves: moves.map(move => move.uci).join(","), ply: String(ply) });
    };
    const keep = button("Save PGN with comments", () => {
      if (pgn) save("saavedra-review.pgn", pgn);
    });
    keep.disabled = !pgn;
    return h(
      "div.row",
      {},
      keep,
      button("Analyse", analyse),
      button("Flip", () => this.face(other(this.board.orientation))),
      button("Another game", another),
    );
  }

  private async face(side: Side): Promise<void> {
    await this.board.face(side);
    this.bar.face(side);
  }

  /** The mistakes of the players that were chosen. */
  private get mistakes(): MoveReview[] {
    return this.review.moves.filter(move => isMistake(move) && (this.whose === "both" || move.color === this.whose));
  }

  private choose(whose: Whose): void {
    this.whose = whose;
    if (whose !== "both") void this.face(whose === "white" ? "w" : "b");
    for (const button of this.walk) button.disabled = this.mistakes.length === 0;
  }

  /** Goes to the previous or the next mistake. */
  private toMistake(direction: 1 | -1): void {
    const { mistakes } = this;
    const here = this.line.ply - 1;
    const target = direction > 0 ? mistakes.find(({ ply }) => ply > here) : mistakes.findLast(({ ply }) => ply < here);
    if (target) this.go(target.ply + 1);
  }

  /** Goes to a move, once the moves are loaded. This ends a retry. */
  private go(ply: number): void {
    this.leave();
    attempt(() => this.stand(ply));
  }

  private async stand(ply: number): Promise<void> {
    await this.loaded;
    await this.line.go(ply);
  }

  /** Lets the mistakes be tried again, from the one at a ply on, or from the first. */
  private async tryAgain(ply?: number): Promise<void> {
    await this.loaded;
    const { mistakes } = this;
    const known = mistakes.findIndex(move => move.ply + 1 === ply);
    // A mistake of the other player is tried alone.
    const wanted = ply === undefined || known >= 0 ? mistakes : [this.review.moves[ply - 1]!];
    this.leave();
    this.retry = new Retry(
      wanted,
      Math.max(0, known),
      this.board,
      this.source.effort,
      move => attempt(() => this.stand(move.ply)),
      move => this.go(move.ply + 1),
    );
    fill(this.retried, this.retry.element);
    this.board.takeFocus();
    this.judged.hidden = true;
    this.retried.hidden = false;
    await this.stand(this.retry.mistake.ply);
  }

  private leave(): void {
    this.retry?.close();
    this.retry = undefined;
    const hadFocus = this.retried.contains(document.activeElement);
    this.judged.hidden = false;
    this.retried.hidden = true;
    if (hadFocus) this.walk[1]?.focus();
  }

  private draw(): void {
    const { ply, start, last, position } = this.line;
    this.bar.show(this.review.evals[ply]);
    this.plot.show(ply);
    const shown = this.review.moves.map(({ san, nag, judgement }) => ({ san, glyph: glyph(nag), kind: judgement }));
    this.list.show(start, shown, ply);
    if (this.retry) this.retry.show(position, last);
    else this.judge();
  }

  /** Shows what is said of the move that led here. */
  private judge(): void {
    const { ply, last, fen } = this.line;
    const move = this.review.moves[ply - 1];
    const marks: [string, Mark][] = last?.check ? [[last.check, "check"]] : [];
    for (const reason of move?.reasons ?? []) for (const square of reason.squares) marks.push([square, "wrong"]);
    this.board.show(fen, last);
    this.board.mark(marks);
    this.board.point(move && isMistake(move) ? better(move) : []);
    this.tryIt.classList.toggle("vacant", !move || !isMistake(move));
    const hint = "Step through the moves, or click on the plot.";
    fill(this.words, ...(move ? moveWords(move, this.details) : [h("p.hint", {}, hint)]));
  }
}

/** An arrow for the better move. */
function better({ best, uci }: MoveReview): Arrow[] {
  const [move] = best.uci;
  return move && move !== uci ? [{ from: move.slice(0, 2), to: move.slice(2, 4), kind: "best" }] : [];
}
