// Buttons: a plain one, and one that asks for confirmation.

import { h } from "../dom";
import { attempt } from "../notice";

/** A button whose action may fail. */
export function button(label: string, work: () => Promise<unknown> | void): HTMLButtonElement {
  return h("button", { type: "button", onclick: () => attempt(async () => work()) }, label);
}

/** A button that must be pressed twice, because there is no undo. Any other click or key cancels it. */
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
