// Playing: the options of a new game.

import { Lobby } from "../play/lobby";
import type { Route, View } from "../route";

export function open(route: Route): View {
  return new Lobby(route.query);
}
