//! The founding document's minds, playing whole games.

use std::time::Duration;

use minds::{
    Allowance, CaptureMind, Choice, Clock, Control, Limits, Line, Mind, RandomMind, Reporter, Score, SearchStats,
};
use minds::{SearchMind, TreeMind};
use rules::{Game, Move, Position};
use saavedra_minds as minds;

/// Keeps the last line it hears.
#[derive(Default)]
struct LastLine(Option<Line>);

impl Reporter for LastLine {
    fn line(&mut self, line: &Line, _stats: &SearchStats) {
        self.0 = Some(line.clone());
    }
}

fn choose(mind: &mut dyn Mind, game: &Game) -> Move {
    let choice = mind.choose(game, &Allowance::nodes(200_000), &Control::new(), &mut ()).expect("a choice");
    choice.mv().expect("these minds play on")
}

/// A game of at most so many plies between two minds.
fn game_between(white: &mut dyn Mind, black: &mut dyn Mind, plies: usize) -> Game {
    let mut game = Game::default();
    white.new_game(game.start()).expect("minds of ours start");
    black.new_game(game.start()).expect("minds of ours start");
    for ply in 0..plies {
        if game.outcome().is_some() {
            break;
        }
        let mv = choose(if ply % 2 == 0 { &mut *white } else { &mut *black }, &game);
        game.play(mv).expect("minds play legal moves");
    }
    game
}

fn line(mut mind: TreeMind, game: &Game) -> Line {
    let mut last = LastLine::default();
    mind.choose(game, &Allowance::default(), &Control::new(), &mut last).expect("a choice");
    last.0.expect("a mind that looks ahead tells what it found")
}

fn value(mind: TreeMind, game: &Game) -> Score {
    line(mind, game).score
}

fn position(fen: &str) -> Position {
    fen.parse().expect("a legal position")
}

#[test]
fn games_repeat_with_the_seed_and_differ_without() {
    let moves = |seed: u64| {
        let game = game_between(&mut RandomMind::new(seed), &mut CaptureMind::new(seed + 1), 120);
        game.moves().to_vec()
    };
    assert_eq!(moves(1), moves(1));
    assert_ne!(moves(1), moves(2));
    let ties = |seed: u64| {
        let mut drawn = TreeMind::minimax().with_random_ties(seed);
        game_between(&mut drawn, &mut TreeMind::minimax(), 20).moves().to_vec()
    };
    assert_eq!(ties(3), ties(3));
    assert!((4..9).any(|seed| ties(seed) != ties(3)));
}

#[test]
fn capture_takes_whenever_something_can_be_taken() {
    let mut mind = CaptureMind::new(5);
    testkit::random_walks(21, 20, testkit::Variants::All, |position| {
        if position.legal_moves().is_empty() {
            return;
        }
        let mv = choose(&mut mind, &Game::new(*position));
        assert_eq!(position.is_capture(mv), !position.captures().is_empty(), "{mv} in {position}");
    });
}

#[test]
fn alpha_beta_finds_the_value_of_minimax_at_every_depth() {
    testkit::random_walks(31, 6, testkit::Variants::All, |position| {
        let game = Game::new(*position);
        if position.legal_moves().is_empty() || position.fullmove_number() % 9 != 1 {
            return;
        }
        for depth in 0..=2 {
            let all = value(TreeMind::minimax().with_depth(depth), &game);
            assert_eq!(value(TreeMind::alpha_beta().with_depth(depth), &game), all, "depth {depth} in {position}");
            let drawn = TreeMind::alpha_beta().with_depth(depth).with_random_ties(1);
            assert_eq!(value(drawn, &game), all, "depth {depth} in {position} with ties drawn");
        }
    });
}

#[test]
fn alpha_beta_finds_the_value_of_minimax_where_it_looks_far() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        let game = Game::new(position(fen));
        let all = value(TreeMind::minimax().with_depth(3), &game);
        assert_eq!(value(TreeMind::alpha_beta().with_depth(3), &game), all, "{fen}");
    }
}

#[test]
fn the_line_leads_to_the_value_that_was_found() {
    testkit::random_walks(51, 4, testkit::Variants::All, |position| {
        let mut game = Game::new(*position);
        if position.legal_moves().is_empty() || position.fullmove_number() % 9 != 1 {
            return;
        }
        let line = line(TreeMind::alpha_beta().with_depth(2), &game);
        let [moves @ .., last] = &line.moves[..] else { panic!("an empty line in {position}") };
        for &mv in moves {
            game.play(mv).expect("a legal move");
        }
        if moves.len() == 2 {
            // The last move alone, looked at no further than itself.
            let mut only = Allowance::depth(1);
            only.limits.moves = Some(vec![*last]);
            let mut found = LastLine::default();
            TreeMind::minimax().choose(&game, &only, &Control::new(), &mut found).expect("a choice");
            assert_eq!(found.0.map(|found| found.score), Some(line.score), "{position}");
        } else {
            assert!(!game.position().play(*last).expect("a legal move").has_legal_moves(), "{position}");
        }
    });
}

