//! The boards by name.

use std::fmt;
use std::str::FromStr;

use rules::Counters;

use crate::bitboard::BitboardBoard;
use crate::mailbox::Mailbox;
use crate::movemap::{AsWished, Original, WithLines, WithRights};
use crate::packed::Packed;
use crate::{Board, BoardError, UciMove};

/// A kind of board.
///
/// ```
/// use saavedra_classic::BoardKind;
///
/// let kind: BoardKind = "packed".parse()?;
/// assert_eq!(kind.perft("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3)?, 8_902);
/// assert!("abacus".parse::<BoardKind>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BoardKind {
    /// [Sets of squares](crate::bitboard), what the product plays with.
    Bitboard,
    /// [120 cells with a rim, and piece lists](crate::mailbox).
    Mailbox,
    /// [Sixty-four cells of four bits](crate::packed).
    Packed,
    /// [Eight by eight integers and sets of steps](crate::movemap).
    Movemap,
    /// Move maps with castling rights instead of flags for what has moved.
    MovemapWithRights,
    /// Move maps with a faster way to examine moves.
    MovemapWithLines,
    /// Move maps with both.
    MovemapAsWished,
}

/// Something to do with a board of whatever kind: see [`BoardKind::run`].
pub trait Task {
    /// What comes of it.
    type Output;

    /// Does it with this type of board.
    fn run<B: Board>(self) -> Self::Output;
}

impl BoardKind {
    /// All kinds, the bitboard first.
    pub const ALL: [BoardKind; 7] = [
        BoardKind::Bitboard,
        BoardKind::Mailbox,
        BoardKind::Packed,
        BoardKind::Movemap,
        BoardKind::MovemapWithRights,
        BoardKind::MovemapWithLines,
        BoardKind::MovemapAsWished,
    ];

    /// The four that differ in the board itself.
    pub const WITNESSES: [BoardKind; 4] =
        [BoardKind::Bitboard, BoardKind::Mailbox, BoardKind::Packed, BoardKind::Movemap];

    /// The name, as one types it.
    pub const fn name(self) -> &'static str {
        match self {
            BoardKind::Bitboard => "bitboard",
            BoardKind::Mailbox => "mailbox",
            BoardKind::Packed => "packed",
            BoardKind::Movemap => "movemap",
            BoardKind::MovemapWithRights => "movemap-rights",
            BoardKind::MovemapWithLines => "movemap-lines",
            BoardKind::MovemapAsWished => "movemap-both",
        }
    }

    /// The board in a few words.
    pub const fn description(self) -> &'static str {
        match self {
            BoardKind::Bitboard => "sets of squares in machine words",
            BoardKind::Mailbox => "120 cells with a rim, and piece lists",
            BoardKind::Packed => "sixty-four cells of four bits",
            BoardKind::Movemap => "eight by eight integers and sets of steps",
            BoardKind::MovemapWithRights => "move maps with castling rights",
            BoardKind::MovemapWithLines => "move maps with a faster legality check",
            BoardKind::MovemapAsWished => "move maps with castling rights and a faster legality check",
        }
    }

    /// Does something with a board of this kind.
    pub fn run<T: Task>(self, task: T) -> T::Output {
        match self {
            BoardKind::Bitboard => task.run::<BitboardBoard>(),
            BoardKind::Mailbox => task.run::<Mailbox>(),
            BoardKind::Packed => task.run::<Packed>(),
            BoardKind::Movemap => task.run::<Original>(),
            BoardKind::MovemapWithRights => task.run::<WithRights>(),
            BoardKind::MovemapWithLines => task.run::<WithLines>(),
            BoardKind::MovemapAsWished => task.run::<AsWished>(),
        }
    }

    /// How many leaves the tree of legal moves below a position has at a depth.
    pub fn perft(self, fen: &str, depth: u32) -> Result<u64, BoardError> {
        struct Count<'a>(&'a str, u32);
        impl Task for Count<'_> {
            type Output = Result<u64, BoardError>;
            fn run<B: Board>(self) -> Self::Output {
                Ok(B::from_fen(self.0)?.perft(self.1))
            }
        }
        self.run(Count(fen, depth))
    }

    /// The leaf count below each legal move.
    pub fn divide(self, fen: &str, depth: u32) -> Result<Vec<(UciMove, u64)>, BoardError> {
        struct Divide<'a>(&'a str, u32);
        impl Task for Divide<'_> {
            type Output = Result<Vec<(UciMove, u64)>, BoardError>;
            fn run<B: Board>(self) -> Self::Output {
                Ok(B::from_fen(self.0)?.divide(self.1))
            }
        }
        self.run(Divide(fen, depth))
    }

    /// What the moves to the leaves are.
    pub fn counters(self, fen: &str, depth: u32) -> Result<Counters, BoardError> {
        struct Sort<'a>(&'a str, u32);
        impl Task for Sort<'_> {
            type Output = Result<Counters, BoardError>;
            fn run<B: Board>(self) -> Self::Output {
                Ok(B::from_fen(self.0)?.counters(self.1))
            }
        }
        self.run(Sort(fen, depth))
    }
}

impl fmt::Display for BoardKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// There is no board of this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownBoard {
    name: String,
}

impl fmt::Display for UnknownBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no board called {:?}: choose among", self.name)?;
        for (index, kind) in BoardKind::ALL.into_iter().enumerate() {
            write!(f, "{} {kind}", if index == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownBoard {}

impl FromStr for BoardKind {
    type Err = UnknownBoard;

    fn from_str(name: &str) -> Result<BoardKind, UnknownBoard> {
        let found = BoardKind::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| UnknownBoard { name: name.to_owned() })
    }
}
