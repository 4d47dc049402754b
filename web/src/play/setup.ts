// The options of a new game: a bot, a color, a clock, and behind a fold everything else. It remembers the last choice.

import { engines, post, type Engines, type NewGame, type PlayerRequest, type TimeControl } from "../api";
import { checkbox, field, fill, h, select } from "../dom";
import { complain } from "../notice";
import { EngineChooser } from "../parts/engine";
import { w } from "../words";
import { bots, type Bot } from "./bots";
import { SELF } from "./people";
import { choiceRow, type Choice, remembered, remember, TIMES, type Seats, type Start } from "./choice";

export class Setup {
  readonly element: HTMLFormElement;
  private readonly choice: Choice;
  private readonly roster = h("div.bots", { role: "radiogroup", "aria-label": w.opponent });
  private readonly about = h("p.bot-about", { "aria-live": "polite" });
  private readonly seats = h("div");
  private readonly clocks = h("div");
  private readonly more = h("div.columns");
  private first: EngineChooser | undefined;
  private second: EngineChooser | undefined;
  private known: Bot[] = [];

  constructor(
    fen: string | null,
    start: () => void,
    private readonly changed: () => void = () => {},
  ) {
    this.choice = remembered();
    if (fen) Object.assign(this.choice, { start: "fen", fen });
    else if (this.choice.start === "fen") this.choice.start = "standard";
    const submit = (event: Event) => {
      event.preventDefault();
      start();
    };
    const fold = h("details.more-options", {}, h("summary", {}, w.moreOptions), this.more, h("p.hint", {}, w.botsHint));
    fold.open = fen !== null || this.choice.mode !== "bot" || this.choice.start !== "standard";
    this.element = h(
      "form.setup",
      { onsubmit: submit },
      this.roster,
      this.about,
      this.seats,
      this.clocks,
      h("button.primary.start", {}, w.startGame),
      fold,
    );
    engines()
      .then(engines => this.offer(engines))
      .catch(complain);
    this.draw();
  }

  /** The position from which the player may start by moving; undefined if it is not known yet. */
  get opening(): { fen: string } | undefined {
    const { mode, start, fen } = this.choice;
    if (mode === "watch" || (start !== "standard" && start !== "fen")) return undefined;
    return { fen: start === "fen" ? fen : "" };
  }

  /** Who the player is; `both` where two people play. */
  get side(): Seats | "both" {
    return this.choice.mode === "both" ? "both" : this.choice.seats;
  }

  /** The request for the game. */
  async game(): Promise<NewGame> {
    const { choice } = this;
    // The list of bots may not have arrived yet.
    this.known = bots(await engines());
    choice.mind ??= this.usual;
    choice.other = this.first?.mind ?? choice.other;
    choice.second = this.second?.mind ?? choice.second;
    remember(choice);
    const person: PlayerRequest = { kind: "human", name: SELF };
    const engine = (mind = "search"): PlayerRequest => ({ kind: "mind", mind });
    const opponent = engine(choice.mode === "engine" ? choice.other : choice.mind);
    const isWhite = choice.seats === "random" ? Math.random() < 0.5 : choice.seats === "white";
    const [white, black] =
      choice.mode === "both"
        ? [
            { ...person, name: w.white },
            { ...person, name: w.black },
          ]
        : choice.mode === "watch"
          ? [engine(choice.other), engine(choice.second)]
          : isWhite
            ? [person, opponent]
            : [opponent, person];
    const game: NewGame = { white, black, time: timeControl(choice), move_ms: Number(choice.think) };
    if (choice.mode !== "watch") game.help = { hints: choice.hints, takebacks: choice.takebacks };
    if (choice.mode === "watch") game.pause_ms = Number(choice.pause);
    if (choice.start === "fen") game.fen = choice.fen.trim();
    if (choice.start === "number") game.chess960 = Number(choice.number);
    if (choice.start === "chess960") game.chess960 = (await post("/chess960", {})).number;
    return game;
  }

  private get usual(): string {
    return (this.known.find(({ rating }) => (rating ?? 0) >= 1100) ?? this.known[0])?.mind ?? "search";
  }

  private offer(list: Engines): void {
    this.known = bots(list);
    if (!this.known.some(({ mind }) => mind === this.choice.mind)) this.choice.mind = this.usual;
    fill(
      this.roster,
      ...this.known.map(bot => {
        const choose = () => this.chooseBot(bot);
        const box = h("input.unseen", { type: "radio", name: "bot", value: bot.mind, onchange: choose });
        box.checked = bot.mind === this.choice.mind;
        return h(
          "label.bot",
          {},
          box,
          bot.face(),
          h("b", {}, bot.name),
          h("small", {}, bot.rating === null ? w.fullStrength : String(bot.rating)),
        );
      }),
    );
    this.showBot();
  }

