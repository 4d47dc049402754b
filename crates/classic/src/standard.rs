//! The positions that the boards of this crate accept: legal ones of standard chess.

use std::fmt;
use std::str::FromStr;

use rules::{CastlingSide, Color, FenError, File, IllegalSetup, Setup, Square};

/// Why a board cannot be set up.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BoardError {
    /// The text is no FEN, or the position cannot be played.
    Fen(FenError),
    /// The right to castle with these rooks exists only in Chess960: the king is not on the e-file, or the rook is not
    /// in its corner.
    Chess960(Vec<Square>),
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardError::Fen(error) => error.fmt(f),
            BoardError::Chess960(rooks) => {
                f.write_str("this board knows only standard chess, but the right to castle with ")?;
                for (index, rook) in rooks.iter().enumerate() {
                    write!(f, "{}{rook}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str(" belongs to Chess960: a king not on the e-file or a rook not in its corner")
            }
        }
    }
}

impl std::error::Error for BoardError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            // The text of the cause is the text of this error already.
            BoardError::Fen(error) => error.source(),
            BoardError::Chess960(_) => None,
        }
    }
}

impl From<FenError> for BoardError {
    fn from(error: FenError) -> BoardError {
        BoardError::Fen(error)
    }
}

impl From<IllegalSetup> for BoardError {
    fn from(error: IllegalSetup) -> BoardError {
        BoardError::Fen(FenError::Illegal(error))
    }
}

/// A set-up that is known to be a legal position of standard chess.
///
/// The rules crate judges the text, so that bad input is explained in the same words everywhere; from here on the
/// boards are on their own.
///
/// ```
/// use saavedra_classic::StandardSetup;
///
/// let error = "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1".parse::<StandardSetup>().expect_err("this is Chess960");
/// assert!(error.to_string().contains("castle with b1"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StandardSetup {
    setup: Setup,
}

impl StandardSetup {
    /// The set-up itself. Its en-passant square is there as it was written, whether a pawn can use it or not.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Whether a player has the right to castle on a side.
    pub fn may_castle(&self, color: Color, side: CastlingSide) -> bool {
        self.setup.castling.contains(rook_home(color, side))
    }
}

/// The corner in which a rook waits for castling.
pub(crate) fn rook_home(color: Color, side: CastlingSide) -> Square {
    let file = match side {
        CastlingSide::KingSide => File::H,
        CastlingSide::QueenSide => File::A,
    };
    Square::new(file, color.back_rank())
}

/// Every right to castle that there can be.
pub(crate) const CASTLES: [(Color, CastlingSide); 4] = [
    (Color::White, CastlingSide::KingSide),
    (Color::White, CastlingSide::QueenSide),
    (Color::Black, CastlingSide::KingSide),
    (Color::Black, CastlingSide::QueenSide),
];

impl TryFrom<Setup> for StandardSetup {
    type Error = BoardError;

    fn try_from(setup: Setup) -> Result<StandardSetup, BoardError> {
        setup.position()?;
        let strange: Vec<Square> = setup.chess960_rooks().into_iter().collect();
        if strange.is_empty() { Ok(StandardSetup { setup }) } else { Err(BoardError::Chess960(strange)) }
    }
}

impl FromStr for StandardSetup {
    type Err = BoardError;

    fn from_str(fen: &str) -> Result<StandardSetup, BoardError> {
        fen.parse::<Setup>()?.try_into()
    }
}
