//! Minds as programs of others: the world's protocol. Behind UCI they are tested in the crate of the engine.

use std::io::Cursor;

use rules::Position;
use saavedra_minds::{Allowance, TreeMind, speak_world};

#[test]
fn a_mind_answers_worlds_and_forfeits_what_it_cannot_read() {
    let mate = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let input = format!("{mate}\r\n\nnot a position\n{}\n", Position::initial());
    let mut output = Vec::new();
    let mind = Box::new(TreeMind::minimax());
    speak_world(mind, &Allowance::default(), Cursor::new(input), &mut output).expect("memory can be written");
    let answers = String::from_utf8(output).expect("text");
    let [first, second, third] = answers.lines().collect::<Vec<_>>()[..] else { panic!("{answers}") };
    assert_eq!((first, second), ("0,56", "0,0"));
    assert!(third.contains(',') && third != "0,0");
}
