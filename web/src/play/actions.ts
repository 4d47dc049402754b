// The buttons of a game; those that do not apply now are hidden.

import { get, post, type Game, type Player, type PlayerRequest } from "../api";
import { h } from "../dom";
import { copy, save } from "../files";
import { button, twice } from "../parts/buttons";
import { go } from "../route";
import type { PlayedGame } from "./game";

/** A button, and when it is shown. */
interface Action {
  button: HTMLButtonElement;
  fits: (game: Game) => boolean;
  label?: (game: Game) => string;
}

export class Actions {
  readonly element: HTMLElement;
  private readonly actions: Action[];

  constructor(private readonly play: PlayedGame) {
    const often = this.oftenUsed();
    const always = this.alwaysThere();
    for (const { button } of always) button.classList.add("quiet");
    this.actions = [...often, ...always];
    const row = (actions: Action[]) => h("div.row", {}, ...actions.map(action => action.button));
    this.element = h("section.card.actions", { "aria-label": "Actions" }, row(often), row(always));
    for (const { button } of this.actions) button.hidden = true;
  }

  /** Buttons are shown and hidden but never replaced, so that a focus on one of them survives. */
  update(): void {
    const { game } = this.play;
    if (!game) return;
    for (const { button, fits, label } of this.actions) {
      button.hidden = !fits(game);
      if (label && !button.hidden && button.textContent !== label(game)) button.textContent = label(game);
    }
  }

  private oftenUsed(): Action[] {
    const { play } = this;
    const side = () => ({ side: play.person ?? play.game!.position.turn });
    const again = button("Play again", () => rematch(play.game!));
    again.classList.add("primary");
    const isOn = (game: Game) => game.status === "playing";
    const isOver = (game: Game) => game.status === "over";
    const drawWords = (game: Game) => {
      if (game.draw_offer) return "Accept the draw";
      return game.position.claimable && isPersonsTurn(game) ? "Claim a draw" : "Offer a draw";
    };
    return [
      { button: again, fits: isOver },
      { button: button("Review", () => play.leave("review")), fits: isOver },
      {
        button: button("Take back", () => play.act("takeback")),
        fits: game => isOn(game) && hasPerson(game) && game.moves.length > 0,
      },
      { button: button("Hint", () => play.askHint()), fits: game => isOn(game) && isPersonsTurn(game) },
      {
        button: button("Draw", () => play.draw(side().side)),
        fits: game => isOn(game) && hasPerson(game),
        label: drawWords,
      },
      { button: twice("Resign", () => play.act("resign", side())), fits: game => isOn(game) && hasPerson(game) },
      {
        button: button("Move now", () => play.act("now")),
        fits: game => isOn(game) && game.thinking && hasPerson(game),
      },
      {
        button: button("Abort", () => play.act("abort")),
        fits: game => isOn(game) && (!hasPerson(game) || game.fault !== null),
      },
    ];
  }

  private alwaysThere(): Action[] {
    const { play } = this;
    const savePgn = async () => {
      const { id } = play.game!;
      save(`saavedra-${id}.pgn`, await get("/games/{id}/pgn", { id }));
    };
    const always = () => true;
    return [
      { button: button("Flip", () => play.flip()), fits: always },
      { button: button("Analyse", () => play.leave("analysis")), fits: always },
      { button: button("Copy FEN", () => copy(play.game!.position.fen, "FEN")), fits: always },
      { button: button("Save PGN", savePgn), fits: always },
      { button: button("New game", () => go("play")), fits: always },
    ];
  }
}

function hasPerson({ white, black }: Game): boolean {
  return white.kind === "human" || black.kind === "human";
}

function isPersonsTurn(game: Game): boolean {
  return game[game.position.turn].kind === "human";
}

/** Starts a game of the same players with colors swapped, from the same position. */
async function rematch(game: Game): Promise<void> {
  const seat = (player: Player): PlayerRequest =>
    player.kind === "human" ? player : { kind: "mind", mind: player.mind };
  const { time, move_ms, pause_ms, chess960, start_fen } = game;
  const start = chess960 === null ? { fen: start_fen } : { chess960 };
  const white = seat(game.black);
  const black = seat(game.white);
  const next = await post("/games", { white, black, time, move_ms, pause_ms, ...start });
  go("play", [next.id]);
}
