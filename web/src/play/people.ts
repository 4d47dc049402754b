// The person at this board. In game scores they are called `You`, whatever language the page speaks.

import type { Color, ListedGame } from "../api";
import { settings } from "../settings";
import { w } from "../words";

export const SELF = "You";

/** A player as the page calls them. */
export function playerName(name: string): string {
  return name === SELF ? w.you : name;
}

/** Whether a name is one of those that the person at this board goes by. */
function isOwn(name = ""): boolean {
  const plain = (text: string) => text.trim().toLowerCase();
  return name === SELF || (name !== "" && settings.names.split(";").map(plain).includes(plain(name)));
}

/** The side that the person at this board played, if it is known. */
export function ownSide({ white, black }: { white?: string; black?: string }): Color | undefined {
  if (isOwn(white) === isOwn(black)) return undefined;
  return isOwn(white) ? "white" : "black";
}

/** Whether it is known who played. */
export function isNamed({ white, black }: Pick<ListedGame, "white" | "black">): boolean {
  return [white, black].some(name => name && name !== "?");
}

/** What a game is called in lists. */
export function gameTitle(game: ListedGame): string {
  const name = (player: string) => playerName(player) || "?";
  if (isNamed(game)) return `${name(game.white)} – ${name(game.black)}`;
  return game.kind === "analysis" ? w.analysisOf(game.plies) : w.game;
}
