//! A seam to see the tree itself: which nodes are visited, which moves are left out, and why a node ends.
//!
//! The search tells a [`Watcher`] as it goes. A search that plays is not watched: then the watcher is `()`, its methods
//! are empty, and nothing of it is left in the program.

use rules::Move;

use crate::Score;

/// Watches a search from inside. By default, every method does nothing.
///
/// Nodes nest: between the entering and the leaving of a node, others are entered and left, each after the move that
/// leads there is played and before it is taken back. A node that is entered without a move is another look at the same
/// position.
pub trait Watcher {
    /// A move is played; none is a pass.
    fn plays(&mut self, _mv: Option<Move>) {}

    /// The last move is taken back.
    fn takes_back(&mut self) {}

    /// A node is about to be searched.
    fn enters(&mut self, _visit: Visit) {}

    /// The position is evaluated.
    fn evaluates(&mut self) {}

    /// A move of the node is not searched.
    fn skips(&mut self, _mv: Move, _why: Skip) {}

    /// The node is over, with a score for the player to move.
    fn leaves(&mut self, _why: NodeEnd, _score: Score) {}
}

/// Watches nothing.
impl Watcher for () {}

impl<W: Watcher> Watcher for &mut W {
    fn plays(&mut self, mv: Option<Move>) {
        (**self).plays(mv);
    }

    fn takes_back(&mut self) {
        (**self).takes_back();
    }

    fn enters(&mut self, visit: Visit) {
        (**self).enters(visit);
    }

    fn evaluates(&mut self) {
        (**self).evaluates();
    }

    fn skips(&mut self, mv: Move, why: Skip) {
        (**self).skips(mv, why);
    }

    fn leaves(&mut self, why: NodeEnd, score: Score) {
        (**self).leaves(why, score);
    }
}

/// What is asked of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visit {
    /// How many plies to look ahead; none where only captures are looked at until the position is quiet.
    pub depth: Option<usize>,
    /// Scores up to this one are all the same to the parent.
    pub alpha: Score,
    /// So are scores from this one on.
    pub beta: Score,
}

/// Why a node is over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum NodeEnd {
    /// Every move was searched or skipped for a reason of its own.
    AllMoves,
    /// A move was too good for the opponent to allow: the others do not matter.
    Cutoff,
    /// The depth is used up, and the position is judged as it stands.
    Horizon,
    /// Among captures only: not taking anything is good enough already.
    StandPat,
    /// The transposition table holds a bound that is deep enough.
    TtCutoff,
    /// A tablebase knew the result.
    Tablebase,
    /// A draw by repetition, by the fifty-move rule or for lack of material, on the board or at hand.
    Draw,
    /// The player to move is mated.
    Mate,
    /// The player to move has no move, and is not in check.
    Stalemate,
    /// A shorter mate is known elsewhere.
    MateDistance,
    /// So far ahead that the opponent's next move will hardly undo it.
    ReverseFutility,
    /// Even passing is good enough.
    NullMove,
    /// A capture beats the bound by a margin in a shallow search.
    ProbCut,
    /// Besides the best move of the table another one is good enough as well.
    MultiCut,
    /// The search was stopped.
    Stopped,
}

/// Why a move is not searched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Skip {
    /// It comes after so many others that it is hardly ever the best.
    Late,
    /// A quiet move cannot make up for so much.
    Futile,
    /// It has failed again and again in similar places.
    History,
    /// It loses material by exchange.
    LosesMaterial,
    /// Enough captures were tried, or enough ways out of check.
    EnoughTried,
}
