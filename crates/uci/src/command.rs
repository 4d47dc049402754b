//! What a GUI says to an engine.

use std::fmt;

use crate::words::{Reading, Words, abridged, one_line};
use crate::{Go, PositionCommand, suggest};

/// A line from the GUI, or from a person at the keyboard.
///
/// From [`Display`](Command::Display) on, the commands are no part of the protocol: they are for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Tell the name and the options of the engine.
    Uci,
    /// Whether to say how each command was understood.
    Debug(bool),
    /// Answer once everything before is done.
    IsReady,
    /// Change an option.
    SetOption {
        /// The name as told; letter case does not matter.
        name: String,
        /// The value; a button has none.
        value: Option<String>,
    },
    /// Register with a name and a code, or `later`.
    Register(String),
    /// What follows belongs to another game.
    NewGame,
    /// Set up a position.
    Position(PositionCommand),
    /// Search.
    Go(Go),
    /// Stop searching and answer.
    Stop,
    /// The opponent played the expected move.
    PonderHit,
    /// Leave.
    Quit,
    /// Draw the board.
    Display,
    /// Show the static evaluation.
    Eval,
    /// Search a fixed set of positions and count.
    Bench {
        /// How deep, if not the default.
        depth: Option<u64>,
    },
    /// Count the positions after so many plies.
    Perft {
        /// How many plies.
        depth: u64,
    },
    /// Turn the board around: the players change colors.
    Flip,
    /// Explain the commands, or one of them.
    Help {
        /// The command to explain.
        topic: Option<String>,
    },
    /// Show what a move wins by captures on its square.
    See {
        /// The move, as engines or people write it.
        mv: String,
    },
    /// Something else.
    Unknown {
        /// The line.
        line: String,
        /// The command that was perhaps meant.
        suggestion: Option<&'static str>,
    },
}

/// The commands of the protocol. They are understood after words that are not.
const PROTOCOL: [&str; 11] =
    ["uci", "debug", "isready", "setoption", "register", "ucinewgame", "position", "go", "stop", "ponderhit", "quit"];

/// The commands for people. They stand at the beginning of a line, or they are words like any other.
const EXTRAS: [&str; 7] = ["d", "eval", "bench", "perft", "flip", "help", "see"];

impl Command {
    /// The first word of every command there is.
    pub const NAMES: [&str; PROTOCOL.len() + EXTRAS.len()] = {
        let mut names = [""; PROTOCOL.len() + EXTRAS.len()];
        let mut i = 0;
        while i < names.len() {
            names[i] = if i < PROTOCOL.len() { PROTOCOL[i] } else { EXTRAS[i - PROTOCOL.len()] };
            i += 1;
        }
        names
    };

    /// Reads a line. A blank line says nothing.
    pub fn read(line: &str) -> Option<Reading<Command>> {
        let line = one_line(line);
        let mut words = Words::new(&line);
        let first = words.peek()?;
        if !EXTRAS.contains(&first) {
            while words.peek().is_some_and(|word| !PROTOCOL.contains(&word)) {
                words.next();
            }
        }
        let command = match words.next() {
            Some(name) => Command::read_named(name, &mut words),
            None => Command::Unknown { line: line.trim().to_owned(), suggestion: suggest(first, Command::NAMES) },
        };
        Some(words.reading(command))
    }

    fn read_named(name: &str, words: &mut Words) -> Command {
        match name {
            "uci" => Command::Uci,
            "debug" => Command::Debug(match words.next() {
                Some("on") => true,
                Some("off") => false,
                _ => {
                    words.complain("debug wants on or off");
                    false
                }
            }),
            "isready" => Command::IsReady,
            "setoption" => read_option(words),
            "register" => Command::Register(words.text().to_owned()),
            "ucinewgame" => Command::NewGame,
            "position" => Command::Position(PositionCommand::read(words)),
            "go" => Command::Go(Go::read(words)),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            "d" => Command::Display,
            "eval" => Command::Eval,
            "bench" => Command::Bench { depth: words.peek().and_then(|_| words.number("bench", |_| false)) },
            "perft" => Command::Perft { depth: words.number("perft", |_| false).unwrap_or(1) },
            "flip" => Command::Flip,
            "help" => Command::Help { topic: words.next().map(str::to_owned) },
            "see" => Command::See { mv: words.next().unwrap_or_default().to_owned() },
            _ => Command::Unknown { line: format!("{name} {}", words.text()), suggestion: None },
        }
    }
}

fn read_option(words: &mut Words) -> Command {
    match words.peek() {
        Some("name") => _ = words.next(),
        _ => words.complain("setoption wants name before the option's name"),
    }
    let name = words.until(|word| word == "value").join(" ");
    let value = words.next().map(|_| match words.text() {
        "<empty>" => String::new(),
        text => text.to_owned(),
    });
    if name.is_empty() {
        words.complain(format!(
            "setoption names no option{}",
            match &value {
                Some(value) => format!(" for the value {:?}", abridged(value)),
                None => String::new(),
            }
        ));
    }
    Command::SetOption { name, value }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::Debug(true) => f.write_str("debug on"),
            Command::Debug(false) => f.write_str("debug off"),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value } => {
                write!(f, "setoption name {}", one_line(name))?;
                match value.as_deref() {
                    None => Ok(()),
                    Some("") => f.write_str(" value <empty>"),
                    Some(value) => write!(f, " value {}", one_line(value)),
                }
            }
            Command::Register(text) => write!(f, "register {}", one_line(text)),
            Command::NewGame => f.write_str("ucinewgame"),
            Command::Position(position) => position.fmt(f),
            Command::Go(go) => go.fmt(f),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
            Command::Display => f.write_str("d"),
            Command::Eval => f.write_str("eval"),
            Command::Bench { depth: None } => f.write_str("bench"),
            Command::Bench { depth: Some(depth) } => write!(f, "bench {depth}"),
            Command::Perft { depth } => write!(f, "perft {depth}"),
            Command::Flip => f.write_str("flip"),
            Command::Help { topic: None } => f.write_str("help"),
            Command::Help { topic: Some(topic) } => write!(f, "help {topic}"),
            Command::See { mv } => write!(f, "see {mv}"),
            Command::Unknown { line, .. } => f.write_str(&one_line(line)),
        }
    }
}
