//! The time of one player in one game.

use std::time::Duration;

use minds::{Clock, Limits};

use crate::TimeControl;

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
            TimeControl::Clock { base, .. } | TimeControl::Hourglass(base) => base,
            _ => Duration::ZERO,
        };
        Timer { control, remaining, moves_made: 0 }
    }

    /// How the player is timed.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// The clock as its player may be told, if there is one.
    pub fn clock(&self) -> Option<Clock> {
        let (moves, increment) = match self.control {
            TimeControl::Clock { moves, increment, .. } => (moves, increment),
            TimeControl::Hourglass(_) => (None, Duration::ZERO),
            _ => return None,
        };
        let moves_to_go = moves.map(|moves| moves - self.moves_made % moves);
        Some(Clock { remaining: self.remaining, increment, moves_to_go })
    }

    /// What limits the next move.
    pub fn limits(&self) -> Limits {
        match self.control {
            TimeControl::Clock { .. } | TimeControl::Hourglass(_) => {
                Limits { clock: self.clock(), ..Limits::default() }
            }
            TimeControl::MoveTime(time) => Limits { move_time: Some(time), ..Limits::default() },
            TimeControl::Nodes(count) => Limits { nodes: Some(count), ..Limits::default() },
            TimeControl::Depth(plies) => Limits { depth: Some(plies), ..Limits::default() },
        }
    }

    /// The time in which the next move must be made, if time is judged.
    pub fn time_left(&self) -> Option<Duration> {
        match self.control {
            TimeControl::Clock { .. } | TimeControl::Hourglass(_) => Some(self.remaining),
            TimeControl::MoveTime(time) => Some(time),
            TimeControl::Nodes(_) | TimeControl::Depth(_) => None,
        }
    }

    /// A move took so long; up to `margin` too long is forgiven, but not given back.
    ///
    /// The clock counts whole milliseconds, because programs are told no others: a millisecond that was only begun is
    /// not charged. (fastchess does the same. Charged to the microsecond, programs that trust a small increment run
    /// dry.)
    pub fn spend(&mut self, time: Duration, margin: Duration) -> Result<(), FlagFell> {
        let time = whole_milliseconds(time);
        if let Some(left) = self.time_left()
            && time > left.saturating_add(margin)
        {
            return Err(FlagFell { by: time - left });
        }
        self.moves_made += 1;
        match self.control {
            TimeControl::Clock { moves, base, increment } => {
                self.remaining = self.remaining.saturating_sub(time).saturating_add(increment);
                if moves.is_some_and(|moves| self.moves_made.is_multiple_of(moves)) {
                    self.remaining = self.remaining.saturating_add(base);
                }
            }
            TimeControl::Hourglass(_) => self.remaining = self.remaining.saturating_sub(time),
            TimeControl::MoveTime(_) | TimeControl::Nodes(_) | TimeControl::Depth(_) => {}
        }
        Ok(())
    }

    /// The opponent's move took so long, which an hourglass gives to this player.
    pub fn opponent_spent(&mut self, time: Duration) {
        if matches!(self.control, TimeControl::Hourglass(_)) {
            self.remaining = self.remaining.saturating_add(whole_milliseconds(time));
        }
    }
}

fn whole_milliseconds(time: Duration) -> Duration {
    Duration::from_millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> TimeControl {
        text.parse().expect("a time control")
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
    fn an_hourglass_gives_each_player_what_the_other_used() {
        let [mut one, mut other] = ["hourglass=10", "hourglass=10"].map(|text| Timer::new(read(text)));
        let spend = |by: &mut Timer, of: &mut Timer, milliseconds| {
            let time = Duration::from_millis(milliseconds);
            by.spend(time, Duration::ZERO).inspect(|()| of.opponent_spent(time))
        };
        assert_eq!(spend(&mut one, &mut other, 4000), Ok(()));
        assert_eq!(spend(&mut other, &mut one, 12_500), Ok(()));
        let left = |timer: &Timer| timer.clock().map(|clock| (clock.remaining.as_millis(), clock.increment));
        assert_eq!([left(&one), left(&other)], [Some((18_500, Duration::ZERO)), Some((1500, Duration::ZERO))]);
        let late = FlagFell { by: Duration::from_millis(500) };
        assert_eq!(spend(&mut other, &mut one, 2000), Err(late));
        let mut clock = Timer::new(read("10+1"));
        clock.opponent_spent(Duration::from_secs(5));
        assert_eq!(clock.time_left(), Some(Duration::from_secs(10)), "other clocks gain nothing");
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
