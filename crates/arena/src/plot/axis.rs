//! An axis: from numbers to places, with round numbers marked.

use interface::grouped;

/// Numbers between two limits, drawn between two places.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    step: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// An axis that shows all the numbers, ends at round ones, and has about so many marks. What is not finite is not
    /// shown.
    pub(super) fn around(numbers: impl Iterator<Item = f64>, marks: usize, from: f64, to: f64) -> Axis {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for number in numbers.filter(|number| number.is_finite()) {
            (low, high) = (low.min(number), high.max(number));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if high - low <= 1e-12 * high.abs().max(low.abs()) {
            // One number alone still needs some room around it.
            let room = if low == 0.0 { 1.0 } else { low.abs() / 10.0 };
            (low, high) = (low - room, high + room);
        }
        let step = round_step((high - low) / marks.max(1) as f64);
        Axis { low: (low / step).floor() * step, high: (high / step).ceil() * step, step, from, to }
    }

    /// The place of a number.
    pub(super) fn place(&self, number: f64) -> f64 {
        self.from + (number - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// The round numbers with their names.
    pub(super) fn marks(&self) -> Vec<(f64, String)> {
        let count = ((self.high - self.low) / self.step).round() as i64;
        let first = (self.low / self.step).round() as i64;
        let decimals = (-self.step.log10().floor()).clamp(0.0, 12.0) as usize;
        (first..=first + count)
            .map(|mark| mark as f64 * self.step)
            .map(|mark| (mark, shown(&format!("{mark:.decimals$}"))))
            .collect()
    }
}

/// The next of 1, 2, 5, 10, 20, 50, … or of their fractions.
fn round_step(rough: f64) -> f64 {
    let power = 10_f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough * (1.0 - 1e-9)).unwrap_or(10.0) * power
}

/// A mark with commas between thousands, as in -1,000.5. A zero has no sign.
fn shown(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
    let sign = if digits.bytes().all(|digit| matches!(digit, b'0' | b'.')) { "" } else { sign };
    let whole = digits.split('.').next().unwrap_or_default();
    // Beyond what can be counted there is nothing to group.
    let grouped = whole.parse().map_or_else(|_| whole.to_owned(), grouped);
    format!("{sign}{grouped}{}", &digits[whole.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(numbers: &[f64]) -> Vec<String> {
        Axis::around(numbers.iter().copied(), 5, 0.0, 100.0).marks().into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn marks_are_round_numbers_around_everything() {
        assert_eq!(names(&[-130.0, 2440.0]), ["-1,000", "0", "1,000", "2,000", "3,000"]);
        assert_eq!(names(&[0.0, 0.43]), ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(names(&[0.0, 1e7]), ["0", "2,000,000", "4,000,000", "6,000,000", "8,000,000", "10,000,000"]);
        assert_eq!(names(&[]), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(names(&[5.0]), ["4.4", "4.6", "4.8", "5.0", "5.2", "5.4", "5.6"]);
        assert_eq!(names(&[f64::NAN, f64::INFINITY, 0.0, 10.0]).last().map(String::as_str), Some("10"));
    }

    #[test]
    fn places_go_from_one_end_to_the_other() {
        let axis = Axis::around([0.0, 10.0].into_iter(), 5, 50.0, 250.0);
        assert_eq!([0.0, 5.0, 10.0].map(|number| axis.place(number)), [50.0, 150.0, 250.0]);
    }
}
