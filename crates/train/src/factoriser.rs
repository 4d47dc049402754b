//! What king buckets have in common, learned once for all of them.
//!
//! With several king buckets every bucket sees only its share of the positions, and some see few. So every row is taken
//! for the sum of two, one of its bucket and one that all buckets share,
//!
//! ```text
//! W[bucket][input] = V[bucket][input] + F[input]
//! ```
//!
//! and both are learned: the gradient of a shared row is the sum of the gradients of the rows that it is part of, and
//! it has moments of its own. What a knight on f3 is worth anywhere is learned from all positions, and what it is worth
//! with the king on g1 from those with the king there.
//!
//! Neither `V` nor `F` is ever stored. A step leaves the same share of both and moves each against its gradient, so
//! their sum moves by both steps: `W` is all that a trainer has to keep, it costs nothing to look at, and it is what is
//! clipped and exported.

use crate::{Moments, Shape, TrainerState, Update};

/// The gradient of a weight that all king buckets share, from the gradient of every weight.
pub fn shared_gradient(shape: Shape, place: usize, gradient: impl Fn(usize) -> f32) -> f32 {
    shape.sharing(place).map(gradient).sum()
}

/// Moves the rows of all king buckets, each by its own step and by the one they share. Returns where the weights begin
/// that are left as they were: all of them without a factoriser.
pub(crate) fn update(state: &mut TrainerState, update: &Update, gradient: impl Fn(usize) -> f32) -> usize {
    let shape = state.shape();
    let TrainerState { weights, moments, shared: Some(Moments { means, squares }) } = state else { return 0 };
    let weights = weights.values_mut();
    for (place, (mean, square)) in means.iter_mut().zip(squares).enumerate() {
        let shared_step = update.step(mean, square, shared_gradient(shape, place, &gradient));
        for place in shape.sharing(place) {
            let own_step = update.step(&mut moments.means[place], &mut moments.squares[place], gradient(place));
            weights[place] = update.moved(weights[place], own_step + shared_step);
        }
    }
    shape.features().end
}
