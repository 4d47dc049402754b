//! Pairwise networks: the reference computes their true gradients in every layer, learns with them, and goes on from a
//! checkpoint.

use std::io;
use std::ops::ControlFlow;

use nnue::{Architecture, Layers};
use saavedra_train as train;
use train::{
    FeatureTable, Hyperparameters, Objective, Pulse, Reference, Sample, Shape, Trainer, TrainerState, TrainingProgress,
    TrainingWatcher, Weights, synthetic,
};

fn architecture(output_buckets: usize) -> Architecture {
    let buckets = train::king_buckets(2).expect("two are on the list");
    let architecture = Architecture::new(128).expect("a multiple of 32").with_king_buckets(buckets);
    let architecture = architecture.with_output_buckets(output_buckets).expect("up to eight");
    architecture.with_layers(Layers::Pairwise).expect("a multiple of 128")
}

/// The mean over samples of the sum of all products, from the definition.
fn mean_products(weights: &Weights, table: &FeatureTable, samples: &[Sample]) -> f64 {
    let half = weights.shape().hidden / 2;
    let products = |inputs: &[u16]| -> f64 {
        let hidden = |neuron: usize| -> f64 {
            let rows = inputs.iter().map(|&input| weights.feature(usize::from(input))[neuron]);
            rows.map(f64::from).sum::<f64>() + f64::from(weights.hidden_biases()[neuron])
        };
        (0..half).map(|neuron| hidden(neuron).clamp(0.0, 1.0) * hidden(neuron + half).clamp(0.0, 1.0)).sum()
    };
    let sums = samples.iter().map(|&sample| table.features(sample).sides().into_iter().map(products).sum::<f64>());
    sums.sum::<f64>() / samples.len() as f64
}

#[test]
fn gradients_are_what_the_loss_does_when_a_weight_moves_in_any_layer() {
    moves_as_the_gradient_says(0.0);
}

#[test]
fn gradients_know_what_products_cost() {
    moves_as_the_gradient_says(0.02);
}

fn moves_as_the_gradient_says(penalty: f32) {
    let architecture = architecture(4);
    let (shape, table) = (Shape::of(&architecture), FeatureTable::new(&architecture));
    let samples = synthetic::samples(5, 24);
    let mut weights = Weights::random(shape, 3);
    // As after some learning: rows large enough for neurons to meet both ends of their clamps, and weights for steep
    // derivatives.
    weights.values_mut()[shape.features()].iter_mut().for_each(|weight| *weight *= 4.0);
    weights.values_mut()[shape.second_weights(0).start..].iter_mut().for_each(|weight| *weight *= 1.7);
    let mut trainer = Reference::new(&samples, &[], table.clone(), TrainerState::new(weights.clone()));
    let objective = Objective { lambda: 0.3, penalty };
    let (mean, gradient) = trainer.gradient(&samples, objective);
    let mut moved = weights.clone();
    let mut loss_with = |place: usize, change: f32| {
        moved.values_mut()[place] += change;
        let loss = train::mean_loss(&moved, &table, &samples, 0.3).expect("there are samples");
        let cost = match penalty {
            0.0 => 0.0,
            penalty => f64::from(penalty) * mean_products(&moved, &table, &samples),
        };
        moved.values_mut()[place] = weights.values()[place];
        (loss + cost, loss)
    };
    assert!((loss_with(0, 0.0).1 - mean).abs() < 1e-9, "what is told is the loss alone");
    assert_eq!(shape.parts().count(), 8);
    for part in shape.parts() {
        let largest = gradient[part.clone()].iter().fold(0.0, |most: f32, derivative| most.max(derivative.abs()));
        let mut places: Vec<usize> = part.clone().filter(|&place| gradient[place].abs() > 0.1 * largest).collect();
        let step = places.len().div_ceil(60).max(1);
        places = places.into_iter().step_by(step).collect();
        assert!(largest > 3e-4 && !places.is_empty(), "{part:?}: no derivative above {largest}");
        for place in places {
            let change = 2e-3;
            let found = f64::from(gradient[place]);
            // A neuron that crosses an end of the clamp on the way bends the curve: then the derivative lies between
            // those of both sides.
            let derivatives = [(change, 0.0), (0.0, -change)]
                .map(|(up, down)| (loss_with(place, up).0 - loss_with(place, down).0) / f64::from(change));
            let slack = 0.03 * found.abs() + 1e-5;
            let fits = found > derivatives[0].min(derivatives[1]) - slack
                && found < derivatives[0].max(derivatives[1]) + slack;
            assert!(fits, "weight {place} of {part:?}: {derivatives:?} by trial, {found} computed");
        }
    }
}

