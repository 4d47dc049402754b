// Review: every move of a game is rated, with reasons.

import { announce } from "../announce";
import { get, post, type PgnGame, type Review, type WritePgnRequest } from "../api";
import { card, field, fill, h, select } from "../dom";
import { fileButton, looksLikeFen } from "../files";
import { Newest } from "../newest";
import { attempt, complain } from "../notice";
import { gameTitle, Line, readPgn } from "../parts/line";
import { Reviewed } from "../review/reviewed";
import { rename, type Route, type View } from "../route";
import type { ClientMessage } from "../generated/api";
import { listen, send, type ServerMessage } from "../socket";

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
    // Answers are awaited, so they are thought about for a shorter time than a whole game may be.
    const effort = this.effort.value === "quick" ? "quick" : "normal";
    this.shown = new Reviewed(review, { pgn, names: this.names, effort }, () => this.ask());
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
