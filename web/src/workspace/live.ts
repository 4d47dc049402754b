// A game in progress: what the server tells of it, what the player may do, premoves and hints.

import { announce } from "../announce";
import { ApiError, post, type Color, type Game, type Hint, type Player, type PlayerRequest } from "../api";
import type { Board } from "../board/board";
import type { Arrow, Mark } from "../board/overlay";
import type { Side } from "../board/squares";
import { score, spoken } from "../format";
import { inLetters } from "../notation";
import { complain, say } from "../notice";
import { endReason } from "../result";
import { go } from "../route";
import { listen, send, type ServerMessage } from "../socket";
import { play as playSound, playMove } from "../sound";
import { told, w } from "../words";

/** What the workspace does when the game tells something. */
export interface LiveHost {
  board: Board;
  /** The game is another one: it is shown again. */
  changed(before: Game | undefined): void;
  finished(): void;
  /** What the engine thinks, where one may know. */
  thought(text: string): void;
  redraw(): void;
  backToGame(): void;
  /** Whether an older move is shown. */
  isLookingBack(): boolean;
}

type Change = ServerMessage & { type: "change" };

let sent = 0;

export class Live {
  /** The moves that were sent and not answered yet. */
  private readonly answered = new Map<string, { ply: number; isInDoubt?: boolean; end: (error?: Error) => void }>();
  game: Game | undefined;
  premove: string | undefined;
  private hint: Hint | undefined;
  private readonly quiet: () => void;

  constructor(
    readonly id: string,
    private readonly host: LiveHost,
  ) {
    this.quiet = listen({
      receive: message => this.handle(message),
      opened: () => {
        for (const move of this.answered.values()) move.isInDoubt = true;
        this.watch();
      },
    });
  }

  close(): void {
    this.quiet();
    send({ type: "unwatch", game: this.id });
  }

  /** Asks for the whole game once, and from then on for what changes. */
  private watch(): void {
    send({ type: "watch", game: this.id, changes: true });
  }

  /** The side of the person who plays; undefined if two people play, or none. */
  get person(): Color | undefined {
    const { white, black } = this.game ?? {};
    if (white?.kind === black?.kind) return undefined;
    return white?.kind === "human" ? "white" : "black";
  }

  get hasPerson(): boolean {
    return this.game?.white.kind === "human" || this.game?.black.kind === "human";
  }

  get isPersonsTurn(): boolean {
    const { game } = this;
    return game !== undefined && game.status === "playing" && game[game.position.turn].kind === "human";
  }

  /** Sends an action to the server. */
  async act(what: "abort" | "now" | "resign" | "takeback", body: { side?: Color } = {}): Promise<void> {
    this.take(await post(`/games/{id}/${what}`, body as Record<string, never>, { id: this.id }));
  }

  resign(): Promise<void> {
    return this.act("resign", { side: this.person ?? this.game!.position.turn });
  }

  /** Claims a draw, accepts one, or offers one. */
  async draw(): Promise<void> {
    const side = this.person ?? this.game!.position.turn;
    const { answer, game } = await post("/games/{id}/draw", { side }, { id: this.id });
    this.take(game);
    say(w.drawAnswers[answer]);
  }

  get drawLabel(): string {
    if (this.game?.draw_offer) return w.acceptDraw;
    return this.game?.position.claimable && this.isPersonsTurn ? w.claimDraw : w.offerDraw;
  }

  async askHint(): Promise<void> {
    const hint = await post("/games/{id}/hint", {}, { id: this.id });
    if (hint.ply !== this.game?.moves.length) return;
    this.hint = hint;
    this.host.redraw();
    say(w.hintSays(inLetters(hint.san), score(hint.score)));
    announce(`${w.hint}: ${spoken(hint.san)}`);
  }

  /** Marks and arrows of the shown ply. */
  marks(ply: number): [string, Mark][] {
    const game = this.game!;
    const check = ply === game.moves.length ? game.position.check : game.moves[ply - 1]?.check;
    const marks: [string, Mark][] = check ? [[check, "check"]] : [];
    if (this.premove) marks.push([this.premove.slice(0, 2), "premove"], [this.premove.slice(2, 4), "premove"]);
    return marks;
  }

  arrows(ply: number): Arrow[] {
    const { hint } = this;
    return hint?.ply === ply ? [{ from: hint.uci.slice(0, 2), to: hint.uci.slice(2, 4), kind: "hint" }] : [];
  }

  /** Lets the player to move move pieces, and the player who waits make premoves. */
  permit(): void {
    const { board } = this.host;
    const { position, status, ...game } = this.game!;
    if (status === "over") return board.freeze();
    // A piece is touched where the game is no longer: the game is shown as it stands, and may go on.
    if (this.host.isLookingBack()) return board.edit({ onSquare: () => this.host.backToGame() });
    const onMove = (uci: string) => void this.move(uci).catch(() => {});
    if (game[position.turn].kind === "human") return board.allow({ legal: position.legal, onMove });
    if (!this.person) return board.freeze();
    const premove: Side = this.person === "white" ? "w" : "b";
    const onPremove = (uci: string | undefined) => {
      this.premove = uci;
      board.mark(this.marks(this.game!.moves.length));
      if (uci) announce(w.premoveSays(uci.slice(0, 2), uci.slice(2, 4)));
    };
    board.allow({ legal: [], premove, onMove, onPremove });
  }

