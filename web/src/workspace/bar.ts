// The bar below the panel: steps, and what can be done now. Every button keeps its place.

import { h } from "../dom";
import { iconButton, type IconName } from "../icons";
import { attempt } from "../notice";
import { w } from "../words";

/** An action in one of the places of the bar. */
export interface Action {
  icon: IconName;
  label: string;
  key?: string;
  run: () => Promise<unknown> | void;
  isDisabled?: boolean;
  /** Must be pressed twice, because there is no undo. */
  isGuarded?: boolean;
}

type Step = "first" | "previous" | "next" | "last";

export class StepBar {
  readonly element: HTMLElement;
  private readonly steps: Record<Step, HTMLButtonElement>;
  private readonly actions = h("div.bar-actions");
  private drawn = "";
  private current: Action[] = [];

  constructor(walk: (step: Step) => void, menu: (button: HTMLElement) => void) {
    const step = (name: Step, key: string) => iconButton(name, w.steps[name], () => walk(name), key);
    this.steps = {
      first: step("first", "↑"),
      previous: step("previous", "←"),
      next: step("next", "→"),
      last: step("last", "↓"),
    };
    const more = iconButton("menu", w.more, () => menu(more));
    more.setAttribute("aria-haspopup", "true");
    more.setAttribute("aria-expanded", "false");
    this.element = h(
      "div.bar",
      { role: "toolbar", "aria-label": w.actions },
      h("div.bar-steps", {}, ...Object.values(this.steps)),
      this.actions,
      more,
    );
    // A button that is held goes on stepping.
    for (const name of ["previous", "next"] as const) this.repeat(this.steps[name], () => walk(name));
  }

  /** Tells where one stands: buttons that lead nowhere are disabled. */
  stand(ply: number, length: number): void {
    this.steps.first.disabled = this.steps.previous.disabled = ply === 0;
    this.steps.next.disabled = this.steps.last.disabled = ply === length;
  }

  /** Offers actions. Buttons are only made anew where others are wanted, so that a focus survives. */
  offer(actions: Action[]): void {
    this.current = actions;
    const drawn = actions.map(({ icon, label }) => icon + label).join();
    if (drawn !== this.drawn) {
      const buttons = actions.map((action, index) => this.button(action, index));
      this.actions.replaceChildren(...buttons);
      this.drawn = drawn;
    }
    actions.forEach(({ isDisabled }, index) => {
      (this.actions.children[index] as HTMLButtonElement).disabled = isDisabled ?? false;
    });
  }

  private button(action: Action, index: number): HTMLButtonElement {
    const run = () => attempt(async () => this.current[index]?.run());
    const element = iconButton(
      action.icon,
      action.label,
      event => (action.isGuarded ? guard(event) : run()),
      action.key,
    );
    element.append(h("span.bar-label", {}, action.label));
    let waiting: AbortController | undefined;
    const callOff = () => {
      waiting?.abort();
      waiting = undefined;
      element.classList.remove("sure");
      element.setAttribute("aria-label", action.label);
    };
    const guard = (event: MouseEvent) => {
      // The second click of a double click says no more than the first: such a hand did not read the question.
      if (event.detail > 1) return;
      const isSure = waiting !== undefined;
      callOff();
      if (isSure) return run();
      waiting = new AbortController();
      const elsewhere = (event: Event) => !element.contains(event.target as Node) && callOff();
      for (const kind of ["pointerdown", "keydown"])
        addEventListener(kind, elsewhere, { capture: true, signal: waiting.signal });
      element.classList.add("sure");
      element.setAttribute("aria-label", w.sure(action.label));
    };
    return element;
  }

  private repeat(button: HTMLButtonElement, walk: () => void): void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = () => clearTimeout(timer);
    const again = (wait: number) => {
      timer = setTimeout(() => {
        if (button.disabled) return;
        walk();
        again(90);
      }, wait);
    };
    button.addEventListener("pointerdown", event => event.button === 0 && again(450));
    for (const kind of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(kind, end);
  }
}
