// The panel beside the board: tabs, and below them what the open one shows. Its size never changes.

import { h } from "../dom";
import { w } from "../words";

export const TABS = ["moves", "engine", "explorer", "review", "notes"] as const;
export type Tab = (typeof TABS)[number];

export class Panel {
  readonly element: HTMLElement;
  private readonly tabs = new Map<Tab, HTMLButtonElement>();
  private readonly content: HTMLElement;
  tab: Tab = "moves";

  /** Each tab has a part of its own; the moves are below it in all but the notes. */
  constructor(
    head: HTMLElement,
    parts: Record<Exclude<Tab, "moves">, HTMLElement>,
    moves: HTMLElement,
    private readonly onTab: (tab: Tab) => void,
  ) {
    const list = h("div.tabs", { role: "tablist", "aria-label": w.panel });
    for (const tab of TABS) {
      const press = () => this.choose(tab);
      const button = h(
        "button.tab",
        { type: "button", role: "tab", id: `tab-${tab}`, "aria-controls": "tab-panel", onclick: press },
        w.tabs[tab],
      );
      button.addEventListener("keydown", event => this.pressed(event));
      // After a click by mouse or finger the arrow keys step through the moves again; by keyboard they change tabs.
      button.addEventListener("click", event => event.detail > 0 && button.blur());
      this.tabs.set(tab, button);
      list.append(button);
    }
    const own = Object.entries(parts).map(([tab, part]) => h("div.tab-part.scroll", { "data-part": tab }, part));
    this.content = h("div.tab-panel", { role: "tabpanel", id: "tab-panel", tabindex: -1 }, ...own, moves);
    this.element = h("section.panel", { "aria-label": w.panel }, head, list, this.content);
    this.show("moves");
  }

  /** Which tabs there are now. */
  offer(offered: readonly Tab[]): void {
    for (const [tab, button] of this.tabs) button.hidden = !offered.includes(tab);
    if (!offered.includes(this.tab)) this.choose("moves");
  }

  choose(tab: Tab): void {
    this.show(tab);
    this.onTab(tab);
  }

  /** Opens a tab without telling. */
  show(tab: Tab): void {
    this.tab = tab;
    for (const [name, button] of this.tabs) {
      button.setAttribute("aria-selected", String(name === tab));
      button.tabIndex = name === tab ? 0 : -1;
    }
    this.content.dataset.tab = tab;
    this.content.setAttribute("aria-labelledby", `tab-${tab}`);
    for (const part of this.content.querySelectorAll<HTMLElement>(".tab-part")) part.hidden = part.dataset.part !== tab;
  }

  private pressed(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const shown = [...this.tabs].filter(([, button]) => !button.hidden).map(([tab]) => tab);
    const next = shown[(shown.indexOf(this.tab) + step + shown.length) % shown.length]!;
    this.choose(next);
    this.tabs.get(next)!.focus();
  }
}
