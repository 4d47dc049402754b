//! The Universal Chess Interface as types that parse and print, for both sides of the pipe.
//!
//! A GUI speaks [`Command`]s, an engine answers with [`Message`]s, one line each. Both are read as the protocol demands:
//! what makes no sense is skipped and complained about, never fatal. Both print themselves, so that an engine and whoever
//! drives engines share one description of the protocol.
//!
//! ```
//! use saavedra_uci::{Command, Message};
//!
//! let reading = Command::read("joho go infinite depht 5 depth 7").expect("the line is not blank");
//! assert_eq!(reading.value.to_string(), "go depth 7 infinite");
//! assert_eq!(reading.complaints, ["go knows no \"depht\"", "go knows no \"5\""]);
//!
//! let reading = Message::read("bestmove e2e4 ponder e7e5").expect("the line is not blank");
//! assert_eq!(reading.value, Message::BestMove { best: Some("e2e4".into()), ponder: Some("e7e5".into()) });
//! ```
//!
//! Moves are text at this level, because only a position tells what they mean. [`History::game`] makes a game of a
//! `position` command, and [`Castling`] writes moves the way the other side expects.

mod command;
mod go;
mod history;
mod info;
mod message;
mod setting;
mod suggestion;
mod words;

pub use command::Command;
pub use go::Go;
pub use history::{Castling, History, HistoryError, Start};
pub use info::{Bound, CurrentLine, Info, Score, Value};
pub use message::{Message, Status};
pub use setting::{Kind, Setting};
pub use suggestion::suggest;
pub use words::Reading;
