// The parts of cm-chessboard that the page uses; it comes without types.

declare module "cm-chessboard/src/Chessboard.js" {
  export type Side = "w" | "b";

  export interface InputEvent {
    type: "moveInputStarted" | "movingOverSquare" | "validateMoveInput" | "moveInputCanceled" | "moveInputFinished";
    squareFrom: string;
    squareTo?: string | null;
    reason?: string;
  }

  export interface View {
    svg: SVGSVGElement;
    coordinatesGroup: SVGGElement;
    markersLayer: SVGGElement;
    markersTopLayer: SVGGElement;
    squareWidth: number;
    handleResize(): void;
    redrawPieces(squares: readonly (string | null)[]): void;
    squareToPoint(square: string): { x: number; y: number };
    visualMoveInput: {
      positionChanged(): void;
      draggablePiece: SVGSVGElement | null;
      createDraggablePiece(piece: string): void;
      moveDraggablePiece(x: number, y: number): void;
    };
  }

  export class Chessboard {
    constructor(context: HTMLElement, props: object);
    view: View;
    props: { style: { animationDuration: number } };
    state: {
      extensionPoints: Record<string, (() => void)[]>;
      position: { squares: readonly (string | null)[]; setFen(fen: string): void };
    };
    setPosition(fen: string, animated?: boolean): Promise<void>;
    setPiece(square: string, piece: string | null, animated?: boolean): Promise<void>;
    setOrientation(side: Side, animated?: boolean): Promise<void>;
    getOrientation(): Side;
    getPiece(square: string): string | null;
    getPosition(): string;
    enableMoveInput(handler: (event: InputEvent) => boolean | void, side?: Side): void;
    disableMoveInput(): void;
    cancelMoveInput(): void;
    isMoveInputEnabled(): boolean;
    destroy(): void;
  }
}

/** Where each piece set is. */
declare const PIECES_URLS: Record<"saavedra" | "plain" | "letters", string>;