#[test]
fn of_equal_moves_both_take_the_first() {
    testkit::random_walks(41, 4, testkit::Variants::Standard, |position| {
        let game = Game::new(*position);
        if position.legal_moves().is_empty() || position.fullmove_number() % 7 != 1 {
            return;
        }
        let mut minimax = TreeMind::minimax();
        let mut alpha_beta = TreeMind::alpha_beta().with_depth(2);
        assert_eq!(choose(&mut minimax, &game), choose(&mut alpha_beta, &game), "{position}");
    });
}

#[test]
fn a_mate_in_one_is_played_and_a_stalemate_avoided() {
    let back_rank = Game::new(position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"));
    // Qc7 would stalemate; every other move keeps the queen.
    let stalemate_near = Game::new(position("k7/8/K7/8/8/8/2Q5/8 w - - 0 1"));
    for mut mind in [TreeMind::minimax(), TreeMind::alpha_beta()] {
        let mv = choose(&mut mind, &back_rank);
        assert_eq!(back_rank.position().san(mv), "Ra8#");
        let mv = choose(&mut mind, &stalemate_near);
        assert!(
            stalemate_near.position().play(mv).expect("a legal move").is_checkmate(),
            "{} played {mv}",
            mind.name()
        );
    }
}

#[test]
fn a_deeper_search_beats_a_shallow_one() {
    for seed in 0..4 {
        let mut random = RandomMind::new(seed);
        let game = game_between(&mut TreeMind::alpha_beta().with_depth(2), &mut random, 120);
        let last = game.positions().last().expect("a game has positions");
        let is_ahead = last.by_color(rules::Color::White).count() > last.by_color(rules::Color::Black).count();
        assert!(is_ahead, "{last:?}");
    }
}

#[test]
fn minds_answer_at_once_when_they_are_stopped_or_out_of_time() {
    let game = Game::default();
    let stopped = Control::new();
    stopped.stop();
    let clock = Clock { remaining: Duration::ZERO, increment: Duration::ZERO, moves_to_go: None };
    let deep = || TreeMind::alpha_beta().with_depth(40);
    for (allowance, control) in [
        (Allowance::default(), stopped),
        (Allowance::time(Duration::ZERO), Control::new()),
        (Allowance::clocks(clock, clock), Control::new()),
        (Allowance::nodes(1), Control::new()),
        (Allowance::depth(0), Control::new()),
    ] {
        let choice = deep().choose(&game, &allowance, &control, &mut ()).expect("a choice");
        assert!(choice.mv().is_some_and(|mv| game.position().is_legal(mv)));
    }
}

#[test]
fn a_mind_chooses_only_among_the_moves_it_is_left() {
    let game = Game::default();
    let only = game.position().parse_san("a3").expect("a legal move");
    let mut allowance = Allowance::depth(3);
    allowance.limits.moves = Some(vec![only]);
    for mut mind in all_minds() {
        let choice = mind.choose(&game, &allowance, &Control::new(), &mut ()).expect("a choice");
        assert_eq!(choice, Choice::Move(only), "{}", mind.name());
    }
}

#[test]
fn without_legal_moves_there_is_no_choice() {
    let mated = Game::new(position("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"));
    for mut mind in all_minds() {
        let fault = mind.choose(&mated, &Allowance::depth(1), &Control::new(), &mut ()).expect_err("no move");
        assert_eq!(fault.to_string(), format!("{} was asked for a move where there is none", mind.name()));
    }
}

#[test]
fn the_search_keeps_to_its_own_limits_and_to_those_of_a_move() {
    let game = Game::default();
    let nodes_of = |own: Option<u64>, given: Allowance| {
        let mut mind = SearchMind::new(Limits { nodes: own, ..Limits::default() });
        let mut most = MostNodes::default();
        mind.choose(&game, &given, &Control::new(), &mut most).expect("a choice");
        most.0
    };
    let far = Allowance::nodes(100_000);
    assert!(nodes_of(Some(3_000), far.clone()) <= 3_000);
    assert!(nodes_of(None, Allowance::nodes(3_000)) <= 3_000);
    assert!(nodes_of(None, far) > 3_000);
}

/// Keeps the most nodes it hears of.
#[derive(Default)]
struct MostNodes(u64);

impl Reporter for MostNodes {
    fn line(&mut self, _line: &Line, stats: &SearchStats) {
        self.0 = self.0.max(stats.nodes);
    }
}

fn all_minds() -> Vec<Box<dyn Mind>> {
    vec![
        Box::new(RandomMind::new(1)),
        Box::new(CaptureMind::new(1)),
        Box::new(TreeMind::minimax()),
        Box::new(TreeMind::alpha_beta()),
        Box::new(SearchMind::new(Default::default())),
    ]
}
