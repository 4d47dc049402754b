//! What an engine says to a GUI.

use std::fmt;

use crate::words::{Reading, Words, one_line};
use crate::{EngineOption, Info};

/// A line from the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// What the engine is called.
    Name(String),
    /// Who wrote it.
    Author(String),
    /// An option it has.
    Option(EngineOption),
    /// Everything about the engine has been told.
    UciOk,
    /// Everything before has been done.
    ReadyOk,
    /// What the engine tells of its search.
    Info(Box<Info>),
    /// The answer to `go`.
    BestMove {
        /// The move to play; none if there is no legal move.
        best: Option<String>,
        /// The reply to ponder on.
        ponder: Option<String>,
    },
    /// How the check of the copy protection went.
    CopyProtection(Status),
    /// How the registration went.
    Registration(Status),
    /// Something else.
    Unknown(String),
}

/// How a check went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It has begun.
    Checking,
    /// Well.
    Ok,
    /// Badly.
    Error,
}

/// How an engine writes that there is no move.
const NO_MOVE: &str = "0000";

impl Message {
    /// A line of text for people.
    pub fn text(text: impl Into<String>) -> Message {
        Info::text(text).into()
    }

    /// Reads a line. A blank line says nothing.
    pub fn read(line: &str) -> Option<Reading<Message>> {
        let line = one_line(line);
        let mut words = Words::new(&line);
        let message = match words.next()? {
            "id" => match words.next() {
                Some("name") => Some(Message::Name(words.text().to_owned())),
                Some("author") => Some(Message::Author(words.text().to_owned())),
                _ => {
                    words.complain("id wants name or author");
                    None
                }
            },
            "option" => EngineOption::read(&mut words).map(Message::Option),
            "uciok" => Some(Message::UciOk),
            "readyok" => Some(Message::ReadyOk),
            "info" => Some(Info::read(&mut words).into()),
            "bestmove" => read_best_move(&mut words),
            "copyprotection" => Status::read(&mut words, "copyprotection").map(Message::CopyProtection),
            "registration" => Status::read(&mut words, "registration").map(Message::Registration),
            _ => None,
        };
        Some(words.reading(message.unwrap_or_else(|| Message::Unknown(line.trim().to_owned()))))
    }
}

fn read_best_move(words: &mut Words) -> Option<Message> {
    // Engines spell it in several ways that they have no move.
    let read = |word: &str| (!matches!(word, NO_MOVE | "(none)" | "none" | "NULL")).then(|| word.to_owned());
    let Some(best) = words.next().map(read) else {
        words.complain("bestmove lacks the move");
        return None;
    };
    let ponder = match words.next() {
        Some("ponder") => words.next().and_then(read),
        Some(word) => {
            words.complain(format!("bestmove knows no {word:?}"));
            None
        }
        None => None,
    };
    Some(Message::BestMove { best, ponder })
}

impl Status {
    fn read(words: &mut Words, name: &str) -> Option<Status> {
        match words.next() {
            Some("checking") => Some(Status::Checking),
            Some("ok") => Some(Status::Ok),
            Some("error") => Some(Status::Error),
            _ => {
                words.complain(format!("{name} wants checking, ok or error"));
                None
            }
        }
    }
}

impl From<Info> for Message {
    fn from(info: Info) -> Message {
        Message::Info(Box::new(info))
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Status::Checking => "checking",
            Status::Ok => "ok",
            Status::Error => "error",
        })
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Name(name) => write!(f, "id name {}", one_line(name)),
            Message::Author(author) => write!(f, "id author {}", one_line(author)),
            Message::Option(option) => option.fmt(f),
            Message::UciOk => f.write_str("uciok"),
            Message::ReadyOk => f.write_str("readyok"),
            Message::Info(info) => info.fmt(f),
            Message::BestMove { best, ponder } => {
                write!(f, "bestmove {}", best.as_deref().unwrap_or(NO_MOVE))?;
                ponder.as_ref().map_or(Ok(()), |ponder| write!(f, " ponder {ponder}"))
            }
            Message::CopyProtection(status) => write!(f, "copyprotection {status}"),
            Message::Registration(status) => write!(f, "registration {status}"),
            Message::Unknown(line) => f.write_str(&one_line(line)),
        }
    }
}
