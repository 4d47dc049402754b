//! What the rules look at: where the pieces stand, whose turn it is, who may castle, and what may be taken en passant.
//!
//! This is the part of a [`Position`](crate::Position) that move generation reads and perft copies. It knows no keys
//! and no clocks. Copying it is how moves are made: there is no unmaking.

use crate::lanes::{Lanes, NativeLanes};
use crate::side::{PawnStep, Side};
use crate::{Bitboard, CastlingRights, CastlingSide, Color, Piece, Role, Square, attacks};

/// The placement of the pieces and the rights that go with it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(C)]
pub(crate) struct Board {
    /// Six sets by role, then two by color.
    sets: [u64; 8],
    pub(crate) castling: CastlingRights,
    /// The square a pawn may go to by taking en passant. It is kept only if some pawn may legally do so.
    pub(crate) en_passant: Option<Square>,
    pub(crate) turn: Color,
}

/// The lane of a color behind the six roles.
const fn color_lane(color: Color) -> usize {
    6 + color as usize
}

/// For each piece, the sets that hold it: its role's and its color's.
const LANES: [[[u64; 8]; 6]; 2] = {
    let mut lanes = [[[0; 8]; 6]; 2];
    let mut index = 0;
    while index < 12 {
        let (color, role) = (Color::ALL[index / 6], Role::ALL[index % 6]);
        lanes[index / 6][index % 6][role as usize] = !0;
        lanes[index / 6][index % 6][color_lane(color)] = !0;
        index += 1;
    }
    lanes
};

impl Board {
    pub(crate) const EMPTY: Board =
        Board { sets: [0; 8], castling: CastlingRights::NONE, en_passant: None, turn: Color::White };

    #[inline(always)]
    pub(crate) const fn role(&self, role: Role) -> Bitboard {
        Bitboard(self.sets[role as usize])
    }

    #[inline(always)]
    pub(crate) const fn color(&self, color: Color) -> Bitboard {
        Bitboard(self.sets[color_lane(color)])
    }

    #[inline(always)]
    pub(crate) const fn occupied(&self) -> Bitboard {
        Bitboard(self.sets[6] | self.sets[7])
    }

    #[inline(always)]
    pub(crate) fn pieces(&self, role: Role, color: Color) -> Bitboard {
        self.role(role) & self.color(color)
    }

    /// A player's pieces that slide along ranks and files.
    #[inline(always)]
    pub(crate) fn straight_sliders(&self, color: Color) -> Bitboard {
        (self.role(Role::Rook) | self.role(Role::Queen)) & self.color(color)
    }

    /// A player's pieces that slide along diagonals.
    #[inline(always)]
    pub(crate) fn diagonal_sliders(&self, color: Color) -> Bitboard {
        (self.role(Role::Bishop) | self.role(Role::Queen)) & self.color(color)
    }

    /// Where a player's king stands. Every legal position has one.
    #[inline(always)]
    pub(crate) fn king(&self, color: Color) -> Square {
        self.pieces(Role::King, color).the_only()
    }

    #[inline]
    pub(crate) fn role_at(&self, square: Square) -> Option<Role> {
        self.role_at_by::<NativeLanes>(square)
    }

    #[inline(always)]
    pub(crate) fn role_at_by<L: Lanes>(&self, square: Square) -> Option<Role> {
        if self.occupied().contains(square) { Some(self.role_of_piece_at_by::<L>(square)) } else { None }
    }

    /// The role of the piece on a square where there is one.
    #[inline(always)]
    pub(crate) fn role_of_piece_at(&self, square: Square) -> Role {
        self.role_of_piece_at_by::<NativeLanes>(square)
    }

    #[inline(always)]
    fn role_of_piece_at_by<L: Lanes>(&self, square: Square) -> Role {
        let index = if L::FAST {
            L::new(self.sets).intersecting(L::splat(square.bitboard().0)).trailing_zeros()
        } else {
            // A sum of bits instead of a search: the branches of a search could not be predicted.
            let at = |role: Role| (self.sets[role as usize] >> square as u8 & 1) as u32;
            at(Role::Knight) + 2 * at(Role::Bishop) + 3 * at(Role::Rook) + 4 * at(Role::Queen) + 5 * at(Role::King)
        };
        match index {
            0 => Role::Pawn,
            1 => Role::Knight,
            2 => Role::Bishop,
            3 => Role::Rook,
            4 => Role::Queen,
            _ => Role::King,
        }
    }

    /// The sets of the six roles, and two more lanes that hold something else.
    #[inline(always)]
    pub(crate) fn roles<L: Lanes>(&self) -> L {
        L::new(self.sets)
    }

    /// The index of the role on a square, or an index beyond the six, below sixteen, if the square is empty: for tables
    /// that have an entry for nothing.
    #[inline(always)]
    pub(crate) fn slot_at<L: Lanes>(&self, square: Square) -> usize {
        if L::FAST {
            L::new(self.sets).intersecting(L::splat(square.bitboard().0)).trailing_zeros() as usize
        } else {
            let is_occupied = (self.occupied().0 >> square as u8 & 1) as usize;
            self.role_of_piece_at_by::<L>(square) as usize * is_occupied + 8 * (1 - is_occupied)
        }
    }

    #[inline]
    pub(crate) fn color_at(&self, square: Square) -> Option<Color> {
        if self.color(Color::White).contains(square) {
            Some(Color::White)
        } else if self.color(Color::Black).contains(square) {
            Some(Color::Black)
        } else {
            None
        }
    }

