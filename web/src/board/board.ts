// The board as the views see it: a position to show, moves to allow, and what to draw on top.
//
// cm-chessboard draws squares and pieces and lets them be dragged and clicked. Everything about
// rules is here: legal moves, promotions, premoves, the keyboard, and the texts for screen readers.

import { Chessboard, type InputEvent } from "cm-chessboard/src/Chessboard.js";
import { announce } from "../announce";
import { h } from "../dom";
import { moveDuration, onSettings, settings } from "../settings";
import { w } from "../words";
import { inkOf, type Drawing } from "./drawings";
import { draw, type Arrow, type Layers, type Mark } from "./overlay";
import { askPromotion } from "./promotion";
import { pieceName, sideToMove, type Side } from "./squares";
import type { LegalMove } from "../api";

/** What may be done on the board. */
export interface Input {
  /** The legal moves; where there are none, pieces stay where they are. */
  legal: LegalMove[];
  /** The side that may make a premove. */
  premove?: Side;
  onMove: (uci: string) => void;
  onPremove?: (uci: string | undefined) => void;
}

/** What may be done while a position is set up: choose squares, move pieces, drop them off the board. */
export interface Editing {
  onSquare?: (square: string) => void;
  onShift?: (start: string, end: string | undefined) => void;
}

const NO_INPUT: Input = { legal: [], onMove: () => {} };

export class Board {
  readonly element: HTMLElement;
  private readonly frame: HTMLElement;
  private readonly chessboard: Chessboard;
  private readonly forget: () => void;
  private fen = "8/8/8/8/8/8/8/8 w - - 0 1";
  private input = NO_INPUT;
  private editing: Editing | undefined;
  private inHand: string | undefined;
  private cursor: string | undefined;
  private extraMarks: [string, Mark][] = [];
  private lastMove: { from: string; to: string } | undefined;
  private arrows: Arrow[] = [];
  private drawn: readonly Drawing[] = [];
  /** The arrow or circle under the right button. */
  private sketch: Drawing | undefined;
  /** Called with what was drawn by the right button; without it nothing is drawn. */
  onDraw: ((shape: Drawing) => void) | undefined;
  private isMoving = false;
  private isClosed = false;

  constructor(orientation: Side = "w") {
    this.frame = h("div.board", {
      tabindex: 0,
      role: "application",
      "aria-roledescription": "chess board",
      "aria-label": w.boardLabel,
      onkeydown: (event: KeyboardEvent) => this.pressed(event),
      onfocus: () => this.walkTo(this.cursor ?? (this.orientation === "w" ? "e2" : "e7"), this.usesKeyboard()),
      onblur: () => this.drop(),
      // A click does not focus the board, so that the arrow keys still step through the moves.
      onmousedown: (event: MouseEvent) => {
        event.preventDefault();
        if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
      },
      onpointerdown: (event: PointerEvent) => {
        const square = event.target instanceof Element ? event.target.getAttribute("data-square") : null;
        if (square && event.button === 0) this.editing?.onSquare?.(square);
        if (square && event.button === 2 && this.onDraw) this.startSketch(event, square);
      },
      onpointermove: (event: PointerEvent) => this.sketch && this.moveSketch(event),
      onpointerup: () => this.endSketch(),
    });
    // Browsers follow a tap with a mouse click, which would pick the piece up again.
    const tapped = (event: Event) => this.inHand && event.preventDefault();
    this.frame.addEventListener("touchstart", tapped, { capture: true, passive: false });
    this.element = h("div.board-frame", {}, this.frame);
    this.chessboard = new Chessboard(this.frame, {
      orientation,
      position: this.fen,
      assetsUrl: "",
      style: {
        cssClass: "saavedra",
        showCoordinates: false,
        pieces: { file: PIECES_URLS.saavedra, tileSize: 40 },
        animationDuration: moveDuration(),
      },
    });
    this.chessboard.view.svg.setAttribute("aria-hidden", "true");
    this.chessboard.view.svg.removeAttribute("role");
    placeDraggedPieceByScript(this.chessboard);
    (this.chessboard.state.extensionPoints.afterRedrawBoard ??= []).push(() => this.redraw());
    this.forget = onSettings(() => this.redraw());
  }

