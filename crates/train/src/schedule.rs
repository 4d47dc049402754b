//! How the learning rate and the weight of the result change in the course of a training.

use std::f64::consts::PI;

use crate::Objective;

/// Batch size, learning rate, λ and the other hyperparameters. The defaults are those that other engines published.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hyperparameters {
    /// How many epochs there are: each has a λ of its own, and a validation and a checkpoint at the end.
    pub epochs: u32,
    /// How many samples make an epoch, up to whole batches; all there are if none. The order of the samples does not
    /// depend on it: every sample is seen once before any is seen again.
    pub epoch_size: Option<usize>,
    /// How many samples make a step.
    pub batch: usize,
    /// The learning rate after the warm-up.
    pub rate: f64,
    /// The learning rate at the end, reached along a cosine.
    pub last_rate: f64,
    /// How many epochs keep the last rate.
    pub final_epochs: u32,
    /// How many steps the rate takes to rise, at most a tenth of all.
    pub warm_up: u64,
    /// The weight of the game's result against the score, in the first epoch.
    pub lambda: f64,
    /// The same in the last epoch; in between it changes evenly.
    pub last_lambda: f64,
    /// How many of the last epochs are averaged in the end.
    pub averaged: usize,
    /// What a product of one costs, of a pairwise network.
    pub penalty: f64,
    /// How much of a weight is lost in a step, times the learning rate.
    pub decay: f64,
    /// The largest weight, which keeps quantised sums inside their integers.
    pub clip: f32,
    /// What all random numbers of a training follow from.
    pub seed: u64,
}

impl Default for Hyperparameters {
    fn default() -> Hyperparameters {
        Hyperparameters {
            epochs: 8,
            epoch_size: None,
            batch: 16_384,
            rate: 1e-3,
            last_rate: 2.4e-6,
            final_epochs: 0,
            warm_up: 200,
            lambda: 0.2,
            last_lambda: 0.5,
            averaged: 3,
            penalty: 0.0,
            decay: 0.01,
            clip: 1.98,
            seed: 1,
        }
    }
}

impl Hyperparameters {
    /// How many steps see all of so many samples once. The last one may be smaller.
    pub fn steps_per_pass(&self, samples: usize) -> u64 {
        samples.div_ceil(self.batch) as u64
    }

    /// How many steps an epoch has.
    pub fn steps_per_epoch(&self, samples: usize) -> u64 {
        self.steps_per_pass(self.epoch_size.unwrap_or(samples).max(1))
    }

    /// How many samples have been seen after so many steps.
    pub fn seen(&self, samples: usize, steps: u64) -> u64 {
        let per_pass = self.steps_per_pass(samples).max(1);
        let in_pass = (steps % per_pass * self.batch as u64).min(samples as u64);
        steps / per_pass * samples as u64 + in_pass
    }

    /// The learning rate of a step, counted from zero.
    pub fn rate_at(&self, step: u64, steps: u64) -> f64 {
        let kept = f64::from(self.final_epochs.min(self.epochs)) / f64::from(self.epochs.max(1));
        let falling = steps as f64 * (1.0 - kept);
        let progress = (step as f64 / falling.max(1.0)).min(1.0);
        let cosine = self.last_rate + (self.rate - self.last_rate) * (1.0 + (PI * progress).cos()) / 2.0;
        let warm_up = self.warm_up.min(steps / 10);
        if step < warm_up { cosine * (step + 1) as f64 / warm_up as f64 } else { cosine }
    }

    /// What the steps of an epoch minimise, counted from zero.
    pub fn objective_at(&self, epoch: u32) -> Objective {
        Objective { lambda: self.lambda_at(epoch) as f32, penalty: self.penalty as f32 }
    }

    /// The weight of the result in an epoch, counted from zero.
    pub fn lambda_at(&self, epoch: u32) -> f64 {
        let progress = f64::from(epoch) / f64::from(self.epochs.saturating_sub(1).max(1));
        self.lambda + (self.last_lambda - self.lambda) * progress.min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_and_then_falls_along_a_cosine() {
        let settings = Hyperparameters { warm_up: 10, ..Hyperparameters::default() };
        let rate = |step| settings.rate_at(step, 1_000);
        assert!(rate(0) < 1.1e-4 && rate(5) > rate(0) && rate(9) > 0.99e-3);
        assert!((rate(500) - (1e-3 + 2.4e-6) / 2.0).abs() < 1e-9);
        assert!((rate(1_000) - 2.4e-6).abs() < 1e-12);
        assert!((10..999).all(|step| rate(step + 1) < rate(step)));
        assert!(settings.rate_at(1, 20) > settings.rate_at(0, 20) && settings.rate_at(1, 20) > settings.rate_at(2, 20));
    }

    #[test]
    fn the_last_epochs_may_keep_the_last_rate() {
        let settings = Hyperparameters { epochs: 4, final_epochs: 1, warm_up: 0, ..Hyperparameters::default() };
        let rate = |step| settings.rate_at(step, 1_000);
        assert!((rate(0) - 1e-3).abs() < 1e-12 && rate(700) > 1.1 * settings.last_rate);
        assert!((750..1_000).all(|step| (rate(step) - settings.last_rate).abs() < 1e-12));
        let only_last = Hyperparameters { final_epochs: 9, ..settings };
        assert!((1..1_000).all(|step| (only_last.rate_at(step, 1_000) - settings.last_rate).abs() < 1e-12));
    }

    #[test]
    fn epochs_and_passes_are_counted_in_steps() {
        let settings = Hyperparameters { batch: 100, epoch_size: Some(300), ..Hyperparameters::default() };
        assert_eq!((settings.steps_per_pass(450), settings.steps_per_epoch(450)), (5, 3));
        assert_eq!([0, 1, 4, 5, 6, 10].map(|steps| settings.seen(450, steps)), [0, 100, 400, 450, 550, 900]);
        assert_eq!(Hyperparameters { epoch_size: None, ..settings }.steps_per_epoch(450), 5);
    }

    #[test]
    fn lambda_changes_evenly_from_the_first_epoch_to_the_last() {
        let settings = Hyperparameters { epochs: 4, lambda: 0.2, last_lambda: 0.5, ..Hyperparameters::default() };
        let lambdas: Vec<f64> = (0..4).map(|epoch| settings.lambda_at(epoch)).collect();
        for (lambda, expected) in lambdas.iter().zip([0.2, 0.3, 0.4, 0.5]) {
            assert!((lambda - expected).abs() < 1e-12, "{lambdas:?}");
        }
        assert_eq!(Hyperparameters { epochs: 1, ..settings }.lambda_at(0), 0.2);
    }
}
