//! The memory of the bitboard: eight sets in eight words, and the parts of its key.

use std::fmt;

use rules::{Bitboard, Color, KeyTerm, Move, MoveKind, Position, Role, Setup, Square};

use super::{
    BoardRecord, BoardTable, CellKind, Flipped, Inspect, KeyPart, KeyWay, Layout, MoveSteps, RecordField, TableCell,
    TableRow, hex,
};
use crate::bitboard::BitboardBoard;
use crate::{Board, IllegalMove, UciMove};

/// Something in the memory of the bitboard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// One of the eight sets: six by role, two by colour.
    Set(usize),
    /// The rooks that may castle.
    Castling,
    /// One of the five parts of the key.
    Key(usize),
    /// The player to move.
    Turn,
}

const SETS: [&str; 8] = ["pawns", "knights", "bishops", "rooks", "queens", "kings", "white", "black"];
const KEYS: [(&str, &str); 5] = [
    ("keys[0]", "pawns"),
    ("keys[1]", "White's other pieces"),
    ("keys[2]", "Black's other pieces"),
    ("keys[3]", "White's knights and bishops"),
    ("keys[4]", "Black's knights and bishops"),
];

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Set(index) => f.write_str(SETS[*index]),
            Place::Castling => f.write_str("castling"),
            Place::Key(index) => f.write_str(KEYS[*index].0),
            Place::Turn => f.write_str("turn"),
        }
    }
}

/// The words of a position. The rules keep a position legal whatever happens, so bits are flipped in this copy.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Words {
    sets: [u64; 8],
    castling: u64,
    keys: [u64; 5],
    turn: Color,
}

impl Words {
    fn of(position: &Position) -> Words {
        let roles = Role::ALL.map(|role| position.by_role(role).0);
        let colors = Color::ALL.map(|color| position.by_color(color).0);
        let [pawns, knights, bishops, rooks, queens, kings] = roles;
        let [white, black] = colors;
        Words {
            sets: [pawns, knights, bishops, rooks, queens, kings, white, black],
            castling: position.castling_rights().rooks().0,
            keys: [
                position.pawn_key(),
                position.non_pawn_key(Color::White),
                position.non_pawn_key(Color::Black),
                position.minor_key(Color::White),
                position.minor_key(Color::Black),
            ],
            turn: position.turn(),
        }
    }

    fn read(&self, place: Place) -> u64 {
        match place {
            Place::Set(index) => self.sets[index],
            Place::Castling => self.castling,
            Place::Key(index) => self.keys[index],
            Place::Turn => self.turn as u64,
        }
    }

    fn flip(&mut self, place: Place, bit: u32) {
        match place {
            Place::Set(index) => self.sets[index] ^= 1 << bit,
            Place::Castling => self.castling ^= 1 << bit,
            Place::Key(index) => self.keys[index] ^= 1 << bit,
            Place::Turn => self.turn = !self.turn,
        }
    }

    fn roles_on(&self, square: Square) -> impl Iterator<Item = Role> {
        let sets = self.sets;
        Role::ALL.into_iter().filter(move |&role| Bitboard(sets[role as usize]).contains(square))
    }

    fn colors_on(&self, square: Square) -> impl Iterator<Item = Color> {
        let sets = self.sets;
        Color::ALL.into_iter().filter(move |&color| Bitboard(sets[6 + color as usize]).contains(square))
    }

    /// The sets as a position, as far as they can be read: the first role and the first colour count.
    fn setup(&self, position: &Position) -> Setup {
        let piece = |square: Square| Some(self.roles_on(square).next()?.of(self.colors_on(square).next()?));
        let pieces = std::array::from_fn(|index| piece(Square::ALL[index]));
        Setup { pieces, turn: self.turn, castling: Bitboard(self.castling), ..position.setup() }
    }

