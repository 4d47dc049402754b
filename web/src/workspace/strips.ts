// The two players: names, what they have more of, and their clocks. Who is at the bottom of the board is below it.

import type { Game } from "../api";
import { other, sideToMove, type Side } from "../board/squares";
import type { Line } from "../parts/line";
import { PlayerStrip } from "../parts/player";
import { playerName } from "../play/people";
import { w } from "../words";

export class Strips {
  private readonly strips = { w: new PlayerStrip(), b: new PlayerStrip() };
  private readonly timer = setInterval(() => this.tick(), 100);
  private person: Side | undefined;
  private clocks: Game["clocks"] | undefined;

  constructor() {
    this.face("w");
  }

  get elements(): HTMLElement[] {
    return [this.strips.b.element, this.strips.w.element];
  }

  close(): void {
    clearInterval(this.timer);
  }

  face(side: Side): void {
    for (const name of ["w", "b"] as const) this.strips[name].element.classList.toggle("below", name === side);
  }

  /** Shows a game in progress. */
  showLive(game: Game, fen: string, person: Side | undefined): void {
    this.person = person;
    for (const [name, color] of [["w", "white"] as const, ["b", "black"] as const]) {
      const isTurn = game.status === "playing" && game.position.turn === color;
      const note = isTurn ? (game.thinking ? w.thinking : w.toMove) : "";
      const strip = this.strips[name];
      strip.show(playerName(game[color].name), note, isTurn);
      strip.showTaken(fen, name);
      // Drawn again with the same clocks, they go on: what was told once is not told anew.
      const { clocks } = game;
      if (clocks !== this.clocks) strip.setClock(clocks?.[`${color}_ms`], clocks?.running === color, clocks?.pause_ms);
    }
    this.clocks = game.clocks;
  }

  /** Shows a game that is over: names from its tags, and the clocks as they were at the shown move. */
  showKept(line: Line): void {
    this.person = undefined;
    this.clocks = undefined;
    const { tags } = line.tree.told;
    const points: Record<string, [string, string]> = { "1-0": ["1", "0"], "0-1": ["0", "1"], "1/2-1/2": ["½", "½"] };
    const way = line.moves.slice(0, line.ply);
    const isLast = line.ply === line.moves.length && line.isMain;
    const result = line.position?.over?.result ?? line.tree.told.result;
    for (const name of ["w", "b"] as const) {
      const strip = this.strips[name];
      const named = tags[name === "w" ? "White" : "Black"];
      const rating = tags[name === "w" ? "WhiteElo" : "BlackElo"];
      const note = [rating, isLast && points[result]?.[name === "w" ? 0 : 1]].filter(Boolean).join(" · ");
      const isTurn = sideToMove(line.fen) === name && !isLast;
      strip.show(!named || named === "?" ? (name === "w" ? w.white : w.black) : playerName(named), note, isTurn);
      strip.showTaken(line.fen, name);
      // The mover of a step is the side that is not to move after it.
      const shown = way.findLast(step => other(sideToMove(step.fen)) === name && typeof step.clock_ms === "number");
      strip.setClock(shown?.clock_ms ?? undefined, false);
    }
  }

  private tick(): void {
    for (const name of ["w", "b"] as const) this.strips[name].tick(name === this.person);
  }
}
