// The workspace: one board, one panel, one bar. A game is played, analysed and reviewed in it.

import { announce } from "../announce";
import type { Color, Game, KeptGame } from "../api";
import { Board } from "../board/board";
import { toggled, withDrawings, type Drawing } from "../board/drawings";
import type { Arrow, Mark } from "../board/overlay";
import { other, START, type Side } from "../board/squares";
import { h } from "../dom";
import { spoken } from "../format";
import { openGame } from "../games";
import { Keeper } from "../keeper";
import { attempt, complain, offerUndo, say } from "../notice";
import { Caption } from "../parts/caption";
import { EvaluationBar } from "../parts/evaluation";
import { Line } from "../parts/line";
import { MoveList } from "../parts/moves";
import { moveField } from "../parts/typed";
import { ownSide } from "../play/people";
import { go, move, rename, type View } from "../route";
import { playMove } from "../sound";
import { told, w } from "../words";
import { analysisActions, liveActions, moveMenu, workspaceMenu } from "./actions";
import { StepBar } from "./bar";
import { EnginePanel } from "./engine";
import { ExplorerPanel } from "./explorer";
import { leaveZen, onKey } from "./keys";
import { Live } from "./live";
import { Menu } from "./menu";
import { NotesPanel } from "./notes";
import { Panel, TABS } from "./panel";
import { Paper } from "./paper";
import { resizable, stepsByWheel } from "./pointing";
import { ReviewPanel } from "./review";
import { ending, judgedMoves, namesOf, placeIn, worth } from "./shown";
import { Strips } from "./strips";

export class Workspace implements View {
  readonly element: HTMLElement;
  readonly board = new Board();
  readonly line = new Line(
    () => this.draw(),
    () => this.edited(),
  );
  readonly list: MoveList;
  readonly engine: EnginePanel;
  readonly review: ReviewPanel;
  readonly panel: Panel;
  live: Live | undefined;
  private readonly bar = new EvaluationBar();
  private readonly strips = new Strips();
  private readonly stepBar: StepBar;
  private readonly explorer: ExplorerPanel;
  private readonly notes = new NotesPanel(this.line);
  private readonly caption = new Caption();
  private readonly thought = h("p.thought");
  private readonly keeper: Keeper;
  private readonly paper: Paper;
  private readonly keys = (event: KeyboardEvent) => onKey(this, event);
  private isClosed = false;

  constructor(
    private kept: KeptGame,
    private readonly query: URLSearchParams,
  ) {
    const play = (moves: string[]) => attempt(() => this.line.playAll(moves));
    this.engine = new EnginePanel(
      () => this.drawBoard(),
      play,
      () => this.board.orientation,
    );
    this.explorer = new ExplorerPanel(uci => attempt(() => this.play(uci)));
    this.review = new ReviewPanel({
      id: () => this.id,
      line: this.line,
      board: this.board,
      names: () => namesOf(this.line),
      own: () => this.own,
      redraw: () => this.draw(),
      face: side => this.face(side),
      go: ply => this.line.goMain(ply),
      saved: () => this.saved(),
    });
    this.paper = new Paper(
      this.line,
      () => this.board.orientation,
      () => (this.panel.tab === "review" ? this.review.review : undefined),
    );
    const menu = new Menu(() => workspaceMenu(this));
    let pointed = 0;
    const onMove = new Menu(() => moveMenu(this, pointed));
    this.list = new MoveList(
      number => this.goTo(number),
      (number, x, y) => {
        pointed = number;
        onMove.open(x, false, y);
      },
    );
    this.stepBar = new StepBar(
      step =>
        this.walk({ first: 0, previous: this.list.ply - 1, next: this.list.ply + 1, last: this.list.length }[step]),
      button => menu.openAt(button),
    );
    const moves = h(
      "div.moves-part",
      {},
      this.list.element,
      this.thought,
      moveField(text => this.play(text)),
    );
    const parts = {
      engine: this.engine.element,
      explorer: this.explorer.element,
      review: this.review.element,
      notes: this.notes.element,
    };
    this.panel = new Panel(this.caption.element, parts, moves, tab => {
      if (tab === "engine") this.engine.turn(true);
      this.draw();
    });
    const board = h("div.board-area", {}, this.bar.element, this.board.element);
    const [above, below] = this.strips.elements;
    this.element = h(
      "div.workspace",
      {},
      this.paper.head,
      board,
      above,
      this.panel.element,
      this.stepBar.element,
      below,
      this.paper.report,
      leaveZen(),
      menu.element,
      onMove.element,
    );
    this.keeper = new Keeper(kept, {
      onState: text => this.notes.told(text),
      onCreated: (id, isCopy) => this.created(id, isCopy),
      onMerged: ({ game }) => !this.isClosed && attempt(() => this.line.refresh(game)),
    });
    this.board.onDraw = shape => this.drawn(shape);
    stepsByWheel(this.board.element, steps => this.walk(this.list.ply + steps));
    resizable(this.board.element);
    addEventListener("keydown", this.keys);
    if (kept.status === "playing") this.offer(true);
  }

