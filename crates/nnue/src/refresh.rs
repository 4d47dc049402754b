//! Starting over when a king crosses the middle of the board, without starting from nothing.
//!
//! For each view there is an accumulator of some position that was seen that way before, together with its pieces. The
//! next position of that view is mostly the same, so that only the pieces that differ have to be added and removed.

use rules::{Bitboard, Piece, Position};

use crate::block::Block;
use crate::kernel::{self, Simd};
use crate::{Network, View};

/// The last accumulator of every view.
#[derive(Clone)]
pub(crate) struct RefreshCache {
    /// The pieces that are added up, for each view.
    boards: Vec<[Bitboard; Piece::COUNT]>,
    /// The sums, a row for each view.
    sums: Vec<Block>,
}

impl RefreshCache {
    /// Every view of an empty board.
    pub(crate) fn new(network: &Network) -> RefreshCache {
        let views = 4 * network.architecture().king_buckets().count();
        RefreshCache {
            boards: vec![[Bitboard::EMPTY; Piece::COUNT]; views],
            sums: network.feature_biases().repeat(views),
        }
    }

    /// The accumulator of a position in a view.
    #[inline(always)]
    pub(crate) fn refresh<S: Simd>(&mut self, simd: S, network: &Network, view: View, position: &Position) -> &[Block] {
        let (number, blocks) = (view.number(), network.row_blocks());
        let board = &mut self.boards[number];
        let (mut added, mut removed) = (Rows::NONE, Rows::NONE);
        for piece in Piece::ALL {
            let wanted = position.pieces(piece.role, piece.color);
            let present = std::mem::replace(&mut board[piece.index()], wanted);
            (wanted - present).into_iter().for_each(|square| added.push(view.feature_index(piece, square)));
            (present - wanted).into_iter().for_each(|square| removed.push(view.feature_index(piece, square)));
        }
        let sums = &mut self.sums[number * blocks..][..blocks];
        kernel::accumulate(simd, sums, network.all_feature_rows(), added.as_slice(), removed.as_slice());
        sums
    }
}

/// Rows of at most as many pieces as there are on a board.
struct Rows {
    rows: [usize; 32],
    count: usize,
}

impl Rows {
    const NONE: Rows = Rows { rows: [0; 32], count: 0 };

    fn push(&mut self, row: usize) {
        self.rows[self.count] = row;
        self.count += 1;
    }

    fn as_slice(&self) -> &[usize] {
        &self.rows[..self.count]
    }
}