  get orientation(): Side {
    return this.chessboard.getOrientation();
  }

  get position(): string {
    return this.fen;
  }

  /** Shows a position and the last move. */
  show(fen: string, lastMove?: { from: string; to: string }): void {
    this.fen = fen;
    this.lastMove = lastMove;
    // A board that was created before it was on the page would resize itself one frame later.
    this.chessboard.view.handleResize();
    this.chessboard.props.style.animationDuration = moveDuration();
    if (this.isMoving) this.jump(fen);
    else void this.glide(fen);
    this.redraw();
  }

  /** Moves the pieces to their places. */
  private async glide(fen: string): Promise<void> {
    this.isMoving = true;
    await this.chessboard.setPosition(fen, moveDuration() > 0);
    this.isMoving = false;
    // The animation ends with the position that it was started for. What was shown meanwhile is drawn before the next
    // frame, so it is never seen.
    if (!this.isClosed && this.fen !== fen) this.jump(this.fen);
  }

  /** Puts the pieces in their places at once, whatever still moves: a board never lags behind the game. */
  private jump(fen: string): void {
    const { state, view } = this.chessboard;
    state.position.setFen(fen);
    view.visualMoveInput.positionChanged();
    view.redrawPieces(state.position.squares);
  }

  /** Sets what may be done from now on. */
  allow(input: Input): void {
    this.input = input;
    this.editing = undefined;
    // A piece that is held while something else changes stays in hand.
    if (this.inHand && !this.isOurs(this.inHand)) this.inHand = undefined;
    this.listen(input.legal.length > 0 || input.premove !== undefined);
    this.redraw();
  }

  /** Lets squares be chosen and pieces be moved without any rules. */
  edit(editing: Editing): void {
    this.allow(NO_INPUT);
    this.editing = editing;
    this.listen(editing.onShift !== undefined);
    this.frame.setAttribute("aria-disabled", "false");
  }

  /** Gives the board the focus if the last thing was done by keyboard, so that it goes on by keyboard. */
  takeFocus(): void {
    if (document.activeElement?.matches("button:focus-visible")) this.frame.focus();
  }

  freeze(): void {
    this.chessboard.cancelMoveInput();
    this.allow(NO_INPUT);
  }

  flip(): Promise<void> {
    return this.face(this.orientation === "w" ? "b" : "w");
  }

  /** Turns the board so that a side is at the bottom. */
  async face(side: Side): Promise<void> {
    if (side !== this.orientation) await this.chessboard.setOrientation(side);
    this.redraw();
  }

  mark(marks: [string, Mark][]): void {
    this.extraMarks = marks;
    this.redraw();
  }

  point(arrows: Arrow[]): void {
    this.arrows = arrows;
    this.redraw();
  }

  /** Shows what a player has drawn. */
  showDrawings(drawn: readonly Drawing[]): void {
    this.drawn = drawn;
    this.redraw();
  }

  private startSketch(event: PointerEvent, square: string): void {
    this.sketch = { ink: inkOf(event), from: square, to: square };
    this.frame.setPointerCapture(event.pointerId);
    this.redraw();
  }

  private moveSketch({ clientX, clientY }: PointerEvent): void {
    const under = document.elementsFromPoint(clientX, clientY).find(element => element.hasAttribute("data-square"));
    const to = under?.getAttribute("data-square");
    if (!to || to === this.sketch!.to) return;
    this.sketch = { ...this.sketch!, to };
    this.redraw();
  }

