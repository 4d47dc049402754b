//! Time controls: one type and one syntax for games of people and for matches of engines.
//!
//! A clock is written as `BASE`, `BASE+INCREMENT` or `MOVES/BASE+INCREMENT`, and each time with its unit: `5m+3s`,
//! `90s+500ms`, `40/5m+3s`. A number without a unit is in seconds, as in the `TimeControl` tag of PGN and in other
//! match runners: `2+0.02`. `hourglass=30` gives a player the time that the opponent uses. Among people `5+3` means
//! five minutes, so [`TimeControl::parse_explicit`], which reads what a person writes for a game of their own, refuses
//! a base without a unit and says how to write it.
//!
//! ```
//! use saavedra_game::TimeControl;
//!
//! for text in ["2+0.02", "40/60+0.5", "60", "hourglass=30", "move=0.1", "nodes=5000", "depth=8"] {
//!     assert_eq!(text.parse::<TimeControl>()?.to_string(), text);
//! }
//! assert_eq!("5m+3s".parse::<TimeControl>()?.to_string(), "300+3");
//! assert_eq!(
//!     TimeControl::parse_explicit("5+3").expect_err("no unit").to_string(),
//!     "\"5+3\" does not say in which unit the 5 is: write 5m+3s for minutes, or 5s+3s for seconds"
//! );
//! # Ok::<(), saavedra_game::TimeControlError>(())
//! ```

use std::fmt;
use std::ops::Bound;
use std::str::FromStr;
use std::time::Duration;

use interface::parse_count;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::duration::{DurationError, Seconds, Unit, parse_duration, split_unit};

/// How a player is timed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum TimeControl {
    /// A clock for the whole game: `2+0.02` for two seconds and two hundredths a move, `40/60+0.5` for a minute that
    /// is added again every forty moves, `5m+3s` for five minutes and three seconds a move.
    Clock {
        /// After how many moves the base is added again, if it is.
        moves: Option<u32>,
        /// The time to start with.
        base: Duration,
        /// The time added after every move.
        increment: Duration,
    },
    /// A clock like an hourglass: what a player uses, the opponent gains. `hourglass=30` or `hourglass=1m`.
    Hourglass(Duration),
    /// The same time for every move: `move=0.1` or `move=100ms`.
    MoveTime(Duration),
    /// Nodes to search for every move: `nodes=5000`. Time is not judged.
    Nodes(u64),
    /// A depth to search to: `depth=8`. Time is not judged.
    Depth(usize),
}

/// Why a text is no time control.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TimeControlError {
    /// It has none of the forms.
    #[error(
        "{0:?} is no time control: expected a clock like 5m+3s, 2+0.02 or 40/60+0.5 (in seconds without a unit), or \
         hourglass=TIME, move=TIME, nodes=N or depth=N"
    )]
    Syntax(String),
    /// A part that should be a time is none.
    #[error("in the time control {text:?}, {error}")]
    BadTime {
        /// The time control.
        text: String,
        /// What is wrong with the part.
        error: DurationError,
    },
    /// A part that should be a whole number from one on is none.
    #[error("{part:?} in the time control {text:?} is not a whole number from 1 on")]
    BadNumber {
        /// The time control.
        text: String,
        /// The part of it.
        part: String,
    },
    /// There is no time to play with.
    #[error("the time control {0:?} leaves no time for a move")]
    NoTime(String),
    /// The base has no unit where people write minutes and programs write seconds.
    #[error(
        "{text:?} does not say in which unit the {number} is: write {minutes} for minutes, or {seconds} for seconds"
    )]
    NoUnit {
        /// The time control.
        text: String,
        /// The number without a unit.
        number: String,
        /// The time control, if the number is in minutes.
        minutes: String,
        /// The time control, if the number is in seconds.
        seconds: String,
    },
    /// It is not a clock where one is needed.
    #[error("{0:?} is not a clock: expected a time and perhaps an increment, as in 5m+3s or 10m")]
    NoClock(String),
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let reader = Reader { text: text.trim() };
        match reader.text.split_once('=') {
            Some(("hourglass", time)) => {
                reader.time(time).and_then(|time| reader.some(time)).map(TimeControl::Hourglass)
            }
            Some(("move", time)) => reader.time(time).and_then(|time| reader.some(time)).map(TimeControl::MoveTime),
            Some(("nodes", count)) => reader.number(count).map(TimeControl::Nodes),
            Some(("depth", plies)) => reader.number(plies).map(|plies: u32| TimeControl::Depth(plies as usize)),
            Some(_) => Err(reader.syntax()),
            None => reader.clock(),
        }
    }
}

