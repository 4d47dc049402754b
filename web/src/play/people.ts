// The person at this board. In game scores they are called `You`, whatever language the page speaks.

import type { Color } from "../api";
import { w } from "../words";

export const SELF = "You";

/** A player as the page calls them. */
export function playerName(name: string): string {
  return name === SELF ? w.you : name;
}

/** The side that the person at this board played, if it is known. */
export function ownSide({ white, black }: { white?: string; black?: string }): Color | undefined {
  if ((white === SELF) === (black === SELF)) return undefined;
  return white === SELF ? "white" : "black";
}
