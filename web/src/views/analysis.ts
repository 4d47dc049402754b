// Analysis: a position or a game, with the engine's lines.

import { announce } from "../announce";
import { get, post, type Analysis } from "../api";
import { Board } from "../board/board";
import type { Arrow } from "../board/overlay";
import { card, checkbox, field, fill, h, select } from "../dom";
import { copy, fileButton, looksLikeFen, save } from "../files";
import { spoken } from "../format";
import { attempt, complain } from "../notice";
import { button, twice } from "../parts/buttons";
import { EvaluationBar, inOrder, Lines } from "../parts/evaluation";
import { FenField } from "../parts/fen";
import { gameTitle, Line, readPgn } from "../parts/line";
import { MoveList } from "../parts/moves";
import { OpeningName } from "../parts/opening";
import { moveField } from "../parts/typed";
import { address, rename, type Route, type View } from "../route";
import { listen, send, type ServerMessage } from "../socket";
import { playMove } from "../sound";

const ID = "analysis";
/** Milliseconds before a position is analysed, so that stepping through a game starts no search at every move. */
const PATIENCE = 120;
const SECONDS = 600;
const KEY = "saavedra.analysis";

export function open(route: Route): View {
  return new AnalysisView(route);
}

class AnalysisView implements View {
  readonly element: HTMLElement;
  private readonly board = new Board();
  private readonly bar = new EvaluationBar();
  private readonly lines = new Lines(moves => attempt(() => this.line.playAll(moves)));
  private readonly list = new MoveList(number => attempt(() => this.line.goTo(number)));
  private readonly line = new Line(() => this.draw());
  private readonly back = button("Back to main line", () => this.line.back());
  private readonly promote = button("Promote variation", () => this.line.promote());
  private readonly remove = twice("Delete from here", () => this.line.remove());
  private readonly opening = new OpeningName();
  private readonly ending = h("p.outcome", { role: "status" });
  private readonly fen = new FenField(text => this.loadFen(text));
  private readonly games = h("div");
  private readonly links = h("div.row");
  private readonly quiet: () => void;
  private isOn = true;
  private wanted = Number(sessionStorage.getItem(`${KEY}.lines`) ?? 3);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = "";

  constructor(route: Route) {
    this.element = h(
      "div.stage",
      {},
      h("div.board-area", {}, h("div.board-row", {}, this.bar.element, this.board.element)),
      h("div.panel", {}, this.engineCard(), this.movesCard(), this.textCard()),
    );
    this.quiet = listen({
      receive: message => this.handle(message),
      opened: () => {
        this.asked = "";
        this.ask();
      },
    });
    addEventListener("keydown", this.list.onKey);
    attempt(() => this.begin(route));
  }

  close(): void {
    this.quiet();
    clearTimeout(this.timer);
    send({ type: "stop", id: ID });
    removeEventListener("keydown", this.list.onKey);
    this.line.close();
    this.board.close();
  }

  receive(text: string): void {
    if (looksLikeFen(text)) this.loadFen(text);
    else attempt(() => this.readGames(text));
  }

  private loadFen(text: string): void {
    attempt(async () => {
      await this.line.load(text.trim());
      fill(this.games);
    });
  }

  private engineCard(): HTMLElement {
    const amounts = ["1", "2", "3", "4", "5", "8"].map(amount => [amount, amount] as const);
    const amount = select(amounts, String(this.wanted), value => {
      this.wanted = Number(value);
      sessionStorage.setItem(`${KEY}.lines`, value);
      this.ask(true);
    });
    amount.id = "line-count";
    const engine = checkbox("Engine", this.isOn, isOn => {
      this.isOn = isOn;
      this.ask(true);
    });
    const choice = h("span.row", {}, h("label.hint", { for: "line-count" }, "Lines"), amount);
    return h("section.card", { "aria-label": "Engine" }, h("div.row.spread", {}, engine, choice), this.lines.element);
  }

  private movesCard(): HTMLElement {
    const flip = button("Flip", async () => {
      await this.board.flip();
      this.bar.face(this.board.orientation);
    });
    return h(
      "section.card",
      { "aria-label": "Moves" },
      this.games,
      this.ending,
      this.opening.element,
      this.list.element,
      h("div.row", {}, flip, this.back, this.promote, this.remove),
      moveField(text => this.play(text)),
    );
  }

  private textCard(): HTMLElement {
    const pgn = h("textarea", { "aria-label": "PGN", placeholder: "Paste a PGN, or drop a file anywhere" });
    const written = async () => (await post("/pgn/write", this.line.written)).pgn;
    return card(
      "Position and game",
      field("FEN", this.fen.element),
      pgn,
      h(
        "div.row",
        {},
        button("Load PGN", () => this.receive(pgn.value)),
        fileButton("Open a file", text => this.receive(text)),
        button("Copy FEN", () => copy(this.line.fen, "FEN")),
        button("Copy PGN", async () => copy(await written(), "PGN")),
        button("Save PGN", async () => save("saavedra.pgn", await written())),
      ),
      this.links,
    );
  }

