//! Lmr-move reductions: how much less deeply a move is searched for coming late.
//!
//! Moves are ordered by promise. A move that comes tenth is rarely the best, so it is first searched less deeply, the
//! less the later it comes and the more depth there is to save. Counted in 1024ths of a ply, so that many small reasons
//! add up.

use crate::tunables::*;

/// One ply.
pub(crate) const PLY: i32 = 1024;

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
                    base + (logarithms[depth] * logarithms[moves] * f64::from(PLY) * 100.0 / f64::from(divisor)) as i32
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

/// What speaks for and against reducing a late move.
#[derive(Clone, Copy)]
pub(crate) struct Lmr {
    pub(crate) is_quiet: bool,
    /// What the histories say of it.
    pub(crate) history: i32,
    pub(crate) is_pv: bool,
    pub(crate) was_pv: bool,
    pub(crate) is_improving: bool,
    pub(crate) gives_check: bool,
    pub(crate) tt_move_is_tactical: bool,
    /// How many of its siblings were cut off.
    pub(crate) cutoffs: u32,
    /// How far off the evaluation was in positions like this.
    pub(crate) correction: i32,
}

impl Lmr {
    /// How much more than the base reduction, or less.
    #[inline]
    pub(crate) fn adjustment(&self) -> i32 {
        /// So many cutoffs show that the node is an easy one.
        const MANY_CUTOFFS: u32 = 3;
        let when = |condition: bool, reduction: i32| if condition { reduction } else { 0 };
        let history_divisor =
            if self.is_quiet { reduction_quiet_history_divisor() } else { reduction_capture_history_divisor() };
        when(!self.is_improving, reduction_not_improving())
            + when(self.tt_move_is_tactical, reduction_tactical_tt_move())
            + when(self.cutoffs > MANY_CUTOFFS, reduction_many_cutoffs())
            - when(self.is_pv, reduction_pv())
            - when(self.was_pv, reduction_was_pv())
            - when(self.gives_check, reduction_check())
            - self.correction.abs() * reduction_correction()
            - self.history / history_divisor
    }
}

/// The natural logarithm of a small integer (zero counts as one), by a series of our own: libraries differ between systems in the last
/// digit, and the search must visit the same nodes everywhere.
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
