//! The memory of the mailbox: 120 cells, the piece lists with their counts, and what a move does to them.

use std::fmt;

use rules::{Color, Piece, Square};

use super::cells::{Cell, Content};
use super::watch::{KeyNumber, ListChange, Watcher};
use super::{Mailbox, Move, PLACES, UndoRecord as Entry, keys};
use crate::inspect::{
    BoardRecord, BoardTable, CellKind, Flipped, Inspect, KeyPart, KeyWay, Layout, MoveSteps, RecordField, TableCell,
    TableRow, hex,
};
use crate::{Board, IllegalMove, UciMove};

/// Something in the memory of a mailbox.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A cell.
    Cell(usize),
    /// A place of the piece list.
    List(usize),
    /// The count of a piece.
    Count(usize),
    /// The material of a player.
    Material(Color),
    /// The player to move.
    Side,
    /// The castling permission.
    Castling,
    /// The en-passant square; the bit above it says whether there is one.
    EnPassant,
    /// The fifty-move count.
    Fifty,
    /// The position key.
    Key,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Cell(index) => write!(f, "cells[{index}]"),
            Place::List(index) => write!(f, "list[{index}]"),
            Place::Count(index) => write!(f, "count[{index}]"),
            Place::Material(color) => write!(f, "material[{color}]"),
            Place::Side => f.write_str("side"),
            Place::Castling => f.write_str("castling"),
            Place::EnPassant => f.write_str("en_passant"),
            Place::Fifty => f.write_str("fifty"),
            Place::Key => f.write_str("key"),
        }
    }
}

impl Mailbox {
    fn cells_table(&self) -> BoardTable {
        let cell = |index: usize| {
            let content = self.cells[index];
            let kind = match content {
                Content::RIM => CellKind::Rim,
                Content::EMPTY => CellKind::Empty,
                _ => CellKind::Used,
            };
            let square = Cell::from_bits(index as u32).square();
            TableCell::new(index, content.code(), kind).on(square).holding(content.piece())
        };
        BoardTable {
            name: "cells",
            about: "120 cells, ten in a row: 0 empty, 1 to 6 White's P N B R Q K, 7 to 12 Black's, 13 the rim",
            layout: Layout::Board,
            rows: (0..12).rev().map(|row| TableRow::new(10 * row, (10 * row..10 * row + 10).map(cell))).collect(),
        }
    }

    fn list_table(&self) -> BoardTable {
        let row = |code: usize| {
            let count = usize::from(self.count[code]);
            let cell = |place: usize| {
                let listed = self.list[PLACES * code + place];
                let kind = if place < count { CellKind::Used } else { CellKind::Unused };
                TableCell::new(PLACES * code + place, listed.index(), kind).on(listed.square())
            };
            let label = format!("{} {}", short_name(Content::from_bits(code as u32)), PLACES * code);
            TableRow::new(label, (0..PLACES).map(cell)).with_note(RecordField::new(
                "count",
                count,
                format!("count[{code}], so list[{}] to list[{}]", PLACES * code, PLACES * code + PLACES - 1),
            ))
        };
        BoardTable {
            name: "list",
            about: "ten places for each piece: list[10 * piece + n] is its cell, for n below its count",
            layout: Layout::Lists,
            rows: (1..Content::CODES).map(row).collect(),
        }
    }
}

/// The words for a cell and for what stands in it.
fn on(cell: Cell) -> String {
    cell.square().map_or_else(|| format!("cell {}", cell.index()), |square| square.to_string())
}

fn name(content: Content) -> String {
    content.piece().map_or_else(|| "none".to_owned(), |piece| piece.to_string())
}

/// The name that the document gives a piece: `wP`, `bN`.
fn short_name(content: Content) -> String {
    let short = |piece: Piece| format!("{}{}", piece.color.letter(), piece.role.upper_letter());
    content.piece().map_or_else(String::new, short)
}

