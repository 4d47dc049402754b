//! The memory of the move maps as the document has it: the board of small integers, the flags for what has moved, the
//! king locations, and the maps themselves.

use std::fmt;

use rules::{Color, Role, Setup, Square};

use super::grid::{BISHOP, KING, KNIGHT, Map, QUEEN, ROOK, Value};
use super::key::KeyTerm;
use super::sequence::{MoveType, Sequence};
use super::{Moved, Original, Played};
use crate::inspect::{
    BoardRecord, BoardTable, CellKind, Flipped, Inspect, KeyPart, KeyWay, Layout, MoveSteps, RecordField, TableCell,
    TableRow,
};
use crate::{Board, IllegalMove, UciMove};

/// Something in the memory of the move maps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The integer of a square.
    Board(Square),
    /// The flag of a square.
    Moved(Square),
    /// Where a player's king stands.
    King(Color),
    /// The player to move.
    Turn,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |square: &Square| format!("[{}][{}]", square.rank().index(), square.file().index());
        match self {
            Place::Board(square) => write!(f, "board{}", at(square)),
            Place::Moved(square) => write!(f, "moved{}", at(square)),
            Place::King(color) => write!(f, "kingLocations[{}]", *color as u8),
            Place::Turn => f.write_str("turn"),
        }
    }
}

/// Eight rows of squares, the highest rank first.
fn rows(cell: impl Fn(Square) -> TableCell) -> Vec<TableRow> {
    let row = |rank: usize| TableRow::new(rank, Square::ALL[8 * rank..8 * rank + 8].iter().map(|&square| cell(square)));
    (0..8).rev().map(row).collect()
}

fn board_table(board: &Original) -> BoardTable {
    let cell = |square: Square| {
        let value = board.grid.at(square);
        let kind = if value == Value::EMPTY { CellKind::Empty } else { CellKind::Used };
        TableCell::new(square.index(), value.number(), kind).on(Some(square)).holding(value.piece())
    };
    BoardTable {
        name: "board",
        about: "board[rank][file]: ten times the type (1 to 6 P N B R Q K) plus the colour (0 White, 1 Black)",
        layout: Layout::Board,
        rows: rows(cell),
    }
}

fn moved_table(moved: &Moved) -> BoardTable {
    let cell = |square: Square| {
        let number = moved.at(square);
        let kind = if number == 1 { CellKind::Empty } else { CellKind::Used };
        TableCell::new(square.index(), number, kind).on(Some(square))
    };
    BoardTable {
        name: "moved",
        about: "moved[rank][file]: 1 if what is there has not moved, 0 if it has; empty squares have 1",
        layout: Layout::Bits,
        rows: rows(cell),
    }
}

fn maps_table() -> BoardTable {
    let row = |(name, maps): (&str, &[Map])| {
        let cell =
            |(index, (east, north)): (usize, &Map)| TableCell::new(index, format!("({east},{north})"), CellKind::Used);
        TableRow::new(name, maps.iter().enumerate().map(cell))
    };
    let sets: [(&str, &[Map]); 5] = [
        ("knight, once", &KNIGHT),
        ("bishop, until blocked", &BISHOP),
        ("rook, until blocked", &ROOK),
        ("queen, until blocked", &QUEEN),
        ("king, once", &KING),
    ];
    BoardTable {
        name: "moveMap",
        about: "the steps of each piece: so many files to the right, so many ranks up",
        layout: Layout::Lists,
        rows: sets.into_iter().map(row).collect(),
    }
}

fn type_name(number: i32) -> String {
    super::grid::role_of(number).map_or_else(|| "none".to_owned(), |role| role.to_string())
}

fn colour_name(number: i32) -> &'static str {
    if number == 0 { "white" } else { "black" }
}

fn moved_name(number: i32) -> &'static str {
    if number == 1 { "not moved" } else { "has moved" }
}

fn square_name(number: i32) -> String {
    usize::try_from(number).ok().and_then(|index| Square::ALL.get(index)).map_or_else(String::new, Square::to_string)
}

