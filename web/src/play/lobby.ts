// The lobby: start a game, or continue one. Moving a piece on the board starts at once.

import { get, post, remove, type Summary } from "../api";
import { Board } from "../board/board";
import { card, fill, h } from "../dom";
import { ago, count } from "../format";
import { Newest } from "../newest";
import { attempt } from "../notice";
import { button, twice } from "../parts/buttons";
import { go, type View } from "../route";
import { START } from "../board/squares";
import { Setup } from "./setup";

/** How many games are shown at first, and how many more at each press. */
const PAGE = 30;

export class Lobby implements View {
  readonly element: HTMLElement;
  private readonly board = new Board();
  private readonly setup: Setup;
  private readonly saved = h("ul.saved");
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
    this.element = h(
      "div.stage",
      {},
      h("div.board-area", {}, this.board.element, this.hint),
      h("div.panel", {}, card("New game", this.setup.element), card("Your games", this.saved)),
    );
    attempt(() => this.prepare());
    attempt(() => this.list());
  }

  close(): void {
    this.preparations.begin();
    this.board.close();
  }

  receive(text: string): void {
    sessionStorage.setItem("saavedra.dropped", text);
    go("analysis");
  }

  /** Shows the starting position, and lets the player start by moving if they move first. */
  private async prepare(): Promise<void> {
    const isNewest = this.preparations.begin();
    this.board.freeze();
    this.hint.textContent = "";
    const { opening, seats } = this.setup;
    if (!opening) return;
    const position = await post("/legal", opening.fen ? { fen: opening.fen } : {});
    if (!isNewest()) return;
    this.board.show(position.fen);
    if (seats !== "both") await this.board.face(seats === "black" ? "b" : "w");
    if (!isNewest()) return;
    const isFirst = seats === "both" || seats === position.turn;
    this.hint.textContent = isFirst ? "Move a piece to start at once, or choose the options first." : "";
    if (isFirst) this.board.allow({ legal: position.legal, onMove: uci => attempt(() => this.start([uci])) });
  }

  /** Starts the game, only once however often it is requested. */
  private async start(moves: string[]): Promise<void> {
    if (this.isStarting) return;
    this.isStarting = true;
    try {
      const game = await post("/games", { ...(await this.setup.game()), moves });
      go("play", [game.id]);
    } catch (error) {
      await this.prepare();
      throw error;
    } finally {
      this.isStarting = false;
    }
  }

  /** Shows the newest games, or those that come after so many. */
  private async list(offset = 0): Promise<void> {
    const { games, total } = await get("/games", { limit: PAGE, offset });
    this.saved.querySelector(".nothing")?.remove();
    if (offset === 0) fill(this.saved);
    this.saved.append(...games.map(game => this.item(game)));
    const shown = offset + games.length;
    if (total === 0) this.saved.append(h("li.nothing", {}, "No games yet. Every game is saved automatically."));
    const more = button("Show more", () => this.list(shown));
    if (total > shown) this.saved.append(h("li.nothing", {}, more, ` ${count(total - shown)} older`));
  }

  private item(game: Summary): HTMLElement {
    const names = `${game.white.name} – ${game.black.name}`;
    const state = game.status === "playing" ? "in progress" : game.result;
    const moves = Math.ceil(game.plies / 2);
    const erase = async () => {
      await remove("/games/{id}", { id: game.id });
      await this.list();
    };
    const eraser = twice("Delete", erase);
    eraser.classList.add("quiet");
    return h(
      "li",
      {},
      h(
        "a",
        { href: `#/play/${game.id}` },
        h("b", {}, names),
        h("small", {}, `${state} · ${moves === 1 ? "1 move" : `${moves} moves`} · ${ago(game.updated)}`),
      ),
      eraser,
    );
  }
}
