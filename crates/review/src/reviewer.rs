//! Going through a game from its end to its start.
//!
//! The end comes first because the search remembers: what it has seen after a move helps it to judge the move, so that
//! what it says of a position and of the one after it hangs together.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rules::{Game, Move, Outcome, Position};
use search::{AnyEvaluator, Control, Gate, Limits, Line, OutOfMemory, Reporter, Request, Score, SearchStats, Searcher};

use crate::finding::Case;
use crate::{
    Alternative, BookMoves, Chances, Effort, Exchange, Judgement, MoveReview, Outlook, Reason, Review, Variation,
    accuracy,
};

/// How far a review has come.
#[derive(Clone, Copy, Debug)]
pub struct Step<'s> {
    /// Positions that are done.
    pub done: usize,
    /// Positions of the game.
    pub total: usize,
    /// The move that was judged with the last of them. The last move of the game comes first.
    pub judged: Option<&'s MoveReview>,
}

/// The review was stopped.
#[derive(Clone, Debug)]
pub struct Stopped {
    /// The moves that were judged by then: the last ones of the game, in their order.
    pub moves: Vec<MoveReview>,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the review was stopped when {} moves had been judged", self.moves.len())
    }
}

impl std::error::Error for Stopped {}

/// The search was stopped before it had an answer.
struct Interrupted;

/// Judges games.
pub struct Reviewer {
    searcher: Searcher<AnyEvaluator>,
    effort: Effort,
    book: Option<Book>,
    gate: Option<Arc<dyn Gate>>,
}

/// What a book plays in a position, the likeliest move first.
type Book = Box<dyn FnMut(&Position) -> Vec<Move> + Send>;

/// What a search says of a position.
struct Assessment {
    /// For the player to move.
    score: Score,
    line: Vec<Move>,
    depth: usize,
    outlook: Outlook,
}

impl Reviewer {
    /// A reviewer who judges by the network that is compiled in.
    pub fn new(effort: Effort) -> Reviewer {
        Reviewer { searcher: Searcher::new(AnyEvaluator::default()), effort, book: None, gate: None }
    }

    /// Judges by another evaluation from now on.
    pub fn set_evaluator(&mut self, evaluator: AnyEvaluator) {
        self.searcher.set_evaluator(evaluator);
    }