  private async begin({ query }: Route): Promise<void> {
    const dropped = sessionStorage.getItem("saavedra.dropped");
    sessionStorage.removeItem("saavedra.dropped");
    const id = query.get("game");
    if (dropped && looksLikeFen(dropped)) return this.line.load(dropped);
    if (dropped) {
      return this.readGames(dropped, Number(query.get("ply") ?? 0)).catch(error => {
        complain(error);
        return this.line.load(undefined);
      });
    }
    if (id) {
      const isNewest = this.line.loads.begin();
      const game = await get("/games/{id}", { id });
      if (!isNewest()) return;
      return this.line.load(
        game.start_fen,
        game.moves.map(move => move.uci),
      );
    }
    const moves = query.get("moves")?.split(",").filter(Boolean) ?? [];
    await this.line.load(query.get("fen") ?? undefined, moves, Number(query.get("ply") ?? moves.length));
  }

  private async readGames(pgn: string, ply = 0): Promise<void> {
    const isNewest = this.line.loads.begin();
    const { games, errors } = await readPgn(pgn);
    if (!isNewest()) return;
    const titles = games.map((game, index) => [String(index), gameTitle(game, index)] as const);
    const choose = (index: string) => attempt(() => this.line.loadGame(games[Number(index)]!));
    fill(this.games, games.length > 1 ? field("Game", select(titles, "0", choose)) : h("p.hint", {}, titles[0]![1]));
    const [error] = errors;
    if (error) complain(`Game ${error.game}, line ${error.line}: ${error.message}`);
    await this.line.loadGame(games[0]!, ply);
  }

  private async play(text: string): Promise<void> {
    try {
      const move = await this.line.play(text);
      playMove(move.san);
      announce(spoken(move.san));
    } catch (error) {
      complain(error);
      throw error;
    }
  }

  /** Shows the position. Its legal moves arrive a moment after the move. */
  private draw(): void {
    const { line } = this;
    const { position, last, fen } = line;
    this.board.show(fen, last);
    this.board.mark(last?.check ? [[last.check, "check"]] : position?.check ? [[position.check, "check"]] : []);
    this.board.allow({
      legal: position?.legal ?? [],
      onMove: uci => void this.play(uci).catch(() => this.draw()),
    });
    this.list.show(line.start, line.shown, line.at, line.numbers);
    this.opening.show(line.moves.slice(0, line.ply));
    this.back.hidden = this.promote.hidden = line.isMain;
    this.remove.hidden = line.at === 0;
    const over = position?.over;
    this.ending.textContent = over ? `${over.result}: ${over.reason}` : "";
    this.ending.hidden = !over;
    if (over)
      this.bar.show(over.winner ? { kind: "mate", value: over.winner === "white" ? 1 : -1 } : { kind: "cp", value: 0 });
    this.fen.show(fen);
    rename("analysis", [], {
      fen: line.start,
      moves: line.moves.map(move => move.uci).join(","),
      ply: String(line.ply),
    });
    fill(
      this.links,
      h("a", { href: address("play", [], { fen }) }, "Play from here"),
      h("a", { href: address("editor", [], { fen }) }, "Edit"),
      h("a", { href: address("perft", [], { fen }) }, "Perft"),
      h("a", { href: address("exchange", [], { fen }) }, "Exchange"),
      h("a", { href: address("tree", [], { fen }) }, "Search tree"),
    );
    this.ask();
  }

  /** Starts the analysis of the shown position, unless it is under way. */
  private ask(again = false): void {
    const question = JSON.stringify([this.line.where, this.wanted, this.isOn]);
    if (question === this.asked && !again) return;
    this.asked = question;
    clearTimeout(this.timer);
    this.board.point([]);
    this.lines.expect(this.wanted);
    if (!this.isOn) {
      this.bar.show(undefined);
      return send({ type: "stop", id: ID });
    }
    const { fen, moves } = this.line.where;
    this.timer = setTimeout(
      () => send({ type: "analyse", id: ID, fen, moves, lines: this.wanted, seconds: SECONDS }),
      PATIENCE,
    );
  }

  private handle(message: ServerMessage): void {
    if (message.type === "error" && message.id === ID) complain(message.message);
    if (message.type !== "analysis" || message.id !== ID || message.fen !== this.line.fen || !this.isOn) return;
    this.show(message);
  }

  private show(analysis: Analysis): void {
    const lines = inOrder(analysis);
    this.lines.show(analysis, lines);
    const best = lines[0];
    // A message without lines only updates the numbers.
    if (!best) return;
    this.bar.show(best.score);
    const arrows = lines.slice(0, 4).flatMap((line, index): Arrow[] => {
      const [move] = line.uci;
      return move ? [{ from: move.slice(0, 2), to: move.slice(2, 4), kind: index === 0 ? "best" : "other" }] : [];
    });
    this.board.point(arrows.reverse());
  }
}