/// Keeps every checkpoint, and stops a training in an epoch if told to.
#[derive(Default)]
struct Diary {
    stop_in: Option<u32>,
    checkpoints: Vec<Vec<u8>>,
}

impl TrainingWatcher for Diary {
    fn pulse(&mut self, pulse: &Pulse) -> ControlFlow<()> {
        if self.stop_in == Some(pulse.epoch) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn epoch(&mut self, progress: &TrainingProgress) -> io::Result<()> {
        self.checkpoints.push(progress.to_bytes());
        Ok(())
    }
}

fn settings() -> Hyperparameters {
    Hyperparameters { epochs: 6, batch: 256, rate: 3e-3, warm_up: 30, last_lambda: 0.2, ..Hyperparameters::default() }
}

/// Trains a network and returns its losses on unseen samples before and after.
fn losses(samples: &[Sample], validation: &[Sample], architecture: &Architecture) -> [f64; 2] {
    let table = FeatureTable::new(architecture);
    let state = TrainerState::new(Weights::random(Shape::of(architecture), 1).with_equal_buckets());
    let before = train::mean_loss(&state.weights, &table, validation, 0.2).expect("there are samples for it");
    let mut progress = TrainingProgress::new(settings(), samples.len(), &table, state.clone());
    let mut trainer = Reference::new(samples, validation, table, state);
    let chosen = train::train(&mut trainer, &mut progress, &mut Diary::default()).expect("it trains");
    [before, chosen.validation.expect("there are samples for it")]
}

#[test]
fn a_pairwise_network_learns_what_a_straight_one_does() {
    let samples = synthetic::samples(8, 24_000);
    let (validation, samples) = samples.split_at(4_000);
    let pairwise = architecture(2);
    let straight = pairwise.with_layers(Layers::Straight).expect("a multiple of 32");
    let [before, after] = losses(samples, validation, &pairwise);
    let [_, straight] = losses(samples, validation, &straight);
    println!("validation loss: {before} before, {after} after; a straight network: {straight}");
    assert!(after < 0.3 * before && after < straight, "{before} before, {after} after, straight {straight}");
}

#[test]
fn a_resumed_training_of_a_pairwise_network_ends_like_one_that_was_never_interrupted() {
    let samples = synthetic::samples(1, 3_000);
    let (validation, samples) = samples.split_at(500);
    let (shape, table) = (Shape::of(&architecture(3)), FeatureTable::new(&architecture(3)));
    let start = || {
        let state = TrainerState::new(Weights::random(shape, 2));
        TrainingProgress::new(Hyperparameters { epochs: 4, averaged: 2, ..settings() }, samples.len(), &table, state)
    };
    let trained = |progress: &mut TrainingProgress, diary: &mut Diary| {
        let mut trainer = Reference::new(samples, validation, table.clone(), progress.state.clone());
        train::train(&mut trainer, progress, diary)
    };
    let mut whole = start();
    let chosen = trained(&mut whole, &mut Diary::default()).expect("it trains");
    let mut diary = Diary { stop_in: Some(3), ..Diary::default() };
    trained(&mut start(), &mut diary).expect_err("it is stopped");
    let mut resumed = TrainingProgress::from_bytes(&diary.checkpoints[1]).expect("the checkpoint is sound");
    assert_eq!(resumed.state.shape().layers, Layers::Pairwise);
    let again = trained(&mut resumed, &mut Diary::default()).expect("it trains");
    assert_eq!((again, resumed), (chosen, whole));
}

#[test]
fn the_share_of_active_pairs_is_told_of_pairwise_networks_alone() {
    let samples = synthetic::samples(1, 300);
    let share = |architecture: Architecture| {
        let weights = Weights::random(Shape::of(&architecture), 2);
        train::active_pairs(&weights, &FeatureTable::new(&architecture), &samples)
    };
    let active = share(architecture(2)).expect("it has pairs");
    assert!((0.3..0.9).contains(&active), "{active}");
    assert_eq!(share(architecture(2).with_layers(Layers::Straight).expect("a multiple of 32")), None);
}

#[test]
fn the_number_of_threads_changes_nothing_for_pairs_either() {
    let samples = synthetic::samples(6, 1_000);
    let weights = Weights::random(Shape::of(&architecture(2)), 1);
    let gradients = [1, 8].map(|threads| {
        let state = TrainerState::new(weights.clone());
        let trainer = Reference::new(&samples, &[], FeatureTable::new(&architecture(2)), state);
        let mut trainer = trainer.with_threads(threads);
        assert_eq!(trainer.sample_count(), 1_000);
        trainer.gradient(&samples, Objective { lambda: 0.5, penalty: 1e-3 })
    });
    assert_eq!(gradients[0], gradients[1]);
}
