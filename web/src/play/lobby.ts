// The lobby: a board and the options. Moving a piece on the board starts at once.

import { post } from "../api";
import { Board } from "../board/board";
import { START } from "../board/squares";
import { h } from "../dom";
import { Newest } from "../newest";
import { attempt } from "../notice";
import { go, type View } from "../route";
import { w } from "../words";
import { Setup } from "./setup";

export class Lobby implements View {
  readonly element: HTMLElement;
  private readonly board = new Board();
  private readonly setup: Setup;
  private readonly hint = h("p.hint");
  private readonly preparations = new Newest();
  private isStarting = false;

  constructor(query: URLSearchParams) {
    this.setup = new Setup(
      query.get("fen"),
      () => attempt(() => this.start([])),
      () => attempt(() => this.prepare()),
    );
    this.board.show(START);
    const options = h(
      "section.panel.lobby-panel",
      { "aria-label": w.newGame },
      h("h2", {}, w.newGame),
      this.setup.element,
    );
    this.element = h("div.stage.lobby", {}, h("div.board-area", {}, this.board.element, this.hint), options);
    attempt(() => this.prepare());
  }

  close(): void {
    this.preparations.begin();
    this.board.close();
  }

  /** Shows the starting position, and lets the player start by moving if they move first. */
  private async prepare(): Promise<void> {
    const isNewest = this.preparations.begin();
    this.board.freeze();
    this.hint.textContent = "";
    const { opening, side } = this.setup;
    if (!opening) return;
    const position = await post("/legal", opening.fen ? { fen: opening.fen } : {});
    if (!isNewest()) return;
    this.board.show(position.fen);
    if (side !== "both") await this.board.face(side === "black" ? "b" : "w");
    if (!isNewest()) return;
    const isFirst = side === "both" || side === position.turn;
    this.hint.textContent = isFirst ? w.moveToStart : "";
    if (isFirst) this.board.allow({ legal: position.legal, onMove: uci => attempt(() => this.start([uci])) });
  }

  /** Starts the game, only once however often it is requested. */
  private async start(moves: string[]): Promise<void> {
    if (this.isStarting) return;
    this.isStarting = true;
    try {
      const game = await post("/games", { ...(await this.setup.game()), moves });
      go("game", [game.id]);
    } catch (error) {
      await this.prepare();
      throw error;
    } finally {
      this.isStarting = false;
    }
  }
}
