// The options of a new game, as a form. It remembers the last choice.

import { engines, post, type NewGame, type PlayerRequest, type TimeControl } from "../api";
import { field, fill, h, select } from "../dom";
import { EngineChooser } from "../parts/engine";

type Seats = "white" | "black" | "random" | "both" | "watch";
type Start = "standard" | "chess960" | "number" | "fen";

interface Choice {
  seats: Seats;
  mind?: string;
  second?: string;
  clock: string;
  think: string;
  pause: string;
  start: Start;
  number: string;
  fen: string;
}

const KEY = "saavedra.setup";
const USUAL: Choice = {
  seats: "white",
  clock: "none",
  think: "1000",
  pause: "500",
  start: "standard",
  number: "518",
  fen: "",
};

const SEATS = [
  ["white", "White"],
  ["black", "Black"],
  ["random", "Random"],
  ["both", "Both sides"],
  ["watch", "Watch two engines"],
] as const;
const TIME_CONTROLS = [
  ["none", "Unlimited"],
  ["1+0", "1 minute"],
  ["3+2", "3 minutes + 2 seconds"],
  ["5+3", "5 minutes + 3 seconds"],
  ["10+5", "10 minutes + 5 seconds"],
  ["15+10", "15 minutes + 10 seconds"],
  ["30+0", "30 minutes"],
  ["90+30", "90 minutes + 30 seconds"],
] as const;
const THINKING = [
  ["50", "0.05 seconds"],
  ["300", "0.3 seconds"],
  ["1000", "1 second"],
  ["3000", "3 seconds"],
  ["10000", "10 seconds"],
  ["30000", "30 seconds"],
] as const;
const PAUSES = [
  ["0", "no pause"],
  ["500", "0.5 seconds"],
  ["1500", "1.5 seconds"],
  ["4000", "4 seconds"],
] as const;
const STARTS = [
  ["standard", "Starting position"],
  ["chess960", "Chess960, random"],
  ["number", "Chess960, by number"],
  ["fen", "From a position (FEN)"],
] as const;

export class Setup {
  readonly element: HTMLFormElement;
  private readonly choice: Choice = { ...USUAL, ...remembered() };
  private readonly parts = h("div.columns");
  private first: EngineChooser | undefined;
  private second: EngineChooser | undefined;

  constructor(
    fen: string | null,
    start: () => void,
    private readonly changed: () => void,
  ) {
    if (fen) Object.assign(this.choice, { start: "fen", fen });
    else if (this.choice.start === "fen") this.choice.start = "standard";
    this.element = h(
      "form.setup",
      {
        onsubmit: (event: Event) => {
          event.preventDefault();
          start();
        },
      },
      this.parts,
      h("button.primary", {}, "Start the game"),
    );
    this.draw();
  }

  /** The position from which the player may start by moving; undefined if it is not known yet. */
  get opening(): { fen: string } | undefined {
    const { seats, start, fen } = this.choice;
    if (seats === "watch" || (start !== "standard" && start !== "fen")) return undefined;
    return { fen: start === "fen" ? fen : "" };
  }

  get seats(): Seats {
    return this.choice.seats;
  }

  /** The request for the game. */
  async game(): Promise<NewGame> {
    const { choice } = this;
    // The choice of engines may not have arrived yet.
    await engines();
    choice.mind = this.first?.mind ?? choice.mind;
    choice.second = this.second?.mind ?? choice.second;
    localStorage.setItem(KEY, JSON.stringify(choice));
    const person: PlayerRequest = { kind: "human", name: "You" };
    const engine = (mind = "search"): PlayerRequest => ({ kind: "mind", mind });
    const seats = choice.seats === "random" ? (Math.random() < 0.5 ? "white" : "black") : choice.seats;
    const [white, black] = {
      white: [person, engine(choice.mind)],
      black: [engine(choice.mind), person],
      both: [
        { ...person, name: "White" },
        { ...person, name: "Black" },
      ],
      watch: [engine(choice.mind), engine(choice.second)],
    }[seats] as [PlayerRequest, PlayerRequest];
    const game: NewGame = { white, black, time: timeControl(choice.clock), move_ms: Number(choice.think) };
    // With a time control there is no pause: it would count for neither player.
    if (choice.seats === "watch" && choice.clock === "none") game.pause_ms = Number(choice.pause);
    if (choice.start === "fen") game.fen = choice.fen.trim();
    if (choice.start === "number") game.chess960 = Number(choice.number);
    if (choice.start === "chess960") game.chess960 = (await post("/chess960", {})).number;
    return game;
  }

  private draw(): void {
    const { choice } = this;
    const watches = choice.seats === "watch";
    const redraw = () => {
      this.draw();
      this.changed();
    };
    const set =
      <K extends keyof Choice>(key: K, again = false) =>
      (value: Choice[K]) => {
        choice[key] = value;
        if (again) redraw();
      };
    choice.mind = this.first?.mind ?? choice.mind;
    choice.second = this.second?.mind ?? choice.second;
    this.first = choice.seats === "both" ? undefined : new EngineChooser(watches ? "White" : "Opponent", choice.mind);
    this.second = watches ? new EngineChooser("Black", choice.second) : undefined;
    fill(
      this.parts,
      field("You play", select(SEATS, choice.seats, set("seats", true))),
      this.first?.element,
      this.second?.element,
      field("Time control", select(TIME_CONTROLS, choice.clock as "none", set("clock", true))),
      choice.clock === "none" &&
        choice.seats !== "both" &&
        field("Engine time per move", select(THINKING, choice.think as "1000", set("think"))),
      watches &&
        choice.clock === "none" &&
        field("Pause between moves", select(PAUSES, choice.pause as "500", set("pause"))),
      field("Position", select(STARTS, choice.start, set("start", true))),
      choice.start === "number" &&
        field("Number (0 to 959)", this.text("number", { type: "number", min: 0, max: 959 })),
      choice.start === "fen" && field("FEN", this.text("fen", { type: "text", spellcheck: "false" })),
    );
  }

  private text(key: "number" | "fen", attributes: Record<string, string | number>): HTMLInputElement {
    const changed = () => {
      this.choice[key] = input.value;
      this.changed();
    };
    const input = h("input", { ...attributes, value: this.choice[key], required: true, onchange: changed });
    return input;
  }
}

function timeControl(clock: string): TimeControl | null {
  const [minutes, seconds] = clock.split("+").map(Number);
  return clock === "none" ? null : { base_ms: (minutes ?? 0) * 60_000, increment_ms: (seconds ?? 0) * 1000 };
}

function remembered(): Partial<Choice> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    // A random side had another name in earlier versions.
    return "seats" in kept && kept.seats === "lot" ? { ...kept, seats: "random" } : kept;
  } catch {
    return {};
  }
}
