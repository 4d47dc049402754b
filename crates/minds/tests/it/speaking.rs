//! Minds as programs of others: the world's protocol. Behind UCI they are tested in the crate of the engine.

use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

use rules::{Game, Position};
use saavedra_minds::{Allowance, Choice, Control, Fault, GameEnd, Mind, MindSpec, Reporter, TreeMind, speak_world};

#[test]
fn a_mind_answers_worlds_and_forfeits_what_it_cannot_read() {
    let mate = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let input = format!("{mate}\r\n\nnot a position\n{}\n", Position::initial());
    let mut output = Vec::new();
    let mind = Box::new(TreeMind::minimax());
    let nothing = |fault: &Fault| panic!("{fault}");
    speak_world(mind, &Allowance::default(), Cursor::new(input), &mut output, nothing).expect("memory can be written");
    let answers = String::from_utf8(output).expect("text");
    let [first, blank, second, third] = answers.lines().collect::<Vec<_>>()[..] else { panic!("{answers}") };
    assert_eq!((first, blank, second), ("0,56", "0,0", "0,0"));
    assert!(third.contains(',') && third != "0,0");
}

#[test]
fn a_mind_that_cannot_answer_forfeits_and_says_why() {
    let mind = "uci:/no/such/engine".parse::<MindSpec>().expect("a name").build(1).expect("not started yet");
    let (mut output, mut faults) = (Vec::new(), Vec::new());
    let input = Cursor::new(Position::initial().to_string());
    speak_world(mind, &Allowance::default(), input, &mut output, |fault| faults.push(fault.to_string()))
        .expect("memory can be written");
    assert_eq!(output, b"0,0\n");
    let [fault] = &faults[..] else { panic!("{faults:?}") };
    assert!(fault.contains("did not start") && fault.contains("/no/such/engine"), "{fault}");
}

/// Plays its first legal move, and counts how it is called.
#[derive(Clone, Default)]
struct Counted {
    calls: Arc<Mutex<Vec<&'static str>>>,
}

impl Counted {
    fn note(&self, call: &'static str) {
        self.calls.lock().expect("no panic").push(call);
    }
}

impl Mind for Counted {
    fn name(&self) -> &str {
        "counted"
    }

    fn new_game(&mut self, _start: &Position) -> Result<(), Fault> {
        self.note("new run");
        Ok(())
    }

    fn choose(
        &mut self,
        game: &Game,
        _allowance: &Allowance,
        _control: &Control,
        _reporter: &mut dyn Reporter,
    ) -> Result<Choice, Fault> {
        self.note("act");
        Ok(Choice::Move(game.position().legal_moves()[0]))
    }

    fn end_game(&mut self, _ending: GameEnd) {
        self.note("end run");
    }
}

#[test]
fn a_run_begins_with_the_first_position_and_ends_with_the_input() {
    let calls = |input: String| {
        let mind = Counted::default();
        let mut output = Vec::new();
        speak_world(Box::new(mind.clone()), &Allowance::default(), Cursor::new(input), &mut output, |_| ())
            .expect("memory");
        (mind.calls.lock().expect("no panic").clone(), String::from_utf8(output).expect("text"))
    };
    let start = Position::initial();
    let (told, answers) = calls(format!("{start}\n{start}\n{}\n{start}", "x".repeat(100_000)));
    assert_eq!(told, ["new run", "act", "act", "act", "end run"]);
    assert_eq!(answers.lines().nth(2), Some("0,0"), "a line that is too long is no position");
    assert_eq!(answers.lines().count(), 4);
    assert!(calls("nonsense\n".to_owned()).0.is_empty(), "a run that did not begin does not end");
}

#[test]
fn a_run_ends_when_its_answers_cannot_be_written() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mind = Counted::default();
    let input = Cursor::new(Position::initial().to_string());
    let error =
        speak_world(Box::new(mind.clone()), &Allowance::default(), input, Closed, |_| ()).expect_err("a closed pipe");
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    assert_eq!(mind.calls.lock().expect("no panic")[..], ["new run", "act", "end run"]);
}
