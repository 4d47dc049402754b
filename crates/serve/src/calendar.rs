//! Moments as the web writes them.

use records::pgn;

/// A moment so many milliseconds after the beginning of 1970, by the world's clock: `2026-11-15T12:00:00.250Z`.
pub(crate) fn moment(milliseconds: u64) -> String {
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    let date = pgn::date_of(seconds).replace('.', "-");
    let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
    format!("{date}T{hours:02}:{minutes:02}:{:02}.{rest:03}Z", seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_the_web_does() {
        assert_eq!(moment(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(moment(1_794_744_000_250 + 3_725_000), "2026-11-15T13:02:05.250Z");
    }
}
