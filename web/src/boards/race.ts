// Perft as a race: four boards count the same tree at the same time.

import type { Perft } from "../api";
import { card, field, fill, h, select } from "../dom";
import { brief, count, fixed, percent } from "../format";
import { attempt } from "../notice";
import { countTree } from "../parts/counting";
import { w } from "../words";
import { title } from "./card";

const BOARDS = ["bitboard", "mailbox", "packed", "movemap"] as const;
const DEPTHS = ["1", "2", "3", "4", "5", "6"].map(depth => [depth, depth] as const);

/** A board on its way. */
class Lane {
  readonly bar: HTMLProgressElement;
  readonly told = h("span.race-told");
  readonly element: HTMLElement;
  found: Perft | undefined;

  constructor(readonly board: (typeof BOARDS)[number]) {
    this.bar = h("progress", { max: 1, value: 0, "aria-label": title(board) });
    this.element = h("div.lane", { "data-board": board }, h("span", {}, title(board)), this.bar, this.told);
  }

  clear(): void {
    this.found = undefined;
    this.go(0);
    fill(this.told);
  }

  go(share: number): void {
    this.bar.value = share;
    this.told.textContent = percent(Math.floor(100 * share));
  }

  /** Tells what was found, and how much longer it took than the fastest board. */
  tell(fastest: number): void {
    if (!this.found) return;
    const { total } = this.found;
    const time = milliseconds(this.found);
    const times = time / fastest;
    const words = w.inLab.race;
    const place = times < 1.05 ? words.first : words.times(fixed(times, times < 10 ? 1 : 0));
    fill(this.told, h("b", {}, count(total.nodes)), words.told(time, brief((1000 * total.nodes) / time), place));
  }
}

/** A count that takes no time at all is told as one millisecond. */
function milliseconds({ time_ms }: Perft): number {
  return Math.max(1, time_ms);
}

export class Race {
  readonly element: HTMLElement;
  private readonly depth = select(DEPTHS, "4", () => this.reset());
  private readonly lanes = BOARDS.map(board => new Lane(board));
  private readonly verdict = h("p.hint", { role: "status" });
  private readonly start = h(
    "button.primary",
    { type: "button", onclick: () => attempt(() => this.run()) },
    w.inLab.race.start,
  );
  private readonly stop = h("button", { type: "button", hidden: true, onclick: () => this.reset() }, w.inLab.race.stop);
  private running: AbortController | undefined;

  constructor(private readonly where: () => { fen: string; moves: string[] }) {
    this.element = card(
      w.inLab.race.title,
      h("div.row.race-form", {}, field(w.inLab.race.depth, this.depth), this.start, this.stop),
      h("div.lanes", {}, ...this.lanes.map(lane => lane.element)),
      this.verdict,
    );
    this.reset();
  }

  /** Ends the race and clears the lanes. */
  reset(): void {
    this.close();
    for (const lane of this.lanes) lane.clear();
    this.verdict.textContent = w.inLab.race.about;
  }

  close(): void {
    this.running?.abort();
    this.end();
  }

  private end(): void {
    this.running = undefined;
    this.start.disabled = false;
    this.stop.hidden = true;
  }

  private async run(): Promise<void> {
    this.reset();
    const own = (this.running = new AbortController());
    this.start.disabled = true;
    this.stop.hidden = false;
    this.verdict.textContent = w.inLab.race.running;
    const [where, depth] = [this.where(), Number(this.depth.value)];
    try {
      const counts = this.lanes.map(async lane => {
        const request = { ...where, depth, board: lane.board };
        lane.found = await countTree(request, (done, total) => lane.go(total > 0 ? done / total : 0), own.signal);
        lane.bar.value = 1;
        this.compare();
        return lane.found;
      });
      this.judge(await Promise.all(counts));
    } catch (error) {
      if (!own.signal.aborted) throw error;
    } finally {
      if (own === this.running) this.close();
    }
  }

  private compare(): void {
    const arrived = this.lanes.flatMap(({ found }) => (found ? [milliseconds(found)] : []));
    for (const lane of this.lanes) lane.tell(Math.min(...arrived));
  }

  private judge(all: Perft[]): void {
    const { nodes, captures, checks } = all[0]!.total;
    const isSame = all.every(({ total }) => JSON.stringify(total) === JSON.stringify(all[0]!.total));
    this.verdict.textContent = isSame
      ? w.inLab.race.agree(count(nodes), count(captures), count(checks))
      : w.inLab.race.disagree;
  }
}
