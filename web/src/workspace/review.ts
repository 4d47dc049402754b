// The review tab: a game judged move by move, its moments, and the mistakes to try again.

import { announce } from "../announce";
import { ApiError, get, post, type Color, type MoveReview, type Review } from "../api";
import type { Board } from "../board/board";
import type { Arrow, Mark } from "../board/overlay";
import type { Side } from "../board/squares";
import { fill, h, select } from "../dom";
import type { ClientMessage } from "../generated/api";
import { complain, say } from "../notice";
import { button } from "../parts/buttons";
import type { Line } from "../parts/line";
import { Plot } from "../review/plot";
import { Retry } from "../review/retry";
import { accuracies, figures, moments } from "../review/summary";
import { isMistake, moveWords } from "../review/words";
import { listen, send, type ServerMessage } from "../socket";
import { w } from "../words";

type Whose = "both" | "white" | "black";
type Effort = "quick" | "normal" | "deep";

export interface ReviewHost {
  id(): string;
  line: Line;
  board: Board;
  names(): [string, string];
  /** The side of the person at this board, if it is known. */
  own(): Color | undefined;
  redraw(): void;
  face(side: Side): Promise<void>;
  go(ply: number): Promise<void>;
  /** Saves what was changed, so that the server reviews what is shown. */
  saved(): Promise<void>;
}

let reviews = 0;

export class ReviewPanel {
  readonly element = h("div.review");
  review: Review | undefined;
  /** The game with comments, glyphs and better lines. */
  pgn: string | undefined;
  retry: Retry | undefined;
  /** The ply before the mistake that is looked at: the board shows what was played and what was better. */
  private before: number | undefined;
  private plot: Plot | undefined;
  private readonly words = h("div.words", { role: "status" });
  private readonly tryIt = button(w.tryIt, () => this.tryAgain(this.judgedPly));
  private readonly next = button(w.nextMistake, () => this.toMistake(1));
  private readonly previous = button(w.previousMistake, () => this.toMistake(-1));
  private readonly again = button(w.retryMistakes, () => this.tryAgain());
  private readonly cards = button(w.addToPractice, () => this.makeCards());
  private readonly progress = h("progress", { "aria-label": w.progress, max: 1 });
  private readonly details = { isOpen: false };
  private readonly quiet: () => void;
  private pending: (ClientMessage & { type: "review" }) | undefined;
  private effort: Effort = "quick";
  /** Whose mistakes are looked at. Until someone chooses, one's own if it is known which they are. */
  private whose: Whose | undefined;
  private judged: HTMLElement | undefined;

  constructor(private readonly host: ReviewHost) {
    this.quiet = listen({
      receive: message => this.handle(message),
      opened: () => this.pending && send(this.pending),
    });
    this.offer();
  }

  close(): void {
    this.quiet();
    if (this.pending) send({ type: "stop", id: this.pending.id });
    this.retry?.close();
  }

