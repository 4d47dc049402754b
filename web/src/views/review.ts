// Review: every move of a game is rated, with reasons.

import { announce } from "../announce";
import { get, post, type MoveReview, type PgnGame, type Review, type WritePgnRequest } from "../api";
import { Board } from "../board/board";
import type { Arrow, Mark } from "../board/overlay";
import { card, field, fill, h, select } from "../dom";
import { fileButton, looksLikeFen, save } from "../files";
import { glyph } from "../format";
import { Newest } from "../newest";
import { attempt, complain } from "../notice";
import { EvaluationBar } from "../parts/evaluation";
import { gameTitle, Line, readPgn } from "../parts/line";
import { MoveList } from "../parts/moves";
import { OpeningName } from "../parts/opening";
import { go, rename, type Route, type View } from "../route";
import type { ClientMessage } from "../generated/api";
import { listen, send, type ServerMessage } from "../socket";
import { Plot } from "../review/plot";
import { moveWords, playerSummary } from "../review/words";

const EFFORTS = [
  ["quick", "Quick"],
  ["normal", "Normal"],
  ["deep", "Deep"],
] as const;

let reviews = 0;

export function open(route: Route): View {
  return new ReviewView(route);
}

class ReviewView implements View {
  readonly element = h("div");
  private readonly pgn = h("textarea.tall", {
    "aria-label": "PGN",
    placeholder: "Paste a PGN, or drop a file anywhere",
  });
  private readonly progress = h("progress", { "aria-label": "Progress", max: 1, hidden: true });
  private readonly state = h("p.hint", { role: "status" });
  private readonly start = h(
    "button.primary",
    { type: "button", onclick: () => attempt(() => this.begin()) },
    "Review the game",
  );
  private readonly effort = select(EFFORTS, "quick");
  private readonly choice = h("select");
  private readonly choiceField = field("Game", this.choice);
  /** The text whose games can be chosen from. */
  private offered: string | undefined;
  private readonly quiet: () => void;
  private shown: Reviewed | undefined;
  /** The request that is not answered yet, to be sent again if the connection breaks. */
  private pending: (ClientMessage & { type: "review" }) | undefined;
  private readonly readings = new Newest();
  private names: [string, string] = ["White", "Black"];

  constructor({ query }: Route) {
    this.quiet = listen({
      receive: message => this.handle(message),
      opened: () => this.pending && send(this.pending),
    });
    this.ask();
    const dropped = sessionStorage.getItem("saavedra.dropped") ?? sessionStorage.getItem("saavedra.review");
    sessionStorage.removeItem("saavedra.dropped");
    const id = query.get("game");
    if (id) attempt(() => this.fetch(id));
    else if (dropped) this.pgn.value = dropped;
  }

  close(): void {
    this.quiet();
    this.readings.begin();
    this.stop();
    this.shown?.close();
  }

  receive(text: string): void {
    if (looksLikeFen(text)) return complain("A review needs a whole game, as PGN.");
    this.ask();
    this.pgn.value = text;
    attempt(() => this.begin());
  }

  private async fetch(id: string): Promise<void> {
    const isNewest = this.readings.begin();
    const pgn = await get("/games/{id}/pgn", { id });
    if (isNewest()) this.receive(pgn);
  }

  /** Stops the review that is under way. */
  private stop(): void {
    if (this.pending) send({ type: "stop", id: this.pending.id });
    this.pending = undefined;
    this.start.disabled = false;
    this.progress.hidden = true;
    this.state.textContent = "";
  }

  private ask(): void {
    this.shown?.close();
    this.shown = undefined;
    this.offered = undefined;
    this.choiceField.hidden = true;
    const form = card(
      "Review a game",
      h("p", {}, "Every move is rated by what it costs, with reasons you can check on the board."),
      this.pgn,
      this.choiceField,
      field("Effort", this.effort),
      h(
        "div.row",
        {},
        this.start,
        fileButton("Open a file", text => this.receive(text)),
      ),
      this.progress,
      this.state,
    );
    fill(this.element, h("div.page", {}, form));
  }

  private async begin(): Promise<void> {
    const isNewest = this.readings.begin();
    this.stop();
    const pgn = this.pgn.value;
    const { games } = await readPgn(pgn);
    if (!isNewest()) return;
    if (games.length > 1 && this.offered !== pgn) return this.offer(pgn, games);
    const game = games[games.length > 1 ? Number(this.choice.value) : 0];
    if (!game) return;
    this.names = [game.tags.White ?? "White", game.tags.Black ?? "Black"];
    sessionStorage.setItem("saavedra.review", pgn);
    rename("review");
    this.state.textContent = gameTitle(game, 0);
    this.start.disabled = true;
    this.progress.hidden = false;
    this.progress.removeAttribute("value");
    // Every review has its own id, so that late messages of the one before are not taken for this one.
    const effort = this.effort.value as "quick" | "normal" | "deep";
    const only = games.length > 1 ? (await post("/pgn/write", await asWritten(game))).pgn : pgn;
    if (!isNewest()) return;
    this.pending = { type: "review", id: `review-${++reviews}`, pgn: only, effort };
    send(this.pending);
  }

  /** Lets one of several games be chosen. */
  private offer(pgn: string, games: PgnGame[]): void {
    this.offered = pgn;
    const titles = games.map((game, index) => h("option", { value: String(index) }, gameTitle(game, index)));
    fill(this.choice, ...titles);
    this.choiceField.hidden = false;
    this.state.textContent = `${games.length} games. Choose one, then review it.`;
    this.choice.focus();
  }

