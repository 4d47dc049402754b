//! What the board does while it makes a move, for those who want to watch.

use rules::Square;

use super::cells::{Cell, Content};

/// A number that goes into the position key or comes out of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KeyNumber {
    Piece(Content, Cell),
    EnPassant(Option<Square>),
    Castling(u8),
    WhiteToMove,
}

/// Something that happens to a piece list. Places are indices of the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ListChange {
    /// A piece goes to another cell and keeps its place.
    Moved { place: usize, from: Cell, to: Cell },
    /// A piece is taken off: it changes places with the last of its kind, and the count is one less.
    Removed { place: usize, cell: Cell, last_place: usize, last_cell: Cell },
    /// A piece comes to the end of its list.
    Added { place: usize, cell: Cell },
}

/// Is told what a move does. Not to watch costs nothing.
pub(super) trait Watcher {
    #[inline]
    fn taken_out(&mut self, _number: KeyNumber) {}

    #[inline]
    fn put_in(&mut self, _number: KeyNumber) {}

    #[inline]
    fn listed(&mut self, _piece: Content, _change: ListChange) {}
}

impl Watcher for () {}
