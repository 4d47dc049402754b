//! The memory of the packed board: sixty-four nibbles in four words, and the history word.

use std::fmt;

use rules::{Color, Role, Square};

use super::cells::{Nibble, square_of};
use super::{HistoryWord, Move, MoveType, Packed, flag, king_home, number_of};
use crate::inspect::{
    BoardRecord, BoardTable, CellKind, Flipped, Inspect, KeyPart, KeyWay, Layout, MoveSteps, RecordField, TableCell,
    TableRow, hex,
};
use crate::random::number;
use crate::standard::{CASTLES, rook_home};
use crate::{Board, IllegalMove, UciMove};

/// Something in the memory of a packed board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A cell, by its number.
    Cell(u8),
    /// The last history word.
    History,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Cell(number) => write!(f, "cells[{number}]"),
            Place::History => f.write_str("history"),
        }
    }
}

fn cell(nibble: Nibble, number: u8, value: String) -> TableCell {
    let kind = if nibble == Nibble::EMPTY { CellKind::Empty } else { CellKind::Used };
    TableCell::new(number.into(), value, kind).on(Some(square_of(number))).holding(nibble.piece())
}

fn name(nibble: Nibble) -> String {
    match (nibble.piece(), nibble) {
        (Some(piece), _) => piece.to_string(),
        (None, Nibble::EMPTY) => "none".to_owned(),
        (None, _) => format!("nothing, by {}", nibble.team()),
    }
}

const fn type_name(kind: MoveType) -> &'static str {
    match kind {
        MoveType::Quiet => "move",
        MoveType::CastleKingSide => "castle (king side)",
        MoveType::CastleQueenSide => "castle (queen side)",
        MoveType::DoublePush => "double pawn push",
        MoveType::Capture => "capture",
        MoveType::EnPassantWhite => "en passant (white)",
        MoveType::EnPassantBlack => "en passant (black)",
        MoveType::Unused => "(unused)",
        MoveType::PromoteKnight => "promotion (knight)",
        MoveType::PromoteBishop => "promotion (bishop)",
        MoveType::PromoteRook => "promotion (rook)",
        MoveType::PromoteQueen => "promotion (queen)",
        MoveType::CapturePromoteKnight => "promotion capture (knight)",
        MoveType::CapturePromoteBishop => "promotion capture (bishop)",
        MoveType::CapturePromoteRook => "promotion capture (rook)",
        MoveType::CapturePromoteQueen => "promotion capture (queen)",
    }
}

/// The fields of a move, from the lowest bit up.
fn move_fields(mv: Move, piece: &'static str) -> Vec<RecordField> {
    let field = |name, mask, meaning: String| RecordField::masked(name, mv.bits(), mask, meaning);
    vec![
        field(piece, 0xf, name(mv.piece())),
        field("move type", 0xf0, type_name(mv.kind()).to_owned()),
        field("move to", 0x3f00, square_of(mv.to()).to_string()),
        field("move from", 0xf_c000, square_of(mv.from()).to_string()),
    ]
}

/// The fields of a history word: those of its move, and the ones above.
fn word_fields(word: HistoryWord) -> Vec<RecordField> {
    let mut fields = move_fields(word.mv(), "original piece");
    fields.push(RecordField::masked("captured piece", word.bits(), 0xf0_0000, name(word.captured())));
    let flags = [
        ("wc", flag::WHITE_CASTLED, "White has castled"),
        ("bc", flag::BLACK_CASTLED, "Black has castled"),
        ("wcm", flag::WHITE_KING_MOVED, "White's king has moved"),
        ("bcm", flag::BLACK_KING_MOVED, "Black's king has moved"),
        ("wckc", flag::WHITE_KING_SIDE, "White may castle king side"),
        ("bckc", flag::BLACK_KING_SIDE, "Black may castle king side"),
        ("wcqc", flag::WHITE_QUEEN_SIDE, "White may castle queen side"),
        ("bcqc", flag::BLACK_QUEEN_SIDE, "Black may castle queen side"),
    ];
    fields.extend(flags.map(|(name, mask, meaning)| RecordField::masked(name, word.bits(), mask, meaning)));
    fields
}

