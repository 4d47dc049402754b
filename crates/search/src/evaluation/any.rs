//! Any of the evaluators, so that a program can choose one while it runs.

use std::sync::Arc;
#[cfg(feature = "net")]
use std::sync::LazyLock;

use nnue::{Accumulators, Network};
use rules::{Observer, Piece, Position, Square};

use super::{Evaluator, PieceSquare};
use crate::{Answer, Control, Reporter, Request, Searcher};

/// The network that is compiled in, read once and shared by all.
#[cfg(feature = "net")]
static DEFAULT_NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
    let network = Network::read(include_bytes!("../../nets/default.nnue"));
    Arc::new(network.expect("the network that is compiled in can be read"))
});

/// Any of the evaluators.
///
/// Which one it is costs a branch that is always predicted, less than can be measured in nodes a second.
#[derive(Clone)]
pub enum AnyEvaluator {
    /// Material and piece-square tables.
    PieceSquare(PieceSquare),
    /// A network.
    Network(Accumulators),
}

impl AnyEvaluator {
    /// The network that judges, if one does.
    pub fn network(&self) -> Option<&Arc<Network>> {
        match self {
            AnyEvaluator::PieceSquare(_) => None,
            AnyEvaluator::Network(accumulators) => Some(accumulators.network()),
        }
    }
}

/// The network that is compiled in.
#[cfg(feature = "net")]
impl Default for AnyEvaluator {
    fn default() -> AnyEvaluator {
        Arc::clone(&DEFAULT_NETWORK).into()
    }
}

impl From<Arc<Network>> for AnyEvaluator {
    fn from(network: Arc<Network>) -> AnyEvaluator {
        AnyEvaluator::Network(Accumulators::new(network))
    }
}

impl Evaluator for AnyEvaluator {
    type Changes = AnyEvaluator;

    fn reset(&mut self, position: &Position) {
        match self {
            AnyEvaluator::PieceSquare(tables) => tables.reset(position),
            AnyEvaluator::Network(accumulators) => accumulators.reset(position),
        }
    }

    #[inline]
    fn push(&mut self) -> &mut AnyEvaluator {
        match self {
            AnyEvaluator::PieceSquare(tables) => _ = tables.push(),
            AnyEvaluator::Network(accumulators) => _ = accumulators.push(),
        }
        self
    }

    #[inline]
    fn pop(&mut self) {
        match self {
            AnyEvaluator::PieceSquare(tables) => tables.pop(),
            AnyEvaluator::Network(accumulators) => accumulators.pop(),
        }
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> i32 {
        match self {
            AnyEvaluator::PieceSquare(tables) => tables.evaluate(position),
            AnyEvaluator::Network(accumulators) => accumulators.evaluate(position),
        }
    }

    /// Compiled here, once for all crates that search.
    #[inline(never)]
    fn search(
        searcher: &mut Searcher<AnyEvaluator>,
        request: &Request,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Answer {
        searcher.search_watched(request, control, reporter, ())
    }
}

/// Is told what the last move changes.
impl Observer for AnyEvaluator {
    #[inline(always)]
    fn removed(&mut self, piece: Piece, square: Square) {
        match self {
            AnyEvaluator::PieceSquare(tables) => tables.changes().removed(piece, square),
            AnyEvaluator::Network(accumulators) => accumulators.changes().removed(piece, square),
        }
    }

    #[inline(always)]
    fn placed(&mut self, piece: Piece, square: Square) {
        match self {
            AnyEvaluator::PieceSquare(tables) => tables.changes().placed(piece, square),
            AnyEvaluator::Network(accumulators) => accumulators.changes().placed(piece, square),
        }
    }
}
