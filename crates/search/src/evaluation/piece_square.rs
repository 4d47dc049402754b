//! Material and piece-square tables, kept up to date move by move.
//!
//! The idea that a piece is worth what it is plus where it stands, and the figures, began as a founding document's. The
//! minds that play as the document says have their own copy, so these figures are free to change. Two things are ours,
//! because a search that looks far needs them: in the endgame the king wants to be in the middle instead of in its
//! corner, and a lone king is to be driven to the edge.

use rules::{Color, Observer, Piece, Position, Role, Square};

use crate::MAX_PLY;

use super::Evaluator;

/// What pawn, knight, bishop, rook, queen and king are worth in centipawns.
pub const MATERIAL: [i32; Role::COUNT] = [100, 320, 325, 500, 900, 0];

/// Where white pieces like to stand, as one looks at the board: the eighth rank first.
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

/// What a piece on a square is worth to its owner before the endgame, material included.
pub const fn piece_square_value(piece: Piece, square: Square) -> i32 {
    // The tables are drawn with the eighth rank on top, where White's first rank has the highest index.
    let seen = match piece.color {
        Color::White => square.flip_rank(),
        Color::Black => square,
    };
    let role = piece.role as usize;
    MATERIAL[role] + TABLES[role][seen as usize]
}

/// Endgame: a king is worth this much more for every step that it is nearer to the middle than to the edge.
const KING_STEP: i32 = 12;

/// The phase of the game that pawn, knight, bishop, rook, queen and king count for, out of [`OPENING`] for all
/// together.
pub(crate) const PHASE: [i32; Role::COUNT] = [0, 1, 1, 2, 4, 0];

/// The phase of the start position.
pub(crate) const OPENING: i32 = 24;

/// Steps from the edge of the board, 0 to 3 by file and by rank, both added.
const fn steps_from_edge(square: Square) -> i32 {
    const fn from_edge(coordinate: i32) -> i32 {
        if coordinate < 4 { coordinate } else { 7 - coordinate }
    }
    from_edge(square.file() as i32) + from_edge(square.rank() as i32)
}

/// Sums over all pieces, White's counted positive.
#[derive(Clone, Copy, Default)]
pub struct Sums {
    opening: i32,
    endgame: i32,
    weight: i32,
}

/// What each piece on each square adds to the sums.
static PARTS: [[Sums; 64]; Piece::COUNT] = {
    let mut parts = [[Sums { opening: 0, endgame: 0, weight: 0 }; 64]; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT * 64 {
        let (piece, square) = (Piece::ALL[index / 64], Square::ALL[index % 64]);
        let sign = if matches!(piece.color, Color::White) { 1 } else { -1 };
        let opening = piece_square_value(piece, square);
        let endgame = if matches!(piece.role, Role::King) { KING_STEP * steps_from_edge(square) } else { opening };
        let weight = PHASE[piece.role as usize];
        parts[index / 64][index % 64] = Sums { opening: sign * opening, endgame: sign * endgame, weight };
        index += 1;
    }
    parts
};

impl Observer for Sums {
    #[inline(always)]
    fn removed(&mut self, piece: Piece, square: Square) {
        let part = &PARTS[piece.index()][square as usize];
        self.opening -= part.opening;
        self.endgame -= part.endgame;
        self.weight -= part.weight;
    }

    #[inline(always)]
    fn placed(&mut self, piece: Piece, square: Square) {
        let part = &PARTS[piece.index()][square as usize];
        self.opening += part.opening;
        self.endgame += part.endgame;
        self.weight += part.weight;
    }
}

/// The evaluation by piece-square tables.
#[derive(Clone)]
pub struct PieceSquare {
    levels: Vec<Sums>,
}

impl PieceSquare {
    /// An evaluator of the start position.
    pub fn new() -> PieceSquare {
        let mut evaluator = PieceSquare { levels: Vec::with_capacity(MAX_PLY + 1) };
        evaluator.reset(&Position::initial());
        evaluator
    }

    /// The sums after the last move, as long as it is told.
    #[inline]
    pub(super) fn changes(&mut self) -> &mut Sums {
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }
}

impl Default for PieceSquare {
    fn default() -> PieceSquare {
        PieceSquare::new()
    }
}

impl Evaluator for PieceSquare {
    type Changes = Sums;

    fn reset(&mut self, position: &Position) {
        let mut sums = Sums::default();
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                sums.placed(piece, square);
            }
        }
        self.levels.clear();
        self.levels.push(sums);
    }

    #[inline]
    fn push(&mut self) -> &mut Sums {
        let sums = self.levels[self.levels.len() - 1];
        self.levels.push(sums);
        self.changes()
    }

    #[inline]
    fn pop(&mut self) {
        self.levels.pop();
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> i32 {
        let sums = self.levels[self.levels.len() - 1];
        // A promoted queen may bring more than the start position had.
        let weight = sums.weight.min(OPENING);
        let blended = (sums.opening * weight + sums.endgame * (OPENING - weight)) / OPENING;
        let value = blended + lone_king_value(position);
        if position.turn() == Color::White { value } else { -value }
    }
}

/// Drives a lone king to the edge, with the other king close behind, so that the mate comes into sight. Counted for
/// White.
fn lone_king_value(position: &Position) -> i32 {
    /// For every step that the lone king is from the middle.
    const DRIVEN: i32 = 25;
    /// For every step that the kings are closer than they can be apart.
    const CLOSE: i32 = 12;
    let driven_by = |us: Color| {
        let (king, prey) = (position.king(us), position.king(!us));
        let files = (king.file() as i32).abs_diff(prey.file() as i32);
        let ranks = (king.rank() as i32).abs_diff(prey.rank() as i32);
        DRIVEN * (6 - steps_from_edge(prey)) + CLOSE * (14 - (files + ranks) as i32)
    };
    let has_pieces = |color: Color| position.by_color(color).more_than_one();
    match (has_pieces(Color::White), has_pieces(Color::Black)) {
        (true, false) => driven_by(Color::White),
        (false, true) => -driven_by(Color::Black),
        _ => 0,
    }
}