fn square(square: Option<Square>) -> String {
    square.map_or_else(|| "none".to_owned(), |square| square.to_string())
}

fn permission(bits: u8) -> String {
    let letters: String =
        "KQkq".chars().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, it)| it).collect();
    if letters.is_empty() { "none".to_owned() } else { letters }
}

fn flag(is_set: bool) -> &'static str {
    if is_set { "yes" } else { "no" }
}

fn fields(mv: Move) -> Vec<RecordField> {
    let field = |name, mask, meaning: String| RecordField::masked(name, mv.bits(), mask, meaning);
    vec![
        field("from", 0x7f, on(mv.from())),
        field("to", 0x3f80, on(mv.to())),
        field("captured", 0x3_c000, name(mv.captured())),
        field("en passant", Move::EN_PASSANT, flag(mv.is_en_passant()).to_owned()),
        field("pawn start", Move::PAWN_START, flag(mv.is_pawn_start()).to_owned()),
        field("promoted", 0xf0_0000, name(mv.promoted())),
        field("castle", Move::CASTLE, flag(mv.is_castle()).to_owned()),
    ]
}

/// Writes down what happens.
struct Notes {
    lists: Vec<String>,
    numbers: Vec<(String, KeyWay, u64)>,
}

impl Notes {
    fn note(&mut self, way: KeyWay, number: KeyNumber) {
        let (what, number) = match number {
            KeyNumber::Piece(content, cell) => {
                (format!("{} on {}", name(content), on(cell)), keys::piece(content, cell))
            }
            KeyNumber::EnPassant(None) => return,
            KeyNumber::EnPassant(some) => (format!("en passant on {}", square(some)), keys::en_passant(some)),
            KeyNumber::Castling(bits) => {
                (format!("castling permission {bits} ({})", permission(bits)), keys::castling(bits))
            }
            KeyNumber::WhiteToMove => ("white to move".to_owned(), keys::side(Color::White)),
        };
        self.numbers.push((what, way, number));
    }
}

impl Watcher for Notes {
    fn taken_out(&mut self, number: KeyNumber) {
        self.note(KeyWay::Out, number);
    }

    fn put_in(&mut self, number: KeyNumber) {
        self.note(KeyWay::In, number);
    }

    fn listed(&mut self, piece: Content, change: ListChange) {
        let (name, code) = (name(piece), piece.code());
        let count = |last: usize| last - PLACES * piece.index();
        let text = match change {
            ListChange::Moved { place, from, to } => {
                format!("list[{place}], a {name}: {} {} becomes {} {}", from.index(), on(from), to.index(), on(to))
            }
            ListChange::Removed { place, cell, last_place, last_cell } if place == last_place => {
                let _ = last_cell;
                let (now, was) = (count(last_place), count(last_place) + 1);
                format!(
                    "list[{place}], the last {name}, {} {}: count[{code}] goes from {was} to {now}",
                    cell.index(),
                    on(cell)
                )
            }
            ListChange::Removed { place, cell, last_place, last_cell } => {
                let (now, was) = (count(last_place), count(last_place) + 1);
                format!(
                    "list[{place}], a {name}, {} {}, changes places with the last, list[{last_place}], {} {}: \
                     count[{code}] goes from {was} to {now}",
                    cell.index(),
                    on(cell),
                    last_cell.index(),
                    on(last_cell)
                )
            }
            ListChange::Added { place, cell } => {
                let was = count(place);
                format!(
                    "list[{place}] takes a {name}, {} {}: count[{code}] goes from {was} to {}",
                    cell.index(),
                    on(cell),
                    was + 1
                )
            }
        };
        self.lists.push(text);
    }
}

impl Inspect for Mailbox {
    type Place = Place;

    const KEY: &'static str = "kept, and brought up to date by every piece that comes or goes";

    const SILENCE: &'static str =
        "The check does not notice: the place is beyond the end of its list, or kept only once.";