  private chooseBot(bot: Bot): void {
    this.choice.mind = bot.mind;
    if (this.choice.mode !== "bot") {
      this.choice.mode = "bot";
      this.draw();
      this.changed();
    }
    this.showBot();
  }

  private showBot(): void {
    const bot = this.known.find(({ mind }) => mind === this.choice.mind);
    const isBot = this.choice.mode === "bot";
    this.roster.classList.toggle("unused", !isBot);
    fill(
      this.about,
      isBot && bot
        ? bot.about
        : { both: w.modes.both, watch: w.modes.watch, engine: w.modes.engine, bot: "" }[this.choice.mode],
    );
  }

  private draw(): void {
    const { choice } = this;
    const redraw = () => {
      choice.other = this.first?.mind ?? choice.other;
      choice.second = this.second?.mind ?? choice.second;
      this.draw();
      this.changed();
    };
    const set =
      <K extends keyof Choice>(key: K, again = false) =>
      (value: Choice[K]) => {
        choice[key] = value;
        if (again) redraw();
      };
    fill(
      this.seats,
      choice.mode === "both" || choice.mode === "watch"
        ? null
        : choiceRow(
            w.youPlay,
            "seats",
            [
              ["white", w.white],
              ["random", w.random],
              ["black", w.black],
            ],
            choice.seats,
            set("seats", true),
          ),
    );
    fill(
      this.clocks,
      choiceRow(
        w.timeControl,
        "clock",
        TIMES.map(time => [time, time === "none" ? w.noClock : time === "custom" ? w.customClock : time]),
        choice.clock,
        set("clock", true),
      ),
      choice.clock === "custom" &&
        h(
          "div.columns",
          {},
          field(w.minutes, this.text("minutes", { type: "number", min: 0, max: 180, step: "any" })),
          field(w.increment, this.text("increment", { type: "number", min: 0, max: 180 })),
        ),
      choice.clock === "none" && choice.mode !== "watch" && h("p.hint", {}, w.correspondence),
    );
    const isEngine = choice.mode === "engine" || choice.mode === "watch";
    this.first = isEngine ? new EngineChooser(choice.mode === "watch" ? w.white : w.engine, choice.other) : undefined;
    this.second = choice.mode === "watch" ? new EngineChooser(w.black, choice.second) : undefined;
    const modes = (["bot", "engine", "both", "watch"] as const).map(mode => [mode, w.modes[mode]] as const);
    const starts = (["standard", "chess960", "number", "fen"] as const).map(start => [start, w.starts[start]] as const);
    fill(
      this.more,
      field(w.gameWith, select(modes, choice.mode, set("mode", true))),
      this.first?.element,
      this.second?.element,
      choice.clock === "none" &&
        choice.mode !== "both" &&
        field(
          w.engineTime,
          select(numbers(["50", "300", "1000", "3000", "10000", "30000"]), choice.think, set("think")),
        ),
      choice.mode === "watch" &&
        field(w.pause, select(numbers(["0", "500", "1500", "4000"]), choice.pause, set("pause"))),
      choice.mode !== "watch" &&
        h(
          "fieldset.allowed",
          {},
          h("legend", {}, w.allowed),
          checkbox(w.hints, choice.hints, set("hints")),
          checkbox(w.takebacks, choice.takebacks, set("takebacks")),
        ),
      field(w.position, select<Start>(starts, choice.start, set("start", true))),
      choice.start === "number" && field(w.chess960Number, this.text("number", { type: "number", min: 0, max: 959 })),
      choice.start === "fen" && field("FEN", this.text("fen", { type: "text", spellcheck: "false" })),
    );
    this.showBot();
  }

  private text(
    key: "number" | "fen" | "minutes" | "increment",
    attributes: Record<string, string | number>,
  ): HTMLInputElement {
    const input = h("input", {
      ...attributes,
      value: this.choice[key],
      required: true,
      onchange: () => {
        this.choice[key] = input.value;
        this.changed();
      },
    });
    return input;
  }
}

function numbers(milliseconds: string[]): [string, string][] {
  return milliseconds.map(value => [value, w.seconds(Number(value) / 1000)]);
}

function timeControl({ clock, minutes, increment }: Choice): TimeControl | null {
  if (clock === "none") return null;
  const [base = 0, more = 0] = clock === "custom" ? [Number(minutes), Number(increment)] : clock.split("+").map(Number);
  return { base_ms: Math.max(1000, Math.round(base * 60_000)), increment_ms: more * 1000 };
}
