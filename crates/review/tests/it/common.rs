//! Games for the tests, and reviews of them.

use std::sync::Arc;

use review::{Effort, MoveReview, Review, Reviewer};
use rules::{Game, Position};
use saavedra_review as review;
use testkit::Random;

pub(crate) fn position(fen: &str) -> Position {
    fen.parse().expect("a legal position")
}

/// The game that some moves make from a position.
pub(crate) fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(position(fen));
    for san in moves.split_whitespace() {
        let mv = game.position().parse_san(san).expect("a legal move");
        game.play(mv).expect("a legal move");
    }
    game
}

pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A game of two random players.
pub(crate) fn random_game(seed: u64, most_plies: usize) -> Game {
    random_game_from(Position::initial(), seed, most_plies)
}

/// The same from another position.
pub(crate) fn random_game_from(start: Position, seed: u64, most_plies: usize) -> Game {
    let mut random = Random::new(seed);
    let mut game = Game::new(start);
    while game.outcome().is_none() && game.moves().len() < most_plies {
        let mv = *random.pick(&game.position().legal_moves());
        game.play(mv).expect("a legal move");
    }
    game
}

pub(crate) fn review(game: &Game, nodes: u64) -> Review {
    Reviewer::new(Effort::Nodes(nodes)).review(game, &Arc::default(), &mut |_| {}).expect("it is not stopped")
}

/// The review of the only move of a game.
pub(crate) fn review_of_move(fen: &str, san: &str, nodes: u64) -> MoveReview {
    review(&game(fen, san), nodes).moves.remove(0)
}
