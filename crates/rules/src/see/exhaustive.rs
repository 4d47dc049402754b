//! The truth about an exchange: every legal sequence of captures on one square, searched.
//!
//! The players take turns. The player to move may capture on the square, with any piece that legally can, or stop; a
//! player in check may stop as well, since what else happens on the board is not asked. Pins, checks, discovered
//! checks, the king's own safety and promotions need no rules here: the move generator knows them. En passant can open
//! an exchange but not continue one, because it lands on another square than the pawn it takes.
//!
//! This is far too slow for a search and exactly right for a test.

use super::Values;
use crate::movegen::generate;
use crate::side::for_side;
use crate::{Move, MoveKind, MoveList, Position, Role, Square};

/// What the player to move wins by a legal move if both then play the exchange on its square as well as they can.
///
/// Castling starts no exchange, for a king cannot be taken: its value is zero.
///
/// ```
/// use saavedra_rules::Position;
/// use saavedra_rules::see::{Values, exhaustive};
///
/// // The pawn on e5 is guarded by a knight that is pinned: it is free.
/// let position: Position = "4k3/8/2n5/1B2p3/6N1/8/8/4K3 w - - 0 1".parse()?;
/// let mv = position.parse_san("Nxe5")?;
/// assert_eq!(exhaustive::value(&position, mv, &Values::default()), 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn value(position: &Position, mv: Move, values: &Values) -> i32 {
    if mv.kind() == MoveKind::Castle {
        return 0;
    }
    let next = position.play_unchecked(mv);
    gain(position, mv, values) - reply(&next, mv.to(), values, 0, Values::KING)
}

/// The best play for both from a legal move on, the move itself included.
///
/// Of several captures that are worth the same, the least valuable piece makes it.
pub fn line(position: &Position, mv: Move, values: &Values) -> Vec<Move> {
    let mut line = vec![mv];
    let mut at = *position;
    let mut next = mv;
    while next.kind() != MoveKind::Castle {
        at = at.play_unchecked(next);
        let worth = |mv: &Move| {
            let after = at.play_unchecked(*mv);
            gain(&at, *mv, values) - reply(&after, mv.to(), values, 0, Values::KING)
        };
        let captures = captures_on(&at, next.to());
        let Some(best) = captures.iter().rev().max_by_key(|mv| worth(mv)).filter(|mv| worth(mv) > 0) else { break };
        line.push(*best);
        next = *best;
    }
    line
}

/// What a move wins by itself: the piece it takes, and what a pawn becomes.
pub(super) fn gain(position: &Position, mv: Move, values: &Values) -> i32 {
    let captured = position.captured(mv).map_or(0, |(role, _)| values.of(role));
    captured + mv.promotion_role().map_or(0, |role| values.promotion(role))
}

/// The legal captures that land on a square, the least valuable pieces first.
fn captures_on(position: &Position, square: Square) -> MoveList {
    let mut list = MoveList::new();
    for_side!(position.turn(), S => generate::<S, _>(&position.board, square.bitboard(), &mut list));
    let mut sorted = MoveList::new();
    for role in Role::ALL {
        for &mv in list.iter().filter(|mv| mv.to() == square && position.role_at(mv.from()) == Some(role)) {
            sorted.push(mv);
        }
    }
    sorted
}

/// What the player to move wins by capturing on the square, or not. Only values between the bounds need be right.
fn reply(position: &Position, square: Square, values: &Values, mut alpha: i32, beta: i32) -> i32 {
    for &mv in &captures_on(position, square) {
        let next = position.play_unchecked(mv);
        let won = gain(position, mv, values);
        // The opponent may stop, so a capture wins no more than it takes.
        if won <= alpha {
            continue;
        }
        alpha = alpha.max(won - reply(&next, square, values, (won - beta).max(0), won - alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}
