//! Many threads and one table: what must hold however they meet. `cargo xtask sanitize` runs this under the sanitizers.

use std::thread;

use rules::Game;
use saavedra_search::{Answer, Control, Limits, PieceSquare, Request, Searcher};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn searcher(threads: usize) -> Searcher<PieceSquare> {
    let mut searcher = Searcher::new(PieceSquare::new());
    searcher.set_hash(1).expect("a mebibyte");
    searcher.set_threads(threads);
    searcher
}

fn kiwipete() -> Game {
    Game::new(KIWIPETE.parse().expect("a position"))
}

/// Every move of the answer can be played.
fn check(game: &Game, answer: &Answer) {
    let mut position = *game.position();
    for &mv in &answer.line.moves {
        position = position.play(mv).expect("a legal line");
    }
    let best = answer.best.expect("a move");
    assert_eq!(answer.line.moves.first(), Some(&best));
    assert!(answer.ponder.is_none_or(|mv| game.position().play(best).expect("a legal move").is_legal(mv)));
}

#[test]
fn threads_and_table_may_change_between_searches() {
    let game = kiwipete();
    let mut searcher = searcher(1);
    for (threads, mebibytes) in [(4, 1), (4, 2), (2, 1), (3, 1)] {
        searcher.set_threads(threads);
        searcher.set_hash(mebibytes).expect("a mebibyte or two");
        for _ in 0..2 {
            let limits = Limits { nodes: Some(20_000), ..Limits::default() };
            check(&game, &searcher.search(&Request::new(&game, limits.clone()), &Control::new(), &mut ()));
        }
        searcher.clear();
    }
}

#[test]
fn threads_that_fill_a_small_table_keep_their_lines_legal() {
    let mut game = Game::default();
    let mut searcher = searcher(4);
    for _ in 0..6 {
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let answer = searcher.search(&Request::new(&game, limits.clone()), &Control::new(), &mut ());
        check(&game, &answer);
        game.play(answer.best.expect("a move")).expect("a legal move");
    }
}

#[test]
fn threads_stop_at_any_moment() {
    let game = kiwipete();
    let mut searcher = searcher(4);
    for round in 0..20 {
        let control = Control::new();
        let answer = thread::scope(|scope| {
            let search = scope.spawn(|| searcher.search(&Request::new(&game, Limits::default()), &control, &mut ()));
            for _ in 0..round {
                thread::yield_now();
            }
            control.stop();
            search.join().expect("no panic")
        });
        check(&game, &answer);
    }
}

#[test]
fn a_pondering_thread_is_released_when_the_opponent_plays_the_expected_move() {
    let control = Control::pondering();
    thread::scope(|scope| {
        let waiting = scope.spawn(|| control.wait_for_release(false));
        control.ponder_hit();
        waiting.join().expect("no panic");
    });
    assert!(!control.is_pondering() && !control.is_stopped());
}
