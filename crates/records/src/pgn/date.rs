//! Dates as PGN writes them.

use std::time::{SystemTime, UNIX_EPOCH};

/// Today, by the world's clock, as a PGN tag has it.
pub fn today() -> String {
    date_of(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()))
}

/// The day, by the world's clock, so many seconds after the beginning of 1970.
pub fn date_of(seconds: u64) -> String {
    date(seconds / 86_400)
}

/// The date so many days after the first of January 1970.
fn date(days: u64) -> String {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    // The calendar repeats every four centuries.
    let (mut year, mut day) = (1970 + days / 146_097 * 400, days % 146_097);
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year:04}.{month:02}.{:02}", day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        for (days, shown) in [
            (0, "1970.01.01"),
            (58, "1970.02.28"),
            (59, "1970.03.01"),
            (789, "1972.02.29"),
            (11_016, "2000.02.29"),
            (20_772, "2026.11.15"),
            (20_818, "2026.12.31"),
        ] {
            assert_eq!(date(days), shown);
        }
    }
}
