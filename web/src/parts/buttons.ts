// Buttons: one that does something at once, and one that wants to be sure.

import { h } from "../dom";
import { attempt } from "../notice";

/** A button that does something which may fail. */
export function button(label: string, work: () => Promise<unknown> | void): HTMLButtonElement {
  return h("button", { type: "button", onclick: () => attempt(async () => work()) }, label);
}

/** A button that wants to be pressed twice, because there is no way back. */
export function twice(label: string, work: () => Promise<unknown>): HTMLButtonElement {
  let isSure = false;
  const element = button(label, () => {
    if (isSure) return work();
    isSure = true;
    element.textContent = `${label}: sure?`;
    setTimeout(() => {
      isSure = false;
      element.textContent = label;
    }, 3000);
  });
  return element;
}
