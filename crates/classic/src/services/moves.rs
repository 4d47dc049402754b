//! Moves as the services write them: two square numbers, and the code of the piece that a pawn becomes.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use rules::{Role, Square};

use super::{EMPTY, code};
use crate::mailbox;

/// A move. Castling is the king's move of two squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The square that a piece leaves, 0 to 63.
    pub from: u8,
    /// The square that it reaches.
    pub to: u8,
    /// The code of the piece that a pawn becomes on the last rank, otherwise [`EMPTY`].
    pub promote_to: u8,
}

/// Why a move cannot be made or taken back.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BadMove {
    /// The text is not a move.
    Unreadable(String),
    /// No piece can make this move here.
    NotAMove(Move),
    /// The move would leave the own king in check.
    LeavesKingInCheck(Move),
    /// The move is not the last that was made, or the undo information is that of another.
    NotTheLast(Move),
    /// Nothing was made that could be taken back.
    NothingMade,
    /// Too many moves were made and not taken back.
    TooMany,
}

impl fmt::Display for BadMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadMove::Unreadable(text) => {
                write!(f, "{text:?} is not a move: expected from,to as numbers 0 to 63, and ,code for a promotion")
            }
            BadMove::NotAMove(mv) => write!(f, "{mv} is not a pseudo-legal move here"),
            BadMove::LeavesKingInCheck(mv) => write!(f, "{mv} leaves the king in check"),
            BadMove::NotTheLast(mv) => write!(f, "{mv} with this undo information is not the last move made"),
            BadMove::NothingMade => f.write_str("there is no move to take back"),
            BadMove::TooMany => write!(f, "at most {} moves can be made and not taken back", super::MOST_MOVES),
        }
    }
}

impl std::error::Error for BadMove {}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.from, self.to)?;
        if self.promote_to == EMPTY { Ok(()) } else { write!(f, ",{}", self.promote_to) }
    }
}

impl FromStr for Move {
    type Err = BadMove;

    fn from_str(text: &str) -> Result<Move, BadMove> {
        let start: String = text.chars().take(40).collect();
        let numbers: Option<Vec<u8>> = text.split(',').take(4).map(|number| number.parse().ok()).collect();
        let (from, to, promote_to) = match numbers.as_deref() {
            Some(&[from, to]) => (from, to, EMPTY),
            Some(&[from, to, promote_to @ 1..=12]) => (from, to, promote_to),
            _ => return Err(BadMove::Unreadable(start)),
        };
        if from > 63 || to > 63 {
            return Err(BadMove::Unreadable(start));
        }
        Ok(Move { from, to, promote_to })
    }
}

impl Move {
    pub(super) fn of(mv: mailbox::Move) -> Move {
        let plain = mv.plain();
        let number = |square: Square| square.index() as u8;
        let promote_to = mv.promoted().piece().map_or(EMPTY, code);
        Move { from: number(plain.from), to: number(plain.to), promote_to }
    }
}

/// Where a move stands in the order in which the rest of Saavedra lists moves: the king and castling; pawns one ahead,
/// two ahead, taking towards h, taking towards a, and promoting; knights, bishops, rooks, queens; en passant last.
/// Kings and pawns go by the square they reach, the others by the square they leave first.
pub(super) fn rank(mv: mailbox::Move, role: Role) -> (u8, u8, u8) {
    let Move { from, to, promote_to } = Move::of(mv);
    let promotes = promote_to != EMPTY;
    let group = match role {
        Role::King => u8::from(mv.is_castle()),
        Role::Pawn if mv.is_en_passant() => 13,
        Role::Pawn if mv.is_pawn_start() => 3,
        Role::Pawn => match (to % 8).cmp(&(from % 8)) {
            Ordering::Equal => {
                if promotes {
                    6
                } else {
                    2
                }
            }
            Ordering::Greater => {
                if promotes {
                    7
                } else {
                    4
                }
            }
            Ordering::Less => {
                if promotes {
                    8
                } else {
                    5
                }
            }
        },
        Role::Knight => 9,
        Role::Bishop => 10,
        Role::Rook => 11,
        Role::Queen => 12,
    };
    match role {
        // A queen has the smallest code of what a pawn may become, a knight the greatest.
        Role::Pawn if group < 13 => (group, to, promote_to),
        Role::King => (group, to, 0),
        _ => (group, from, to),
    }
}
