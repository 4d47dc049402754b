//! Times on the command line.

use std::time::Duration;

/// Reads a time-out: some seconds, decimals allowed, up to a day.
pub(crate) fn parse_seconds(text: &str) -> Result<Duration, String> {
    const LONGEST: f64 = 86_400.0;
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if seconds > 0.0 && seconds <= LONGEST {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(format!("seconds must be above 0 and at most {LONGEST}"))
    }
}

/// Reads a number of minutes for a long run, decimals allowed.
pub(crate) fn parse_minutes(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(minutes) if minutes > 0.0 && minutes <= 100_000.0 => Ok(minutes),
        _ => Err("expected a number of minutes".to_owned()),
    }
}
