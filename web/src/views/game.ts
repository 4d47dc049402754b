// A game at its address: played, analysed and reviewed in one workspace.

import { ApiError, type KeptGame } from "../api";
import { h } from "../dom";
import { openGame } from "../games";
import { complain } from "../notice";
import { go, type Route, type View } from "../route";
import { w } from "../words";
import { Workspace } from "../workspace/workspace";

export function open(route: Route): View {
  const [id = ""] = route.rest;
  return show(openGame(id), route.query, error => {
    go("");
    complain(error instanceof ApiError && error.code === "not_found" ? w.noSuchGame : error);
  });
}

/** Shows a game once it is there. */
export function show(opened: Promise<KeptGame>, query: URLSearchParams, failed: (error: unknown) => void): View {
  const element = h("div.workspace-place");
  let workspace: Workspace | undefined;
  let isClosed = false;
  opened
    .then(kept => {
      if (isClosed) return;
      workspace = new Workspace(kept, query);
      element.append(workspace.element);
      workspace.begin();
      if (wantsFocus) workspace.focusBoard();
    })
    .catch((error: unknown) => !isClosed && failed(error));
  // Those who play by keyboard go on playing: a game that was begun on one board is continued on another.
  const wantsFocus = document.activeElement?.classList.contains("board") ?? false;
  return {
    element,
    get isPlaying() {
      return workspace?.isPlaying ?? false;
    },
    close: () => {
      isClosed = true;
      workspace?.close();
    },
  };
}
