//! Asking a board of any kind for its memory.

use std::fmt;

use serde::Serialize;

use super::bits::flip_one;
use super::{BitFlip, BoardRecord, Inspect, KeyUpdate, MoveSteps, Snapshot, UnknownPlace, hex};
use crate::bitboard::BitboardBoard;
use crate::mailbox::Mailbox;
use crate::movemap::Original;
use crate::packed::Packed;
use crate::{BoardKind, IllegalMove, StandardSetup, UciMove};

/// A position and moves, and what to tell of them.
#[derive(Clone, Copy, Debug)]
pub struct InspectRequest<'a> {
    /// The position to start from.
    pub start: &'a StandardSetup,
    /// The moves to make.
    pub moves: &'a [UciMove],
    /// Which of them to tell about.
    pub steps: StepSelection,
    /// Where to flip a bit in the end, and the seed that decides which: a square, the name of a place, or `any`.
    pub corrupt: Option<(&'a str, u64)>,
}

impl<'a> InspectRequest<'a> {
    /// Asks for the memory, with all moves told and no bit flipped.
    pub fn new(start: &'a StandardSetup, moves: &'a [UciMove]) -> InspectRequest<'a> {
        InspectRequest { start, moves, steps: StepSelection::All, corrupt: None }
    }
}

/// Which moves are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepSelection {
    /// Every move.
    All,
    /// The last one only.
    Last,
}

/// The memory of a board, and how it came to be so.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Inspection {
    /// The name of the board.
    pub board: &'static str,
    /// The board in a few words.
    pub about: &'static str,
    /// What the moves did.
    pub steps: Vec<BoardStep>,
    /// The memory in the end. What the last move changed is marked.
    pub memory: Snapshot,
    /// What the check of the board says, one sentence each; nothing if all is well.
    pub complaints: Vec<String>,
    /// A bit that was flipped.
    pub flip: Option<BitFlip>,
}

/// What a move did to the memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BoardStep {
    /// The move in the notation of UCI.
    pub uci: String,
    /// The move as the board writes it.
    #[serde(rename = "move")]
    pub mv: BoardRecord,
    /// What happened to lists and the like.
    pub notes: Vec<String>,
    /// The last entry of the history before the move.
    pub history_before: Option<BoardRecord>,
    /// The last entry of the history after it.
    pub history_after: Option<BoardRecord>,
    /// What happened to the key.
    pub key: KeyUpdate,
}

/// Why the memory of a board cannot be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum InspectError {
    /// This variant of a board is not drawn.
    NotDrawn(BoardKind),
    /// A move is not legal.
    Illegal(IllegalMove),
    /// There is nothing of this name whose bits could be flipped.
    Place(UnknownPlace),
}

impl fmt::Display for InspectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InspectError::NotDrawn(kind) => {
                write!(f, "the memory of {kind} is not drawn: choose bitboard, mailbox, packed or movemap")
            }
            InspectError::Illegal(error) => error.fmt(f),
            InspectError::Place(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for InspectError {}

impl From<IllegalMove> for InspectError {
    fn from(error: IllegalMove) -> InspectError {
        InspectError::Illegal(error)
    }
}

impl From<UnknownPlace> for InspectError {
    fn from(error: UnknownPlace) -> InspectError {
        InspectError::Place(error)
    }
}

impl BoardKind {
    /// Sets up a board of this kind, makes the moves on it, and looks into its memory.
    pub fn inspect(self, question: &InspectRequest) -> Result<Inspection, InspectError> {
        match self {
            BoardKind::Bitboard => answer::<BitboardBoard>(self, question),
            BoardKind::Mailbox => answer::<Mailbox>(self, question),
            BoardKind::Packed => answer::<Packed>(self, question),
            BoardKind::Movemap => answer::<Original>(self, question),
            BoardKind::MovemapWithRights | BoardKind::MovemapWithLines | BoardKind::MovemapAsWished => {
                Err(InspectError::NotDrawn(self))
            }
        }
    }
}

fn answer<B: Inspect>(kind: BoardKind, question: &InspectRequest) -> Result<Inspection, InspectError> {
    let mut board = B::from_standard(question.start);
    let mut steps = Vec::new();
    let mut before = None;
    for (index, &mv) in question.moves.iter().enumerate() {
        let is_last = index + 1 == question.moves.len();
        if is_last {
            before = Some(board.snapshot());
        }
        if is_last || question.steps == StepSelection::All {
            steps.push(step(&mut board, mv)?);
        } else {
            board.make(mv)?;
        }
    }
    let memory = board.snapshot();
    Ok(Inspection {
        board: kind.name(),
        about: kind.description(),
        steps,
        memory: before.map_or_else(|| memory.clone(), |before| memory.clone().compared_with(&before)),
        complaints: board.complaints(),
        flip: question.corrupt.map(|(place, seed)| flip_one(&board, place, seed)).transpose()?,
    })
}

fn step<B: Inspect>(board: &mut B, mv: UciMove) -> Result<BoardStep, IllegalMove> {
    let (history_before, before) = (board.history_record(), hex(board.key()));
    let MoveSteps { notes, parts } = board.make_explained(mv)?;
    Ok(BoardStep {
        uci: mv.to_string(),
        mv: board.move_record().ok_or(IllegalMove(mv))?,
        notes,
        history_before,
        history_after: board.history_record(),
        key: KeyUpdate { about: B::KEY, before, parts, after: hex(board.key()) },
    })
}
