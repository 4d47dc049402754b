//! Checks and pins: what attacks a square, what bears on a king, and what a move does to the other king.

use crate::board::castled_squares;
use crate::movegen::{Threats, attacked_apart};
use crate::side::{for_best_side, for_side};
use crate::{Bitboard, Color, Move, MoveKind, Position, Rank, Role, Square, attacks};

/// A piece that must stay on the line between its king and an enemy slider.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pin {
    /// The piece that may not leave the line.
    pub pinned: Square,
    /// The slider.
    pub pinner: Square,
}

impl Position {
    /// The pieces of both players that attack a square.
    pub fn attackers(&self, square: Square) -> Bitboard {
        self.board.attackers(square, self.occupied())
    }

    /// The squares that a player's pieces attack, their own pieces' squares included if they are guarded.
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        for_best_side!(color, S => attacked_apart::<S>(&self.board))
    }

    /// The pieces that give check to the player to move.
    pub fn checkers(&self) -> Bitboard {
        self.threats().checkers
    }

    /// The pieces of the player to move that must stay on their line to the king.
    pub fn pinned(&self) -> Bitboard {
        self.threats().pinned
    }

    fn threats(&self) -> Threats {
        for_side!(self.turn(), S => Threats::to_king::<S>(&self.board))
    }

    /// Whether the player to move is in check.
    pub fn is_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// The pins of a player's pieces.
    ///
    /// ```
    /// use saavedra_rules::{Color, Pin, Position, Square};
    ///
    /// let position: Position = "4k3/8/2n5/1B6/8/8/8/4K3 b - - 0 1".parse()?;
    /// let pins: Vec<Pin> = position.pins(Color::Black).collect();
    /// assert_eq!(pins, [Pin { pinned: Square::C6, pinner: Square::B5 }]);
    /// # Ok::<(), saavedra_rules::FenError>(())
    /// ```
    pub fn pins(&self, color: Color) -> impl Iterator<Item = Pin> + use<> {
        let (straight, diagonal) = (self.board.straight_sliders(!color), self.board.diagonal_sliders(!color));
        let own = self.by_color(color);
        let snipers = attacks::snipers(self.king(color), straight, diagonal, self.occupied());
        snipers.filter(|sniper| !sniper.blockers.more_than_one()).filter_map(move |sniper| {
            (sniper.blockers & own).first().map(|pinned| Pin { pinned, pinner: sniper.square })
        })
    }

    /// The squares where a move of the player to move may end that gives check: those from which one of their pieces
    /// attacks the king, and all where a piece opens a line when it leaves, or a pawn promotes.
    pub(crate) fn check_targets(&self) -> Bitboard {
        let us = self.turn();
        let (king, own, occupied) = (self.king(!us), self.by_color(us), self.occupied());
        let (straight, diagonal) = (self.board.straight_sliders(us), self.board.diagonal_sliders(us));
        let (pawns, knights) = (self.pieces(Role::Pawn, us), self.pieces(Role::Knight, us));
        let opens_a_line = |blockers: Bitboard| !blockers.more_than_one() && blockers.intersects(own);
        if pawns.intersects(us.relative(Rank::Seventh).squares())
            || attacks::snipers(king, straight, diagonal, occupied).any(|sniper| opens_a_line(sniper.blockers))
        {
            return Bitboard::ALL;
        }
        let when = |pieces: Bitboard, squares: Bitboard| if pieces.is_empty() { Bitboard::EMPTY } else { squares };
        when(pawns, attacks::pawn(!us, king))
            | when(knights, attacks::knight(king))
            | when(straight, attacks::rook(king, occupied))
            | when(diagonal, attacks::bishop(king, occupied))
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        !self.checkers_after(mv).is_empty()
    }

    /// The pieces that will give check after a legal move, on the squares where they will stand.
    pub fn checkers_after(&self, mv: Move) -> Bitboard {
        let us = self.turn();
        let king = self.king(!us);
        let (from, to) = (mv.from(), mv.to());
        let (role, at, gone) = match mv.kind() {
            MoveKind::Normal => (self.role_at(from), to, from.bitboard()),
            MoveKind::Promotion(role) => (Some(role), to, from.bitboard()),
            MoveKind::EnPassant => (Some(Role::Pawn), to, from.bitboard().with(Square::new(to.file(), from.rank()))),
            // Of the two, only the rook can give check.
            MoveKind::Castle => (Some(Role::Rook), castled_squares(from, to).1, from.bitboard() | to.bitboard()),
        };
        let mut occupied = (self.occupied() - gone) | at.bitboard();
        if mv.kind() == MoveKind::Castle {
            occupied |= castled_squares(from, to).0.bitboard();
        }
        let direct = role.is_some_and(|role| attacks::of(role, us, at, occupied).contains(king));
        // Lines to the king that the move opened.
        let discovered = attacks::rook(king, occupied) & self.board.straight_sliders(us)
            | attacks::bishop(king, occupied) & self.board.diagonal_sliders(us);
        (discovered - gone - at.bitboard()) | if direct { at.bitboard() } else { Bitboard::EMPTY }
    }
}
