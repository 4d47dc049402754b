//! Lmr-move reductions: how much less deeply a move is searched for coming late.
//!
//! Moves are ordered by promise. A move that comes tenth is rarely the best, so it is first searched less deeply, the
//! less the later it comes and the more depth there is to save. Counted in 1024ths of a ply, so that many small reasons
//! add up.

use crate::history::Candidate;
use crate::node::{Expected, Node};
use crate::stack::Frame;
use crate::tunables::*;
use crate::worker::Worker;
use crate::{Evaluator, Score, Watcher};

/// One ply.
pub(crate) const PLY: i32 = 1024;

/// Divisors are counted in hundredths.
const HUNDREDTHS: f64 = 100.0;

/// Histories are divided, and the correction is multiplied, by sixteenths.
const SIXTEENTHS: i32 = 16;

/// Depths and moves beyond are reduced like these.
const SIZE: usize = 64;

/// The base reductions by depth and number of the move.
pub(crate) struct Reductions {
    quiet: [[i32; SIZE]; SIZE],
    tactical: [[i32; SIZE]; SIZE],
}

impl Reductions {
    pub(crate) fn new() -> Reductions {
        let logarithms: [f64; SIZE] = std::array::from_fn(natural_logarithm);
        let table = |base: i32, divisor: i32| {
            std::array::from_fn(|depth| {
                std::array::from_fn(|moves| {
                    base + (logarithms[depth] * logarithms[moves] * f64::from(PLY) * HUNDREDTHS / f64::from(divisor))
                        as i32
                })
            })
        };
        Reductions {
            quiet: table(quiet_reduction_base(), quiet_reduction_divisor()),
            tactical: table(tactical_reduction_base(), tactical_reduction_divisor()),
        }
    }

    /// The reduction by depth and number alone.
    #[inline]
    pub(crate) fn base(&self, is_quiet: bool, depth: i32, count: usize) -> i32 {
        let table = if is_quiet { &self.quiet } else { &self.tactical };
        table[(depth as usize).min(SIZE - 1)][count.min(SIZE - 1)]
    }
}

/// What a node says for and against reducing its late moves.
#[derive(Clone, Copy)]
pub(crate) struct Lmr {
    pub(crate) is_pv: bool,
    pub(crate) was_pv: bool,
    pub(crate) is_improving: bool,
    pub(crate) tt_move_is_tactical: bool,
    /// How far off the evaluation was in positions like this.
    pub(crate) correction: i32,
}

impl Lmr {
    /// The depth at which a late move is searched first: at least one ply, at most the full depth, a ply more on the
    /// principal variation. `child` is the frame of the position after the move.
    #[inline]
    pub(crate) fn reduced_depth(&self, depth: i32, base: i32, candidate: &Candidate, child: &Frame) -> i32 {
        let when = |condition: bool, reduction: i32| if condition { reduction } else { 0 };
        let history_divisor =
            if candidate.is_quiet { reduction_quiet_history_divisor() } else { reduction_capture_history_divisor() };
        let reduction = base
            + when(!self.is_improving, reduction_not_improving())
            + when(self.tt_move_is_tactical, reduction_tactical_tt_move())
            + when(child.cutoffs > reduction_cutoffs() as u32, reduction_many_cutoffs())
            - when(self.is_pv, reduction_pv())
            - when(self.was_pv, reduction_was_pv())
            - when(child.is_check(), reduction_check())
            - self.correction.abs() * reduction_correction() / SIXTEENTHS
            - candidate.history * SIXTEENTHS / history_divisor;
        (depth - reduction / PLY).clamp(1.min(depth), depth + i32::from(self.is_pv))
    }
}

/// Whether the `count`th move of a node is late enough to be reduced.
#[inline]
pub(crate) fn applies<N: Node>(depth: i32, count: usize) -> bool {
    let first = lmr_moves() as usize + usize::from(N::ROOT);
    late_move_reduction() && depth >= lmr_depth() && count > first
}

/// A reduced move turned out better than expected: by how much the full search is deeper or shallower than planned.
#[inline]
pub(crate) fn change_after_lmr(score: Score, best: Score, depth: i32) -> i32 {
    let is_much_better = score > best + deeper_margin() + deeper_per_depth() * depth;
    let is_hardly_better = score < best + shallower_margin();
    if lmr_depth_change() { i32::from(is_much_better) - i32::from(is_hardly_better) } else { 0 }
}

/// Internal iterative reduction: how much less deeply to search a node for which the table has no move.
#[inline]
pub(crate) fn internal_iterative(depth: i32, expected: Expected) -> i32 {
    let is_reduced = internal_iterative_reduction() && depth >= iir_depth() && expected != Expected::All;
    i32::from(is_reduced)
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// The parent reduced this node on a guess. If the evaluations of both confirm the guess, less depth will do (-1);
    /// if they refute it, a ply is given back (1).
    pub(crate) fn hindsight(&self, depth: i32) -> i32 {
        let parent = self.stack.before(1);
        let (Some(now), Some(before)) = (self.frame().static_eval, parent.static_eval) else { return 0 };
        let reduction = if hindsight() { parent.reduction } else { 0 };
        let swing = now.value() + before.value();
        if reduction >= hindsight_deeper_plies() * PLY && swing < 0 {
            1
        } else if reduction >= hindsight_shallower_plies() * PLY
            && depth >= hindsight_depth()
            && swing > hindsight_swing()
        {
            -1
        } else {
            0
        }
    }
}

/// The natural logarithm of a small integer (zero counts as one), by a series of our own: libraries differ between
/// systems in the last digit, and the search must visit the same nodes everywhere.
fn natural_logarithm(number: usize) -> f64 {
    // ln n is the sum of ln (k / (k - 1)), and each of those is 2 artanh (1 / (2k - 1)).
    (2..=number)
        .map(|k| {
            let x = 1.0 / (2.0 * k as f64 - 1.0);
            let square = x * x;
            // Summed from the smallest term; twelve suffice at k = 2, where x is a third.
            let series = (0..16).rev().fold(0.0, |sum, n| sum * square + 1.0 / f64::from(2 * n + 1));
            2.0 * x * series
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_logarithm_is_the_logarithm() {
        for number in 1..SIZE {
            assert!((natural_logarithm(number) - (number as f64).ln()).abs() < 1e-13);
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let reductions = Reductions::new();
        assert!(reductions.base(true, 10, 20) > reductions.base(true, 10, 5));
        assert!(reductions.base(true, 20, 10) > reductions.base(true, 5, 10));
        assert!(reductions.base(false, 200, 200) == reductions.base(false, 63, 63));
    }
}
