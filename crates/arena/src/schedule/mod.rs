//! Who meets whom, and when: an event is a row of numbered pairs of games.
//!
//! A pair is two games from one opening with colors reversed, so that no schedule needs to think of colors. A
//! [`Schedule`] answers one question: who plays pair *n*, given the results so far? What it answers may depend only on
//! results that it would have waited for. So the pairings of an event follow from its results, whichever worker was
//! faster and however often the event was interrupted and resumed.
//!
//! ```
//! use saavedra_arena::schedule::{Format, Next, Results, Schedule};
//!
//! let mut schedule = Format::RoundRobin { pairs: 1 }.schedule(3)?;
//! let results = Results::default();
//! let pairings: Vec<(usize, usize)> = (0..)
//!     .map_while(|number| match schedule.pair(number, &results) {
//!         Next::Pair(pairing) => Some((pairing.first, pairing.second)),
//!         Next::Wait | Next::Over => None,
//!     })
//!     .collect();
//! assert_eq!(pairings, [(1, 2), (2, 0), (0, 1)]);
//! # Ok::<(), saavedra_arena::schedule::FormatError>(())
//! ```

mod cycle;
mod knockout;
mod ladder;
mod results;
mod staged;
mod standings;
mod swiss;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use knockout::KnockoutEncounter;
pub use results::{PairScore, Results};
pub use standings::Standing;

use crate::Participant;
use crate::statistics::Meeting;
use crate::tune::{Tuner, Tuning, TuningError};
use cycle::Cycle;
use knockout::Knockout;
use ladder::Ladder;
use staged::Staged;
use swiss::Swiss;

/// Two players who meet, by their places in the list of players. The first has White in the first game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// The round of the event, from 1.
    pub round: u32,
    /// Who has White in the first game of the pair.
    pub first: usize,
    /// Who has White in the second.
    pub second: usize,
}

/// What a schedule says of a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// It is played by these two.
    Pair(Pairing),
    /// That depends on results which are not there yet.
    Wait,
    /// It is not played, nor is any after it.
    Over,
}

/// Decides who meets whom.
pub trait Schedule: Send {
    /// Who plays the pair of this number. Numbers are asked for in order, each until it is answered by a pair.
    ///
    /// The answer may depend on the results of lower pairs, and must be the same for the same results.
    fn pair(&mut self, number: u64, results: &Results) -> Next;

    /// A player as they enter a pair that was answered. Usually nothing changes from pair to pair; a schedule that
    /// tunes gives each pair other settings.
    fn enter(&self, _number: u64, _index: usize, player: &Participant) -> Participant {
        player.clone()
    }
}

/// The usual kinds of events. The order of the players is their seeding where that matters.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "format", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Format {
    /// Two players.
    Match {
        /// How many pairs they play.
        pairs: u64,
    },
    /// Each player against each other.
    RoundRobin {
        /// How many pairs each two play.
        pairs: u64,
    },
    /// The first players against all others.
    Gauntlet {
        /// How many pairs each two play.
        pairs: u64,
        /// How many players stand against the rest.
        leaders: usize,
    },
    /// Players of equal score meet, round after round, and no two twice if that can be avoided.
    Swiss {
        /// How many rounds there are.
        rounds: u32,
        /// How many pairs two players play when they meet.
        pairs: u64,
    },
    /// Who loses is out.
    Knockout {
        /// An encounter is the best of so many pairs.
        pairs: u64,
        /// So many more pairs may break a tie; then the higher seed goes on.
        tie_breaks: u64,
    },
    /// Two players who are the same engine, moved to either side in each pair.
    Tune(Tuning),
    /// The first players are rated: each meets those against whom a game tells most, until its rating is known well
    /// enough. The others are the rungs: results that are known give them their ratings, the first of them having zero.
    Ladder {
        /// How many players are rated.
        subjects: usize,
        /// How far off a rating may be, in Elo, 95 of 100 times.
        error: u32,
        /// The most pairs that are played.
        pairs: u64,
        /// Results that are known beforehand.
        known: Vec<Meeting>,
    },
}

