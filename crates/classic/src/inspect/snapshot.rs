//! The parts of a description: tables, records and the key.

use rules::{Piece, Square};
use serde::Serialize;

use super::hex;

/// The memory of a board at one moment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Snapshot {
    /// The position.
    pub fen: String,
    /// The bytes that the position takes, without the history.
    pub bytes: usize,
    /// The arrays.
    pub tables: Vec<BoardTable>,
    /// Whatever else is kept about the position.
    pub state: Vec<RecordField>,
    /// The last entry of the history.
    pub history: Option<BoardRecord>,
    /// The position key, in hexadecimal digits.
    pub key: String,
}

/// An array, laid out as its author drew it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = Table))]
pub struct BoardTable {
    /// The name in the program.
    pub name: &'static str,
    /// What it holds and how to read it.
    pub about: &'static str,
    /// What it looks like.
    pub layout: Layout,
    /// The rows from top to bottom.
    pub rows: Vec<TableRow>,
}

/// What a table looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// A board, one cell for each square, perhaps with a rim.
    Board,
    /// A board of single bits.
    Bits,
    /// Lists, one in each row.
    Lists,
    /// Machine words in hexadecimal digits, one in each row.
    Words,
}

/// A row of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TableRow {
    /// What the row is called.
    pub label: String,
    /// What is kept about the row elsewhere, such as the count of a list.
    pub note: Option<RecordField>,
    /// The cells from left to right.
    pub cells: Vec<TableCell>,
}

/// A cell of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TableCell {
    /// Its index in the array.
    pub index: usize,
    /// What it holds.
    pub value: String,
    /// What it held before the last move, if that was something else.
    pub was: Option<String>,
    /// The square it stands for, or the one that it names.
    pub square: Option<String>,
    /// The piece it stands for.
    pub piece: Option<char>,
    /// What it is good for.
    pub kind: CellKind,
}

/// What a cell is good for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum CellKind {
    /// It means something.
    Used,
    /// It says that there is nothing.
    Empty,
    /// It is part of the rim.
    Rim,
    /// It lies beyond the end of its list.
    Unused,
}

/// Fields that belong together: of one integer, of several, or of a structure.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BoardRecord {
    /// What it is called.
    pub name: String,
    /// The integer that the fields share, if they share one.
    pub integer: Option<u32>,
    /// How many bits of that integer are in use.
    pub bits: Option<u32>,
    /// The fields, as the document lists them.
    pub fields: Vec<RecordField>,
}

/// A field with a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RecordField {
    /// Its name in the program.
    pub name: &'static str,
    /// What it holds.
    pub value: String,
    /// What it held before the last move, if that was something else.
    pub was: Option<String>,
    /// What that means.
    pub meaning: String,
    /// The bits of the integer that belong to it.
    pub mask: Option<u32>,
    /// How far those bits are shifted.
    pub shift: Option<u32>,
}

/// What a move did to the position key.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct KeyUpdate {
    /// How this board keeps its key.
    pub about: &'static str,
    /// The key before the move, in hexadecimal digits.
    pub before: String,
    /// What was done to it, in order.
    pub parts: Vec<KeyPart>,
    /// The key after the move.
    pub after: String,
}

/// A number that goes into a key.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct KeyPart {
    /// What the number stands for.
    pub what: String,
    /// How it takes part.
    pub way: KeyWay,
    /// The number, in hexadecimal digits.
    pub number: String,
    /// The key once it has taken part.
    pub key: String,
}

/// How a number takes part in a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum KeyWay {
    /// By exclusive or; it was in the key and vanishes.
    Out,
    /// By exclusive or; it was not in the key.
    In,
    /// By exclusive or, and then all bits are stirred.
    Stirred,
}

impl KeyPart {
    /// The numbers that a key gains or loses by exclusive or, with the key after each.
    pub(crate) fn chain(before: u64, parts: impl IntoIterator<Item = (String, KeyWay, u64)>) -> Vec<KeyPart> {
        let mut key = before;
        let mut part = |(what, way, number)| {
            key ^= number;
            KeyPart { what, way, number: hex(number), key: hex(key) }
        };
        parts.into_iter().map(&mut part).collect()
    }
}

impl TableCell {
    pub(crate) fn new(index: usize, value: impl ToString, kind: CellKind) -> TableCell {
        TableCell { index, value: value.to_string(), was: None, square: None, piece: None, kind }
    }

    /// The same cell for a square.
    pub(crate) fn on(self, square: Option<Square>) -> TableCell {
        TableCell { square: square.map(|square| square.to_string()), ..self }
    }

    /// The same cell with a piece in it.
    pub(crate) fn holding(self, piece: Option<Piece>) -> TableCell {
        TableCell { piece: piece.map(Piece::letter), ..self }
    }
}

impl TableRow {
    pub(crate) fn new(label: impl ToString, cells: impl IntoIterator<Item = TableCell>) -> TableRow {
        TableRow { label: label.to_string(), note: None, cells: cells.into_iter().collect() }
    }

    pub(crate) fn with_note(self, note: RecordField) -> TableRow {
        TableRow { note: Some(note), ..self }
    }
}

impl RecordField {
    pub(crate) fn new(name: &'static str, value: impl ToString, meaning: impl ToString) -> RecordField {
        let (value, meaning) = (value.to_string(), meaning.to_string());
        RecordField { name, value, was: None, meaning, mask: None, shift: None }
    }

    /// The field of an integer that a mask cuts out. What it holds is read from the integer.
    pub(crate) fn masked(name: &'static str, integer: u32, mask: u32, meaning: impl ToString) -> RecordField {
        let shift = mask.trailing_zeros();
        RecordField {
            mask: Some(mask),
            shift: Some(shift),
            ..RecordField::new(name, (integer & mask) >> shift, meaning)
        }
    }
}

impl BoardRecord {
    pub(crate) fn new(name: impl ToString, fields: Vec<RecordField>) -> BoardRecord {
        BoardRecord { name: name.to_string(), integer: None, bits: None, fields }
    }

    /// An integer whose fields these are.
    pub(crate) fn of_integer(name: impl ToString, integer: u32, bits: u32, fields: Vec<RecordField>) -> BoardRecord {
        BoardRecord { integer: Some(integer), bits: Some(bits), ..BoardRecord::new(name, fields) }
    }
}

impl Snapshot {
    /// Marks what was different before.
    #[must_use]
    pub fn compared_with(mut self, before: &Snapshot) -> Snapshot {
        for (table, old) in self.tables.iter_mut().zip(&before.tables) {
            for (row, old) in table.rows.iter_mut().zip(&old.rows) {
                for (cell, old) in row.cells.iter_mut().zip(&old.cells) {
                    cell.was = differing(&old.value, &cell.value);
                }
                if let (Some(note), Some(old)) = (&mut row.note, &old.note) {
                    note.was = differing(&old.value, &note.value);
                }
            }
        }
        for (field, old) in self.state.iter_mut().zip(&before.state) {
            field.was = differing(&old.value, &field.value);
        }
        self
    }
}

fn differing(old: &str, new: &str) -> Option<String> {
    (old != new).then(|| old.to_owned())
}
