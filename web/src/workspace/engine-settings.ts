// How the engine analyses: which one, how strong, with how many threads and lines, and when it stops. Remembered.

import { engines, type Engines } from "../api";
import { field, fill, h, select } from "../dom";
import { iconButton } from "../icons";
import { complain } from "../notice";
import { w } from "../words";

const KEY = "saavedra.engine";

export interface EngineChoice {
  lines: number;
  /** Seconds to think, and the depth to stop at; none goes on for ten minutes. */
  seconds: number;
  depth: number | null;
  /** An engine that the owner of the server allows; empty is Saavedra. */
  engine: string;
  /** The rating that Saavedra is held back to; none is full strength. */
  elo: number | null;
  threads: number;
  /** The size of the table; none is what the server takes. */
  hash: number | null;
}

const USUAL: EngineChoice = { lines: 3, seconds: 600, depth: null, engine: "", elo: null, threads: 1, hash: null };

const LINES = [1, 2, 3, 4, 5, 8];
const SECONDS = [3, 10, 60];
const DEPTHS = [12, 16, 20, 24, 30];

export class EngineSettings {
  readonly element: HTMLElement;
  readonly choice: EngineChoice = { ...USUAL, ...remembered() };
  private readonly fields = h("div.engine-settings", { popover: "auto" });
  private offered: Engines | undefined;

  constructor(private readonly changed: () => void) {
    const button = iconButton("settings", w.engineSettings, () => this.open(button));
    this.element = h("span", {}, button, this.fields);
  }

  /** What a request for an analysis says of the engine. */
  get asked() {
    const { engine, elo, threads, hash, lines, seconds, depth } = this.choice;
    const whose = engine ? { engine } : elo === null ? {} : { elo };
    return { ...whose, threads, ...(hash === null ? {} : { hash }), lines, seconds, depth };
  }

  /** What was chosen is not to be had on this server any more. */
  reset(): void {
    this.set({ engine: "", threads: 1, hash: null });
  }

  private set(changes: Partial<EngineChoice>): void {
    Object.assign(this.choice, changes);
    localStorage.setItem(KEY, JSON.stringify(this.choice));
    this.draw();
    this.changed();
  }

  private open(button: HTMLElement): void {
    const box = button.getBoundingClientRect();
    this.fields.style.top = `${box.bottom + 4}px`;
    this.fields.style.right = `${Math.max(4, innerWidth - box.right)}px`;
    this.fields.style.maxHeight = `${innerHeight - box.bottom - 12}px`;
    this.draw();
    this.fields.togglePopover();
    engines()
      .then(offered => {
        this.offered = offered;
        this.draw();
      })
      .catch(complain);
  }

  private draw(): void {
    const { choice, offered } = this;
    const focused = this.fields.contains(document.activeElement)
      ? document.activeElement?.closest<HTMLElement>("[data-setting]")?.dataset.setting
      : undefined;
    const named = (name: string, label: string, control: HTMLElement) => {
      const element = field(label, control);
      element.dataset.setting = name;
      return element;
    };
    const numbers = (values: readonly number[], write = String) =>
      values.map(value => [String(value), write(value)] as const);
    const isOurs = choice.engine === "";
    fill(
      this.fields,
      offered && offered.programs.length > 0 && named("engine", w.engine, this.programs(offered)),
      isOurs && offered && named("level", w.level, this.levels(offered)),
      named(
        "lines",
        w.lines,
        select(numbers(LINES), String(choice.lines), value => this.set({ lines: Number(value) })),
      ),
      offered && offered.analysis.threads > 1 && named("threads", w.threads, this.threads(offered)),
      offered && named("hash", w.hash, this.hashes(offered)),
      named("end", w.stopsAfter, this.ends()),
    );
    this.fields.querySelector<HTMLElement>(`[data-setting="${focused}"] select`)?.focus();
  }

  private programs({ programs }: Engines): HTMLSelectElement {
    const options = [["", "Saavedra"] as const, ...programs.map(name => [name, name] as const)];
    return select(options, this.choice.engine, engine => this.set({ engine }));
  }

  private levels({ levels }: Engines): HTMLSelectElement {
    const options = levels
      .map(({ elo, name }) => [String(elo ?? ""), elo === null ? w.fullLevel : `${name} ${elo}`] as const)
      .reverse();
    const chosen = String(this.choice.elo ?? "");
    return select(options, chosen, value => this.set({ elo: value === "" ? null : Number(value) }));
  }

  private threads({ analysis }: Engines): HTMLSelectElement {
    const counts = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64].filter(count => count < analysis.threads);
    const options = [...counts, analysis.threads].map(count => [String(count), String(count)] as const);
    return select(options, String(this.choice.threads), value => this.set({ threads: Number(value) }));
  }

  private hashes({ analysis }: Engines): HTMLSelectElement {
    const sizes = [16, 32, 64, 128, 256, 512, 1024, 2048].filter(size => size <= analysis.hash);
    const options = sizes.map(size => [String(size), w.mebibytes(size)] as const);
    const chosen = String(this.choice.hash ?? analysis.default_hash);
    return select(options, chosen, value => this.set({ hash: Number(value) }));
  }

  private ends(): HTMLSelectElement {
    const { seconds, depth } = this.choice;
    const stop = depth === null ? `s${seconds}` : `d${depth}`;
    const options = [
      ...SECONDS.map(time => [`s${time}`, w.seconds(time)] as const),
      ["s600", w.tenMinutes] as const,
      ...DEPTHS.map(deep => [`d${deep}`, w.depth(deep)] as const),
    ];
    return select(options, options.some(([value]) => value === stop) ? stop : "s600", value => {
      const number = Number(value.slice(1));
      this.set(value[0] === "s" ? { seconds: number, depth: null } : { seconds: 600, depth: number });
    });
  }
}

function remembered(): Partial<EngineChoice> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<EngineChoice>;
  } catch {
    return {};
  }
}
