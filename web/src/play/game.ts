// A game that is played or watched: the board, both players, the moves, and the buttons.

import { announce } from "../announce";
import { ApiError, post, type Color, type Game, type Hint } from "../api";
import { Board } from "../board/board";
import type { Arrow, Mark } from "../board/overlay";
import type { Side } from "../board/squares";
import { h } from "../dom";
import { score, spoken } from "../format";
import { attempt, complain, say } from "../notice";
import { MoveList } from "../parts/moves";
import { OpeningName } from "../parts/opening";
import { PlayerStrip } from "../parts/player";
import { moveField } from "../parts/typed";
import { go, type View } from "../route";
import { listen, send, type ServerMessage } from "../socket";
import { play as playSound, playMove } from "../sound";
import { Actions } from "./actions";

export class PlayedGame implements View {
  readonly element: HTMLElement;
  private readonly board = new Board();
  private readonly strips = { white: new PlayerStrip(), black: new PlayerStrip() };
  private readonly area = h("div.board-area");
  private readonly list = new MoveList(ply => this.look(ply));
  private readonly opening = new OpeningName();
  private readonly outcome = h("p.outcome", { role: "status" });
  private readonly thought = h("p.thought");
  private readonly typed = moveField(text => this.type(text));
  private readonly actions = new Actions(this);
  private readonly quiet: () => void;
  private readonly ticking: ReturnType<typeof setInterval>;
  game: Game | undefined;
  /** The shown ply, if it is not the last. */
  private looking: number | undefined;
  private premove: string | undefined;
  private hint: Hint | undefined;

  constructor(private readonly id: string) {
    const parts = [this.outcome, this.opening.element, this.list.element, this.thought, this.typed];
    const moves = h("section.card", { "aria-label": "Moves" }, ...parts);
    this.area.append(this.strips.black.element, this.board.element, this.strips.white.element);
    this.element = h("div.stage", {}, this.area, h("div.panel", {}, moves, this.actions.element));
    this.quiet = listen({
      receive: message => this.handle(message),
      opened: send => send({ type: "watch", game: id }),
    });
    this.ticking = setInterval(() => this.tick(), 100);
    addEventListener("keydown", this.list.onKey);
  }

  close(): void {
    this.quiet();
    send({ type: "unwatch", game: this.id });
    clearInterval(this.ticking);
    removeEventListener("keydown", this.list.onKey);
    this.board.close();
  }

  receive(text: string): void {
    sessionStorage.setItem("saavedra.dropped", text);
    go("analysis");
  }

  /** The side of the person who plays; undefined if two people play, or none. */
  get person(): Color | undefined {
    const { white, black } = this.game ?? {};
    if (white?.kind === black?.kind) return undefined;
    return white?.kind === "human" ? "white" : "black";
  }

  async flip(): Promise<void> {
    await this.board.flip();
    this.arrange();
  }

  /** Sends an action to the server. */
  async act(what: "abort" | "now" | "resign" | "takeback", body: { side?: Color } = {}): Promise<void> {
    this.take(await post(`/games/{id}/${what}`, body as Record<string, never>, { id: this.id }));
  }

  /** Claims a draw, accepts one, or offers one. */
  async draw(side: Color): Promise<void> {
    const { answer, game } = await post("/games/{id}/draw", { side }, { id: this.id });
    this.take(game);
    say({ claimed: "Draw claimed.", agreed: "Draw by agreement.", declined: "Draw declined." }[answer]);
  }

  async askHint(): Promise<void> {
    const hint = await post("/games/{id}/hint", {}, { id: this.id });
    if (hint.ply !== this.game?.moves.length) return;
    this.hint = hint;
    this.render();
    say(`${hint.san} looks best (${score(hint.score)}).`);
    announce(`Hint: ${spoken(hint.san)}`);
  }

  private handle(message: ServerMessage): void {
    if (message.type === "game" && message.game.id === this.id) this.take(message.game);
    if (message.type === "gone" && message.game === this.id) go("play");
    if (message.type === "error" && message.code === "not_found") {
      go("play");
      complain("This game does not exist, or was deleted.");
    }
    if (message.type === "thought" && message.game === this.id && message.ply === this.game?.moves.length) {
      const shows = this.person === undefined;
      const line = shows ? `: ${score(message.score)}  ${message.san.slice(0, 6).join(" ")}` : "";
      this.thought.textContent = `Depth ${message.depth}${line}`;
    }
  }

  /** Takes over a newer state of the game. */
  private take(game: Game): void {
    const before = this.game;
    if (before && game.revision < before.revision) return;
    this.game = game;
    if (!before) void this.board.face(this.person === "black" ? "b" : "w").then(() => this.arrange());
    const isNewMove = before !== undefined && game.moves.length > before.moves.length;
    const last = game.moves.at(-1);
    if (isNewMove && last) {
      playMove(last.san);
      this.thought.textContent = "";
    }
    // The answer to the first move may be there before the game is shown.
    if (last && (isNewMove || !before)) {
      const mover = game.position.turn === "black" ? "White" : "Black";
      announce(`${mover}: ${spoken(last.san)}`);
    }
    if (before?.moves.length !== game.moves.length) {
      this.looking = undefined;
      this.hint = undefined;
    }
    if (before?.status === "playing" && game.status === "over") {
      playSound("end");
      announce(this.result());
    }
    if (before?.draw_offer !== game.draw_offer && game.draw_offer)
      say("Your opponent offers a draw: accept it, or play on.");
    if (game.fault && before?.fault !== game.fault) complain(game.fault);
    this.render();
    this.playPremove();
  }

