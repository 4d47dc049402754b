// Practice: the mistakes of one's own games as cards. Each comes back when it is about to be forgotten.

import { announce } from "../announce";
import { get, post, remove, type Card, type MoveReview, type Position, type Practice } from "../api";
import { Board } from "../board/board";
import { sideToMove } from "../board/squares";
import { fill, h, select, type Child } from "../dom";
import { numbered, plyOf, spoken } from "../format";
import { Newest } from "../newest";
import { inLetters } from "../notation";
import { attempt, complain, offerUndo } from "../notice";
import { button } from "../parts/buttons";
import { moveField } from "../parts/typed";
import { betterLine, isMistake, rightSentence, sentence } from "../review/words";
import { address, rename, type Route, type View } from "../route";
import { playMove } from "../sound";
import { w } from "../words";

type Grade = "again" | "hard" | "good" | "easy";

export function open({ query }: Route): View {
  return new PracticeView(query.get("card"), query.get("theme") ?? "");
}

/** What a theme is called. A newer server may know more of them. */
function themeName(theme: string): string {
  return (w.themeNames as Record<string, string>)[theme] ?? theme;
}

class PracticeView implements View {
  readonly element: HTMLElement;
  private readonly board = new Board();
  private readonly told = h("div.words", { role: "status" });
  private readonly state = h("p.hint");
  private readonly actions = h("div.row");
  private readonly typed = moveField(text => this.play(text));
  private readonly answers = new Newest();
  private cards: Card[] = [];
  private position: Position | undefined;
  private isFailed = false;
  private done = 0;

  private readonly themes = h("div.row");

  /** Begins with the card that is asked for, whether it is due or not. With a theme, only cards of it are asked. */
  constructor(
    private asked: string | null,
    private theme: string,
  ) {
    const about = h(
      "section.panel.practice-panel",
      { "aria-label": w.practice },
      h("h2", {}, w.practice),
      h("div.row.spread", {}, this.state, this.themes),
      this.told,
      this.actions,
      this.typed,
    );
    this.element = h("div.stage", {}, h("div.board-area", {}, this.board.element), about);
    attempt(() => this.load());
  }

  close(): void {
    this.answers.begin();
    this.board.close();
  }

  private get card(): Card | undefined {
    return this.cards[0];
  }

  private async load(): Promise<void> {
    const isNewest = this.answers.begin();
    const practice = await get("/practice", this.theme ? { theme: this.theme } : {});
    if (!isNewest()) return;
    // The last card of a theme leads back to all others.
    if (this.theme && practice.cards.length === 0 && practice.due > 0) return this.choose("");
    this.offer(practice);
    this.cards = practice.cards;
    if (this.asked) await this.putFirst(this.asked);
    this.asked = null;
    this.state.textContent = [w.cardsDue(practice.due), practice.streak > 1 && w.streak(practice.streak)]
      .filter(Boolean)
      .join(" · ");
    if (this.card) return this.show();
    this.typed.hidden = true;
    this.board.show("8/8/8/8/8/8/8/8 w - - 0 1");
    this.board.freeze();
    const later = practice.next
      ? w.nextCard(new Date(practice.next).toLocaleString(document.documentElement.lang))
      : "";
    const words = practice.total === 0 ? w.practiceEmpty : `${w.practiceDone(this.done)} ${later}`;
    fill(this.told, h("p", {}, words));
    fill(
      this.actions,
      h("a.button.primary", { href: "#/play" }, w.play),
      practice.total > 0 &&
        h("a.button", { href: "/api/practice/export", download: "saavedra-practice.tsv" }, w.exportAnki),
    );
  }

  private choose(theme: string): Promise<void> {
    this.theme = theme;
    rename("practice", [], theme ? { theme } : {});
    return this.load();
  }

  /** The themes of what is due, to practise one of them alone. */
  private offer({ themes, due }: Practice): void {
    const names = themes.map(({ theme, due }) => [theme, `${themeName(theme)} (${due})`] as const);
    const choice = select([["", `${w.allThemes} (${due})`], ...names], this.theme, theme =>
      attempt(() => this.choose(theme)),
    );
    choice.ariaLabel = w.themeOf;
    fill(this.themes, themes.length > 1 && choice);
  }

  private async putFirst(id: string): Promise<void> {
    const card = this.cards.find(card => card.id === id) ?? (await get("/practice/{id}", { id }));
    this.cards = [card, ...this.cards.filter(card => card.id !== id)];
  }

  private async show(): Promise<void> {
    const isNewest = this.answers.begin();
    const card = this.card!;
    this.isFailed = false;
    this.typed.hidden = false;
    this.board.show(card.fen);
    this.board.point([]);
    await this.board.face(sideToMove(card.fen));
    const position = await post("/legal", { fen: card.fen });
    if (!isNewest()) return;
    this.position = position;
    this.ask();
  }

