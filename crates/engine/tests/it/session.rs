//! The engine between its commands: what it answers, when, and what it remembers.

use std::io::{self, BufReader, Cursor, Write};

use crate::common::{Engine, run};
use nnue::{Architecture, Layers, Network};
use rules::Position;
use saavedra_engine::SearchEngine;
use search::Score;

fn best_moves(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("bestmove ")).collect()
}

#[test]
fn it_says_nothing_before_it_is_asked() {
    assert!(Engine::start().is_silent());
    assert_eq!(run("\n \r\n\t\n"), [""; 0]);
}

#[test]
fn it_introduces_itself_as_often_as_it_is_asked() {
    let mut engine = Engine::start();
    for _ in 0..2 {
        let lines = engine.ask("uci");
        assert!(lines[0].starts_with("id name Saavedra"));
        assert_eq!(lines.iter().filter(|line| *line == "uciok").count(), 1);
        for name in ["Hash", "Clear Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "UCI_Chess960", "UCI_Elo"] {
            assert!(lines.iter().any(|line| line.starts_with(&format!("option name {name} type "))), "{name}");
        }
    }
}

#[test]
fn every_line_it_says_is_protocol() {
    let script = "uci\nsetoption name hash value 3\nposition startpos\ngo depth 2\nisready\nblub\ngo nodes 10\nquit\n";
    for line in run(script) {
        let reading = uci::Message::read(&line).expect("no blank line");
        assert!(!matches!(reading.value, uci::Message::Unknown(_)) && reading.complaints.is_empty(), "{line}");
    }
}

#[test]
fn a_search_answers_with_a_line_and_a_move() {
    let mut engine = Engine::start();
    engine.say("position startpos moves e2e4");
    engine.say("go depth 3");
    let lines = engine.until("bestmove");
    let last = lines.iter().rev().find(|line| line.contains(" pv ")).expect("a line");
    let best = lines[lines.len() - 1].split(' ').nth(1).expect("a move");
    assert!(last.contains(" score ") && last.contains(&format!(" pv {best}")), "{lines:?}");
}

#[test]
fn infinite_and_pondering_searches_keep_their_answer() {
    for position in ["startpos", "fen 7k/5QQ1/8/8/8/8/8/K7 b - - 0 1", "fen 8/8/8/8/8/8/8/8 w"] {
        for (go, release) in
            [("go infinite", "stop"), ("go", "stop"), ("go ponder depth 1", "stop"), ("go ponder depth 1", "ponderhit")]
        {
            let mut engine = Engine::start();
            engine.say(&format!("position {position}"));
            engine.say(go);
            assert_eq!(best_moves(&engine.settle()).len(), 0);
            engine.say("isready");
            assert_eq!(best_moves(&engine.until("readyok")).len(), 0);
            engine.say(release);
            engine.until("bestmove");
            assert_eq!(best_moves(&engine.end()).len(), 0);
        }
    }
}

#[test]
fn a_stop_without_a_search_is_forgotten() {
    let mut engine = Engine::start();
    assert_eq!(engine.ask("stop\nponderhit"), [""; 0]);
    engine.say("go infinite");
    engine.settle();
    engine.say("stop");
    engine.until("bestmove");
    assert_eq!(engine.ask("stop\nstop"), [""; 0]);
}

#[test]
fn whatever_interrupts_a_search_hears_its_answer_first() {
    for interruption in [
        "go depth 1",
        "position startpos moves e2e4",
        "ucinewgame",
        "setoption name Hash value 2",
        "setoption name Threads value 2",
        "setoption name Clear Hash",
        "eval",
        "flip",
        "perft 1",
    ] {
        let mut engine = Engine::start();
        engine.say("go infinite");
        engine.settle();
        engine.say(interruption);
        engine.until("bestmove");
        let rest = best_moves(&engine.end()).len();
        assert_eq!(rest, usize::from(interruption.starts_with("go")), "{interruption}");
    }
}

