//! Bishops and rooks, looked up by what stands on their lines.
//!
//! The squares that can block a slider are at most twelve, so all its attack sets fit in a table. The two back ends
//! differ in how they turn the blockers into an index: `pext` asks the CPU to gather the bits, `magic` multiplies
//! them together by a number found by trial (see `cargo xtask magics`). They give identical results; this build uses
//! PEXT where the target has it and the `magic` feature does not forbid it.

use super::geometry::RAYS;
use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
use crate::{Bitboard, Square};

#[cfg(not(all(target_feature = "bmi2", not(feature = "magic"))))]
pub use magic::{bishop, rook};
#[cfg(all(target_feature = "bmi2", not(feature = "magic")))]
pub use pext::{bishop, rook};

/// Which back end [`rook`] and [`bishop`] are in this build.
pub const BACK_END: &str = if cfg!(all(target_feature = "bmi2", not(feature = "magic"))) { "pext" } else { "magic" };

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

/// Fills a table. Subsets of the mask come in the order in which PEXT numbers them.
#[allow(long_running_const_eval, reason = "a hundred thousand entries take a second or two, once per build")]
const fn table<const ENTRIES: usize>(parity: usize, lines: &[Line; 64], by_magic: bool) -> [Bitboard; ENTRIES] {
    let mut table = [Bitboard::EMPTY; ENTRIES];
    let mut square = 0;
    while square < 64 {
        let line = lines[square];
        let mut subset: u64 = 0;
        let mut number = 0;
        loop {
            let index = if by_magic { (subset.wrapping_mul(line.magic) >> line.shift) as usize } else { number };
            table[line.offset as usize + index] = Bitboard(follow_rays(parity, square, subset));
            subset = subset.wrapping_sub(line.mask) & line.mask;
            number += 1;
            if subset == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

const ROOK_LINES: [Line; 64] = lines(ROOK, &ROOK_MAGICS);
const BISHOP_LINES: [Line; 64] = lines(BISHOP, &BISHOP_MAGICS);

/// Declares a back end: its two tables, and its two look-ups.
macro_rules! back_end {
    ($(#[$meta:meta])* $name:ident, by_magic: $by_magic:literal, |$occupied:ident, $line:ident| $index:expr) => {
        $(#[$meta])*
        pub mod $name {
            use super::*;

            static ROOK_LINE: [Line; 64] = ROOK_LINES;
            static BISHOP_LINE: [Line; 64] = BISHOP_LINES;
            static ROOK_TABLE: [Bitboard; ROOK_ENTRIES] = table(ROOK, &ROOK_LINES, $by_magic);
            static BISHOP_TABLE: [Bitboard; BISHOP_ENTRIES] = table(BISHOP, &BISHOP_LINES, $by_magic);

            #[inline(always)]
            fn index(line: &Line, occupied: Bitboard) -> usize {
                let ($occupied, $line) = (occupied.0, line);
                $line.offset as usize + $index as usize
            }

            /// What a rook attacks from a square.
            #[inline(always)]
            pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
                ROOK_TABLE[index(&ROOK_LINE[square.index()], occupied)]
            }

            /// What a bishop attacks from a square.
            #[inline(always)]
            pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
                BISHOP_TABLE[index(&BISHOP_LINE[square.index()], occupied)]
            }
        }
    };
}

back_end! {
    /// Blockers become an index by a multiplication. Works on any CPU.
    magic, by_magic: true,
    |occupied, line| (occupied & line.mask).wrapping_mul(line.magic) >> line.shift
}

#[cfg(target_feature = "bmi2")]
back_end! {
    /// Blockers become an index by the PEXT instruction.
    pext, by_magic: false,
    |occupied, line| {
        // SAFETY: this module is only compiled when the build enables BMI2. Against the magic look-up it gains one
        // per cent in perft.
        unsafe { std::arch::x86_64::_pext_u64(occupied, line.mask) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_ends_agree_with_the_rays_for_every_set_of_blockers() {
        for square in Square::ALL {
            for (parity, other) in [(ROOK, BISHOP), (BISHOP, ROOK)] {
                let mask = blocker_mask(parity, square.index());
                let mut subset = 0_u64;
                loop {
                    // Blockers off the lines must not matter.
                    let occupied = Bitboard(subset | blocker_mask(other, square.index()));
                    let expected = Bitboard(follow_rays(parity, square.index(), subset));
                    let by_magic = [magic::rook, magic::bishop][parity](square, occupied);
                    assert_eq!(by_magic, expected, "magic, {square}, blockers {occupied:?}");
                    #[cfg(target_feature = "bmi2")]
                    assert_eq!([pext::rook, pext::bishop][parity](square, occupied), expected, "pext, {square}");
                    subset = subset.wrapping_sub(mask) & mask;
                    if subset == 0 {
                        break;
                    }
                }
            }
        }
    }
}
