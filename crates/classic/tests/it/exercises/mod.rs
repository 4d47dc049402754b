//! The exercises of the pages in `docs/founding`, with a check for each.
//!
//! Write your answers into `yours.rs`, then run
//!
//! ```text
//! cargo test -p saavedra-classic --test it exercises -- --nocapture
//! ```
//!
//! It names the exercises that are solved, those that are open, and for a wrong answer the first case that shows it.
//! The answers of `model.rs` are checked in the same way, and so are the mistakes of `mistakes.rs`, which must all be
//! found.

mod exchange;
mod mailbox;
mod mistakes;
mod model;
mod movemap;
mod packed;
mod world;
mod yours;

use std::fmt::Debug;

use saavedra_classic::{Board, UciMove};
use testkit::Random;

use crate::support::BEGINNINGS;
use mailbox::Fields;
use movemap::Squares;
use world::Tree;

/// An answer; `None` while the exercise is open.
type Answer<T> = Option<T>;

/// One answer to each exercise. The page of the document explains the task, the comment here the arguments.
trait Answers {
    /// exchange 1: what the player to move wins on a square where a piece of value `target` stands. The attackers of
    /// both players are given by their values, the least first. No player has to capture.
    fn swap_off(_target: i32, _us: &[i32], _them: &[i32]) -> Answer<i32> {
        None
    }

    /// exchange 2: how many entries a table has whose differences reach so far on both sides of zero.
    fn entries(_reaches: &[u64]) -> Answer<u64> {
        None
    }

    /// mailbox 1: the cell of a square. Files and ranks are counted from 0, so that `a1` is (0, 0).
    fn mailbox_cell(_file: u8, _rank: u8) -> Answer<u8> {
        None
    }

    /// mailbox 2: the fields of a move integer.
    fn mailbox_fields(_mv: u32) -> Answer<Fields> {
        None
    }

    /// mailbox 3: the list of one kind of piece after the piece on `cell` was captured.
    fn piece_list_without(_list: Vec<u8>, _cell: u8) -> Answer<Vec<u8>> {
        None
    }

    /// mailbox 4: the castling permission after a move between two cells.
    fn permission_after(_permission: u8, _from: u8, _to: u8) -> Answer<u8> {
        None
    }

    /// packed 1: the four bits of the square with a number, 0 for `a8`. Cell 0 is in the lowest bits of the first word.
    fn nibble_at(_words: [u64; 4], _number: u8) -> Answer<u8> {
        None
    }

    /// packed 2: a move in twenty bits.
    fn packed_move(_from: u8, _to: u8, _kind: u8, _piece: u8) -> Answer<u32> {
        None
    }

    /// packed 3: the number of the square that may be entered en passant, from the last history word.
    fn passed_square(_top: u32) -> Answer<Option<u8>> {
        None
    }

    /// world 1: the line that answers the world with a move, which is given as in UCI (`e2e4`, `e7e8q`).
    fn world_answer(_mv: &str) -> Answer<String> {
        None
    }

    /// world 2: what a tree is worth to the player to move at its root. A leaf has its worth for the player to move
    /// there.
    fn negamax(_tree: &Tree) -> Answer<i32> {
        None
    }

    /// world 3: the same with alpha-beta, and how many leaves it looks at if moves are tried in the order of the tree.
    fn alpha_beta(_tree: &Tree) -> Answer<(i32, usize)> {
        None
    }

    /// world 4: in the document's Java, the value of a root move that mates at once: by minimax, by alpha-beta.
    fn mate_in_the_document() -> Answer<(i32, i32)> {
        None
    }

    /// move maps 1: where a piece can go by its maps, in any order. `repeats` says whether a map is applied until
    /// blocked.
    fn mapped(_squares: &Squares, _start: (i8, i8), _maps: &[(i8, i8)], _repeats: bool) -> Answer<Vec<(i8, i8)>> {
        None
    }

