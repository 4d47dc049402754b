//! The key by which a Polyglot book knows a position.

use rules::{CastlingSide, Color, File, Move, Position, Rank, Role, Square, attacks};

use super::numbers::NUMBERS;

const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

/// The key of a position in Polyglot books.
///
/// A book counts an en-passant square if a pawn stands ready to take, even if it is pinned and must not; a [`Position`]
/// knows only what may be taken. [`key_after`] sees that difference, since it knows the last move.
///
/// ```
/// use saavedra_records::polyglot;
/// use saavedra_records::rules::Position;
///
/// assert_eq!(polyglot::key(&Position::initial()), 0x463b_9618_1691_fc9c);
/// ```
pub fn key(position: &Position) -> u64 {
    key_with(position, position.en_passant().map(Square::file))
}

/// The key of the position after a legal move.
pub fn key_after(position: &Position, mv: Move) -> u64 {
    let next = position.play_unchecked(mv);
    let us = position.turn();
    let passed = Square::new(mv.to().file(), us.relative(Rank::Third));
    let is_double_push = position.role_at(mv.from()) == Some(Role::Pawn)
        && mv.from().rank() == us.relative(Rank::Second)
        && mv.to().rank() == us.relative(Rank::Fourth);
    let is_seen = is_double_push && attacks::pawn(us, passed).intersects(next.pieces(Role::Pawn, !us));
    key_with(&next, is_seen.then(|| passed.file()))
}

fn key_with(position: &Position, en_passant: Option<File>) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        for role in Role::ALL {
            // Black's pawns come first, then White's, then Black's knights, …
            let kind = 2 * role as usize + usize::from(color == Color::White);
            for square in position.pieces(role, color) {
                key ^= NUMBERS[64 * kind + square.index()];
            }
        }
        for rook in position.castling_rights().rooks_of(color) {
            key ^= NUMBERS[CASTLING + 2 * color as usize + CastlingSide::of(position.king(color), rook) as usize];
        }
    }
    if let Some(file) = en_passant {
        key ^= NUMBERS[EN_PASSANT + file.index()];
    }
    if position.turn() == Color::White {
        key ^= NUMBERS[WHITE_TO_MOVE];
    }
    key
}
