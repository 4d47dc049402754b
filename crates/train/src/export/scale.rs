//! The evaluation scale of a network.
//!
//! Networks trained on other games evaluate in larger or smaller numbers, though they order moves alike, and the
//! margins of a search fit one scale only. So the output of a network is multiplied by a factor that gives it the scale
//! of a reference before it plays matches.

use std::sync::LazyLock;

use nnue::Network;
use rules::Position;

use crate::Weights;

/// Quiet positions of self-play with 1,000 to 1,500 nodes a move, from the seventh move on, up to five of a game. Games
/// were adjudicated at seven pawns: networks differ more in won positions than a search cares about.
pub(super) static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let lines = include_str!("positions.fen").lines();
    lines.map(|line| line.parse().expect("a test reads all of them")).collect()
});

/// Positions that the reference evaluates beyond this are decided and do not count.
const DECIDED: i32 = 1_200;

/// The factor for the output of a network, so that the root mean square of its evaluations is the reference's.
pub(super) fn factor(network: &Network, reference: &Network) -> f64 {
    let [mut found, mut wanted] = [0.0; 2];
    for position in &*POSITIONS {
        let expected = reference.evaluate(position);
        if expected.abs() < DECIDED {
            wanted += f64::from(expected).powi(2);
            found += f64::from(network.evaluate(position)).powi(2);
        }
    }
    // A network whose evaluations are all zero has no scale.
    if found > 0.0 && wanted > 0.0 { (wanted / found).sqrt() } else { 1.0 }
}

/// Weights with the output multiplied by a factor.
pub(super) fn scaled(weights: &Weights, factor: f64) -> Weights {
    let (mut weights, shape) = (weights.clone(), weights.shape());
    let biases = shape.output_bias(0)..shape.tail().end;
    for place in shape.outputs().chain(biases) {
        weights.values_mut()[place] *= factor as f32;
    }
    weights
}
