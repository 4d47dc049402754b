// The piece sets: sprites of twelve pieces that are put where cm-chessboard looks for them.

import { h } from "./dom";
import { onSettings, settings, type Settings } from "./settings";

const sprite = h("div.sprite", { id: "cm-chessboard-sprite", "aria-hidden": "true" });
let shown: Settings["pieces"] | undefined;

/** Loads the chosen set, and another one when another is chosen. */
export async function installPieces(): Promise<void> {
  document.body.append(sprite);
  onSettings(() => void load());
  await load();
}

async function load(): Promise<void> {
  const wanted = settings.pieces;
  if (wanted === shown) return;
  shown = wanted;
  const text = await (await fetch(PIECES_URLS[wanted])).text();
  if (shown === wanted) sprite.innerHTML = text;
}
