// Analysis: a position or a game, with the engine looking on while one browses.

import { announce } from "../announce";
import { get, post, type Analysis, type Game } from "../api";
import { Board } from "../board/board";
import type { Arrow } from "../board/overlay";
import { card, checkbox, field, fill, h, select } from "../dom";
import { copy, fileButton, looksLikeFen, save } from "../files";
import { glyph, spoken } from "../format";
import { attempt, complain } from "../notice";
import { EvaluationBar, Lines } from "../parts/evaluation";
import { gameTitle, Line, readPgn } from "../parts/line";
import { MoveList } from "../parts/moves";
import { moveField } from "../parts/typed";
import { address, go, rename, type Route, type View } from "../route";
import { listen, send, type Message } from "../socket";
import { playMove } from "../sound";

const ID = "analysis";
/** Somebody who runs through a game is not waited for at every move. */
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
  private readonly lines = new Lines(moves => attempt(() => this.playAll(moves)));
  private readonly list = new MoveList(ply => attempt(() => this.line.go(ply)));
  private readonly line = new Line(() => this.draw());
  private readonly back = h(
    "button",
    { type: "button", onclick: () => attempt(() => this.line.back()) },
    "Back to the game",
  );
  private readonly ending = h("p.outcome", { role: "status" });
  private readonly fen = h("input.mono", {
    type: "text",
    spellcheck: "false",
    onchange: () => this.receive(this.fen.value),
  });
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
      hear: message => this.hear(message),
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
    this.board.close();
  }

  receive(text: string): void {
    if (looksLikeFen(text)) attempt(() => this.line.load(text.trim()));
    else attempt(() => this.readGames(text));
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
    const flip = async () => {
      await this.board.flip();
      this.bar.face(this.board.orientation);
    };
    return h(
      "section.card",
      { "aria-label": "Moves" },
      this.games,
      this.ending,
      this.list.element,
      h("div.row", {}, h("button", { type: "button", onclick: () => void flip() }, "Flip"), this.back),
      moveField(text => this.play(text)),
    );
  }

  private textCard(): HTMLElement {
    const pgn = h("textarea", { "aria-label": "PGN", placeholder: "Paste a PGN, or drop a file anywhere" });
    const written = () =>
      post<{ pgn: string }>("/pgn/write", { fen: this.line.start, moves: this.line.moves.map(move => move.uci) });
    return card(
      "Position and game",
      field("FEN", this.fen),
      pgn,
      h(
        "div.row",
        {},
        h("button", { type: "button", onclick: () => this.receive(pgn.value) }, "Read the PGN"),
        fileButton("Open a file", text => this.receive(text)),
        h("button", { type: "button", onclick: () => void copy(this.line.fen, "FEN") }, "Copy FEN"),
        h(
          "button",
          { type: "button", onclick: () => attempt(async () => copy((await written()).pgn, "PGN")) },
          "Copy PGN",
        ),
        h(
          "button",
          { type: "button", onclick: () => attempt(async () => save("saavedra.pgn", (await written()).pgn)) },
          "Save PGN",
        ),
      ),
      this.links,
    );
  }

  private async begin({ query }: Route): Promise<void> {
    const dropped = sessionStorage.getItem("saavedra.dropped");
    sessionStorage.removeItem("saavedra.dropped");
    const id = query.get("game");
    if (dropped) return this.receive(dropped);
    if (id) {
      const game = await get<Game>(`/games/${id}`);
      return this.line.load(
        game.start_fen,
        game.moves.map(move => move.uci),
      );
    }
    const moves = query.get("moves")?.split(",").filter(Boolean) ?? [];
    await this.line
      .load(query.get("fen") ?? undefined, moves, Number(query.get("ply") ?? moves.length))
      .catch(error => {
        complain(error);
        return this.line.load(undefined);
      });
  }

  private async readGames(pgn: string): Promise<void> {
    const { games, errors } = await readPgn(pgn);
    const titles = games.map((game, index) => [String(index), gameTitle(game, index)] as const);
    const choose = (index: string) => attempt(() => this.line.loadGame(games[Number(index)]!));
    fill(this.games, games.length > 1 ? field("Game", select(titles, "0", choose)) : h("p.hint", {}, titles[0]![1]));
    const [error] = errors;
    if (error) complain(`Game ${error.game}, line ${error.line}: ${error.message}`);
    await this.line.loadGame(games[0]!);
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

  private async playAll(moves: string[]): Promise<void> {
    for (const move of moves) await this.line.play(move);
  }

  /** Draws what is known of the position; `position` arrives a moment after the move. */
  private draw(): void {
    const { line } = this;
    const { position, last, fen } = line;
    this.board.show(fen, last);
    this.board.mark(last?.check ? [[last.check, "check"]] : position?.check ? [[position.check, "check"]] : []);
    if (position)
      this.board.allow({ legal: position.legal, onMove: uci => void this.play(uci).catch(() => this.draw()) });
    const shown = line.moves.map(move => ({ san: move.san, comment: move.comment, glyph: glyph(move.nags?.[0]) }));
    this.list.show(line.start, shown, line.ply);
    this.back.hidden = line.left === undefined;
    const over = position?.over;
    this.ending.textContent = over ? `${over.result}: ${over.reason}` : "";
    this.ending.hidden = !over;
    if (over)
      this.bar.show(over.winner ? { kind: "mate", value: over.winner === "white" ? 1 : -1 } : { kind: "cp", value: 0 });
    this.fen.value = fen;
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

  /** Asks for an analysis of what is shown, unless it is under way. */
  private ask(again = false): void {
    const question = JSON.stringify([this.line.where, this.wanted, this.isOn]);
    if (question === this.asked && !again) return;
    this.asked = question;
    clearTimeout(this.timer);
    this.board.point([]);
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

  private hear(message: Message): void {
    if (message.type === "error" && message.id === ID) complain(message.message);
    if (message.type !== "analysis" || message.id !== ID || message.fen !== this.line.fen || !this.isOn) return;
    this.show(message);
  }

  private show(analysis: Analysis): void {
    this.lines.show(analysis);
    const best = analysis.lines[0];
    if (best) this.bar.show(best.score);
    const arrows = analysis.lines.slice(0, 4).flatMap((line, index): Arrow[] => {
      const [move] = line.uci;
      return move ? [{ from: move.slice(0, 2), to: move.slice(2, 4), kind: index === 0 ? "best" : "other" }] : [];
    });
    this.board.point(arrows.reverse());
  }
}

/** Opens the analysis of a position. */
export function analyse(fen: string): void {
  go("analysis", [], { fen });
}
