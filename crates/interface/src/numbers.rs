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
    number.ok_or_else(|| format!("expected a number{}, found {text:?}", within(&bounds)))
}

/// A number of things, given the word for one of them.
///
/// ```
/// let games = [0, 1, 1234].map(|number| saavedra_interface::counted(number, "game"));
/// assert_eq!(games, ["0 games", "1 game", "1,234 games"]);
/// ```
pub fn counted(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Reads a whole number within bounds, also with commas or an exponent; the error names the bounds.
///
/// ```
/// use saavedra_interface::parse_count;
///
/// for (text, number) in [("7", 7_u64), ("1e6", 1_000_000), ("2.5e3", 2500), ("1,000", 1000)] {
///     assert_eq!(parse_count(text, 1..), Ok(number));
/// }
/// assert_eq!(parse_count("0", 1..=8_u8), Err("expected a whole number from 1 to 8, found \"0\"".to_owned()));
/// assert_eq!(parse_count("300", 1_u8..), Err("expected a whole number from 1 to 255, found \"300\"".to_owned()));
/// ```
pub fn parse_count<N: TryFrom<u64> + PartialOrd + Display>(
    text: &str,
    bounds: impl RangeBounds<N>,
) -> Result<N, String> {
    let number = count(text.trim());
    let fitting = number.and_then(fit::<N>);
    let is_too_much = number.is_some() && fitting.is_none();
    fitting.filter(|number| bounds.contains(number)).ok_or_else(|| {
        let bounds = match (bounds.start_bound(), bounds.end_bound()) {
            (Bound::Included(least), Bound::Unbounded) if is_too_much => {
                format!(" from {least} to {}", greatest::<N>())
            }
            (Bound::Unbounded, Bound::Unbounded) if is_too_much => format!(" from 0 to {}", greatest::<N>()),
            _ => within(&bounds),
        };
        format!("expected a whole number{bounds}, found {text:?}")
    })
}

/// Reads a size in mebibytes, which may have a unit: `64`, `64MiB` or `2GiB`. As in all engines, a megabyte is a
/// mebibyte.
///
/// ```
/// use saavedra_interface::parse_mebibytes;
///
/// for (text, number) in [("64", 64_u32), ("64MiB", 64), ("64 MB", 64), ("2GiB", 2048)] {
///     assert_eq!(parse_mebibytes(text, 1..), Ok(number));
/// }
/// assert!(parse_mebibytes("64KiB", 1_u32..).is_err());
/// ```
pub fn parse_mebibytes<N: TryFrom<u64> + PartialOrd + Display>(
    text: &str,
    bounds: impl RangeBounds<N>,
) -> Result<N, String> {
    let lower = text.trim().to_ascii_lowercase();
    let units = [("mib", 1), ("mb", 1), ("gib", 1024), ("gb", 1024), ("", 1)];
    let read = units.into_iter().find_map(|(unit, size)| lower.strip_suffix(unit).map(|number| (number, size)));
    let number = read.and_then(|(number, size)| count(number.trim())?.checked_mul(size));
    let number = number.and_then(fit).filter(|number| bounds.contains(number));
    number.ok_or_else(|| format!("expected mebibytes{} (64, 64MiB or 2GiB), found {text:?}", within(&bounds)))
}

/// A whole number as people write it: `1000`, `1,000`, `1_000`, `1e3` or `2.5e3`. What no type holds is cut.
fn count(text: &str) -> Option<u128> {
    let text: String = text.chars().filter(|letter| !matches!(letter, ',' | '_')).collect();
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if whole.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let zeros = exponent.parse::<u32>().ok()?.checked_sub(u32::try_from(fraction.len()).ok()?)?;
    let digits = digits.parse().unwrap_or(u128::MAX);
    Some(digits.saturating_mul(10_u128.saturating_pow(zeros)))
}

/// The number in its type, if that holds it.
fn fit<N: TryFrom<u64>>(number: u128) -> Option<N> {
    N::try_from(u64::try_from(number).ok()?).ok()
}

/// The greatest number of a type, all of whose bits are ones.
fn greatest<N: TryFrom<u64>>() -> u64 {
    (0..64).map(|zeros| u64::MAX >> zeros).find(|&ones| N::try_from(ones).is_ok()).unwrap_or(0)
}

/// Bounds in words.
fn within<N: Display>(bounds: &impl RangeBounds<N>) -> String {
    match (bounds.start_bound(), bounds.end_bound()) {
        (Bound::Included(least), Bound::Included(most)) => format!(" from {least} to {most}"),
        (Bound::Excluded(least), Bound::Included(most)) => format!(" above {least} and up to {most}"),
        (Bound::Included(least), Bound::Excluded(end)) => format!(" from {least} on and below {end}"),
        (Bound::Excluded(least), Bound::Excluded(end)) => format!(" above {least} and below {end}"),
        (Bound::Included(least), Bound::Unbounded) => format!(" of at least {least}"),
        (Bound::Excluded(least), Bound::Unbounded) => format!(" above {least}"),
        (Bound::Unbounded, Bound::Included(most)) => format!(" up to {most}"),
        (Bound::Unbounded, Bound::Excluded(end)) => format!(" below {end}"),
        (Bound::Unbounded, Bound::Unbounded) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_whole_however_they_are_written() {
        for (text, number) in
            [("1_000", 1000), ("1E3", 1000), ("0", 0), ("18446744073709551615", u64::MAX), ("1.50e2", 150)]
        {
            assert_eq!(parse_count(text, ..), Ok(number), "{text}");
        }
        for text in ["", "-1", "1.5", "1e-3", "1.25e1", "e3", ".5e1", "1e99999999999", "ten", "1e", "+1", "0x10"] {
            assert_eq!(parse_count::<u64>(text, ..), Err(format!("expected a whole number, found {text:?}")));
        }
        assert!(parse_count("300", 0..=u8::MAX).is_err());
        assert_eq!(
            parse_count::<u16>("99999", ..),
            Err("expected a whole number from 0 to 65535, found \"99999\"".to_owned())
        );
        assert_eq!(
            parse_count::<i8>("200", ..),
            Err("expected a whole number from 0 to 127, found \"200\"".to_owned())
        );
        assert_eq!(
            parse_count("1e20", 1_u64..),
            Err("expected a whole number from 1 to 18446744073709551615, found \"1e20\"".to_owned())
        );
        assert_eq!(parse_count::<u16>("x", ..), Err("expected a whole number, found \"x\"".to_owned()));
        assert!(parse_mebibytes("9999999999999GiB", 1_u32..).is_err());
    }

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
