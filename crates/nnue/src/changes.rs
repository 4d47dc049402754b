//! What a move does to the pieces, noted down until an evaluation is wanted.

use rules::{Observer, Piece, Role, Square};

use crate::View;
use crate::features::KingBuckets;

/// What a move does to the pieces: at most two are removed and two placed, as by castling.
#[derive(Clone, Copy, Debug)]
pub struct Changes {
    removed: Few,
    placed: Few,
}

/// Up to two pieces on their squares.
#[derive(Clone, Copy, Debug)]
struct Few {
    pieces: [(Piece, Square); 2],
    count: u8,
}

impl Few {
    const NONE: Few = Few { pieces: [(Piece::ALL[0], Square::A1); 2], count: 0 };

    #[inline(always)]
    fn push(&mut self, piece: Piece, square: Square) {
        self.pieces[usize::from(self.count)] = (piece, square);
        self.count += 1;
    }

    #[inline]
    fn as_slice(&self) -> &[(Piece, Square)] {
        &self.pieces[..usize::from(self.count)]
    }
}

impl Changes {
    pub(crate) const NONE: Changes = Changes { removed: Few::NONE, placed: Few::NONE };

    #[inline]
    pub(crate) fn removals(&self) -> &[(Piece, Square)] {
        self.removed.as_slice()
    }

    #[inline]
    pub(crate) fn placements(&self) -> &[(Piece, Square)] {
        self.placed.as_slice()
    }

    /// Whether the board looked different, from the side of `view`, before the king moved.
    #[inline]
    pub(crate) fn turn_the_board(&self, view: View, buckets: &KingBuckets) -> bool {
        let king = Role::King.of(view.perspective());
        self.removals().iter().any(|&(piece, square)| piece == king && buckets.view(piece.color, square) != view)
    }
}

impl Observer for Changes {
    #[inline(always)]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.removed.push(piece, square);
    }

    #[inline(always)]
    fn placed(&mut self, piece: Piece, square: Square) {
        self.placed.push(piece, square);
    }
}
