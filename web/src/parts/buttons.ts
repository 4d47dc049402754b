// Buttons.

import { h } from "../dom";
import { attempt } from "../notice";

/** A button whose action may fail. */
export function button(label: string, work: () => Promise<unknown> | void): HTMLButtonElement {
  return h("button", { type: "button", onclick: () => attempt(async () => work()) }, label);
}
