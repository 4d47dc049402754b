//! The most likely distribution of outcomes with a given property: what a generalised likelihood ratio is made of.
//!
//! After Michel Van den Bergh, "Comparing the approximations for the generalized log likelihood ratio of a multinomial
//! distribution" (proposition 1.1) for a given mean, and "Comments on normalized Elo" (section 4.1) for a given mean in
//! units of the standard deviation; both are published at cantate.be/Fishtest.

/// Outcomes with their scores and how often each came, as parts of all.
pub(super) struct Observed {
    /// The score of each outcome and its part of all, none of which is zero.
    parts: Vec<(f64, f64)>,
}

impl Observed {
    pub(super) fn new(parts: Vec<(f64, f64)>) -> Observed {
        Observed { parts }
    }

    /// How much less likely the observation is, in natural logarithms per outcome, under the best distribution with
    /// this mean than under the best of all.
    pub(super) fn cost_of_mean(&self, mean: f64) -> f64 {
        let features: Vec<f64> = self.parts.iter().map(|(score, _)| score - mean).collect();
        self.cost(self.multiplier(&features), &features)
    }

    /// The same for the best distribution whose mean exceeds one half by so many of its own standard deviations.
    ///
    /// The property is not linear in the distribution. It is made linear at a guess, which gives a better guess, until
    /// nothing changes.
    pub(super) fn cost_of_deviations(&self, deviations: f64) -> f64 {
        const ROUNDS: usize = 100;
        const STILL: f64 = 1e-10;
        let even = 1.0 / self.parts.len() as f64;
        let mut guess = vec![even; self.parts.len()];
        let (mut multiplier, mut features) = (0.0, vec![0.0; self.parts.len()]);
        for _ in 0..ROUNDS {
            features = self.features_at(&guess, deviations);
            multiplier = self.multiplier(&features);
            let mut moved = 0.0_f64;
            for ((guess, feature), (_, part)) in guess.iter_mut().zip(&features).zip(&self.parts) {
                let better = part / (1.0 + multiplier * feature);
                moved = moved.max((better - *guess).abs());
                *guess = better;
            }
            if moved < STILL {
                break;
            }
        }
        self.cost(multiplier, &features)
    }

    /// The property made linear at a distribution: which weighting of the outcomes has to vanish.
    fn features_at(&self, guess: &[f64], deviations: f64) -> Vec<f64> {
        let weighted = || guess.iter().zip(&self.parts);
        let mean: f64 = weighted().map(|(part, (score, _))| part * score).sum();
        let variance: f64 = weighted().map(|(part, (score, _))| part * (score - mean).powi(2)).sum();
        let sigma = variance.sqrt();
        let feature = |score: f64| score - 0.5 - 0.5 * deviations * sigma * (1.0 + ((score - mean) / sigma).powi(2));
        self.parts.iter().map(|(score, _)| feature(*score)).collect()
    }

    /// The multiplier θ with Σ pᵢ·φᵢ / (1 + θ·φᵢ) = 0, under which all new parts pᵢ / (1 + θ·φᵢ) are positive.
    ///
    /// Between its poles the sum falls from plus to minus infinity, so Newton's method is kept in a bracket that
    /// shrinks with each step. If no feature is positive or none negative, no distribution qualifies, and zero is as
    /// good as any multiplier.
    fn multiplier(&self, features: &[f64]) -> f64 {
        const STEPS: usize = 200;
        let most = features.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = features.iter().copied().fold(f64::INFINITY, f64::min);
        if most <= 0.0 || least >= 0.0 {
            return 0.0;
        }
        let (mut low, mut high) = (-1.0 / most, -1.0 / least);
        let mut theta = 0.0;
        for _ in 0..STEPS {
            let (mut value, mut slope) = (0.0, 0.0);
            for (feature, (_, part)) in features.iter().zip(&self.parts) {
                let ratio = feature / (1.0 + theta * feature);
                value += part * ratio;
                slope -= part * ratio * ratio;
            }
            if value > 0.0 {
                low = theta;
            } else {
                high = theta;
            }
            let newton = theta - value / slope;
            let next = if low < newton && newton < high { newton } else { (low + high) / 2.0 };
            if (next - theta).abs() <= 1e-15 * theta.abs().max(1e-3) {
                return next;
            }
            theta = next;
        }
        theta
    }

    fn cost(&self, multiplier: f64, features: &[f64]) -> f64 {
        features.iter().zip(&self.parts).map(|(feature, (_, part))| part * (multiplier * feature).ln_1p()).sum()
    }
}
