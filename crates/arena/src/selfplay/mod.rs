//! Self-play: games of the search against itself, to learn from.
//!
//! Game *n* is a function of the settings, the network and *n*, and of nothing else. Threads may play in any order:
//! games are written by their numbers, so that a file is the same, byte for byte, however many threads made it and
//! however often they were interrupted, and going on means to count the games that are there.

mod game;
mod run;
mod unit;

use std::io;
use std::path::PathBuf;

use records::packed::PackedError;
use search::AnyEvaluator;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::event::Difference;
use crate::queue::QueueError;

pub use game::play;
pub use run::{Goal, SelfPlay, SelfPlayProgress, recipe_path};
pub use unit::SelfPlayUnit;

/// What decides a game, besides its number and the network.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlaySettings {
    /// What every lot is drawn by.
    pub seed: u64,
    /// Positions after which no new depth is begun.
    pub nodes: u64,
    /// Positions after which a search ends at once.
    pub hard_nodes: u64,
    /// The size of the table in MiB. It is emptied for every game.
    pub hash: usize,
    /// How many moves are random; half of the games get one more.
    pub random_plies: usize,
    /// A random move that loses so many centipawns or more by an exchange on its square is not played. A queen is 1000.
    pub random_loss: i32,
    /// The most centipawns either player may be ahead after the random moves. Otherwise they are drawn anew.
    pub most_lead: i32,
    /// A win: so many centipawns or more.
    pub win_score: i32,
    /// A win: for so many plies in a row.
    pub win_plies: usize,
    /// A draw: so many centipawns or fewer.
    pub draw_score: i32,
    /// A draw: for so many plies in a row.
    pub draw_plies: usize,
    /// A draw: not before so many plies.
    pub draw_from: usize,
}

impl Default for SelfPlaySettings {
    fn default() -> SelfPlaySettings {
        SelfPlaySettings {
            seed: 1,
            nodes: 500,
            hard_nodes: 8 * 500,
            hash: 2,
            random_plies: 8,
            random_loss: 1000,
            most_lead: 1000,
            win_score: 1500,
            win_plies: 4,
            draw_score: 8,
            draw_plies: 10,
            draw_from: 70,
        }
    }
}

/// The name of an evaluation: its network's checksum, or that there is none.
pub fn fingerprint(evaluator: &AnyEvaluator) -> String {
    match evaluator.network() {
        Some(network) => format!("{:016x}", nnue::checksum(&network.write())),
        None => "piece-square tables".to_owned(),
    }
}

/// Why games cannot be made, or not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SelfPlayError {
    /// The file cannot be used.
    #[error("cannot use {path}")]
    File {
        /// Which one.
        path: PathBuf,
        /// What is wrong.
        source: PackedError,
    },
    /// What was written beside the games cannot be read or written.
    #[error("cannot use {path}")]
    Recipe {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        source: io::Error,
    },
    /// There are games, but their settings are unknown.
    #[error("{path} is missing, which says how the games were made: they cannot be continued")]
    NoRecipe {
        /// Which file.
        path: PathBuf,
    },
    /// The games were made with other settings.
    #[error("{path} was made with other settings: {} was {}, not {}", .difference.setting, .difference.was, .difference.is)]
    OtherSettings {
        /// Which file.
        path: PathBuf,
        /// What differs.
        difference: Difference,
    },
    /// Games can no longer be given out.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// There is not enough memory for a table.
    #[error("no memory for a table of {0} MiB for each thread")]
    OutOfMemory(usize),
}
