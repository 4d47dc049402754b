// One player beside the board: the name, what was taken, and the clock.

import { fill, h } from "../dom";
import { clock } from "../format";
import { play } from "../sound";
import { isBroken } from "../socket";
import { roleIcon } from "../board/promotion";
import { placement, type Side } from "../board/squares";
import { w } from "../words";

const VALUES: Record<string, number> = { p: 1, n: 3, b: 3, r: 5, q: 9 };
const ALARM = 10_000;

export class PlayerStrip {
  private readonly name = h("b", { dir: "auto" });
  private readonly note = h("small");
  private readonly taken = h("span.taken");
  private readonly clock = h("span.clock", { role: "timer", "aria-label": w.clock, hidden: true });
  readonly element = h("div.player", {}, h("span.names", {}, this.name, this.note), this.taken, this.clock);
  private left = 0;
  private since: number | undefined;
  private warned = false;

  show(name: string, note: string, isTurn: boolean): void {
    this.name.textContent = name;
    this.note.textContent = note;
    this.element.classList.toggle("turn", isTurn);
  }

  /** What this side has more of than the other. */
  showTaken(fen: string, side: Side): void {
    const balance = new Map<string, number>();
    for (const piece of placement(fen).values()) {
      balance.set(piece[1]!, (balance.get(piece[1]!) ?? 0) + (piece[0] === side ? 1 : -1));
    }
    const lead = [...balance].reduce((sum, [role, more]) => sum + more * (VALUES[role] ?? 0), 0);
    const icons = [..."qrbnp"].flatMap(role => {
      const more = Math.max(0, balance.get(role) ?? 0);
      return Array.from({ length: more }, () => roleIcon(role));
    });
    fill(this.taken, ...icons, lead > 0 && h("small", {}, `+${lead}`));
  }

  /** Sets the clock; a running one is counted down here, from the end of a pause on. */
  setClock(milliseconds: number | undefined, running: boolean, pause = 0): void {
    this.clock.hidden = milliseconds === undefined;
    this.left = milliseconds ?? 0;
    this.since = running && milliseconds !== undefined ? performance.now() + pause : undefined;
    if (this.left > ALARM) this.warned = false;
    this.clock.classList.toggle("running", running);
    this.tick(false);
  }

  /** Shows the time that is left now. `isOurs` sounds an alarm before it ends. */
  tick(isOurs: boolean): void {
    // What the server's clock does is not known until it is back, and then it says.
    if (this.since !== undefined && isBroken()) return;
    const left = this.left - (this.since === undefined ? 0 : Math.max(0, performance.now() - this.since));
    this.clock.textContent = clock(left);
    this.clock.classList.toggle("short", left < ALARM);
    if (isOurs && this.since !== undefined && left < ALARM && !this.warned) {
      this.warned = true;
      play("alarm");
    }
  }
}
