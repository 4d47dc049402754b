//! What the network sees of a position: the one place that knows how a piece on a square becomes a number.

use rules::{Color, Piece, Role, Square};

use crate::ArchitectureError;

/// The features of one king bucket: two owners, six roles, sixty-four squares.
pub const FEATURES: usize = 2 * Role::COUNT * 64;

/// Which rows of weights a king's place selects.
///
/// With more than one bucket the network learns other weights for other places of the own king. The table is indexed by
/// the king's square as its owner sees it, which is always on the files e to h; the other half of the table is never
/// asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KingBuckets {
    table: [u8; 64],
}

impl KingBuckets {
    /// The same weights wherever the king is.
    pub const ONE: KingBuckets = KingBuckets { table: [0; 64] };

    /// The most buckets: one for each square that a king is seen on.
    pub const MOST: usize = 32;

    /// The buckets of a table, `a1` first.
    pub fn new(table: [u8; 64]) -> Result<KingBuckets, ArchitectureError> {
        match Square::ALL.into_iter().find(|&square| usize::from(table[square.index()]) >= KingBuckets::MOST) {
            Some(square) => Err(ArchitectureError::KingBucket { square, bucket: table[square.index()] }),
            None => Ok(KingBuckets { table }),
        }
    }

    /// The bucket of each square, `a1` first.
    pub fn table(&self) -> &[u8; 64] {
        &self.table
    }

    /// How many buckets there are: one more than the highest in the table.
    pub fn count(&self) -> usize {
        1 + self.table.iter().copied().max().map_or(0, usize::from)
    }

    /// The board as a player sees it whose king is on a square.
    #[inline]
    pub fn view(&self, perspective: Color, king: Square) -> View {
        let rank_flip = if perspective == Color::White { 0 } else { 56 };
        let file_flip = if king.index() & 4 == 0 { 7 } else { 0 };
        let flip = rank_flip | file_flip;
        View { perspective, flip, bucket: self.table[king.index() ^ usize::from(flip)] }
    }

    /// The row of weights that belongs to a piece on a square, as a player sees it whose king is on `king`:
    ///
    /// ```text
    /// flip  = (56 if perspective is Black, else 0) xor (7 if king is on the files a to d, else 0)
    /// index = 768 * table[king xor flip]
    ///       + 384 * (0 if the piece is the perspective's own, else 1)
    ///       +  64 * role                                  pawn 0, knight 1, bishop 2, rook 3, queen 4, king 5
    ///       + (square xor flip)                           a1 = 0, b1 = 1, … h8 = 63
    /// ```
    ///
    /// So each player sees the own pieces at the bottom and the own king on the right half of the board. Both kings are
    /// features like all other pieces.
    #[inline]
    pub fn feature_index(&self, perspective: Color, king: Square, piece: Piece, square: Square) -> usize {
        self.view(perspective, king).feature_index(piece, square)
    }
}

/// The board as one player sees it; it stays the same until the own king crosses the middle or changes its bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    perspective: Color,
    /// What to do to the bits of a square.
    flip: u8,
    bucket: u8,
}

impl View {
    /// See [`KingBuckets::feature_index`].
    #[inline]
    pub fn feature_index(&self, piece: Piece, square: Square) -> usize {
        let owner = usize::from(piece.color != self.perspective);
        let place = square.index() ^ usize::from(self.flip);
        FEATURES * usize::from(self.bucket) + 64 * (Role::COUNT * owner + piece.role as usize) + place
    }

    /// Whose view it is.
    #[inline]
    pub(crate) fn perspective(&self) -> Color {
        self.perspective
    }

    /// A number for each view, below four times the number of king buckets.
    #[inline]
    pub(crate) fn number(&self) -> usize {
        let is_mirrored = usize::from(self.flip & 7 != 0);
        4 * usize::from(self.bucket) + 2 * self.perspective as usize + is_mirrored
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const KNIGHT: Piece = Piece { color: Color::White, role: Role::Knight };

    #[test]
    fn known_features_have_known_numbers() {
        let one = KingBuckets::ONE;
        let index = |perspective, king, square| one.feature_index(perspective, king, KNIGHT, square);
        assert_eq!(index(Color::White, Square::E1, Square::F3), 64 + 21);
        assert_eq!(index(Color::White, Square::D1, Square::C3), 64 + 21);
        assert_eq!(index(Color::Black, Square::E8, Square::F3), 384 + 64 + 45);
        assert_eq!(index(Color::Black, Square::A8, Square::C6), 384 + 64 + 21);
        let mut table = [0; 64];
        table[Square::G1.index()] = 3;
        let four = KingBuckets::new(table).expect("four buckets");
        assert_eq!(four.count(), 4);
        assert_eq!(four.feature_index(Color::White, Square::B1, KNIGHT, Square::C3), 3 * 768 + 64 + 21);
        assert_eq!(four.feature_index(Color::Black, Square::G8, KNIGHT, Square::F6), 3 * 768 + 384 + 64 + 21);
    }

    #[test]
    fn a_view_gives_every_piece_on_every_square_a_number_of_its_own() {
        for (perspective, king) in [(Color::White, Square::G1), (Color::White, Square::B3), (Color::Black, Square::D8)]
        {
            let pairs = Piece::ALL.into_iter().flat_map(|piece| Square::ALL.map(|square| (piece, square)));
            let indices: BTreeSet<usize> =
                pairs.map(|(piece, square)| KingBuckets::ONE.feature_index(perspective, king, piece, square)).collect();
            assert_eq!((indices.len(), indices.last()), (FEATURES, Some(&(FEATURES - 1))));
        }
    }

    #[test]
    fn mirrored_and_turned_boards_look_alike() {
        for king in Square::ALL {
            for square in Square::ALL {
                let seen = KingBuckets::ONE.feature_index(Color::White, king, KNIGHT, square);
                let mirrored = |square: Square| square.flip_file();
                let black_knight = Role::Knight.of(Color::Black);
                assert_eq!(
                    seen,
                    KingBuckets::ONE.feature_index(Color::White, mirrored(king), KNIGHT, mirrored(square))
                );
                let turned = |square: Square| square.flip_rank();
                let by_black = KingBuckets::ONE.feature_index(Color::Black, turned(king), black_knight, turned(square));
                assert_eq!(seen, by_black);
            }
        }
    }
}
