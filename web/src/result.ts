// Why a game ended, in the words of the page. The server tells and stores it in a few English words.

import { w } from "./words";

/** `white resigned`, `threefold repetition, claimed by black`; what is not known is told as it is. */
export function endReason(reason: string): string {
  const [what = "", claimed] = reason.split(", claimed by ");
  const draw = w.drawReasons[what];
  if (draw) return claimed ? w.claimed(draw) : draw;
  if (reason === "checkmate") return w.checkmate;
  if (reason === "agreement") return w.agreement;
  const [, side, act] = /^(white|black) (resigned|ran out of time)(, and .* cannot mate)?$/.exec(reason) ?? [];
  if (!side) return reason;
  const name = side === "white" ? w.white : w.black;
  if (act === "resigned") return w.resigned(name);
  return reason.includes("cannot mate") ? w.outOfTimeDraw(name) : w.outOfTime(name);
}

/** A result as the page writes it: `1–0`, `½–½`; nothing while it is open. */
export function resultSign(result: string): string {
  return result === "*" ? "" : result.replace("1/2-1/2", "½–½").replace("-", "–");
}
