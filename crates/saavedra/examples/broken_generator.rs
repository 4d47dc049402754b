//! A patient for the doctor: speaks the line protocol, or UCI, and is broken in the way its arguments ask for.
//!
//! `broken_generator [uci] [BUG | BEHAVIOUR]`, where a bug is one of the test kit's (`CastlesOutOfCheck`), and a
//! behaviour is one of those below. Without either, it is healthy. Behaviours begin after a few good answers, where it
//! makes a difference: a program that never works is another case than one that works until it does not.

use std::io::{self, BufRead, Write};
use std::time::Duration;
use std::{env, process, thread};

use testkit::broken::{Board, Bug};

/// What a program can do besides answering.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behaviour {
    /// Ends with an error when it sees a position that can be taken en passant.
    CrashOnEnPassant,
    /// Ends at once.
    CrashAtOnce,
    /// Never answers questions about castling.
    HangOnCastling,
    /// Never answers.
    HangAtOnce,
    /// Says something else about castling.
    Nonsense,
    /// Says something else always.
    NonsenseAtOnce,
    /// Never stops talking.
    Flood,
    /// Talks without ever ending a line.
    FloodOneLine,
    /// Stops in the middle of a line.
    HalfLine,
    /// Closes its output and stays.
    CloseOutput,
    /// Takes for ever over more than a thousand leaves.
    Slow,
    /// Greets before it answers, leaves white space, and gives a sum.
    Chatty,
    /// Does not end its answers.
    NoTotal,
    /// Gives a wrong sum.
    WrongTotal,
    /// Starts a search, as engines do that do not know `perft`.
    Search,
}

impl Behaviour {
    fn from_name(name: &str) -> Option<Behaviour> {
        use Behaviour::*;
        Some(match name {
            "crash-on-en-passant" => CrashOnEnPassant,
            "crash-at-once" => CrashAtOnce,
            "hang-on-castling" => HangOnCastling,
            "hang-at-once" => HangAtOnce,
            "nonsense" => Nonsense,
            "nonsense-at-once" => NonsenseAtOnce,
            "flood" => Flood,
            "flood-one-line" => FloodOneLine,
            "half-line" => HalfLine,
            "close-output" => CloseOutput,
            "slow" => Slow,
            "chatty" => Chatty,
            "no-total" => NoTotal,
            "wrong-total" => WrongTotal,
            "search" => Search,
            _ => return None,
        })
    }
}

/// What was asked for on the command line.
struct Patient {
    language: Language,
    bug: Option<Bug>,
    behaviour: Option<Behaviour>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Uci,
    Line,
}

fn main() -> io::Result<()> {
    let mut patient = Patient { language: Language::Line, bug: None, behaviour: None };
    for argument in env::args().skip(1) {
        if argument == "uci" {
            patient.language = Language::Uci;
        }
        patient.bug = patient.bug.or(Bug::from_name(&argument));
        patient.behaviour = patient.behaviour.or(Behaviour::from_name(&argument));
    }
    let speaks_uci = patient.language == Language::Uci;
    let behaviour = patient.behaviour;
    if behaviour == Some(Behaviour::CrashAtOnce) {
        eprintln!("out of order");
        process::exit(3);
    }
    if behaviour == Some(Behaviour::Chatty) {
        println!("Chatty 1.0 by no one\n");
    }
    let (mut fen, mut moves) = (String::new(), Vec::new());
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["uci"] if speaks_uci => println!("id name Broken\nuciok"),
            ["isready"] if speaks_uci => println!("readyok"),
            ["position", "fen", ref rest @ ..] if speaks_uci => {
                let at = rest.iter().position(|word| *word == "moves").unwrap_or(rest.len());
                fen = rest[..at].join(" ");
                moves = rest[at..].iter().skip(1).map(|word| (*word).to_owned()).collect();
            }
            ["go", "perft", depth] if speaks_uci => patient.answer(&fen, &moves, depth)?,
            ["perft", ref fen @ .., depth] if !speaks_uci => patient.answer(&fen.join(" "), &[], depth)?,
            _ => {}
        }
        io::stdout().flush()?;
    }
    Ok(())
}

impl Patient {
    fn answer(&self, fen: &str, moves: &[String], depth: &str) -> io::Result<()> {
        let Patient { language, bug, behaviour } = *self;
        let (Some(mut board), Ok(depth)) = (Board::from_fen(fen, bug), depth.parse::<u32>()) else { return Ok(()) };
        for text in moves {
            if let Some(step) = board.moves().into_iter().find(|step| step.to_string() == *text) {
                board = board.make(&step);
            }
        }
        let mentions_castling = fen.starts_with("r3k2r") || fen.contains("R3K2R ");
        let mut out = io::stdout().lock();
        match behaviour {
            Some(Behaviour::CrashOnEnPassant) if fen.contains("6 0 1") || fen.contains("3 0 1") => {
                eprintln!("index out of bounds");
                process::exit(101);
            }
            Some(Behaviour::HangAtOnce) => forever(),
            Some(Behaviour::HangOnCastling) if mentions_castling => forever(),
            Some(Behaviour::Nonsense) if mentions_castling => return writeln!(out, "e2e4 twenty"),
            Some(Behaviour::NonsenseAtOnce) => return writeln!(out, "I would rather play draughts"),
            Some(Behaviour::Flood) => loop {
                writeln!(out, "e2e4 20")?;
            },
            Some(Behaviour::FloodOneLine) => loop {
                write!(out, "e2e4 20 ")?;
            },
            Some(Behaviour::HalfLine) => {
                write!(out, "e2e4")?;
                out.flush()?;
                forever();
            }
            Some(Behaviour::CloseOutput) => close_output_and_stay(),
            Some(Behaviour::Search) => return writeln!(out, "info depth 1 score cp 20 pv e2e4\nbestmove e2e4"),
            _ => {}
        }
        let divide = board.divide(depth);
        let sum: u64 = divide.iter().map(|(_, count)| count).sum();
        if behaviour == Some(Behaviour::Slow) && sum > 1000 {
            forever();
        }
        for (mv, count) in divide {
            writeln!(out, "{mv} {count}")?;
        }
        match behaviour {
            Some(Behaviour::Chatty) => writeln!(out, "  total   {sum}  "),
            Some(Behaviour::WrongTotal) => writeln!(out, "total {}", sum + 1),
            Some(Behaviour::NoTotal) => Ok(()),
            _ if language == Language::Uci => writeln!(out, "\nNodes searched: {sum}"),
            _ => writeln!(out),
        }
    }
}

fn forever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

/// Hands the output to a child that ends, which is the only way to close it without unsafe code: the program is
/// replaced by one that sleeps, with its output closed.
#[cfg(unix)]
fn close_output_and_stay() -> ! {
    use std::os::unix::process::CommandExt;
    let error = process::Command::new("sh").args(["-c", "exec >&- 2>&-; sleep 60"]).exec();
    eprintln!("{error}");
    process::exit(1);
}

#[cfg(not(unix))]
fn close_output_and_stay() -> ! {
    process::exit(0);
}
