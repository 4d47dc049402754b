//! Numbers as reports show them and command lines have them.

use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;

/// A number with commas between thousands.
///
/// ```
/// assert_eq!([7, 1_000, 1_872_357].map(saavedra_interface::grouped), ["7", "1,000", "1,872,357"]);
/// ```
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Seconds as minutes and seconds, with hours where there are any; what is left of a second is cut off.
///
/// ```
/// assert_eq!([0.9, 83.0, 3_725.5].map(saavedra_interface::hms), ["0:00", "1:23", "1:02:05"]);
/// ```
pub fn hms(seconds: f64) -> String {
    let seconds = seconds as u64;
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// Reads a number within bounds; the error names them.
///
/// ```
/// use saavedra_interface::parse_within;
///
/// assert_eq!(parse_within("7", 1..=8), Ok(7));
/// assert_eq!(parse_within("9", 1..=8), Err("expected a number from 1 to 8, found \"9\"".to_owned()));
/// assert_eq!(parse_within("x", 32..), Err("expected a number of at least 32, found \"x\"".to_owned()));
/// ```
pub fn parse_within<N: FromStr + PartialOrd + Display>(text: &str, bounds: impl RangeBounds<N>) -> Result<N, String> {
    let number = text.trim().parse().ok().filter(|number| bounds.contains(number));
    number.ok_or_else(|| {
        let range = match (bounds.start_bound(), bounds.end_bound()) {
            (Bound::Included(least), Bound::Included(most)) => format!(" from {least} to {most}"),
            (Bound::Excluded(least), Bound::Included(most)) => format!(" above {least} and up to {most}"),
            (Bound::Included(least), Bound::Excluded(end)) => format!(" from {least} on and below {end}"),
            (Bound::Excluded(least), Bound::Excluded(end)) => format!(" above {least} and below {end}"),
            (Bound::Included(least), Bound::Unbounded) => format!(" of at least {least}"),
            (Bound::Excluded(least), Bound::Unbounded) => format!(" above {least}"),
            (Bound::Unbounded, Bound::Included(most)) => format!(" up to {most}"),
            (Bound::Unbounded, Bound::Excluded(end)) => format!(" below {end}"),
            (Bound::Unbounded, Bound::Unbounded) => String::new(),
        };
        format!("expected a number{range}, found {text:?}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_named_where_a_number_is_refused() {
        let above_zero = (Bound::Excluded(0.0), Bound::Included(1.0));
        assert_eq!(parse_within("1e-3", above_zero), Ok(1e-3));
        for nonsense in ["0", "nan", "inf", "1.5", "", "-1"] {
            let refused = parse_within::<f64>(nonsense, above_zero).expect_err(nonsense);
            assert_eq!(refused, format!("expected a number above 0 and up to 1, found {nonsense:?}"));
        }
        assert_eq!(parse_within::<u8>("300", ..), Err("expected a number, found \"300\"".to_owned()));
        assert_eq!(parse_within(" 5 ", ..=100), Ok(5));
    }
}
