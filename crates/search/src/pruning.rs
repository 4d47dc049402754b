//! When not to search: margins and thresholds, each with its reason.

use rules::{Position, Role};

use crate::Score;
use crate::tunables::*;

/// Scores from the table are not trusted once the fifty-move counter has come this far: they know nothing of it.
pub(crate) const TT_CUTOFF_CLOCK: u16 = 90;

/// From this depth on, a node without a move from the table is searched one ply less.
pub(crate) const INTERNAL_ITERATIVE_REDUCTION_DEPTH: i32 = 4;

/// How many moves of a kind are unlearnt after a cutoff.
pub(crate) const MAX_MALUS_MOVES: usize = 32;

/// The material, as exchanges count it, that makes up for so much evaluation.
#[inline]
pub(crate) fn material_of_eval(eval: i32) -> i32 {
    eval * 100 / see_pawn_eval()
}

/// What the evaluation makes of so much material, as exchanges count it.
#[inline]
pub(crate) fn eval_of_material(material: i32) -> i32 {
    material * see_pawn_eval() / 100
}

/// Reverse futility: whether a position is so far above beta that the opponent will not bring it back.
#[inline]
pub(crate) fn is_reverse_futile(estimate: Score, beta: Score, depth: i32, is_improving: bool) -> bool {
    let margin = reverse_futility_per_depth() * depth - if is_improving { reverse_futility_improving() } else { 0 };
    let is_near = reverse_futility() && depth <= reverse_futility_depth();
    is_near && estimate - margin >= beta && !beta.is_loss() && !estimate.is_win()
}

/// Null move: whether the evaluation is good enough to try passing.
#[inline]
pub(crate) fn allows_null_move(eval: Score, beta: Score, depth: i32) -> bool {
    null_move() && eval + null_move_margin_per_depth() * depth >= beta + null_move_margin() && !beta.is_loss()
}

/// Null move: by how much less to search after passing.
#[inline]
pub(crate) fn null_move_reduction(depth: i32, surplus: i32) -> i32 {
    null_move_base() + depth / null_move_depth_divisor() + (surplus / null_move_evaluation_divisor()).clamp(0, 3)
}

/// What decides whether a single move is worth a search.
#[derive(Clone, Copy)]
pub(crate) struct MovePruning {
    pub(crate) depth: i32,
    pub(crate) is_improving: bool,
    /// None in check, where nothing is futile.
    pub(crate) static_eval: Option<Score>,
    pub(crate) alpha: Score,
}

impl MovePruning {
    /// Late-move pruning: at low depth, the moves after the first few are hardly ever the best.
    #[inline]
    pub(crate) fn is_late(&self, count: usize) -> bool {
        let patience = (late_move_base() + self.depth * self.depth) / (2 - i32::from(self.is_improving));
        late_move_pruning() && self.depth <= late_move_depth() && count as i32 > patience
    }

    /// Futility: so far below alpha that a quiet move will not make up for it.
    #[inline]
    pub(crate) fn is_futile(&self, reduced: i32, history: i32) -> bool {
        let hope = futility_margin() + futility_per_depth() * reduced + history / futility_history_divisor();
        let is_near = futility() && reduced < futility_depth();
        is_near && self.static_eval.is_some_and(|eval| eval + hope <= self.alpha)
    }

    /// History pruning: a move that has failed again and again in similar places.
    #[inline]
    pub(crate) fn has_bad_history(&self, reduced: i32, history: i32) -> bool {
        history_pruning() && reduced < history_pruning_depth() && history < -history_pruning_per_depth() * self.depth
    }

    /// A quiet move that loses more than this by exchange is not searched.
    #[inline]
    pub(crate) fn least_quiet_see(&self, reduced: i32) -> i32 {
        if quiet_see_pruning() { -see_quiet_per_depth() * reduced } else { i32::MIN }
    }

    /// A capture that loses more than this by exchange is not searched.
    #[inline]
    pub(crate) fn least_tactical_see(&self, history: i32) -> i32 {
        let least = -see_tactical_per_depth() * self.depth - history / see_history_divisor();
        if tactical_see_pruning() { least } else { i32::MIN }
    }
}

/// Whether the player to move has anything but king and pawns: without, zugzwang is common.
#[inline]
pub(crate) fn has_non_pawn_material(position: &Position) -> bool {
    let others = position.by_color(position.turn()) - position.by_role(Role::Pawn);
    others.has_several()
}
