//! Mates that begin with a sacrifice: what pruning must not hide.

use rules::Game;
use saavedra_search::{Answer, AnyEvaluator, Control, Evaluator, Limits, Options, PieceSquare, Request, Searcher};

/// What a search that spares checks from pruning answers.
fn analyse<E: Evaluator>(evaluator: E, game: &Game, nodes: u64) -> Answer {
    let options = Options { spares_checks: true, ..Options::default() };
    let request = Request::new(game, Limits::nodes(nodes)).with_options(options);
    Searcher::new(evaluator).search(&request, &Control::new(), &mut ())
}

#[test]
fn a_queen_sacrificed_with_check_for_a_mate_is_found_in_few_nodes() {
    for (fen, best) in [
        // Morphy's Opera game, before 16. Qb8+.
        ("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 16", "Qb8+"),
        // Bratko-Kopec 1: a double check follows.
        ("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", "Qd1+"),
        // Win at Chess 97 and 263: the knight, or the king, has to take the queen.
        ("6k1/5p2/p5np/4B3/3P4/1PP1q3/P3r1QP/6RK w - - 0 1", "Qa8+"),
        ("rnbqr2k/pppp1Qpp/8/b2NN3/2B1n3/8/PPPP1PPP/R1B1K2R w KQ - 0 1", "Qg8+"),
    ] {
        let game = Game::new(fen.parse().expect("a position"));
        let answer = analyse(PieceSquare::new(), &game, 50_000);
        assert_eq!(answer.best.map(|mv| game.position().san(mv)).as_deref(), Some(best), "{fen}");
        assert!(answer.line.score.is_mate(), "{fen}: {}", answer.line.score.to_uci());
    }
}

#[test]
fn the_mate_behind_the_sacrifice_of_the_opera_game_is_seen() {
    let game = Game::new("4kb1r/p2B1ppp/4qn2/4p1B1/4P3/1Q6/PPP2PPP/2KR4 b k - 0 15".parse().expect("a position"));
    let answer = analyse(AnyEvaluator::default(), &game, 20_000);
    let best = answer.best.map(|mv| game.position().san(mv));
    assert_ne!(best.as_deref(), Some("Nxd7"), "16. Qb8+ Nxb8 17. Rd8#");
}
