//! How a player is timed, as it is written and as it runs.
//!
//! ```
//! use saavedra_arena::TimeControl;
//!
//! for text in ["2+0.02", "40/60+0.5", "60", "move=0.1", "nodes=5000", "depth=8"] {
//!     assert_eq!(text.parse::<TimeControl>()?.to_string(), text);
//! }
//! # Ok::<(), saavedra_arena::TimeControlError>(())
//! ```

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use minds::Clock;
use minds::Limits;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How a player is timed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum TimeControl {
    /// A clock that has to last: `2+0.02` for two seconds and two hundredths a move, `40/60+0.5` for a minute that
    /// comes again every forty moves.
    Clock {
        /// After how many moves the base is added again, if it is.
        moves: Option<u32>,
        /// The time to start with.
        base: Duration,
        /// The time added after every move.
        increment: Duration,
    },
    /// The same time for every move: `move=0.1`.
    MoveTime(Duration),
    /// Positions to look at for every move: `nodes=5000`. Time is not judged.
    Nodes(u64),
    /// A depth to search to: `depth=8`. Time is not judged.
    Depth(usize),
}

/// Why a text is no time control.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TimeControlError {
    /// It is written in none of the ways.
    #[error(
        "{0:?} is no time control: expected seconds as in 2+0.02 or 40/60+0.5, or move=SECONDS, nodes=N or depth=N"
    )]
    Syntax(String),
    /// A part that should be a number of seconds is none.
    #[error("{part:?} in the time control {text:?} is not a number of seconds")]
    BadSeconds {
        /// The time control.
        text: String,
        /// The part of it.
        part: String,
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
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let text = text.trim();
        let reader = Reader { text };
        match text.split_once('=') {
            Some(("move", time)) => reader.seconds(time).and_then(|time| reader.some(time)).map(TimeControl::MoveTime),
            Some(("nodes", count)) => reader.number(count).map(TimeControl::Nodes),
            Some(("depth", plies)) => reader.number(plies).map(|plies: u32| TimeControl::Depth(plies as usize)),
            Some(_) => Err(TimeControlError::Syntax(text.to_owned())),
            None => reader.clock(),
        }
    }
}

/// A time control while it is read.
struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn clock(&self) -> Result<TimeControl, TimeControlError> {
        if !self.text.starts_with(|letter: char| letter.is_ascii_digit() || letter == '.') {
            return Err(TimeControlError::Syntax(self.text.to_owned()));
        }
        let (moves, times) = match self.text.split_once('/') {
            Some((moves, times)) => (Some(self.number(moves)?), times),
            None => (None, self.text),
        };
        let (base, increment) = times.split_once('+').unwrap_or((times, "0"));
        let (base, increment) = (self.seconds(base)?, self.seconds(increment)?);
        self.some(base)?;
        Ok(TimeControl::Clock { moves, base, increment })
    }

    fn seconds(&self, part: &str) -> Result<Duration, TimeControlError> {
        let time = part.trim().parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        time.ok_or_else(|| TimeControlError::BadSeconds { text: self.text.to_owned(), part: part.to_owned() })
    }

    fn some(&self, time: Duration) -> Result<Duration, TimeControlError> {
        if time.is_zero() { Err(TimeControlError::NoTime(self.text.to_owned())) } else { Ok(time) }
    }

    fn number<N: FromStr + Default + PartialOrd>(&self, part: &str) -> Result<N, TimeControlError> {
        let number = part.trim().parse().ok().filter(|number| *number > N::default());
        number.ok_or_else(|| TimeControlError::BadNumber { text: self.text.to_owned(), part: part.to_owned() })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::Clock { moves, base, increment } => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", base.as_secs_f64())?;
                if increment.is_zero() { Ok(()) } else { write!(f, "+{}", increment.as_secs_f64()) }
            }
            TimeControl::MoveTime(time) => write!(f, "move={}", time.as_secs_f64()),
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

/// The time of one player in one game. It does not run by itself: it is told how long a move took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timer {
    control: TimeControl,
    remaining: Duration,
    moves_made: u32,
}

/// A move took longer than the player had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlagFell {
    /// How much longer.
    pub by: Duration,
}

impl Timer {
    /// The time at the beginning of a game.
    pub fn new(control: TimeControl) -> Timer {
        let remaining = match control {
            TimeControl::Clock { base, .. } => base,
            _ => Duration::ZERO,
        };
        Timer { control, remaining, moves_made: 0 }
    }

    /// The clock as its player may be told, if there is one.
    pub fn clock(&self) -> Option<Clock> {
        let TimeControl::Clock { moves, increment, .. } = self.control else { return None };
        let moves_to_go = moves.map(|moves| moves - self.moves_made % moves);
        Some(Clock { remaining: self.remaining, increment, moves_to_go })
    }