  async move(text: string): Promise<void> {
    const ply = this.game?.moves.length ?? 0;
    // Until the server has answered, no second move is made.
    this.host.board.allow({ legal: [], onMove: () => {} });
    try {
      await this.send(text, ply);
    } catch (error) {
      complain(error);
      if (error instanceof ApiError) announce(error.message);
      this.host.redraw();
      throw error;
    }
  }

  /** Sends a move. Its answer is the change of the game, or an error that carries the same name. */
  private send(move: string, ply: number): Promise<void> {
    const id = `move-${++sent}`;
    return new Promise((resolve, reject) => {
      const end = (error?: Error) => {
        this.answered.delete(id);
        if (error) reject(error);
        else resolve();
      };
      this.answered.set(id, { ply, end });
      if (!send({ type: "play", id, game: this.id, move, ply })) end(new Error(w.notPlayed));
    });
  }

  /** Starts a game of the same players with colors swapped, from the same position. */
  async rematch(): Promise<void> {
    const game = this.game!;
    const seat = (player: Player): PlayerRequest =>
      player.kind === "human" ? player : { kind: "mind", mind: player.mind };
    const { time, move_ms, pause_ms, help, chess960, start_fen } = game;
    const start = chess960 === null ? { fen: start_fen } : { chess960 };
    const [white, black] = [seat(game.black), seat(game.white)];
    const next = await post("/games", { white, black, time, move_ms, pause_ms, help, ...start });
    go("game", [next.id]);
  }

  private handle(message: ServerMessage): void {
    if (message.type === "game" && message.game.id === this.id) this.takeWhole(message.game);
    if (message.type === "change" && message.game === this.id) this.takeChange(message);
    if (message.type === "error" && message.id && this.answered.has(message.id))
      this.answered.get(message.id)!.end(new ApiError(message.code, message.message, message.problems));
    if (message.type === "gone" && message.game === this.id) go("");
    if (message.type === "thought" && message.game === this.id && message.ply === this.game?.moves.length) {
      const line =
        this.person === undefined
          ? `: ${score(message.score)}  ${message.san.slice(0, 6).map(inLetters).join(" ")}`
          : "";
      this.host.thought(`${w.depth(message.depth)}${line}`);
    }
  }

  /** Takes over what changed. Whoever missed a change asks for the whole game. */
  private takeChange({ type: _, game: __, follows, kept, moves, ...now }: Change): void {
    if (!this.game || follows > this.game.revision) return this.watch();
    if (now.revision <= this.game.revision) return;
    this.take({ ...this.game, ...now, moves: [...this.game.moves.slice(0, kept), ...moves] });
  }

  /** Takes over the whole game. Moves that were under way when the connection broke and are not in it were lost. */
  private takeWhole(game: Game): void {
    for (const { ply, isInDoubt, end } of [...this.answered.values()])
      if (isInDoubt && ply >= game.moves.length) end(new Error(w.notPlayed));
    this.take(game);
  }

  /** Takes over a newer state of the game. */
  private take(game: Game): void {
    const before = this.game;
    if (before && game.revision < before.revision) return;
    this.game = game;
    for (const { end } of [...this.answered.values()]) end();
    const isNewMove = before !== undefined && game.moves.length > before.moves.length;
    const last = game.moves.at(-1);
    if (isNewMove && last) {
      playMove(last.san);
      this.host.thought("");
    }
    // The answer to the first move may be there before the game is shown.
    if (last && (isNewMove || !before))
      announce(`${game.position.turn === "black" ? w.white : w.black}: ${spoken(last.san)}`);
    if (before?.moves.length !== game.moves.length) this.hint = undefined;
    const isOver = before?.status === "playing" && game.status === "over";
    if (isOver) {
      playSound("end");
      say(outcome(game));
    }
    if (before?.draw_offer !== game.draw_offer && game.draw_offer) say(w.drawOffered);
    if (game.fault && before?.fault !== game.fault) complain(told(game.fault));
    this.host.changed(before);
    this.playPremove();
    if (isOver) this.host.finished();
  }

  private playPremove(): void {
    const { position, status } = this.game!;
    if (!this.premove || (status === "playing" && position.turn !== this.person)) return;
    const [start, end] = [this.premove.slice(0, 2), this.premove.slice(2, 4)];
    const fits = position.legal.filter(move => move.from === start && [move.to, move.castle_rook].includes(end));
    const move = fits.find(move => move.promotion === null || move.promotion === "queen");
    this.premove = undefined;
    this.host.board.mark(this.marks(this.game!.moves.length));
    if (move && status === "playing") void this.move(move.uci).catch(() => {});
  }
}

/** How a game ended. */
export function outcome({ winner, reason, result, status }: Game): string {
  if (status === "playing") return "";
  const who =
    winner === "white" ? w.whiteWins : winner === "black" ? w.blackWins : result === "*" ? w.aborted : w.drawn;
  return reason && reason !== "aborted" ? `${who}: ${endReason(reason)}` : who;
}
