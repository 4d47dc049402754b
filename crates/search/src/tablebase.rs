//! The seam to endgame tablebases: the search asks, another crate knows the files.

use rules::{Move, Position};

/// What a tablebase says about a position, for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TablebaseResult {
    /// Lost.
    Loss,
    /// Lost, but the fifty-move rule saves the player.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but not before the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

/// Knows the results of endgames.
pub trait Tablebase: Send + Sync {
    /// The most pieces, kings included, of a position that may be known.
    fn most_pieces(&self) -> usize;

    /// The result of a position without castling rights whose fifty-move counter is zero, if it is known.
    fn result(&self, position: &Position) -> Option<TablebaseResult>;

    /// All legal moves of a position, the best first, with what each leads to for the player to move, if all are known.
    ///
    /// The order takes the fifty-move counter into account where `respects_fifty_moves` says so: among winning moves
    /// those that make progress come first.
    fn rank_moves(&self, position: &Position, respects_fifty_moves: bool) -> Option<Vec<RankedMove>>;
}

/// A legal move and what it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// The result for the player who makes it.
    pub result: TablebaseResult,
    /// Moves with the same rank are equally good; a higher rank is better.
    pub rank: i32,
}
