//! What moves have done in this search: the memory by which they are ordered, reduced and pruned.
//!
//! A move that caused a cutoff gets a bonus, those that were tried before it in vain a malus. Each history asks a
//! different question about a move, and the answers are added up:
//!
//! | history | the move by … |
//! |---|---|
//! | [`quiet`](Histories::quiet) | its squares, and whether the opponent attacks them |
//! | [`pawn`](Histories::pawn) | its piece and target, in this pawn structure |
//! | [`continuation`](Histories::continuation) | its piece and target, after the move one, two, four or six plies ago |
//! | [`capture`](Histories::capture) | its piece, target and victim |

use rules::{Bitboard, Color, Move, Piece, Position, Role, Square};

use crate::picker::{is_tactical, victim};
use crate::tunables::*;

/// One remembered number between `-MAX` and `MAX`.
///
/// The closer it is to the end it is pushed to, the less it moves: so it never leaves its range, and what was learnt
/// long ago fades.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Gravity<const MAX: i32>(i16);

impl<const MAX: i32> Gravity<MAX> {
    #[inline]
    pub(crate) fn value(self) -> i32 {
        i32::from(self.0)
    }

    #[inline]
    pub(crate) fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-MAX, MAX);
        let old = self.value();
        self.0 = (old + bonus - old * bonus.abs() / MAX) as i16;
    }
}

/// The largest value of a quiet history.
pub(crate) const QUIET_MAX: i32 = 8192;
/// The largest value of a capture history.
pub(crate) const CAPTURE_MAX: i32 = 12_800;

type Quiet = Gravity<QUIET_MAX>;
type Capture = Gravity<CAPTURE_MAX>;

/// A piece that arrived on a square: how a move looks to the moves that follow it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo {
    pub(crate) piece: Piece,
    pub(crate) to: Square,
}

impl PieceTo {
    /// The piece_to of a move that is about to be played.
    #[inline]
    pub(crate) fn of(position: &Position, mv: Move) -> PieceTo {
        let role = position.role_at(mv.from()).unwrap_or(Role::Pawn);
        PieceTo { piece: role.of(position.turn()), to: mv.to() }
    }

    /// A number of its own for each piece_to, from zero.
    #[inline]
    pub(crate) fn number(self) -> usize {
        self.piece.index() * 64 + self.to.index()
    }
}

/// Something for every target, apart for those that the opponent attacks.
type ByTarget = [[Quiet; 64]; 2];

/// Something for every piece_to.
type ByPieceTo<T> = [[T; 64]; Piece::COUNT];

/// How many pawn structures are told apart.
const PAWN_STRUCTURES: usize = 512;

/// How many plies ago the moves lie that the continuation history looks back to.
pub(crate) const LOOK_BACK: [usize; 4] = [1, 2, 4, 6];

/// The last moves that matter to the continuation history; none for a pass, and for the time before the root.
pub(crate) type Past = [Option<PieceTo>; LOOK_BACK.len()];

/// Whatever a quiet move's histories depend on beside the move.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    pub(crate) turn: Color,
    pub(crate) pawn_key: u64,
    /// The squares the opponent attacks.
    pub(crate) threats: Bitboard,
    pub(crate) past: Past,
}

impl Context {
    /// Where only captures and promotions are scored, which depend on none of it.
    pub(crate) fn for_captures(position: &Position) -> Context {
        let past = [None; LOOK_BACK.len()];
        Context { turn: position.turn(), pawn_key: 0, threats: Bitboard::EMPTY, past }
    }

    /// Whether the opponent may attack a square.
    #[inline]
    pub(crate) fn may_be_attacked(&self, square: Square) -> bool {
        self.threats.contains(square) || !threat_history()
    }
}

/// A move that is about to be searched, and what the histories say of it.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    pub(crate) piece_to: PieceTo,
    /// Whether it is neither a capture nor a promotion.
    pub(crate) is_quiet: bool,
    /// The score of the histories.
    pub(crate) history: i32,
}

impl Candidate {
    /// The candidate of a move whose history the picker may have looked up already.
    #[inline]
    pub(crate) fn new(
        position: &Position,
        mv: Move,
        history: Option<i32>,
        histories: &Histories,
        context: &Context,
    ) -> Candidate {
        let is_quiet = !is_tactical(position, mv);
        let piece_to = PieceTo::of(position, mv);
        let history = match history {
            Some(history) => history,
            None if is_quiet => histories.quiet_score(context, mv, piece_to),
            None => histories.capture_score(piece_to, victim(position, mv)),
        };
        Candidate { mv, piece_to, is_quiet, history }
    }
}

/// All histories of a thread.
pub(crate) struct Histories {
    /// By player, whether the opponent attacks the origin, origin, and target.
    quiet: Box<[[[ByTarget; 64]; 2]; 2]>,
    /// By pawn structure and piece_to.
    pawn: Box<[ByPieceTo<Quiet>]>,
    /// By earlier piece_to (its number) and piece_to.
    continuation: Box<[ByPieceTo<Quiet>]>,
    /// By piece_to and victim.
    capture: Box<ByPieceTo<[Capture; Role::COUNT]>>,
}

/// What the continuation history says where there is no earlier move.
static NOTHING: ByPieceTo<Quiet> = [[Gravity(0); 64]; Piece::COUNT];

impl Histories {
    pub(crate) fn new() -> Histories {
        Histories {
            quiet: Box::new([[[[[Gravity(0); 64]; 2]; 64]; 2]; 2]),
            pawn: vec![NOTHING; PAWN_STRUCTURES].into_boxed_slice(),
            continuation: vec![NOTHING; Piece::COUNT * 64].into_boxed_slice(),
            capture: Box::new([[[Gravity(0); Role::COUNT]; 64]; Piece::COUNT]),
        }
    }