  private endSketch(): void {
    const shape = this.sketch;
    this.sketch = undefined;
    if (shape) this.onDraw?.(shape);
    this.redraw();
  }

  close(): void {
    this.isClosed = true;
    this.forget();
    this.chessboard.destroy();
  }

  private listen(wantsInput: boolean): void {
    this.frame.setAttribute("aria-disabled", String(!wantsInput));
    const hadInput = this.chessboard.isMoveInputEnabled();
    if (hadInput && !wantsInput) this.chessboard.disableMoveInput();
    if (!hadInput && wantsInput) this.chessboard.enableMoveInput(event => this.dragged(event));
  }

  private redraw(): void {
    // The focus leaves a board that is taken away, which is heard after it was closed.
    if (this.isClosed) return;
    const marks: Layers["marks"] = [];
    if (this.lastMove) marks.push([this.lastMove.from, "last"], [this.lastMove.to, "last"]);
    marks.push(...this.extraMarks);
    if (this.inHand) marks.push([this.inHand, "selected"]);
    if (this.cursor && document.activeElement === this.frame && this.usesKeyboard()) marks.push([this.cursor, "focus"]);
    const reachable = this.inHand && settings.targets ? this.targets(this.inHand) : [];
    draw(this.chessboard.view, this.orientation, {
      marks,
      arrows: this.arrows,
      drawn: this.sketch ? [...this.drawn, this.sketch] : this.drawn,
      targets: reachable.map(square => [square, this.chessboard.getPiece(square) !== null]),
      coordinates: settings.coordinates,
    });
  }

  /** Where a piece may be put. Castling is shown on the king's target, or on the rook if the king could step there. */
  private targets(square: string): string[] {
    const moves = this.input.legal.filter(move => move.from === square);
    const steps = new Set([square, ...moves.filter(move => move.castle_rook === null).map(move => move.to)]);
    const shown = moves.map(move => (move.castle_rook !== null && steps.has(move.to) ? move.castle_rook : move.to));
    return [...new Set(shown)];
  }

  /** Answers cm-chessboard, which asks whether a piece may be picked up and whether a move is legal. */
  private dragged(event: InputEvent): boolean | void {
    switch (event.type) {
      case "moveInputStarted":
        return this.lift(event.squareFrom);
      case "validateMoveInput":
        return this.put(event.squareFrom, event.squareTo ?? "");
      case "moveInputCanceled":
        if (event.reason === "movedOutOfBoard") this.editing?.onShift?.(event.squareFrom, undefined);
        return this.drop();
    }
  }

  /** Whether the piece on a square may be touched. */
  private isOurs(square: string): boolean {
    const piece = this.chessboard.getPiece(square);
    return (
      piece?.[0] === (this.input.premove ?? sideToMove(this.fen)) || (piece !== null && this.editing !== undefined)
    );
  }

  private lift(square: string): boolean {
    if (!this.isOurs(square)) return false;
    if (this.input.premove) this.input.onPremove?.(undefined);
    this.inHand = square;
    this.redraw();
    return true;
  }

  private drop(): void {
    this.inHand = undefined;
    this.redraw();
  }

  /** Plays a move if it is legal. Returns whether cm-chessboard leaves the piece there. */
  private put(start: string, end: string): boolean {
    this.inHand = undefined;
    if (this.editing) {
      this.editing.onShift?.(start, end);
      return true;
    }
    if (this.input.premove) {
      const isPromotion = this.chessboard.getPiece(start)?.[1] === "p" && /[18]/.test(end);
      this.input.onPremove?.(start + end + (isPromotion ? "q" : ""));
      this.redraw();
      return false;
    }
    const choices = this.meant(start, end);
    const only = choices[0];
    this.redraw();
    if (!only) return false;
    if (choices.length > 1) {
      void this.promote(choices);
      return false;
    }
    this.make(only);
    return only.castle_rook === null;
  }

