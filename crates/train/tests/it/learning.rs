//! The reference trainer computes true gradients, and what it is shown it learns.

use nnue::Architecture;
use random::Random;
use rules::{Color, Position, Rank, Role};
use saavedra_train as train;
use train::factoriser::shared_gradient;
use train::model::{self, Scratch};
use train::{
    FeatureTable, Hyperparameters, Objective, Reference, Sample, SampleOrder, Shape, Step, Trainer, TrainerState,
    Update, Weights, synthetic,
};

/// A straight network has no products that could cost something.
const OBJECTIVE: Objective = Objective { lambda: 0.3, penalty: 0.1 };

fn architecture(hidden: usize, output_buckets: usize) -> Architecture {
    let buckets = train::king_buckets(2).expect("two are on the list");
    let architecture = Architecture::new(hidden).expect("a multiple of 32").with_king_buckets(buckets);
    architecture.with_output_buckets(output_buckets).expect("up to eight")
}

fn shape(hidden: usize, output_buckets: usize) -> Shape {
    Shape::of(&architecture(hidden, output_buckets))
}

fn table(output_buckets: usize) -> FeatureTable {
    FeatureTable::new(&architecture(32, output_buckets))
}

/// Trains for some epochs and returns the mean loss of the last.
fn fit(trainer: &mut dyn Trainer, settings: &Hyperparameters) -> f64 {
    let samples = trainer.sample_count();
    let per_epoch = settings.steps_per_epoch(samples);
    let mut number = 0;
    let mut loss = 1.0;
    for epoch in 0..settings.epochs {
        let steps: Vec<Step> = (0..per_epoch)
            .map(|batch| {
                let rate = settings.rate_at(number, per_epoch * u64::from(settings.epochs));
                number += 1;
                let first = batch as usize * settings.batch;
                let update = Update::new(number, rate, settings.decay, settings.clip);
                let count = settings.batch.min(samples - first);
                Step { first, count, objective: settings.objective_at(epoch), update }
            })
            .collect();
        loss = trainer.take(&SampleOrder::new(settings.seed, epoch, samples), &steps).expect("a CPU does not vanish");
    }
    loss
}

#[test]
fn gradients_are_what_the_loss_does_when_a_weight_moves() {
    let buckets = 4;
    let samples = synthetic::samples(5, 24);
    let table = table(buckets);
    let weights = Weights::random(shape(32, buckets), 3);
    let mut trainer = Reference::new(&samples, &[], table.clone(), TrainerState::new(weights.clone()));
    let (mean, gradient) = trainer.gradient(&samples, OBJECTIVE);
    // The loss in double precision would need a second model; a mean over few samples is smooth enough in single.
    let loss_with = |place: usize, change: f32| {
        let mut moved = weights.clone();
        moved.values_mut()[place] += change;
        let mut scratch = Scratch::new(weights.shape());
        let losses = samples.iter().map(|&sample| {
            let output = model::forward(&moved, &table.features(sample), &mut scratch);
            f64::from(model::loss(output, model::target(sample, 0.3)))
        });
        losses.sum::<f64>() / samples.len() as f64
    };
    assert!((loss_with(0, 0.0) - mean).abs() < 1e-9);
    let mut random = Random::new(8);
    let interesting: Vec<usize> = (0..gradient.len()).filter(|&place| gradient[place].abs() > 2e-4).collect();
    assert!(interesting.len() > 500, "{} weights have a gradient", interesting.len());
    let outputs = weights.shape().outputs();
    let output_places = interesting.iter().copied().filter(|place| *place >= outputs.start).take(40);
    let random_places: Vec<usize> = (0..200).filter_map(|_| random.choose(&interesting)).collect();
    for place in random_places.into_iter().chain(output_places) {
        let change = 2e-3;
        let found = f64::from(gradient[place]);
        // A neuron that crosses an end of the clamp on the way bends the curve: then the derivative lies between those
        // of both sides.
        let derivatives = [(change, 0.0), (0.0, -change)]
            .map(|(up, down)| (loss_with(place, up) - loss_with(place, down)) / f64::from(change));
        let slack = 0.02 * found.abs() + 3e-5;
        let fits =
            found > derivatives[0].min(derivatives[1]) - slack && found < derivatives[0].max(derivatives[1]) + slack;
        assert!(fits, "weight {place}: {derivatives:?} by trial, {found} computed");
    }
}

