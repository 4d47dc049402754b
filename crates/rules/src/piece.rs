//! What stands on a square: a role, and who owns it.

use std::fmt;

use crate::Color;

/// What a piece is, whichever side it is on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Role {
    /// Moves forward, captures diagonally, promotes on the last rank.
    Pawn,
    /// Leaps two squares one way and one the other.
    Knight,
    /// Slides along diagonals.
    Bishop,
    /// Slides along ranks and files.
    Rook,
    /// Slides like a bishop and a rook.
    Queen,
    /// Steps one square any way, and must not be captured.
    King,
}

impl Role {
    /// How many roles there are.
    pub const COUNT: usize = 6;

    /// All six roles, from the pawn to the king.
    pub const ALL: [Role; Role::COUNT] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

    /// The roles a pawn may promote to, the queen first.
    pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

    /// The role's letter in lower case, as in `e7e8q`.
    pub const fn letter(self) -> char {
        match self {
            Role::Pawn => 'p',
            Role::Knight => 'n',
            Role::Bishop => 'b',
            Role::Rook => 'r',
            Role::Queen => 'q',
            Role::King => 'k',
        }
    }

    /// The role's letter in upper case, as in `Nf3`.
    pub const fn upper_letter(self) -> char {
        self.letter().to_ascii_uppercase()
    }

    /// The role a letter stands for, in either case.
    pub const fn from_letter(letter: char) -> Option<Role> {
        Some(match letter.to_ascii_lowercase() {
            'p' => Role::Pawn,
            'n' => Role::Knight,
            'b' => Role::Bishop,
            'r' => Role::Rook,
            'q' => Role::Queen,
            'k' => Role::King,
            _ => return None,
        })
    }

    /// This role as a piece of `color`.
    pub const fn of(self, color: Color) -> Piece {
        Piece { color, role: self }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Pawn => "pawn",
            Role::Knight => "knight",
            Role::Bishop => "bishop",
            Role::Rook => "rook",
            Role::Queen => "queen",
            Role::King => "king",
        })
    }
}

/// A piece: a role and its owner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// The owner.
    pub color: Color,
    /// What the piece is.
    pub role: Role,
}

impl Piece {
    /// How many pieces there are: six of each color.
    pub const COUNT: usize = 2 * Role::COUNT;

    /// All of them, White's first, in the order of their [indices](Piece::index).
    pub const ALL: [Piece; Piece::COUNT] = {
        let mut all = [Role::Pawn.of(Color::White); Piece::COUNT];
        let mut index = 0;
        while index < Piece::COUNT {
            let color = if index < Role::COUNT { Color::White } else { Color::Black };
            all[index] = Role::ALL[index % Role::COUNT].of(color);
            index += 1;
        }
        all
    };

    /// The index, from zero.
    #[inline]
    pub const fn index(self) -> usize {
        self.color as usize * Role::COUNT + self.role as usize
    }

    /// The piece a FEN letter stands for: upper case for White.
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match Role::from_letter(letter) {
            Some(role) => Some(role.of(color)),
            None => None,
        }
    }

    /// The piece's FEN letter: upper case for White.
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.role.upper_letter(),
            Color::Black => self.role.letter(),
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color, self.role)
    }
}
