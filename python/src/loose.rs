//! Boards that no game leads to: no king, nine queens, rights to castle without a rook.
//!
//! python-chess plays on such boards, and editors and problems need them, so they work here as well. They are slower:
//! moves are generated piece by piece, and each is tried for the king's safety. A legal position never comes here.

use rules::{
    Bitboard, CastlingSide, Color, File, IllegalSetup, Move, MoveKind, Piece, Position, Rank, Role, Setup,
    SetupProblem, Square, attacks,
};

use crate::moves::castled_king;

/// A board that may be anything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Loose {
    /// The pieces, the turn, the rights to castle and the en-passant square as they were set.
    pub(crate) setup: Setup,
}

impl Loose {
    pub(crate) fn role(&self, role: Role) -> Bitboard {
        self.setup.squares(role, Color::White) | self.setup.squares(role, Color::Black)
    }

    pub(crate) fn color(&self, color: Color) -> Bitboard {
        self.collect(|piece| piece.color == color)
    }

    pub(crate) fn occupied(&self) -> Bitboard {
        self.collect(|_| true)
    }

    fn collect(&self, wanted: impl Fn(Piece) -> bool) -> Bitboard {
        Square::ALL.into_iter().filter(|square| self.setup.pieces[square.index()].is_some_and(&wanted)).collect()
    }

    /// The king of a player who has just one.
    pub(crate) fn king(&self, color: Color) -> Option<Square> {
        let kings = self.setup.squares(Role::King, color);
        kings.first().filter(|_| kings.count() == 1)
    }

