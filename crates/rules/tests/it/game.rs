//! How games end.

use rules::{Color, DrawReason, Game, Move, Outcome, Position, Square};
use saavedra_rules as rules;

fn game(fen: &str) -> Game {
    Game::new(fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}")))
}

fn play(game: &mut Game, moves: &str) {
    for san in moves.split_whitespace() {
        let mv = game.position().parse_san(san).unwrap_or_else(|error| panic!("{error}"));
        game.play(mv).expect("what was read is legal");
    }
}

#[test]
fn the_third_repetition_may_be_claimed_and_the_fifth_ends_the_game() {
    let mut game = Game::default();
    let there_and_back = "Nf3 Nf6 Ng1 Ng8";
    assert_eq!((game.repetitions(), game.claimable_draw()), (1, None));
    play(&mut game, there_and_back);
    assert_eq!((game.repetitions(), game.claimable_draw()), (2, None));
    play(&mut game, there_and_back);
    assert_eq!((game.repetitions(), game.claimable_draw()), (3, Some(DrawReason::ThreefoldRepetition)));
    assert_eq!(game.outcome(), None);
    play(&mut game, there_and_back);
    play(&mut game, there_and_back);
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::FivefoldRepetition)));
    assert_eq!(game.claimable_draw(), None, "there is nothing left to claim");
}

#[test]
fn a_position_with_other_rights_is_another_position() {
    // The king moves and returns: the right to castle is gone, so the first position is not repeated.
    let mut game = game("4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1");
    play(&mut game, "Ke2 Ke7 Ke1 Ke8");
    assert_eq!(game.repetitions(), 1);
    play(&mut game, "Ke2 Ke7 Ke1 Ke8");
    assert_eq!(game.repetitions(), 2);
    // En passant counts only where it could be played.
    let mut game = Game::default();
    play(&mut game, "e4 Nf6 Nf3 Ng8 Ng1");
    assert_eq!(game.repetitions(), 2, "no pawn could take on e3");
    let mut game = self::game("4k1n1/8/8/8/3p4/8/4P3/4K1N1 w - - 0 1");
    play(&mut game, "e4 Nf6 Nf3 Ng8 Ng1");
    assert_eq!(game.repetitions(), 1, "the pawn could have been taken the first time");
}

#[test]
fn fifty_moves_may_be_claimed_and_seventy_five_end_the_game() {
    let mut game = game("4k3/8/8/8/8/8/8/R3K3 w - - 99 80");
    assert_eq!(game.claimable_draw(), None);
    play(&mut game, "Ra2");
    assert_eq!(game.claimable_draw(), Some(DrawReason::FiftyMoves));
    let mut game = self::game("4k3/8/8/8/8/8/8/R3K3 w - - 149 120");
    assert_eq!(game.outcome(), None);
    play(&mut game, "Ra2");
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::SeventyFiveMoves)));
    let mut game = self::game("4k3/8/8/8/8/8/P7/R3K3 w - - 149 120");
    play(&mut game, "a4");
    assert_eq!((game.outcome(), game.position().halfmove_clock()), (None, 0));
}

#[test]
fn mate_comes_before_the_move_counter() {
    let mut game = game("6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 120");
    play(&mut game, "Ra8");
    assert_eq!(game.outcome(), Some(Outcome::Checkmate { winner: Color::White }));
    assert_eq!(game.outcome().map(Outcome::score), Some("1-0"));
}

#[test]
fn stalemate_is_a_draw() {
    let mut game = game("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1");
    play(&mut game, "Qf7");
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::Stalemate)));
    assert_eq!(game.outcome().map(|outcome| outcome.to_string()), Some("draw by stalemate".into()));
}

#[test]
fn dead_positions_are_drawn_and_others_are_not() {
    let is_dead = |fen: &str| game(fen).outcome() == Some(Outcome::Draw(DrawReason::InsufficientMaterial));
    for fen in [
        "4k3/8/8/8/8/8/8/4K3 w - -",
        "4k3/8/8/8/8/8/8/4KB2 w - -",
        "4k3/8/8/8/8/8/8/4KN2 w - -",
        "4kb2/8/8/8/8/8/8/2B1K3 w - -",
        "4kb1b/8/8/8/8/8/8/B1B1K3 w - -",
    ] {
        assert!(is_dead(fen), "{fen}");
    }
    for fen in [
        "4k3/8/8/8/8/8/8/4KR2 w - -",
        "4k3/8/8/8/8/8/4P3/4K3 w - -",
        "4k3/8/8/8/8/8/8/3NKN2 w - -",
        "4kn2/8/8/8/8/8/8/4KN2 w - -",
        "4kb2/8/8/8/8/8/8/4KB2 w - -",
        "4k3/8/8/8/8/8/8/3BKN2 w - -",
    ] {
        assert!(!is_dead(fen), "{fen}");
    }
}

#[test]
fn moves_can_be_taken_back() {
    let mut game = Game::default();
    play(&mut game, "e4 e5 Nf3");
    let before = game.clone();
    play(&mut game, "Nc6");
    assert_eq!(game.take_back(), Some(Move::normal(Square::B8, Square::C6)));
    assert_eq!(game, before);
    assert_eq!((game.moves().len(), game.positions().len()), (3, 4));
    while game.take_back().is_some() {}
    assert_eq!(game.position(), game.start());
    assert_eq!(game.position(), &Position::initial());
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut game = Game::default();
    assert!(game.play(Move::normal(Square::E2, Square::E5)).is_err());
    assert_eq!(game, Game::default());
}