/// Why there can be no such event.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// A match has two players.
    #[error("a match is between two players, found {0}")]
    NotTwo(usize),
    /// What is tuned cannot be.
    #[error(transparent)]
    Tuning(#[from] TuningError),
    /// No opponent.
    #[error("an event needs at least two players, found {0}")]
    TooFew(usize),
    /// No player is left for the leaders of a gauntlet.
    #[error(
        "a gauntlet of {leaders} against the rest needs at least one leader and one more player than that, found {players}"
    )]
    Leaders {
        /// How many stand against the rest.
        leaders: usize,
        /// How many players there are.
        players: usize,
    },
    /// No player to rate, or no rung to rate by.
    #[error("a ladder of {players} players with {subjects} to be rated has no rung")]
    NoRung {
        /// How many are to be rated.
        subjects: usize,
        /// How many players there are.
        players: usize,
    },
    /// Results that are known are of players who do not take part.
    #[error("results are known of a player who does not take part")]
    Stranger,
    /// More pairs in an encounter than can be drawn at once.
    #[error("an encounter of {0} pairs is more than the {most} there may be", most = Format::MOST_PAIRS_OF_AN_ENCOUNTER)]
    TooMany(u64),
    /// Nothing to play.
    #[error("an event without {0} is over before it begins")]
    Nothing(&'static str),
}

impl Format {
    /// More pairs than can ever be played are as good as any number.
    const MOST_PAIRS: u64 = 1 << 40;

    /// In a Swiss or a knockout all pairs of an encounter are drawn at once.
    const MOST_PAIRS_OF_AN_ENCOUNTER: u64 = 10_000;

    /// The schedule for so many players.
    pub fn schedule(&self, players: usize) -> Result<Box<dyn Schedule>, FormatError> {
        if players < 2 {
            return Err(FormatError::TooFew(players));
        }
        if self.pairs() == 0 {
            return Err(FormatError::Nothing("pairs"));
        }
        let pairs = self.pairs().min(Format::MOST_PAIRS);
        Ok(match *self {
            Format::Match { .. } | Format::Tune(_) if players != 2 => return Err(FormatError::NotTwo(players)),
            Format::Match { .. } | Format::RoundRobin { .. } => Box::new(Cycle::round_robin(players, pairs)),
            Format::Gauntlet { leaders, .. } if leaders == 0 || leaders >= players => {
                return Err(FormatError::Leaders { leaders, players });
            }
            Format::Gauntlet { leaders, .. } => Box::new(Cycle::gauntlet(players, leaders, pairs)),
            Format::Swiss { .. } | Format::Knockout { .. } if pairs > Format::MOST_PAIRS_OF_AN_ENCOUNTER => {
                return Err(FormatError::TooMany(pairs));
            }
            Format::Swiss { rounds: 0, .. } => return Err(FormatError::Nothing("rounds")),
            Format::Swiss { rounds, .. } => Box::new(Staged::new(Swiss::new(players, rounds, pairs))),
            Format::Tune(ref tuning) => Box::new(Tuner::new(tuning.clone())?),
            Format::Ladder { subjects, .. } if subjects == 0 || subjects >= players => {
                return Err(FormatError::NoRung { subjects, players });
            }
            Format::Ladder { error: 0, .. } => return Err(FormatError::Nothing("an error")),
            Format::Ladder { ref known, .. }
                if known.iter().any(|one| one.white == one.black || one.white.max(one.black) >= players) =>
            {
                return Err(FormatError::Stranger);
            }
            Format::Ladder { subjects, error, ref known, .. } => {
                Box::new(Ladder::new(players, subjects, f64::from(error), pairs, known))
            }
            Format::Knockout { tie_breaks, .. } => Box::new(Staged::new(Knockout::new(players, pairs, tie_breaks))),
        })
    }

    fn pairs(&self) -> u64 {
        match *self {
            Format::Match { pairs }
            | Format::RoundRobin { pairs }
            | Format::Gauntlet { pairs, .. }
            | Format::Swiss { pairs, .. }
            | Format::Knockout { pairs, .. }
            | Format::Ladder { pairs, .. } => pairs,
            Format::Tune(Tuning { iterations, .. }) => iterations,
        }
    }

