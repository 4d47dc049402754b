//! What the doctor needs to know of a program: it answers divides, or says why not.

use std::fmt;

use rules::{Move, Position};

use crate::Diagram;

/// Something that counts moves and may be wrong.
pub trait Patient {
    /// The leaf count below each move.
    fn divide(&mut self, question: &Question) -> Result<Divide, Refusal>;

    /// The same after the patient itself has played the [moves](Question::moves) of the question, if it can be told
    /// to; `None` if it only understands positions.
    fn divide_after(&mut self, question: &Question) -> Option<Result<Divide, Refusal>> {
        let _ = question;
        None
    }
}

/// What a patient is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    root: Diagram,
    moves: Vec<Move>,
    depth: u32,
}

impl Question {
    pub(crate) fn new(root: Diagram, depth: u32) -> Question {
        Question { root, moves: Vec::new(), depth }
    }

    pub(crate) fn after(root: Diagram, moves: Vec<Move>, depth: u32) -> Question {
        Question { root, moves, depth }
    }

    /// The position to start from, as FEN.
    pub fn fen(&self) -> String {
        self.root.to_string()
    }

    /// The moves the patient is to play itself before it counts, in UCI notation. Most questions have none.
    pub fn moves(&self) -> Vec<String> {
        spell(&self.root, &self.moves)
    }

    /// The position that is counted: after the moves.
    pub fn position(&self) -> Position {
        self.moves.iter().fold(*self.root.position(), |position, &mv| position.play_unchecked(mv))
    }

    /// How deep to count; at least one.
    pub fn depth(&self) -> u32 {
        self.depth
    }
}

/// Moves, played one after another, in UCI notation.
pub(crate) fn spell(root: &Diagram, moves: &[Move]) -> Vec<String> {
    let mut position = *root.position();
    moves
        .iter()
        .map(|&mv| {
            let text = position.uci(mv);
            position = position.play_unchecked(mv);
            text
        })
        .collect()
}

/// An answer: moves in UCI notation, each with a leaf count, in the order in which they were given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Divide {
    entries: Vec<(String, u64)>,
}

impl Divide {
    /// Adds a move and the count below it.
    pub fn push(&mut self, mv: impl Into<String>, count: u64) {
        self.entries.push((mv.into(), count));
    }

    /// The moves and their counts.
    pub fn entries(&self) -> &[(String, u64)] {
        &self.entries
    }

    /// All leaves.
    pub fn total(&self) -> u64 {
        self.entries.iter().fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }
}

/// Why a patient did not answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It took longer than it may.
    TooSlow,
    /// It ended, with these last words.
    Died(String),
    /// It said something that is no answer.
    Nonsense(String),
    /// It cannot be asked at all any more.
    Gone(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::TooSlow => f.write_str("it gave no answer in time"),
            Refusal::Died(words) => write!(f, "it ended: {words}"),
            Refusal::Nonsense(words) => write!(f, "its answer makes no sense: {words}"),
            Refusal::Gone(words) => write!(f, "it cannot be asked any more: {words}"),
        }
    }
}