    #[inline]
    pub(crate) fn piece_at(&self, square: Square) -> Option<Piece> {
        self.color_at(square).and_then(|color| Some(self.role_at(square)?.of(color)))
    }

    /// Puts a piece on a square, in place of whatever stood there.
    pub(crate) fn put(&mut self, piece: Piece, square: Square) {
        self.replace(square.bitboard(), square.bitboard(), piece.role, piece.color);
    }

    /// Empties `cleared`, then sets `placed` to pieces of one role and color.
    #[inline(always)]
    fn replace(&mut self, cleared: Bitboard, placed: Bitboard, role: Role, color: Color) {
        // One expression for all eight sets: it stays in vector registers if the role is only known at run time, and
        // falls apart into what is needed if the compiler knows it. Indexed writes instead would make the next copy of
        // the board wait for them, at 6 to 15 % of the speed of a walk through the tree.
        let lanes = &LANES[color as usize][role as usize];
        self.sets = std::array::from_fn(|lane| self.sets[lane] & !cleared.0 | lanes[lane] & placed.0);
    }

    /// All pieces of both colors that attack a square, when `occupied` blocks the way.
    pub(crate) fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let straight = self.role(Role::Rook) | self.role(Role::Queen);
        let diagonal = self.role(Role::Bishop) | self.role(Role::Queen);
        attacks::rook(square, occupied) & straight
            | attacks::bishop(square, occupied) & diagonal
            | attacks::knight(square) & self.role(Role::Knight)
            | attacks::king(square) & self.role(Role::King)
            | attacks::pawn(Color::White, square) & self.pieces(Role::Pawn, Color::Black)
            | attacks::pawn(Color::Black, square) & self.pieces(Role::Pawn, Color::White)
    }

    /// The pawns of `S` that may legally take en passant on `target`.
    #[inline(never)]
    pub(crate) fn en_passant_capturers<S: Side>(&self, target: Square) -> Bitboard {
        let king = self.king(S::COLOR);
        let captured = PawnStep::Push.origin::<S>(target).bitboard();
        let candidates = attacks::pawn(<S::Opponent as Side>::COLOR, target) & self.pieces(Role::Pawn, S::COLOR);
        // Two pawns leave a line at once, which no pin describes: look at the board after the capture.
        let exposes_king = |from: &Square| {
            let occupied = (self.occupied() ^ from.bitboard() ^ captured) | target.bitboard();
            self.attackers(king, occupied).intersects((self.color(<S::Opponent as Side>::COLOR) & occupied) - captured)
        };
        candidates.into_iter().filter(|from| !exposes_king(from)).collect()
    }

    /// The board after a piece of `us` went from one square to another and became `role`, taking what it met.
    #[inline(always)]
    pub(crate) fn after_move_of(&self, us: Color, role: Role, from: Bitboard, to: Bitboard) -> Board {
        let mut next = *self;
        next.replace(from | to, to, role, us);
        let lost = if role == Role::King { us.back_rank().squares() } else { Bitboard::EMPTY };
        next.castling = self.castling.after_change(from | to | lost);
        next.en_passant = None;
        next.turn = !us;
        next
    }

    #[inline(always)]
    pub(crate) fn after_move<S: Side>(&self, role: Role, from: Bitboard, to: Bitboard) -> Board {
        self.after_move_of(S::COLOR, role, from, to)
    }

    /// Whether an enemy pawn stands beside the target of a double push by `S`, so that it might take en passant.
    #[inline(always)]
    pub(crate) fn may_allow_en_passant<S: Side>(&self, to: Square) -> bool {
        let passed = PawnStep::Push.origin::<S>(to);
        attacks::pawn(S::COLOR, passed).intersects(self.pieces(Role::Pawn, <S::Opponent as Side>::COLOR))
    }

    /// The board after a pawn of `S` went two squares ahead.
    #[inline(always)]
    pub(crate) fn after_double_push<S: Side>(&self, from: Square, to: Square) -> Board {
        let mut next = self.after_move::<S>(Role::Pawn, from.bitboard(), to.bitboard());
        if self.may_allow_en_passant::<S>(to) {
            let passed = PawnStep::Push.origin::<S>(to);
            let is_capturable = !next.en_passant_capturers::<S::Opponent>(passed).is_empty();
            next.en_passant = is_capturable.then_some(passed);
        }
        next
    }

    /// The board after a pawn of `S` took another en passant.
    #[inline(always)]
    pub(crate) fn after_en_passant<S: Side>(&self, from: Square, to: Square) -> Board {
        let captured = PawnStep::Push.origin::<S>(to);
        self.after_move::<S>(Role::Pawn, from.bitboard() | captured.bitboard(), to.bitboard())
    }

    /// The board after the king of `S` castled with a rook.
    #[inline(always)]
    pub(crate) fn after_castling<S: Side>(&self, king: Square, rook: Square) -> Board {
        let (king_to, rook_to) = castled_squares(king, rook);
        // The king comes second: in Chess960 it may end where the rook stood, and that square has been cleared.
        let mut next = self.after_move::<S>(Role::Rook, king.bitboard() | rook.bitboard(), rook_to.bitboard());
        next.replace(Bitboard::EMPTY, king_to.bitboard(), Role::King, S::COLOR);
        next.castling = self.castling.after_change(S::COLOR.back_rank().squares());
        next
    }
}

/// Where a king and a rook stand after they castled.
#[inline]
pub(crate) fn castled_squares(king: Square, rook: Square) -> (Square, Square) {
    let side = CastlingSide::of(king, rook);
    (Square::new(side.king_file(), king.rank()), Square::new(side.rook_file(), king.rank()))
}
