//! AdamW: every weight takes steps of about the learning rate, in the direction its gradient had on average.

/// The decay of the mean gradient.
pub const BETA_1: f64 = 0.9;
/// The decay of the mean squared gradient.
pub const BETA_2: f64 = 0.999;
/// Keeps a weight without gradients from being divided by zero.
pub const EPSILON: f32 = 1e-8;

/// What one step does to every weight. The same numbers go to the GPU.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Update {
    /// What the corrected mean gradient is multiplied by.
    pub rate: f32,
    /// What the root of the mean squared gradient is multiplied by, to correct for its start at zero.
    pub root_correction: f32,
    /// What is left of a weight before the step.
    pub keep: f32,
    /// The largest weight.
    pub clip: f32,
}

impl Update {
    /// The update of a step, counted from one.
    pub fn new(step: u64, rate: f64, decay: f64, clip: f32) -> Update {
        let steps = step.min(i32::MAX as u64) as i32;
        Update {
            rate: (rate / (1.0 - BETA_1.powi(steps))) as f32,
            root_correction: (1.0 / (1.0 - BETA_2.powi(steps))).sqrt() as f32,
            keep: (1.0 - rate * decay) as f32,
            clip,
        }
    }

    /// How far a weight is to move, from its gradient and its two means, which move first.
    pub fn step(&self, mean: &mut f32, square: &mut f32, gradient: f32) -> f32 {
        *mean += (1.0 - BETA_1) as f32 * (gradient - *mean);
        *square += (1.0 - BETA_2) as f32 * (gradient * gradient - *square);
        self.rate * *mean / (square.sqrt() * self.root_correction + EPSILON)
    }

    /// Where a weight is after a step.
    pub fn moved(&self, weight: f32, step: f32) -> f32 {
        (weight * self.keep - step).clamp(-self.clip, self.clip)
    }

    /// Moves one weight, and its two means.
    pub fn apply(&self, weight: &mut f32, mean: &mut f32, square: &mut f32, gradient: f32) {
        *weight = self.moved(*weight, self.step(mean, square, gradient));
    }
}

/// The two means that are kept for every weight.
#[derive(Clone, PartialEq, Debug)]
pub struct Moments {
    /// The mean gradient of each.
    pub means: Vec<f32>,
    /// The mean squared gradient of each.
    pub squares: Vec<f32>,
}

impl Moments {
    /// Those of so many weights before the first step.
    pub fn new(count: usize) -> Moments {
        Moments { means: vec![0.0; count], squares: vec![0.0; count] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_is_as_long_as_the_rate_whatever_the_gradient() {
        for gradient in [1e-4, 0.3, -25.0] {
            let (mut weight, mut mean, mut square) = (0.5, 0.0, 0.0);
            Update::new(1, 0.01, 0.0, 2.0).apply(&mut weight, &mut mean, &mut square, gradient);
            assert!((weight - (0.5 - 0.01 * gradient.signum())).abs() < 1e-5, "{gradient}: {weight}");
        }
    }

    #[test]
    fn steps_lead_to_the_bottom_of_a_bowl_and_never_beyond_the_clip() {
        let (mut weight, mut mean, mut square) = (1.5_f32, 0.0, 0.0);
        for step in 1..=2_000 {
            let gradient = 2.0 * (weight - 0.25);
            Update::new(step, 0.01, 0.0, 1.98).apply(&mut weight, &mut mean, &mut square, gradient);
        }
        assert!((weight - 0.25).abs() < 1e-3, "{weight}");
        for step in 1..=1_000 {
            Update::new(step, 0.01, 0.01, 1.98).apply(&mut weight, &mut mean, &mut square, -1.0);
        }
        assert_eq!(weight, 1.98);
    }

    #[test]
    fn decay_pulls_a_weight_without_gradient_towards_zero() {
        let (mut weight, mut mean, mut square) = (1.0, 0.0, 0.0);
        Update::new(1, 0.1, 0.01, 2.0).apply(&mut weight, &mut mean, &mut square, 0.0);
        assert!((weight - 0.999_f32).abs() < 1e-6, "{weight}");
    }
}
