//! Reviewing a whole game.
//!
//! First every position is searched, from the last to the first, because the transposition table then knows what comes
//! later. Then each move is judged by searches of its own, which start from an empty table: so the review does not
//! depend on how many threads share the work, or on their order.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rules::{Game, Move, Position};
use search::{AnyEvaluator, Gate, OutOfMemory, Searcher, Tablebase};

use crate::analysis::{Analysis, Helpers, Interrupted, ScoredLine};
use crate::effort::{Budget, Look};
use crate::judge::{FirstLook, Judge, PLAIN, SUSPICIOUS};
use crate::judgement::thresholds;
use crate::threads::share;
use crate::{BookMoves, Effort, Judgement, MoveReview, Outlook, Phase, Puzzle, Reason, Review};

/// How far a review has come.
#[derive(Clone, Copy, Debug)]
pub struct Step<'s> {
    /// How much is done: positions searched, and moves judged.
    pub done: usize,
    /// How much there is to do.
    pub total: usize,
    /// The move that was judged last, if one was. With several threads they come in any order.
    pub judged: Option<&'s MoveReview>,
}

/// The review was stopped.
#[derive(Clone, Debug)]
pub struct Stopped {
    /// The moves that were judged by then, in their order.
    pub moves: Vec<MoveReview>,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the review was stopped when {} moves had been judged", self.moves.len())
    }
}

impl std::error::Error for Stopped {}

/// Judges games.
pub struct Reviewer {
    /// One for each thread.
    searchers: Vec<Searcher<AnyEvaluator>>,
    hash: usize,
    effort: Effort,
    book: Option<Book>,
    helpers: Helpers,
}

/// What a book plays in a position, the likeliest move first.
type Book = Box<dyn FnMut(&Position) -> Vec<Move> + Send>;

/// Positions that are searched one after the other, from the last to the first, with one table. The number is fixed, so
/// that a game is divided in the same way whatever the threads.
const STRETCH: usize = 10;

/// The part of a limited time that goes to the first search of every position.
const FIRST_SHARE: f64 = 0.3;

/// The part after which every move has been judged; the rest is for moves that are judged in hindsight.
const JUDGED_BY: f64 = 0.9;

impl Reviewer {
    /// A reviewer who judges by the network that is compiled in, with one thread.
    pub fn new(effort: Effort) -> Reviewer {
        let searchers = vec![Searcher::new(AnyEvaluator::default())];
        Reviewer { searchers, hash: search::DEFAULT_HASH, effort, book: None, helpers: Helpers::default() }
    }

    /// Judges by another evaluation from now on.
    pub fn set_evaluator(&mut self, evaluator: &AnyEvaluator) {
        for searcher in &mut self.searchers {
            searcher.set_evaluator(evaluator.clone());
        }
    }