  /** Shows the review that is kept, if there is one. */
  async recall(): Promise<void> {
    try {
      const { review, effort, current, pgn } = await get("/library/{id}/review", { id: this.host.id() });
      if (!current || this.review) return;
      this.effort = (["quick", "normal", "deep"] as const).find(name => name === effort) ?? "quick";
      this.show(review, pgn);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /** What there is before a review: a sentence and a button. */
  private offer(): void {
    const efforts = (["quick", "normal", "deep"] as const).map(effort => [effort, w.efforts[effort]] as const);
    const effort = select<Effort>(efforts, this.effort, value => (this.effort = value));
    effort.setAttribute("aria-label", w.effort);
    const start = button(w.startReview, () => this.start());
    start.classList.add("primary");
    fill(this.element, h("div.empty", {}, h("p", {}, w.reviewAbout), h("div.row", {}, start, effort)));
  }

  /** Has the game reviewed, as it is saved. */
  async start(): Promise<void> {
    if (this.pending || this.host.line.mainLine.length === 0) return;
    await this.host.saved();
    // Every review has its own id, so that late messages of the one before are not taken for this one.
    this.pending = { type: "review", id: `review-${++reviews}`, game: this.host.id(), effort: this.effort };
    this.progress.removeAttribute("value");
    const stop = button(w.stop, () => this.end());
    fill(this.element, h("div.empty", {}, h("p", {}, w.reviewing), this.progress, h("div.row", {}, stop)));
    send(this.pending);
  }

  private end(): void {
    if (this.pending) send({ type: "stop", id: this.pending.id });
    this.pending = undefined;
    if (!this.review) this.offer();
  }

  private handle(message: ServerMessage): void {
    if (!("id" in message) || !this.pending || message.id !== this.pending.id) return;
    if (message.type === "review_progress") {
      this.progress.max = message.total;
      this.progress.value = message.done;
    } else if (message.type === "review") {
      this.pending = undefined;
      this.show(message.review, message.pgn);
      announce(w.reviewReady);
    } else if (message.type === "error") {
      this.pending = undefined;
      this.offer();
      complain(new ApiError(message.code, message.message));
    }
  }

  private show(review: Review, pgn: string): void {
    this.review = review;
    this.pgn = pgn;
    this.whose ??= this.host.own() ?? "both";
    const { mainLine, tree } = this.host.line;
    const clocks = mainLine.map(number => tree.step(number).clock_ms ?? undefined);
    this.plot = new Plot(review, ply => this.look(ply), clocks);
    const whose = select<Whose>(
      [
        ["both", w.bothPlayers],
        ["white", w.white],
        ["black", w.black],
      ],
      this.whose,
      value => this.choose(value),
    );
    whose.setAttribute("aria-label", w.whoseMistakes);
    this.judged = h(
      "div.judged",
      {},
      accuracies(review, this.host.names()),
      this.plot.element,
      h("div.row.walk", {}, this.previous, this.next, this.tryIt),
      this.words,
      moments(review, ply => this.look(ply)),
      h("div.row", {}, this.again, whose, this.cards),
      figures(review),
    );
    this.previous.textContent = "‹";
    this.previous.setAttribute("aria-label", w.previousMistake);
    this.previous.title = w.previousMistake;
    this.next.title = `${w.nextMistake} (n)`;
    this.tryIt.title = `${w.tryIt} (${w.space})`;
    this.choose(this.whose, false);
    fill(this.element, this.judged);
    this.host.redraw();
  }

  /** The mistakes of the players that were chosen. */
  private get mistakes(): MoveReview[] {
    const moves = this.review?.moves ?? [];
    return moves.filter(move => isMistake(move) && (!this.whose || this.whose === "both" || move.color === this.whose));
  }

  private choose(whose: Whose, turns = true): void {
    this.whose = whose;
    if (whose !== "both" && turns) void this.host.face(whose === "white" ? "w" : "b");
    for (const button of [this.previous, this.next, this.again, this.cards])
      button.disabled = this.mistakes.length === 0;
  }

  /** The ply of the move that is judged: the one that led here, or the mistake one stands before. */
  private get judgedPly(): number {
    return this.before === undefined ? (this.host.line.mainPly ?? 0) : this.before + 1;
  }

  /** Looks at the mistake before it is made; other moves once they are. */
  private look(ply: number): void {
    const move = this.review?.moves[ply - 1];
    this.leave();
    const isBefore = move !== undefined && isMistake(move);
    void this.host
      .go(isBefore ? ply - 1 : ply)
      .then(() => {
        if (!isBefore) return;
        this.before = ply - 1;
        this.host.redraw();
      })
      .catch(complain);
  }

  /** Goes to the previous or the next mistake. */
  toMistake(direction: 1 | -1): void {
    const here = this.judgedPly - 1;
    const { mistakes } = this;
    const target = direction > 0 ? mistakes.find(({ ply }) => ply > here) : mistakes.findLast(({ ply }) => ply < here);
    if (target) this.look(target.ply + 1);
    else if (direction > 0 && mistakes.length > 0) announce(w.noMoreMistakes);
  }

  /** What space does: try the mistake that is looked at. */
  tryShown(): void {
    if (!this.tryIt.disabled) void this.tryAgain(this.judgedPly).catch(complain);
  }

  /** Lets the mistakes be tried again, from the one at a ply on, or from the first. */
  private async tryAgain(ply?: number): Promise<void> {
    const { mistakes } = this;
    const known = mistakes.findIndex(move => move.ply + 1 === ply);
    // A mistake of the other player is tried alone.
    const wanted = ply === undefined || known >= 0 ? mistakes : [this.review!.moves[ply - 1]!];
    this.leave();
    this.retry = new Retry(
      wanted,
      Math.max(0, known),
      this.host.board,
      this.effort === "quick" ? "quick" : "normal",
      move => void this.host.go(move.ply).catch(complain),
      move => this.look(move.ply + 1),
    );
    fill(this.element, this.retry.element);
    this.host.board.takeFocus();
    await this.host.go(this.retry.mistake.ply);
  }

  /** Makes cards of the mistakes of a player, to be practised. */
  private async makeCards(): Promise<void> {
    const sides = !this.whose || this.whose === "both" ? (["white", "black"] as const) : [this.whose];
    let made = 0;
    for (const side of sides) made += (await post("/library/{id}/cards", { side }, { id: this.host.id() })).cards;
    say(w.cardsMade(made));
  }

  /** Stepping leads out of a retry and away from what was looked at. */
  leave(): void {
    this.before = undefined;
    if (!this.retry || !this.judged) return;
    const hadFocus = this.element.contains(document.activeElement);
    this.retry.close();
    this.retry = undefined;
    fill(this.element, this.judged);
    if (hadFocus) this.next.focus();
  }

  /** What is said of the move that is judged. */
  draw(): void {
    const { review } = this;
    const { line } = this.host;
    if (!review) return;
    if (this.before !== undefined && this.before !== line.mainPly) this.before = undefined;
    this.plot?.show(this.judgedPly);
    if (this.retry) return this.retry.show(line.position, line.last);
    const move = line.mainPly === undefined ? undefined : review.moves[this.judgedPly - 1];
    this.tryIt.disabled = !move || !isMistake(move);
    this.tryIt.classList.toggle("primary", !this.tryIt.disabled);
    fill(this.words, ...(move ? moveWords(move, this.details) : [h("p.hint", {}, w.reviewHint)]));
  }

  /** What the board shows in this tab: played in red and better in green, or what the move allows. */
  get arrows(): Arrow[] {
    const move = this.review?.moves[this.judgedPly - 1];
    if (!move || this.host.line.mainPly === undefined || !isMistake(move)) return [];
    const arrow = (uci: string | undefined, kind: Arrow["kind"]): Arrow[] =>
      uci ? [{ from: uci.slice(0, 2), to: uci.slice(2, 4), kind }] : [];
    if (this.before !== undefined) return [...arrow(move.uci, "played"), ...arrow(move.best.uci[0], "best")];
    return arrow(move.reply.uci[0], "threat");
  }

  get marks(): [string, Mark][] {
    const move = this.review?.moves[this.judgedPly - 1];
    if (!move || this.before !== undefined || this.host.line.mainPly === undefined) return [];
    return move.reasons.flatMap(reason => reason.squares.map((square): [string, Mark] => [square, "wrong"]));
  }
}
