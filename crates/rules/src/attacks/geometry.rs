//! The empty board: rays, lines between squares, and the leapers' steps.

use crate::{Bitboard, Square};

/// The eight directions a queen can take, as (files east, ranks north).
///
/// The first four lead to higher squares, the last four are their opposites in the same order; even ones are the
/// rook's, odd ones the bishop's. The vector code relies on this order: see `lanes`.
const DIRECTIONS: [(i8, i8); 8] = [(1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1)];

const KNIGHT_LEAPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The lines through each square, edge to edge, in the order of the eight [`DIRECTIONS`]; opposite ones share a line.
pub(crate) static AXES: [[u64; 8]; 64] = {
    let mut axes = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            axes[square][direction] =
                RAYS[square][direction] | RAYS[square][(direction + 4) % 8] | Square::ALL[square].bitboard().0;
            direction += 1;
        }
        square += 1;
    }
    axes
};

/// The squares beyond each square in each of the eight [`DIRECTIONS`], to the edge of the board.
pub(super) const RAYS: [[u64; 8]; 64] = {
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (east, north) = DIRECTIONS[direction];
            let mut at = Square::ALL[square].offset(east, north);
            while let Some(here) = at {
                rays[square][direction] |= here.bitboard().0;
                at = here.offset(east, north);
            }
            direction += 1;
        }
        square += 1;
    }
    rays
};

/// What a rook and a bishop attack from each square of an empty board.
pub(crate) static ROOK_LINES: [Bitboard; 64] = united_rays(0);
pub(crate) static BISHOP_LINES: [Bitboard; 64] = united_rays(1);

const fn united_rays(parity: usize) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let rays = RAYS[square];
        table[square] = Bitboard(rays[parity] | rays[parity + 2] | rays[parity + 4] | rays[parity + 6]);
        square += 1;
    }
    table
}

const fn leaper(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut step = 0;
        while step < steps.len() {
            if let Some(target) = Square::ALL[square].offset(steps[step].0, steps[step].1) {
                table[square] = table[square].with(target);
            }
            step += 1;
        }
        square += 1;
    }
    table
}

pub(super) static KNIGHT: [Bitboard; 64] = leaper(&KNIGHT_LEAPS);
pub(super) static KING: [Bitboard; 64] = leaper(&DIRECTIONS);
pub(super) static PAWN: [[Bitboard; 64]; 2] = [leaper(&[(-1, 1), (1, 1)]), leaper(&[(-1, -1), (1, -1)])];

static BETWEEN: [[Bitboard; 64]; 64] = pairs(false);
static LINE: [[Bitboard; 64]; 64] = pairs(true);

/// For each two squares on a common line: the squares between them, or the whole line.
const fn pairs(whole_line: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut direction = 0;
        while direction < 8 {
            let forward = RAYS[a][direction];
            let backward = RAYS[a][(direction + 4) % 8];
            let mut rest = forward;
            while rest != 0 {
                let b = rest.trailing_zeros() as usize;
                table[a][b] = if whole_line {
                    Bitboard(forward | backward | 1 << a)
                } else {
                    Bitboard(forward & RAYS[b][(direction + 4) % 8])
                };
                rest &= rest - 1;
            }
            direction += 1;
        }
        a += 1;
    }
    table
}

/// The squares strictly between two squares on a rank, file or diagonal; none if they share no line.
#[inline]
pub const fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two squares, edge to edge; none if they share no line.
#[inline]
pub const fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}