    /// Gives the table of each thread another size, in MiB. A review depends on it a little.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        self.hash = mebibytes;
        self.searchers.iter_mut().try_for_each(|searcher| searcher.set_hash(mebibytes))
    }

    /// Shares the work among so many threads. The review stays the same, unless its effort is a time.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), OutOfMemory> {
        self.searchers.truncate(threads.max(1));
        while self.searchers.len() < threads {
            let mut searcher = Searcher::new(self.searchers[0].evaluator().clone());
            searcher.set_hash(self.hash)?;
            self.searchers.push(searcher);
        }
        Ok(())
    }

    /// Takes turns with others from now on, by a gate that every search has to pass.
    pub fn set_gate(&mut self, gate: Arc<dyn Gate>) {
        self.helpers.gate = Some(gate);
    }

    /// Asks tablebases about endgames from now on.
    pub fn set_tablebase(&mut self, tablebase: Arc<dyn Tablebase>) {
        self.helpers.tablebase = Some(tablebase);
    }

    /// Tells where games leave a book, which says what it plays in a position, the likeliest move first.
    pub fn set_book(&mut self, book: impl FnMut(&Position) -> Vec<Move> + Send + 'static) {
        self.book = Some(Box::new(book));
    }

    /// Judges every move of a game. With a number of nodes as the effort, the same game always gets the same review.
    ///
    /// Each step is told; setting the flag stops the review within a few thousand positions. With one thread the search
    /// runs on the thread of the caller and goes deep: give that a stack of [`STACK_SIZE`](search::STACK_SIZE).
    pub fn review(
        &mut self,
        game: &Game,
        stop: &Arc<AtomicBool>,
        tell: &mut dyn FnMut(Step<'_>),
    ) -> Result<Review, Stopped> {
        let helpers = &self.helpers;
        let analyses =
            self.searchers.iter_mut().map(|searcher| Analysis::new(searcher, stop, helpers.clone())).collect();
        let mut run = Run { analyses, game, effort: self.effort, started: Instant::now(), in_hindsight: false };
        let (mut done, total) = (0, game.positions().len() + game.moves().len());
        let searched = run.search_positions(&mut |positions| {
            done += positions;
            tell(Step { done, total, judged: None });
        });
        let Ok(searched) = searched else { return Err(Stopped { moves: Vec::new() }) };
        let mut judged = Vec::with_capacity(game.moves().len());
        let finished = run.judge_moves(&searched, &mut |review| {
            done += 1;
            tell(Step { done, total, judged: Some(&review) });
            judged.push(review);
        });
        judged.sort_by_key(|review| review.ply);
        if finished.and_then(|()| run.judge_in_hindsight(&searched, &mut judged)).is_err() {
            return Err(Stopped { moves: judged });
        }
        agree(&mut judged);
        name_misses(&mut judged);
        for (review, phase) in judged.iter_mut().zip(Phase::of_game(game.positions())) {
            review.phase = phase;
        }
        if let Some(book) = &mut self.book {
            tell_of_book(book, &mut judged);
        }
        let first = match (Game::new(*game.start()).outcome(), judged.first()) {
            (Some(outcome), _) => Outlook::Over(outcome),
            (None, Some(judged)) => judged.outlook_best,
            (None, None) => Outlook::of(searched[0].line.score, game.start().turn()),
        };
        Ok(Review::new(game, self.effort, first, judged))
    }
}

impl Reviewer {
    /// Makes puzzles of the serious errors of a game that was reviewed. A position becomes one if a single move is much
    /// better than all others, by a search of its own.
    pub fn puzzles(&mut self, game: &Game, review: &Review, stop: &Arc<AtomicBool>) -> Result<Vec<Puzzle>, Stopped> {
        let budget = match self.effort.nodes() {
            Ok(nodes) => Budget::Nodes(nodes),
            Err(time) => Budget::Time(time / (4 * game.positions().len() as u32)),
        };
        let mistakes: Vec<&MoveReview> = review.moves.iter().filter(|judged| judged.judgement.is_serious()).collect();
        let helpers = &self.helpers;
        let mut analyses: Vec<Analysis<'_>> =
            self.searchers.iter_mut().map(|searcher| Analysis::new(searcher, stop, helpers.clone())).collect();
        let mut puzzles = Vec::new();
        let work = |analysis: &mut Analysis<'_>, job: usize| {
            let mistake = mistakes[job];
            Puzzle::of(analysis, &prefix(game, mistake.ply), mistake, budget)
        };
        let jobs = (0..mistakes.len()).collect();
        share(&mut analyses, jobs, work, &mut |puzzle| puzzles.extend(puzzle))
            .map_err(|_| Stopped { moves: Vec::new() })?;
        puzzles.sort_by_key(|puzzle: &Puzzle| puzzle.ply);
        Ok(puzzles)
    }
}

/// What the first search of a position says.
struct Searched {
    line: ScoredLine,
    depth: usize,
}

/// The review of one game.
struct Run<'a> {
    analyses: Vec<Analysis<'a>>,
    game: &'a Game,
    effort: Effort,
    started: Instant,
    /// Whether moves are judged for the second time.
    in_hindsight: bool,
}

