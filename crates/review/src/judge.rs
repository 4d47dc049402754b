//! Judging one move.
//!
//! What a move lost is the difference of two scores at one depth, of the move and of the best move. A move that looks
//! bad is examined again: both moves are searched alone, with several times the nodes, and what still looks bad with
//! several times as many once more. Only what is left of the loss then is told.

use records::eco;
use rules::{Game, Move, Position};
use search::{Limits, Score};

use crate::analysis::{Analysis, Comparison, Interrupted, ScoredLine, one_ply_earlier, one_ply_later};
use crate::effort::{Budget, Look};
use crate::finding::Case;
use crate::judgement::thresholds;
use crate::{Alternative, Chances, Exchange, Judgement, MoveReview, Outlook, Phase, Reason, Variation, accuracy};

/// A first loss that is worth a second look. Less than an inaccuracy, because a second look may find more.
pub(crate) const SUSPICIOUS: f64 = 0.05;

/// A loss in the second look that is worth a third.
const DOUBTFUL: f64 = 0.07;

/// A loss in the third look that is beyond doubt. A mistake that loses less is looked at a fourth time.
pub(crate) const PLAIN: f64 = 0.45;

/// What the first search of the positions before and after a move says.
pub(crate) struct FirstLook<'a> {
    /// The best line before the move, with its score and depth.
    pub(crate) before: &'a ScoredLine,
    pub(crate) depth: usize,
    /// The best line after it, for the opponent.
    pub(crate) after: &'a ScoredLine,
}

impl FirstLook<'_> {
    /// What the move seems to lose. The numbers come from two searches, so this decides only what is examined.
    pub(crate) fn apparent_loss(&self, position: &Position) -> f64 {
        Chances::of(self.before.score, position).lost_to(Chances::of(-self.after.score, position))
    }

    /// The move that was played, as a line from the position before it.
    fn played(&self, mv: Move) -> ScoredLine {
        ScoredLine {
            score: one_ply_earlier(-self.after.score),
            moves: std::iter::once(mv).chain(self.after.moves.iter().copied()).collect(),
        }
    }
}

/// The best line of a position and the line that begins with the move that was played, at one depth.
struct Examined {
    best: ScoredLine,
    played: ScoredLine,
    depth: usize,
    /// The next best move, if the one that was played is the best and the others were looked at.
    next: Option<ScoredLine>,
}

impl Examined {
    fn of(comparison: Comparison, played: Move) -> Examined {
        let Comparison { depth, mut better, mut worse } = comparison;
        if worse.score == better.score && worse.first() == Some(played) {
            std::mem::swap(&mut better, &mut worse);
        }
        let is_best = better.first() == Some(played);
        let played = if is_best { better.clone() } else { worse };
        Examined { best: better, played, depth, next: None }
    }

    fn lost(&self, position: &Position) -> f64 {
        Chances::of(self.best.score, position).lost_to(Chances::of(self.played.score, position))
    }

    fn ends_in_mate(&self) -> bool {
        self.best.score.is_mate() || self.played.score.is_mate()
    }
}

/// A move that is being judged.
pub(crate) struct Judge<'a, 's> {
    pub(crate) analysis: &'a mut Analysis<'s>,
    /// The game up to the move, which is not played yet.
    pub(crate) game: &'a Game,
    pub(crate) mv: Move,
    pub(crate) look: &'a FirstLook<'a>,
    pub(crate) budget: Budget,
    /// Whether what came later has shown that the move is worse than it looked.
    pub(crate) in_hindsight: bool,
}

impl Judge<'_, '_> {
    /// Judges the move.
    pub(crate) fn judge(mut self) -> Result<MoveReview, Interrupted> {
        self.analysis.clear();
        let mut played = self.game.clone();
        // The move is one of the game's, and so it is legal.
        let _ = played.play(self.mv);
        let examined = if played.claimable_draw().is_some() {
            self.examine_draw()?
        } else if self.in_hindsight {
            self.examine_in_hindsight()?
        } else {
            self.examine()?
        };
        Ok(self.review(&played, examined))
    }

    /// A move after which a draw can be claimed: the opponent need not take less. The searches, which know only the
    /// position, are asked about the other moves.
    fn examine_draw(&mut self) -> Result<Examined, Interrupted> {
        let mut examined = self.undisputed();
        examined.played.score = examined.played.score.min(Score::DRAW);
        examined.best = examined.played.clone();
        if let Some((best, depth)) = self.best_other()?
            && best.score > examined.played.score
        {
            (examined.best, examined.depth) = (best, depth);
        }
        Ok(examined)
    }