  private handle(message: ServerMessage): void {
    if (!("id" in message) || !this.pending || message.id !== this.pending.id) return;
    if (message.type === "review_progress") {
      this.progress.max = message.total;
      this.progress.value = message.done;
    }
    if (message.type !== "error" && message.type !== "stopped" && message.type !== "review") return;
    this.pending = undefined;
    this.stop();
    if (message.type === "error") complain(message.message);
    if (message.type === "review") this.show(message.review, message.pgn);
  }

  private show(review: Review, pgn: string | undefined): void {
    this.shown = new Reviewed(review, pgn, this.names, () => this.ask());
    fill(this.element, this.shown.element);
    announce("The review is ready.");
  }
}

/** A game that was read, as it is written again. */
async function asWritten(game: PgnGame): Promise<WritePgnRequest> {
  const line = new Line(() => {});
  await line.loadGame(game);
  return line.written;
}

/** A reviewed game. */
class Reviewed {
  readonly element: HTMLElement;
  private readonly board = new Board();
  private readonly bar = new EvaluationBar();
  private readonly list = new MoveList(ply => this.go(ply));
  private readonly line = new Line(() => this.draw());
  private readonly opening = new OpeningName();
  private readonly words = h("div.words", { role: "status" });
  private readonly plot: Plot;
  private readonly loaded: Promise<void>;

  constructor(
    private readonly review: Review,
    pgn: string | undefined,
    [white, black]: [string, string],
    another: () => void,
  ) {
    this.plot = new Plot(review, ply => this.go(ply));
    // The PGN has the comments and the better lines.
    const analyse = () => {
      const { start, moves, ply } = this.line;
      if (pgn) sessionStorage.setItem("saavedra.dropped", pgn);
      go("analysis", [], { fen: start, moves: moves.map(move => move.uci).join(","), ply: String(ply) });
    };
    const flip = async () => {
      await this.board.flip();
      this.bar.face(this.board.orientation);
    };
    const button = (label: string, work: () => void) => h("button", { type: "button", onclick: work }, label);
    const keep = button("Save PGN with comments", () => pgn && save("saavedra-review.pgn", pgn));
    keep.disabled = !pgn;
    this.element = h(
      "div.stage",
      {},
      h("div.board-area", {}, h("div.board-row", {}, this.bar.element, this.board.element), this.plot.element),
      h(
        "div.panel",
        {},
        h(
          "section.card",
          { "aria-label": "Accuracy" },
          h("div.accuracies", {}, playerSummary(white, review.white), playerSummary(black, review.black)),
        ),
        h(
          "section.card",
          { "aria-label": "Moves" },
          this.words,
          h(
            "div.row",
            {},
            button("Previous mistake", () => this.toMistake(-1)),
            button("Next mistake", () => this.toMistake(1)),
          ),
          this.opening.element,
          this.list.element,
          h(
            "div.row",
            {},
            keep,
            button("Analyse", analyse),
            button("Flip", () => void flip()),
            button("Another game", another),
          ),
        ),
      ),
    );
    addEventListener("keydown", this.list.onKey);
    const moves = review.moves.map(move => move.uci);
    this.loaded = this.line.load(review.start, moves, 0);
    attempt(() => this.loaded);
  }

  close(): void {
    removeEventListener("keydown", this.list.onKey);
    this.line.close();
    this.plot.close();
    this.board.close();
  }

  /** Goes to the previous or the next mistake. */
  private toMistake(direction: 1 | -1): void {
    const { moves } = this.review;
    for (let ply = this.line.ply + direction; ply >= 1 && ply <= moves.length; ply += direction) {
      if (isMistake(moves[ply - 1]!)) return this.go(ply);
    }
  }

  /** Goes to a move, once the moves are loaded. */
  private go(ply: number): void {
    attempt(async () => {
      await this.loaded;
      await this.line.go(ply);
    });
  }

  private draw(): void {
    const { ply, start, last, fen } = this.line;
    const move = this.review.moves[ply - 1];
    const marks: [string, Mark][] = last?.check ? [[last.check, "check"]] : [];
    for (const reason of move?.reasons ?? []) for (const square of reason.squares) marks.push([square, "wrong"]);
    this.board.show(fen, last);
    this.board.mark(marks);
    this.board.point(move && isMistake(move) ? better(move) : []);
    this.bar.show(this.review.evals[ply]);
    this.plot.show(ply);
    const shown = this.review.moves.map(({ san, nag, judgement }) => ({ san, glyph: glyph(nag), kind: judgement }));
    this.list.show(start, shown, ply);
    this.opening.show(this.line.moves.slice(0, ply));
    fill(this.words, ...(move ? moveWords(move) : [h("p.hint", {}, "Step through the moves, or click on the plot.")]));
  }
}

function isMistake({ judgement }: MoveReview): boolean {
  return judgement === "inaccuracy" || judgement === "mistake" || judgement === "blunder";
}

/** An arrow for the better move. */
function better({ best, uci }: MoveReview): Arrow[] {
  const [move] = best.uci;
  return move && move !== uci ? [{ from: move.slice(0, 2), to: move.slice(2, 4), kind: "best" }] : [];
}