  private render(): void {
    const { game } = this;
    if (!game) return;
    const ply = this.looking ?? game.moves.length;
    const last = game.moves[ply - 1];
    this.board.show(ply === 0 ? game.start_fen : last!.fen, last);
    this.board.mark(this.marks(ply));
    this.board.point(this.arrows(ply));
    this.permit();
    this.list.show(game.start_fen, game.moves, ply);
    this.opening.show(game.moves.slice(0, ply));
    this.outcome.textContent = this.result();
    this.outcome.hidden = game.status === "playing";
    // Its line is reserved where an engine plays: buttons that move under the pointer are pressed by mistake.
    this.thought.hidden = game.status === "over" || (game.white.kind === "human" && game.black.kind === "human");
    this.typed.hidden = game.status === "over" || (game.white.kind === "mind" && game.black.kind === "mind");
    for (const color of ["white", "black"] as const) this.drawPlayer(color);
    this.actions.update();
  }

  private drawPlayer(color: Color): void {
    const { position, status, thinking, clocks, ...game } = this.game!;
    const isTurn = status === "playing" && position.turn === color;
    const note = isTurn ? (thinking ? "thinking" : "to move") : "";
    const strip = this.strips[color];
    strip.show(game[color].name, note, isTurn);
    strip.showTaken(this.board.position, color === "white" ? "w" : "b");
    strip.setClock(clocks?.[`${color}_ms`], clocks?.running === color);
  }

  private marks(ply: number): [string, Mark][] {
    const game = this.game!;
    const check = ply === game.moves.length ? game.position.check : game.moves[ply - 1]?.check;
    const marks: [string, Mark][] = check ? [[check, "check"]] : [];
    if (this.premove) marks.push([this.premove.slice(0, 2), "premove"], [this.premove.slice(2, 4), "premove"]);
    return marks;
  }

  private arrows(ply: number): Arrow[] {
    const { hint } = this;
    return hint?.ply === ply ? [{ from: hint.uci.slice(0, 2), to: hint.uci.slice(2, 4), kind: "hint" }] : [];
  }

  /** Lets the player to move move pieces, and the player who waits make premoves. */
  private permit(): void {
    const { position, status, ...game } = this.game!;
    if (status === "over") return this.board.freeze();
    // A piece is touched where the game is no longer: the game is shown as it stands, and may go on.
    if (this.looking !== undefined) return this.board.edit({ onSquare: () => this.backToGame() });
    const onMove = (uci: string) => void this.move(uci).catch(() => {});
    if (game[position.turn].kind === "human") return this.board.allow({ legal: position.legal, onMove });
    if (!this.person) return this.board.freeze();
    const premove: Side = this.person === "white" ? "w" : "b";
    const onPremove = (uci: string | undefined) => {
      this.premove = uci;
      this.board.mark(this.marks(this.game!.moves.length));
      if (uci) announce(`Premove ${uci.slice(0, 2)} to ${uci.slice(2, 4)}`);
    };
    this.board.allow({ legal: [], premove, onMove, onPremove });
  }

  private playPremove(): void {
    const { position, status } = this.game!;
    if (!this.premove || (status === "playing" && position.turn !== this.person)) return;
    const start = this.premove.slice(0, 2);
    const end = this.premove.slice(2, 4);
    const fits = position.legal.filter(move => move.from === start && [move.to, move.castle_rook].includes(end));
    const mv = fits.find(move => move.promotion === null || move.promotion === "queen");
    this.premove = undefined;
    this.board.mark(this.marks(this.game!.moves.length));
    if (mv && status === "playing") void this.move(mv.uci).catch(() => {});
  }

  private async type(text: string): Promise<void> {
    this.looking = undefined;
    await this.move(text);
  }

  private async move(text: string): Promise<void> {
    const ply = this.game?.moves.length ?? 0;
    // Until the server has answered, no second move is made.
    this.board.allow({ legal: [], onMove: () => {} });
    try {
      this.take(await post("/games/{id}/move", { move: text, ply }, { id: this.id }));
    } catch (error) {
      complain(error);
      if (error instanceof ApiError) announce(error.message);
      this.render();
      throw error;
    }
  }

  private backToGame(): void {
    this.look(this.game!.moves.length);
    say("Back to the current position.");
  }

  private look(ply: number): void {
    this.looking = ply === this.game?.moves.length ? undefined : ply;
    this.render();
  }

  /** Shows the player at the bottom of the board below it. */
  private arrange(): void {
    const [above, below] =
      this.board.orientation === "w" ? (["black", "white"] as const) : (["white", "black"] as const);
    this.area.prepend(this.strips[above].element);
    this.area.append(this.strips[below].element);
  }

  private tick(): void {
    for (const color of ["white", "black"] as const) this.strips[color].tick(color === this.person);
  }

  private result(): string {
    const { winner, reason, result, status } = this.game!;
    if (status === "playing") return "";
    const who =
      winner === "white" ? "White wins" : winner === "black" ? "Black wins" : result === "*" ? "Aborted" : "Draw";
    return reason && reason !== "aborted" ? `${who}: ${reason}` : who;
  }

  /** Opens this game in another view. */
  leave(view: "analysis" | "review"): void {
    attempt(async () => go(view, [], { game: this.id }));
  }
}