    const BYTES: usize = size_of::<[Content; Cell::COUNT]>()
        + size_of::<[Cell; PLACES * Content::CODES]>()
        + size_of::<[u8; Content::CODES]>()
        + size_of::<[i32; 2]>()
        + size_of::<(Color, u8, Option<Square>, u16, u64)>();

    fn tables(&self) -> Vec<BoardTable> {
        vec![self.cells_table(), self.list_table()]
    }

    fn state(&self) -> Vec<RecordField> {
        vec![
            RecordField::new("side", self.turn as u8, self.turn),
            RecordField::new("castling", self.castling, permission(self.castling)),
            RecordField::new(
                "en passant",
                self.en_passant.map_or(0, |at| Cell::of(at).index()),
                square(self.en_passant),
            ),
            RecordField::new("fifty", self.fifty, "moves since the last capture or pawn move"),
            RecordField::new("material white", self.material(Color::White), "the sum of White's pieces"),
            RecordField::new("material black", self.material(Color::Black), "the sum of Black's pieces"),
            RecordField::new("ply", self.ply(), "entries in the history"),
        ]
    }

    fn move_record(&self) -> Option<BoardRecord> {
        let mv = self.history.last()?.mv;
        Some(BoardRecord::of_integer("move", mv.bits(), 25, fields(mv)))
    }

    fn history_record(&self) -> Option<BoardRecord> {
        let Entry { mv, key, en_passant, fifty, castling } = *self.history.last()?;
        let en_passant_cell = en_passant.map_or(0, |at| Cell::of(at).index());
        Some(BoardRecord::new(
            format!("history[{}]", self.history.len() - 1),
            vec![
                RecordField::new("move", format!("{:#x}", mv.bits()), mv.plain()),
                RecordField::new("key", hex(key), "before the move"),
                RecordField::new("en passant", en_passant_cell, square(en_passant)),
                RecordField::new("fifty", fifty, "before the move"),
                RecordField::new("castling", castling, permission(castling)),
            ],
        ))
    }

    fn make_explained(&mut self, mv: UciMove) -> Result<MoveSteps, IllegalMove> {
        let before = self.key;
        let mut notes = Notes { lists: Vec::new(), numbers: Vec::new() };
        self.make_watched(mv, &mut notes)?;
        Ok(MoveSteps { notes: notes.lists, parts: KeyPart::chain(before, notes.numbers) })
    }

    fn places(&self) -> Vec<(Place, u32)> {
        let cells = (0..Cell::COUNT).map(|index| (Place::Cell(index), 8));
        let list = (PLACES..PLACES * Content::CODES).map(|index| (Place::List(index), 8));
        let counts = (1..Content::CODES).map(|index| (Place::Count(index), 8));
        let rest = [
            (Place::Material(Color::White), 32),
            (Place::Material(Color::Black), 32),
            (Place::Side, 1),
            (Place::Castling, 8),
            (Place::EnPassant, 7),
            (Place::Fifty, 16),
            (Place::Key, 64),
        ];
        cells.chain(list).chain(counts).chain(rest).collect()
    }

    fn square_of(place: Place, _bit: u32) -> Option<Square> {
        match place {
            Place::Cell(index) => Cell::from_bits(index as u32).square(),
            _ => None,
        }
    }

    fn flip(&self, place: Place, bit: u32) -> Flipped {
        let before = self.read(place);
        let mut board = self.clone();
        board.flip_bit(place, bit);
        Flipped { before, after: board.read(place), fen: board.fen(), complaints: board.complaints() }
    }

    fn complaints(&self) -> Vec<String> {
        match self.check() {
            Ok(()) => Vec::new(),
            Err(failed) => failed.disagreements().iter().map(ToString::to_string).collect(),
        }
    }
}

/// The bits of an en-passant square: six for the square, and one above them if there is none.
const NO_SQUARE: u64 = 64;