    /// Whether another schedule begins with all pairs of this one and may only go on longer.
    pub fn is_lengthened_by(&self, other: &Format) -> bool {
        match (self, other) {
            (Format::Match { pairs }, Format::Match { pairs: more })
            | (Format::RoundRobin { pairs }, Format::RoundRobin { pairs: more }) => more >= pairs,
            (Format::Gauntlet { pairs, leaders }, Format::Gauntlet { pairs: more, leaders: others }) => {
                more >= pairs && leaders == others
            }
            (Format::Swiss { rounds, pairs }, Format::Swiss { rounds: more, pairs: others }) => {
                more >= rounds && pairs == others
            }
            (
                Format::Ladder { subjects, error, pairs, known },
                Format::Ladder { subjects: others, error: less, pairs: more, known: same },
            ) => subjects == others && less <= error && more >= pairs && known == same,
            _ => self == other,
        }
    }

    /// How many pairs will be played, if that is known beforehand.
    pub fn total_pairs(&self, players: usize) -> Option<u64> {
        let players = players as u64;
        let encounters = match *self {
            Format::Match { .. } | Format::Tune(_) => 1,
            Format::RoundRobin { .. } => players * players.saturating_sub(1) / 2,
            Format::Gauntlet { leaders, .. } => players.saturating_sub(leaders as u64) * leaders as u64,
            Format::Swiss { rounds, .. } => u64::from(rounds) * (players / 2),
            Format::Knockout { .. } | Format::Ladder { .. } => return None,
        };
        Some(self.pairs().saturating_mul(encounters))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Plays an event through, with points of the first player by the pairing; results arrive in a random order.
    pub(crate) fn play_through(
        schedule: &mut dyn Schedule,
        seed: u64,
        mut judge: impl FnMut(u64, Pairing) -> u32,
    ) -> Vec<Pairing> {
        let mut random = random::Random::new(seed);
        let (mut results, mut pairings, mut open) = (Results::default(), Vec::new(), Vec::new());
        loop {
            let number = pairings.len() as u64;
            match schedule.pair(number, &results) {
                Next::Pair(pairing) => {
                    pairings.push(pairing);
                    open.push((number, pairing));
                    if random.coin() {
                        continue;
                    }
                }
                Next::Over if open.is_empty() => return pairings,
                Next::Wait | Next::Over => {
                    assert!(!open.is_empty(), "no game is in progress, and yet pair {number} waits")
                }
            }
            let (number, pairing) = open.swap_remove(random.below(open.len()));
            let points = judge(number, pairing);
            results.add(number, pairing, 0, points.min(2));
            results.add(number, pairing, 1, points - points.min(2));
        }
    }

    #[test]
    fn an_event_that_cannot_be_is_told_in_a_line() {
        let complaint = |format: Format, players| format.schedule(players).err().map(|error| error.to_string());
        assert_eq!(
            complaint(Format::Match { pairs: 3 }, 3).as_deref(),
            Some("a match is between two players, found 3")
        );
        assert!(complaint(Format::RoundRobin { pairs: 1 }, 1).is_some());
        assert!(complaint(Format::RoundRobin { pairs: 0 }, 4).is_some());
        assert!(complaint(Format::Gauntlet { pairs: 1, leaders: 4 }, 4).is_some());
        assert!(complaint(Format::Swiss { pairs: 1, rounds: 0 }, 4).is_some());
        assert_eq!(complaint(Format::Knockout { pairs: 1, tie_breaks: 0 }, 2), None);
    }

    #[test]
    fn formats_are_written_and_read() {
        for format in [
            Format::Match { pairs: 5 },
            Format::Gauntlet { pairs: 2, leaders: 1 },
            Format::Swiss { rounds: 3, pairs: 1 },
            Format::Knockout { pairs: 1, tie_breaks: 2 },
        ] {
            let text = serde_json::to_string(&format).expect("JSON");
            assert_eq!(serde_json::from_str::<Format>(&text).expect("the same"), format, "{text}");
        }
        assert_eq!(
            serde_json::to_string(&Format::RoundRobin { pairs: 1 }).expect("JSON"),
            r#"{"format":"round-robin","pairs":1}"#
        );
    }
}
