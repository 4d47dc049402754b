//! The Universal Chess Interface as types that parse and print, for both sides of the pipe.
//!
//! A GUI speaks [`Command`]s, an engine answers with [`Message`]s, one line each. Both are read as the protocol demands:
//! what makes no sense is skipped and complained about, never fatal. Both print themselves, so that an engine and a program
//! that drives engines share one description of the protocol.
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
//! Moves are text at this level, because only a position tells what they mean. [`PositionCommand::game`] makes a game
//! of a `position` command, and [`Castling`] writes moves the way the other side expects. [`Go::limits`] and [`Info::line`]
//! translate to the types that searches use, [`Go::new`] and [`Info::of_line`] from them.

#![forbid(unsafe_code)]

mod command;
mod go;
mod info;
mod limits;
mod line;
mod message;
mod option;
mod position;
mod suggestion;
mod words;

pub use command::Command;
pub use go::Go;
pub use info::{CurrentLine, Info};
pub use interface::{Bound, Verdict};
pub use message::{Message, Status};
pub use option::{EngineOption, OptionKind};
pub use position::{Castling, PositionCommand, PositionError, Start};
pub use suggestion::suggest;
pub use words::Reading;