/// The words that go into the key, in their order.
const KEY_WORDS: [&str; 5] =
    ["castling rights, en passant and side", "cells 0 to 15", "cells 16 to 31", "cells 32 to 47", "cells 48 to 63"];

impl Inspect for Packed {
    type Place = Place;

    const KEY: &'static str =
        "not kept: computed from the words when it is asked for, each stirred into what came before";

    const SILENCE: &'static str = "The board does not notice: nothing else tells what stands here, and with this bit it is just another position.";

    const BYTES: usize = size_of::<[u64; 4]>() + size_of::<HistoryWord>();

    fn tables(&self) -> Vec<BoardTable> {
        let nibble = |number: u8| {
            let nibble = self.cells.at(number);
            cell(nibble, number, format!("{:04b}", nibble.bits()))
        };
        let digit = |number: u8| {
            let nibble = self.cells.at(number);
            cell(nibble, number, format!("{:x}", nibble.bits()))
        };
        let rows = (0..8).map(|row| TableRow::new(8 * row, (8 * row..8 * row + 8).map(nibble)));
        let words =
            (0..4).map(|word| TableRow::new(format!("word {word}"), (16 * word..16 * word + 16).rev().map(digit)));
        vec![
            BoardTable {
                name: "cells",
                about: "64 cells of four bits, square 0 is a8: piece in the upper three (1 to 6 P N B R Q K), team in the lowest",
                layout: Layout::Board,
                rows: rows.collect(),
            },
            BoardTable {
                name: "words",
                about: "the same cells as they lie in memory: sixteen to a word, cell 0 in the lowest digit of word 0",
                layout: Layout::Words,
                rows: words.collect(),
            },
        ]
    }

    fn state(&self) -> Vec<RecordField> {
        let passed = self.passed().map_or_else(|| "none".to_owned(), |passed| square_of(passed).to_string());
        let usable = if self.usable_passed().is_some() { "a pawn may take there" } else { "no pawn may take there" };
        vec![
            RecordField::new("side", self.side() as u8, format!("{}: not the team that moved last", self.side())),
            RecordField::new("passed", passed, format!("by a double push; {usable}")),
            RecordField::new("moves", self.history.len(), "words in the history"),
        ]
    }

    fn move_record(&self) -> Option<BoardRecord> {
        let mv = self.history.last()?.mv();
        Some(BoardRecord::of_integer("move", mv.bits(), 20, move_fields(mv, "piece")))
    }

    fn history_record(&self) -> Option<BoardRecord> {
        let name = match self.history.len() {
            0 => "the word of the set-up".to_owned(),
            moves => format!("history[{}]", moves - 1),
        };
        Some(BoardRecord::of_integer(name, self.top().bits(), 32, word_fields(self.top())))
    }

    fn make_explained(&mut self, mv: UciMove) -> Result<MoveSteps, IllegalMove> {
        self.make(mv)?;
        let mut key = 0;
        let parts = KEY_WORDS.into_iter().zip(self.key_words()).map(|(what, word)| {
            key = number(key ^ word);
            KeyPart { what: what.to_owned(), way: KeyWay::Stirred, number: hex(word), key: hex(key) }
        });
        Ok(MoveSteps { notes: Vec::new(), parts: parts.collect() })
    }

    fn places(&self) -> Vec<(Place, u32)> {
        (0..64).map(|number| (Place::Cell(number), 4)).chain([(Place::History, 32)]).collect()
    }

    fn square_of(place: Place, _bit: u32) -> Option<Square> {
        match place {
            Place::Cell(number) => Some(square_of(number)),
            Place::History => None,
        }
    }

    fn flip(&self, place: Place, bit: u32) -> Flipped {
        let mut board = self.clone();
        match place {
            Place::Cell(number) => board.cells.flip(number, bit),
            Place::History => {
                let top = board.history.last_mut().unwrap_or(&mut board.first);
                *top = top.with_flipped(bit);
            }
        }
        let read = |board: &Packed| match place {
            Place::Cell(number) => u64::from(board.cells.at(number).bits()),
            Place::History => u64::from(board.top().bits()),
        };
        Flipped { before: read(self), after: read(&board), fen: board.fen(), complaints: board.complaints() }
    }

