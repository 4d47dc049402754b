//! Sliders on a line to a square: the one place from which checks, pins and discovered attacks are found.

use super::{BISHOP_LINES, ROOK_LINES, between};
use crate::{Bitboard, Square};

/// A slider that would attack a square if nothing stood in its way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sniper {
    /// Where the slider stands.
    pub square: Square,
    /// What stands between it and the square. If nothing does, the slider attacks the square; a single piece in front
    /// of its own king is pinned; a single piece of the slider's own side opens the line when it leaves.
    pub blockers: Bitboard,
}

/// The sliders on a line to a square, with what stands between.
///
/// `straight` are the pieces that slide along ranks and files, `diagonal` those that slide along diagonals.
///
/// ```
/// use saavedra_rules::{Bitboard, Square, attacks};
///
/// let (rooks, knight) = (Square::E8.bitboard() | Square::A2.bitboard(), Square::E4.bitboard());
/// let sniper = attacks::snipers(Square::E1, rooks, Bitboard::EMPTY, rooks | knight).next().expect("the rook on e8");
/// assert_eq!((sniper.square, sniper.blockers), (Square::E8, knight));
/// ```
#[inline(always)]
pub fn snipers(
    square: Square,
    straight: Bitboard,
    diagonal: Bitboard,
    occupied: Bitboard,
) -> impl Iterator<Item = Sniper> {
    let aligned = ROOK_LINES[square.index()] & straight | BISHOP_LINES[square.index()] & diagonal;
    aligned.into_iter().map(move |from| Sniper { square: from, blockers: between(square, from) & occupied })
}
