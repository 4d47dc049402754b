//! When not to search: margins and thresholds, each with its reason.

use rules::{Move, Position, Role};

use crate::history::{Candidate, Context};
use crate::picker::Picker;
use crate::reductions::PLY;
use crate::tunables::*;
use crate::{Score, Skip};

/// What SEE counts a pawn as.
const SEE_PAWN: i32 = 100;

/// The material, as SEE counts it, that makes up for so much evaluation.
#[inline]
pub(crate) fn material_of_eval(eval: i32) -> i32 {
    eval * SEE_PAWN / see_pawn_eval()
}

/// What the evaluation makes of so much material, as SEE counts it.
#[inline]
pub(crate) fn eval_of_material(material: i32) -> i32 {
    material * see_pawn_eval() / SEE_PAWN
}

/// Whether the player to move has anything but king and pawns: without, zugzwang is common.
#[inline]
pub(crate) fn has_non_pawn_material(position: &Position) -> bool {
    let others = position.by_color(position.turn()) - position.by_role(Role::Pawn);
    others.more_than_one()
}

/// Reverse futility: the score of a node that is so far above beta that the opponent will not bring it back.
#[inline]
pub(crate) fn reverse_futility(estimate: Score, beta: Score, depth: i32, is_improving: bool) -> Option<Score> {
    let margin = reverse_futility_per_depth() * depth - if is_improving { reverse_futility_improving() } else { 0 };
    let is_near = reverse_futility_pruning() && depth <= reverse_futility_depth();
    let is_pruned = is_near && estimate - margin >= beta && !beta.is_loss() && !estimate.is_win();
    is_pruned.then(|| beta.towards(estimate, 1, reverse_futility_divisor()))
}

/// The score of a cutoff, moved towards beta by one part in so many: the less deep it was found, the less it is
/// trusted.
#[inline]
pub(crate) fn soften_cutoff(score: Score, beta: Score, parts: i32) -> Score {
    if score.is_decided() || beta.is_decided() { score } else { soften(score, beta, parts) }
}

/// A score moved towards beta by one part in so many.
#[inline]
pub(crate) fn soften(score: Score, beta: Score, parts: i32) -> Score {
    if cutoff_softening() { score.towards(beta, 1, parts) } else { score }
}

/// What decides whether a single move is worth a search.
#[derive(Clone, Copy)]
pub(crate) struct MovePruning {
    pub(crate) depth: i32,
    pub(crate) is_improving: bool,
    /// None in check, where nothing is futile.
    pub(crate) static_eval: Option<Score>,
    pub(crate) alpha: Score,
    /// Whether checks are neither late nor futile, and may lose more.
    pub(crate) spares_checks: bool,
}

impl MovePruning {
    /// Why the `count`th move of a node is not searched, if it is not. Where the same holds for all later quiet moves
    /// but checks, the picker skips them.
    #[inline]
    pub(crate) fn reason(
        &self,
        candidate: &Candidate,
        count: usize,
        reduction: i32,
        context: &Context,
        picker: &mut Picker,
    ) -> Option<Skip> {
        let Candidate { mv, history, is_quiet, .. } = *candidate;
        if !is_quiet {
            let loses = picker.is_down_to_losing() && self.loses_too_much(mv, self.least_tactical_see(history), picker);
            return loses.then_some(Skip::LosesMaterial);
        }
        let reduced = (self.depth - reduction / PLY).max(0);
        if let Some(why) = self.reason_for_plain_quiets(count, reduced, history) {
            self.skip_plain_quiets(picker);
            if !self.spares_checks || !picker.gives_check(mv) {
                return Some(why);
            }
        }
        if self.has_bad_history(reduced, history) {
            Some(Skip::History)
        } else if context.may_be_attacked(mv.to()) && self.loses_too_much(mv, self.least_quiet_see(reduced), picker) {
            Some(Skip::LosesMaterial)
        } else {
            None
        }
    }

    /// The quiet moves that are left would all be pruned, unless they give check and checks are spared: few moves
    /// answer a check, so it costs little to search, and a mate makes up for any evaluation.
    #[inline]
    pub(crate) fn skip_plain_quiets(&self, picker: &mut Picker) {
        if self.spares_checks { picker.skip_all_but_checks() } else { picker.skip_quiets() }
    }

    /// Why this quiet move and all later ones are not searched, unless they give check and checks are spared.
    #[inline]
    fn reason_for_plain_quiets(&self, count: usize, reduced: i32, history: i32) -> Option<Skip> {
        if self.is_late(count) {
            Some(Skip::Late)
        } else if self.is_futile(reduced, history) {
            Some(Skip::Futile)
        } else {
            None
        }
    }

    /// Whether a move loses too much by exchange. A check that is spared may give more away: material does not matter
    /// to a mate.
    #[inline]
    fn loses_too_much(&self, mv: Move, least: i32, picker: &mut Picker) -> bool {
        let see = picker.see(mv);
        see < least && (see < self.least_check_see() || !picker.gives_check(mv))
    }

    /// Late-move pruning: at low depth, the moves after the first few are hardly ever the best.
    #[inline]
    fn is_late(&self, count: usize) -> bool {
        let divisor = if self.is_improving { 1 } else { lmp_divisor() };
        let most = (lmp_base() + self.depth * self.depth) / divisor;
        late_move_pruning() && self.depth <= lmp_depth() && count as i32 > most
    }

    /// Futility: so far below alpha that a quiet move will not make up for it.
    #[inline]
    pub(crate) fn is_futile(&self, reduced: i32, history: i32) -> bool {
        let margin = futility_margin() + futility_per_depth() * reduced + history / futility_history_divisor();
        let is_near = futility() && reduced < futility_depth();
        is_near && self.static_eval.is_some_and(|eval| eval + margin <= self.alpha)
    }

    /// History pruning: a move that has failed again and again in similar places.
    #[inline]
    fn has_bad_history(&self, reduced: i32, history: i32) -> bool {
        history_pruning() && reduced < history_pruning_depth() && history < -history_pruning_per_depth() * self.depth
    }

    /// A quiet move whose SEE is lower is not searched.
    #[inline]
    fn least_quiet_see(&self, reduced: i32) -> i32 {
        if quiet_see_pruning() { -see_quiet_per_depth() * reduced } else { i32::MIN }
    }

    /// A check whose SEE is lower is not searched, where checks are spared.
    #[inline]
    fn least_check_see(&self) -> i32 {
        if self.spares_checks { -see_check_per_depth() * self.depth } else { i32::MAX }
    }

    /// A capture whose SEE is lower is not searched.
    #[inline]
    fn least_tactical_see(&self, history: i32) -> i32 {
        let least = -see_tactical_per_depth() * self.depth - history / see_history_divisor();
        if tactical_see_pruning() { least } else { i32::MIN }
    }
}