    /// move maps 2: whether the king on a square is in check, by pretending.
    fn is_check(_squares: &Squares, _king: (i8, i8)) -> Answer<bool> {
        None
    }

    /// move maps 3: the squares before a move, from those after it and its seven integers.
    fn reverted(_squares: Squares, _mv: [i32; 7]) -> Answer<Squares> {
        None
    }
}

/// What a check says of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Verdict {
    Open,
    Right,
    Wrong(String),
}

/// The cases of one exercise, until one of them is not answered rightly.
struct Cases {
    verdict: Verdict,
}

impl Cases {
    fn new() -> Cases {
        // An exercise without a case counts as open, so that its model answer fails.
        Cases { verdict: Verdict::Open }
    }

    /// One more case, for an answer that must be equal to the truth.
    fn expect<T: PartialEq + Debug>(&mut self, case: impl FnOnce() -> String, answer: Answer<T>, truth: T) {
        if matches!(self.verdict, Verdict::Wrong(_)) {
            return;
        }
        self.verdict = match answer {
            None => Verdict::Open,
            Some(answer) if answer == truth => Verdict::Right,
            Some(answer) => Verdict::Wrong(format!("{}: you say {answer:?}, but it is {truth:?}", case())),
        };
    }
}

/// Plays random games on a board. The visitor sees the board before each move.
fn walk<B: Board>(games: u64, mut visit: impl FnMut(&mut B, UciMove)) {
    for seed in 0..games {
        let mut random = Random::new(77 + seed);
        let mut board = B::from_fen(random.pick::<&str>(&BEGINNINGS)).expect("games begin with legal positions");
        for _ in 0..100 {
            let moves = board.legal_moves();
            let Some(mv) = random.choose(&moves) else { break };
            visit(&mut board, mv);
            board.make(mv).expect("a legal move");
        }
    }
}

fn verdicts<A: Answers>() -> Vec<(String, Verdict)> {
    type Page = (&'static str, &'static [fn(&mut Cases)]);
    let pages: [Page; 5] = [
        ("exchange", &[exchange::swap_off::<A>, exchange::entries::<A>]),
        ("mailbox", &[mailbox::cells::<A>, mailbox::fields::<A>, mailbox::lists::<A>, mailbox::permissions::<A>]),
        ("packed", &[packed::nibbles::<A>, packed::moves::<A>, packed::passed::<A>]),
        ("world", &[world::answers::<A>, world::negamax::<A>, world::alpha_beta::<A>, world::mates::<A>]),
        ("move maps", &[movemap::mapped::<A>, movemap::checks::<A>, movemap::reverted::<A>]),
    ];
    let numbered = pages.into_iter().flat_map(|(page, exercises)| {
        exercises.iter().zip(1..).map(move |(exercise, number)| (format!("{page} {number}"), exercise))
    });
    let judge = |exercise: &fn(&mut Cases)| {
        let mut cases = Cases::new();
        exercise(&mut cases);
        cases.verdict
    };
    numbered.map(|(name, exercise)| (name, judge(exercise))).collect()
}

#[test]
fn the_model_answers_are_right() {
    for (name, verdict) in verdicts::<model::Model>() {
        assert_eq!(verdict, Verdict::Right, "{name}");
    }
}

#[test]
fn every_typical_mistake_is_found() {
    for (name, verdict) in verdicts::<mistakes::Mistakes>() {
        assert!(matches!(verdict, Verdict::Wrong(_)), "{name}: {verdict:?}");
    }
}

#[test]
fn your_answers_are_right_as_far_as_there_are_any() {
    let mut wrong = Vec::new();
    for (name, verdict) in verdicts::<yours::Yours>() {
        match verdict {
            Verdict::Open => println!("{name}: open"),
            Verdict::Right => println!("{name}: solved"),
            Verdict::Wrong(why) => wrong.push(format!("{name}: {why}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