    /// What limits the next move.
    pub fn limits(&self) -> Limits {
        match self.control {
            TimeControl::Clock { .. } => Limits { clock: self.clock(), ..Limits::default() },
            TimeControl::MoveTime(time) => Limits { move_time: Some(time), ..Limits::default() },
            TimeControl::Nodes(count) => Limits { nodes: Some(count), ..Limits::default() },
            TimeControl::Depth(plies) => Limits { depth: Some(plies), ..Limits::default() },
        }
    }

    /// The time in which the next move must be made, if time is judged.
    pub fn time_left(&self) -> Option<Duration> {
        match self.control {
            TimeControl::Clock { .. } => Some(self.remaining),
            TimeControl::MoveTime(time) => Some(time),
            TimeControl::Nodes(_) | TimeControl::Depth(_) => None,
        }
    }

    /// A move took so long; up to `margin` too long is forgiven, but not given back.
    ///
    /// The clock counts whole milliseconds, because programs are told no others: a millisecond that was only begun is not
    /// charged. (fastchess does the same. Charged to the microsecond, programs that trust a small increment run dry.)
    pub fn spend(&mut self, time: Duration, margin: Duration) -> Result<(), FlagFell> {
        let time = Duration::from_millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        if let Some(left) = self.time_left()
            && time > left.saturating_add(margin)
        {
            return Err(FlagFell { by: time - left });
        }
        self.moves_made += 1;
        if let TimeControl::Clock { moves, base, increment } = self.control {
            self.remaining = self.remaining.saturating_sub(time).saturating_add(increment);
            if moves.is_some_and(|moves| self.moves_made.is_multiple_of(moves)) {
                self.remaining = self.remaining.saturating_add(base);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> TimeControl {
        text.parse().expect("a time control")
    }

    #[test]
    fn what_is_no_time_control_is_named() {
        let error = |text: &str| text.parse::<TimeControl>().expect_err("no time control").to_string();
        assert!(error("fast").starts_with("\"fast\" is no time control: expected seconds"));
        assert!(error("speed=3").starts_with("\"speed=3\" is no time control"));
        assert_eq!(error("2+x"), "\"x\" in the time control \"2+x\" is not a number of seconds");
        assert_eq!(error("0/60"), "\"0\" in the time control \"0/60\" is not a whole number from 1 on");
        assert_eq!(error("nodes=-1"), "\"-1\" in the time control \"nodes=-1\" is not a whole number from 1 on");
        assert_eq!(error("0+1"), "the time control \"0+1\" leaves no time for a move");
        assert_eq!(error("1e300"), "\"1e300\" in the time control \"1e300\" is not a number of seconds");
        assert!(error("").starts_with("\"\" is no time control"));
    }

    #[test]
    fn a_clock_runs_by_what_it_is_told_and_is_wound_up_again() {
        let mut timer = Timer::new(read("2/10+1"));
        let seconds = Duration::from_secs;
        let clock = |remaining, moves_to_go| {
            Some(Clock { remaining: seconds(remaining), increment: seconds(1), moves_to_go: Some(moves_to_go) })
        };
        assert_eq!(timer.clock(), clock(10, 2));
        assert_eq!(timer.spend(seconds(4), Duration::ZERO), Ok(()));
        assert_eq!(timer.clock(), clock(7, 1));
        assert_eq!(timer.spend(seconds(7), Duration::ZERO), Ok(()), "to the last moment");
        assert_eq!(timer.clock(), clock(11, 2), "nothing was left, and then the increment and the base are added");
        assert_eq!(timer.spend(seconds(13), Duration::ZERO), Err(FlagFell { by: seconds(2) }));
        assert_eq!(timer.spend(seconds(13), seconds(2)), Ok(()), "two seconds are forgiven");
        assert_eq!(timer.clock(), clock(1, 1));
    }

    #[test]
    fn a_time_for_each_move_is_judged_and_nodes_are_not() {
        let mut timer = Timer::new(read("move=0.5"));
        for _ in 0..3 {
            assert_eq!(timer.spend(Duration::from_millis(500), Duration::ZERO), Ok(()));
        }
        assert_eq!(timer.spend(Duration::from_micros(500_999), Duration::ZERO), Ok(()), "the 501st was only begun");
        let by = Duration::from_millis(1);
        assert_eq!(timer.spend(Duration::from_millis(501), Duration::ZERO), Err(FlagFell { by }));
        assert_eq!(Timer::new(read("nodes=5")).spend(Duration::from_secs(1_000_000), Duration::ZERO), Ok(()));
    }
}
