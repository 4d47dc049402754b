//! The launches of a training, run on the CPU with the kernels' own source, compute what the reference trainer
//! computes. Where there is no C++ compiler this is not tested.

use std::ops::Range;

use nnue::{Architecture, Layers};
use train::{
    FeatureTable, Objective, Reference, Sample, SampleOrder, Shape, Step, Trainer, TrainerState, Update, Weights,
    king_buckets, synthetic,
};

use crate::device::{Argument, Device};
use crate::emulation::{Emulation, HostBuffer};
use crate::steps::{SampleParts, Steps};
use crate::{Batches, Precision};

/// How far gradients may be apart: with half precision, every number that is added was rounded to eleven bits.
fn tolerance(precision: Precision) -> f64 {
    match precision {
        Precision::Single => 1e-4,
        Precision::Half => 3e-4,
    }
}

/// How far away from the beginning of all samples ours lie: what does not fit 32 bits must not get lost.
const FAR: usize = 5 << 32;

/// Samples as they lie in the memory of a device: the second half first, in two parts that are the wrong way round.
struct Samples {
    words: HostBuffer<u64>,
    parts: [Range<usize>; 2],
}

impl Samples {
    fn new(device: &Emulation, samples: &[Sample]) -> Samples {
        let (first, second) = samples.split_at(samples.len() / 2);
        let words: Vec<u64> = second.iter().chain(first).flat_map(|sample| sample.words()).collect();
        let middle = FAR + second.len();
        let words = device.upload(&words).expect("there is memory");
        Samples { words, parts: [middle..middle + first.len(), FAR..middle] }
    }

    fn parts(&self, device: &Emulation) -> SampleParts<Emulation> {
        let Argument::Address(address) = device.address(&self.words) else { panic!("a buffer has an address") };
        let beginning = address.wrapping_sub((FAR * Sample::WORDS * size_of::<u64>()) as u64);
        SampleParts::new(device, Argument::Address(beginning), &self.parts).expect("there is memory")
    }
}

/// How far two lists are apart, as parts of the second one's length and of its largest entry.
fn difference(found: &[f32], expected: &[f32]) -> f64 {
    let length = |numbers: &mut dyn Iterator<Item = f64>| numbers.map(|number| number * number).sum::<f64>().sqrt();
    let off = || found.iter().zip(expected).map(|(&found, &expected)| f64::from(found) - f64::from(expected));
    let largest = expected.iter().fold(0.0, |largest, &number| f64::max(largest, f64::from(number).abs()));
    let by_length = length(&mut off()) / length(&mut expected.iter().map(|&number| f64::from(number)));
    let by_largest =
        off().fold(0.0, |worst, off| if off.is_nan() { f64::INFINITY } else { f64::max(worst, off.abs()) });
    by_length.max(by_largest / largest)
}

/// A network that takes a step on a batch.
struct Trial {
    layers: Layers,
    hidden: usize,
    kings: usize,
    outputs: usize,
    batch: usize,
    has_factoriser: bool,
    precision: Precision,
    penalty: f32,
}

const SMALL: Trial = Trial {
    layers: Layers::Straight,
    hidden: 32,
    kings: 1,
    outputs: 1,
    batch: 50,
    has_factoriser: true,
    precision: Precision::Single,
    penalty: 0.0,
};

