//! The staged move picker: which move to try next.
//!
//! Most nodes are over after one or two moves, so moves are generated and sorted in stages, as late as possible:
//! the table's move without generating any, then good captures and promotions, then quiet moves, then captures that
//! lose material. The moves lie in the node's frame, which the picker is given each time it is asked for the next one.

use rules::see::{Lookup, SeeContext, Values};
use rules::{Bitboard, Move, MoveKind, MoveList, Position, Role};

use crate::MATERIAL;
use crate::history::{Context, Histories, PieceTo};
use crate::tt::TranspositionTable;
use crate::tunables::*;

/// Static exchange evaluation, by look-up.
pub(crate) static SEE: Lookup = Lookup::new(SEE_VALUES);

/// What pieces are worth in an exchange.
pub const SEE_VALUES: Values = {
    let [pawn, knight, bishop, rook, queen, _king] = MATERIAL;
    Values::new(pawn, knight, bishop, rook, queen)
};

/// A move and how early it should be tried, as one number: the score on top, then the move, then its slot in the list.
/// The greatest number is the best move, found with vector instructions, and tells where it lies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ScoredMove(i64);

/// The score of a move that was tried.
const SPENT: i32 = i32::MIN;

/// Taken from the score of a capture that turned out to lose material: it comes after everything else.
const LOSING: i32 = 1 << 24;

/// Lists are filled up to a multiple of this many moves, so that whole registers are compared.
const LANES: usize = 8;

impl ScoredMove {
    /// Fills a list up.
    const NOTHING: ScoredMove = ScoredMove(i64::MIN);

    #[inline]
    fn new(mv: Move, score: i32, slot: usize) -> ScoredMove {
        ScoredMove(i64::from(score) << 32 | i64::from(mv.bits()) << 8 | slot as i64)
    }

    #[inline]
    fn score(self) -> i32 {
        (self.0 >> 32) as i32
    }

    #[inline]
    fn mv(self) -> Option<Move> {
        Move::from_bits((self.0 >> 8) as u16)
    }

    #[inline]
    fn slot(self) -> usize {
        (self.0 & 0xff) as usize
    }

    /// The best of a list.
    #[inline]
    fn best(list: &[ScoredMove]) -> ScoredMove {
        let mut lanes = [i64::MIN; LANES];
        for chunk in list.as_chunks::<LANES>().0 {
            lanes = std::array::from_fn(|lane| lanes[lane].max(chunk[lane].0));
        }
        ScoredMove(lanes.into_iter().fold(i64::MIN, i64::max))
    }
}

const _: () = assert!(MoveList::CAPACITY <= 256, "the slot of a move has eight bits");

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    TtMove,
    GenerateTactical,
    GoodTactical,
    GenerateQuiets,
    Quiets,
    /// The quiet moves that give check, where no others are wanted.
    Checks,
    LosingTactical,
    Done,
}

/// Which moves a node wants.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    All,
    /// Promotions and captures of some victims that win at least so much.
    Winning {
        victims: Bitboard,
        at_least: i32,
    },
}

/// Which quiet moves are still wanted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Quiets {
    None,
    Checks,
    All,
}

/// Picks the moves of one node, one after the other.
pub(crate) struct Picker<'p> {
    position: &'p Position,
    context: Option<SeeContext<'p>>,
    tt_move: Option<Move>,
    wanted: Wanted,
    stage: Stage,
    wanted_quiets: Quiets,
    /// What the histories said of the last move, if it was a quiet one.
    quiet_history: Option<i32>,
    /// Where the quiet moves begin in the list, after the captures and promotions.
    quiets: usize,
}

/// Whatever scores moves.
pub(crate) struct MoveScorer<'h> {
    pub(crate) histories: &'h Histories,
    pub(crate) context: &'h Context,
    /// What it knows of the position after a move is fetched while the move is still being judged.
    pub(crate) tt: &'h TranspositionTable,
}

