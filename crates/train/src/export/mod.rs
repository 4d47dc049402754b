//! From float weights to the network that plays: evaluation scale, quantisation, order of pairs, and a check that the
//! engine's inference equals the trainer's integer arithmetic.

mod head;
mod order;
mod scale;

use std::sync::Arc;

use nnue::{
    ACTIVATION_UNIT, Accumulators, Architecture, CENTIPAWNS, Layers, MOST_OUTPUT_WEIGHT, Network, NetworkError,
    OUTPUT_UNIT, Parameters, ReadError, Tail,
};
use rules::Position;
use thiserror::Error;

use self::order::Activity;
use crate::{FeatureTable, FloatNetwork, Sample, Shape, Wdl, Weights, synthetic};

/// How many positions an export is verified with.
pub const VERIFIED: usize = 1_000;

/// Why weights are no network.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The weights belong to another architecture.
    #[error("the weights do not fit the architecture {0}")]
    Shape(Architecture),
    /// A weight is not a number.
    #[error("weight {0} is not a number")]
    NotANumber(usize),
    /// The network is refused.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The file of the network cannot be read back.
    #[error(transparent)]
    Reread(#[from] ReadError),
    /// The engine's inference differs from the trainer's: the network would play plausibly and lose.
    #[error("the exported network evaluates {fen} as {found}, expected {expected}")]
    Misread {
        /// The position.
        fen: String,
        /// The engine's evaluation.
        found: i32,
        /// The trainer's evaluation.
        expected: i32,
    },
}

/// An exported network.
#[derive(Clone, Debug)]
pub struct Exported {
    /// The network.
    pub network: Network,
    /// What its output was multiplied by, to have the evaluation scale of the reference.
    pub scale: f64,
    /// The share of groups of four products in which not all are zero, which the engine cannot skip; none of a straight
    /// network.
    pub active_groups: Option<f64>,
}

/// Quantises a network: at the evaluation scale of a reference if there is one, and with its pairs in the order that
/// the engine computes fastest. Verifies that the engine's inference agrees.
pub fn export(floats: &FloatNetwork, reference: Option<&Network>) -> Result<Exported, ExportError> {
    let (weights, architecture, description) = (floats.weights(), *floats.architecture(), floats.description());
    let as_learned = quantise(weights, architecture, description)?;
    let scale = reference.map_or(1.0, |reference| scale::factor(&as_learned, reference));
    let network = match reference {
        Some(_) => quantise(&scale::scaled(weights, scale), architecture, description)?,
        None => as_learned,
    };
    let (network, active_groups) = sorted(network)?;
    verify(&network, VERIFIED)?;
    Ok(Exported { network, scale, active_groups })
}

/// A network with its pairs in the order that the engine computes fastest, which evaluates the same, and the share of
/// groups of four products that it cannot skip.
fn sorted(network: Network) -> Result<(Network, Option<f64>), ExportError> {
    if network.architecture().layers() == Layers::Straight {
        return Ok((network, None));
    }
    let activity = Activity::of(&network, &scale::POSITIONS);
    let order = activity.best_order();
    let share = activity.active_groups(&order);
    let parameters = order::reordered(&network.parameters(), network.architecture().hidden(), &order);
    let sorted = parameters.map(|parameters| Network::new(*network.architecture(), network.description(), &parameters));
    Ok((sorted.transpose()?.unwrap_or(network), Some(share)))
}

/// Quantises weights to a network.
pub fn quantise(weights: &Weights, architecture: Architecture, description: &str) -> Result<Network, ExportError> {
    let shape = weights.shape();
    if shape != Shape::of(&architecture) {
        return Err(ExportError::Shape(architecture));
    }
    if let Some(place) = weights.values().iter().position(|weight| !weight.is_finite()) {
        return Err(ExportError::NotANumber(place));
    }
    let round = |values: &[f32], unit: f64, most: i16| -> Vec<i16> {
        values.iter().map(|&value| rounded(value, unit, most.into()) as i16).collect()
    };
    let (activation, output) = (f64::from(ACTIVATION_UNIT), f64::from(OUTPUT_UNIT));
    let values = weights.values();
    let tail = match shape.layers {
        Layers::Straight => Tail::Straight {
            output_weights: round(&values[shape.outputs()], output, MOST_OUTPUT_WEIGHT),
            output_biases: round(&values[shape.outputs().end..], activation * output, i16::MAX),
        },
        Layers::Pairwise => {
            Tail::Pairwise((0..shape.output_buckets).map(|bucket| head::quantise(weights, bucket)).collect())
        }
    };
    let parameters = Parameters {
        feature_weights: round(&values[shape.features()], activation, i16::MAX),
        feature_biases: round(weights.hidden_biases(), activation, i16::MAX),
        tail,
    };
    Ok(Network::new(architecture, description, &parameters)?)
}