/// Compares a gradient, one step of a network on a batch, the weights after it, and the validation loss.
fn agrees_with_the_reference(trial: Trial) {
    let Trial { layers, hidden, kings, outputs, batch, has_factoriser, precision, penalty } = trial;
    let buckets = king_buckets(kings).expect("a number on the list");
    let architecture = Architecture::new(hidden).and_then(|straight| straight.with_layers(layers));
    let architecture = architecture.expect("a width for such layers").with_king_buckets(buckets);
    let architecture = architecture.with_output_buckets(outputs).expect("up to eight");
    let shape = Shape::of(&architecture);
    let Some(device) = Emulation::training(shape, precision) else { return };
    let table = FeatureTable::new(&architecture);
    let samples = synthetic::samples(hidden as u64, batch + 37);
    // More than a batch, so that there are two.
    let validation = synthetic::samples(hidden as u64 + 1, batch + 10);
    let mut weights = Weights::random(shape, 5);
    // Weights that have room in sixteen bits.
    weights.values_mut().iter_mut().for_each(|weight| *weight = (*weight * 1_024.0).round() / 1_024.0);
    let state = TrainerState::new(weights);
    let state = if has_factoriser { state } else { state.without_factoriser() };
    let [learned, validation_samples] = [&samples, &validation].map(|samples| Samples::new(&device, samples));
    let batches = Batches { most: batch, precision };
    let parts = [&learned, &validation_samples].map(|samples| samples.parts(&device));
    let [learned_parts, validation_parts] = parts;
    let mut emulated =
        Steps::new(device, learned_parts, validation_parts, &table, &state, batches).expect("there is memory");
    let mut reference = Reference::new(&samples, &validation, table, state);

    let objective = Objective { lambda: 0.3, penalty };
    let (emulated_loss, emulated_gradient) =
        emulated.gradient(11..11 + batch, objective).expect("a CPU does not vanish");
    let (loss, gradient) = reference.gradient(&samples[11..11 + batch], objective);
    // Part by part, because the gradients of some are far smaller than those of others.
    for part in shape.parts() {
        let off = difference(&emulated_gradient[part.clone()], &gradient[part.clone()]);
        assert!(off < tolerance(precision), "{architecture}, batch {batch}: gradients of {part:?} differ by {off}");
    }
    assert!((emulated_loss - loss).abs() < 1e-6, "{emulated_loss} and {loss}");
    let [emulated_held_out, reference_held_out] = [&mut emulated as &mut dyn Trainer, &mut reference]
        .map(|trainer| trainer.validation_loss(0.3).expect("a CPU does not vanish").expect("there are samples for it"));
    let off = (emulated_held_out - reference_held_out).abs();
    assert!(off < tolerance(precision) * reference_held_out, "{emulated_held_out} and {reference_held_out}");

    // A large first step, from a shuffled batch: whatever is in the wrong place shows in the weights.
    let order = SampleOrder::new(9, 2, samples.len());
    let objective = Objective { lambda: 0.7, penalty };
    let step = Step { first: 20, count: batch, objective, update: Update::new(1, 1e-2, 0.01, 0.3) };
    let [emulated_loss, loss] = [&mut emulated as &mut dyn Trainer, &mut reference]
        .map(|trainer| trainer.take(&order, &[step]).expect("a CPU does not vanish"));
    assert!((emulated_loss - loss).abs() < 1e-6, "{emulated_loss} and {loss}");
    let [found, expected] = [&mut emulated as &mut dyn Trainer, &mut reference]
        .map(|trainer| trainer.state().expect("a CPU does not vanish"));
    let pairs = [(&found.moments, &expected.moments)].into_iter();
    for (found, expected) in pairs.chain(found.shared.as_ref().zip(expected.shared.as_ref())) {
        assert!(difference(&found.means, &expected.means) < tolerance(precision));
        assert!(difference(&found.squares, &expected.squares) < tolerance(precision));
    }
    assert_eq!(found.shared.is_some(), expected.shared.is_some());
    // The first step of AdamW has the length of the rate in the direction of the gradient's sign, and rounding may turn
    // the sign of a gradient that is nearly zero: nearly all weights must agree, not all.
    let pairs = found.weights.values().iter().zip(expected.weights.values());
    let needed = if precision == Precision::Single { 999 } else { 990 };
    let right = pairs.filter(|(found, expected)| (*found - *expected).abs() < 1e-4).count();
    assert!(right * 1_000 > shape.weight_count() * needed, "{right} of {} weights agree", shape.weight_count());
}

#[test]
fn a_small_network_and_a_batch_smaller_than_a_chunk() {
    agrees_with_the_reference(SMALL);
}

#[test]
fn king_buckets_output_buckets_and_several_chunks() {
    agrees_with_the_reference(Trial { hidden: 64, kings: 2, outputs: 8, batch: 2_100, ..SMALL });
}

#[test]
fn king_buckets_that_share_nothing() {
    agrees_with_the_reference(Trial { kings: 4, batch: 200, has_factoriser: false, ..SMALL });
}

#[test]
fn widths_that_fill_no_power_of_two() {
    agrees_with_the_reference(Trial { hidden: 96, outputs: 3, batch: 130, ..SMALL });
}

#[test]
fn wide_loads_of_four_numbers() {
    agrees_with_the_reference(Trial { hidden: 256, batch: 260, ..SMALL });
}

#[test]
fn half_precision_is_close_for_loads_of_every_width() {
    for (hidden, kings, batch) in [(32, 1, 130), (64, 2, 300), (256, 1, 260)] {
        agrees_with_the_reference(Trial { hidden, kings, outputs: 2, batch, precision: Precision::Half, ..SMALL });
    }
}

#[test]
fn pairs_and_the_layers_behind_them() {
    for (hidden, kings, outputs, batch) in [(128, 1, 1, 50), (256, 2, 8, 300), (512, 1, 8, 150)] {
        agrees_with_the_reference(Trial { layers: Layers::Pairwise, hidden, kings, outputs, batch, ..SMALL });
    }
}

#[test]
fn products_that_cost_something() {
    let pairwise = Trial { layers: Layers::Pairwise, hidden: 256, outputs: 3, batch: 200, ..SMALL };
    // From what is used to what outweighs the loss.
    for penalty in [3e-7, 1e-4, 1e-2] {
        agrees_with_the_reference(Trial { penalty, ..pairwise });
    }
    agrees_with_the_reference(Trial { penalty: 1e-4, precision: Precision::Half, kings: 2, ..pairwise });
}

#[test]
fn pairs_in_half_precision() {
    let pairwise = Trial { layers: Layers::Pairwise, hidden: 128, outputs: 3, batch: 200, ..SMALL };
    agrees_with_the_reference(Trial { precision: Precision::Half, ..pairwise });
    agrees_with_the_reference(Trial { precision: Precision::Half, hidden: 256, kings: 4, ..pairwise });
}