/// A move to be judged.
struct Job {
    ply: usize,
    /// What that is expected to cost, in first searches.
    cost: u32,
}

impl Run<'_> {
    /// Searches every position of the game; tells how many more are done.
    fn search_positions(&mut self, tell: &mut dyn FnMut(usize)) -> Result<Vec<Searched>, Interrupted> {
        let positions = self.game.positions().len();
        let budget = match self.effort.nodes() {
            Ok(nodes) => Budget::Nodes(nodes),
            Err(time) => Budget::Time(self.all_threads(time).mul_f64(FIRST_SHARE / positions as f64)),
        };
        let game = self.game;
        let mut found: Vec<Option<Searched>> = Vec::new();
        found.resize_with(positions, || None);
        let stretches = (0..positions.div_ceil(STRETCH)).rev().collect();
        let work = |analysis: &mut Analysis<'_>, stretch: usize| {
            analysis.clear();
            let (from, to) = (STRETCH * stretch, (STRETCH * (stretch + 1)).min(positions));
            let mut game = prefix(game, to - 1);
            let mut stretch = Vec::with_capacity(STRETCH);
            for ply in (from..to).rev() {
                let (line, depth) = analysis.position(&game, budget.limits(Look::First))?;
                stretch.push((ply, Searched { line, depth }));
                game.take_back();
            }
            Ok(stretch)
        };
        share(&mut self.analyses, stretches, work, &mut |stretch| {
            tell(stretch.len());
            for (ply, searched) in stretch {
                found[ply] = Some(searched);
            }
        })?;
        // Each position is in one of the stretches.
        found.into_iter().collect::<Option<_>>().ok_or(Interrupted)
    }

    /// Judges every move, those first that seem to lose most, because they take longest.
    fn judge_moves(&mut self, searched: &[Searched], tell: &mut dyn FnMut(MoveReview)) -> Result<(), Interrupted> {
        let game = self.game;
        let mut plies: Vec<(usize, f64)> = (0..game.moves().len())
            .map(|ply| (ply, first_look(searched, ply).apparent_loss(&game.positions()[ply])))
            .collect();
        plies.sort_by(|a, b| b.1.total_cmp(&a.1));
        let jobs = plies.iter().map(|&(ply, loss)| Job { ply, cost: expected_look(loss).cost() }).collect::<Vec<_>>();
        self.judge_jobs(searched, &jobs, JUDGED_BY, tell)
    }

    /// Judges the moves again that seemed good until the next one was examined, which takes more nodes.
    fn judge_in_hindsight(&mut self, searched: &[Searched], judged: &mut [MoveReview]) -> Result<(), Interrupted> {
        let is_worse = |pair: &[MoveReview]| {
            let known_now = pair[1].chances_before.of_opponent();
            !pair[0].judgement.is_serious() && pair[0].chances_after.lost_to(known_now) >= thresholds::INACCURACY
        };
        let worse = judged.windows(2).enumerate().filter(|(_, pair)| is_worse(pair));
        let jobs: Vec<Job> = worse.map(|(ply, _)| Job { ply, cost: Look::Fourth.cost() }).collect();
        self.in_hindsight = true;
        let mut again = Vec::new();
        self.judge_jobs(searched, &jobs, 1.0, &mut |review| again.push(review))?;
        for review in again.into_iter().filter(|review| review.judgement.is_error()) {
            let ply = review.ply;
            judged[ply] = review;
        }
        Ok(())
    }

    /// Judges some moves, and is done with them when this part of a limited time is over.
    fn judge_jobs(
        &mut self,
        searched: &[Searched],
        jobs: &[Job],
        part: f64,
        tell: &mut dyn FnMut(MoveReview),
    ) -> Result<(), Interrupted> {
        let (game, effort, started, in_hindsight) = (self.game, self.effort, self.started, self.in_hindsight);
        let threads = self.analyses.len() as u32;
        let work = |analysis: &mut Analysis<'_>, job: usize| {
            let ply = jobs[job].ply;
            let look = &first_look(searched, ply);
            let budget = budget(effort, started, part, &jobs[job..], threads);
            Judge { analysis, game: &prefix(game, ply), mv: game.moves()[ply], look, budget, in_hindsight }.judge()
        };
        share(&mut self.analyses, (0..jobs.len()).collect(), work, tell)
    }

    /// The time that all threads have together.
    fn all_threads(&self, time: Duration) -> Duration {
        time * self.analyses.len() as u32
    }
}

