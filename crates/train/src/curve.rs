//! How the loss fell: points for a plot, and a sketch for the terminal.

/// What is known at one moment of a training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LossPoint {
    /// How many samples had been seen, repetitions counted.
    pub samples: u64,
    /// The mean loss over the samples seen since the point before.
    pub training: f64,
    /// The validation loss, where it was measured.
    pub validation: Option<f64>,
}

/// The course of a training.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct LossCurve {
    /// The moments, in order.
    pub points: Vec<LossPoint>,
}

impl LossCurve {
    /// The training loss as pairs of millions of samples and loss.
    pub fn training(&self) -> Vec<(f64, f64)> {
        self.points.iter().map(|point| (point.samples as f64 / 1e6, point.training)).collect()
    }

    /// The validation loss, in the same way.
    pub fn validation(&self) -> Vec<(f64, f64)> {
        let measured = |point: &LossPoint| Some((point.samples as f64 / 1e6, point.validation?));
        self.points.iter().filter_map(measured).collect()
    }

    /// The curve in characters: `·` for the training loss, `o` for the validation loss. Nothing if there is no point.
    pub fn sketch(&self, width: usize, height: usize) -> String {
        let (training, validation) = (self.training(), self.validation());
        let all = || training.iter().chain(&validation).copied();
        let most_samples = all().fold(0.0, |most, (samples, _)| f64::max(most, samples));
        let lowest = all().fold(f64::INFINITY, |lowest, (_, loss)| lowest.min(loss));
        let highest = all().fold(0.0, |highest, (_, loss)| f64::max(highest, loss));
        if training.is_empty() || width == 0 || height == 0 {
            return String::new();
        }
        let mut rows = vec![vec![' '; width]; height];
        for (mark, points) in [('·', &training), ('o', &validation)] {
            for &(samples, loss) in points {
                let place = |part: f64, size: usize| ((part * (size - 1) as f64).round() as usize).min(size - 1);
                let column = place(samples / most_samples.max(f64::MIN_POSITIVE), width);
                let row = place((highest - loss) / (highest - lowest).max(f64::MIN_POSITIVE), height);
                rows[row][column] = mark;
            }
        }
        let mut text = String::new();
        for (number, row) in rows.iter().enumerate() {
            let label = match number {
                0 => format!("{highest:.5}"),
                last if last + 1 == height => format!("{lowest:.5}"),
                _ => String::new(),
            };
            let row: String = row.iter().collect();
            text += &format!("{label:>8} │{}\n", row.trim_end());
        }
        text += &format!(
            "{:>8} └{}\n{:>9} 0{:>rest$}\n",
            "",
            "─".repeat(width),
            "",
            format!("{most_samples:.1} million samples"),
            rest = width - 1
        );
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sketch_shows_both_curves_between_the_lowest_and_the_highest_loss() {
        let points = (1..=10).map(|k| LossPoint {
            samples: k * 1_000_000,
            training: 0.1 / k as f64,
            validation: k.is_multiple_of(5).then_some(0.1 / k as f64 + 0.01),
        });
        let curve = LossCurve { points: points.collect() };
        assert_eq!((curve.training().len(), curve.validation().len()), (10, 2));
        let sketch = curve.sketch(40, 8);
        assert_eq!(sketch.lines().count(), 10);
        assert_eq!(sketch.matches('o').count(), 3, "two points and the word below:\n{sketch}");
        assert!(
            sketch.contains("0.10000 │") && sketch.contains("0.01000 │") && sketch.contains("10.0 million"),
            "{sketch}"
        );
        assert_eq!(LossCurve::default().sketch(40, 8), "");
    }
}