  private ask(...more: Child[]): void {
    const card = this.card!;
    const player = sideToMove(card.fen) === "w" ? w.white : w.black;
    const move = `${numbered([card.played.san], plyOf(card.fen))}?`;
    fill(this.told, ...more, h("p", {}, w.findBetter(move, player)), h("p.hint", {}, card.label));
    const solve = button(w.showSolution, () => this.solve());
    const forget = button(w.removeCard, () => this.forget());
    forget.classList.add("quiet");
    fill(this.actions, solve, forget);
    this.board.show(card.fen);
    this.board.mark(this.position?.check ? [[this.position.check, "check"]] : []);
    this.board.allow({ legal: this.position?.legal ?? [], onMove: uci => void this.play(uci).catch(complain) });
  }

  /** Plays a move and has it judged. One that cannot be judged is asked for again. */
  private async play(text: string): Promise<void> {
    const isNewest = this.answers.begin();
    try {
      await this.judge(text, isNewest);
    } catch (error) {
      if (isNewest()) this.ask();
      throw error;
    }
  }

  private async judge(text: string, isNewest: () => boolean): Promise<void> {
    const card = this.card!;
    const { move } = await post("/move", { fen: card.fen, move: text });
    if (!isNewest()) return;
    playMove(move.san);
    announce(spoken(move.san));
    this.board.show(move.fen, move);
    this.board.freeze();
    fill(this.told, h("p.judging", {}, w.judging(inLetters(move.san))), h("p.hint", {}, card.label));
    fill(this.actions);
    const judged = await post("/judge", { fen: card.fen, move: move.uci, effort: "quick" });
    if (!isNewest()) return;
    if (move.uci === card.best.uci || !isMistake(judged)) return this.right(move.san, judged);
    this.isFailed = true;
    this.ask(
      h(
        `p.verdict.${judged.judgement}` as "p",
        {},
        `${sentence({ ...judged, reasons: judged.reasons.filter(({ kind }) => !kind.startsWith("misses_") && kind !== "better_line") })}.`,
      ),
    );
  }

  private async right(san: string, judged: MoveReview): Promise<void> {
    const card = this.card!;
    const why = await post("/judge", { fen: card.fen, move: card.played.uci, effort: "quick" });
    const words = rightSentence({ san, isBest: san === card.best.san }, judged, card.best.san);
    fill(
      this.told,
      h("p.verdict.best", {}, words),
      betterLine(judged, w.theLine),
      h("p", {}, `${sentence(why)}.`),
      this.source(),
    );
    const grades: Grade[] = this.isFailed ? ["again"] : ["hard", "good", "easy"];
    fill(this.actions, ...grades.map(grade => this.gradeButton(grade)));
    this.actions.querySelector<HTMLElement>(".primary")?.focus();
  }

  private gradeButton(grade: Grade): HTMLButtonElement {
    const element = button(this.isFailed ? w.next : w.grades[grade], () => this.grade(grade));
    if (grade === "good" || grade === "again") element.classList.add("primary");
    return element;
  }

  private async solve(): Promise<void> {
    const isNewest = this.answers.begin();
    const card = this.card!;
    this.isFailed = true;
    const { move } = await post("/move", { fen: card.fen, move: card.best.uci });
    if (!isNewest()) return;
    this.board.point([{ from: move.from, to: move.to, kind: "best" }]);
    this.board.freeze();
    const why = h("p.judging", {}, w.judging(numbered([card.played.san], plyOf(card.fen))));
    const solution = h("p.verdict.best", {}, w.solutionIs(numbered([card.best.san], plyOf(card.fen))));
    fill(this.told, solution, why, this.source());
    fill(this.actions, this.gradeButton("again"));
    const judged = await post("/judge", { fen: card.fen, move: card.played.uci, effort: "quick" });
    if (isNewest()) fill(this.told, solution, h("p", {}, `${sentence(judged)}.`), this.source());
  }

  private source(): HTMLElement {
    const { game, ply, label, theme } = this.card!;
    const link = h("a", { href: address("game", [game], { ply: String(ply), tab: "review" }) }, label);
    return h("p.hint", {}, theme && h("span.theme", {}, themeName(theme)), link);
  }

  private async grade(grade: Grade): Promise<void> {
    const card = this.card!;
    await post("/practice/{id}", { grade }, { id: card.id });
    this.done++;
    this.cards.shift();
    if (this.card) await this.show();
    else await this.load();
  }

  private async forget(): Promise<void> {
    const card = this.card!;
    this.cards.shift();
    // The card is only removed when there is no way back.
    const timer = setTimeout(() => void remove("/practice/{id}", { id: card.id }).catch(complain), 10_000);
    offerUndo(w.cardRemoved, async () => {
      clearTimeout(timer);
      this.cards.unshift(card);
      await this.show();
    });
    if (this.card) await this.show();
    else await this.load();
  }
}
