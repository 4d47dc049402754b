//! Looking up positions: what a table stores, and what captures and en passant add to it.
//!
//! Where a capture is at least as good as what is stored, tables store whatever compresses best, as long as it is not
//! better than the truth; and they know nothing of en passant. So captures are searched, in the tables of what they
//! lead to.

use rules::{Move, MoveKind, Position, Role, attacks};
use search::TablebaseResult;

use crate::material::Material;
use crate::table::Stored;
use crate::tables::Tables;

use TablebaseResult::{BlessedLoss, CursedWin, Draw, Loss, Win};

/// The result for the other player.
#[inline]
pub(crate) fn flipped(result: TablebaseResult) -> TablebaseResult {
    match result {
        Loss => Win,
        BlessedLoss => CursedWin,
        Draw => Draw,
        CursedWin => BlessedLoss,
        Win => Loss,
    }
}

/// The distance when the next move already is a capture, a pawn move or mate: it says who wins, and beyond 100 plies
/// the fifty-move rule has a say.
pub(crate) fn least_distance(result: TablebaseResult) -> i32 {
    match result {
        Loss => -1,
        BlessedLoss => -101,
        Draw => 0,
        CursedWin => 101,
        Win => 1,
    }
}

/// A result, and how it comes about.
struct Outcome {
    result: TablebaseResult,
    /// Whether a capture brings it about that the table need not know of.
    is_by_capture: bool,
}

/// What is known of a distance without looking at other moves.
enum Distance {
    Known(i32),
    /// Only positions with the other player to move have a distance. The result is known.
    OtherPlayer(TablebaseResult),
}

impl Tables {
    /// The result of a position.
    pub(crate) fn result(&self, position: &Position) -> Option<TablebaseResult> {
        let stored = self.stored_result(position)?;
        // Nothing is better than a win.
        if stored == Win {
            return Some(Win);
        }
        if position.en_passant().is_some() {
            return Some(self.outcome(position)?.result);
        }
        self.best_capture(position, stored, Win)
    }

    /// The result that is stored for a position.
    #[inline]
    fn stored_result(&self, position: &Position) -> Option<TablebaseResult> {
        let material = Material::of(position);
        if material == Material::KINGS {
            return Some(Draw);
        }
        let (ending, is_flipped) = self.ending(material)?;
        ending.results.table()?.result(position, is_flipped)
    }

    /// The best of what is known already and what captures lead to, if that is within the bounds.
    ///
    /// Each capture takes a piece away, so that this ends.
    fn best_capture(
        &self,
        position: &Position,
        mut best: TablebaseResult,
        beta: TablebaseResult,
    ) -> Option<TablebaseResult> {
        if !has_captures(position) {
            return Some(best);
        }
        for &mv in &position.captures() {
            let next = position.play_unchecked(mv);
            let value = flipped(self.result_between(&next, flipped(beta), flipped(best))?);
            if value >= beta {
                return Some(value);
            }
            best = best.max(value);
        }
        Some(best)
    }

    /// The result of a position that a capture led to, exact between the bounds.
    fn result_between(
        &self,
        position: &Position,
        alpha: TablebaseResult,
        beta: TablebaseResult,
    ) -> Option<TablebaseResult> {
        let stored = self.stored_result(position)?;
        if stored >= beta {
            return Some(stored);
        }
        self.best_capture(position, stored.max(alpha), beta)
    }

