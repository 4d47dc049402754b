//! The most likely numbers, by Newton's method with conjugate gradients.
//!
//! The logarithm of the likelihood is concave, so a step uphill along Newton's direction, shortened until it really
//! goes up, arrives at the one summit there is. Each direction is the solution of a sparse linear system with one entry
//! per meeting; conjugate gradients solve it without ever writing the matrix down, so that thousands of players cost
//! milliseconds a step. That we have arrived is seen from the gradient alone: it is the difference between the points
//! made and the points expected, and at the summit both agree.

/// Games whose expected score depends on the difference of two unknowns: log odds of `plus - minus + shift + offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The unknown of the first player, if it is one.
    pub(super) plus: Option<usize>,
    /// The unknown of the second player, if it is one.
    pub(super) minus: Option<usize>,
    /// What is known of the difference.
    pub(super) offset: f64,
    /// Games played.
    pub(super) games: f64,
    /// Points of the first player.
    pub(super) points: f64,
}

/// An unknown of which something is known beforehand: a mean, and how much that weighs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prior {
    pub(super) unknown: usize,
    pub(super) mean: f64,
    pub(super) weight: f64,
}

/// What is to be solved.
#[derive(Clone, Debug, Default)]
pub(super) struct Problem {
    /// How many unknowns there are.
    pub(super) unknowns: usize,
    /// Whether one more unknown, the last, is added to the difference of every edge.
    pub(super) shift: Option<usize>,
    pub(super) edges: Vec<Edge>,
    pub(super) priors: Vec<Prior>,
}

/// How far from the truth the iteration ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct NotSettled(pub(super) f64);

impl Problem {
    /// The most likely values, starting from zero. They must exist.
    pub(super) fn solve(&self) -> Result<Vec<f64>, NotSettled> {
        const STEPS: usize = 200;
        const HALVINGS: usize = 60;
        /// Points off for each game played.
        const TOLERANCE: f64 = 1e-10;
        let mut values = vec![0.0; self.unknowns];
        let mut height = self.log_likelihood(&values);
        let most_games = self.games_of_unknowns().into_iter().fold(1.0, f64::max);
        for _ in 0..STEPS {
            let gradient = self.gradient(&values);
            if largest(&gradient) <= TOLERANCE * most_games {
                return Ok(values);
            }
            let weights = self.weights(&values);
            let direction = self.conjugate_gradients(&weights, &gradient, 1e-9);
            // The curve is nearly straight within one unit of log odds; a longer step trusts it too far.
            let mut length = (2.0 / largest(&direction)).min(1.0);
            for _ in 0..HALVINGS {
                let next: Vec<f64> = values.iter().zip(&direction).map(|(value, step)| value + length * step).collect();
                let next_height = self.log_likelihood(&next);
                if next_height >= height - 1e-13 * height.abs() {
                    (values, height) = (next, next_height);
                    break;
                }
                length /= 2.0;
            }
        }
        let off = largest(&self.gradient(&values));
        if off <= 1e-7 * most_games { Ok(values) } else { Err(NotSettled(off)) }
    }

    /// The same with every game counted so many times.
    pub(super) fn weighed(&self, times: f64) -> Problem {
        let weighed = |edge: &Edge| Edge { games: edge.games * times, points: edge.points * times, ..*edge };
        Problem { edges: self.edges.iter().map(weighed).collect(), ..self.clone() }
    }

    /// The second derivative of each edge: how much information its games hold.
    pub(super) fn weights(&self, values: &[f64]) -> Vec<f64> {
        let weight = |edge: &Edge| {
            let score = self.score(edge, values);
            edge.games * score * (1.0 - score)
        };
        self.edges.iter().map(weight).collect()
    }

    /// The expected score of the first player of an edge.
    pub(super) fn score(&self, edge: &Edge, values: &[f64]) -> f64 {
        1.0 / (1.0 + (-self.difference(edge, values) - edge.offset).exp())
    }

    fn difference(&self, edge: &Edge, values: &[f64]) -> f64 {
        let value = |unknown: Option<usize>| unknown.map_or(0.0, |unknown| values[unknown]);
        value(edge.plus) - value(edge.minus) + value(self.shift)
    }

