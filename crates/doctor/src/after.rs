//! Which rule is broken where the list of moves is right from the FEN, but wrong after the program's own moves.

use rules::{Move, MoveKind, Role, Square};

use crate::compare::Comparison;
use crate::diagram::passed_square;
use crate::judge::{Written, castling_rook};
use crate::{Diagram, Rule};

/// What the program did wrong in making the moves of `path`, judged by its list at their end.
pub(crate) fn judge_after(root: &Diagram, path: &[Move], comparison: &Comparison) -> Rule {
    let here = path.iter().fold(root.clone(), |diagram, &mv| diagram.after(mv));
    for mv in comparison.extra.iter().filter_map(|text| Written::parse(text)) {
        let role = here.position().role_at(mv.from);
        let castling = castling_rook(here.position(), &mv).filter(|_| role == Some(Role::King));
        if let Some(rule) = castling.and_then(|rook| how_right_ended(root, path, rook)) {
            return rule;
        }
        if role == Some(Role::Pawn) && was_passed(root, path, mv.to) {
            return Rule::EnPassantSquareNotCleared;
        }
    }
    for mv in &comparison.missing {
        match mv.kind() {
            MoveKind::Castle => return Rule::RightLost,
            MoveKind::EnPassant => return Rule::EnPassantSquareNotSet,
            MoveKind::Normal | MoveKind::Promotion(_) => {}
        }
    }
    // The path is as short as it can be, so it is its first move that spoilt the position.
    match path.first().map(|mv| mv.kind()) {
        Some(MoveKind::Castle) => Rule::CastlingRookNotMoved,
        Some(MoveKind::EnPassant) => Rule::EnPassantVictimStays,
        Some(MoveKind::Promotion(_)) => Rule::PromotedPieceWrong,
        _ => Rule::MakeMove,
    }
}

/// The way in which the right to castle with a rook was lost on the path.
fn how_right_ended(root: &Diagram, path: &[Move], rook: Square) -> Option<Rule> {
    let mut position = *root.position();
    for &mv in path {
        let next = position.play_unchecked(mv);
        let ended = position.castling_rights().rooks().contains(rook) && !next.castling_rights().rooks().contains(rook);
        if ended {
            return Some(if mv.to() == rook && mv.kind() != MoveKind::Castle {
                Rule::RightKeptAfterRookCapture
            } else if mv.from() == rook {
                Rule::RightKeptAfterRookMove
            } else {
                Rule::RightKeptAfterKingMove
            });
        }
        position = next;
    }
    None
}

/// Whether a pawn passed this square before the last move of the path.
fn was_passed(root: &Diagram, path: &[Move], square: Square) -> bool {
    let mut position = *root.position();
    let mut passed = root.passed_square() == Some(square);
    for &mv in path.split_last().map_or(&[][..], |(_, earlier)| earlier) {
        passed |= passed_square(&position, mv) == Some(square);
        position = position.play_unchecked(mv);
    }
    passed
}
