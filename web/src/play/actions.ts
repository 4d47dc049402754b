// What one may do in a game, as buttons; those that make no sense now are not shown.

import { get, post, type Game, type Player } from "../api";
import { fill, h } from "../dom";
import { copy, save } from "../files";
import { attempt } from "../notice";
import { go } from "../route";
import type { PlayedGame } from "./game";

export class Actions {
  readonly element = h("section.card.actions", { "aria-label": "Actions" });
  private drawn = "";

  constructor(private readonly play: PlayedGame) {}

  update(): void {
    const { game } = this.play;
    if (!game) return;
    // Buttons are only replaced when other ones are due, so that a focus on one of them survives.
    const state = [
      game.status,
      game.thinking,
      game.moves.length > 0,
      game.draw_offer,
      game.position.claimable,
      game.fault,
    ];
    if (state.join() === this.drawn) return;
    this.drawn = state.join();
    fill(
      this.element,
      h("div.row", {}, ...(game.status === "playing" ? this.whilePlaying(game) : this.afterwards(game))),
      h("div.row", {}, ...this.always(game)),
    );
  }

  private whilePlaying(game: Game): HTMLElement[] {
    const { play } = this;
    const hasPerson = game.white.kind === "human" || game.black.kind === "human";
    const isPersonsTurn = game[game.position.turn].kind === "human";
    const buttons: HTMLElement[] = [];
    if (hasPerson && game.moves.length > 0) buttons.push(button("Take back", () => play.act("takeback")));
    if (isPersonsTurn) buttons.push(button("Hint", () => play.askHint()));
    if (hasPerson) {
      const claims = game.position.claimable !== null && isPersonsTurn;
      const words = game.draw_offer ? "Accept the draw" : claims ? "Claim a draw" : "Offer a draw";
      const side = play.person ?? game.position.turn;
      buttons.push(
        button(words, () => play.act("draw", { side })),
        twice("Resign", () => play.act("resign", { side })),
      );
    }
    if (game.thinking && hasPerson) buttons.push(button("Move now", () => play.act("now")));
    if (!hasPerson || game.fault) buttons.push(button("Break off", () => play.act("abort")));
    return buttons;
  }

  private afterwards(game: Game): HTMLElement[] {
    const { play } = this;
    const hasPerson = game.white.kind === "human" || game.black.kind === "human";
    const again = button("Play again", () => rematch(game));
    again.classList.add("primary");
    return [
      again,
      button("Review", () => play.leave("review")),
      button("Analyse", () => play.leave("analysis")),
      ...(hasPerson && game.moves.length > 0 ? [button("Take back", () => play.act("takeback"))] : []),
    ];
  }

  private always(game: Game): HTMLElement[] {
    const pgn = () => get<string>(`/games/${game.id}/pgn`);
    const shown = game.status === "playing" ? [button("Analyse", async () => this.play.leave("analysis"))] : [];
    return [
      button("Flip", async () => this.play.flip()),
      ...shown,
      button("Copy FEN", () => copy(this.play.game!.position.fen, "FEN")),
      button("Save PGN", async () => save(`saavedra-${game.id}.pgn`, await pgn())),
      button("New game", async () => go("play")),
    ].map(element => {
      element.classList.add("quiet");
      return element;
    });
  }
}

/** The same players with colours changed, from the same start. */
async function rematch(game: Game): Promise<void> {
  const seat = ({ kind, name, mind }: Player): Player => (kind === "human" ? { kind, name } : { kind, mind });
  const { time, move_ms, pause_ms, chess960, start_fen } = game;
  const start = chess960 === null ? { fen: start_fen } : { chess960 };
  const white = seat(game.black);
  const black = seat(game.white);
  const next = await post<Game>("/games", { white, black, time, move_ms, pause_ms, ...start });
  go("play", [next.id]);
}

function button(label: string, work: () => Promise<unknown> | void): HTMLButtonElement {
  return h("button", { type: "button", onclick: () => attempt(async () => work()) }, label);
}

/** A button that wants to be pressed twice, because there is no way back. */
function twice(label: string, work: () => Promise<unknown>): HTMLButtonElement {
  let isSure = false;
  const element = button(label, () => {
    if (isSure) return work();
    isSure = true;
    element.textContent = `${label}: sure?`;
    setTimeout(() => {
      isSure = false;
      element.textContent = label;
    }, 3000);
  });
  return element;
}