  /** What there is while one plays, and at other times. */
  private offer(isPlaying: boolean): void {
    this.panel.offer(isPlaying ? ["moves", "notes"] : TABS);
    this.element.dataset.state = isPlaying ? "playing" : "analysis";
  }

  /** Shows the game once the workspace is on the page. */
  begin(): void {
    const asked = this.query.get("tab");
    const tab = TABS.find(name => name === asked);
    if (this.kept.kind === "played") this.live = this.follow();
    if (this.kept.status === "playing") return;
    this.panel.show(tab ?? "moves");
    if (tab === "engine") this.engine.turn(true);
    attempt(() => this.load(this.kept, tab === undefined && this.query.get("ply") === null));
  }

  focusBoard(): void {
    this.board.element.querySelector<HTMLElement>(".board")?.focus();
  }

  close(): void {
    this.isClosed = true;
    removeEventListener("keydown", this.keys);
    document.documentElement.classList.remove("zen");
    this.keeper.close();
    this.live?.close();
    const { engine, explorer, review, strips, line, board, paper } = this;
    for (const part of [engine, explorer, review, strips, line, board, paper]) part.close();
  }

  /** Whether a game is in progress here. */
  get isPlaying(): boolean {
    return this.live !== undefined && (this.live.game?.status ?? this.kept.status) === "playing";
  }

  /** Saves what is left to save, and waits until it is. */
  saved(): Promise<void> {
    return this.keeper.settled();
  }

  /** The side of the person at this board, if it is known. */
  get own(): Color | undefined {
    const { White: white, Black: black } = this.kept.game.tags;
    return ownSide({ white, black });
  }

  /** Empty while it is a draft. */
  get id(): string {
    return this.kept.id;
  }

  /** The draft is a game, and has an address of its own; or this version is another game from now on. */
  private created(id: string, isCopy: boolean): void {
    this.kept = { ...this.kept, id };
    if (isCopy && !this.isClosed) go("game", [id], placeIn(this.line, false, this.panel.tab));
    if (isCopy) return say(w.savedAsCopy);
    if (this.isClosed) return;
    move("new", "game", [id]);
    this.draw();
  }

  /** Whether the main line was played here, and stays as it was. */
  get isRecord(): boolean {
    return this.kept.kind === "played";
  }

  async face(side: Side): Promise<void> {
    await this.board.face(side);
    this.bar.face(side);
    this.strips.face(side);
  }

  flip(): Promise<void> {
    return this.face(other(this.board.orientation));
  }

  walk(ply: number): void {
    this.list.walkTo(ply);
  }

  /** Plays a move: in the game that is in progress, or as a move of the analysis. */
  async play(text: string): Promise<void> {
    if (this.isPlaying) {
      await this.line.go(this.line.moves.length);
      return this.live!.move(text);
    }
    this.review.leave();
    try {
      const move = await this.line.play(text);
      playMove(move.san);
      announce(spoken(move.san));
    } catch (error) {
      complain(error);
      this.draw();
      throw error;
    }
  }

  /** What was played here stays; everything else may go. */
  canRemove(number: number): boolean {
    return number > 0 && !(this.isRecord && this.line.tree.isMain(this.line.tree.wayTo(number)));
  }

  /** Takes away what begins at a move. It can be brought back for a while. */
  async removeFrom(number: number): Promise<void> {
    await this.line.goTo(number);
    await this.line.remove();
    offerUndo(w.movesDeleted, () => this.line.undo());
  }

  async promote(number: number): Promise<void> {
    await this.line.goTo(number);
    this.line.promote();
    offerUndo(w.variationPromoted, () => this.line.undo());
  }

  /** Plays what the engine thinks best. */
  playBest(): void {
    const move = this.engine.isOn && !this.engine.isThreat ? this.engine.bestMove : undefined;
    if (move) attempt(() => this.play(move));
  }

  private goTo(number: number): void {
    this.review.leave();
    attempt(() => this.line.goTo(number));
  }

