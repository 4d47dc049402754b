//! Two chess clocks. They are told what time it is, and so can be tested without waiting.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use rules::{ByColor, Color};

/// How a game is timed: a time for all moves, and more of it with each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TimeControl {
    pub(crate) base: Duration,
    pub(crate) increment: Duration,
}

/// A time control that makes no sense.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TimeControlError(String);

impl fmt::Display for TimeControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not minutes and seconds per move, like 5+3 or 0.5+1", self.0)
    }
}

impl std::error::Error for TimeControlError {}

/// No game lasts longer than a day.
const MOST_SECONDS: f64 = 86_400.0;

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Reads minutes, and seconds per move: `5+3`.
    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let error = || TimeControlError(text.to_owned());
        let seconds = |number: &str, unit: f64| {
            let is_plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let seconds = number.parse::<f64>().ok().filter(|_| is_plain)? * unit;
            (seconds <= MOST_SECONDS).then(|| Duration::from_secs_f64(seconds))
        };
        let (minutes, increment) = text.split_once('+').unwrap_or((text, "0"));
        let base = seconds(minutes, 60.0).ok_or_else(error)?;
        let increment = seconds(increment, 1.0).ok_or_else(error)?;
        if base.is_zero() {
            return Err(error());
        }
        Ok(TimeControl { base, increment })
    }
}

/// As a PGN tag has it: seconds, and seconds per move.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// Both players' clocks.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    control: TimeControl,
    remaining: ByColor<Duration>,
    /// Whose clock runs, and since when.
    running: Option<(Color, Instant)>,
}

impl Clocks {
    /// Two full clocks that stand still.
    pub(crate) fn new(control: TimeControl) -> Clocks {
        Clocks { control, remaining: ByColor { white: control.base, black: control.base }, running: None }
    }

    /// The time a player has left.
    pub(crate) fn remaining(&self, color: Color, now: Instant) -> Duration {
        let left = self.remaining[color];
        match self.running {
            Some((running, since)) if running == color => left.saturating_sub(now.saturating_duration_since(since)),
            _ => left,
        }
    }

    /// Stops both clocks.
    pub(crate) fn stop(&mut self, now: Instant) {
        if let Some((color, _)) = self.running {
            self.remaining[color] = self.remaining(color, now);
            self.running = None;
        }
    }

    /// Lets one player's clock run, and no other.
    pub(crate) fn start(&mut self, color: Color, now: Instant) {
        self.stop(now);
        self.running = Some((color, now));
    }

    /// A player has moved: more time for them, and the other clock runs.
    pub(crate) fn press(&mut self, color: Color, now: Instant) {
        self.stop(now);
        self.remaining[color] = self.remaining[color].saturating_add(self.control.increment);
        self.start(!color, now);
    }

    /// Whose time is up, if anybody's is.
    pub(crate) fn flag(&self, now: Instant) -> Option<Color> {
        let (color, _) = self.running?;
        self.remaining(color, now).is_zero().then_some(color)
    }

    /// What both clocks show.
    pub(crate) fn shown(&self, now: Instant) -> ByColor<Duration> {
        ByColor::new_with(|color| self.remaining(color, now))
    }

    /// Sets both clocks back, for moves that are taken back. They stand still.
    pub(crate) fn set(&mut self, shown: ByColor<Duration>) {
        self.remaining = shown;
        self.running = None;
    }

    /// A player's clock as the search knows clocks.
    pub(crate) fn for_search(&self, color: Color, now: Instant) -> search::Clock {
        search::Clock { remaining: self.remaining(color, now), increment: self.control.increment, moves_to_go: None }
    }

    pub(crate) fn control(&self) -> TimeControl {
        self.control
    }
}

/// A time as a chess clock shows it: hours only if there are any, tenths only when it gets tight.
pub(crate) fn show(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{:02}", seconds % 60)
    } else if seconds < 20 {
        format!("0:{:02}.{}", seconds, time.subsec_millis() / 100)
    } else {
        format!("{minutes}:{:02}", seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn time_controls_are_minutes_and_seconds() {
        for (text, base, increment) in [("5+3", 300, 3), ("10", 600, 0), ("0.5+1", 30, 1), ("1440", 86_400, 0)] {
            let control = TimeControl { base: seconds(base), increment: seconds(increment) };
            assert_eq!(text.parse(), Ok(control), "{text}");
        }
        for wrong in ["", "+3", "5+", "0+1", "-5+3", "five", "1e3", "nan", "inf", "9999", "5+3+1", "5 + 3", "."] {
            assert_eq!(wrong.parse::<TimeControl>(), Err(TimeControlError(wrong.to_owned())));
        }
        assert_eq!("0.5+1".parse::<TimeControl>().expect("a time control").to_string(), "30+1");
    }

    #[test]
    fn only_the_running_clock_loses_time_and_a_move_brings_the_increment() {
        let control = "1+2".parse().expect("a time control");
        let start = Instant::now();
        let mut clocks = Clocks::new(control);
        let shown = |clocks: &Clocks, at: u64| {
            let shown = clocks.shown(start + seconds(at));
            (shown.white.as_secs(), shown.black.as_secs())
        };
        assert_eq!(shown(&clocks, 10), (60, 60), "nothing runs before the first move");
        clocks.start(Color::White, start);
        assert_eq!(shown(&clocks, 10), (50, 60));
        clocks.press(Color::White, start + seconds(10));
        assert_eq!(shown(&clocks, 10), (52, 60));
        clocks.press(Color::Black, start + seconds(40));
        assert_eq!(shown(&clocks, 50), (42, 32));
        clocks.stop(start + seconds(50));
        assert_eq!(shown(&clocks, 500), (42, 32));
    }

    #[test]
    fn a_flag_falls_when_the_time_is_up_and_not_below_zero() {
        let mut clocks = Clocks::new("1".parse().expect("a time control"));
        let start = Instant::now();
        assert_eq!(clocks.flag(start + seconds(1000)), None);
        clocks.start(Color::Black, start);
        assert_eq!(clocks.flag(start + seconds(59)), None);
        assert_eq!(clocks.flag(start + seconds(60)), Some(Color::Black));
        assert_eq!(clocks.remaining(Color::Black, start + seconds(99)), Duration::ZERO);
        clocks.set(ByColor { white: seconds(7), black: seconds(8) });
        assert_eq!((clocks.flag(start + seconds(99)), clocks.shown(start).black), (None, seconds(8)));
    }

    #[test]
    fn clocks_show_what_matters() {
        let shown: Vec<String> = [3725, 600, 61, 20].into_iter().map(|time| show(seconds(time))).collect();
        assert_eq!(shown, ["1:02:05", "10:00", "1:01", "0:20"]);
        assert_eq!(show(Duration::from_millis(9_870)), "0:09.8");
    }
}
