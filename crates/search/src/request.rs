//! What one search is given: the game, when to stop, and how to search.

use std::sync::Arc;
use std::time::Duration;

use rules::Game;

use crate::{Limits, Strength, Tablebase};

/// One search. It is complete: a [`Searcher`](crate::Searcher) keeps no settings from one search to the next.
///
/// ```
/// use saavedra_search::rules::Game;
/// use saavedra_search::{Limits, Request};
///
/// let game = Game::default();
/// let request = Request::new(&game, Limits::depth(12)).with_lines(3);
/// assert_eq!(request.options.lines, 3);
/// ```
#[derive(Clone)]
pub struct Request<'a> {
    /// The game, whose last position is searched.
    pub game: &'a Game,
    /// When to stop.
    pub limits: Limits,
    /// How to search.
    pub options: Options,
}

impl<'a> Request<'a> {
    /// A search with the default options.
    pub fn new(game: &'a Game, limits: Limits) -> Request<'a> {
        Request { game, limits, options: Options::default() }
    }

    /// The same search with other options.
    #[must_use]
    pub fn with_options(self, options: Options) -> Request<'a> {
        Request { options, ..self }
    }

    /// The same search with so many lines.
    #[must_use]
    pub fn with_lines(mut self, lines: usize) -> Request<'a> {
        self.options.lines = lines;
        self
    }
}

/// How to search, whatever the position.
#[derive(Clone)]
pub struct Options {
    /// How many lines to report.
    pub lines: usize,
    /// Time that is lost on every move between the clock and us.
    pub move_overhead: Duration,
    /// How well to play, if not as well as possible.
    pub strength: Option<Strength>,
    /// What the mistakes of a lower strength are drawn by. The same seed in the same position makes the same mistakes.
    pub seed: u64,
    /// Whether moves that give check are neither late nor futile, and may lose more material: for analysis. Mates that
    /// begin with a sacrifice are found with a fraction of the nodes; in fast games it wins nothing.
    pub spares_checks: bool,
    /// The tablebases to ask, if there are any.
    pub tablebase: Option<Arc<dyn Tablebase>>,
    /// The least depth at which tablebases are asked about positions with the most pieces they know.
    pub tablebase_depth: usize,
    /// Tablebases are not asked about positions with more pieces.
    pub tablebase_pieces: usize,
    /// Whether wins that the fifty-move rule spoils count as draws.
    pub respects_fifty_moves: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            lines: 1,
            move_overhead: Duration::from_millis(10),
            strength: None,
            seed: 0,
            spares_checks: false,
            tablebase: None,
            tablebase_depth: 1,
            tablebase_pieces: 7,
            respects_fifty_moves: true,
        }
    }
}
