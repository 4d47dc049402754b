// Which piece a pawn becomes: four buttons in a dialog.

import { h, svg } from "../dom";
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

/** Asks for a piece; undefined if the dialog was dismissed. */
export function askPromotion(side: Side): Promise<Promotion | undefined> {
  const offered: Promotion[] = ["q", "r", "b", "n"];
  return new Promise(resolve => {
    const dialog = h("dialog.promotion", { "aria-label": "Promote to" });
    const choose = (role?: Promotion) => {
      dialog.close();
      dialog.remove();
      resolve(role);
    };
    for (const role of offered) {
      const name = pieceName(side + role);
      dialog.append(
        h("button", { type: "button", "aria-label": name, onclick: () => choose(role) }, pieceIcon(side + role)),
      );
    }
    dialog.addEventListener("cancel", () => choose());
    dialog.addEventListener("click", event => event.target === dialog && choose());
    dialog.addEventListener("keydown", event => {
      const role = offered.find(role => role === event.key.toLowerCase());
      if (role) choose(role);
    });
    document.body.append(dialog);
    // A click on the board that is still being handled would take the focus away from the dialog.
    setTimeout(() => dialog.showModal());
  });
}
