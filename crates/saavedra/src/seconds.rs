//! Times on the command line. The game crate reads them; here are their ranges.

use std::time::Duration;

use game::{Unit, parse_duration};

/// The longest time-out, in seconds: a day.
const LONGEST: u64 = 86_400;

/// Reads a time-out, in seconds if it has no unit: above zero and up to a day.
pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    match parse_seconds_or_zero(text)? {
        Duration::ZERO => Err(format!("seconds must be above 0 and at most {LONGEST}")),
        time => Ok(time),
    }
}

/// Reads a time, in seconds if it has no unit: up to a day.
pub(crate) fn parse_seconds_or_zero(text: &str) -> Result<Duration, String> {
    let time = parse_duration(text, Unit::Seconds).map_err(|error| error.to_string())?;
    if time > Duration::from_secs(LONGEST) { Err(format!("seconds must be at most {LONGEST}")) } else { Ok(time) }
}

/// Reads the time of a long run, in minutes if it has no unit, as a number of minutes.
pub(crate) fn parse_minutes(text: &str) -> Result<f64, String> {
    let minutes = parse_duration(text, Unit::Minutes).map(|time| time.as_secs_f64() / 60.0);
    match minutes {
        Ok(minutes) if minutes > 0.0 && minutes <= 100_000.0 => Ok(minutes),
        _ => Err("expected a number of minutes, or a time like 90s or 2h".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_range() {
        assert_eq!(parse_seconds("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_seconds("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_seconds_or_zero("0"), Ok(Duration::ZERO));
        assert_eq!((parse_minutes("0.5"), parse_minutes("90s")), (Ok(0.5), Ok(1.5)));
        for (text, message) in [
            ("0", "seconds must be above 0 and at most 86400"),
            ("25h", "seconds must be at most 86400"),
            ("soon", "\"soon\" is not a time like 1.5s, 500ms, 3m or 2h"),
        ] {
            assert_eq!(parse_seconds(text), Err(message.to_owned()));
        }
        assert!(parse_minutes("0").is_err() && parse_minutes("2000h").is_err());
    }
}
