//! A whole training: it ends with the best weights, goes on after an interruption as if nothing had happened, and says
//! clearly what is wrong.

use std::ops::ControlFlow;
use std::{fs, io};

use nnue::Architecture;
use saavedra_train as train;
use train::{
    CheckpointError, DeviceError, FeatureTable, Hyperparameters, Origin, Pulse, Reference, Sample, SampleOrder, Shape,
    Step, TrainError, Trainer, TrainerState, TrainingProgress, TrainingWatcher, Weights, synthetic,
};

/// Keeps every checkpoint, and stops a training in an epoch if told to.
#[derive(Default)]
struct Diary {
    stop_in: Option<u32>,
    last_seen: u64,
    checkpoints: Vec<Vec<u8>>,
}

impl TrainingWatcher for Diary {
    fn pulse(&mut self, pulse: &Pulse) -> ControlFlow<()> {
        assert!(pulse.seen > self.last_seen && pulse.seen <= pulse.total);
        self.last_seen = pulse.seen;
        if self.stop_in == Some(pulse.epoch) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn epoch(&mut self, progress: &TrainingProgress) -> io::Result<()> {
        self.checkpoints.push(progress.to_bytes());
        Ok(())
    }
}

fn architecture() -> Architecture {
    let buckets = train::king_buckets(2).expect("two are on the list");
    Architecture::new(32).expect("a multiple of 32").with_king_buckets(buckets)
}

fn trainer<'a>(samples: &'a [Sample], validation: &'a [Sample]) -> Reference<'a> {
    let state = TrainerState::new(Weights::random(Shape::of(&architecture()), 2));
    Reference::new(samples, validation, FeatureTable::new(&architecture()), state)
}

fn settings() -> Hyperparameters {
    Hyperparameters { epochs: 4, batch: 256, rate: 5e-3, warm_up: 5, ..Hyperparameters::default() }
}

fn start(samples: &[Sample]) -> TrainingProgress {
    let state = TrainerState::new(Weights::random(Shape::of(&architecture()), 2));
    TrainingProgress::new(settings(), samples.len(), &FeatureTable::new(&architecture()), state)
}

#[test]
fn a_resumed_training_ends_like_one_that_was_never_interrupted() {
    let samples = synthetic::samples(1, 5_000);
    let (validation, samples) = samples.split_at(1_000);
    let mut progress = start(samples);
    let mut diary = Diary::default();
    let whole = train::train(&mut trainer(samples, validation), &mut progress, &mut diary).expect("it trains");
    assert_eq!(diary.checkpoints.len(), 4);
    assert_eq!(diary.last_seen, 4 * samples.len() as u64);

    let mut interrupted = start(samples);
    let mut diary = Diary { stop_in: Some(3), ..Diary::default() };
    let stopped = train::train(&mut trainer(samples, validation), &mut interrupted, &mut diary);
    assert!(matches!(stopped, Err(TrainError::Stopped(3))));
    let mut resumed = TrainingProgress::from_bytes(&diary.checkpoints[1]).expect("the checkpoint is sound");
    assert_eq!(resumed.epochs_done, 2);
    let again =
        train::train(&mut trainer(samples, validation), &mut resumed, &mut Diary::default()).expect("it trains");
    assert_eq!((again, resumed), (whole, progress));
}

#[test]
fn epochs_of_another_size_than_the_data_see_every_sample_as_often() {
    let samples = synthetic::samples(1, 5_000);
    let (validation, samples) = samples.split_at(1_000);
    // Sixteen steps make a pass; four epochs of twelve make three.
    let settings = Hyperparameters { epoch_size: Some(3_000), averaged: 2, ..settings() };
    let mut progress = TrainingProgress { settings, ..start(samples) };
    let mut diary = Diary { stop_in: Some(4), ..Diary::default() };
    let stopped = train::train(&mut trainer(samples, validation), &mut progress, &mut diary);
    assert!(matches!(stopped, Err(TrainError::Stopped(4))));
    let seen: Vec<u64> = progress.curve.points.iter().map(|point| point.samples).collect();
    assert_eq!(seen, [12 * 256, 4_000 + 8 * 256, 8_000 + 4 * 256]);
    let mut whole = TrainingProgress { settings, ..start(samples) };
    train::train(&mut trainer(samples, validation), &mut whole, &mut Diary::default()).expect("it trains");
    assert_eq!((whole.seen(), whole.recent.len()), (12_000, 2));
    let mut resumed = TrainingProgress::from_bytes(&diary.checkpoints[2]).expect("the checkpoint is sound");
    train::train(&mut trainer(samples, validation), &mut resumed, &mut Diary::default()).expect("it trains");
    assert_eq!(resumed, whole);
}

#[test]
fn the_weights_that_know_unseen_games_best_are_kept() {
    // So few samples are soon learned by heart, and the loss on others rises again.
    let samples = synthetic::samples(3, 1_500);
    let (validation, samples) = samples.split_at(1_000);
    let settings =
        Hyperparameters { epochs: 25, batch: 64, rate: 1e-2, warm_up: 5, lambda: 1.0, last_lambda: 1.0, ..settings() };
    let mut progress = TrainingProgress { settings, ..start(samples) };
    let chosen =
        train::train(&mut trainer(samples, validation), &mut progress, &mut Diary::default()).expect("it trains");
    let losses: Vec<f64> = progress.curve.points.iter().filter_map(|point| point.validation).collect();
    let best = losses.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(losses.len() == 25 && losses[24] > 1.2 * best, "{losses:?}");
    assert_eq!(chosen.validation, Some(best));
    let Origin::Epoch(epoch) = chosen.origin else { panic!("{:?}", chosen.origin) };
    assert_eq!(losses[epoch as usize - 1], best);
    let measured = train::mean_loss(&chosen.weights, &FeatureTable::new(&architecture()), validation, 1.0);
    assert_eq!(measured, Some(best));
}

#[test]
fn without_games_held_out_the_last_epoch_is_kept() {
    let samples = synthetic::samples(4, 500);
    let mut progress = start(&samples);
    let chosen = train::train(&mut trainer(&samples, &[]), &mut progress, &mut Diary::default()).expect("it trains");
    assert_eq!((chosen.origin, chosen.validation), (Origin::Epoch(4), None));
    assert_eq!(chosen.weights, progress.state.weights);
}

#[test]
fn a_checkpoint_survives_the_disk_and_damage_is_noticed() {
    let samples = synthetic::samples(5, 600);
    let mut progress = start(&samples);
    train::train(&mut trainer(&samples, &samples[..50]), &mut progress, &mut Diary::default()).expect("it trains");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("checkpoint");
    progress.save(&path).expect("it can be written");
    assert_eq!(TrainingProgress::load(&path).expect("it can be read"), progress);
    fs::remove_file(&path).expect("it can be removed");
    assert!(matches!(TrainingProgress::load(&path), Err(CheckpointError::Io(_))));

    let bytes = progress.to_bytes();
    assert!(matches!(TrainingProgress::from_bytes(b"a letter"), Err(CheckpointError::NotACheckpoint)));
    for place in [8, 40, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        let error = TrainingProgress::from_bytes(&damaged).expect_err("the damage is noticed");
        assert!(matches!(error, CheckpointError::Damaged | CheckpointError::Version(5)), "{place}: {error}");
    }
    for length in [0, 7, 8, 11, 12, 19, 100, bytes.len() - 1] {
        assert!(TrainingProgress::from_bytes(&bytes[..length]).is_err(), "{length} bytes are no checkpoint");
    }
}

/// A device that fails, or computes nonsense.
struct Broken(Result<f64, DeviceError>);

impl Trainer for Broken {
    fn device(&self) -> String {
        "a broken device".to_owned()
    }

    fn sample_count(&self) -> usize {
        1_000
    }

    fn take(&mut self, _: &SampleOrder, _: &[Step]) -> Result<f64, DeviceError> {
        self.0.clone()
    }

    fn validation_loss(&mut self, _: f32) -> Result<Option<f64>, DeviceError> {
        Ok(None)
    }

    fn state(&mut self) -> Result<TrainerState, DeviceError> {
        Err(DeviceError("it has no state".to_owned()))
    }

    fn restore(&mut self, _: &TrainerState) -> Result<(), DeviceError> {
        Ok(())
    }
}

#[test]
fn what_goes_wrong_is_said() {
    let complaint = |trainer: &mut dyn Trainer| {
        train::train(trainer, &mut start(&[]), &mut Diary::default()).expect_err("it cannot work").to_string()
    };
    assert_eq!(complaint(&mut trainer(&[], &[])), "there are no samples to train on");
    assert_eq!(complaint(&mut Broken(Err(DeviceError("it vanished".to_owned())))), "it vanished");
    assert!(complaint(&mut Broken(Ok(f64::NAN))).starts_with("the loss is no longer a number in epoch 1"));
}
