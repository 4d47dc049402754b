//! The legal moves of a position, all or some of them, listed, counted or compared with one.

use crate::movegen::{MoveFinder, count_apart, generate_apart};
use crate::side::for_best_side;
use crate::{Bitboard, Move, MoveList, Position, Rank, Role};

impl Position {
    /// All legal moves.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        self.moves_to(!self.by_color(self.turn()))
    }

    /// The legal moves that take something, en passant included.
    #[inline]
    pub fn captures(&self) -> MoveList {
        self.moves_to(self.by_color(!self.turn()))
    }

    /// The legal moves that take nothing.
    #[inline]
    pub fn quiets(&self) -> MoveList {
        self.moves_to(!self.occupied())
    }

    /// Adds the legal moves that take nothing to a list: what [`quiets`](Position::quiets) returns, without a copy.
    #[inline]
    pub fn add_quiets(&self, list: &mut MoveList) {
        self.add_moves_to(!self.occupied(), list);
    }

    /// Adds the legal moves that promote or take one of `victims` to a list: with all enemies as victims, the moves
    /// that change the material.
    ///
    /// ```
    /// use saavedra_rules::{Color, MoveList, Position};
    ///
    /// let position: Position = "3k4/6P1/8/8/3q4/8/8/3QK3 w - - 0 1".parse()?;
    /// let mut list = MoveList::new();
    /// position.add_tactical_moves(position.by_color(Color::Black), &mut list);
    /// let moves: Vec<_> = list.iter().map(|&mv| position.san(mv)).collect();
    /// assert_eq!(moves, ["Qxd4+", "g8=Q+", "g8=R+", "g8=B", "g8=N"]);
    /// # Ok::<(), saavedra_rules::FenError>(())
    /// ```
    pub fn add_tactical_moves(&self, victims: Bitboard, list: &mut MoveList) {
        let victims = victims & self.by_color(!self.turn());
        if !victims.is_empty() {
            self.add_moves_to(victims, list);
        }
        let last_rank = (!self.turn()).back_rank().squares();
        let before_promotion = self.turn().relative(Rank::Seventh).squares();
        if self.pieces(Role::Pawn, self.turn()).intersects(before_promotion) {
            let promotes = |mv: &&Move| mv.promotion_role().is_some();
            for &mv in self.moves_to(last_rank - self.occupied()).iter().filter(promotes) {
                list.push(mv);
            }
        }
    }

    /// Adds the legal moves that take nothing and give check to a list. Quicker than asking every quiet move, because
    /// most of them do not even end on a square from which a piece could give check.
    ///
    /// ```
    /// use saavedra_rules::{MoveList, Position};
    ///
    /// let position: Position = "7k/8/8/8/8/5N2/8/K1B5 w - - 0 1".parse()?;
    /// let mut checks = MoveList::new();
    /// position.add_quiet_checks(&mut checks);
    /// assert_eq!(checks.iter().map(|&mv| position.san(mv)).collect::<Vec<_>>(), ["Bb2+"]);
    /// # Ok::<(), saavedra_rules::FenError>(())
    /// ```
    pub fn add_quiet_checks(&self, list: &mut MoveList) {
        let targets = self.check_targets() - self.occupied();
        if !targets.is_empty() {
            for &mv in self.moves_to(targets).iter().filter(|&&mv| self.gives_check(mv)) {
                list.push(mv);
            }
        }
    }

    /// The legal moves out of check; none if there is no check.
    pub fn evasions(&self) -> MoveList {
        if self.is_check() { self.legal_moves() } else { MoveList::new() }
    }

    /// The legal moves that end on one of these squares: with the enemy's pieces the captures, with the empty squares
    /// the quiet moves, with one square the ways to reach it.
    ///
    /// En passant counts as landing on the pawn that it takes, castling as landing on an empty square.
    ///
    /// ```
    /// use saavedra_rules::{Position, Square};
    ///
    /// let position = Position::initial();
    /// let moves = position.moves_to(Square::F3.bitboard());
    /// assert_eq!(moves.iter().map(|&mv| position.san(mv)).collect::<Vec<_>>(), ["f3", "Nf3"]);
    /// ```
    #[inline]
    pub fn moves_to(&self, targets: Bitboard) -> MoveList {
        let mut list = MoveList::new();
        self.add_moves_to(targets, &mut list);
        list
    }

    /// Not inlined: the generator is large, and a caller gains nothing by a copy of its own.
    #[inline(never)]
    fn add_moves_to(&self, targets: Bitboard, list: &mut MoveList) {
        for_best_side!(self.turn(), S => generate_apart::<S, _>(&self.board, targets, list));
    }

    /// How many legal moves there are, without listing them.
    pub fn legal_move_count(&self) -> usize {
        for_best_side!(self.turn(), S => count_apart::<S>(&self.board)) as usize
    }

    /// Whether there is any legal move.
    pub fn has_legal_moves(&self) -> bool {
        self.legal_move_count() > 0
    }

    /// Whether a move, from wherever it comes, is legal here.
    ///
    /// Cheaper than looking for it in [`legal_moves`](Position::legal_moves): of the pieces, only the one that is to
    /// move is looked at.
    pub fn is_legal(&self, mv: Move) -> bool {
        let mut finder = MoveFinder::new(mv);
        let targets = !self.board.color(self.turn());
        for_best_side!(self.turn(), S => generate_apart::<S, _>(&self.board, targets, &mut finder));
        finder.found
    }
}
