#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod board;
mod document;
mod explanation;
mod table;

pub use document::Rules;
pub use explanation::{ExchangeStep, Explanation, Xray};
pub use table::ExchangeTable;

/// The rules of chess, whose types the lessons speak in.
pub use rules;