impl Mailbox {
    /// The bits that a place holds.
    fn read(&self, place: Place) -> u64 {
        match place {
            Place::Cell(index) => self.cells[index].code().into(),
            Place::List(index) => self.list[index].index() as u64,
            Place::Count(index) => self.count[index].into(),
            Place::Material(color) => u64::from(self.material[color as usize] as u32),
            Place::Side => self.turn as u64,
            Place::Castling => self.castling.into(),
            Place::EnPassant => self.en_passant.map_or(NO_SQUARE, |square| square.index() as u64),
            Place::Fifty => self.fifty.into(),
            Place::Key => self.key,
        }
    }

    fn flip_bit(&mut self, place: Place, bit: u32) {
        match place {
            Place::Cell(index) => self.cells[index] = self.cells[index].with_flipped(bit),
            Place::List(index) => self.list[index] = self.list[index].with_flipped(bit),
            Place::Count(index) => self.count[index] ^= 1 << bit,
            Place::Material(color) => self.material[color as usize] ^= 1 << bit,
            Place::Side => self.turn = !self.turn,
            Place::Castling => self.castling ^= 1 << bit,
            Place::EnPassant => {
                let bits = self.read(place) ^ 1 << bit;
                // Without a square the six bits below mean nothing, so that the topmost alone makes a difference.
                self.en_passant = Square::ALL.get(bits as usize).copied();
            }
            Place::Fifty => self.fifty ^= 1 << bit,
            Place::Key => self.key ^= 1 << bit,
        }
    }

    /// Whether the check compares a place with something else, so that it must notice a flipped bit.
    #[cfg(test)]
    fn is_checked(&self, place: Place, bit: u32) -> bool {
        match place {
            Place::List(index) => index % PLACES < usize::from(self.count[index / PLACES]),
            Place::EnPassant => self.en_passant.is_some() || bit == 6,
            Place::Fifty => false,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use rules::Role;

    use super::*;

    /// Flips every bit of a board, and returns how many the check must find, does find, and there are.
    fn count_flips(fen: &str) -> [usize; 3] {
        let board = Mailbox::from_fen(fen).expect("a legal position");
        let mut counts = [0; 3];
        for (place, bits) in board.places() {
            for bit in 0..bits {
                let flipped = board.flip(place, bit);
                let is_found = !flipped.complaints.is_empty();
                assert_eq!(is_found, board.is_checked(place, bit), "bit {bit} of {place}: {flipped:?}");
                counts[0] += usize::from(board.is_checked(place, bit));
                counts[1] += usize::from(is_found);
                counts[2] += 1;
            }
        }
        counts
    }

    #[test]
    fn the_check_finds_every_flipped_bit_that_it_can_compare() {
        // 120 cells, 32 listed squares and 12 counts of 8 bits, two sums of 32, side, permission, presence of an
        // en-passant square, and key.
        let found = 120 * 8 + 32 * 8 + 12 * 8 + 2 * 32 + 1 + 8 + 1 + 64;
        let all = 120 * 8 + 120 * 8 + 12 * 8 + 2 * 32 + 1 + 8 + 7 + 16 + 64;
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(count_flips(start), [found, found, all]);
        let passing = "r3k2r/8/8/3Pp3/8/8/8/R3K2R w KQkq e6 0 1";
        let found = found - 32 * 8 + 8 * 8 + 6;
        assert_eq!(count_flips(passing), [found, found, all]);
    }

    #[test]
    fn a_list_shows_which_of_its_places_are_in_use() {
        let board = Mailbox::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").expect("a legal position");
        let rooks = &board.tables()[1].rows[Content::of(Role::Rook.of(Color::White)).index() - 1];
        let used: Vec<&str> =
            rooks.cells.iter().filter(|cell| cell.kind == CellKind::Used).map(|cell| cell.value.as_str()).collect();
        assert_eq!((used, rooks.cells[0].index), (vec!["21", "28"], 40));
    }
}
