//! How the learning rate and the weight of the result change in the course of a training.

use std::f64::consts::PI;

/// The numbers a training is made with. The defaults are those that other engines published and agree on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How often every sample is seen.
    pub epochs: u32,
    /// How many samples make a step.
    pub batch: usize,
    /// The learning rate after the warm-up.
    pub rate: f64,
    /// The learning rate at the end, reached along a cosine.
    pub last_rate: f64,
    /// How many steps the rate takes to rise, at most a tenth of all.
    pub warm_up: u64,
    /// The weight of the game's result against the score, in the first epoch.
    pub lambda: f64,
    /// The same in the last epoch; in between it changes evenly.
    pub last_lambda: f64,
    /// How much of a weight is lost in a step, times the learning rate.
    pub decay: f64,
    /// The largest weight, which keeps quantised sums inside their integers.
    pub clip: f32,
    /// What all chance in a training is drawn from.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            epochs: 8,
            batch: 16_384,
            rate: 1e-3,
            last_rate: 2.4e-6,
            warm_up: 200,
            lambda: 0.2,
            last_lambda: 0.5,
            decay: 0.01,
            clip: 1.98,
            seed: 1,
        }
    }
}

impl Settings {
    /// How many steps an epoch over so many samples has. The last one may be smaller.
    pub fn steps_per_epoch(&self, samples: usize) -> u64 {
        samples.div_ceil(self.batch) as u64
    }

    /// The learning rate of a step, counted from zero.
    pub fn rate_at(&self, step: u64, steps: u64) -> f64 {
        let progress = step as f64 / steps.max(1) as f64;
        let cosine = self.last_rate + (self.rate - self.last_rate) * (1.0 + (PI * progress).cos()) / 2.0;
        let warm_up = self.warm_up.min(steps / 10);
        if step < warm_up { cosine * (step + 1) as f64 / warm_up as f64 } else { cosine }
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
        let settings = Settings { warm_up: 10, ..Settings::default() };
        let rate = |step| settings.rate_at(step, 1_000);
        assert!(rate(0) < 1.1e-4 && rate(5) > rate(0) && rate(9) > 0.99e-3);
        assert!((rate(500) - (1e-3 + 2.4e-6) / 2.0).abs() < 1e-9);
        assert!((rate(1_000) - 2.4e-6).abs() < 1e-12);
        assert!((10..999).all(|step| rate(step + 1) < rate(step)));
        assert!(settings.rate_at(1, 20) > settings.rate_at(0, 20) && settings.rate_at(1, 20) > settings.rate_at(2, 20));
    }

    #[test]
    fn lambda_changes_evenly_from_the_first_epoch_to_the_last() {
        let settings = Settings { epochs: 4, lambda: 0.2, last_lambda: 0.5, ..Settings::default() };
        let lambdas: Vec<f64> = (0..4).map(|epoch| settings.lambda_at(epoch)).collect();
        for (lambda, expected) in lambdas.iter().zip([0.2, 0.3, 0.4, 0.5]) {
            assert!((lambda - expected).abs() < 1e-12, "{lambdas:?}");
        }
        assert_eq!(Settings { epochs: 1, ..settings }.lambda_at(0), 0.2);
    }
}