/// The seven integers, by the names that their type gives them.
fn fields(mv: &Sequence) -> Vec<RecordField> {
    let [_, start, end, three, four, five, six] = mv.integers();
    let kind = match mv.kind() {
        MoveType::Normal => "normal move",
        MoveType::Castle => "castle move",
        MoveType::Promotion => "promotion",
        MoveType::EnPassant => "en passant",
    };
    let null = |value: i32| RecordField::new("null", value, "not used by this type");
    let captured_colour = if three == 0 { "nothing was taken" } else { colour_name(four) };
    let mut fields = vec![
        RecordField::new("type", mv.integers()[0], kind),
        RecordField::new("start", start, square_name(start)),
        RecordField::new("end", end, square_name(end)),
    ];
    fields.extend(match mv.kind() {
        MoveType::Normal | MoveType::Promotion => [
            RecordField::new("capturedT", three, type_name(three)),
            RecordField::new("capturedC", four, captured_colour),
            RecordField::new("capturedM", five, format!("the flag of the end square: {}", moved_name(five))),
            match mv.kind() {
                MoveType::Promotion => RecordField::new("promotionType", six, type_name(six)),
                _ => RecordField::new("hasMoved", six, format!("the flag of what moves: {}", moved_name(six))),
            },
        ],
        MoveType::Castle => [
            RecordField::new("rookStart", three, square_name(three)),
            RecordField::new("rookEnd", four, square_name(four)),
            null(five),
            null(six),
        ],
        MoveType::EnPassant => {
            [RecordField::new("captured", three, square_name(three)), null(four), null(five), null(six)]
        }
    });
    fields
}

fn terms(board: &Original) -> Vec<KeyTerm> {
    let mut terms = Vec::new();
    board.each_key_term(|term| terms.push(term));
    terms
}

impl Inspect for Original {
    type Place = Place;

    const KEY: &'static str =
        "not kept: computed from the squares when it is asked for; below, the numbers that differ before and after";

    const SILENCE: &'static str =
        "The board does not notice: the square is kept only once, and with this bit it is just another position.";

    const BYTES: usize = size_of::<super::Grid>() + size_of::<Moved>() + size_of::<[Square; 2]>() + size_of::<Color>();

    fn tables(&self) -> Vec<BoardTable> {
        vec![board_table(self), moved_table(&self.memory), maps_table()]
    }

    fn state(&self) -> Vec<RecordField> {
        let king = |color: Color| (self.kings[color].index(), self.kings[color]);
        let ((white, white_at), (black, black_at)) = (king(Color::White), king(Color::Black));
        let passed = self.passed().map_or_else(|| "none".to_owned(), |square| square.to_string());
        vec![
            RecordField::new("kingLocations[0]", white, format!("White's king on {white_at}")),
            RecordField::new("kingLocations[1]", black, format!("Black's king on {black_at}")),
            RecordField::new("turn", self.turn as u8, self.turn),
            RecordField::new("passed", passed, "by a pawn's double step, seen from the last move"),
            RecordField::new("clock", self.clock, "moves since the last capture or pawn move"),
        ]
    }

    fn move_record(&self) -> Option<BoardRecord> {
        Some(BoardRecord::new("move sequence", fields(&self.played.last()?.mv)))
    }

    fn history_record(&self) -> Option<BoardRecord> {
        let Played { mv, clock } = self.played.last()?;
        let mut fields = fields(mv);
        fields.push(RecordField::new("clock", clock, "before the move"));
        Some(BoardRecord::new(format!("played[{}]", self.played.len() - 1), fields))
    }

    fn make_explained(&mut self, mv: UciMove) -> Result<MoveSteps, IllegalMove> {
        let (key, before) = (self.key(), terms(self));
        self.make(mv)?;
        let after = terms(self);
        let lost = before.iter().filter(|term| !after.contains(term)).map(|term| (term, KeyWay::Out));
        let gained = after.iter().filter(|term| !before.contains(term)).map(|term| (term, KeyWay::In));
        let numbers = lost.chain(gained).map(|(term, way)| (term.to_string(), way, term.number()));
        Ok(MoveSteps { notes: Vec::new(), parts: KeyPart::chain(key, numbers) })
    }

    fn places(&self) -> Vec<(Place, u32)> {
        let board = Square::ALL.into_iter().map(|square| (Place::Board(square), 8));
        let moved = Square::ALL.into_iter().map(|square| (Place::Moved(square), 8));
        let kings = Color::ALL.into_iter().map(|color| (Place::King(color), 6));
        board.chain(moved).chain(kings).chain([(Place::Turn, 1)]).collect()
    }