impl<'p> Picker<'p> {
    /// All legal moves. The table's move must be legal.
    pub(crate) fn all(position: &'p Position, tt_move: Option<Move>) -> Picker<'p> {
        Picker::new(position, tt_move, Wanted::All)
    }

    /// Promotions, and captures of pieces worth more than a price, that win at least so many centipawns by exchange.
    pub(crate) fn winning(position: &'p Position, tt_move: Option<Move>, price: i32, at_least: i32) -> Picker<'p> {
        let victims = worth_more_than(position, price);
        Picker::new(position, tt_move, Wanted::Winning { victims, at_least })
    }

    fn new(position: &'p Position, tt_move: Option<Move>, wanted: Wanted) -> Picker<'p> {
        let stage = if tt_move.is_some() { Stage::TtMove } else { Stage::GenerateTactical };
        let wanted_quiets = Quiets::All;
        Picker { position, context: None, tt_move, wanted, stage, wanted_quiets, quiet_history: None, quiets: 0 }
    }

    /// What a move wins by exchange.
    #[inline]
    pub(crate) fn see(&mut self, mv: Move) -> i32 {
        SEE.value(self.context.get_or_insert_with(|| SeeContext::new(self.position)), mv)
    }

    /// Whether a move gives check.
    #[inline]
    pub(crate) fn gives_check(&self, mv: Move) -> bool {
        self.position.gives_check(mv)
    }

    /// What the histories said of the last move, if it came from among the quiet ones.
    #[inline]
    pub(crate) fn quiet_history(&self) -> Option<i32> {
        self.quiet_history
    }

    /// Tries no more quiet moves, and does not even generate them if that has not happened yet.
    #[inline]
    pub(crate) fn skip_quiets(&mut self) {
        self.wanted_quiets = Quiets::None;
    }

    /// The same, except for quiet moves that give check.
    #[inline]
    pub(crate) fn skip_all_but_checks(&mut self) {
        self.wanted_quiets = self.wanted_quiets.min(Quiets::Checks);
    }

    /// Whether the moves that are left all lose material.
    pub(crate) fn is_down_to_losing(&self) -> bool {
        self.stage == Stage::LosingTactical
    }

    /// The next move to try. The list belongs to this picker from when it generates moves until it is done.
    pub(crate) fn next(&mut self, scorer: &MoveScorer, moves: &mut Vec<ScoredMove>) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateTactical;
                    return self.tt_move.inspect(|&mv| self.fetch_ahead(scorer, mv));
                }
                Stage::GenerateTactical => {
                    self.generate_tactical(scorer.histories, moves);
                    self.stage = Stage::GoodTactical;
                }
                Stage::GoodTactical => {
                    let best = ScoredMove::best(moves);
                    match best.mv().filter(|_| best.score() > -LOSING / 2) {
                        None if self.wanted == Wanted::All => self.stage = Stage::GenerateQuiets,
                        None => self.stage = Stage::Done,
                        Some(mv) => {
                            self.fetch_ahead(scorer, mv);
                            let is_good = self.is_good(mv, best.score());
                            let score = if is_good { SPENT } else { best.score() - LOSING };
                            moves[best.slot()] = ScoredMove::new(mv, score, best.slot());
                            if is_good {
                                return Some(mv);
                            }
                        }
                    }
                }
                Stage::GenerateQuiets => {
                    self.quiets = moves.len();
                    self.generate_quiets(scorer, moves);
                    self.stage = if self.wanted_quiets == Quiets::Checks { Stage::Checks } else { Stage::Quiets };
                }
                Stage::Quiets if self.wanted_quiets == Quiets::Checks => {
                    self.keep_checks(&mut moves[self.quiets..]);
                    self.stage = Stage::Checks;
                }
                Stage::Quiets | Stage::Checks => {
                    let best = ScoredMove::best(&moves[self.quiets..]);
                    if self.wanted_quiets != Quiets::None
                        && best.score() != SPENT
                        && let Some(mv) = best.mv()
                    {
                        self.fetch_ahead(scorer, mv);
                        moves[self.quiets + best.slot()] = ScoredMove::NOTHING;
                        self.quiet_history = Some(best.score());
                        return Some(mv);
                    }
                    self.quiet_history = None;
                    self.stage = Stage::LosingTactical;
                }
                Stage::LosingTactical => {
                    let best = ScoredMove::best(&moves[..self.quiets]);
                    if best.score() == SPENT {
                        self.stage = Stage::Done;
                        return None;
                    }
                    moves[best.slot()] = ScoredMove::NOTHING;
                    return best.mv().inspect(|&mv| self.fetch_ahead(scorer, mv));
                }
                Stage::Done => return None,
            }
        }
    }

    #[inline]
    fn fetch_ahead(&self, scorer: &MoveScorer, mv: Move) {
        scorer.tt.prefetch(self.position.likely_key_after(mv));
    }

    /// Whether a capture is worth trying before the quiet moves.
    fn is_good(&mut self, mv: Move, score: i32) -> bool {
        let at_least = match self.wanted {
            Wanted::Winning { at_least, .. } => at_least,
            Wanted::All => -score / good_capture_history_divisor(),
        };
        least_see(self.position, mv) >= at_least || self.see(mv) >= at_least
    }

    /// Captures and promotions: first what wins most, taken by what has done well before.
    fn generate_tactical(&mut self, histories: &Histories, moves: &mut Vec<ScoredMove>) {
        moves.clear();
        let mut list = MoveList::new();
        let victims = match self.wanted {
            Wanted::Winning { victims, .. } => victims,
            Wanted::All => Bitboard::ALL,
        };
        self.position.add_tactical_moves(victims, &mut list);
        for &mv in list.iter().filter(|&&mv| Some(mv) != self.tt_move) {
            let victim = victim(self.position, mv);
            let promotion = mv.promotion_role().map_or(0, |role| match role {
                Role::Queen => SEE_VALUES.of(Role::Queen),
                // Hardly ever better than a queen.
                _ => -SEE_VALUES.of(Role::Queen),
            });
            let by_history = histories.capture_score(PieceTo::of(self.position, mv), victim);
            let gain = capture_victim_weight() * (SEE_VALUES.of(victim) + promotion);
            moves.push(ScoredMove::new(mv, (gain + by_history) / capture_score_divisor(), moves.len()));
        }
        fill_up(moves, 0);
    }

    /// The quiet moves that are still wanted: first what has done well before.
    fn generate_quiets(&mut self, scorer: &MoveScorer, moves: &mut Vec<ScoredMove>) {
        let MoveScorer { histories, context, .. } = scorer;
        let position = self.position;
        let mut list = MoveList::new();
        match self.wanted_quiets {
            Quiets::All => position.add_quiets(&mut list),
            Quiets::Checks => position.add_quiet_checks(&mut list),
            Quiets::None => {}
        }
        let Some(&first) = list.first() else { return };
        let mut from = first.from();
        let mut history = histories.for_piece(context, PieceTo::of(position, first).piece, from);
        moves.extend(list.iter().enumerate().map(|(slot, &mv)| {
            // Moves of a piece come in a row.
            if mv.from() != from {
                from = mv.from();
                history = histories.for_next_piece(&history, context, PieceTo::of(position, mv).piece, from);
            }
            // The table's move and promotions had their turn.
            let is_spent = Some(mv) == self.tt_move || mv.promotion_role().is_some();
            ScoredMove::new(mv, if is_spent { SPENT } else { history.score(mv.to()) }, slot)
        }));
        fill_up(moves, self.quiets);
    }

    /// Of the quiet moves that are left, keeps those that give check.
    fn keep_checks(&self, quiets: &mut [ScoredMove]) {
        let mut checks = MoveList::new();
        self.position.add_quiet_checks(&mut checks);
        for quiet in quiets {
            if quiet.mv().is_some_and(|mv| !checks.contains(&mv)) {
                *quiet = ScoredMove::NOTHING;
            }
        }
    }
}

