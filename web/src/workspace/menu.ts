// A list of actions that opens at a button or at the pointer.

import { h } from "../dom";
import { attempt } from "../notice";

export interface Item {
  label: string;
  /** The key that does the same. */
  key?: string;
  run: () => Promise<unknown> | void;
  isDisabled?: boolean;
}

export class Menu {
  readonly element = h("div.menu", { popover: "auto", onkeydown: (event: KeyboardEvent) => this.pressed(event) });
  private opener: HTMLElement | undefined;

  constructor(private readonly items: () => (Item | "line" | false)[]) {
    this.element.addEventListener("toggle", event => {
      if ((event as ToggleEvent).newState === "closed") this.opener?.setAttribute("aria-expanded", "false");
    });
  }

  /** Opens at a button: above it where there is no room below. */
  openAt(button: HTMLElement): void {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    this.opener = button;
    button.setAttribute("aria-expanded", "true");
    this.open(left > innerWidth / 2 ? right : left, left > innerWidth / 2, top > innerHeight / 2 ? top : bottom);
  }

  open(x: number, fromRight: boolean, y: number): void {
    const { style } = this.element;
    style.left = fromRight ? "auto" : `${Math.max(4, Math.min(x, innerWidth - 250))}px`;
    style.right = fromRight ? `${Math.max(4, innerWidth - x)}px` : "auto";
    style.top = y > innerHeight / 2 ? "auto" : `${y}px`;
    style.bottom = y > innerHeight / 2 ? `${innerHeight - y}px` : "auto";
    // It is as high as the room on its side of the button.
    style.setProperty("--room", `${Math.max(y, innerHeight - y) - 8}px`);
    this.element.replaceChildren(
      ...this.items().flatMap((item): HTMLElement[] => {
        if (!item) return [];
        if (item === "line") return [h("hr")];
        const press = () => {
          this.element.hidePopover();
          attempt(async () => item.run());
        };
        const key = item.key ? h("kbd", {}, item.key) : null;
        return [
          h("button.quiet", { type: "button", disabled: item.isDisabled ?? false, onclick: press }, item.label, key),
        ];
      }),
    );
    this.element.showPopover();
    this.element.querySelector<HTMLElement>("button:enabled")?.focus();
  }

  private pressed(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const buttons = [...this.element.querySelectorAll<HTMLElement>("button:enabled")];
    const here = buttons.indexOf(document.activeElement as HTMLElement);
    buttons[(here + step + buttons.length) % buttons.length]?.focus();
  }
}
