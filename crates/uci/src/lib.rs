#![doc = include_str!("../README.md")]
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
pub use interface::{Bound, UciScore};
pub use message::{Message, Status};
pub use option::{EngineOption, OptionKind};
pub use position::{Castling, PositionCommand, PositionError, Start};
pub use suggestion::suggest;
pub use words::Reading;
