//! The legal moves piece by piece: for each, the set of squares it may go to.

use crate::movegen::{Visitor, generate};
use crate::side::{PawnStep, Side, for_side};
use crate::{Bitboard, Move, Position, Role, Square};

/// The most pieces that a player can have.
const MOST_PIECES: usize = 16;

/// The legal moves of one piece, as a set of squares. Iterate over it for the [`Move`]s.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceMoves {
    /// The role of the piece.
    pub role: Role,
    /// Where it stands.
    pub from: Square,
    /// Where it may go. A king that may castle has the square of its rook here.
    pub targets: Bitboard,
    /// The rooks among the targets with which a king may castle, or the square on which a pawn takes en passant.
    special: Bitboard,
}

impl PieceMoves {
    /// How many moves these are: a pawn that promotes has four for each square.
    #[inline]
    pub fn len(&self) -> usize {
        let count = self.targets.count() as usize;
        if self.is_promotion() { 4 * count } else { count }
    }

    /// Whether there are no moves.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// A pawn on the last rank but one does nothing but promote.
    #[inline]
    fn is_promotion(&self) -> bool {
        const LAST_RANKS: Bitboard = Bitboard(0xff00_0000_0000_00ff);
        self.role == Role::Pawn && self.targets.intersects(LAST_RANKS)
    }
}

impl IntoIterator for PieceMoves {
    type Item = Move;
    type IntoIter = PieceMovesIter;

    #[inline]
    fn into_iter(self) -> PieceMovesIter {
        PieceMovesIter { moves: self, promotion: 0 }
    }
}

/// The moves of one piece, one by one.
#[derive(Clone, Debug)]
pub struct PieceMovesIter {
    moves: PieceMoves,
    /// Which of the four promotions to the first target comes next.
    promotion: usize,
}

impl Iterator for PieceMovesIter {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let PieceMoves { role, from, targets, special } = self.moves;
        let to = targets.first()?;
        if self.moves.is_promotion() {
            let promotion = Role::PROMOTIONS[self.promotion];
            self.promotion = (self.promotion + 1) % Role::PROMOTIONS.len();
            if self.promotion == 0 {
                self.moves.targets = targets.without(to);
            }
            return Some(Move::promotion(from, to, promotion));
        }
        self.moves.targets = targets.without(to);
        Some(match role {
            Role::King if special.contains(to) => Move::castle(from, to),
            Role::Pawn if special.contains(to) => Move::en_passant(from, to),
            _ => Move::normal(from, to),
        })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.moves.len() - self.promotion;
        (left, Some(left))
    }
}

impl ExactSizeIterator for PieceMovesIter {}

/// Writes down where each piece may go.
struct Collector {
    sets: [Option<PieceMoves>; MOST_PIECES],
}

impl Collector {
    fn add(&mut self, role: Role, from: Square, targets: Bitboard, special: Bitboard) {
        if targets.is_empty() {
            return;
        }
        for set in &mut self.sets {
            match set {
                Some(set) if set.from != from => {}
                Some(set) => {
                    set.targets |= targets;
                    set.special |= special;
                    return;
                }
                None => {
                    *set = Some(PieceMoves { role, from, targets, special });
                    return;
                }
            }
        }
    }
}

impl<S: Side> Visitor<S> for Collector {
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        self.add(role, from, targets, Bitboard::EMPTY);
    }

    fn pawns(&mut self, step: PawnStep, targets: Bitboard) {
        for to in targets {
            self.add(Role::Pawn, step.origin::<S>(to), to.bitboard(), Bitboard::EMPTY);
        }
    }

    fn double_pushes(&mut self, targets: Bitboard) {
        for to in targets {
            self.add(Role::Pawn, PawnStep::double_push_origin::<S>(to), to.bitboard(), Bitboard::EMPTY);
        }
    }

    fn promotions(&mut self, step: PawnStep, targets: Bitboard) {
        Visitor::<S>::pawns(self, step, targets);
    }

    fn en_passant(&mut self, from: Square, to: Square) {
        self.add(Role::Pawn, from, to.bitboard(), to.bitboard());
    }

    fn castle(&mut self, king: Square, rook: Square) {
        self.add(Role::King, king, rook.bitboard(), rook.bitboard());
    }
}

impl Position {
    /// The legal moves that end on one of `targets`, piece by piece: pieces that have none are left out.
    ///
    /// Targets are understood as by [`moves_to`](Position::moves_to).
    ///
    /// ```
    /// use saavedra_rules::{Bitboard, Position, Role, Square};
    ///
    /// let position: Position = "4k3/8/8/3p4/4P3/8/8/R3K3 w Q - 0 1".parse()?;
    /// let rook = position.piece_moves(Bitboard::ALL).find(|moves| moves.role == Role::Rook).expect("it can move");
    /// assert_eq!((rook.from, rook.len()), (Square::A1, 10));
    ///
    /// let captures: Vec<_> = position.piece_moves(position.by_color(!position.turn())).flatten().collect();
    /// assert_eq!(captures, [position.parse_san("exd5")?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn piece_moves(&self, targets: Bitboard) -> impl Iterator<Item = PieceMoves> + use<> {
        let mut collector = Collector { sets: [None; MOST_PIECES] };
        let targets = targets - self.by_color(self.turn());
        for_side!(self.turn(), S => generate::<S, _>(&self.board, targets, &mut collector));
        collector.sets.into_iter().flatten()
    }
}