  /** Follows a game that is or was played here. */
  private follow(): Live {
    let isFirst = true;
    return new Live(this.kept.id, {
      board: this.board,
      changed: before => {
        if (!this.isPlaying && before?.status !== "playing") return this.draw();
        const { game, person } = this.live!;
        if (isFirst) void this.face(person === "black" ? "b" : "w");
        isFirst = false;
        this.line.tree.told.tags = { White: game!.white.name, Black: game!.black.name };
        this.line.follow(game!.start_fen, game!.moves, game!.position);
      },
      finished: () => this.finish(),
      thought: text => (this.thought.textContent = text),
      redraw: () => this.draw(),
      backToGame: () => {
        attempt(() => this.line.go(this.line.moves.length));
        say(w.backToGame);
      },
      isLookingBack: () => this.line.at !== this.line.moves.length,
    });
  }

  /** The game is over: it stays where it is, and its review is made. */
  private finish(): void {
    attempt(async () => {
      const kept = await openGame(this.id);
      if (this.isClosed) return;
      this.kept = kept;
      this.keeper.loaded(kept);
      await this.line.loadGame(kept.game, kept.game.moves.length);
      if (kept.game.moves.length < 2 || kept.game.result === "*") return;
      this.panel.choose("review");
      await this.review.start();
    });
  }

  private async load(kept: KeptGame, isAtEnd: boolean): Promise<void> {
    const { game } = kept;
    if (kept.problem) complain(w.broken(told(kept.problem)));
    if (this.own === "black") await this.face("b");
    const ply = Number(this.query.get("ply") ?? (isAtEnd && kept.kind === "played" ? game.moves.length : 0));
    const line = this.query.get("line")?.split(",");
    await this.line.loadGame(game, line ? 0 : ply);
    if (line) await this.line.goAlong(line);
    if (kept.reviews.length > 0) await this.review.recall();
  }

  private edited(): void {
    if (!this.isPlaying) this.keeper.save(() => this.line.written);
  }

  private drawn(shape: Drawing): void {
    const { at, tree } = this.line;
    const shapes = toggled(tree.drawings(at), shape);
    this.line.comment(at, withDrawings(tree.comment(at), shapes));
  }

  private draw(): void {
    if (this.isClosed) return;
    const { line, live, isPlaying } = this;
    const { tab } = this.panel;
    this.offer(isPlaying);
    if (tab !== "review") this.review.leave();
    this.drawBoard();
    this.list.show(line.start, judgedMoves(line, this.review), line.at, line.numbers);
    // Before the first move the game is told as a whole.
    this.caption.show(line.moves.slice(0, line.ply || undefined), isPlaying ? "" : ending(line, live?.game));
    this.stepBar.stand(this.list.ply, this.list.length);
    this.stepBar.offer(isPlaying ? liveActions(this, live!) : analysisActions(this));
    this.thought.hidden = !isPlaying || (live?.game?.white.kind === "human" && live.game.black.kind === "human");
    if (isPlaying) this.strips.showLive(live!.game!, line.fen, live!.person && (live!.person === "white" ? "w" : "b"));
    else this.strips.showKept(line);
    this.review.draw();
    // What is said of a move may take room from the list.
    this.list.keepInView();
    if (!isPlaying) {
      if (!this.review.retry) this.engine.show(line.where, line.fen);
      if (tab === "explorer") this.explorer.show(line.fen);
    }
    if (tab === "notes") this.notes.draw();
    if (this.id) return rename("game", [this.id], placeIn(line, isPlaying, tab));
    rename("new", [], { ...(line.start === START ? {} : { fen: line.start }), ...(tab === "engine" ? {} : { tab }) });
  }

  /** What the board shows and allows, which changes more often than the rest. */
  private drawBoard(): void {
    const { line, live, board, review, engine } = this;
    const { position, last, fen } = line;
    if (review.retry || this.isClosed) return;
    board.show(fen, last);
    board.showDrawings(line.tree.drawings(line.at));
    this.bar.show(this.isPlaying ? undefined : worth(line, engine, review));
    if (this.isPlaying) {
      board.mark(live!.marks(line.ply));
      board.point(live!.arrows(line.ply));
      return live!.permit();
    }
    const isReview = this.panel.tab === "review";
    const check = last?.check ?? position?.check;
    const marks: [string, Mark][] = check ? [[check, "check"]] : [];
    board.mark(isReview ? [...marks, ...review.marks] : marks);
    const arrows: Arrow[] = isReview ? review.arrows : engine.isOn ? engine.arrows : [];
    board.point(arrows);
    board.allow({ legal: position?.legal ?? [], onMove: uci => void this.play(uci).catch(() => {}) });
  }

  /** The game that the server plays, if it does. */
  get game(): Game | undefined {
    return this.live?.game;
  }
}
