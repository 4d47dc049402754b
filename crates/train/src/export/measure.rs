//! One measure for all networks.
//!
//! Networks that learned from other games speak louder or softer, though they mean the same. The margins of a search
//! are made for one of them, so that games between two say which fits the margins, besides which is better. So a
//! network is brought to the measure of a reference before anything judges it: its output is multiplied by a factor,
//! which changes no order of moves.

use std::sync::LazyLock;

use nnue::Network;
use rules::Position;

use crate::Weights;

/// Quiet positions of games that the engine played against itself with 1,000 to 1,500 nodes a move, from the seventh
/// move on, up to five of a game. Games ended when both players saw seven pawns: in won positions networks differ more
/// in what they say than a search cares about.
pub(super) static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let lines = include_str!("positions.fen").lines();
    lines.map(|line| line.parse().expect("a test reads all of them")).collect()
});

/// Where the reference finds more, a game is decided, and how much more does not matter.
const DECIDED: i32 = 1_200;

/// What the output of a network is to be multiplied by, so that the root mean square of what it says is the
/// reference's.
pub(super) fn factor(network: &Network, reference: &Network) -> f64 {
    let [mut says, mut should_say] = [0.0; 2];
    for position in &*POSITIONS {
        let expected = reference.evaluate(position);
        if expected.abs() < DECIDED {
            should_say += f64::from(expected).powi(2);
            says += f64::from(network.evaluate(position)).powi(2);
        }
    }
    // A network that says nothing at all has no measure.
    if says > 0.0 && should_say > 0.0 { (should_say / says).sqrt() } else { 1.0 }
}

/// Weights whose output is so many times as large.
pub(super) fn scaled(weights: &Weights, factor: f64) -> Weights {
    let (mut weights, shape) = (weights.clone(), weights.shape());
    let biases = shape.output_bias(0)..shape.tail().end;
    for place in shape.outputs().chain(biases) {
        weights.values_mut()[place] *= factor as f32;
    }
    weights
}
