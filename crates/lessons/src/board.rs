//! The pieces that attack the square of an exchange, by what they look through.

use rules::see::Exchange;
use rules::{Bitboard, Color, Position, Role, attacks};

/// The board after the first move of an exchange, with the position before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Board<'a> {
    pub(crate) position: &'a Position,
    pub(crate) exchange: Exchange,
}

impl Board<'_> {
    /// The pieces of a player that are left outside the square.
    pub(crate) fn pieces(&self, color: Color) -> Bitboard {
        if color == self.position.turn() { self.exchange.us } else { self.exchange.them }
    }

    /// All pieces that are left outside the square.
    pub(crate) fn left(&self) -> Bitboard {
        self.exchange.us | self.exchange.them
    }

    /// The pieces of a role that are left outside the square.
    pub(crate) fn role(&self, role: Role) -> Bitboard {
        self.position.by_role(role) & self.left()
    }

    /// The pawns of both players that attack the square.
    pub(crate) fn pawns(&self) -> Bitboard {
        let from = |color: Color| attacks::pawn(!color, self.exchange.square) & self.pieces(color);
        self.role(Role::Pawn) & (from(Color::White) | from(Color::Black))
    }

    /// The sliders that see the square when some pieces are looked through: rooks and queens by rooks and queens, and
    /// bishops, queens and attacking pawns by bishops and queens.
    pub(crate) fn sliders(&self, looked_through: Bitboard) -> Bitboard {
        let [bishops, rooks, queens] = [Role::Bishop, Role::Rook, Role::Queen].map(|role| self.role(role));
        let in_the_way = |fronts: Bitboard| self.left() - (fronts & looked_through);
        let straight = attacks::rook(self.exchange.square, in_the_way(rooks | queens));
        let diagonal = attacks::bishop(self.exchange.square, in_the_way(bishops | queens | self.pawns()));
        straight & (rooks | queens) | diagonal & (bishops | queens)
    }

    /// A player's attackers, given the sliders that see the square.
    pub(crate) fn attackers(&self, color: Color, sliders: Bitboard) -> SideAttackers {
        let square = self.exchange.square;
        let of = |role: Role, from: Bitboard| self.role(role) & self.pieces(color) & from;
        SideAttackers([
            of(Role::Pawn, self.pawns()),
            of(Role::Knight, attacks::knight(square)),
            of(Role::Bishop, sliders),
            of(Role::Rook, sliders),
            of(Role::Queen, sliders),
            of(Role::King, attacks::king(square)),
        ])
    }
}

/// Pieces that attack the square of an exchange, by the index of their role.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SideAttackers(pub(crate) [Bitboard; 6]);

impl SideAttackers {
    pub(crate) fn of(&self, role: Role) -> Bitboard {
        self.0[role as usize]
    }

    pub(crate) fn all(&self) -> Bitboard {
        self.0.into_iter().fold(Bitboard::EMPTY, |all, set| all | set)
    }

    /// The least valuable role that attacks.
    pub(crate) fn least(&self) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| !self.of(role).is_empty())
    }

    /// Those on some squares.
    pub(crate) fn on(&self, squares: Bitboard) -> SideAttackers {
        SideAttackers(self.0.map(|set| set & squares))
    }

    /// Takes pieces of a role away.
    pub(crate) fn remove(&mut self, role: Role, squares: Bitboard) {
        self.0[role as usize] -= squares;
    }
}