  /** Passes a move on. No second one is made before a position is shown in answer. */
  private make({ uci }: LegalMove): void {
    const { onMove } = this.input;
    this.allow(NO_INPUT);
    onMove(uci);
  }

  /** The moves that putting a piece there may mean; castling also by putting the king on the rook. */
  private meant(start: string, end: string): LegalMove[] {
    const moves = this.input.legal.filter(move => move.from === start);
    const plain = moves.filter(move => move.to === end && move.castle_rook === null);
    return plain.length > 0
      ? plain
      : moves.filter(move => move.castle_rook && [move.to, move.castle_rook].includes(end));
  }

  private async promote(choices: LegalMove[]): Promise<void> {
    const { to } = choices[0]!;
    const { x, y } = this.chessboard.view.squareToPoint(to);
    const role = await askPromotion(
      this.element,
      sideToMove(this.fen),
      [x, y].map(at => at / this.frame.clientWidth),
    );
    if (this.isClosed) return;
    if (!role) return this.redraw();
    const chosen = choices.find(move => move.uci[4] === role);
    if (chosen && this.input.legal.includes(chosen)) this.make(chosen);
  }

  private usesKeyboard(): boolean {
    return this.frame.matches(":focus-visible");
  }

  private pressed(event: KeyboardEvent): void {
    const steps: Record<string, [number, number]> = {
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
    };
    const step = steps[event.key];
    const here = this.cursor ?? "e2";
    if (step && !event.altKey && !event.ctrlKey && !event.metaKey) {
      const turn = this.orientation === "w" ? 1 : -1;
      const file = "abcdefgh"["abcdefgh".indexOf(here[0]!) + turn * step[0]];
      const row = Number(here[1]) + turn * step[1];
      if (file && row >= 1 && row <= 8) this.walkTo(`${file}${row}`, true);
    } else if (event.key === "Enter" || event.key === " ") {
      this.enter(here);
    } else if (event.key === "Escape" && this.inHand) {
      this.drop();
      announce(w.putBack);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private enter(square: string): void {
    const start = this.inHand;
    if (this.editing?.onSquare) {
      this.editing.onSquare(square);
      this.walkTo(square, true);
    } else if (start && start !== square) {
      const piece = this.chessboard.getPiece(start);
      const isMove = this.input.premove !== undefined || this.editing || this.meant(start, square).length > 0;
      this.put(start, square);
      if (!isMove) announce(w.cannotGo(pieceName(piece ?? ""), square));
    } else if (start) {
      this.drop();
      announce(w.putBack);
    } else if (this.lift(square)) {
      const places = this.targets(square);
      announce(w.inHand(pieceName(this.chessboard.getPiece(square)!), places.join(", ")));
    } else {
      announce(w.noPieceOn(square));
    }
  }

  private walkTo(square: string, speak: boolean): void {
    this.cursor = square;
    this.redraw();
    const piece = this.chessboard.getPiece(square);
    if (speak) announce(`${square}, ${piece ? pieceName(piece) : w.emptySquare}`);
  }
}

/**
 * The content security policy forbids style attributes, by which cm-chessboard places the piece under the pointer. The
 * style object is allowed.
 */
function placeDraggedPieceByScript(chessboard: Chessboard): void {
  const input = chessboard.view.visualMoveInput;
  input.createDraggablePiece = piece => {
    const size = chessboard.view.squareWidth;
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    picture.setAttribute("class", "dragged-piece");
    picture.setAttribute("viewBox", "0 0 40 40");
    picture.setAttribute("width", String(size));
    picture.setAttribute("height", String(size));
    use.setAttribute("href", `#${piece}`);
    picture.append(use);
    document.body.append(picture);
    input.draggablePiece = picture;
  };
  input.moveDraggablePiece = (x, y) => {
    const half = chessboard.view.squareWidth / 2;
    input.draggablePiece?.style.setProperty("translate", `${x - half}px ${y - half}px`);
  };
}