impl TimeControl {
    /// Reads the clock of a person's game. Its base must have a unit, because `5+3` would be five minutes to a player
    /// and five seconds to a match runner. An increment without a unit is in seconds to both.
    pub fn parse_explicit(text: &str) -> Result<TimeControl, TimeControlError> {
        let control: TimeControl = text.parse()?;
        let text = text.trim();
        if !matches!(control, TimeControl::Clock { .. }) {
            return Err(TimeControlError::NoClock(text.to_owned()));
        }
        let parts = Parts::of(text);
        let (number, unit) = split_unit(parts.base);
        if unit.is_some() {
            return Ok(control);
        }
        let with = |unit: Unit| {
            let moves = parts.moves.map_or(String::new(), |moves| format!("{moves}/"));
            let increment = parts.increment.map_or(String::new(), |increment| {
                let (number, unit) = split_unit(increment);
                format!("+{number}{}", unit.unwrap_or(Unit::Seconds).symbol())
            });
            format!("{moves}{number}{}{increment}", unit.symbol())
        };
        Err(TimeControlError::NoUnit {
            text: text.to_owned(),
            number: number.to_owned(),
            minutes: with(Unit::Minutes),
            seconds: with(Unit::Seconds),
        })
    }
}

/// The parts of a clock as they are written.
struct Parts<'a> {
    moves: Option<&'a str>,
    base: &'a str,
    increment: Option<&'a str>,
}

impl Parts<'_> {
    fn of(text: &str) -> Parts<'_> {
        let (moves, times) = text.split_once('/').map_or((None, text), |(moves, times)| (Some(moves), times));
        let (base, increment) = times.split_once('+').map_or((times, None), |(base, more)| (base, Some(more)));
        Parts { moves, base, increment }
    }
}

/// A time control while it is read.
struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn clock(&self) -> Result<TimeControl, TimeControlError> {
        if !self.text.starts_with(|letter: char| letter.is_ascii_digit() || letter == '.') {
            return Err(self.syntax());
        }
        let parts = Parts::of(self.text);
        let moves = parts.moves.map(|moves| self.number(moves)).transpose()?;
        let base = self.time(parts.base).and_then(|base| self.some(base))?;
        let increment = parts.increment.map_or(Ok(Duration::ZERO), |increment| self.time(increment))?;
        Ok(TimeControl::Clock { moves, base, increment })
    }

    fn syntax(&self) -> TimeControlError {
        TimeControlError::Syntax(self.text.to_owned())
    }

    fn time(&self, part: &str) -> Result<Duration, TimeControlError> {
        let bad = |error| TimeControlError::BadTime { text: self.text.to_owned(), error };
        parse_duration(part, Unit::Seconds).map_err(bad)
    }

    fn some(&self, time: Duration) -> Result<Duration, TimeControlError> {
        if time.is_zero() { Err(TimeControlError::NoTime(self.text.to_owned())) } else { Ok(time) }
    }

    fn number<N: TryFrom<u64> + Default + PartialOrd + fmt::Display>(&self, part: &str) -> Result<N, TimeControlError> {
        let bad = |_| TimeControlError::BadNumber { text: self.text.to_owned(), part: part.to_owned() };
        parse_count(part, (Bound::Excluded(N::default()), Bound::Unbounded)).map_err(bad)
    }
}

/// The form that journals and PGN tags have: seconds without a unit. It reads back as the same time control.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::Clock { moves, base, increment } => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", Seconds(*base))?;
                if increment.is_zero() { Ok(()) } else { write!(f, "+{}", Seconds(*increment)) }
            }
            TimeControl::Hourglass(time) => write!(f, "hourglass={}", Seconds(*time)),
            TimeControl::MoveTime(time) => write!(f, "move={}", Seconds(*time)),
            TimeControl::Nodes(count) => write!(f, "nodes={count}"),
            TimeControl::Depth(plies) => write!(f, "depth={plies}"),
        }
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
    }
}

impl TryFrom<String> for TimeControl {
    type Error = TimeControlError;

    fn try_from(text: String) -> Result<TimeControl, TimeControlError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use random::Random;

    use super::*;

    fn clock(moves: Option<u32>, base_ms: u64, increment_ms: u64) -> TimeControl {
        let [base, increment] = [base_ms, increment_ms].map(Duration::from_millis);
        TimeControl::Clock { moves, base, increment }
    }