/// Fills a list up to whole registers.
#[inline]
fn fill_up(moves: &mut Vec<ScoredMove>, start: usize) {
    let len = (moves.len() - start).next_multiple_of(LANES);
    moves.resize(start + len, ScoredMove::NOTHING);
}

/// The pieces of the opponent that are worth more than a price.
#[inline]
fn worth_more_than(position: &Position, price: i32) -> Bitboard {
    let cheap = Role::ALL.into_iter().filter(|&role| SEE_VALUES.of(role) <= price);
    cheap.fold(position.by_color(!position.turn()), |victims, role| victims - position.by_role(role))
}

/// Whether a move is a capture or a promotion.
#[inline]
pub(crate) fn is_tactical(position: &Position, mv: Move) -> bool {
    position.is_capture(mv) || mv.promotion_role().is_some()
}

/// What a capture takes; for a promotion that takes nothing, the pawn that is gone afterwards.
#[inline]
pub(crate) fn victim(position: &Position, mv: Move) -> Role {
    position.captured(mv).map_or(Role::Pawn, |(role, _)| role)
}

/// What a move wins at least, whatever the opponent does: the victim less the piece that takes it. This saves many a
/// look at the whole exchange.
#[inline]
fn least_see(position: &Position, mv: Move) -> i32 {
    let mover = position.role_at(mv.from()).map_or(0, |role| SEE_VALUES.of(role));
    match (mv.kind(), position.role_at(mv.to())) {
        // A king cannot be taken back: it takes what is unguarded.
        (MoveKind::Normal, Some(victim)) => SEE_VALUES.of(victim) - mover,
        _ => i32::MIN,
    }
}
