//! Correction history: how far the evaluation was off lately in positions like this one.
//!
//! When a search ends, its score is compared with what the evaluation said. The difference is remembered under
//! several features of the position, and the next time a position shares them the evaluation is corrected by it.

use rules::{Color, Position};

use crate::history::{Gravity, PieceTo};
use crate::tunables::*;

/// The largest remembered error, in units of which [`SCALE`] make a centipawn per weight of 128.
const MAX: i32 = 1638;

/// Weights times units that make a centipawn.
const SCALE: i32 = 1024;

/// How many keys of a feature are told apart.
const SLOTS: usize = 16_384;

type Error = Gravity<MAX>;
type Errors = Box<[[Error; 2]]>;

/// The features that are remembered.
pub(crate) struct Corrections {
    pawn: Errors,
    white_pieces: Errors,
    black_pieces: Errors,
    minor: Errors,
    /// By the moves one and two plies ago.
    continuation: Errors,
}

/// Where a position's errors are kept.
#[derive(Clone, Copy)]
pub(crate) struct CorrectionSlots {
    turn: usize,
    pawn: usize,
    white_pieces: usize,
    black_pieces: usize,
    minor: usize,
    continuation: usize,
}

impl CorrectionSlots {
    #[inline]
    pub(crate) fn of(position: &Position, last: [Option<PieceTo>; 2]) -> CorrectionSlots {
        let slot = |key: u64| key as usize % SLOTS;
        let [one, two] = last.map(|piece_to| piece_to.map_or(0, |piece_to| 1 + piece_to.number() as u64));
        CorrectionSlots {
            turn: position.turn() as usize,
            pawn: slot(position.pawn_key()),
            white_pieces: slot(position.non_pawn_key(Color::White)),
            black_pieces: slot(position.non_pawn_key(Color::Black)),
            minor: slot(position.minor_key(Color::White) ^ position.minor_key(Color::Black)),
            continuation: slot(one.wrapping_mul(0x9e37_79b9) ^ two.wrapping_mul(0x85eb_ca6b) >> 3),
        }
    }
}

impl Corrections {
    pub(crate) fn new() -> Corrections {
        let errors = || vec![[Error::default(); 2]; SLOTS].into_boxed_slice();
        Corrections {
            pawn: errors(),
            white_pieces: errors(),
            black_pieces: errors(),
            minor: errors(),
            continuation: errors(),
        }
    }

    /// What to add to the evaluation, in centipawns.
    #[inline]
    pub(crate) fn value(&self, slots: &CorrectionSlots) -> i32 {
        let error = |errors: &Errors, slot: usize| errors[slot][slots.turn].value();
        let sum = correction_pawn() * error(&self.pawn, slots.pawn)
            + correction_non_pawn() * error(&self.white_pieces, slots.white_pieces)
            + correction_non_pawn() * error(&self.black_pieces, slots.black_pieces)
            + correction_minor() * error(&self.minor, slots.minor)
            + correction_continuation() * error(&self.continuation, slots.continuation);
        sum / SCALE
    }

    /// A search of some depth ended so many centipawns above the corrected evaluation.
    pub(crate) fn learn(&mut self, slots: &CorrectionSlots, error: i32, depth: i32) {
        let limit = correction_bonus_limit();
        let bonus = (error * depth / correction_depth_divisor()).clamp(-limit, limit);
        for (errors, slot) in [
            (&mut self.pawn, slots.pawn),
            (&mut self.white_pieces, slots.white_pieces),
            (&mut self.black_pieces, slots.black_pieces),
            (&mut self.minor, slots.minor),
            (&mut self.continuation, slots.continuation),
        ] {
            errors[slot][slots.turn].update(bonus);
        }
    }
}