    fn complaints(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut keys = [0; 5];
        for square in Square::ALL {
            let (roles, colors) = (self.roles_on(square).count(), self.colors_on(square).count());
            if roles > 1 || colors > 1 || roles != colors {
                found.push(format!("{square} is in {roles} of the six roles and in {colors} of the two colours"));
            }
            if let (Some(role), Some(color)) = (self.roles_on(square).next(), self.colors_on(square).next()) {
                let number = KeyTerm::Piece(role.of(color), square).number();
                match role {
                    Role::Pawn => keys[0] ^= number,
                    _ => keys[1 + color as usize] ^= number,
                }
                if matches!(role, Role::Knight | Role::Bishop) {
                    keys[3 + color as usize] ^= number;
                }
            }
        }
        for color in Color::ALL {
            let kings = Bitboard(self.sets[Role::King as usize] & self.sets[6 + color as usize]).count();
            if kings != 1 {
                found.push(format!("{color} has {kings} kings"));
            }
        }
        for rook in Bitboard(self.castling) {
            let color = if rook.rank() == Color::White.back_rank() { Color::White } else { Color::Black };
            let is_rook = self.roles_on(rook).eq([Role::Rook]) && self.colors_on(rook).eq([color]);
            if !is_rook || rook.rank() != color.back_rank() {
                found.push(format!("{rook} may castle, but it is no rook of {color} on the back rank"));
            }
        }
        for (((_, name), kept), computed) in KEYS.into_iter().zip(self.keys).zip(keys) {
            if kept != computed {
                found.push(format!("the key of {name} is {kept:016x}, but the sets say {computed:016x}"));
            }
        }
        found
    }
}

fn set_table(name: &'static str, about: &'static str, set: u64) -> BoardTable {
    let cell = |square: Square| {
        let is_in = Bitboard(set).contains(square);
        let kind = if is_in { CellKind::Used } else { CellKind::Empty };
        TableCell::new(square.index(), u8::from(is_in), kind).on(Some(square))
    };
    let row = |rank: usize| {
        let byte = (set >> (8 * rank)) as u8;
        let note = RecordField::new("byte", format!("{byte:02x}"), format!("byte {rank} of {}", hex(set)));
        TableRow::new(rank + 1, Square::ALL[8 * rank..8 * rank + 8].iter().map(|&square| cell(square))).with_note(note)
    };
    BoardTable { name, about, layout: Layout::Bits, rows: (0..8).rev().map(row).collect() }
}

fn fields(mv: Move, position: &Position) -> Vec<RecordField> {
    let field = |name, mask, meaning: String| RecordField::masked(name, mv.bits().into(), mask, meaning);
    let (kind, to) = match mv.kind() {
        MoveKind::Normal => ("normal", mv.to().to_string()),
        MoveKind::Promotion(_) => ("promotion", mv.to().to_string()),
        MoveKind::EnPassant => ("en passant", mv.to().to_string()),
        MoveKind::Castle => ("castle", format!("{}, the rook's square", mv.to())),
    };
    let promotion = mv.promotion_role().map_or_else(|| "none".to_owned(), |role| role.to_string());
    let captured = position.captured(mv).map_or_else(String::new, |(role, _)| format!(", takes the {role}"));
    vec![
        field("from", 0x3f, mv.from().to_string()),
        field("to", 0xfc0, format!("{to}{captured}")),
        field("promotion", 0x3000, promotion),
        field("kind", 0xc000, kind.to_owned()),
    ]
}

impl Inspect for BitboardBoard {
    type Place = Place;

    const KEY: &'static str =
        "kept in parts that follow every piece; turn, castling and en passant are added when it is asked for";

    const SILENCE: &'static str = "Nothing is noticed: the bit is kept only once.";

    const BYTES: usize = size_of::<Position>();

    fn tables(&self) -> Vec<BoardTable> {
        const ABOUT: &str =
            "sets of squares, six by role and two by player: bit 0 is a1, bit 63 is h8; a rank is a byte";
        let words = Words::of(self.position());
        SETS.into_iter().zip(words.sets).map(|(name, set)| set_table(name, ABOUT, set)).collect()
    }

