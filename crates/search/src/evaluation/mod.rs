//! What a position is worth without looking ahead.

mod any;
mod network;
mod piece_square;

pub use any::AnyEvaluator;
pub use piece_square::{MATERIAL, PieceSquare, piece_square_value};
pub(crate) use piece_square::{OPENING, PHASE};

use rules::{Observer, Position};

use crate::{Answer, Control, Reporter, Request, Searcher};

/// Evaluates positions, and is told of every change on the way so as not to start from scratch each time.
///
/// The search [resets](Evaluator::reset) the evaluator to the root. Then it [pushes](Evaluator::push) a level for every
/// move it plays, whose changes are told to [`Changes`](Evaluator::Changes), and pops it when it takes the move back.
pub trait Evaluator: Clone + Send {
    /// What is told which pieces a move changes.
    type Changes: Observer;

    /// Starts anew at a position.
    fn reset(&mut self, position: &Position);

    /// A move is about to be played; what it changes is to be told to the result.
    fn push(&mut self) -> &mut Self::Changes;

    /// The last move is taken back.
    fn pop(&mut self);

    /// What the position, which follows from the moves pushed, is worth to the player to move, in centipawns.
    fn evaluate(&mut self, position: &Position) -> i32;

    /// Searches at full strength with this evaluator.
    ///
    /// The search is generic, so each crate that calls it compiles it again. An evaluator whose type is known can
    /// override this method, as [`AnyEvaluator`] does: then it is compiled once, where the evaluator is.
    fn search(
        searcher: &mut Searcher<Self>,
        request: &Request,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Answer {
        searcher.search_watched(request, control, reporter, ())
    }
}
