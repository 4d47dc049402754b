//! Who searches a tree that is shown.

use std::fmt;
use std::str::FromStr;

use minds::TreeMind;
use serde::{Serialize, Serializer};

/// Who searches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// Every line is looked at.
    Minimax,
    /// Lines that cannot matter are left out; captures are tried first.
    AlphaBeta,
    /// The same, with the moves as they are generated: what order is worth.
    AlphaBetaUnordered,
    /// Everything the engine does, depth by depth.
    Full,
}

impl Method {
    /// All of them, from the one that looks at most.
    pub const ALL: [Method; 4] = [Method::Minimax, Method::AlphaBetaUnordered, Method::AlphaBeta, Method::Full];

    /// The mind that looks so many plies ahead. The full search is none of them, and is taken for alpha-beta.
    pub(super) fn tree_mind(self, depth: usize) -> TreeMind {
        let mind = match self {
            Method::Minimax => TreeMind::minimax(),
            Method::AlphaBeta | Method::Full => TreeMind::alpha_beta(),
            Method::AlphaBetaUnordered => TreeMind::alpha_beta().with_moves_as_generated(),
        };
        // The mind's own move is not among the plies it counts.
        mind.with_depth(depth - 1)
    }

    fn name(self) -> &'static str {
        match self {
            Method::Minimax => "minimax",
            Method::AlphaBeta => "alphabeta",
            Method::AlphaBetaUnordered => "alphabeta-unordered",
            Method::Full => "full",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Method {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// There is no such method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MethodError(String);

impl fmt::Display for MethodError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Method::ALL.map(Method::name).join(", ");
        write!(f, "{:?} is no search method: expected one of {names}", self.0)
    }
}

impl std::error::Error for MethodError {}

impl FromStr for Method {
    type Err = MethodError;

    fn from_str(text: &str) -> Result<Method, MethodError> {
        Method::ALL.into_iter().find(|method| method.name() == text).ok_or_else(|| MethodError(text.to_owned()))
    }
}
