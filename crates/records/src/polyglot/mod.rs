//! Polyglot opening books: looking positions up, choosing a move by weight, and making books.
//!
//! A book is a list of entries of sixteen bytes, in the order of their keys. The format is Fabien Letouzey's; it was
//! described by Michel Van den Bergh (<http://hgm.nubati.net/book_format.html>).

mod book;
mod builder;
mod entry;
mod key;
mod numbers;

pub use book::{Book, BookError, BookMove, BookMoves};
pub use builder::BookBuilder;
pub use entry::{Entry, RawMove};
pub use key::{key, key_after};