#[test]
fn every_go_has_one_answer() {
    let lines = run("go depth 1\ngo infinite\ngo ponder\nposition fen nonsense\ngo\ngo nodes 1\nquit\n");
    assert_eq!(best_moves(&lines).len(), 5);
    assert_eq!(best_moves(&lines)[3..], ["0000", "0000"]);
}

#[test]
fn the_end_of_input_ends_a_search() {
    let mut engine = Engine::start();
    engine.say("go infinite");
    assert_eq!(best_moves(&engine.end()).len(), 1);
    // No line end, no quit, and still it is obeyed.
    assert_eq!(best_moves(&run("go infinite")).len(), 1);
}

#[test]
fn a_broken_output_ends_it_quietly() {
    struct Broken;
    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    saavedra_engine::run(SearchEngine::new(), Cursor::new("go infinite\nuci\n"), Broken).expect("no failure");
    // Here the input stays open: only the output can end it.
    let (input, mut hand) = io::pipe().expect("a pipe");
    hand.write_all(b"go depth 1\n").expect("the pipe is open");
    saavedra_engine::run(SearchEngine::new(), BufReader::new(input), Broken).expect("no failure");
}

#[test]
fn what_is_no_position_is_explained_and_not_searched() {
    let mut engine = Engine::start();
    for (bad, reason) in [
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("position fen rnbqkbnr/pppppppp w", "no position: "),
        ("position startpos moves e2e4 e2e4 e7e5", "no position: move 2: e2e4 is not a legal move here"),
        ("position startpos moves castle", "\"castle\""),
        ("position", "no position: "),
    ] {
        let said = engine.ask(bad);
        let last = &said[said.len() - 1];
        assert!(last.starts_with("info string ") && last.contains(reason), "{bad}: {said:?}");
        for _ in 0..2 {
            engine.say("go depth 1");
            assert_eq!(engine.until("bestmove"), ["bestmove 0000"]);
        }
        for good in ["position startpos", "ucinewgame"] {
            engine.say(bad);
            engine.settle();
            engine.say(good);
            engine.say("go depth 1");
            assert_ne!(engine.until("bestmove").pop().as_deref(), Some("bestmove 0000"), "{good}");
        }
    }
}

#[test]
fn a_finished_game_has_no_move() {
    let mut engine = Engine::start();
    engine.say("position fen 7k/5QQ1/8/8/8/8/8/K7 b - - 0 1\ngo depth 4");
    assert_eq!(engine.until("bestmove"), ["info depth 0 score mate 0", "bestmove 0000"]);
    engine.say("position fen 7k/5Q2/8/8/8/8/8/K7 b - - 0 1\ngo movetime 5");
    assert_eq!(engine.until("bestmove"), ["info depth 0 score cp 0", "bestmove 0000"]);
}

#[test]
fn castling_is_written_as_it_is_wanted() {
    let castle = |chess960: &str, position: &str, mv: &str| {
        let mut engine = Engine::start();
        engine.say(&format!("setoption name uci_chess960 value {chess960}\nposition fen {position}"));
        engine.say(&format!("go depth 1 searchmoves {mv}"));
        engine.until("bestmove").pop().expect("an answer")
    };
    let standard = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for spelling in ["e1g1", "e1h1"] {
        assert!(castle("false", standard, spelling).starts_with("bestmove e1g1"));
        assert!(castle("TRUE", standard, spelling).starts_with("bestmove e1h1"));
    }
    assert!(castle("true", "4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1").starts_with("bestmove f1g1"));
}

