//! Portable Game Notation: games as text, read as they are found and written as they should be.
//!
//! Files are read in one pass, however large they are, and every move is checked against the rules:
//!
//! ```
//! use saavedra_records::pgn;
//!
//! let text = "[White \"Anderssen\"]\n\n1. e4 e5 2. f4 exf4 1-0\n\n1. e4 Ke7 0-1\n\n1. d4 {solid} d5 1/2-1/2";
//! let games: Vec<_> = pgn::games(text.as_bytes()).collect();
//! assert_eq!(games[0].as_ref().expect("a good game").game().moves().len(), 4);
//! assert_eq!(
//!     games[1].as_ref().expect_err("a bad one").to_string(),
//!     "game 2, line 5: Ke7 is not a legal move here"
//! );
//! assert_eq!(games[2].as_ref().expect("a good game").result(), pgn::PgnResult::Draw);
//! ```
//!
//! * [`games`] gives each game as a [`GameTree`], with its variations, comments, clocks and evaluations.
//! * A [`Reader`] tells a [`Visitor`] what it finds and keeps nothing: the fastest way through a file.
//! * A tree is written by its [`Display`](std::fmt::Display), in the export format of the standard.
//!
//! What real files hold is taken as it is meant: any line ends, missing tags and results, wrong move numbers, `0-0`,
//! `e.p.`, moves in UCI notation, text that is not UTF-8, empty lines anywhere. What cannot be understood spoils one
//! game: the reader says which game, which line and what was wrong, and goes on with the next.

mod annotation;
mod builder;
mod date;
mod lexer;
mod problem;
mod reader;
mod result;
mod tags;
mod text;
mod tree;
mod visitor;
mod writer;

pub use annotation::{Annotations, Eval, Evaluation};
pub use builder::{Games, games};
pub use date::{date_of, today, utc};
pub use problem::{Flaw, PgnError, Problem};
pub use reader::{Reader, Report};
pub use result::PgnResult;
pub use tags::Tags;
pub use text::{CommentText, TagText};
pub use tree::{GameTree, Nag, Node, NodeId};
pub use visitor::{Interest, Visitor};
pub use writer::movetext;
