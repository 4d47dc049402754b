// Moves by keyboard alone: a field that takes `e4`, `Nf3`, `O-O` or `e2e4`.

import { field, h } from "../dom";
import { fromLetters, typeable } from "../notation";
import { w } from "../words";

export function moveField(play: (text: string) => Promise<void>): HTMLElement {
  const input = h("input", {
    type: "text",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    "aria-keyshortcuts": "m",
    title: `${w.typeMove} (m)`,
    placeholder: `e4, ${typeable("Nf3")}, O-O, e7e8q`,
  });
  const form = h(
    "form.typed",
    {
      onsubmit: (event: Event) => {
        event.preventDefault();
        const text = input.value.trim();
        if (!text) return;
        // The field is free for the next move at once; a move that was refused comes back unless another is written.
        input.value = "";
        play(fromLetters(text)).catch(() => (input.value ||= text));
      },
    },
    field(w.typeMove, input),
    h("button", {}, w.playMove),
  );
  return form;
}
