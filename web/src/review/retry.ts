// Retrying mistakes: the position before each, a move on the board, and the server's judgement of it.

import { post, type MoveReview, type MoveView, type Position } from "../api";
import type { Board } from "../board/board";
import type { Mark } from "../board/overlay";
import { fill, h, type Child } from "../dom";
import { numbered, plyOf, spoken } from "../format";
import { Newest } from "../newest";
import { inLetters } from "../notation";
import { complain } from "../notice";
import { announce } from "../announce";
import { button } from "../parts/buttons";
import { moveField } from "../parts/typed";
import { playMove } from "../sound";
import { w } from "../words";
import { betterLine, chancesWords, isMistake, moveName, rightSentence, wrongSentence } from "./words";

/** What happened with the mistake at hand. */
type State =
  | { kind: "trying" }
  | { kind: "solution" }
  | { kind: "judging"; made: MoveView }
  | { kind: "right" | "wrong"; made: MoveView; judged: MoveReview };

/** How hard the server thinks about an answer. */
export type Effort = "quick" | "normal";

export class Retry {
  readonly element: HTMLElement;
  private readonly heading = h("h2");
  private readonly words = h("div.words.retry-words", { role: "status" });
  private readonly again = button(w.tryAgain, () => {
    this.board.takeFocus();
    this.become({ kind: "trying" });
  });
  private readonly solve = button(w.showSolution, () => this.become({ kind: "solution" }));
  private readonly next = button(w.nextMistake, () => this.step());
  private readonly answers = new Newest();
  private readonly found = new Set<MoveReview>();
  private state: State = { kind: "trying" };
  /** What can be done in the position before the mistake, once the server has told. */
  private position: Position | undefined;
  private before: { from: string; to: string } | undefined;

  /** Begins with one of the mistakes. Calls back with each that comes up, and at the end. */
  constructor(
    private readonly mistakes: MoveReview[],
    private at: number,
    private readonly board: Board,
    private readonly effort: Effort,
    private readonly onMistake: (move: MoveReview) => void,
    private readonly onEnd: (move: MoveReview) => void,
  ) {
    this.element = h(
      "div.retry",
      {},
      h(
        "div.row.spread",
        {},
        this.heading,
        button(w.backToReview, () => this.onEnd(this.mistake)),
      ),
      this.words,
      h("div.row", {}, this.again, this.solve, this.next),
      moveField(text => this.play(text)),
    );
    this.write();
  }

  /** The mistake at hand. */
  get mistake(): MoveReview {
    return this.mistakes[this.at]!;
  }

  close(): void {
    this.answers.begin();
    this.board.freeze();
  }

  /** Shows the position before the mistake. Its legal moves arrive a moment later. */
  show(position: Position | undefined, before: { from: string; to: string } | undefined): void {
    this.position = position;
    this.before = before;
    this.draw();
  }

  private step(): void {
    if (this.at + 1 >= this.mistakes.length) return this.onEnd(this.mistake);
    this.board.takeFocus();
    this.at += 1;
    this.position = this.before = undefined;
    this.become({ kind: "trying" });
    this.onMistake(this.mistake);
  }

  private become(state: State): void {
    this.answers.begin();
    this.state = state;
    this.write();
    this.draw();
  }

  /** Plays a move and has it judged. What the review already says of a move is not asked again. */
  private async play(text: string): Promise<void> {
    const { mistake } = this;
    let isNewest = this.answers.begin();
    try {
      const { move: made } = await post("/move", { fen: mistake.fen, move: text });
      if (!isNewest()) return;
      playMove(made.san);
      announce(spoken(made.san));
      this.become({ kind: "judging", made });
      isNewest = this.answers.begin();
      const judged = await this.judged(made);
      if (!isNewest()) return;
      const kind = made.uci === mistake.best.uci[0] || !isMistake(judged) ? "right" : "wrong";
      if (kind === "right") this.found.add(mistake);
      this.become({ kind, made, judged });
    } catch (error) {
      if (isNewest()) {
        complain(error);
        this.become({ kind: "trying" });
      }
      throw error;
    }
  }

  private async judged({ uci }: MoveView): Promise<MoveReview> {
    const { mistake } = this;
    if (uci === mistake.uci || uci === mistake.best.uci[0]) return mistake;
    return post("/judge", { fen: mistake.fen, move: uci, effort: this.effort });
  }

  private write(): void {
    const { kind } = this.state;
    const isLast = this.at + 1 >= this.mistakes.length;
    this.heading.textContent = w.mistakeOf(this.at + 1, this.mistakes.length);
    this.again.disabled = kind !== "wrong" && kind !== "solution";
    this.solve.disabled = kind === "solution" || kind === "right";
    this.next.textContent = isLast ? w.finish : kind === "right" || kind === "solution" ? w.nextMistake : w.skip;
    this.next.classList.toggle("primary", kind === "right" || kind === "solution");
    fill(this.words, ...this.said());
  }

  private said(): Child[] {
    const { state, mistake } = this;
    const player = mistake.color === "white" ? w.white : w.black;
    const name = moveName(mistake);
    const [best] = mistake.best.san;
    switch (state.kind) {
      case "trying":
        return [
          h("p", {}, w.findBetter(name, player)),
          h("p.hint.with-field", {}, w.moveOrType),
          h("p.hint.without-field", {}, w.moveOnBoard),
        ];
      case "judging":
        return [h("p.judging", {}, w.judging(inLetters(state.made.san)))];
      case "right": {
        const isBest = state.made.uci === mistake.best.uci[0];
        return [
          h("p.verdict.best", {}, rightSentence({ san: state.made.san, isBest }, state.judged, best ?? "")),
          ...this.progress(),
          betterLine(mistake, isBest ? w.theLine : w.reviewHad),
        ];
      }
      case "wrong": {
        const isSame = state.made.uci === mistake.uci;
        return [
          h(`p.verdict.${state.judged.judgement}` as "p", {}, `${wrongSentence(state.judged)}.`),
          isSame ? h("p", {}, w.thisWasPlayed) : null,
          chancesWords(state.judged),
        ];
      }
      case "solution":
        return [
          h("p.verdict.best", {}, w.solutionIs(numbered([best ?? ""], plyOf(mistake.fen)))),
          betterLine(mistake, w.theLine),
        ];
    }
  }

  private progress(): Child[] {
    const isLast = this.at + 1 >= this.mistakes.length;
    const { size } = this.found;
    return isLast && this.mistakes.length > 1 ? [h("p", {}, w.foundOf(size, this.mistakes.length))] : [];
  }

  private draw(): void {
    const { board, state, mistake } = this;
    if (state.kind === "trying") {
      board.show(mistake.fen, this.before);
      board.mark(this.position?.check ? [[this.position.check, "check"]] : []);
      board.point([]);
      board.allow({ legal: this.position?.legal ?? [], onMove: uci => void this.play(uci).catch(() => {}) });
      return;
    }
    board.freeze();
    if (state.kind === "solution") {
      const [move] = mistake.best.uci;
      board.show(mistake.fen, this.before);
      board.mark([]);
      board.point(move ? [{ from: move.slice(0, 2), to: move.slice(2, 4), kind: "best" }] : []);
      return;
    }
    const { made } = state;
    const marks: [string, Mark][] = made.check ? [[made.check, "check"]] : [];
    const [reply] = state.kind === "wrong" ? state.judged.reply.uci : [];
    board.show(made.fen, made);
    board.mark(marks);
    // What is wrong with the move is the answer to it.
    board.point(reply ? [{ from: reply.slice(0, 2), to: reply.slice(2, 4), kind: "threat" }] : []);
  }
}
