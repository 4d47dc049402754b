// The names of squares and pieces, and the little that the page knows of chess. The rules are in the server.

import { w } from "../words";

export type Side = "w" | "b";
export type Promotion = "q" | "r" | "b" | "n";

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const ROLES = ["p", "n", "b", "r", "q", "k"] as const;
type Role = (typeof ROLES)[number];

/** `wn` as "white knight". */
export function pieceName(piece: string): string {
  const role = ROLES.find(role => role === piece[1]);
  return role ? w.pieceNames[piece[0] === "w" ? "w" : "b"][role] : "";
}

export function roleName(role: string): string {
  return role in w.roleNames ? w.roleNames[role as Role] : role;
}

/** Whose move it is in a position. */
export function sideToMove(fen: string): Side {
  return fen.split(" ")[1] === "b" ? "b" : "w";
}

export function other(side: Side): Side {
  return side === "w" ? "b" : "w";
}

/** The pieces of a FEN, by square. */
export function placement(fen: string): Map<string, string> {
  const pieces = new Map<string, string>();
  const ranks = (fen.split(" ")[0] ?? "").split("/");
  ranks.forEach((rank, row) => {
    let file = 0;
    for (const character of rank) {
      const empty = Number(character);
      if (empty > 0) {
        file += empty;
        continue;
      }
      const role = character.toLowerCase();
      const side = role === character ? "b" : "w";
      pieces.set(`${"abcdefgh"[file] ?? "?"}${8 - row}`, `${side}${role}`);
      file += 1;
    }
  });
  return pieces;
}

/** The reverse: the first field of a FEN. */
export function placementField(pieces: Map<string, string>): string {
  const ranks = [8, 7, 6, 5, 4, 3, 2, 1].map(rank => {
    let text = "";
    let empty = 0;
    for (const file of "abcdefgh") {
      const piece = pieces.get(`${file}${rank}`);
      if (!piece) {
        empty += 1;
        continue;
      }
      text += (empty > 0 ? empty : "") + (piece[0] === "w" ? piece[1]!.toUpperCase() : piece[1]!);
      empty = 0;
    }
    return text + (empty > 0 ? empty : "");
  });
  return ranks.join("/");
}

/** The square of a side's king, if it has one. */
export function kingSquare(fen: string, side: Side): string | undefined {
  for (const [square, piece] of placement(fen)) if (piece === `${side}k`) return square;
  return undefined;
}