/// A place in the rows of the first king bucket where several buckets have a gradient of some size.
fn shared_places(shape: Shape, gradient: &[f32]) -> Vec<usize> {
    let is_seen = |place: &usize| shape.sharing(*place).all(|place| gradient[place].abs() > 1e-4);
    shape.shared().filter(is_seen).collect()
}

#[test]
fn the_gradient_of_a_shared_weight_is_what_the_loss_does_when_it_moves_in_all_buckets() {
    let samples = synthetic::samples(9, 40);
    let weights = Weights::random(shape(32, 1), 3);
    let mut trainer = Reference::new(&samples, &[], table(1), TrainerState::new(weights.clone()));
    let (_, gradient) = trainer.gradient(&samples, OBJECTIVE);
    let loss_with = |place: usize, change: f32| {
        let mut moved = weights.clone();
        weights.shape().sharing(place).for_each(|place| moved.values_mut()[place] += change);
        train::mean_loss(&moved, &table(1), &samples, 0.3).expect("there are samples")
    };
    let places = shared_places(weights.shape(), &gradient);
    assert!(places.len() > 200, "{} weights are shared", places.len());
    for &place in places.iter().step_by(places.len() / 50) {
        let change = 2e-3;
        let found = f64::from(shared_gradient(weights.shape(), place, |place| gradient[place]));
        let derivatives = [(change, 0.0), (0.0, -change)]
            .map(|(up, down)| (loss_with(place, up) - loss_with(place, down)) / f64::from(change));
        let slack = 0.03 * found.abs() + 3e-5;
        let fits =
            found > derivatives[0].min(derivatives[1]) - slack && found < derivatives[0].max(derivatives[1]) + slack;
        assert!(fits, "weight {place}: {derivatives:?} by trial, {found} computed");
    }
}

#[test]
fn a_shared_weight_takes_all_buckets_along() {
    let samples = synthetic::samples(9, 300);
    let weights = Weights::random(shape(32, 1), 3);
    let step = Step { first: 0, count: samples.len(), objective: OBJECTIVE, update: Update::new(1, 1e-3, 0.0, 10.0) };
    let trained = |state: TrainerState| {
        let mut trainer = Reference::new(&samples, &[], table(1), state);
        let (_, gradient) = trainer.gradient(&samples, OBJECTIVE);
        trainer.take(&SampleOrder::new(1, 0, samples.len()), &[step]).expect("a CPU does not vanish");
        (gradient, trainer.state().expect("a CPU does not vanish").weights)
    };
    let (gradient, alone) = trained(TrainerState::new(weights.clone()).without_factoriser());
    let (_, together) = trained(TrainerState::new(weights.clone()));
    // The first step of AdamW is as long as the rate whatever the gradient: so far moves the bucket, so far what is
    // shared.
    for place in shared_places(weights.shape(), &gradient) {
        let shared = shared_gradient(weights.shape(), place, |place| gradient[place]);
        if shared.abs() < 1e-5 {
            continue;
        }
        for place in weights.shape().sharing(place) {
            let further = together.values()[place] - alone.values()[place];
            assert!((further + 1e-3 * shared.signum()).abs() < 1e-5, "weight {place} goes further by {further}");
        }
    }
    let outputs = weights.shape().outputs();
    assert_eq!(alone.values()[outputs.clone()], together.values()[outputs]);
}

