// The keys of the workspace. They are listed under `?`.

import { iconButton } from "../icons";
import { attempt } from "../notice";
import { isFree } from "../parts/moves";
import { w } from "../words";
import type { Workspace } from "./workspace";

/** The way out of zen mode without a keyboard. */
export function leaveZen(): HTMLElement {
  const button = iconButton("close", w.leaveZen, () => document.documentElement.classList.remove("zen"), "z");
  button.classList.add("leave-zen");
  return button;
}

export function onKey(workspace: Workspace, event: KeyboardEvent): void {
  workspace.list.onKey(event);
  if (!isFree(event)) return;
  const isOnButton = event.target instanceof Element && event.target.closest("button, a, summary") !== null;
  const { engine, review, panel, isPlaying } = workspace;
  const acts: Record<string, () => void> = {
    f: () => attempt(() => workspace.flip()),
    z: () => document.documentElement.classList.toggle("zen"),
    Escape: () => document.documentElement.classList.remove("zen"),
  };
  if (!isPlaying) {
    acts.l = () => engine.turn(!engine.isOn);
    acts.x = () => engine.setThreat(!engine.isThreat);
    acts.n = () => {
      if (panel.tab !== "review") panel.choose("review");
      review.toMistake(1);
    };
    if (panel.tab === "review" && !isOnButton) acts[" "] = () => review.tryShown();
    if (panel.tab !== "review" && !isOnButton) acts[" "] = () => workspace.playBest();
    acts.Delete = () =>
      workspace.canRemove(workspace.line.at) && attempt(() => workspace.removeFrom(workspace.line.at));
  }
  const act = acts[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}