    /// What the histories know of quiet moves of a piece in a context.
    #[inline]
    pub(crate) fn for_piece<'h>(&'h self, context: &'h Context, piece: Piece, from: Square) -> PieceHistory<'h> {
        PieceHistory {
            piece,
            threats: context.threats,
            by_squares: self.by_squares(context, from),
            by_pawns: &self.pawn[context.pawn_key as usize % PAWN_STRUCTURES][piece.index()],
            after: context.past.map(|past| match past {
                Some(past) => &self.continuation[past.number()][piece.index()],
                None => &NOTHING[piece.index()],
            }),
        }
    }

    /// Like [`for_piece`](Histories::for_piece), sooner if the piece is of the same kind as one before: a pawn, mostly.
    #[inline]
    pub(crate) fn for_next_piece<'h>(
        &'h self,
        last: &PieceHistory<'h>,
        context: &'h Context,
        piece: Piece,
        from: Square,
    ) -> PieceHistory<'h> {
        if piece == last.piece {
            PieceHistory { by_squares: self.by_squares(context, from), ..*last }
        } else {
            self.for_piece(context, piece, from)
        }
    }

    #[inline]
    fn by_squares(&self, context: &Context, from: Square) -> &ByTarget {
        let is_attacked = usize::from(context.threats.contains(from));
        &self.quiet[context.turn as usize][is_attacked][from.index()]
    }

    /// What the histories say of a quiet move, all together.
    #[inline]
    pub(crate) fn quiet_score(&self, context: &Context, mv: Move, piece_to: PieceTo) -> i32 {
        self.for_piece(context, piece_to.piece, mv.from()).score(piece_to.to)
    }

    /// Updates all quiet histories of a move.
    pub(crate) fn update_quiet(&mut self, context: &Context, mv: Move, piece_to: PieceTo, bonus: i32) {
        let [from_is_attacked, to_is_attacked] =
            [mv.from(), mv.to()].map(|at| usize::from(context.threats.contains(at)));
        self.quiet[context.turn as usize][from_is_attacked][mv.from().index()][to_is_attacked][mv.to().index()]
            .update(bonus);
        let pawns = &mut self.pawn[context.pawn_key as usize % PAWN_STRUCTURES];
        pawns[piece_to.piece.index()][piece_to.to.index()].update(bonus);
        self.update_continuations(context, piece_to, bonus);
    }

    /// Updates the continuation history alone.
    pub(crate) fn update_continuations(&mut self, context: &Context, piece_to: PieceTo, bonus: i32) {
        for past in context.past {
            self.update_continuation(past, piece_to, bonus);
        }
    }

    /// Updates the continuation history of one earlier move and this one.
    pub(crate) fn update_continuation(&mut self, past: Option<PieceTo>, piece_to: PieceTo, bonus: i32) {
        if let Some(past) = past {
            self.continuation[past.number()][piece_to.piece.index()][piece_to.to.index()].update(bonus);
        }
    }

    /// What the history says of a capture or promotion; a promotion that takes nothing has a pawn as its victim.
    #[inline]
    pub(crate) fn capture_score(&self, piece_to: PieceTo, victim: Role) -> i32 {
        let known = self.capture[piece_to.piece.index()][piece_to.to.index()][victim as usize].value();
        if capture_history() { known } else { 0 }
    }

    pub(crate) fn update_capture(&mut self, piece_to: PieceTo, victim: Role, bonus: i32) {
        self.capture[piece_to.piece.index()][piece_to.to.index()][victim as usize].update(bonus);
    }
}

/// The histories of quiet moves narrowed down to one context and piece, so that its moves are judged quickly.
#[derive(Clone, Copy)]
pub(crate) struct PieceHistory<'h> {
    piece: Piece,
    threats: Bitboard,
    by_squares: &'h ByTarget,
    by_pawns: &'h [Quiet; 64],
    after: [&'h [Quiet; 64]; LOOK_BACK.len()],
}

impl PieceHistory<'_> {
    /// What the histories say of the move to a square, all together.
    #[inline]
    pub(crate) fn score(&self, to: Square) -> i32 {
        let by_squares = &self.by_squares[usize::from(self.threats.contains(to))];
        let to = to.index();
        let [one, two, four, six] = self.after.map(|after| after[to].value());
        by_squares[to].value()
            + self.by_pawns[to].value()
            + one
            + two
            + (four >> continuation_four_shift())
            + (six >> continuation_six_shift())
    }
}

/// What the move that caused a cutoff at a depth deserves.
#[inline]
pub(crate) fn bonus(depth: i32) -> i32 {
    (history_bonus_per_depth() * depth - history_bonus_offset()).min(history_bonus_limit())
}

/// What the moves that were tried in vain deserve, as a positive number.
#[inline]
pub(crate) fn malus(depth: i32) -> i32 {
    (history_malus_per_depth() * depth - history_malus_offset()).min(history_malus_limit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_stays_in_its_range_and_forgets_slowly() {
        let mut history = Quiet::default();
        for _ in 0..1000 {
            history.update(1740);
        }
        assert!(history.value() > QUIET_MAX * 9 / 10 && history.value() <= QUIET_MAX);
        history.update(-1000);
        assert!(history.value() > 0);
        for bonus in [i32::MAX / 2, i32::MIN / 2] {
            history.update(bonus);
            assert_eq!(history.value(), QUIET_MAX * bonus.signum());
        }
    }
}
