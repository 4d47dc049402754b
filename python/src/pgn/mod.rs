//! Games in PGN: read as records, from which Python makes trees, or straight into columns.

mod filter;
mod reader;
mod record;

pub(crate) use filter::{Filter, tag};
pub(crate) use reader::{PgnReader, read_one_game};
pub(crate) use record::GameRecord;