    /// Gives the table of the search another size, in MiB.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        self.searcher.set_hash(mebibytes)
    }

    /// Takes turns with others from now on, by a gate that every search has to pass.
    pub fn set_gate(&mut self, gate: Arc<dyn Gate>) {
        self.gate = Some(gate);
    }

    /// Tells where games leave a book, which says what it plays in a position, the likeliest move first.
    pub fn set_book(&mut self, book: impl FnMut(&Position) -> Vec<Move> + Send + 'static) {
        self.book = Some(Box::new(book));
    }

    /// Judges every move of a game. With a number of nodes as the effort, the same game always gets the same review.
    ///
    /// Each step is told; setting the flag stops the review within a few thousand positions. The search goes deep: on a
    /// thread of its own, give it a stack of [`STACK_SIZE`](search::STACK_SIZE).
    pub fn review(
        &mut self,
        game: &Game,
        stop: &Arc<AtomicBool>,
        tell: &mut dyn FnMut(Step<'_>),
    ) -> Result<Review, Stopped> {
        self.searcher.clear();
        let total = game.positions().len();
        // Backwards while they are found.
        let mut moves: Vec<MoveReview> = Vec::with_capacity(game.moves().len());
        let stopped = |mut moves: Vec<MoveReview>| {
            moves.reverse();
            Stopped { moves }
        };
        let mut game = game.clone();
        let Ok(mut after) = self.assess(&game, stop) else { return Err(stopped(moves)) };
        tell(Step { done: 1, total, judged: None });
        while !game.moves().is_empty() {
            let Ok((review, before)) = self.judge(&game, after, stop) else { return Err(stopped(moves)) };
            moves.push(review);
            tell(Step { done: moves.len() + 1, total, judged: moves.last() });
            game.take_back();
            after = before;
        }
        moves.reverse();
        if let Some(book) = &mut self.book {
            tell_of_book(book, &mut moves);
        }
        Ok(Review::new(*game.start(), self.effort, after.outlook, moves))
    }

    /// Judges the last move of a game, and tells what the position before it was like.
    fn judge(
        &mut self,
        played: &Game,
        after: Assessment,
        stop: &Arc<AtomicBool>,
    ) -> Result<(MoveReview, Assessment), Interrupted> {
        let mut earlier = played.clone();
        let mv = earlier.take_back().ok_or(Interrupted)?;
        let position = *earlier.position();
        let before = self.assess(&earlier, stop)?;
        let color = position.turn();
        let choice = before.line.first().copied();
        let is_forced = position.legal_moves().len() == 1;
        let chances_after = Chances::of(-after.score, &position);
        let (mut best_score, mut best_line) = (before.score, before.line.clone());
        let (mut chances_before, mut lost) = (chances_after, 0.0);
        if choice != Some(mv) && !is_forced {
            chances_before = Chances::of(best_score, &position);
            lost = chances_before.lost_to(chances_after);
            let misses_mate = best_score.is_mate() && !after.score.is_loss();
            if let Some(choice) = choice
                && (Judgement::of_lost(lost) >= Judgement::Inaccuracy || misses_mate)
            {
                // Before a move is blamed, the better move is looked at as closely as the move that was played.
                if let Some((score, line)) = self.assess_move(&earlier, choice, stop)? {
                    best_score = score;
                    best_line = line;
                    chances_before = Chances::of(best_score, &position);
                    lost = chances_before.lost_to(chances_after);
                }
            }
        } else {
            best_score = one_ply_earlier(-after.score);
            best_line = std::iter::once(mv).chain(after.line.iter().copied()).collect();
        }
        let best = Variation::new(position, best_line);
        let reply = Variation::new(*played.position(), after.line.iter().copied());
        let mut judgement = Judgement::of_lost(lost);
        // A player who was worse cannot lose as much as a blunder costs; but a mate is a mate.
        if judgement == Judgement::Mistake && (after.score.is_mate() || best_score.is_mate()) {
            judgement = Judgement::Blunder;
        }
        let mut reasons = Vec::new();
        let case = Case {
            played,
            before: &position,
            best: &best,
            reply: &reply,
            best_score,
            reply_score: after.score,
            chances_before,
        };
        if judgement >= Judgement::Inaccuracy {
            reasons = case.reasons();
        } else if choice != Some(mv)
            && let Some(mate) = case.missed_mate()
        {
            // A forced mate is better than any advantage, however great.
            judgement = Judgement::Inaccuracy;
            reasons = vec![Reason::MissesMate(mate)];
        } else if choice == Some(mv) && !is_forced {
            let alternative = self.next_best(&earlier, mv, best_score, stop)?;
            reasons.extend(alternative.map(Reason::OnlyMove));
        }
        let review = MoveReview {
            ply: earlier.moves().len(),
            position,
            mv,
            outlook_best: Outlook::of(best_score, color),
            outlook: after.outlook,
            depth: before.depth,
            chances_before,
            chances_after,
            lost,
            accuracy: (!is_forced).then(|| accuracy(lost)),
            judgement,
            missed_win: chances_before >= Chances::WON && chances_after <= Chances::NOT_WINNING,
            reasons,
            best,
            reply,
        };
        Ok((review, before))
    }

    /// The next best move, if it would have been a mistake. There is no praise for taking a piece, or for mate on the
    /// board.
    fn next_best(
        &mut self,
        game: &Game,
        best: Move,
        best_score: Score,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<Alternative>, Interrupted> {
        let position = game.position();
        if Exchange::opened_by(position, best).is_some() || position.play_unchecked(best).is_checkmate() {
            return Ok(None);
        }
        let mut second = Second { best, line: None };
        let (request, control) = (Request::new(game, self.effort.limits()).with_lines(2), self.control(stop));
        self.searcher.search(&request, &control, &mut second);
        if stop.load(Ordering::Relaxed) {
            return Err(Interrupted);
        }
        let Some(line) = second.line else { return Ok(None) };
        let is_mistake = |score: Score| {
            let lost = Chances::of(best_score, position).lost_to(Chances::of(score, position));
            Judgement::of_lost(lost) >= Judgement::Mistake
        };
        let Some(&next) = line.moves.first().filter(|_| is_mistake(line.score)) else { return Ok(None) };
        // Before a move is praised, the next best moves are looked at as closely as the move that was played.
        let Some((score, line)) = self.assess_move(game, next, stop)?.filter(|&(score, _)| is_mistake(score)) else {
            return Ok(None);
        };
        let mut known = vec![best, next];
        for _ in 0..MORE_RIVALS {
            let Some(rival) = self.best_of_others(game, &known, stop)? else { break };
            if self.assess_move(game, rival, stop)?.is_some_and(|(score, _)| !is_mistake(score)) {
                return Ok(None);
            }
            known.push(rival);
        }
        Ok(Some(Alternative { outlook: Outlook::of(score, position.turn()), line: Variation::new(*position, line) }))
    }

    /// The best move but for those that are known; nothing if there are no others.
    fn best_of_others(
        &mut self,
        game: &Game,
        known: &[Move],
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<Move>, Interrupted> {
        let others: Vec<Move> =
            game.position().legal_moves().iter().copied().filter(|mv| !known.contains(mv)).collect();
        if others.is_empty() {
            return Ok(None);
        }
        let limits = Limits { moves: Some(others), ..self.effort.limits() };
        let control = self.control(stop);
        let answer = self.searcher.search(&Request::new(game, limits), &control, &mut ());
        if stop.load(Ordering::Relaxed) { Err(Interrupted) } else { Ok(answer.best) }
    }

    /// What a move is worth to the player who makes it, by a search of its own, and the line that it begins; nothing if
    /// it is illegal.
    fn assess_move(
        &mut self,
        game: &Game,
        mv: Move,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<(Score, Vec<Move>)>, Interrupted> {
        let mut after = game.clone();
        if after.play(mv).is_err() {
            return Ok(None);
        }
        let Assessment { score, line, .. } = self.assess(&after, stop)?;
        Ok(Some((one_ply_earlier(-score), std::iter::once(mv).chain(line).collect())))
    }

    /// The switch of a search that starts now.
    fn control(&self, stop: &Arc<AtomicBool>) -> Control {
        let control = Control::sharing(Arc::clone(stop));
        match &self.gate {
            Some(gate) => control.behind(Arc::clone(gate)),
            None => control,
        }
    }

    /// What the position on the board is worth to the player to move.
    fn assess(&mut self, game: &Game, stop: &Arc<AtomicBool>) -> Result<Assessment, Interrupted> {
        let position = game.position();
        if let Some(outcome) = game.outcome() {
            let score = match outcome {
                Outcome::Checkmate { .. } => Score::mated_in(0),
                Outcome::Draw(_) => Score::DRAW,
            };
            return Ok(Assessment { score, line: Vec::new(), depth: 0, outlook: Outlook::Over(outcome) });
        }
        let control = self.control(stop);
        let answer = self.searcher.search(&Request::new(game, self.effort.limits()), &control, &mut ());
        if stop.load(Ordering::Relaxed) {
            return Err(Interrupted);
        }
        let Line { mut score, moves, depth, .. } = answer.line;
        // A player who may claim a draw need not take less.
        if game.claimable_draw().is_some() {
            score = score.max(Score::DRAW);
        }
        Ok(Assessment { score, line: moves, depth, outlook: Outlook::of(score, position.turn()) })
    }
}

/// A move is praised as the only good one after so many others, beside the next best, have been looked at for
/// themselves: which of them is best, a search that has to divide its time knows less well.
const MORE_RIVALS: usize = 3;

/// Hears of the second line, as long as the first is the move it should be.
struct Second {
    best: Move,
    line: Option<Line>,
}

impl Reporter for Second {
    fn line(&mut self, line: &Line, _stats: &SearchStats) {
        let first = line.moves.first();
        match line.rank {
            1 if first != Some(&self.best) => self.line = None,
            2 if first != Some(&self.best) => self.line = Some(line.clone()),
            _ => {}
        }
    }
}

/// Finds the first move that is not in the book, if all before it are.
fn tell_of_book(book: &mut Book, moves: &mut [MoveReview]) {
    for review in moves {
        let known = book(&review.position);
        if !known.contains(&review.mv) {
            if !known.is_empty() {
                review.reasons.push(Reason::LeavesBook(BookMoves { position: review.position, moves: known }));
            }
            return;
        }
    }
}

/// A score seen from the position one move earlier: what is known to end is one ply further away.
fn one_ply_earlier(score: Score) -> Score {
    if score.is_win() {
        score - 1
    } else if score.is_loss() {
        score + 1
    } else {
        score
    }
}