    fn state(&self) -> Vec<RecordField> {
        let position = self.position();
        let words = Words::of(position);
        let rooks: Vec<String> = position.castling_rights().rooks().into_iter().map(|rook| rook.to_string()).collect();
        let en_passant = position.en_passant().map_or_else(|| "none".to_owned(), |square| square.to_string());
        let mut fields = vec![
            RecordField::new("turn", position.turn() as u8, position.turn()),
            RecordField::new(
                "castling",
                hex(words.castling),
                format!("the rooks that may castle: {}", rooks.join(" ")),
            ),
            RecordField::new("en passant", en_passant, "only if a pawn may legally take there"),
            RecordField::new("halfmove clock", position.halfmove_clock(), "moves since the last capture or pawn move"),
        ];
        let keys = KEYS.into_iter().zip(words.keys);
        fields.extend(keys.map(|((name, of), key)| RecordField::new(name, hex(key), of)));
        fields
    }

    fn move_record(&self) -> Option<BoardRecord> {
        let (before, mv) = self.history().last()?;
        Some(BoardRecord::of_integer("move", mv.bits().into(), 16, fields(*mv, before)))
    }

    fn history_record(&self) -> Option<BoardRecord> {
        let (before, mv) = self.history().last()?;
        Some(BoardRecord::new(
            format!("copy {}", self.history().len() - 1),
            vec![
                RecordField::new("position", "128 bytes", before),
                RecordField::new("key", hex(before.key()), "before the move"),
                RecordField::new("move", format!("{:#06x}", mv.bits()), mv),
            ],
        ))
    }

    fn make_explained(&mut self, mv: UciMove) -> Result<MoveSteps, IllegalMove> {
        let (key, before) = (self.key(), self.position().key_terms());
        self.make(mv)?;
        let after = self.position().key_terms();
        let lost = before.iter().filter(|term| !after.contains(term)).map(|term| (term, KeyWay::Out));
        let gained = after.iter().filter(|term| !before.contains(term)).map(|term| (term, KeyWay::In));
        let numbers = lost.chain(gained).map(|(term, way)| (term.to_string(), way, term.number()));
        Ok(MoveSteps { notes: Vec::new(), parts: KeyPart::chain(key, numbers) })
    }

    fn places(&self) -> Vec<(Place, u32)> {
        let sets = (0..8).map(|index| (Place::Set(index), 64));
        let keys = (0..5).map(|index| (Place::Key(index), 64));
        sets.chain([(Place::Castling, 64)]).chain(keys).chain([(Place::Turn, 1)]).collect()
    }

    fn square_of(place: Place, bit: u32) -> Option<Square> {
        match place {
            Place::Set(_) => Square::ALL.get(bit as usize).copied(),
            _ => None,
        }
    }

    fn flip(&self, place: Place, bit: u32) -> Flipped {
        let words = Words::of(self.position());
        let mut flipped = words;
        flipped.flip(place, bit);
        Flipped {
            before: words.read(place),
            after: flipped.read(place),
            fen: flipped.setup(self.position()).to_string(),
            complaints: flipped.complaints(),
        }
    }

    /// The sets against each other, the rooks that may castle against the sets, and the keys against the sets.
    fn complaints(&self) -> Vec<String> {
        Words::of(self.position()).complaints()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flipped_bit_of_a_set_or_a_key_is_always_noticed() {
        let board = BitboardBoard::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
            .expect("legal");
        assert!(board.complaints().is_empty());
        let noticed = |wanted: fn(Place) -> bool| -> usize {
            let places = board.places().into_iter().filter(|&(place, _)| wanted(place));
            let found = |(place, bits)| (0..bits).filter(|&bit| !board.flip(place, bit).complaints.is_empty()).count();
            places.map(found).sum()
        };
        assert_eq!(noticed(|place| matches!(place, Place::Set(_))), 8 * 64);
        assert_eq!(noticed(|place| matches!(place, Place::Key(_))), 5 * 64);
        // A right to castle that is gone, and whose turn it is, is told nowhere else.
        assert_eq!(noticed(|place| place == Place::Castling), 64 - 4);
        assert_eq!(noticed(|place| place == Place::Turn), 0);
    }
}
