// Buttons: one that does something at once, and one that wants to be sure.

import { h } from "../dom";
import { attempt } from "../notice";

/** A button that does something which may fail. */
export function button(label: string, work: () => Promise<unknown> | void): HTMLButtonElement {
  return h("button", { type: "button", onclick: () => attempt(async () => work()) }, label);
}

/** A button that wants to be pressed twice, because there is no way back. Whatever is done elsewhere first calls it off. */
export function twice(label: string, work: () => Promise<unknown>): HTMLButtonElement {
  let waiting: AbortController | undefined;
  const callOff = () => {
    waiting?.abort();
    waiting = undefined;
    element.textContent = label;
  };
  const element = button(label, () => {
    const isSure = waiting !== undefined;
    callOff();
    if (isSure) return work();
    waiting = new AbortController();
    const { signal } = waiting;
    const elsewhere = (event: Event) => event.target !== element && callOff();
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, elsewhere, { capture: true, signal });
    element.textContent = `${label}: sure?`;
  });
  return element;
}