    /// What can be compared: patterns with their meaning, the number of kings, the last history word with the cells.
    fn complaints(&self) -> Vec<String> {
        let mut found = Vec::new();
        for number in 0..64 {
            let nibble = self.cells.at(number);
            if nibble != Nibble::EMPTY && nibble.piece().is_none() {
                let at = square_of(number);
                found.push(format!("cell {number} ({at}) holds {:04b}, which means nothing", nibble.bits()));
            }
        }
        for color in Color::ALL {
            let kings = (0..64).filter(|&number| self.cells.at(number).is(Role::King, color)).count();
            if kings != 1 {
                found.push(format!("{color} has {kings} kings"));
            }
        }
        self.compare_flags(&mut found);
        self.compare_move(&mut found);
        found
    }
}

impl Packed {
    /// Compares the flags of the last history word with the cells and with each other.
    fn compare_flags(&self, found: &mut Vec<String>) {
        let has = |bits: u32| self.flags() & bits != 0;
        for color in Color::ALL {
            if has(flag::castled(color)) && !has(flag::king_moved(color)) {
                found.push(format!("{color} has castled, but the king has not moved"));
            }
        }
        for (color, side) in CASTLES.into_iter().filter(|&(color, side)| has(flag::may_castle(color, side))) {
            let rook = rook_home(color, side);
            if has(flag::king_moved(color)) {
                found.push(format!("{color} may castle {side}, but the king has moved"));
            }
            if !self.cells.at(king_home(color)).is(Role::King, color) {
                found.push(format!("{color} may castle {side}, but the king is not at home"));
            }
            if !self.cells.at(number_of(rook)).is(Role::Rook, color) {
                found.push(format!("{color} may castle {side}, but there is no rook on {rook}"));
            }
        }
    }

    /// Compares the move of the last history word with the cells. The word of a set-up may hold no move.
    fn compare_move(&self, found: &mut Vec<String>) {
        let mv = self.top().mv();
        if mv.kind() == MoveType::Unused {
            found.push("the last move has the type 0111, which means nothing".to_owned());
        }
        if self.history.is_empty() && mv.piece().role().is_none() {
            return;
        }
        let arrived = mv.kind().promotion().map_or(mv.piece(), |role| Nibble::of(role.of(mv.piece().team())));
        let [from, to] = [square_of(mv.from()), square_of(mv.to())];
        if self.cells.at(mv.to()) != arrived || arrived.piece().is_none() {
            found.push(format!("the last move brought {} to {to}, but it is not there", name(arrived)));
        }
        if self.cells.at(mv.from()) != Nibble::EMPTY {
            found.push(format!("the last move left {from}, but something is there"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many flipped bits of the cells and of the history word are noticed.
    fn noticed(board: &Packed) -> [usize; 2] {
        let mut counts = [0; 2];
        for (place, bits) in board.places() {
            let found = (0..bits).filter(|&bit| !board.flip(place, bit).complaints.is_empty()).count();
            counts[usize::from(place == Place::History)] += found;
        }
        counts
    }

    #[test]
    fn most_flipped_bits_are_just_another_position() {
        let mut board = Packed::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").expect("legal");
        assert!(board.complaints().is_empty());
        // Of the 256 bits of the cells: the four of both kings and of the four rooks that may castle (24), the lowest
        // bit of an empty cell (32), and what makes a king or a pattern without meaning of another piece: 8 black
        // pawns, 2 and 4 knights, 4 bishops, 2 queens. Of the word: the piece of a move that was none, and flags that
        // contradict others.
        assert_eq!(noticed(&board), [24 + 32 + 8 + 2 + 4 + 4 + 2, 3 + 4]);
        board.make("e2e4".parse().expect("a move")).expect("a legal move");
        assert!(board.complaints().is_empty());
        assert!(noticed(&board)[1] > 12, "the squares of the last move are compared with the cells");
    }
}