/// A weight in some unit as a whole number, at most so large either way.
fn rounded(value: f32, unit: f64, most: i32) -> i32 {
    (f64::from(value) * unit).round().clamp(-f64::from(most), most.into()) as i32
}

/// The weights of a network, to go on training from.
pub fn dequantise(network: &Network) -> Weights {
    let Parameters { feature_weights, feature_biases, tail } = network.parameters();
    let (activation, output) = (f32::from(ACTIVATION_UNIT), f32::from(OUTPUT_UNIT));
    let shape = Shape::of(network.architecture());
    let mut values = Vec::with_capacity(shape.weight_count());
    let mut put =
        |numbers: Vec<i16>, unit: f32| values.extend(numbers.into_iter().map(|number| f32::from(number) / unit));
    put(feature_weights, activation);
    put(feature_biases, activation);
    match tail {
        Tail::Straight { output_weights, output_biases } => {
            put(output_weights, output);
            put(output_biases, activation * output);
        }
        Tail::Pairwise(heads) => {
            values.resize(shape.weight_count(), 0.0);
            for (bucket, head) in heads.iter().enumerate() {
                head::dequantise(head, shape, bucket, &mut values);
            }
        }
    }
    Weights::from_values(shape, values).expect("a network has as many weights as its architecture says")
}

/// The evaluation of a sample by quantised weights, computed from the trainer's own features.
pub fn integer_evaluation(parameters: &Parameters, shape: Shape, table: &FeatureTable, sample: Sample) -> i32 {
    let features = table.features(sample);
    let active = features.sides().into_iter().flat_map(|inputs| {
        (0..shape.hidden).map(|neuron| {
            let weights =
                inputs.iter().map(|&input| parameters.feature_weights[usize::from(input) * shape.hidden + neuron]);
            let hidden = weights.fold(parameters.feature_biases[neuron], i16::wrapping_add);
            i64::from(hidden.clamp(0, ACTIVATION_UNIT))
        })
    });
    match &parameters.tail {
        Tail::Straight { output_weights, output_biases } => {
            let weights = &output_weights[2 * shape.hidden * features.bucket..];
            let sum: i64 = active.zip(weights).map(|(active, &weight)| active * active * i64::from(weight)).sum();
            let (activation, output) = (i64::from(ACTIVATION_UNIT), i64::from(OUTPUT_UNIT));
            let value = sum / activation + i64::from(output_biases[features.bucket]);
            (value * i64::from(CENTIPAWNS) / (activation * output)) as i32
        }
        Tail::Pairwise(heads) => head::integer_evaluation(&heads[features.bucket], &active.collect::<Vec<i64>>()),
    }
}

