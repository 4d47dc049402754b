// Which piece a pawn becomes: four buttons at the square it goes to.

import { h, svg } from "../dom";
import { w } from "../words";
import { pieceName, type Promotion, type Side } from "./squares";

/** The picture of a piece. */
export function pieceIcon(piece: string): SVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 40 40", class: "piece-icon", "aria-hidden": "true" },
    svg("use", { href: `#${piece}` }),
  );
}

/** The outline of a piece in the color of the text around it. */
export function roleIcon(role: string): SVGElement {
  const outline = svg("use", { href: `#outline-${role}`, fill: "currentColor" });
  return svg("svg", { viewBox: "0 0 40 40", class: "piece-icon", "aria-hidden": "true" }, outline);
}

/** Asks for a piece, at the square it goes to; undefined if it was dismissed. */
export function askPromotion(board: HTMLElement, side: Side, [left, top]: number[]): Promise<Promotion | undefined> {
  const offered: Promotion[] = ["q", "r", "b", "n"];
  return new Promise(resolve => {
    const over = new AbortController();
    const choose = (role?: Promotion) => {
      over.abort();
      chooser.remove();
      resolve(role);
    };
    const buttons = offered.map(role =>
      h(
        "button",
        { type: "button", "aria-label": pieceName(side + role), onclick: () => choose(role) },
        pieceIcon(side + role),
      ),
    );
    // The pieces stand in a column that begins at the square and goes into the board.
    if (top! > 0.5) buttons.reverse();
    const chooser = h("div.promotion", { role: "dialog", "aria-label": w.promoteTo }, ...buttons);
    chooser.style.left = `${left! * 100}%`;
    chooser.style.top = `${top! > 0.5 ? (top! - 0.375) * 100 : top! * 100}%`;
    const keys = (event: KeyboardEvent) => {
      const role = offered.find(role => role === event.key.toLowerCase());
      if (role || event.key === "Escape") choose(role);
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) buttons[(buttons.indexOf(document.activeElement as HTMLButtonElement) + step + 4) % 4]?.focus();
      if (event.key !== "Tab" && event.key !== "Enter" && event.key !== " ") event.preventDefault();
      event.stopPropagation();
    };
    // Wherever the focus is: it comes a moment later.
    addEventListener("keydown", keys, { capture: true, signal: over.signal });
    board.append(chooser);
    // A click on the board that is still being handled would take the focus away, and count as a click elsewhere.
    setTimeout(() => {
      chooser.querySelector<HTMLElement>(`[aria-label="${pieceName(`${side}q`)}"]`)?.focus();
      const elsewhere = (event: Event) => !chooser.contains(event.target as Node) && choose();
      if (!over.signal.aborted) addEventListener("pointerdown", elsewhere, { capture: true, signal: over.signal });
    });
  });
}
