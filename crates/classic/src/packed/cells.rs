//! Sixty-four cells of four bits, sixteen to a word.

use rules::{Color, Piece, Role, Square};

/// What a cell holds, in four bits: the kind of piece in the upper three (nothing 0, pawn 1, knight 2, bishop 3, rook
/// 4, queen 5, king 6), the team in the lowest (White 0, Black 1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Nibble(u8);

impl Nibble {
    /// Nothing stands there.
    pub const EMPTY: Nibble = Nibble(0);

    /// The bits of a piece.
    #[inline]
    pub const fn of(piece: Piece) -> Nibble {
        Nibble((piece.role as u8 + 1) << 1 | piece.color as u8)
    }

    /// The piece, if there is one.
    #[inline]
    pub const fn piece(self) -> Option<Piece> {
        match self.role() {
            Some(role) => Some(role.of(self.team())),
            None => None,
        }
    }

    /// The kind of piece.
    #[inline]
    pub const fn role(self) -> Option<Role> {
        Some(match self.0 >> 1 {
            1 => Role::Pawn,
            2 => Role::Knight,
            3 => Role::Bishop,
            4 => Role::Rook,
            5 => Role::Queen,
            6 => Role::King,
            _ => return None,
        })
    }

    /// The team: of an empty cell, White.
    #[inline]
    pub const fn team(self) -> Color {
        if self.0 & 1 == 0 { Color::White } else { Color::Black }
    }

    /// The four bits.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    #[inline]
    pub(super) const fn from_bits(bits: u32) -> Nibble {
        Nibble((bits & 0xf) as u8)
    }

    /// Nothing, but of a team: how the first history word says whose turn it is.
    pub(super) const fn nothing_of(color: Color) -> Nibble {
        Nibble(color as u8)
    }

    #[inline]
    pub(super) const fn is(self, role: Role, color: Color) -> bool {
        self.0 == Nibble::of(role.of(color)).0
    }
}

/// The number of a square on this board: 0 is `a8`, 7 is `h8`, 56 is `a1`, 63 is `h1`.
#[inline]
pub const fn number_of(square: Square) -> u8 {
    square.flip_rank() as u8
}

/// The square with a number.
#[inline]
pub(super) const fn square_of(number: u8) -> Square {
    Square::ALL[(number & 63) as usize].flip_rank()
}

/// The board itself: thirty-two bytes. Cell 0 is in the lowest bits of the first word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cells([u64; 4]);

/// The lowest bit of each of sixteen nibbles.
const ONES: u64 = 0x1111_1111_1111_1111;

impl Cells {
    pub(super) const EMPTY: Cells = Cells([0; 4]);

    #[inline]
    pub(super) fn at(&self, number: u8) -> Nibble {
        Nibble((self.0[usize::from(number >> 4 & 3)] >> (4 * (number & 15)) & 0xf) as u8)
    }

    #[inline]
    pub(super) fn set(&mut self, number: u8, nibble: Nibble) {
        let (word, shift) = (&mut self.0[usize::from(number >> 4 & 3)], 4 * (number & 15));
        *word = *word & !(0xf << shift) | u64::from(nibble.0) << shift;
    }

    /// Flips one of the four bits of a cell.
    pub(super) fn flip(&mut self, number: u8, bit: u32) {
        self.0[usize::from(number >> 4 & 3)] ^= 1 << (4 * u32::from(number & 15) + bit);
    }

    /// The four words.
    pub(super) fn words(&self) -> [u64; 4] {
        self.0
    }

    /// The cells on which a team has a piece, sixteen at a time: a nibble is occupied if any bit above the lowest is
    /// set, and the lowest tells the team.
    #[inline]
    pub(super) fn of_team(&self, color: Color) -> impl Iterator<Item = u8> + use<> {
        let Cells(words) = *self;
        (0..4_u8).zip(words).flat_map(move |(index, word)| {
            let occupied = (word >> 1 | word >> 2 | word >> 3) & ONES;
            let team = match color {
                Color::White => !word,
                Color::Black => word,
            };
            Nibbles { marks: occupied & team, base: 16 * index }
        })
    }

    /// Where a team's king stands. It is not written down anywhere: sixteen cells at a time are compared with the king.
    #[inline]
    pub(super) fn king(&self, color: Color) -> Option<u8> {
        let pattern = ONES * u64::from(Nibble::of(Role::King.of(color)).0);
        (0..4_u8).zip(self.0).find_map(|(index, word)| {
            // A nibble of the difference is zero where the king is; subtracting one borrows into its highest bit.
            let difference = word ^ pattern;
            let zero = difference.wrapping_sub(ONES) & !difference & (ONES << 3);
            (zero != 0).then(|| 16 * index + (zero.trailing_zeros() / 4) as u8)
        })
    }
}

/// The numbers of marked nibbles in a word.
struct Nibbles {
    marks: u64,
    base: u8,
}

impl Iterator for Nibbles {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        if self.marks == 0 {
            return None;
        }
        let number = self.base + (self.marks.trailing_zeros() / 4) as u8;
        self.marks &= self.marks - 1;
        Some(number)
    }
}