#[test]
fn buckets_that_see_nothing_learn_from_the_others() {
    // Two buckets of rows, of which the second is hardly seen: kings that left their first rank.
    let samples = synthetic::samples(10, 20_000);
    let is_home = |sample: &Sample| sample.king(Color::White).rank() == Rank::First;
    let (home, away): (Vec<Sample>, Vec<Sample>) = samples.into_iter().partition(is_home);
    let loss_away = |start: fn(TrainerState) -> TrainerState| {
        let weights = Weights::random(shape(32, 1), 1).with_equal_buckets();
        let mut trainer = Reference::new(&home, &away, table(1), start(TrainerState::new(weights)));
        fit(
            &mut trainer,
            &Hyperparameters { epochs: 3, batch: 256, rate: 3e-3, warm_up: 20, ..Hyperparameters::default() },
        );
        trainer.validation_loss(0.2).expect("a CPU does not vanish").expect("there are samples for it")
    };
    let (alone, together) = (loss_away(TrainerState::without_factoriser), loss_away(|state| state));
    assert!(!away.is_empty() && together < 0.7 * alone, "{alone} alone, {together} with a factoriser");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let samples = synthetic::samples(6, 3_000);
    let settings = Hyperparameters { epochs: 2, batch: 512, warm_up: 2, ..Hyperparameters::default() };
    let trained = [1, 2, 8].map(|threads| {
        let state = TrainerState::new(Weights::random(shape(32, 1), 1));
        let mut trainer = Reference::new(&samples, &samples[..100], table(1), state).with_threads(threads);
        fit(&mut trainer, &settings);
        let loss = trainer.validation_loss(0.5).expect("a CPU does not vanish");
        (trainer.state().expect("a CPU does not vanish"), loss)
    });
    assert!(trained[0] == trained[1] && trained[0] == trained[2]);
}

#[test]
fn a_few_samples_are_learned_by_heart() {
    let samples = synthetic::samples(7, 64);
    let state = TrainerState::new(Weights::random(shape(64, 2), 1));
    let mut trainer = Reference::new(&samples, &samples, table(2), state);
    let (lambda, last_lambda) = (0.0, 0.0);
    let settings = Hyperparameters {
        epochs: 300,
        batch: 64,
        rate: 1e-2,
        warm_up: 5,
        lambda,
        last_lambda,
        ..Hyperparameters::default()
    };
    let loss = fit(&mut trainer, &settings);
    assert!(loss < 1e-5, "{loss}");
}

#[test]
fn the_worth_of_pieces_is_learned_from_games() {
    let samples = synthetic::samples(8, 60_000);
    let (validation, samples) = samples.split_at(6_000);
    let state = TrainerState::new(Weights::random(shape(32, 1), 1));
    let mut trainer = Reference::new(samples, validation, table(1), state);
    let before = trainer.validation_loss(0.2).expect("a CPU does not vanish").expect("there are samples for it");
    let (lambda, last_lambda) = (0.2, 0.2);
    let settings = Hyperparameters {
        epochs: 8,
        batch: 512,
        rate: 5e-3,
        warm_up: 50,
        lambda,
        last_lambda,
        ..Hyperparameters::default()
    };
    fit(&mut trainer, &settings);
    let after = trainer.validation_loss(0.2).expect("a CPU does not vanish").expect("there are samples for it");
    assert!(after < 0.2 * before, "{before} before, {after} after");

    let weights = trainer.state().expect("a CPU does not vanish").weights;
    let mut scratch = Scratch::new(weights.shape());
    let mut says = |fen: &str| {
        let position: Position = fen.parse().expect("a legal position");
        let sample = Sample::new(&position, 0, train::Wdl::Draw);
        400.0 * model::forward(&weights, &table(1).features(sample), &mut scratch)
    };
    let level = says("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!(level.abs() < 60.0, "{level}");
    for (role, without) in [
        (Role::Knight, "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        (Role::Rook, "rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1"),
        (Role::Queen, "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ] {
        let ahead = says(without);
        let turned = says(&without.replace(" w ", " b "));
        assert!(ahead > 180.0 && turned < -180.0, "a {role} ahead: {ahead}, behind: {turned}");
    }
}
