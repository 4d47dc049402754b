//! Times as text: read from the command line and written where they are shown.

use std::fmt;
use std::time::Duration;

use interface::hms;

/// The unit of a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// `ms`
    Milliseconds,
    /// `s`
    Seconds,
    /// `m`
    Minutes,
    /// `h`
    Hours,
}

impl Unit {
    const ALL: [Unit; 4] = [Unit::Milliseconds, Unit::Seconds, Unit::Minutes, Unit::Hours];

    /// How it is written behind a number.
    pub fn symbol(self) -> &'static str {
        match self {
            Unit::Milliseconds => "ms",
            Unit::Seconds => "s",
            Unit::Minutes => "m",
            Unit::Hours => "h",
        }
    }

    const fn milliseconds(self) -> u128 {
        match self {
            Unit::Milliseconds => 1,
            Unit::Seconds => 1000,
            Unit::Minutes => 60_000,
            Unit::Hours => 3_600_000,
        }
    }
}

/// A text that is not a time.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a time like 1.5s, 500ms, 3m or 2h")]
pub struct DurationError(String);

/// Reads a time with its unit, or a number without one, which is taken to be in the unit `bare`.
///
/// ```
/// use std::time::Duration;
/// use saavedra_game::{Unit, parse_duration};
///
/// assert_eq!(parse_duration("1.5m", Unit::Seconds)?, Duration::from_secs(90));
/// assert_eq!(parse_duration("0.25", Unit::Seconds)?, Duration::from_millis(250));
/// assert!(parse_duration("soon", Unit::Seconds).is_err());
/// # Ok::<(), saavedra_game::DurationError>(())
/// ```
pub fn parse_duration(text: &str, bare: Unit) -> Result<Duration, DurationError> {
    let (number, unit) = split_unit(text);
    exact(number, unit.unwrap_or(bare)).ok_or_else(|| DurationError(text.to_owned()))
}

/// A time as it is written: the number, and the unit if there is one.
pub(crate) fn split_unit(text: &str) -> (&str, Option<Unit>) {
    let text = text.trim();
    // `ms` ends with `s`, so the longer symbol is tried first.
    let unit = Unit::ALL.into_iter().find(|unit| text.ends_with(unit.symbol()));
    match unit {
        Some(unit) => (text[..text.len() - unit.symbol().len()].trim_end(), Some(unit)),
        None => (text, None),
    }
}

/// The time that a decimal number of units is, to the nanosecond. Further digits are ignored.
fn exact(number: &str, unit: Unit) -> Option<Duration> {
    const DIGITS: usize = 9;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let fraction: String = fraction.chars().chain(std::iter::repeat('0')).take(DIGITS).collect();
    let billionths: u128 = format!("{whole}{fraction}").parse().ok()?;
    let nanoseconds = billionths.checked_mul(unit.milliseconds())? / 1000;
    let seconds = u64::try_from(nanoseconds / 1_000_000_000).ok()?;
    Some(Duration::new(seconds, (nanoseconds % 1_000_000_000) as u32))
}

/// Seconds without a unit, exact and without needless zeros: `0.02`, `300`.
pub(crate) struct Seconds(pub(crate) Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:09}", self.0.as_secs(), self.0.subsec_nanos());
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// A time as a chess clock shows it: hours only if there are any, tenths in the last twenty seconds.
pub fn clock_text(time: Duration) -> String {
    match time.as_secs() {
        seconds @ ..20 => format!("0:{seconds:02}.{}", time.subsec_millis() / 100),
        seconds => hms(seconds as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_or_take_the_usual_one() {
        for (text, bare, milliseconds) in [
            ("2", Unit::Seconds, 2000),
            ("2", Unit::Minutes, 120_000),
            ("0.02", Unit::Seconds, 20),
            (".5", Unit::Seconds, 500),
            ("5.", Unit::Seconds, 5000),
            ("500ms", Unit::Seconds, 500),
            ("1.5s", Unit::Minutes, 1500),
            (" 3 m ", Unit::Seconds, 180_000),
            ("0.5h", Unit::Seconds, 1_800_000),
        ] {
            assert_eq!(parse_duration(text, bare), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_time_is_named() {
        let huge = "9".repeat(60);
        for text in ["", ".", "s", "-1", "+1", "1e3", "nan", "inf", "five", "1,5", "1s5", "5 minutes", &huge] {
            assert_eq!(parse_duration(text, Unit::Seconds), Err(DurationError(text.to_owned())));
        }
        let error = parse_duration("soon", Unit::Seconds).expect_err("no time");
        assert_eq!(error.to_string(), "\"soon\" is not a time like 1.5s, 500ms, 3m or 2h");
    }

    #[test]
    fn clocks_show_what_matters() {
        let shown: Vec<String> =
            [3725, 600, 61, 20].into_iter().map(|seconds| clock_text(Duration::from_secs(seconds))).collect();
        assert_eq!(shown, ["1:02:05", "10:00", "1:01", "0:20"]);
        assert_eq!(clock_text(Duration::from_millis(9_870)), "0:09.8");
    }
}
