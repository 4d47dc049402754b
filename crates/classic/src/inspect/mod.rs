//! A look into the memory of a board, as its author drew it.
//!
//! Each board describes its own memory here: its arrays as [tables](BoardTable), its integers as
//! [records](BoardRecord) of named and masked fields, and what a move wrote where. The description can be serialised,
//! and is all that a terminal or a page needs to draw the board; neither knows anything about the boards themselves.
//!
//! ```
//! use saavedra_classic::{BoardKind, inspect::InspectRequest};
//!
//! let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse()?;
//! let moves = ["e2e4".parse()?];
//! let found = BoardKind::Mailbox.inspect(&InspectRequest::new(&start, &moves))?;
//! let played = &found.steps[0];
//! assert_eq!(played.mv.integer, Some(35 | 55 << 7 | 0x80000));
//! assert_eq!((played.mv.fields[0].name, played.mv.fields[0].value.as_str()), ("from", "35"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bitboard;
mod bits;
mod question;
mod snapshot;

use std::fmt;

use rules::Square;

use crate::{Board, IllegalMove, UciMove};

pub use bits::{BitFlip, UnknownPlace};
pub use question::{BoardStep, InspectError, InspectRequest, Inspection, StepSelection};
pub use snapshot::{
    BoardRecord, BoardTable, CellKind, KeyPart, KeyUpdate, KeyWay, Layout, RecordField, Snapshot, TableCell, TableRow,
};

/// A board that can be looked into.
pub trait Inspect: Board {
    /// Something in the memory of the board that consists of bits: a cell, a count, a word.
    type Place: Copy + fmt::Display;

    /// How the board keeps its key, and what a move does to it.
    const KEY: &'static str;

    /// Why a flipped bit may go unnoticed on this board.
    const SILENCE: &'static str;

    /// The bytes that the position takes, without the history.
    const BYTES: usize;

    /// The arrays.
    fn tables(&self) -> Vec<BoardTable>;

    /// Whatever else the board keeps about the position.
    fn state(&self) -> Vec<RecordField>;

    /// The move that was made last, as the board writes it.
    fn move_record(&self) -> Option<BoardRecord>;

    /// What the history says last: about the last move, or about the position the board was set up with.
    fn history_record(&self) -> Option<BoardRecord>;

    /// Makes a move and tells what the board did.
    fn make_explained(&mut self, mv: UciMove) -> Result<MoveSteps, IllegalMove>;

    /// Every place there is, and how many bits it has.
    fn places(&self) -> Vec<(Self::Place, u32)>;

    /// The square that a bit of a place belongs to, if it belongs to one.
    fn square_of(place: Self::Place, bit: u32) -> Option<Square>;

    /// What happens if a bit is flipped.
    fn flip(&self, place: Self::Place, bit: u32) -> Flipped;

    /// Everything on the board that does not agree with something else.
    fn complaints(&self) -> Vec<String>;

    /// The memory as it is now.
    fn snapshot(&self) -> Snapshot {
        Snapshot {
            fen: self.fen(),
            bytes: Self::BYTES,
            tables: self.tables(),
            state: self.state(),
            history: self.history_record(),
            key: hex(self.key()),
        }
    }
}

/// What a board did when it made a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveSteps {
    /// What happened to lists and the like, in the order in which it happened.
    pub notes: Vec<String>,
    /// What went into the key, and what came out of it.
    pub parts: Vec<KeyPart>,
}

/// A board with a flipped bit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flipped {
    /// What the place held.
    pub before: u64,
    /// What it holds now.
    pub after: u64,
    /// The position that the board believes to be in.
    pub fen: String,
    /// What its check says.
    pub complaints: Vec<String>,
}

/// Sixty-four bits in hexadecimal digits. JSON readers would round a number of this size.
pub(crate) fn hex(word: u64) -> String {
    format!("{word:016x}")
}
