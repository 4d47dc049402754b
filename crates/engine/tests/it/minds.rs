//! Any mind behind the session of a UCI engine.

use minds::{MindSpec, TreeMind};
use saavedra_engine::MindEngine;

use crate::common::{Engine, run_with};

pub(crate) fn mind(spec: &str) -> MindEngine {
    MindEngine::new(spec.parse::<MindSpec>().expect("a mind").build(1).expect("a mind"))
}

/// Everything a mind says to a list of commands.
fn conversation(spec: &str, commands: &str) -> Vec<String> {
    run_with(mind(spec), commands)
}

#[test]
fn a_mind_introduces_itself_and_is_ready() {
    let said = conversation("minimax", "uci\nisready\nnonsense\n\nquit\nisready\n");
    assert_eq!(said[0], "id name minimax (a bot of Saavedra)");
    assert!(said.contains(&"option name UCI_Chess960 type check default false".to_owned()), "{said:?}");
    assert!(said.contains(&"uciok".to_owned()) && said.contains(&"readyok".to_owned()));
    assert!(said.last().is_some_and(|line| line.starts_with("info string")), "{said:?}");
}

#[test]
fn a_mind_plays_the_position_it_is_given_and_tells_what_it_thinks() {
    let said = conversation("alphabeta", "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\ngo depth 2\n");
    let [info, best] = &said[..] else { panic!("{said:?}") };
    assert!(info.contains("score mate 1") && info.ends_with("pv a1a8"), "{info}");
    assert_eq!(best, "bestmove a1a8");
}

#[test]
fn every_go_has_one_answer_whatever_comes_between() {
    let commands = "go infinite\nposition startpos moves e2e4\ngo depth 1\ngo wtime -5 btime -5\nucinewgame\ngo\nstop\nstop\n\
        position startpos moves e2e5\ngo\nposition fen not a position\ngo movetime 1\n\
        position fen R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1\ngo depth 1\nponderhit\ngo nodes 1\nquit\n";
    for mind in ["random", "capture", "minimax", "alphabeta:depth=1"] {
        let said = conversation(mind, commands);
        let answers: Vec<&String> = said.iter().filter(|line| line.starts_with("bestmove")).collect();
        assert_eq!(answers.len(), 8, "{mind}: {said:?}");
        assert!(answers[4..].iter().all(|answer| *answer == "bestmove 0000"), "{mind}: {said:?}");
        assert!(answers[..4].iter().all(|answer| *answer != "bestmove 0000"), "{mind}: {said:?}");
    }
}

#[test]
fn a_go_without_limits_is_answered_by_a_mind_that_ends_by_itself() {
    for spec in ["random", "capture", "minimax", "alphabeta:depth=2", "search:nodes=500", "search:depth=3,random=10"] {
        let mut engine = Engine::start_with(mind(spec));
        for go in ["go", "go searchmoves e2e4"] {
            engine.say(go);
            engine.until("bestmove");
        }
        // Infinite means until it is stopped, for every mind.
        engine.say("go infinite\nisready");
        assert!(!engine.until("readyok").iter().any(|line| line.starts_with("bestmove")), "{spec}");
        engine.say("stop");
        engine.until("bestmove");
        engine.end();
    }
    let mut engine = Engine::start_with(mind("search"));
    engine.say("go\nisready");
    assert!(!engine.until("readyok").iter().any(|line| line.starts_with("bestmove")));
    engine.say("stop");
    engine.until("bestmove");
    engine.end();
}

#[test]
fn stop_is_heard_while_a_mind_thinks_and_ready_is_answered() {
    let mut engine = Engine::start_with(MindEngine::new(Box::new(TreeMind::alpha_beta().with_depth(30))));
    engine.say("go movetime 3600000");
    engine.say("isready");
    assert_eq!(engine.line(), "readyok");
    engine.say("stop");
    let lines = engine.until("bestmove");
    assert_ne!(lines.last().expect("an answer"), "bestmove 0000");
    engine.say("go ponder wtime 1000 btime 1000");
    engine.say("ponderhit");
    engine.until("bestmove");
    engine.end();
}

#[test]
fn one_clock_is_enough_whichever_side_is_to_move() {
    let mut engine = Engine::start_with(mind("search"));
    for position in ["position startpos", "position startpos moves e2e4"] {
        for clock in ["wtime 20", "btime 20"] {
            engine.say(&format!("{position}\ngo {clock}"));
            engine.until("bestmove");
        }
    }
    engine.end();
}

#[test]
fn nonsense_of_every_kind_is_survived() {
    const WORDS: [&str; 22] = [
        "uci",
        "isready",
        "setoption",
        "name",
        "UCI_Chess960",
        "value",
        "position",
        "startpos",
        "fen",
        "moves",
        "e2e4",
        "go",
        "wtime",
        "-1",
        "99999999999999999999",
        "searchmoves",
        "depth",
        "ponder",
        "stop",
        "ponderhit",
        "\u{fffd}\0",
        "ucinewgame",
    ];
    let mut random = testkit::Random::new(61);
    let mut commands = String::new();
    let mut goes = 0;
    for _ in 0..2_000 {
        let line: Vec<&str> = (0..random.below(9)).map(|_| *random.pick(&WORDS)).collect();
        let reading = uci::Command::read(&line.join(" "));
        goes += usize::from(reading.is_some_and(|reading| matches!(reading.value, uci::Command::Go(_))));
        commands += &format!("{}\n", line.join(" "));
    }
    let said = conversation("random", &commands);
    assert_eq!(said.iter().filter(|line| line.starts_with("bestmove")).count(), goes);

    let bytes: Vec<u8> = (0..100_000).map(|_| random.next_u64() as u8).collect();
    let said = run_with(MindEngine::new(Box::new(TreeMind::minimax())), bytes);
    assert!(said.iter().all(|line| line.starts_with("info string")));
}

#[test]
fn castling_is_written_as_the_options_say() {
    let position = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\ngo depth 1 searchmoves e1g1\n";
    assert_eq!(conversation("random", position), ["bestmove e1g1"]);
    let chess960 = format!("setoption name UCI_Chess960 value true\n{position}");
    assert_eq!(conversation("random", &chess960), ["bestmove e1h1"]);
}

#[test]
fn a_fault_is_told_and_answered_with_the_null_move() {
    let said = conversation("uci:/no/such/engine", "go depth 1\n");
    let [excuse, answer] = &said[..] else { panic!("{said:?}") };
    assert!(excuse.starts_with("info string engine did not start: cannot start /no/such/engine"), "{excuse}");
    assert_eq!(answer, "bestmove 0000");
}

#[test]
fn commands_for_people_work_for_every_engine() {
    let said = conversation("random", "d\nperft 2\n");
    assert!(said.contains(&"Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned()), "{said:?}");
    assert!(
        said.contains(&"Nodes searched: 400".to_owned()) || said.contains(&"info string perft was stopped".to_owned())
    );
    assert_eq!(conversation("random", "eval\n"), ["info string this engine has no evaluation to show"]);
    assert_eq!(conversation("random", "setoption name Hash value 5\n"), ["info string there is no option \"Hash\""]);
}
