//! The board after the first move of an exchange, and the pieces that attack its square.

use rules::see::Values;
use rules::{Bitboard, Color, Move, MoveKind, Position, Role, Square, attacks};

/// The board after the first move of an exchange.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opening<'a> {
    pub(crate) position: &'a Position,
    pub(crate) square: Square,
    /// What the first move won.
    pub(crate) gain: i32,
    /// What the opponent wins by taking the piece on the square: nothing if it is the king, which cannot be taken.
    pub(crate) exposed: i32,
    /// The pieces of the player who moved, without the one on the square.
    pub(crate) us: Bitboard,
    /// The opponent's pieces that are left.
    pub(crate) them: Bitboard,
}

impl<'a> Opening<'a> {
    /// After a legal move; castling opens no exchange.
    #[inline]
    pub(crate) fn new(position: &'a Position, mv: Move, values: &Values) -> Option<Opening<'a>> {
        if mv.kind() == MoveKind::Castle {
            return None;
        }
        let turn = position.turn();
        let captured = position.captured(mv);
        let promotion = mv.promotion_role();
        let role = promotion.or(position.role_at(mv.from()))?;
        Some(Opening {
            position,
            square: mv.to(),
            gain: captured.map_or(0, |(role, _)| values.of(role)) + promotion.map_or(0, |role| values.promotion(role)),
            exposed: values.of(role),
            us: position.by_color(turn).without(mv.from()),
            them: captured.map_or(position.by_color(!turn), |(_, at)| position.by_color(!turn).without(at)),
        })
    }

    /// The pieces of a player that are left outside the square.
    pub(crate) fn pieces(&self, color: Color) -> Bitboard {
        if color == self.position.turn() { self.us } else { self.them }
    }

    /// The rooks and queens on ranks and files, and the bishops and queens on diagonals, that see the square when some
    /// queens are looked through.
    ///
    /// Rooks are looked through for rooks and queens, bishops and attacking pawns for bishops and queens.
    #[inline]
    pub(crate) fn sliders(&self, queens_looked_through: Bitboard) -> Bitboard {
        let left = self.us | self.them;
        let [bishops, rooks, queens] =
            [Role::Bishop, Role::Rook, Role::Queen].map(|role| self.position.by_role(role) & left);
        let straight = attacks::rook(self.square, left - rooks - queens_looked_through);
        let diagonal = attacks::bishop(self.square, left - bishops - queens_looked_through - self.pawns());
        straight & (rooks | queens) | diagonal & (bishops | queens)
    }

    /// The pawns of both players that attack the square.
    #[inline]
    fn pawns(&self) -> Bitboard {
        let turn = self.position.turn();
        // A pawn attacks a square from where a pawn of the other color on it would attack.
        let (ours, theirs) = (attacks::pawn(!turn, self.square), attacks::pawn(turn, self.square));
        self.position.by_role(Role::Pawn) & (ours & self.us | theirs & self.them)
    }

    /// The pieces of both players that count as attackers: those that attack directly, and sliders behind rooks,
    /// bishops and pawns.
    #[inline]
    pub(crate) fn attackers(&self) -> Attackers {
        let by_role = |role: Role| self.position.by_role(role) & (self.us | self.them);
        let sliders = self.sliders(Bitboard::EMPTY);
        Attackers([
            self.pawns(),
            by_role(Role::Knight) & attacks::knight(self.square),
            by_role(Role::Bishop) & sliders,
            by_role(Role::Rook) & sliders,
            by_role(Role::Queen) & sliders,
            by_role(Role::King) & attacks::king(self.square),
        ])
    }
}

/// Pieces that attack the square of an exchange, by the index of their role.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attackers(pub(crate) [Bitboard; 6]);

impl Attackers {
    #[inline]
    pub(crate) fn of(&self, role: Role) -> Bitboard {
        self.0[role as usize]
    }

    /// The least valuable role that attacks, by its index; six if none does.
    #[inline]
    pub(crate) fn least(&self) -> usize {
        let present = (0..6).fold(1 << 6, |roles: u32, role| roles | u32::from(!self.0[role].is_empty()) << role);
        present.trailing_zeros() as usize
    }

    #[inline]
    pub(crate) fn all(&self) -> Bitboard {
        self.0.into_iter().fold(Bitboard::EMPTY, |all, set| all | set)
    }

    /// Those on some squares.
    #[inline]
    pub(crate) fn on(&self, squares: Bitboard) -> Attackers {
        Attackers(self.0.map(|set| set & squares))
    }

    /// Takes pieces of a role away.
    pub(crate) fn remove(&mut self, role: Role, squares: Bitboard) {
        self.0[role as usize] -= squares;
    }
}
