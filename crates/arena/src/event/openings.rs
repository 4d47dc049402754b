//! Where games begin: an opening for each pair, which follows from the seed of the event and the number of the pair.

use chance::Chance;
use rules::{Game, Move, Position};

use super::plan::Order;

/// The openings of an event.
#[derive(Clone, Debug)]
pub enum Openings {
    /// From the usual position, so many plies drawn by lot, for each pair others.
    ByLot {
        /// How many plies.
        plies: usize,
    },
    /// From a book, which is not empty.
    Book {
        /// Positions, and moves from there.
        lines: Vec<(Position, Vec<Move>)>,
        /// In which order they are played.
        order: Order,
    },
}

/// A pair has its own lots, apart from those of its games.
const LOTS_OF_OPENINGS: u64 = 1 << 63;

impl Openings {
    /// Makes them ready for an event: puts a book in its order.
    pub(super) fn shuffled(mut self, seed: u64) -> Openings {
        if let Openings::Book { lines, order: Order::Random } = &mut self {
            Chance::numbered(seed, LOTS_OF_OPENINGS).shuffle(lines);
        }
        self
    }

    /// The opening of a pair. After the last of the book comes the first again.
    pub(super) fn of_pair(&self, seed: u64, pair: u64) -> Game {
        match self {
            Openings::ByLot { plies } => by_lot(*plies, seed, pair),
            Openings::Book { lines, .. } => {
                let Some((start, moves)) = lines.get((pair % lines.len().max(1) as u64) as usize) else {
                    return Game::default();
                };
                let mut game = Game::new(*start);
                // A book that was read holds legal moves; if it did not, the game begins before the first other one.
                moves.iter().take_while(|&&mv| game.play(mv).is_ok()).for_each(drop);
                game
            }
        }
    }
}

fn by_lot(plies: usize, seed: u64, pair: u64) -> Game {
    let mut chance = Chance::numbered(seed, LOTS_OF_OPENINGS | pair);
    // A walk that ends the game is walked again otherwise. Few do, unless somebody wants very many plies.
    const ATTEMPTS: usize = 1000;
    let walk = |_| {
        let mut game = Game::default();
        for _ in 0..plies {
            let mv = chance.pick(&game.position().legal_moves())?;
            game.play(mv).ok()?;
        }
        game.outcome().is_none().then_some(game)
    };
    (0..ATTEMPTS).find_map(walk).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_has_an_opening_of_its_own_that_can_be_drawn_again() {
        let openings = Openings::ByLot { plies: 6 };
        let first = openings.of_pair(7, 0);
        assert_eq!(first.moves().len(), 6);
        assert_eq!(openings.of_pair(7, 0).moves(), first.moves());
        assert!((1..20).all(|pair| openings.of_pair(7, pair).moves() != first.moves()));
        assert!(openings.of_pair(8, 0).moves() != first.moves());
        assert!(Openings::ByLot { plies: 0 }.of_pair(1, 1).moves().is_empty());
    }

    #[test]
    fn a_book_is_played_once_through_before_it_begins_again() {
        let moves = Position::initial().legal_moves();
        let lines: Vec<_> = moves.iter().map(|&mv| (Position::initial(), vec![mv])).collect();
        let firsts = |order: Order, pairs: std::ops::Range<u64>| -> Vec<Move> {
            let openings = Openings::Book { lines: lines.clone(), order }.shuffled(3);
            pairs.map(|pair| openings.of_pair(3, pair).moves()[0]).collect()
        };
        assert_eq!(firsts(Order::Sequential, 0..20), moves.to_vec());
        let mut random = firsts(Order::Random, 0..20);
        assert_ne!(random, moves.to_vec());
        assert_eq!(firsts(Order::Random, 20..40), random);
        random.sort_by_key(|mv| moves.iter().position(|other| other == mv));
        assert_eq!(random, moves.to_vec());
    }
}
