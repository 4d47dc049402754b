//! Openings for matches: from a book of positions or games, or at random.
//!
//! Which opening a pair of games gets is a function of a seed and the number of the pair, so that a match can be taken
//! up again anywhere and every game can be played again alone.
//!
//! ```
//! use saavedra_records::openings::{Openings, Order};
//!
//! let text = "8/8/8/8/8/5k2/4p3/4K3 b - - 0 1\n4k3/4P3/4K3/8/8/8/8/8 b - - 0 1\n";
//! let book = Openings::from_text("endings.epd", text.as_bytes(), None).expect_err("the second is stalemate");
//! assert_eq!(book.to_string(), "endings.epd, line 2: the game is over before it begins");
//!
//! let openings = Openings::random_plies(8).in_order(Order::Random);
//! assert_eq!(openings.opening(1, 30), openings.opening(1, 30));
//! assert_ne!(openings.opening(1, 30), openings.opening(1, 31));
//! ```

mod order;
mod random;
mod read;

use ::random::Random;
use rules::{Move, Position};

use crate::packed::PackedBoard;

pub use read::{LineFlaw, OpeningsError};

/// Where a game starts, and the moves that are played before the players take over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The position in which the game begins.
    pub start: Position,
    /// The first moves, all of them legal.
    pub moves: Vec<Move>,
}

impl Opening {
    /// The position that the players get.
    pub fn end(&self) -> Position {
        self.moves.iter().fold(self.start, |position, &mv| position.play_unchecked(mv))
    }
}

/// In which order the openings of a book are taken. Either way each is taken once before any is taken again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// As they are in the book.
    #[default]
    Sequential,
    /// At random, another order for each seed and each time through the book.
    Random,
}

/// A supply of openings that never ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Openings {
    supply: Supply,
    order: Order,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Supply {
    Book(Shelf),
    /// So many random moves.
    RandomPlies(usize),
}

/// The openings of a book, packed: a quarter of a million of them in some ten megabytes. There is at least one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Shelf {
    starts: Vec<PackedBoard>,
    /// The moves of all openings, one behind the other.
    moves: Vec<Move>,
    /// Where the moves of each opening end.
    ends: Vec<usize>,
}

impl Shelf {
    fn push(&mut self, start: &Position, moves: &[Move]) {
        self.starts.push(PackedBoard::new(start));
        self.moves.extend_from_slice(moves);
        self.ends.push(self.moves.len());
    }

    fn opening(&self, index: usize) -> Opening {
        let first = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        let start = self.starts[index].position().expect("what was packed is a position");
        Opening { start, moves: self.moves[first..self.ends[index]].to_vec() }
    }
}

impl Openings {
    /// Every game starts from the start.
    pub fn start_position() -> Openings {
        let mut shelf = Shelf::default();
        shelf.push(&Position::initial(), &[]);
        Openings::of(Supply::Book(shelf))
    }

    /// Openings of so many random moves, another for each pair. None of them ends the game, and most leave both players
    /// with the same material.
    pub fn random_plies(plies: usize) -> Openings {
        Openings::of(Supply::RandomPlies(plies))
    }

    fn of(supply: Supply) -> Openings {
        Openings { supply, order: Order::default() }
    }

    /// The same openings in another order. It makes no difference to random moves.
    #[must_use]
    pub fn in_order(self, order: Order) -> Openings {
        Openings { order, ..self }
    }

    /// How many openings there are before they repeat, if they do.
    pub fn count(&self) -> Option<usize> {
        match &self.supply {
            Supply::Book(shelf) => Some(shelf.starts.len()),
            Supply::RandomPlies(_) => None,
        }
    }

    /// The opening of a pair of games, pairs being counted from zero.
    pub fn opening(&self, seed: u64, pair: u64) -> Opening {
        match &self.supply {
            Supply::RandomPlies(plies) => random::opening(*plies, &mut Random::numbered(seed, pair)),
            Supply::Book(shelf) => {
                let count = shelf.starts.len() as u64;
                let index = match self.order {
                    Order::Sequential => pair % count,
                    Order::Random => order::shuffled(seed, pair, count),
                };
                shelf.opening(index as usize)
            }
        }
    }
}