    fn square_of(place: Place, _bit: u32) -> Option<Square> {
        match place {
            Place::Board(square) => Some(square),
            _ => None,
        }
    }

    fn flip(&self, place: Place, bit: u32) -> Flipped {
        let mut board = self.clone();
        match place {
            Place::Board(square) => board.grid.set(square, board.grid.at(square).with_flipped(bit)),
            Place::Moved(square) => board.memory.flip(square, bit),
            Place::King(color) => board.kings[color] = Square::ALL[board.kings[color].index() ^ 1 << bit],
            Place::Turn => board.turn = !board.turn,
        }
        let read = |board: &Original| match place {
            Place::Board(square) => u64::from(board.grid.at(square).number()),
            Place::Moved(square) => u64::from(board.memory.at(square) as u8),
            Place::King(color) => board.kings[color].index() as u64,
            Place::Turn => board.turn as u64,
        };
        Flipped { before: read(self), after: read(&board), fen: board.fen(), complaints: board.complaints() }
    }

    /// What can be compared: integers with their meaning, the kings with their locations, flags with squares that tell
    /// by themselves whether something has moved, and the turn with the number of moves.
    fn complaints(&self) -> Vec<String> {
        let initial = Setup::initial();
        let mut found = Vec::new();
        for square in Square::ALL {
            let (value, flag) = (self.grid.at(square), self.memory.at(square));
            let is_sound = value == Value::EMPTY || value.kind() > 0 && value.colour() < 2 && value.piece().is_some();
            let is_out_of_place = is_sound && value != Value::EMPTY && value.piece() != initial.pieces[square.index()];
            if !is_sound {
                found.push(format!("{square} holds {}, which means nothing", value.number()));
            }
            if !(0..=1).contains(&flag) {
                found.push(format!("the flag of {square} is {flag}, neither 0 nor 1"));
            } else if value == Value::EMPTY && flag != 1 {
                found.push(format!("{square} is empty, but its flag says that something has moved"));
            } else if is_out_of_place && flag != 0 {
                found.push(format!("what is on {square} is out of place, but its flag says that it has not moved"));
            }
        }
        for color in Color::ALL {
            let king = Value::of(Role::King.of(color));
            let kings = Square::ALL.into_iter().filter(|&square| self.grid.at(square) == king).count();
            if kings != 1 {
                found.push(format!("{color} has {kings} kings"));
            }
            if self.grid.at(self.kings[color]) != king {
                found.push(format!("{color}'s king is said to be on {}, but it is not there", self.kings[color]));
            }
        }
        let expected = if self.played.len().is_multiple_of(2) { self.start.turn } else { !self.start.turn };
        if self.turn != expected {
            found.push(format!("{} is to move, but it is {expected}'s turn", self.turn));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many flipped bits of the board, the flags, the king locations and the turn are noticed.
    fn noticed(board: &Original) -> [usize; 4] {
        assert!(board.complaints().is_empty());
        let mut counts = [0; 4];
        for (place, bits) in board.places() {
            let kind = match place {
                Place::Board(_) => 0,
                Place::Moved(_) => 1,
                Place::King(_) => 2,
                Place::Turn => 3,
            };
            counts[kind] += (0..bits).filter(|&bit| !board.flip(place, bit).complaints.is_empty()).count();
        }
        counts
    }

    #[test]
    fn flipped_bits_are_noticed_unless_they_make_another_position() {
        let mut board = Original::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").expect("legal");
        // The flags of 32 pieces at home may lose their lowest bit: the piece may have come back. All other flags
        // follow from the squares, and no single bit of an integer makes another piece that is at home.
        assert_eq!(noticed(&board), [64 * 8, 64 * 8 - 32, 2 * 6, 1]);
        board.make("e2e4".parse().expect("a move")).expect("legal");
        // The pawn on e4 may become black (10 and 11 differ in a bit): it has moved in both cases.
        assert_eq!(noticed(&board), [64 * 8 - 1, 64 * 8 - 31, 2 * 6, 1]);
    }
}