    /// The best of the other moves, if there are any.
    fn best_other(&mut self) -> Result<Option<(ScoredLine, usize)>, Interrupted> {
        let mut others = self.game.position().legal_moves().to_vec();
        others.retain(|&mv| mv != self.mv);
        if others.is_empty() {
            return Ok(None);
        }
        let limits = Limits { moves: Some(others), ..self.budget.limits(Look::Choice) };
        self.analysis.position(self.game, limits).map(Some)
    }

    /// A move that seemed good until the next one was examined: both the move and the best of the others are searched
    /// as closely as a mistake is.
    fn examine_in_hindsight(&mut self) -> Result<Examined, Interrupted> {
        match self.best_other()?.and_then(|(best, _)| best.first()) {
            Some(other) => self.examine_alone(other, &[Look::Third, Look::Fourth]),
            None => Ok(self.undisputed()),
        }
    }

    fn examine(&mut self) -> Result<Examined, Interrupted> {
        let position = *self.game.position();
        let choice = self.look.before.first();
        if position.legal_moves().len() == 1 {
            return Ok(self.undisputed());
        }
        let is_choice = choice == Some(self.mv);
        let apparent = self.look.apparent_loss(&position);
        if is_choice && apparent < SUSPICIOUS {
            let mut examined = self.undisputed();
            examined.next = self.next_best()?;
            return Ok(examined);
        }
        if let Some(choice) = choice.filter(|_| !is_choice)
            && let Some(comparison) =
                self.analysis.compare(self.game, [choice, self.mv], self.budget.limits(Look::First))?
        {
            let examined = Examined::of(comparison, self.mv);
            if apparent < SUSPICIOUS && examined.lost(&position) < SUSPICIOUS && !misses_mate(&examined) {
                return Ok(examined);
            }
        }
        self.examine_suspect()
    }

    /// A move that looks bad: which move is best is asked again, then both are compared, with more nodes each time.
    fn examine_suspect(&mut self) -> Result<Examined, Interrupted> {
        let (best, depth) = self.analysis.position(self.game, self.budget.limits(Look::Choice))?;
        let Some(choice) = best.first().filter(|&choice| choice != self.mv) else {
            return Ok(Examined { played: best.clone(), best, depth, next: None });
        };
        self.examine_alone(choice, &[Look::Second, Look::Third, Look::Fourth])
    }

    /// The move and the best one, each searched alone, until it is clear whether it is bad.
    fn examine_alone(&mut self, choice: Move, looks: &[Look]) -> Result<Examined, Interrupted> {
        let position = *self.game.position();
        let mut examined: Option<Examined> = None;
        for &look in looks {
            let limits = self.budget.limits(look);
            let Some(comparison) = self.analysis.compare_alone(self.game, [choice, self.mv], &limits)? else {
                break;
            };
            let found = Examined::of(comparison, self.mv);
            let lost = found.lost(&position);
            let is_clear = match look {
                Look::Third => !(thresholds::MISTAKE..PLAIN).contains(&lost) || found.ends_in_mate(),
                _ => lost < DOUBTFUL,
            };
            // The last look is for the defence: what it has found worse than before is not held against the move.
            examined =
                examined.filter(|earlier| look == Look::Fourth && earlier.lost(&position) < lost).or(Some(found));
            if is_clear {
                break;
            }
        }
        Ok(examined.unwrap_or_else(|| self.undisputed()))
    }

    /// The move as the first look has it, with nothing better.
    fn undisputed(&self) -> Examined {
        let played = self.look.played(self.mv);
        Examined { best: played.clone(), played, depth: self.look.depth, next: None }
    }

    /// The next best move, if it would have been a mistake. There is no praise for taking a piece, or for mate on the
    /// board.
    fn next_best(&mut self) -> Result<Option<ScoredLine>, Interrupted> {
        let position = *self.game.position();
        if Exchange::opened_by(&position, self.mv).is_some() || position.play_unchecked(self.mv).is_checkmate() {
            return Ok(None);
        }
        let mut next = None;
        for look in [Look::First, Look::Choice] {
            let found = self.analysis.best_two(self.game, self.budget.limits(look))?;
            let Some(Comparison { better, worse, .. }) = found.filter(|two| two.better.first() == Some(self.mv)) else {
                return Ok(None);
            };
            let lost = Chances::of(better.score, &position).lost_to(Chances::of(worse.score, &position));
            let is_only_mate = better.score.is_mate() && better.score.is_win() && !worse.score.is_win();
            if lost < thresholds::MISTAKE && !is_only_mate {
                return Ok(None);
            }
            next = Some(worse);
        }
        Ok(next)
    }

