//! Scripts for the whole engine: it never panics or hangs, and answers every search once.

use std::io::{self, Cursor, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use uci::{Command, Go};

/// Sessions as programs and people have them.
pub(crate) const SEEDS: &[&str] = &[
    "uci\nsetoption name Hash value 2\nisready\nucinewgame\nposition startpos moves e2e4\ngo depth 3\nisready\nquit\n",
    "go infinite\nisready\nstop\nstop\ngo ponder wtime 100 btime 100\nponderhit\nposition startpos\n",
    "position fen r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1 moves e1g1\ngo searchmoves e8c8 nodes 50\nd\neval\n",
    "position fen 8/8/8/8 w\ngo depth 1\nucinewgame\ngo nodes 1\nperft 9\nstop\nflip\nsee e4\nhelp go\n",
    "setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 600\ngo movetime 5\nbench 9\nquit\n",
    "setoption name MultiPV value 3\nsetoption name UCI_Chess960 value true\ngo mate 2\ndebug on\nsetoption name Threads value 2\ngo\n",
];

/// Nothing in a script takes long, since the end of the input ends whatever is under way.
const PATIENCE: Duration = Duration::from_secs(60);

struct Lines(Sender<Vec<u8>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The test may have given up.
        let _ = self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) fn test(data: &[u8]) {
    let script: Vec<&[u8]> = data.split(|&byte| byte == b'\n').filter(|line| !asks_for_much(line)).collect();
    let (sender, written) = mpsc::channel();
    let (tell_end, end) = mpsc::channel();
    let input = Cursor::new(script.join(&b'\n'));
    thread::spawn(move || {
        let result = engine::run(engine::SearchEngine::new(), input, Lines(sender));
        // The test may have given up.
        let _ = tell_end.send(result.is_ok());
    });
    assert!(end.recv_timeout(PATIENCE).expect("the engine neither hangs nor panics"), "the search does not fail");
    let answers = lines(&written).iter().filter(|line| line.starts_with("bestmove ")).count();
    assert_eq!(answers, searches(&script), "every search is answered once");
}

fn lines(written: &Receiver<Vec<u8>>) -> Vec<String> {
    let bytes: Vec<u8> = written.iter().flatten().collect();
    let text = String::from_utf8(bytes).expect("the engine writes text");
    assert!(text.is_empty() || text.ends_with('\n'), "the engine writes whole lines");
    text.lines().map(str::to_owned).collect()
}

/// How many searches a script begins.
fn searches(script: &[&[u8]]) -> usize {
    let read = |line: &&[u8]| Command::read(String::from_utf8_lossy(line).trim_start_matches('\u{feff}'));
    let commands = script.iter().filter_map(read).map(|reading| reading.value);
    let before_the_end = commands.take_while(|command| *command != Command::Quit);
    before_the_end.filter(|command| matches!(command, Command::Go(Go { perft: None, .. }))).count()
}

/// Whether a line could ask for more memory or threads than a test should take.
fn asks_for_much(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line).to_ascii_lowercase();
    line.contains("option")
        && line.split(|letter: char| !letter.is_ascii_digit()).any(|digits| digits.len() > 1)
        && !line.contains("elo")
}
