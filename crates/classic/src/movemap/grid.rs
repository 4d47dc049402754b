//! Eight by eight small integers, and the maps by which pieces move over them.

use rules::{Color, Piece, Role, Square};

/// A step: so many files to the east, so many ranks to the north.
pub type Map = (i8, i8);

/// The steps of a knight.
pub const KNIGHT: [Map; 8] = [(2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2)];
/// The steps of a bishop.
pub const BISHOP: [Map; 4] = [(1, 1), (-1, -1), (1, -1), (-1, 1)];
/// The steps of a rook.
pub const ROOK: [Map; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
/// The steps of a queen.
pub const QUEEN: [Map; 8] = [(1, 1), (-1, -1), (1, -1), (-1, 1), (0, 1), (1, 0), (0, -1), (-1, 0)];
/// The steps of a king.
pub const KING: [Map; 8] = QUEEN;

/// The steps by which a pawn takes.
pub(super) const fn pawn_captures(color: Color) -> [Map; 2] {
    let north = pawn_direction(color);
    [(-1, north), (1, north)]
}

/// The way a player's pawns go.
pub(super) const fn pawn_direction(color: Color) -> i8 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// How often a step may be repeated in one move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Repeat {
    /// Knight, king and pawn.
    Once,
    /// Until something is in the way: bishop, rook and queen.
    UntilBlocked,
}

/// What stands on a square: ten times the type (nothing 0, pawn 1, knight 2, bishop 3, rook 4, queen 5, king 6) plus
/// the colour (White 0, Black 1). The document gives the sum but not the numbers of types and colours.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value(u8);

impl Value {
    /// Nothing.
    pub const EMPTY: Value = Value(0);

    /// The value of a piece.
    #[inline]
    pub const fn of(piece: Piece) -> Value {
        Value(10 * type_of(piece.role) + piece.color as u8)
    }

    /// The value with this type and colour, if there is such a piece.
    pub(super) fn from_parts(kind: i32, colour: i32) -> Value {
        match (role_of(kind), colour) {
            (Some(role), 0) => Value::of(role.of(Color::White)),
            (Some(role), 1) => Value::of(role.of(Color::Black)),
            _ => Value::EMPTY,
        }
    }

    /// The integer.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The integer with one bit flipped, which need not mean anything.
    pub(super) const fn with_flipped(self, bit: u32) -> Value {
        Value(self.0 ^ 1 << bit)
    }

    /// The type: the integer divided by ten.
    #[inline]
    pub const fn kind(self) -> u8 {
        self.0 / 10
    }

    /// The colour: what is left of the integer. An empty square has White's.
    #[inline]
    pub const fn colour(self) -> u8 {
        self.0 % 10
    }

    /// The piece, if there is one.
    #[inline]
    pub fn piece(self) -> Option<Piece> {
        let color = if self.colour() == 0 { Color::White } else { Color::Black };
        Some(role_of(i32::from(self.kind()))?.of(color))
    }

    #[inline]
    pub(super) const fn belongs_to(self, color: Color) -> bool {
        self.0 != 0 && self.colour() == color as u8
    }
}

/// The number of a type.
#[inline]
pub(super) const fn type_of(role: Role) -> u8 {
    role as u8 + 1
}

/// The type with this number.
#[inline]
pub(super) fn role_of(kind: i32) -> Option<Role> {
    usize::try_from(kind).ok()?.checked_sub(1).and_then(|index| Role::ALL.get(index).copied())
}

/// The board: `grid[rank][file]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Grid([[Value; 8]; 8]);

impl Grid {
    pub(super) const EMPTY: Grid = Grid([[Value::EMPTY; 8]; 8]);

    #[inline]
    pub(super) fn at(&self, square: Square) -> Value {
        self.0[square.rank().index()][square.file().index()]
    }

    #[inline]
    pub(super) fn set(&mut self, square: Square, value: Value) {
        self.0[square.rank().index()][square.file().index()] = value;
    }

    /// Where a map ends: on the first square that is not empty, or on the very first if the step is not repeated.
    /// Nowhere, if it leaves the board before.
    #[inline]
    pub(super) fn first_met(&self, from: Square, map: Map, repeat: Repeat) -> Option<Square> {
        let mut square = from.offset(map.0, map.1)?;
        while repeat == Repeat::UntilBlocked && self.at(square) == Value::EMPTY {
            square = square.offset(map.0, map.1)?;
        }
        Some(square)
    }

    /// Whether one of the maps leads from a square to a piece of this value.
    #[inline]
    pub(super) fn meets(&self, from: Square, maps: &[Map], repeat: Repeat, value: Value) -> bool {
        maps.iter().any(|&map| self.first_met(from, map, repeat).is_some_and(|square| self.at(square) == value))
    }
}
