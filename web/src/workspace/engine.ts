// The engine tab: the lines of the live analysis, how it is set, and what the other side threatens.

import type { Analysis, AnalysisLine } from "../api";
import { ApiError, post } from "../api";
import type { Arrow } from "../board/overlay";
import { miniBoard } from "../board/mini";
import { sideToMove, type Side } from "../board/squares";
import { checkbox, fill, h } from "../dom";
import { score } from "../format";
import { iconButton } from "../icons";
import { complain } from "../notice";
import { inOrder, Lines } from "../parts/evaluation";
import { listen, send, type ServerMessage } from "../socket";
import { w } from "../words";
import { Newest } from "../newest";
import { EngineSettings } from "./engine-settings";

const ID = "analysis";
/** Milliseconds before a position is analysed, so that stepping through a game starts no search at every move. */
const PATIENCE = 120;

export class EnginePanel {
  readonly element: HTMLElement;
  /** What it says of the shown position; undefined before it says anything. */
  analysis: Analysis | undefined;
  arrows: Arrow[] = [];
  isOn = false;
  isThreat = false;
  private readonly settings = new EngineSettings(() => this.ask(true));
  private readonly lines: Lines;
  private readonly worth = h("b.engine-worth", {}, "–");
  private readonly toggle: HTMLLabelElement;
  private readonly preview = h("div.preview", { hidden: true });
  private readonly threat: HTMLButtonElement;
  private readonly previews = new Newest();
  private readonly quiet: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = "";
  private where: { fen: string; moves: string[]; shown: string } | undefined;

  /** Calls back when there is something new to draw, and with the moves of a line to be played. */
  constructor(
    private readonly changed: () => void,
    onPlay: (moves: string[]) => void,
    private readonly side: () => Side,
  ) {
    this.lines = new Lines(onPlay, (moves, near) => this.showPreview(moves, near));
    this.toggle = checkbox(w.engine, false, isOn => this.turn(isOn));
    this.toggle.classList.add("switch");
    this.threat = iconButton("threat", w.showThreat, () => this.setThreat(!this.isThreat), "x");
    this.threat.setAttribute("aria-pressed", "false");
    this.element = h(
      "div.engine",
      {},
      h("div.engine-head", {}, this.toggle, this.worth, this.lines.facts, this.threat, this.settings.element),
      this.lines.element,
      this.preview,
    );
    this.quiet = listen({
      receive: message => this.handle(message),
      opened: () => {
        this.asked = "";
        this.ask();
      },
    });
  }

  close(): void {
    this.quiet();
    clearTimeout(this.timer);
    send({ type: "stop", id: ID });
  }

  turn(isOn: boolean): void {
    if (isOn === this.isOn) return;
    this.isOn = isOn;
    this.toggle.querySelector("input")!.checked = isOn;
    this.ask(true);
    this.changed();
  }

  /** Looks at the position as if the side to move had passed. */
  setThreat(isThreat: boolean): void {
    this.isThreat = isThreat;
    this.threat.setAttribute("aria-pressed", String(isThreat));
    if (isThreat && !this.isOn) return this.turn(true);
    this.ask(true);
  }

  /** The position to analyse. Stepping on ends the look at a threat. */
  show(where: { fen: string; moves: string[] }, shown: string): void {
    if (this.where?.shown !== shown && this.isThreat) {
      this.isThreat = false;
      this.threat.setAttribute("aria-pressed", "false");
    }
    this.where = { ...where, shown };
    this.ask();
  }

  /** The best line. */
  get best(): AnalysisLine | undefined {
    return this.analysis && inOrder(this.analysis)[0];
  }

  /** The first move of the best line. */
  get bestMove(): string | undefined {
    return this.best?.uci[0];
  }

  /** Starts the analysis of the shown position, unless it is under way. */
  private ask(again = false): void {
    if (!this.where) return;
    const state = JSON.stringify([this.where, this.isOn, this.isThreat]);
    if (state === this.asked && !again) return;
    this.asked = state;
    clearTimeout(this.timer);
    this.arrows = [];
    this.analysis = undefined;
    this.preview.hidden = true;
    this.lines.expect(this.settings.choice.lines, this.isOn);
    if (!this.isOn) {
      this.worth.textContent = "–";
      send({ type: "stop", id: ID });
      return;
    }
    const { shown, ...where } = this.where;
    const asked = this.isThreat ? { fen: passed(shown), moves: [] } : where;
    const question = { type: "analyse", id: ID, ...asked, ...this.settings.asked } as const;
    this.timer = setTimeout(() => send(question), PATIENCE);
  }

  private handle(message: ServerMessage): void {
    if (message.type === "error" && message.id === ID) {
      complain(this.isThreat ? w.noThreat : new ApiError(message.code, message.message));
      if (this.isThreat) this.setThreat(false);
      else if (["bad_mind", "bad_request"].includes(message.code)) this.settings.reset();
    }
    if (message.type !== "analysis" || message.id !== ID || !this.isOn || !this.where) return;
    const wanted = this.isThreat ? passed(this.where.shown) : this.where.shown;
    if (board(message.fen) !== board(wanted)) return;
    this.take(message);
  }

  private take(analysis: Analysis): void {
    const lines = inOrder(analysis);
    this.lines.show(analysis, lines);
    const best = lines[0];
    // A message without lines only updates the numbers.
    if (!best) return;
    this.analysis = analysis;
    this.worth.textContent = score(best.score);
    const kind = (index: number) => (this.isThreat ? "threat" : index === 0 ? "best" : "other");
    this.arrows = lines
      .slice(0, this.isThreat ? 1 : 4)
      .flatMap((line, index): Arrow[] => {
        const [move] = line.uci;
        return move ? [{ from: move.slice(0, 2), to: move.slice(2, 4), kind: kind(index) }] : [];
      })
      .reverse();
    this.changed();
  }

  /** Shows the position after moves of a line near what is pointed at. */
  private async showPreview(moves: string[] | undefined, near: HTMLElement | undefined): Promise<void> {
    const isNewest = this.previews.begin();
    this.preview.hidden = true;
    if (!moves || !near || !this.where || this.isThreat) return;
    try {
      const { fen, moves: before } = this.where;
      const { position } = await post("/line", { fen, moves: [...before, ...moves] });
      if (!isNewest()) return;
      fill(this.preview, miniBoard(position.fen, this.side(), moves.at(-1)));
      const box = near.getBoundingClientRect();
      this.preview.hidden = false;
      const { offsetWidth: width, offsetHeight: height } = this.preview;
      const isBelow = box.bottom + height + 12 < innerHeight;
      this.preview.style.left = `${Math.max(4, Math.min(box.left, innerWidth - width - 8))}px`;
      this.preview.style.top = `${isBelow ? box.bottom + 6 : box.top - height - 6}px`;
    } catch {
      // A line of the position before is no longer playable.
    }
  }
}

/** The position with the other side to move. */
function passed(fen: string): string {
  const [pieces, , castling, , half = "0", full = "1"] = fen.split(" ");
  return [pieces, sideToMove(fen) === "w" ? "b" : "w", castling, "-", half, full].join(" ");
}

/** The part of a FEN that tells two positions of an analysis apart. */
function board(fen: string): string {
  return fen.split(" ").slice(0, 2).join(" ");
}