#[test]
fn options_out_of_range_are_cut_and_nonsense_is_refused() {
    let mut engine = Engine::start();
    for (line, answer) in [
        ("setoption name MULTIPV value 3", ""),
        ("setoption name multipv value 0", "MultiPV is between 1 and 256: 0 becomes 1"),
        ("setoption name Threads value many", "Threads wants a whole number, not \"many\""),
        ("setoption name Threads", "Threads wants a whole number, not \"\""),
        ("setoption name Ponder value maybe", "Ponder wants true or false, not \"maybe\""),
        ("setoption name clear   hash value", ""),
        ("setoption name SyzygyPath value <empty>", ""),
        ("setoption name Hsah value 1", "there is no option \"Hsah\": did you mean Hash?"),
        (
            "setoption name UCI_Elo value -99999999999999999999999",
            "UCI_Elo is between 500 and 2800: \
            -99999999999999999999999 becomes 500",
        ),
    ] {
        let said = engine.ask(line);
        if answer.is_empty() {
            assert_eq!(said, [""; 0], "{line}");
        } else {
            assert_eq!(said, [format!("info string {answer}")], "{line}");
        }
    }
    let said = engine.ask("setoption name SyzygyPath value /no/such/folder");
    assert!(said.len() == 1 && said[0].contains("/no/such/folder"), "{said:?}");
    engine.say("go depth 1");
    engine.until("bestmove");
}

#[test]
fn every_option_takes_its_default_and_its_limits_without_a_word() {
    let mut engine = Engine::start();
    for line in engine.ask("uci") {
        let Some(uci::Message::Option(option)) = uci::Message::read(&line).map(|reading| reading.value) else {
            continue;
        };
        let values = match &option.kind {
            uci::OptionKind::Check { default } => vec![(!default).to_string(), default.to_string()],
            uci::OptionKind::Spin { default, min, .. } => vec![min.to_string(), default.to_string()],
            uci::OptionKind::Text { default } => vec![default.clone()],
            uci::OptionKind::Combo { .. } | uci::OptionKind::Button => vec![String::new()],
        };
        for value in values {
            let set = uci::Command::SetOption { name: option.name.to_uppercase(), value: Some(value) };
            assert_eq!(engine.ask(&set.to_string()), [""; 0], "{set}");
        }
    }
    engine.say("go depth 2");
    engine.until("bestmove");
}

#[test]
fn a_table_that_cannot_be_had_leaves_the_old_one() {
    let mut engine = Engine::start();
    let said = engine.ask("setoption name Hash value 1048576");
    // A machine may have a tebibyte, or promise it.
    assert!(said.is_empty() || said[0].contains("not enough memory"), "{said:?}");
    engine.say("go depth 3");
    engine.until("bestmove");
}

#[test]
fn tablebases_are_asked_if_there_are_any() {
    let Some(folder) = testkit::data_file("syzygy") else { return };
    let mut engine = Engine::start();
    assert_eq!(engine.ask(&format!("setoption name SyzygyPath value {}", folder.display())), [""; 0]);
    engine.say("position fen 8/8/8/4k3/8/8/8/R3K3 w - - 0 1\ngo depth 4");
    let lines = engine.until("bestmove");
    // A win by the tables is told in centipawns, more than any evaluation says: the tables do not tell how many moves
    // the mate takes, and a search to this depth sees none.
    let won = |line: &String| line.contains(&format!(" score cp {}", Score::tablebase_win_in(0).value()));
    assert!(lines.iter().any(won), "{lines:?}");
    // The rook has ten moves and the king five, all of which were looked up.
    assert!(lines.iter().any(|line| line.contains(" tbhits 15 ")), "{lines:?}");
    // The tables are let go of, and can be opened again.
    assert_eq!(engine.ask("setoption name SyzygyPath value <empty>"), [""; 0]);
    assert_eq!(engine.ask(&format!("setoption name SyzygyPath value {}", folder.display())), [""; 0]);
}

