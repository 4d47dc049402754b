//! Playing worse on purpose: worse, but not stupid.

use rules::{Color, Game, Outcome, Position};
use saavedra_search::{Control, Limits, Options, PieceSquare, Request, Searcher, Strength};
use testkit::Random;

fn searcher() -> Searcher<PieceSquare> {
    Searcher::new(PieceSquare::new())
}

/// A player of one side.
trait Player {
    fn choose(&mut self, game: &Game) -> rules::Move;
}

struct Weak {
    options: Options,
    searcher: Searcher<PieceSquare>,
}

impl Weak {
    fn new(elo: u32, seed: u64) -> Weak {
        let options = Options { strength: Some(Strength::of_elo(elo)), seed, ..Options::default() };
        Weak { options, searcher: searcher() }
    }
}

impl Player for Weak {
    fn choose(&mut self, game: &Game) -> rules::Move {
        let request = Request::new(game, Limits::default()).with_options(self.options.clone());
        self.searcher.search(&request, &Control::new(), &mut ()).best.expect("there is a move")
    }
}

/// The engine as well as it can in a few thousand positions.
struct Strong(Searcher<PieceSquare>);

impl Player for Strong {
    fn choose(&mut self, game: &Game) -> rules::Move {
        self.0
            .search(&Request::new(game, Limits::nodes(3_000)), &Control::new(), &mut ())
            .best
            .expect("there is a move")
    }
}

/// Anybody.
struct Anyhow(Random);

impl Player for Anyhow {
    fn choose(&mut self, game: &Game) -> rules::Move {
        *self.0.pick(&game.position().legal_moves())
    }
}

/// Plays on until the game is over, a draw may be claimed, or there were too many moves.
fn play(start: &str, white: &mut dyn Player, black: &mut dyn Player, most_moves: usize) -> Game {
    let mut game = Game::new(start.parse::<Position>().unwrap_or_else(|error| panic!("{start}: {error}")));
    while game.outcome().is_none() && game.claimable_draw().is_none() && game.moves().len() < 2 * most_moves {
        let mv = match game.position().turn() {
            Color::White => white.choose(&game),
            Color::Black => black.choose(&game),
        };
        game.play(mv).expect("players play legal moves");
    }
    game
}

#[test]
fn the_weakest_level_mates_a_bare_king() {
    let won = Some(Outcome::Checkmate { winner: Color::White });
    for (seed, start) in (0..).zip([
        "8/8/8/4k3/8/8/8/R3K3 w - - 0 1",
        "8/8/3k4/8/8/8/8/K6R w - - 0 1",
        "8/8/8/3k4/4R3/8/8/K7 w - - 0 1",
        "7K/8/8/3k4/8/8/8/R7 w - - 0 1",
        "8/8/8/4k3/8/8/8/1Q2K3 w - - 0 1",
    ]) {
        let game = play(start, &mut Weak::new(500, seed), &mut Strong(searcher()), 50);
        assert_eq!(game.outcome(), won, "{start} ends in {}", game.position());
        let game = play(start, &mut Weak::new(500, seed), &mut Anyhow(Random::new(seed)), 50);
        assert_eq!(game.outcome(), won, "{start} ends in {}", game.position());
    }
}

#[test]
fn every_level_plays_a_mate_it_sees() {
    let game = Game::new("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1".parse().expect("a position"));
    let mate = game.position().parse_san("Rd8").expect("a move");
    for elo in Strength::ELO.step_by(230) {
        assert!((0..20).all(|seed| Weak::new(elo, seed).choose(&game) == mate), "{elo}");
    }
}

#[test]
fn mistakes_repeat_with_their_seed_and_vary_with_it() {
    let game = Game::default();
    let choices: Vec<rules::Move> = (0..20).map(|seed| Weak::new(500, seed).choose(&game)).collect();
    let again: Vec<rules::Move> = (0..20).map(|seed| Weak::new(500, seed).choose(&game)).collect();
    assert_eq!(choices, again);
    assert!(choices.iter().any(|&mv| mv != choices[0]));
}

#[test]
fn a_higher_rating_plays_better() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut points = 0;
    for seed in 0..4 {
        let game = play(start, &mut Weak::new(1500, seed), &mut Weak::new(500, seed), 120);
        points += i32::from(game.outcome() == Some(Outcome::Checkmate { winner: Color::White }));
        points -= i32::from(game.outcome() == Some(Outcome::Checkmate { winner: Color::Black }));
        let game = play(start, &mut Weak::new(500, seed), &mut Weak::new(1500, seed), 120);
        points += i32::from(game.outcome() == Some(Outcome::Checkmate { winner: Color::Black }));
        points -= i32::from(game.outcome() == Some(Outcome::Checkmate { winner: Color::White }));
    }
    assert!(points >= 4, "{points} of 8");
}

#[test]
fn skill_levels_climb_to_full_strength() {
    let ratings: Vec<u32> = (0..Strength::FULL_SKILL).filter_map(Strength::of_skill).map(Strength::elo).collect();
    assert_eq!(ratings.len(), 20);
    assert!(ratings.is_sorted_by(|a, b| a < b) && ratings[0] == *Strength::ELO.start());
    assert_eq!(Strength::of_skill(Strength::FULL_SKILL), None);
}