    /// The pieces of a player that attack a square when the board is occupied like this.
    pub(crate) fn attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let of = |role| self.setup.squares(role, color);
        let by = |role| attacks::of(role, !color, square, occupied) & of(role);
        let sliders =
            attacks::rook(square, occupied) & of(Role::Queen) | attacks::bishop(square, occupied) & of(Role::Queen);
        by(Role::Pawn) | by(Role::Knight) | by(Role::Bishop) | by(Role::Rook) | by(Role::King) | sliders
    }

    /// The rights to castle that mean something: a rook, and a king to castle with.
    pub(crate) fn clean_castling(&self, chess960: bool) -> Bitboard {
        let mut clean = Bitboard::EMPTY;
        for color in Color::ALL {
            let home = color.back_rank();
            let rooks = self.setup.castling & self.setup.squares(Role::Rook, color) & home.squares();
            if !chess960 {
                let king = Square::new(File::E, home);
                if self.setup.pieces[king.index()] == Some(Role::King.of(color)) {
                    clean |= rooks & (File::A.squares() | File::H.squares());
                }
                continue;
            }
            let Some(king) = self.king(color).filter(|king| king.rank() == home) else { continue };
            // On each side the outermost rook.
            for rook in [rooks.first().filter(|&rook| rook < king), rooks.last().filter(|&rook| rook > king)] {
                clean |= rook.map_or(Bitboard::EMPTY, Square::bitboard);
            }
        }
        clean
    }

    /// The en-passant square if a pawn can just have passed it.
    pub(crate) fn valid_en_passant(&self) -> Option<Square> {
        let square = self.setup.en_passant?;
        let us = self.setup.turn;
        let pushed = square.offset(0, if us == Color::White { -1 } else { 1 })?;
        let origin = square.offset(0, if us == Color::White { 1 } else { -1 })?;
        let is_valid = square.rank() == us.relative(Rank::Sixth)
            && self.setup.pieces[pushed.index()] == Some(Role::Pawn.of(!us))
            && self.setup.pieces[square.index()].is_none()
            && self.setup.pieces[origin.index()].is_none();
        is_valid.then_some(square)
    }

    /// The position without what means nothing, if it can be played.
    pub(crate) fn position(&self, chess960: bool) -> Result<Position, IllegalSetup> {
        let mut setup = self.setup.clone();
        setup.castling = self.clean_castling(chess960);
        setup.en_passant = self.valid_en_passant();
        setup.playable_position()
    }

    /// What the rules find wrong with the board as it was set.
    pub(crate) fn problems(&self) -> Vec<SetupProblem> {
        self.setup.position().err().map_or(Vec::new(), |error| error.problems().to_vec())
    }

    /// The moves that the pieces have if no king minds, from and to these squares. Castling goes to the rook.
    pub(crate) fn pseudo_legal(&self, chess960: bool, from_mask: Bitboard, to_mask: Bitboard) -> Vec<Move> {
        let mut moves = Vec::new();
        let us = self.setup.turn;
        let (own, occupied) = (self.color(us), self.occupied());
        for from in own & from_mask {
            let Some(piece) = self.setup.pieces[from.index()] else { continue };
            if piece.role == Role::Pawn {
                self.pawn_moves(from, occupied, to_mask, &mut moves);
            } else {
                let targets = attacks::of(piece.role, us, from, occupied) - own;
                moves.extend((targets & to_mask).into_iter().map(|to| Move::normal(from, to)));
            }
        }
        moves.extend(self.castling_moves(chess960, from_mask, to_mask));
        moves
    }

    fn pawn_moves(&self, from: Square, occupied: Bitboard, to_mask: Bitboard, moves: &mut Vec<Move>) {
        let us = self.setup.turn;
        let ahead = if us == Color::White { 1 } else { -1 };
        let mut targets = attacks::pawn(us, from) & self.color(!us);
        let single = from.offset(0, ahead).filter(|&to| !occupied.contains(to));
        let double = single
            .filter(|_| from.rank() == us.relative(Rank::Second))
            .and_then(|_| from.offset(0, 2 * ahead))
            .filter(|&to| !occupied.contains(to));
        for to in [single, double].into_iter().flatten() {
            targets = targets.with(to);
        }
        for to in targets & to_mask {
            if to.rank() == us.relative(Rank::Eighth) {
                moves.extend(Role::PROMOTIONS.map(|role| Move::promotion(from, to, role)));
            } else {
                moves.push(Move::normal(from, to));
            }
        }
        let en_passant = self
            .setup
            .en_passant
            .filter(|&to| attacks::pawn(us, from).contains(to) && to_mask.contains(to) && !occupied.contains(to));
        if let Some(to) = en_passant.filter(|to| to.rank() == us.relative(Rank::Sixth)) {
            moves.push(Move::en_passant(from, to));
        }
    }

    /// The ways to castle: nothing in the way, and no attack on the king's path.
    fn castling_moves(&self, chess960: bool, from_mask: Bitboard, to_mask: Bitboard) -> Vec<Move> {
        let us = self.setup.turn;
        let home = us.back_rank();
        let king = match chess960 {
            true => self.king(us),
            false => Some(Square::new(File::E, home)),
        };
        let Some(king) = king.filter(|&king| from_mask.contains(king)) else { return Vec::new() };
        let rooks = self.clean_castling(chess960) & home.squares() & to_mask;
        let can_castle = |&rook: &Square| {
            let side = CastlingSide::of(king, rook);
            let (king_to, rook_to) = (Square::new(side.king_file(), home), Square::new(side.rook_file(), home));
            let others = self.occupied().without(king).without(rook);
            let path = span(king, king_to);
            let is_attacked = |square: Square| !self.attackers(!us, square, others).is_empty();
            !others.intersects(path | span(rook, rook_to))
                && !path.into_iter().any(is_attacked)
                && self.attackers(!us, king_to, others.with(rook_to)).is_empty()
        };
        rooks.into_iter().filter(can_castle).map(|rook| Move::castle(king, rook)).collect()
    }

    /// The moves that leave the player's own king safe, if there is one.
    pub(crate) fn legal(&self, chess960: bool, from_mask: Bitboard, to_mask: Bitboard) -> Vec<Move> {
        let mut moves = self.pseudo_legal(chess960, from_mask, to_mask);
        moves.retain(|&mv| self.is_safe(mv));
        moves
    }

    /// Whether a move leaves the king of the player who makes it without an attacker.
    pub(crate) fn is_safe(&self, mv: Move) -> bool {
        let us = self.setup.turn;
        let next = self.play(mv);
        next.king(us).is_none_or(|king| next.attackers(!us, king, next.occupied()).is_empty())
    }

    /// The board after a move.
    pub(crate) fn play(&self, mv: Move) -> Loose {
        let mut next = self.pass();
        let us = self.setup.turn;
        let (from, to) = (mv.from(), mv.to());
        let pieces = &mut next.setup.pieces;
        let moved = pieces[from.index()].take();
        let is_pawn = moved.is_some_and(|piece| piece.role == Role::Pawn);
        let is_capture = mv.kind() != MoveKind::Castle && pieces[to.index()].is_some();
        match mv.kind() {
            MoveKind::Castle => {
                let rook = pieces[to.index()].take();
                let side = CastlingSide::of(from, to);
                pieces[castled_king(mv).index()] = moved;
                pieces[Square::new(side.rook_file(), from.rank()).index()] = rook;
            }
            MoveKind::Promotion(role) => pieces[to.index()] = Some(role.of(us)),
            MoveKind::EnPassant => {
                pieces[to.index()] = moved;
                pieces[Square::new(to.file(), from.rank()).index()] = None;
            }
            MoveKind::Normal => pieces[to.index()] = moved,
        }
        let mut touched = from.bitboard() | to.bitboard();
        if moved.is_some_and(|piece| piece.role == Role::King) {
            touched |= us.back_rank().squares();
        }
        next.setup.castling = self.setup.castling - touched;
        if is_pawn && from.index().abs_diff(to.index()) == 16 {
            next.setup.en_passant = Some(Square::ALL[(from.index() + to.index()) / 2]);
        }
        if is_pawn || is_capture || mv.kind() == MoveKind::EnPassant {
            next.setup.halfmove_clock = 0;
        }
        next
    }

    /// The board after the turn was passed.
    pub(crate) fn pass(&self) -> Loose {
        let mut setup = self.setup.clone();
        setup.en_passant = None;
        setup.halfmove_clock = setup.halfmove_clock.saturating_add(1);
        setup.fullmove_number = setup.fullmove_number.saturating_add(setup.turn as u16);
        setup.turn = !setup.turn;
        Loose { setup }
    }
}

/// The squares of a rank from one to another, both included.
fn span(a: Square, b: Square) -> Bitboard {
    if a == b { a.bitboard() } else { attacks::between(a, b).with(a).with(b) }
}
