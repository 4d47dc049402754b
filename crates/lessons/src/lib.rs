#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod explanation;
mod opening;
mod table;

pub use explanation::{Explanation, Step, Xray};
pub use table::Table;

/// The rules of chess, whose types the lessons speak in.
pub use rules;
