//! Who may still castle, and with which rook.

use std::fmt;

use crate::{Bitboard, Color, File, Square};

/// The two ways to castle, named after the side the rook stands on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum CastlingSide {
    /// Towards the h-file: the king ends on the g-file, the rook on the f-file.
    KingSide,
    /// Towards the a-file: the king ends on the c-file, the rook on the d-file.
    QueenSide,
}

impl CastlingSide {
    /// Both sides, the king's first.
    pub const ALL: [CastlingSide; 2] = [CastlingSide::KingSide, CastlingSide::QueenSide];

    /// The side on which a rook stands, seen from its king.
    #[inline]
    pub const fn of(king: Square, rook: Square) -> CastlingSide {
        if rook as u8 > king as u8 { CastlingSide::KingSide } else { CastlingSide::QueenSide }
    }

    /// The file on which the king ends.
    #[inline]
    pub const fn king_file(self) -> File {
        match self {
            CastlingSide::KingSide => File::G,
            CastlingSide::QueenSide => File::C,
        }
    }

    /// The file on which the rook ends.
    #[inline]
    pub const fn rook_file(self) -> File {
        match self {
            CastlingSide::KingSide => File::F,
            CastlingSide::QueenSide => File::D,
        }
    }
}

impl fmt::Display for CastlingSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CastlingSide::KingSide => "king side",
            CastlingSide::QueenSide => "queen side",
        })
    }
}

/// The rights to castle: the set of rooks that may still take part.
///
/// A set of rooks needs no rook files beside it, so that Chess960 is no special case, and it is kept up to date by
/// one rule: a right is lost when anything leaves or enters its rook's square, or when the king moves.
///
/// ```
/// use saavedra_rules::{Color, Position, Square, CastlingSide};
///
/// let position: Position = "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1".parse()?;
/// let rights = position.castling_rights();
/// assert_eq!(rights.rook(Color::White, CastlingSide::QueenSide, Square::E1), Some(Square::B1));
/// assert_eq!(rights.rook(Color::White, CastlingSide::KingSide, Square::E1), None);
/// # Ok::<(), saavedra_rules::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct CastlingRights {
    rooks: Bitboard,
}

impl CastlingRights {
    /// Neither player may castle.
    pub const NONE: CastlingRights = CastlingRights { rooks: Bitboard::EMPTY };

    /// The rights of these rooks.
    #[inline]
    pub const fn new(rooks: Bitboard) -> CastlingRights {
        CastlingRights { rooks }
    }

    /// All rooks that may castle.
    #[inline]
    pub const fn rooks(self) -> Bitboard {
        self.rooks
    }

    /// The rooks of one player that may castle.
    #[inline]
    pub fn rooks_of(self, color: Color) -> Bitboard {
        self.rooks & color.back_rank().squares()
    }

    /// The rook with which a player, whose king stands on `king`, may castle on a side.
    pub fn rook(self, color: Color, side: CastlingSide, king: Square) -> Option<Square> {
        self.rooks_of(color).into_iter().find(|&rook| CastlingSide::of(king, rook) == side)
    }

    /// The rights that are left when something happened on these squares.
    #[inline]
    pub(crate) fn after_change(self, squares: Bitboard) -> CastlingRights {
        CastlingRights { rooks: self.rooks - squares }
    }
}

/// Whether a king and a rook that castle stand as in standard chess: on the e-file and in a corner.
pub(crate) fn is_standard(king: Square, rook: Square) -> bool {
    king.file() == File::E && matches!(rook.file(), File::A | File::H)
}

/// For each file of the king and each set of files on the back rank: the files of the rooks with which it may castle.
type RookFiles = [[u8; 256]; 8];

/// The rooks whose way is free, by the occupied files.
static OPEN: RookFiles = {
    let mut table = [[0; 256]; 8];
    let mut index = 0;
    while index < 8 * 8 * 256 {
        let (king, rook, occupied) = (index / 2048, index / 256 % 8, index % 256);
        if occupied as u8 & way(king, rook) & !(1 << king) & !(1 << rook) == 0 {
            table[king][occupied] |= 1 << rook;
        }
        index += 1;
    }
    table
};

/// The rooks with which the king does not pass an attacked square, by the attacked files.
static SAFE: RookFiles = {
    let mut table = [[0; 256]; 8];
    let mut index = 0;
    while index < 8 * 8 * 256 {
        let (king, rook, attacked) = (index / 2048, index / 256 % 8, index % 256);
        if attacked as u8 & king_path(king, rook) == 0 {
            table[king][attacked] |= 1 << rook;
        }
        index += 1;
    }
    table
};

/// The files that a king on one file crosses when it castles with a rook on another, first and last included.
const fn king_path(king: usize, rook: usize) -> u8 {
    let side = if rook > king { CastlingSide::KingSide } else { CastlingSide::QueenSide };
    span(king, side.king_file().index())
}

/// The files that the two cross together.
const fn way(king: usize, rook: usize) -> u8 {
    let side = if rook > king { CastlingSide::KingSide } else { CastlingSide::QueenSide };
    king_path(king, rook) | span(rook, side.rook_file().index())
}

/// The bits from one index to another, both included.
const fn span(a: usize, b: usize) -> u8 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    ((2_u16 << high) - (1 << low)) as u8
}

/// The squares of a player's back rank that a table allows, given the king's square and some squares.
#[inline(always)]
fn allowed(table: &RookFiles, color: Color, king: Square, squares: Bitboard) -> Bitboard {
    let rank = 8 * color.back_rank() as u32;
    Bitboard(u64::from(table[king.file().index()][usize::from((squares.0 >> rank) as u8)]) << rank)
}

/// The squares from which a rook could castle with a king of this color as far as pieces in the way are concerned.
///
/// Like [`safe_rooks`], this is a look-up and not a loop over the rooks: perft asks it in every position.
#[inline(always)]
pub(crate) fn open_rooks(color: Color, king: Square, occupied: Bitboard) -> Bitboard {
    allowed(&OPEN, color, king, occupied)
}

/// The squares from which a rook could castle without the king passing an attacked square.
#[inline(always)]
pub(crate) fn safe_rooks(color: Color, king: Square, attacked: Bitboard) -> Bitboard {
    allowed(&SAFE, color, king, attacked)
}