    fn log_likelihood(&self, values: &[f64]) -> f64 {
        /// The logarithm of 1 + exp(x), without overflow.
        fn softplus(x: f64) -> f64 {
            x.max(0.0) + (-x.abs()).exp().ln_1p()
        }
        let edges = self.edges.iter().map(|edge| {
            let difference = self.difference(edge, values) + edge.offset;
            -edge.points * softplus(-difference) - (edge.games - edge.points) * softplus(difference)
        });
        let priors = self.priors.iter().map(|prior| -0.5 * prior.weight * (values[prior.unknown] - prior.mean).powi(2));
        edges.chain(priors).sum()
    }

    /// Points made less points expected, for each unknown.
    fn gradient(&self, values: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.unknowns];
        for edge in &self.edges {
            self.scatter(edge, edge.points - edge.games * self.score(edge, values), &mut gradient);
        }
        for prior in &self.priors {
            gradient[prior.unknown] -= prior.weight * (values[prior.unknown] - prior.mean);
        }
        gradient
    }

    fn scatter(&self, edge: &Edge, amount: f64, onto: &mut [f64]) {
        if let Some(plus) = edge.plus {
            onto[plus] += amount;
        }
        if let Some(minus) = edge.minus {
            onto[minus] -= amount;
        }
        if let Some(shift) = self.shift {
            onto[shift] += amount;
        }
    }

    fn games_of_unknowns(&self) -> Vec<f64> {
        self.diagonal(&self.edges.iter().map(|edge| edge.games).collect::<Vec<_>>())
    }

    fn diagonal(&self, weights: &[f64]) -> Vec<f64> {
        let mut diagonal = vec![0.0; self.unknowns];
        for (edge, weight) in self.edges.iter().zip(weights) {
            for unknown in [edge.plus, edge.minus, self.shift].into_iter().flatten() {
                diagonal[unknown] += weight;
            }
        }
        self.priors.iter().for_each(|prior| diagonal[prior.unknown] += prior.weight);
        diagonal
    }

    /// The information matrix times a vector.
    fn times(&self, weights: &[f64], vector: &[f64], product: &mut [f64]) {
        product.fill(0.0);
        for (edge, weight) in self.edges.iter().zip(weights) {
            self.scatter(edge, weight * self.difference(edge, vector), product);
        }
        for prior in &self.priors {
            product[prior.unknown] += prior.weight * vector[prior.unknown];
        }
    }

    /// The vector that the information matrix turns into the given one, which must be within its reach.
    pub(super) fn conjugate_gradients(&self, weights: &[f64], wanted: &[f64], accuracy: f64) -> Vec<f64> {
        let scales: Vec<f64> =
            self.diagonal(weights).into_iter().map(|entry| if entry > 0.0 { 1.0 / entry } else { 0.0 }).collect();
        let mut solution = vec![0.0; self.unknowns];
        let mut rest = wanted.to_vec();
        let mut scaled: Vec<f64> = rest.iter().zip(&scales).map(|(rest, scale)| rest * scale).collect();
        let mut direction = scaled.clone();
        let mut product = vec![0.0; self.unknowns];
        let mut size = dot(&rest, &scaled);
        let enough = size * accuracy * accuracy;
        for _ in 0..4 * self.unknowns + 100 {
            if size <= enough || size <= f64::MIN_POSITIVE {
                break;
            }
            self.times(weights, &direction, &mut product);
            let step = size / dot(&direction, &product);
            if !step.is_finite() {
                break;
            }
            for unknown in 0..self.unknowns {
                solution[unknown] += step * direction[unknown];
                rest[unknown] -= step * product[unknown];
                scaled[unknown] = rest[unknown] * scales[unknown];
            }
            let next = dot(&rest, &scaled);
            let turn = next / size;
            size = next;
            direction.iter_mut().zip(&scaled).for_each(|(direction, scaled)| *direction = scaled + turn * *direction);
        }
        solution
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn largest(vector: &[f64]) -> f64 {
    vector.iter().fold(0.0, |most: f64, entry| most.max(entry.abs()))
}
