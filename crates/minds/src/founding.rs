//! The numbers of the founding document's evaluation: material, piece-square tables, and a bonus for having castled.
//!
//! They belong to the founding minds alone. The search has tables of its own, which may change with its strength; these
//! stay as the document has them, so that its minds play the same games for ever. A test compares each of them with the
//! document.
//!
//! The document contradicts itself: its text lists a knight at 325, a bishop at 325 and a queen at 975, its code has
//! 320, 325 and 900. The code is what played, so its numbers are used here.

use rules::{Color, Piece, Role, Square};

/// What having castled is worth.
pub const CASTLED: i32 = 30;

/// What pawn, knight, bishop, rook, queen and king are worth by themselves.
pub const MATERIAL: [i32; Role::COUNT] = [100, 320, 325, 500, 900, 0];

/// Where black pieces like to stand, a1 first. The document has a table for each color; White's are Black's with the
/// ranks exchanged.
type PieceSquareTable = [i32; 64];

#[rustfmt::skip]
const PAWN: PieceSquareTable = [
      0,   0,   0,   0,   0,   0,   0,   0,
     50,  50,  50,  50,  50,  50,  50,  50,
     10,  10,  20,  30,  30,  20,  10,  10,
      5,   5,  10,  25,  25,  10,   5,   5,
      0,   0,   0,  20,  20,   0,   0,   0,
      5,  -5, -10,   0,   0, -10,  -5,   5,
      5,  10,  10, -20, -20,  10,  10,   5,
      0,   0,   0,   0,   0,   0,   0,   0,
];

#[rustfmt::skip]
const KNIGHT: PieceSquareTable = [
    -50, -40, -30, -30, -30, -30, -40, -50,
    -40, -20,   0,   0,   0,   0, -20, -40,
    -30,   0,  10,  15,  15,  10,   0, -30,
    -30,   5,  15,  20,  20,  15,   5, -30,
    -30,   0,  15,  20,  20,  15,   0, -30,
    -30,   5,  10,  15,  15,  10,   5, -30,
    -40, -20,   0,   5,   5,   0, -20, -40,
    -50, -40, -30, -30, -30, -30, -40, -50,
];

#[rustfmt::skip]
const BISHOP: PieceSquareTable = [
    -20, -10, -10, -10, -10, -10, -10, -20,
    -10,   0,   0,   0,   0,   0,   0, -10,
    -10,   0,   5,  10,  10,   5,   0, -10,
    -10,   5,   5,  10,  10,   5,   5, -10,
    -10,   0,  10,  10,  10,  10,   0, -10,
    -10,  10,  10,  10,  10,  10,  10, -10,
    -10,   5,   0,   0,   0,   0,   5, -10,
    -20, -10, -10, -10, -10, -10, -10, -20,
];

#[rustfmt::skip]
const ROOK: PieceSquareTable = [
      0,   0,   0,   0,   0,   0,   0,   0,
      5,  10,  10,  10,  10,  10,  10,   5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
      0,   0,   0,   5,   5,   0,   0,   0,
];

#[rustfmt::skip]
const QUEEN: PieceSquareTable = [
    -20, -10, -10,  -5,  -5, -10, -10, -20,
    -10,   0,   0,   0,   0,   0,   0, -10,
    -10,   0,   5,   5,   5,   5,   0, -10,
     -5,   0,   5,   5,   5,   5,   0,  -5,
      0,   0,   5,   5,   5,   5,   0,  -5,
    -10,   5,   5,   5,   5,   5,   0, -10,
    -10,   0,   5,   0,   0,   0,   0, -10,
    -20, -10, -10,  -5,  -5, -10, -10, -20,
];

#[rustfmt::skip]
const KING: PieceSquareTable = [
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -20, -30, -30, -40, -40, -30, -30, -20,
    -10, -20, -20, -20, -20, -20, -20, -10,
     20,  20,   0,   0,   0,   0,  20,  20,
     20,  30,  10,   0,   0,  10,  30,  20,
];

const TABLES: [&PieceSquareTable; Role::COUNT] = [&PAWN, &KNIGHT, &BISHOP, &ROOK, &QUEEN, &KING];

/// What a piece on a square is worth to its owner, material included.
///
/// ```
/// use saavedra_minds::founding;
/// use saavedra_minds::rules::{Color, Role, Square};
///
/// assert_eq!(founding::value(Role::Knight.of(Color::White), Square::F3), 320 + 10);
/// assert_eq!(founding::value(Role::Knight.of(Color::Black), Square::F6), 320 + 10);
/// ```
pub const fn value(piece: Piece, square: Square) -> i32 {
    let square = match piece.color {
        Color::White => square.flip_rank(),
        Color::Black => square,
    };
    let role = piece.role as usize;
    MATERIAL[role] + TABLES[role][square as usize]
}
