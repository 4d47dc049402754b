//! A network as evaluator.

use nnue::{Accumulators, Changes};
use rules::Position;

use super::Evaluator;

impl Evaluator for Accumulators {
    type Changes = Changes;

    fn reset(&mut self, position: &Position) {
        Accumulators::reset(self, position);
    }

    #[inline]
    fn push(&mut self) -> &mut Changes {
        Accumulators::push(self)
    }

    #[inline]
    fn pop(&mut self) {
        Accumulators::pop(self);
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> i32 {
        Accumulators::evaluate(self, position)
    }
}
