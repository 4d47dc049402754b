//! Whether a game is over, and which draws may be claimed.

use pyo3::prelude::*;
use rules::{Bitboard, Color, Role};

use super::PyBoard;
use crate::convert::{ColorArgument, Count};
use crate::state::State;

/// No position is asked for more often.
const MOST_TIMES: u64 = u32::MAX as u64;

impl PyBoard {
    fn has_moves(&self) -> bool {
        self.state.has_legal_moves(self.chess960)
    }

    fn all_moves(&self) -> Vec<rules::Move> {
        self.state.legal_moves(self.chess960, Bitboard::ALL, Bitboard::ALL)
    }

    fn in_check(&self) -> bool {
        !self.state.checkers(self.state.turn()).is_empty()
    }

    /// How often a state has occurred on this board, the present one included.
    fn occurrences(&self, of: &State) -> usize {
        // Nothing before the last capture or pawn move can be the same.
        let reach = usize::from(of.halfmove_clock()) + 1;
        self.history().rev().take(reach).filter(|state| state.repeats(of)).count()
    }

    fn lacks_material(&self, color: Color) -> bool {
        let of = |role| self.state.pieces(role, color);
        if !(of(Role::Pawn) | of(Role::Rook) | of(Role::Queen)).is_empty() {
            return false;
        }
        // A knight mates only if something of the opponent's stands in its own king's way, other than a queen.
        if !of(Role::Knight).is_empty() {
            let helpers = self.state.color(!color) - self.state.role(Role::King) - self.state.role(Role::Queen);
            return self.state.color(color).count() <= 2 && helpers.is_empty();
        }
        // Bishops on one color of squares need a pawn or a knight to help.
        if !of(Role::Bishop).is_empty() {
            const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);
            let bishops = self.state.role(Role::Bishop);
            let is_one_color = !bishops.intersects(DARK) || bishops.is_subset(DARK);
            return is_one_color && (self.state.role(Role::Pawn) | self.state.role(Role::Knight)).is_empty();
        }
        true
    }

    /// Whether so many moves without capture or pawn move have been played, and the game goes on.
    fn has_quiet_moves(state: &State, half_moves: u16, chess960: bool) -> bool {
        state.halfmove_clock() >= half_moves && state.has_legal_moves(chess960)
    }
}

#[pymethods]
impl PyBoard {
    /// Whether the player to move is mated.
    fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_moves()
    }

    /// Whether the player to move has no move and is not in check.
    fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_moves()
    }

    /// Whether neither player can ever mate.
    fn is_insufficient_material(&self) -> bool {
        Color::ALL.into_iter().all(|color| self.lacks_material(color))
    }

    /// Whether a player can never mate, as far as the material tells.
    fn has_insufficient_material(&self, color: ColorArgument) -> bool {
        self.lacks_material(color.0)
    }

    /// Whether seventy-five moves by each player have passed without capture or pawn move: a draw.
    fn is_seventyfive_moves(&self) -> bool {
        PyBoard::has_quiet_moves(&self.state, 150, self.chess960)
    }

    /// Whether the position is there for the fifth time: a draw.
    fn is_fivefold_repetition(&self) -> bool {
        self.is_repetition(Count(5))
    }

    /// Whether fifty moves by each player have passed without capture or pawn move.
    fn is_fifty_moves(&self) -> bool {
        PyBoard::has_quiet_moves(&self.state, 100, self.chess960)
    }

    /// Whether the player to move may claim a draw, now or with a move, by the fifty-move rule.
    fn can_claim_fifty_moves(&self) -> bool {
        let chess960 = self.chess960;
        let leads_there = |mv: &rules::Move| PyBoard::has_quiet_moves(&self.state.play(*mv, chess960), 100, chess960);
        self.is_fifty_moves() || (self.state.halfmove_clock() >= 99 && self.all_moves().iter().any(leads_there))
    }

    /// Whether the position is there for the third time, or can be by a move: then a draw may be claimed.
    fn can_claim_threefold_repetition(&self) -> bool {
        let leads_there = |mv: &rules::Move| {
            let next = self.state.play(*mv, self.chess960);
            next.halfmove_clock() >= 4 && self.occurrences(&next) >= 2
        };
        self.is_repetition(Count(3)) || self.all_moves().iter().any(leads_there)
    }

    /// Whether the player to move may claim a draw.
    fn can_claim_draw(&self) -> bool {
        self.can_claim_fifty_moves() || self.can_claim_threefold_repetition()
    }

    /// Whether the position is there for the third time, or as often as `count` says.
    #[pyo3(signature = (count = Count(3)), text_signature = "($self, count=3)")]
    fn is_repetition(&self, count: Count<MOST_TIMES>) -> bool {
        self.occurrences(&self.state) as u64 >= count.0
    }
}
