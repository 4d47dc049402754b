//! What stands behind the first attackers of a square.

use super::scene::{Attackers, Opening};
use crate::board::Board;
use crate::{Bitboard, Role, attacks};

/// What lines through the square add to the pieces that attack it directly.
pub(super) struct Lines {
    /// All that count as attackers.
    pub(super) counted: Attackers,
    /// Those that wait behind a queen: by the time they may capture, it has been lost.
    pub(super) waiting: Bitboard,
}

impl Lines {
    /// What stands behind queens counts too, unless it is a rook or bishop behind a queen of its own side.
    pub(super) fn through(board: &Board, opening: &Opening, direct: &Attackers) -> Lines {
        let Opening { square, us, them, .. } = *opening;
        let left = us | them;
        let [bishops, rooks, queens] = [Role::Bishop, Role::Rook, Role::Queen].map(|role| board.role(role) & left);
        // All rooks and queens on ranks and files, all bishops and queens on diagonals, when some queens are looked
        // through.
        let seen_through = |queens_in_front: Bitboard| {
            let straight = attacks::rook(square, left - rooks - queens_in_front) & (rooks | queens);
            let diagonal = attacks::bishop(square, left - bishops - queens_in_front - direct.pawns);
            straight | diagonal & (bishops | queens)
        };
        let all = seen_through(queens);
        let counted = all & queens | seen_through(queens & them) & us | seen_through(queens & us) & them;
        let sliders =
            Attackers { bishops: bishops & counted, rooks: rooks & counted, queens: queens & counted, ..*direct };
        Lines { counted: sliders, waiting: all - counted }
    }
}
