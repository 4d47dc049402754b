//! Openings at random: random moves that leave both players with as much.

use ::random::Random;
use rules::{Color, Move, Position, Role};

use super::Opening;

/// How often moves are drawn anew to find an opening that is even.
const ATTEMPTS: usize = 100;

/// An opening of so many random moves, the same for each sequence of chance. It never ends the game, which may make it
/// shorter, and leaves both players with the same material, if that can be had.
pub(super) fn opening(plies: usize, random: &mut Random) -> Opening {
    let start = Position::initial();
    let mut moves = Vec::new();
    for _ in 0..ATTEMPTS {
        let end;
        (moves, end) = walk(start, plies, random);
        if moves.len() == plies && is_even(&end) {
            break;
        }
    }
    Opening { start, moves }
}

fn walk(start: Position, plies: usize, random: &mut Random) -> (Vec<Move>, Position) {
    let (mut position, mut moves) = (start, Vec::new());
    for _ in 0..plies {
        let mut candidates = position.legal_moves();
        candidates.retain(|mv| position.play_unchecked(mv).has_legal_moves());
        let Some(mv) = random.choose(&candidates) else { break };
        moves.push(mv);
        position = position.play_unchecked(mv);
    }
    (moves, position)
}

/// Whether both players have the same pieces, with bishops and knights counting alike.
fn is_even(position: &Position) -> bool {
    let counts = |color: Color| {
        let count = |role| position.pieces(role, color).count();
        [count(Role::Pawn), count(Role::Knight) + count(Role::Bishop), count(Role::Rook), count(Role::Queen)]
    };
    counts(Color::White) == counts(Color::Black)
}