    fn review(&self, played: &Game, examined: Examined) -> MoveReview {
        let position = *self.game.position();
        let Examined { best, played: line, depth, ref next } = examined;
        let (chances_before, chances_after) = (Chances::of(best.score, &position), Chances::of(line.score, &position));
        let lost = chances_before.lost_to(chances_after);
        let color = position.turn();
        let outlook = match played.outcome() {
            Some(outcome) => Outlook::Over(outcome),
            None => Outlook::of(-one_ply_later(line.score), !color),
        };
        let best_variation = Variation::new(position, best.moves.iter().copied());
        let reply = Variation::new(*played.position(), line.moves.iter().copied().skip(1));
        let case = Case {
            played,
            before: &position,
            best: &best_variation,
            reply: &reply,
            best_score: best.score,
            reply_score: -one_ply_later(line.score),
            chances_before,
            tablebase: self.analysis.tablebase(),
        };
        let mut reasons = Vec::new();
        let judgement = self.name(&position, &best, &line, next.as_ref(), &case);
        if judgement.is_error() {
            reasons = case.reasons();
        }
        if let Some(next) = next
            && Chances::of(best.score, &position).lost_to(Chances::of(next.score, &position)) >= thresholds::MISTAKE
        {
            reasons.push(Reason::OnlyMove(Alternative {
                outlook: Outlook::of(next.score, color),
                line: Variation::new(position, next.moves.iter().copied()),
            }));
        }
        let is_forced = judgement == Judgement::Forced;
        MoveReview {
            ply: self.game.moves().len(),
            // The reviewer, who knows the whole game, corrects it.
            phase: Phase::Opening,
            position,
            mv: self.mv,
            outlook_best: Outlook::of(best.score, color),
            outlook,
            depth,
            chances_before,
            chances_after,
            lost,
            accuracy: (!is_forced).then(|| accuracy(lost)),
            judgement,
            missed_win: chances_before >= Chances::WON && chances_after <= Chances::NOT_WINNING,
            reasons,
            best: best_variation,
            reply,
        }
    }

    /// What the move is called, without regard to the moves before it.
    fn name(
        &self,
        position: &Position,
        best: &ScoredLine,
        line: &ScoredLine,
        next: Option<&ScoredLine>,
        case: &Case<'_>,
    ) -> Judgement {
        if position.legal_moves().len() == 1 {
            return Judgement::Forced;
        }
        let lost = Chances::of(best.score, position).lost_to(Chances::of(line.score, position));
        let by_loss = Judgement::of_lost(lost);
        // A player who was worse cannot lose as much as a blunder costs; but a mate is a mate.
        if by_loss == Judgement::Mistake && (line.score.is_mate() || best.score.is_mate()) {
            return Judgement::Blunder;
        }
        if by_loss.is_error() {
            return by_loss;
        }
        if best.first() != Some(self.mv) && case.missed_mate().is_some() {
            // A forced mate is better than any advantage, however great.
            return Judgement::Inaccuracy;
        }
        if next.is_some() && sacrifices(position, self.mv) && Chances::of(line.score, position) >= Chances::EVEN {
            return Judgement::Brilliant;
        }
        // Fool's mate has a name too, but being in a book does not recommend a mate.
        let is_mate = case.played.position().is_checkmate();
        if !is_mate && eco::is_book(case.played.position()) && self.is_from_start() {
            return Judgement::Book;
        }
        // Two forced mates are worth the same, and yet one of them is shorter.
        if best.first() == Some(self.mv) { Judgement::Best } else { by_loss.or_excellent() }
    }

    fn is_from_start(&self) -> bool {
        *self.game.start() == Position::initial()
    }
}

fn misses_mate(examined: &Examined) -> bool {
    examined.best.score.is_mate() && examined.best.score.is_win() && !examined.played.score.is_win()
}

/// What a sacrifice gives up at least, in centipawns: a minor piece for a pawn.
const SACRIFICE: i32 = 200;

/// Whether the opponent can take something after the move and wins material by it, beyond what the move took.
fn sacrifices(position: &Position, mv: Move) -> bool {
    let after = position.play_unchecked(mv);
    let taken = crate::exchange::gain(position, mv);
    after.captures().iter().any(|&capture| {
        after.is_capture(capture)
            && crate::exchange::value_of(&after, capture).is_some_and(|value| value - taken >= SACRIFICE)
    })
}
