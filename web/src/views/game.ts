// A game at its address: played, analysed and reviewed in one workspace.

import { ApiError } from "../api";
import { h } from "../dom";
import { openGame } from "../games";
import { complain } from "../notice";
import { go, type Route, type View } from "../route";
import { w } from "../words";
import { Workspace } from "../workspace/workspace";

export function open(route: Route): View {
  const element = h("div.workspace-place");
  const [id = ""] = route.rest;
  let workspace: Workspace | undefined;
  let isClosed = false;
  openGame(id)
    .then(kept => {
      if (isClosed) return;
      workspace = new Workspace(kept, route.query);
      element.append(workspace.element);
      workspace.begin();
      if (wantsFocus) workspace.focusBoard();
    })
    .catch((error: unknown) => {
      if (isClosed) return;
      go("");
      complain(error instanceof ApiError && error.code === "not_found" ? w.noSuchGame : error);
    });
  // Those who play by keyboard go on playing: a game that was begun on one board is continued on another.
  const wantsFocus = document.activeElement?.classList.contains("board") ?? false;
  return {
    element,
    close: () => {
      isClosed = true;
      workspace?.close();
    },
  };
}