/// How closely a move will be looked at that seems to lose so much.
fn expected_look(loss: f64) -> Look {
    match loss {
        loss if loss >= PLAIN => Look::Third,
        loss if loss >= thresholds::MISTAKE => Look::Fourth,
        loss if loss >= SUSPICIOUS => Look::Second,
        _ => Look::First,
    }
}

/// What the first searches say of a move.
fn first_look(searched: &[Searched], ply: usize) -> FirstLook<'_> {
    let [before, after] = [&searched[ply], &searched[ply + 1]];
    FirstLook { before: &before.line, depth: before.depth, after: &after.line }
}

/// What the searches that judge the next move may spend. What is left of a limited time is shared by all that is still
/// to be done, so that what took longer is made up for.
fn budget(effort: Effort, started: Instant, part: f64, jobs: &[Job], threads: u32) -> Budget {
    match effort.nodes() {
        Ok(nodes) => Budget::Nodes(nodes),
        Err(time) => {
            let left = time.mul_f64(part).saturating_sub(started.elapsed()) * threads;
            Budget::Time(left / jobs.iter().map(|job| job.cost).sum::<u32>().max(1))
        }
    }
}

/// The first moves of a game.
fn prefix(game: &Game, plies: usize) -> Game {
    let mut game = game.clone();
    while game.moves().len() > plies {
        game.take_back();
    }
    game
}

/// Makes the numbers of neighbouring moves agree. What stands after a move is what the next player has before theirs,
/// and that was looked at more closely; so a best move leads to what was found there.
fn agree(moves: &mut [MoveReview]) {
    for at in (1..moves.len()).rev() {
        let (earlier, rest) = moves.split_at_mut(at);
        let (judged, next) = (&mut earlier[at - 1], &rest[0]);
        if judged.best.first() == Some(judged.mv) {
            judged.outlook = next.outlook_best;
            judged.outlook_best = next.outlook_best.before_move_of(judged.color());
            judged.chances_after = next.chances_before.of_opponent();
            judged.chances_before = judged.chances_after;
        }
    }
}

/// A serious error that gives back no more than the opponent's last error had given is a miss: an opportunity was not
/// taken.
fn name_misses(moves: &mut [MoveReview]) {
    for at in 1..moves.len() {
        let (earlier, rest) = moves.split_at_mut(at);
        let (error, answer) = (&earlier[at - 1], &mut rest[0]);
        // What the opponent could expect before the error, seen from the player who answers it.
        let before_error = 1.0 - error.chances_before.points();
        let is_gift = error.judgement.is_serious();
        let allows_mate = matches!(answer.reasons.first(), Some(Reason::AllowsMate(_)));
        if is_gift && answer.judgement.is_serious() && !allows_mate && answer.chances_after.points() >= before_error {
            answer.judgement = Judgement::Miss;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_of_a_limited_time_goes_where_the_game_turned() {
        // A blunder among 79 moves that lose nothing.
        let losses = [0.4].into_iter().chain([0.0; 79]);
        let jobs: Vec<Job> = losses.map(|loss| Job { ply: 0, cost: expected_look(loss).cost() }).collect();
        let Budget::Time(unit) = budget(Effort::Time(Duration::from_secs(600)), Instant::now(), 1.0, &jobs, 1) else {
            panic!("time is what counts")
        };
        let [blunder, quiet] = [0.4, 0.0].map(|loss| unit * expected_look(loss).cost());
        assert!(blunder > 30 * quiet && blunder > Duration::from_secs(150), "{blunder:?} {quiet:?}");
        assert!(blunder + 79 * quiet <= Duration::from_secs(600));
    }
}
