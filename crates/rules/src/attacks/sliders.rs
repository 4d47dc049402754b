//! Bishops and rooks, looked up by what stands on their lines.
//!
//! The squares that can block a slider are at most twelve, so all its attack sets fit in a table. A multiplication by a
//! number found by trial (see `cargo xtask magics`) gathers the blockers into an index. The PEXT instruction gathers
//! them without a number; it gained one per cent in perft, less than a second table and a second build are worth.

use super::geometry::RAYS;
use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
use crate::{Bitboard, Square};

/// What a queen attacks from a square.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// The parity of a slider's directions in the order of the rays.
const ROOK: usize = 0;
const BISHOP: usize = 1;

/// Entries for all squares: two to the number of possible blockers, added up.
const ROOK_ENTRIES: usize = 102_400;
const BISHOP_ENTRIES: usize = 5_248;

/// How one square's part of the table is found.
#[derive(Clone, Copy)]
struct Line {
    /// The squares where a blocker matters: the rays without their last squares.
    mask: u64,
    magic: u64,
    offset: u32,
    shift: u32,
}

impl Line {
    /// Where the table has what the slider attacks when these squares are occupied.
    #[inline(always)]
    const fn index(&self, occupied: u64) -> usize {
        self.offset as usize + ((occupied & self.mask).wrapping_mul(self.magic) >> self.shift) as usize
    }
}

/// What a slider attacks, found by following its rays: the definition the tables are built from.
pub(crate) const fn follow_rays(parity: usize, square: usize, occupied: u64) -> u64 {
    let mut attacks = 0;
    let mut direction = parity;
    while direction < 8 {
        let ray = RAYS[square][direction];
        let blockers = ray & occupied;
        attacks |= ray
            & if blockers == 0 {
                !0
            } else if direction < 4 {
                blockers ^ blockers.wrapping_sub(1)
            } else {
                !0 << (63 - blockers.leading_zeros())
            };
        direction += 2;
    }
    attacks
}

const fn lines(parity: usize, magics: &[u64; 64]) -> [Line; 64] {
    let mut lines = [Line { mask: 0, magic: 0, offset: 0, shift: 0 }; 64];
    let mut offset = 0;
    let mut square = 0;
    while square < 64 {
        let mask = blocker_mask(parity, square);
        lines[square] = Line { mask, magic: magics[square], offset, shift: 64 - mask.count_ones() };
        offset += 1 << mask.count_ones();
        square += 1;
    }
    lines
}

/// The squares where a blocker changes what the slider attacks.
pub(crate) const fn blocker_mask(parity: usize, square: usize) -> u64 {
    let mut mask = 0;
    let mut direction = parity;
    while direction < 8 {
        let ray = RAYS[square][direction];
        let last = if ray == 0 {
            0
        } else if direction < 4 {
            1 << (63 - ray.leading_zeros())
        } else {
            ray & ray.wrapping_neg()
        };
        mask |= ray ^ last;
        direction += 2;
    }
    mask
}

/// Fills a table.
#[allow(long_running_const_eval, reason = "a hundred thousand entries take a second or two, once per build")]
const fn table<const ENTRIES: usize>(parity: usize, lines: &[Line; 64]) -> [Bitboard; ENTRIES] {
    let mut table = [Bitboard::EMPTY; ENTRIES];
    let mut square = 0;
    while square < 64 {
        let line = lines[square];
        let mut subset: u64 = 0;
        loop {
            table[line.index(subset)] = Bitboard(follow_rays(parity, square, subset));
            subset = subset.wrapping_sub(line.mask) & line.mask;
            if subset == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

static ROOK_LINES: [Line; 64] = lines(ROOK, &ROOK_MAGICS);
static BISHOP_LINES: [Line; 64] = lines(BISHOP, &BISHOP_MAGICS);
static ROOK_TABLE: [Bitboard; ROOK_ENTRIES] = table(ROOK, &ROOK_LINES);
static BISHOP_TABLE: [Bitboard; BISHOP_ENTRIES] = table(BISHOP, &BISHOP_LINES);

/// What a rook attacks from a square.
#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    ROOK_TABLE[ROOK_LINES[square.index()].index(occupied.0)]
}

/// What a bishop attacks from a square.
#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOP_TABLE[BISHOP_LINES[square.index()].index(occupied.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_agree_with_the_rays_for_every_set_of_blockers() {
        for square in Square::ALL {
            for (parity, other) in [(ROOK, BISHOP), (BISHOP, ROOK)] {
                let mask = blocker_mask(parity, square.index());
                let mut subset = 0_u64;
                loop {
                    // Blockers off the lines must not matter.
                    let occupied = Bitboard(subset | blocker_mask(other, square.index()));
                    let expected = Bitboard(follow_rays(parity, square.index(), subset));
                    assert_eq!([rook, bishop][parity](square, occupied), expected, "{square}, blockers {occupied:?}");
                    subset = subset.wrapping_sub(mask) & mask;
                    if subset == 0 {
                        break;
                    }
                }
            }
        }
    }
}
