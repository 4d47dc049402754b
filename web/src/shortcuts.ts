// The keys of the page, listed in a dialog.

import { h } from "./dom";
import { w } from "./words";

export function showShortcuts(): void {
  if (document.querySelector("dialog.shortcuts")) return;
  const group = (title: string, keys: readonly (readonly [string, string])[]) =>
    h(
      "section",
      {},
      h("h3", {}, title),
      h("dl", {}, ...keys.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])),
    );
  const close = h("button", { type: "button", onclick: () => dialog.close() }, w.close);
  const groups = w.shortcutGroups.map(({ title, keys }) => group(title, keys));
  const dialog = h(
    "dialog.shortcuts",
    { "aria-labelledby": "shortcuts-title" },
    h("h2", { id: "shortcuts-title" }, w.shortcuts),
    h("div.shortcut-groups", {}, ...groups),
    close,
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", event => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}
