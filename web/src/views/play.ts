// Playing: without a game in the address the lobby, with one the game.

import { Lobby } from "../play/lobby";
import { PlayedGame } from "../play/game";
import type { Route, View } from "../route";

export function open(route: Route): View {
  const [id] = route.rest;
  return id ? new PlayedGame(id) : new Lobby(route.query);
}