#[test]
fn people_are_helped() {
    let mut engine = Engine::start();
    assert_eq!(engine.ask("isredy"), ["info string unknown command \"isredy\": did you mean isready?"]);
    assert!(engine.ask("help").join("\n").contains("position"));
    assert!(engine.ask("help go").join("\n").contains("movetime"));
    assert!(engine.ask("d").contains(&"Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned()));
    let judged = engine.ask("eval");
    assert!(judged.last().is_some_and(|line| line.ends_with("pawns for White, without looking ahead")), "{judged:?}");
    assert!(judged.contains(&"1    R      N      B      Q      K      B      N      R".to_owned()), "{judged:?}");
    engine.say("position fen 1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1");
    assert!(engine.ask("see Nxe5")[0].starts_with("Nxe5 loses 200 centipawns on e5: d3e5 "));
    assert!(engine.ask("see Nh8")[0].starts_with("info string "));
    engine.say("position startpos moves e2e4\nflip");
    assert!(engine.ask("d").contains(&"Fen: rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned()));
    assert_eq!(engine.ask("debug on"), ["info string understood: isready"]);
    assert_eq!(
        engine.ask("joho ucinewgame"),
        ["info string understood: ucinewgame", "info string understood: isready"]
    );
}

#[test]
fn another_network_can_be_loaded_and_a_bad_one_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("net.nnue");
    let network = Network::random(1, Architecture::new(32).expect("valid"));
    let load = format!("setoption name EvalFile value {}", path.display());
    let mut engine = Engine::start();
    let by_tables = engine.ask("eval");

    std::fs::write(&path, network.write()).expect("writable");
    assert_eq!(engine.ask(&load), [""; 0]);
    let by_network = engine.ask("eval");
    let pawns = f64::from(network.evaluate(&Position::initial())) / 100.0;
    let verdict = format!("Evaluation: {pawns:+.2} pawns for White, without looking ahead");
    assert_eq!(by_network.last(), Some(&verdict));
    engine.say("go depth 3");
    engine.until("bestmove");

    std::fs::write(&path, &network.write()[..500]).expect("writable");
    let told = engine.ask(&load);
    let [told] = told.as_slice() else { panic!("not one line: {told:?}") };
    assert!(told.starts_with("info string ") && told.contains("cut short: 500 of "), "{told}");
    assert!(told.ends_with(": the old evaluation stays"), "{told}");
    assert_eq!(engine.ask("setoption name EvalFile value /nowhere/to/be.found").len(), 1);
    assert_eq!(engine.ask("eval"), by_network);
    assert_eq!(engine.ask("setoption name EvalFile value <empty>"), [""; 0]);
    assert_eq!(engine.ask("eval"), by_tables);
}

#[test]
fn a_pairwise_network_plays_like_any_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("net.nnue");
    let architecture = Architecture::new(128).and_then(|one| one.with_layers(Layers::Pairwise)).expect("valid");
    let network = Network::random(2, architecture);
    std::fs::write(&path, network.write()).expect("writable");
    let mut engine = Engine::start();
    assert_eq!(engine.ask(&format!("setoption name EvalFile value {}", path.display())), [""; 0]);
    let judged = engine.ask("eval");
    let pawns = f64::from(network.evaluate(&Position::initial())) / 100.0;
    assert_eq!(judged.last(), Some(&format!("Evaluation: {pawns:+.2} pawns for White, without looking ahead")));
    // A value stands below each of the 32 pieces but the kings.
    let values = judged.iter().filter(|line| line.starts_with(' ')).flat_map(|line| line.split_whitespace());
    assert_eq!(values.filter(|value| value.starts_with(['+', '-'])).count(), 30);
    engine.say("go depth 3");
    engine.until("bestmove");
}

#[test]
fn perft_counts_and_can_be_stopped() {
    let mut engine = Engine::start();
    for command in ["perft 3", "go perft 3"] {
        engine.say(command);
        let lines = engine.until("Seconds");
        assert!(lines.contains(&"Nodes searched: 8902".to_owned()), "{lines:?}");
        assert!(lines.contains(&"e2e4: 600".to_owned()), "{lines:?}");
    }
    engine.say("perft 60\nstop");
    engine.until("info string perft was stopped");
}

#[test]
fn odd_line_ends_and_bytes_do_no_harm() {
    assert_eq!(run("\u{feff}isready\r\n\tisready\t\r\nisready"), ["readyok"; 3]);
    let mut script = b"\xff\xfe\x00 isready\n".to_vec();
    script.extend(b"position startpos moves ");
    script.extend("g1f3 g8f6 f3g1 f6g8 ".repeat(5_000).bytes());
    script.extend(b"\nisready\n");
    assert_eq!(run(script), ["readyok"; 2]);
}