    /// The result of a position, and whether a capture is what brings it about.
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let mut best_capture = None;
        let mut best_en_passant = None;
        for &mv in &position.captures() {
            let value = flipped(self.result_between(&position.play_unchecked(mv), Loss, Win)?);
            if value == Win {
                return Some(Outcome { result: Win, is_by_capture: true });
            }
            let best = if mv.kind() == MoveKind::EnPassant { &mut best_en_passant } else { &mut best_capture };
            *best = (*best).max(Some(value));
        }
        let stored = self.stored_result(position)?;
        if let Some(result) = best_en_passant {
            let is_only_move = || position.legal_moves().iter().all(|mv| mv.kind() == MoveKind::EnPassant);
            // The table takes a position for mate or stalemate in which taking en passant is the only move.
            if Some(result) > best_capture && result > stored || is_only_move() {
                return Some(Outcome { result, is_by_capture: true });
            }
        }
        Some(match best_capture.max(best_en_passant) {
            Some(result) if result >= stored => Outcome { result, is_by_capture: result > Draw },
            _ => Outcome { result: stored, is_by_capture: false },
        })
    }

    /// The plies until a capture, a pawn move or mate, positive if the player to move wins, negative if he loses.
    pub(crate) fn distance(&self, position: &Position) -> Option<i32> {
        let result = match self.stored_distance(position)? {
            Distance::Known(plies) => return Some(plies),
            Distance::OtherPlayer(result) => result,
        };
        let mut best = (result < Draw).then(|| least_distance(result));
        for &mv in &position.legal_moves() {
            if is_zeroing(position, mv) {
                continue;
            }
            let next = position.play_unchecked(mv);
            // After a move that is neither capture nor pawn move the same part of the table is asked.
            let Distance::Known(plies) = self.stored_distance(&next)? else { return None };
            let plies = match -plies {
                1 if next.is_checkmate() => 1,
                plies @ 1.. => plies + 1,
                plies if result < Draw => plies - 1,
                _ => continue,
            };
            best = Some(best.map_or(plies, |best| best.min(plies)));
        }
        best
    }

    fn stored_distance(&self, position: &Position) -> Option<Distance> {
        let Outcome { result, is_by_capture } = self.outcome(position)?;
        if result == Draw || is_by_capture {
            return Some(Distance::Known(least_distance(result)));
        }
        // Winning pawn moves are not in the table either.
        if result > Draw {
            for &mv in &position.legal_moves() {
                let is_pawn_move = position.role_at(mv.from()) == Some(Role::Pawn) && !position.is_capture(mv);
                if is_pawn_move && flipped(self.result(&position.play_unchecked(mv))?) == result {
                    return Some(Distance::Known(least_distance(result)));
                }
            }
        }
        let (ending, is_flipped) = self.ending(Material::of(position))?;
        match ending.distances.as_ref()?.table()?.distance(position, is_flipped, result) {
            Stored::Plies(plies) if result > Draw => Some(Distance::Known(least_distance(result) + plies)),
            Stored::Plies(plies) => Some(Distance::Known(least_distance(result) - plies)),
            Stored::OtherPlayer => Some(Distance::OtherPlayer(result)),
            Stored::Unknown => None,
        }
    }

    /// The distance after a legal move, this move included, for the player who makes it.
    pub(crate) fn distance_after(&self, position: &Position, mv: Move) -> Option<i32> {
        let next = position.play_unchecked(mv);
        if next.is_checkmate() {
            return Some(1);
        }
        if next.halfmove_clock() == 0 {
            return Some(least_distance(flipped(self.result(&next)?)));
        }
        let plies = -self.distance(&next)?;
        Some(plies + plies.signum())
    }
}

/// Whether any piece can be taken, but for pins and checks. With few pieces this is quicker to see than all captures,
/// and mostly there are none.
#[inline]
fn has_captures(position: &Position) -> bool {
    let us = position.turn();
    let ours = position.by_color(us);
    let occupied = position.occupied();
    let straight = (position.by_role(Role::Rook) | position.by_role(Role::Queen)) & ours;
    let diagonal = (position.by_role(Role::Bishop) | position.by_role(Role::Queen)) & ours;
    let victims = position.by_color(!us).without(position.king(!us));
    victims.into_iter().any(|square| {
        let steppers = attacks::king(square) & position.by_role(Role::King)
            | attacks::knight(square) & position.by_role(Role::Knight)
            | attacks::pawn(!us, square) & position.by_role(Role::Pawn);
        steppers.intersects(ours)
            || !straight.is_empty() && attacks::rook(square, occupied).intersects(straight)
            || !diagonal.is_empty() && attacks::bishop(square, occupied).intersects(diagonal)
    })
}

/// Whether a move sets the fifty-move counter to zero.
fn is_zeroing(position: &Position, mv: Move) -> bool {
    position.is_capture(mv) || position.role_at(mv.from()) == Some(Role::Pawn)
}
