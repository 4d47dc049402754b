//! Who may still castle, and with which rook.

use std::fmt;

use crate::{Bitboard, Color, File, Square};

/// The two ways to castle, named after the wing the rook stands on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Wing {
    /// Towards the h-file: the king ends on the g-file, the rook on the f-file.
    King,
    /// Towards the a-file: the king ends on the c-file, the rook on the d-file.
    Queen,
}

impl Wing {
    /// Both wings, the king's first.
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];

    /// The wing on which a rook stands, seen from its king.
    #[inline]
    pub const fn of(king: Square, rook: Square) -> Wing {
        if rook as u8 > king as u8 { Wing::King } else { Wing::Queen }
    }

    /// The file on which the king ends.
    #[inline]
    pub const fn king_file(self) -> File {
        match self {
            Wing::King => File::G,
            Wing::Queen => File::C,
        }
    }

    /// The file on which the rook ends.
    #[inline]
    pub const fn rook_file(self) -> File {
        match self {
            Wing::King => File::F,
            Wing::Queen => File::D,
        }
    }
}

impl fmt::Display for Wing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Wing::King => "king side",
            Wing::Queen => "queen side",
        })
    }
}

/// The rights to castle: the set of rooks that may still take part.
///
/// A set of rooks needs no rook files beside it, so that Chess960 is no special case, and it is kept up to date by
/// one rule: a right is lost when anything leaves or enters its rook's square, or when the king moves.
///
/// ```
/// use saavedra_rules::{Color, Position, Square, Wing};
///
/// let position: Position = "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1".parse()?;
/// let rights = position.castling_rights();
/// assert_eq!(rights.rook(Color::White, Wing::Queen, Square::E1), Some(Square::B1));
/// assert_eq!(rights.rook(Color::White, Wing::King, Square::E1), None);
/// # Ok::<(), saavedra_rules::FenError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct CastlingRights {
    rooks: Bitboard,
}

impl CastlingRights {
    /// Nobody may castle.
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

    /// The rook with which a player, whose king stands on `king`, may castle on a wing.
    pub fn rook(self, color: Color, wing: Wing, king: Square) -> Option<Square> {
        self.rooks_of(color).into_iter().find(|&rook| Wing::of(king, rook) == wing)
    }

    /// The rights that are left when something happened on these squares.
    #[inline]
    pub(crate) fn after_change(self, squares: Bitboard) -> CastlingRights {
        CastlingRights { rooks: self.rooks - squares }
    }
}

/// What castling asks of the back rank, for a king and a rook on given files: one bit per file.
#[derive(Clone, Copy)]
pub(crate) struct Route {
    /// The files that must be empty, apart from the king and the rook themselves.
    pub(crate) empty: u8,
    /// The files on which the king must not be attacked.
    pub(crate) safe: u8,
}

/// The routes by king file and rook file.
pub(crate) static ROUTES: [[Route; 8]; 8] = {
    let mut routes = [[Route { empty: 0, safe: 0 }; 8]; 8];
    let mut king = 0;
    while king < 8 {
        let mut rook = 0;
        while rook < 8 {
            let wing = if rook > king { Wing::King } else { Wing::Queen };
            let safe = span(king, wing.king_file().index());
            let way = safe | span(rook, wing.rook_file().index());
            routes[king][rook] = Route { empty: way & !(1 << king) & !(1 << rook), safe };
            rook += 1;
        }
        king += 1;
    }
    routes
};

/// The bits from one index to another, both included.
const fn span(a: usize, b: usize) -> u8 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    ((2_u16 << high) - (1 << low)) as u8
}