/// Compares what the engine's inference says, after the network went through its file, with the integer reference, on
/// positions of random games.
pub fn verify(network: &Network, positions: usize) -> Result<(), ExportError> {
    let architecture = *network.architecture();
    let (shape, table, parameters) = (Shape::of(&architecture), FeatureTable::new(&architecture), network.parameters());
    let mut accumulators = Accumulators::new(Arc::new(Network::read(&network.write())?));
    let mut result = Ok(());
    synthetic::walk(1, positions, |position: &Position| {
        accumulators.reset(position);
        let found = accumulators.evaluate(position);
        let expected = integer_evaluation(&parameters, shape, &table, Sample::new(position, 0, Wdl::Draw));
        if result.is_ok() && (found != expected || network.evaluate(position) != expected) {
            result = Err(ExportError::Misread { fen: position.to_string(), found, expected });
        }
    });
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::king_buckets;
    use crate::model::{self, Scratch};

    fn architecture(hidden: usize, kings: usize, outputs: usize) -> Architecture {
        let buckets = king_buckets(kings).expect("a number on the list");
        let architecture = Architecture::new(hidden).expect("a multiple of 32").with_king_buckets(buckets);
        architecture.with_output_buckets(outputs).expect("up to eight")
    }

    fn pairwise(hidden: usize, kings: usize, outputs: usize) -> Architecture {
        architecture(hidden, kings, outputs).with_layers(Layers::Pairwise).expect("a multiple of 128")
    }

    #[test]
    fn an_export_says_what_the_weights_say_up_to_rounding() {
        for (architecture, most, most_bias) in [(architecture(64, 4, 8), 8.0, 8.0), (pairwise(256, 4, 8), 5.0, 0.5)] {
            let weights = Weights::random(Shape::of(&architecture), 3);
            let network = quantise(&weights, architecture, "a test").expect("the weights fit");
            let table = FeatureTable::new(&architecture);
            let mut scratch = Scratch::new(weights.shape());
            let (mut seen, mut off, mut sum) = (0, 0.0, 0.0);
            synthetic::walk(2, 500, |position| {
                let sample = Sample::new(position, 0, Wdl::Draw);
                let said = model::SCALE * model::forward(&weights, &table.features(sample), &mut scratch);
                let error = f64::from(network.evaluate(position) as f32 - said);
                off += error.abs() / 500.0;
                sum += error / 500.0;
                seen += 1;
            });
            assert_eq!(seen, 500);
            assert!(
                off < most && sum.abs() < most_bias,
                "{architecture}: {off} centipawns off, {sum} in one direction"
            );
        }
    }

    #[test]
    fn the_engine_and_the_integer_reference_agree_on_a_thousand_positions() {
        let straight = [(32, 1, 1), (64, 8, 4), (128, 1, 8)].map(|(h, k, o)| architecture(h, k, o));
        for architecture in straight.into_iter().chain([pairwise(128, 1, 1), pairwise(256, 4, 8)]) {
            let weights = Weights::random(Shape::of(&architecture), 4);
            let network = quantise(&weights, architecture, "a test").expect("the weights fit");
            verify(&network, VERIFIED).expect("they agree");
        }
    }

    #[test]
    fn a_network_made_of_a_networks_weights_is_the_same() {
        for architecture in [architecture(64, 2, 4), pairwise(128, 2, 4)] {
            let network = Network::random(9, architecture);
            let again = quantise(&dequantise(&network), architecture, network.description()).expect("the weights fit");
            assert_eq!(again, network);
        }
    }

    #[test]
    fn the_positions_of_the_measure_are_positions() {
        assert_eq!(scale::POSITIONS.len(), 1_000);
        assert!(scale::POSITIONS.iter().all(|position| !position.is_check()));
    }

    #[test]
    fn an_export_speaks_as_loud_as_its_reference() {
        for architecture in [architecture(64, 2, 4), pairwise(128, 2, 4)] {
            let weights = Weights::random(Shape::of(&architecture), 4);
            let reference = quantise(&weights, architecture, "the reference").expect("the weights fit");
            let loud = FloatNetwork::new(architecture, "louder", scale::scaled(&weights, 1.25)).expect("its weights");
            let Exported { network, scale, .. } = export(&loud, Some(&reference)).expect("it can be exported");
            assert!((scale - 0.8).abs() < 0.02, "{architecture}: {scale}");
            let left = scale::factor(&network, &reference);
            // Output weights of a straight network are rounded to 64ths, which is coarse for those that begin at
            // random.
            assert!((left - 1.0).abs() < 0.02, "{architecture}: {left}");
            let alone = export(&loud, None).expect("it can be exported");
            assert_eq!(alone.scale, 1.0);
            assert!((scale::factor(&alone.network, &reference) - 0.8).abs() < 0.02);
        }
    }

    #[test]
    fn sorted_pairs_say_the_same_and_leave_more_zeros() {
        let architecture = pairwise(256, 4, 8);
        // A quarter of the neurons is often below zero, the others seldom: as they lie, every group has some of both.
        let mut weights = Weights::random(Shape::of(&architecture), 4);
        let biases = weights.shape().hidden_biases();
        weights.values_mut()[biases].iter_mut().step_by(4).for_each(|bias| *bias = -0.4);
        let network = quantise(&weights, architecture, "a test").expect("the weights fit");
        let activity = Activity::of(&network, &scale::POSITIONS);
        let before = activity.active_groups(&(0..128).collect::<Vec<_>>());
        let mut order = activity.best_order();
        let (sorted, after) = sorted(network.clone()).expect("it is a network");
        assert!(after.is_some_and(|after| after < 0.9 * before), "{before} before, {after:?} after");
        assert_eq!(after, Some(Activity::of(&sorted, &scale::POSITIONS).active_groups(&(0..128).collect::<Vec<_>>())));
        order.sort_unstable();
        assert_eq!(order, (0..128).collect::<Vec<_>>(), "every pair has a place");
        assert_ne!(sorted.parameters(), network.parameters());
        synthetic::walk(8, 2_000, |position| assert_eq!(sorted.evaluate(position), network.evaluate(position)));
    }

    #[test]
    fn weights_that_are_no_numbers_or_of_another_shape_are_refused() {
        let small = architecture(32, 1, 1);
        let mut weights = Weights::random(Shape::of(&small), 4);
        assert!(matches!(quantise(&weights, architecture(64, 1, 1), ""), Err(ExportError::Shape(_))));
        let wide = Weights::random(Shape::of(&architecture(128, 1, 1)), 4);
        assert!(matches!(quantise(&wide, pairwise(128, 1, 1), ""), Err(ExportError::Shape(_))));
        weights.values_mut()[77] = f32::NAN;
        assert!(matches!(quantise(&weights, small, ""), Err(ExportError::NotANumber(77))));
    }
}
