//! The 120 cells of the mailbox and what may stand in them.

use rules::{Color, File, Piece, Rank, Role, Square};

/// A cell of the mailbox, 0 to 119. The board proper begins at 21, `a1`; a rank further up is ten more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(u8);

impl Cell {
    /// How many cells there are, the rim included.
    pub const COUNT: usize = 120;

    /// The cell of a square.
    pub const fn of(square: Square) -> Cell {
        Cell(21 + square.file() as u8 + 10 * square.rank() as u8)
    }

    /// The square of the cell; the rim has none.
    pub const fn square(self) -> Option<Square> {
        let (column, row) = (self.0 % 10, self.0 / 10);
        if column == 0 || row < 2 {
            return None;
        }
        match (File::from_index(column as usize - 1), Rank::from_index(row as usize - 2)) {
            (Some(file), Some(rank)) => Some(Square::new(file, rank)),
            _ => None,
        }
    }

    /// The number of the cell.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The cell whose number the low seven bits hold.
    pub(super) const fn from_bits(bits: u32) -> Cell {
        Cell((bits & 0x7f) as u8)
    }

    /// The cell with one bit of its number flipped, which need not be on the board.
    pub(super) const fn with_flipped(self, bit: u32) -> Cell {
        Cell(self.0 ^ 1 << bit)
    }

    /// The cell a step away. From a square of the board no piece steps further than the rim.
    #[inline]
    pub(super) const fn step(self, offset: i8) -> Cell {
        Cell(self.0.wrapping_add_signed(offset))
    }

    /// The square of a cell that is known to hold a piece.
    #[inline]
    pub(super) const fn inner_square(self) -> Square {
        match self.square() {
            Some(square) => square,
            None => panic!("pieces stand on the board"),
        }
    }
}

/// What a cell holds, as the number the document gives it: 0 nothing, 1 to 6 White's pawn, knight, bishop, rook, queen
/// and king, 7 to 12 Black's. The rim holds a number of its own, so that a ray ends there without being asked where it
/// is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Content(u8);

impl Content {
    /// Nothing stands there.
    pub const EMPTY: Content = Content(0);

    /// The rim around the board.
    pub const RIM: Content = Content(13);

    /// The numbers there are for pieces, and zero.
    pub(super) const CODES: usize = 13;

    /// The number of a piece.
    #[inline]
    pub const fn of(piece: Piece) -> Content {
        Content(1 + 6 * piece.color as u8 + piece.role as u8)
    }

    /// The piece, if it is one.
    #[inline]
    pub const fn piece(self) -> Option<Piece> {
        match self.0 {
            1..=6 => Some(Role::ALL[self.0 as usize - 1].of(Color::White)),
            7..=12 => Some(Role::ALL[self.0 as usize - 7].of(Color::Black)),
            _ => None,
        }
    }

    /// The number.
    #[inline]
    pub const fn code(self) -> u8 {
        self.0
    }

    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number with one bit flipped, which need not mean anything.
    pub(super) const fn with_flipped(self, bit: u32) -> Content {
        Content(self.0 ^ 1 << bit)
    }

    #[inline]
    pub(super) const fn from_bits(bits: u32) -> Content {
        Content((bits & 0xf) as u8)
    }

    /// Whether a piece of this player stands there.
    #[inline]
    pub(super) const fn belongs_to(self, color: Color) -> bool {
        self.0.wrapping_sub(1 + 6 * color as u8) < 6
    }

    /// The role of a piece; a pawn's where there is no piece.
    #[inline]
    pub(super) const fn role_or_pawn(self) -> Role {
        match self.piece() {
            Some(piece) => piece.role,
            None => Role::Pawn,
        }
    }
}

/// The cells as they are without pieces: empty where there is a square, rim elsewhere.
pub(super) const BARE: [Content; Cell::COUNT] = {
    let mut cells = [Content::RIM; Cell::COUNT];
    let mut index = 0;
    while index < 64 {
        cells[Cell::of(Square::ALL[index]).index()] = Content::EMPTY;
        index += 1;
    }
    cells
};

/// How each piece steps.
pub(super) const KNIGHT_STEPS: [i8; 8] = [-21, -19, -12, -8, 8, 12, 19, 21];
pub(super) const DIAGONAL_STEPS: [i8; 4] = [-11, -9, 9, 11];
pub(super) const STRAIGHT_STEPS: [i8; 4] = [-10, -1, 1, 10];
pub(super) const ALL_STEPS: [i8; 8] = [-11, -9, 9, 11, -10, -1, 1, 10];

/// The step of a player's pawns.
#[inline]
pub(super) const fn forward(color: Color) -> i8 {
    match color {
        Color::White => 10,
        Color::Black => -10,
    }
}
