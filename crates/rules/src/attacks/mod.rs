//! Which squares a piece attacks: tables built at compile time.
//!
//! Knights, kings and pawns need one entry per square. Sliders depend on what stands in their way and are looked up
//! by the occupied squares of their lines.

mod geometry;
pub(crate) mod magics;
mod sliders;
mod snipers;

use crate::{Bitboard, Color, Role, Square};

pub(crate) use geometry::AXES;
use geometry::{BISHOP_LINES, ROOK_LINES};
pub use geometry::{between, line};
pub use sliders::{bishop, queen, rook};
pub use snipers::{Sniper, snipers};

/// Where a knight could leap from this square.
#[inline]
pub const fn knight(square: Square) -> Bitboard {
    geometry::KNIGHT[square.index()]
}

/// Where a king could step from this square.
#[inline]
pub const fn king(square: Square) -> Bitboard {
    geometry::KING[square.index()]
}

/// What a pawn of `color` attacks from this square.
#[inline]
pub const fn pawn(color: Color, square: Square) -> Bitboard {
    geometry::PAWN[color as usize][square.index()]
}

/// What a piece of this role and color attacks from a square, when the squares of `occupied` block its way.
///
/// ```
/// use saavedra_rules::{attacks, Bitboard, Color, Role, Square};
///
/// let blockers: Bitboard = [Square::D6, Square::F4].into_iter().collect();
/// assert_eq!(
///     attacks::of(Role::Rook, Color::White, Square::D4, blockers).to_string(),
///     ". . . . . . . .\n\
///      . . . . . . . .\n\
///      . . . X . . . .\n\
///      . . . X . . . .\n\
///      X X X . X X . .\n\
///      . . . X . . . .\n\
///      . . . X . . . .\n\
///      . . . X . . . ."
/// );
/// ```
#[inline]
pub fn of(role: Role, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn(color, square),
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}