    #[test]
    fn units_and_bare_seconds_are_read_everywhere() {
        for (text, control) in [
            ("2+0.02", clock(None, 2000, 20)),
            ("40/60+0.5", clock(Some(40), 60_000, 500)),
            ("5m+3s", clock(None, 300_000, 3000)),
            ("90s+0.5s", clock(None, 90_000, 500)),
            ("40/5m+3s", clock(Some(40), 300_000, 3000)),
            ("0.5m+1", clock(None, 30_000, 1000)),
            ("1h", clock(None, 3_600_000, 0)),
            ("1s+10ms", clock(None, 1000, 10)),
            (" 5+3 ", clock(None, 5000, 3000)),
            ("hourglass=1m", TimeControl::Hourglass(Duration::from_secs(60))),
            ("move=100ms", TimeControl::MoveTime(Duration::from_millis(100))),
        ] {
            assert_eq!(text.parse(), Ok(control), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_control_is_named() {
        let error = |text: &str| text.parse::<TimeControl>().expect_err("no time control").to_string();
        assert!(error("fast").starts_with("\"fast\" is no time control: expected a clock like 5m+3s"));
        assert!(error("speed=3").starts_with("\"speed=3\" is no time control"));
        assert_eq!(error("2+x"), "in the time control \"2+x\", \"x\" is not a time like 1.5s, 500ms, 3m or 2h");
        assert_eq!(error("0/60"), "\"0\" in the time control \"0/60\" is not a whole number from 1 on");
        assert_eq!(error("nodes=-1"), "\"-1\" in the time control \"nodes=-1\" is not a whole number from 1 on");
        assert_eq!(error("hourglass=0"), "the time control \"hourglass=0\" leaves no time for a move");
        assert_eq!(error("0+1"), "the time control \"0+1\" leaves no time for a move");
        assert!(error("1e300").contains("\"1e300\" is not a time"));
        assert!(error("").starts_with("\"\" is no time control"));
        for wrong in ["+3", "5+", "-5+3", "nan", "inf", "5+3+1", ".", "5m+3q", "40/"] {
            assert!(wrong.parse::<TimeControl>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_person_writes_the_unit_of_the_base() {
        for text in ["5m+3s", "5m+3", "0.5m+1", "1440m", "90s+0.5s", "40/5m+3s"] {
            assert_eq!(TimeControl::parse_explicit(text), text.parse(), "{text}");
        }
        let advice = |text: &str| match TimeControl::parse_explicit(text) {
            Err(TimeControlError::NoUnit { minutes, seconds, .. }) => (minutes, seconds),
            other => panic!("{text} gives {other:?}"),
        };
        for (text, minutes, seconds) in [
            ("5+3", "5m+3s", "5s+3s"),
            ("10", "10m", "10s"),
            ("2+0.02", "2m+0.02s", "2s+0.02s"),
            ("40/5+3s", "40/5m+3s", "40/5s+3s"),
        ] {
            assert_eq!(advice(text), (minutes.to_owned(), seconds.to_owned()));
            assert!(TimeControl::parse_explicit(minutes).is_ok() && TimeControl::parse_explicit(seconds).is_ok());
        }
        let error = TimeControl::parse_explicit("nodes=5").expect_err("no clock").to_string();
        assert!(error.starts_with("\"nodes=5\" is not a clock"), "{error}");
    }

    #[test]
    fn what_is_written_reads_back_as_the_same() {
        let mut random = Random::new(19);
        let mut time = |longest: u64| {
            // Some times are whole seconds, some have nanoseconds, some are as long as can be.
            let seconds = random.next_u64() % longest;
            let nanoseconds = if random.next_u64().is_multiple_of(3) { 0 } else { random.next_u64() % 1_000_000_000 };
            Duration::new(seconds, nanoseconds as u32).max(Duration::from_nanos(1))
        };
        for round in 0..2000_u64 {
            let longest = if round % 10 == 0 { u64::MAX } else { 1 << (round % 40) };
            let moves = u32::try_from(round % 60).ok().filter(|&moves| moves > 0);
            for control in [
                TimeControl::Clock { moves, base: time(longest), increment: time(longest) },
                TimeControl::Clock { moves: None, base: time(longest), increment: Duration::ZERO },
                TimeControl::Hourglass(time(longest)),
                TimeControl::MoveTime(time(longest)),
                TimeControl::Nodes(1 + round),
                TimeControl::Depth(1 + round as usize),
            ] {
                assert_eq!(control.to_string().parse(), Ok(control), "{control}");
            }
        }
    }
}
