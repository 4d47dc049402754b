//! Minds as engines of others: any mind behind UCI or the world's protocol.

use std::io::{BufReader, Cursor, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use rules::Position;
use saavedra_minds::{Allowance, MindSpec, TreeMind, speak_uci, speak_world};

/// Bytes that somebody else sends, until they stop.
struct Pipe(Receiver<Vec<u8>>);

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let Ok(bytes) = self.0.recv() else { return Ok(0) };
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

/// Lines that somebody else receives.
struct Lines(Sender<String>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.send(String::from_utf8_lossy(bytes).trim_end().to_owned()).map_err(std::io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Everything a mind says to a list of commands.
fn conversation(mind: &str, commands: &str) -> Vec<String> {
    let mind = mind.parse::<MindSpec>().expect("a mind").build(1).expect("a mind");
    let (sender, lines) = channel();
    speak_uci(mind, Cursor::new(commands.to_owned()), Lines(sender)).expect("nothing breaks");
    lines.iter().collect()
}

#[test]
fn a_mind_introduces_itself_and_is_ready() {
    let said = conversation("minimax", "uci\nisready\nnonsense\n\nquit\nisready\n");
    assert_eq!(said[0], "id name minimax (a mind of Saavedra)");
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
fn stop_is_heard_while_a_mind_thinks_and_ready_is_answered() {
    let (commands, pipe) = channel();
    let (sender, lines) = channel();
    let mind = Box::new(TreeMind::alpha_beta().with_depth(30));
    let session = thread::spawn(move || speak_uci(mind, BufReader::new(Pipe(pipe)), Lines(sender)));
    let tell = |line: &str| commands.send(format!("{line}\n").into_bytes()).expect("somebody reads");
    let patience = Duration::from_secs(60);
    tell("go movetime 3600000");
    tell("isready");
    assert_eq!(lines.recv_timeout(patience).expect("an answer"), "readyok");
    tell("stop");
    let answer = lines.iter().find(|line| line.starts_with("bestmove")).expect("an answer");
    assert_ne!(answer, "bestmove 0000");
    tell("go ponder wtime 1000 btime 1000");
    tell("ponderhit");
    assert!(lines.iter().any(|line| line.starts_with("bestmove")));
    drop(commands);
    session.join().expect("no panic").expect("the end of input ends it");
}

#[test]
fn one_clock_is_enough_whoever_is_to_move() {
    let (commands, pipe) = channel();
    let (sender, lines) = channel();
    let mind = "search".parse::<MindSpec>().expect("a mind").build(1).expect("a mind");
    let session = thread::spawn(move || speak_uci(mind, BufReader::new(Pipe(pipe)), Lines(sender)));
    for position in ["position startpos", "position startpos moves e2e4"] {
        for clock in ["wtime 20", "btime 20"] {
            commands.send(format!("{position}\ngo {clock}\n").into_bytes()).expect("somebody reads");
            let is_answer = |line: String| line.starts_with("bestmove");
            while !is_answer(lines.recv_timeout(Duration::from_secs(60)).expect("an answer without a stop")) {}
        }
    }
    drop(commands);
    session.join().expect("no panic").expect("the end of input ends it");
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

    let (sender, lines) = channel();
    let bytes: Vec<u8> = (0..100_000).map(|_| random.next_u64() as u8).collect();
    speak_uci(Box::new(TreeMind::minimax()), Cursor::new(bytes), Lines(sender)).expect("nothing breaks");
    assert!(lines.iter().all(|line| line.starts_with("info string")));
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
