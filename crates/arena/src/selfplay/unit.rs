//! The unit of self-play: games with consecutive numbers, as plain data that says all about them.

use records::packed::PackedGame;
use search::{AnyEvaluator, Searcher};
use serde::{Deserialize, Serialize};

use super::{SelfPlaySettings, play};
use crate::queue::Unit;

/// Some games of self-play, to be played anywhere.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlayUnit {
    /// The number of the first game.
    pub first: u64,
    /// How many games.
    pub count: u64,
    /// What decides them.
    pub settings: SelfPlaySettings,
    /// The [fingerprint](super::fingerprint) of the evaluation.
    pub network: String,
}

impl SelfPlayUnit {
    /// Plays the games, unless it is stopped.
    pub fn play(
        &self,
        searcher: &mut Searcher<AnyEvaluator>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Option<Vec<PackedGame>> {
        let numbers = self.first..self.first + self.count;
        numbers.map(|number| play(&self.settings, number, searcher, is_stopped)).collect()
    }
}

impl Unit for SelfPlayUnit {
    type Outcome = Vec<PackedGame>;

    fn number(&self) -> u64 {
        self.first
    }

    fn check(&self, games: &Vec<PackedGame>) -> Result<(), String> {
        match games.len() as u64 == self.count {
            true => Ok(()),
            false => {
                Err(format!("{} games were played from number {} on, not {}", games.len(), self.first, self.count))
            }
        }
    }

    fn is_repeatable(&self) -> bool {
        true
    }

    fn difference(one: &Vec<PackedGame>, other: &Vec<PackedGame>) -> Option<String> {
        let index = one.iter().zip(other).position(|(one, other)| one != other)?;
        Some(format!("game {} of the unit differs", index + 1))
    }
}
