// Two things that the mouse does at the board: the wheel steps through the moves, and a corner changes its size.

import { h } from "../dom";
import { change, settings } from "../settings";
import { w } from "../words";

/** Steps once for each notch, however finely the wheel reports. */
export function stepsByWheel(board: HTMLElement, step: (steps: number) => void): void {
  let turned = 0;
  board.addEventListener(
    "wheel",
    event => {
      if (event.ctrlKey || matchMedia("(pointer: coarse)").matches) return;
      event.preventDefault();
      turned += event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 40;
      if (Math.abs(turned) < 30) return;
      step(Math.sign(turned));
      turned = 0;
    },
    { passive: false },
  );
}

/** Lets the board be made smaller than the window allows. The size is kept. */
export function resizable(board: HTMLElement): void {
  const handle = h("button.resizer", { type: "button", "aria-label": w.resizeBoard, title: w.resizeBoard });
  const set = (size: number) => change({ boardSize: Math.round(Math.max(50, Math.min(100, size))) });
  handle.addEventListener("pointerdown", event => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    const { left, width } = board.getBoundingClientRect();
    const largest = (width * 100) / settings.boardSize;
    const move = (event: PointerEvent) => set((100 * (event.clientX - left)) / largest);
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", () => handle.removeEventListener("pointermove", move), { once: true });
  });
  handle.addEventListener("keydown", event => {
    const step = { ArrowUp: 5, ArrowRight: 5, ArrowDown: -5, ArrowLeft: -5 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    set(settings.boardSize + step);
  });
  board.append(handle);
}
