//! Dates and times in UTC.

use jiff::Timestamp;

const DATE_TAG: &str = "%Y.%m.%d";

/// Today in UTC, as a PGN tag has it.
pub fn today() -> String {
    Timestamp::now().strftime(DATE_TAG).to_string()
}

/// The day in UTC that is so many seconds after the beginning of 1970, as a PGN tag has it.
pub fn date_of(seconds: u64) -> String {
    utc(seconds, DATE_TAG)
}

/// The moment in UTC that is so many seconds after the beginning of 1970, written as a format of `strftime` says:
/// `%Y-%m-%dT%H:%M:%S`.
pub fn utc(seconds: u64, format: &str) -> String {
    let time = i64::try_from(seconds).ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    time.unwrap_or(Timestamp::MAX).strftime(format).to_string()
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
            assert_eq!(date_of(days * 86_400), shown);
            assert_eq!(date_of(days * 86_400 + 86_399), shown, "the last second of the day");
        }
        assert_eq!(utc(1_794_787_200 + 45_296, "%Y%m%d-%H%M%S"), "20261116-123456");
        assert_eq!(date_of(u64::MAX), "9999.12.30", "the last date there is");
    }
}
