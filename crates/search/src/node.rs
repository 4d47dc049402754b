//! Kinds of nodes: what is asked of them, and what is expected.

/// What is asked of a node, known when the program is compiled.
pub(crate) trait Node {
    /// The position the search starts from.
    const ROOT: bool;
    /// The node may lie on the principal variation: its exact score is wanted, within an open window.
    const PV: bool;
}

/// The position the search starts from.
pub(crate) struct Root;

/// A node that may lie on the principal variation.
pub(crate) struct Pv;

/// A node that is only asked whether its score is above a bound.
pub(crate) struct Zero;

impl Node for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl Node for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl Node for Zero {
    const ROOT: bool = false;
    const PV: bool = false;
}

/// How a node is expected to end, before it is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expected {
    /// With an exact score.
    Exact,
    /// With a move that beats the bound.
    Cut,
    /// With no move that does.
    All,
}

impl Expected {
    /// What to expect of a child that is asked about the same bound.
    #[inline]
    pub(crate) fn of_child(self) -> Expected {
        match self {
            Expected::Cut => Expected::All,
            Expected::Exact | Expected::All => Expected::Cut,
        }
    }
}
