//! Searches of one position: what it is worth, and which of two moves is worth more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rules::{Game, Move, Outcome, Position};
use search::{
    AnyEvaluator, Bound, Control, Gate, Limits, Line, Reporter, Request, Score, SearchStats, Searcher, UciScore,
};

use crate::{Mate, Variation};

/// The search was stopped before it had an answer.
#[derive(Debug)]
pub(crate) struct Interrupted;

/// A line and its score, for the player who begins it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ScoredLine {
    pub(crate) score: Score,
    pub(crate) moves: Vec<Move>,
}

impl ScoredLine {
    pub(crate) fn first(&self) -> Option<Move> {
        self.moves.first().copied()
    }

    /// The forced mate for the player that the line ends in.
    pub(crate) fn mate(&self, position: &Position) -> Option<Mate> {
        match self.score.to_uci() {
            UciScore::MateIn(moves) => {
                Mate::at_the_end_of(Variation::new(*position, self.moves.iter().copied()), moves)
            }
            _ => None,
        }
    }
}

/// Two lines of one search, both searched to the same depth: only such scores may be compared.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Comparison {
    pub(crate) depth: usize,
    pub(crate) better: ScoredLine,
    pub(crate) worse: ScoredLine,
}

/// A searcher and the switch that stops it.
pub(crate) struct Analysis<'a> {
    searcher: &'a mut Searcher<AnyEvaluator>,
    stop: &'a Arc<AtomicBool>,
    gate: Option<Arc<dyn Gate>>,
}

impl<'a> Analysis<'a> {
    pub(crate) fn new(
        searcher: &'a mut Searcher<AnyEvaluator>,
        stop: &'a Arc<AtomicBool>,
        gate: Option<Arc<dyn Gate>>,
    ) -> Analysis<'a> {
        Analysis { searcher, stop, gate }
    }

    /// Forgets what was searched, so that what comes next does not depend on it.
    pub(crate) fn clear(&mut self) {
        self.searcher.clear();
    }

    /// What the position on the board is worth to the player to move, and the best line.
    pub(crate) fn position(&mut self, game: &Game, limits: Limits) -> Result<(ScoredLine, usize), Interrupted> {
        if let Some(outcome) = game.outcome() {
            let score = match outcome {
                Outcome::Checkmate { .. } => Score::mated_in(0),
                Outcome::Draw(_) => Score::DRAW,
            };
            return Ok((ScoredLine { score, moves: Vec::new() }, 0));
        }
        let control = self.control();
        let alone = without_history(game);
        let Line { mut score, moves, depth, .. } =
            self.searcher.search(&Request::new(&alone, limits), &control, &mut ()).line;
        self.check()?;
        // A player who may claim a draw need not take less.
        if game.claimable_draw().is_some() {
            score = score.max(Score::DRAW);
        }
        Ok((ScoredLine { score, moves }, depth))
    }

    /// Which of two moves is worth more, by a search that looks at no others.
    pub(crate) fn compare(
        &mut self,
        game: &Game,
        moves: [Move; 2],
        limits: Limits,
    ) -> Result<Option<Comparison>, Interrupted> {
        self.best_two(game, Limits { moves: Some(moves.to_vec()), ..limits })
    }

    /// The two best moves of the position, or of those that the limits name.
    pub(crate) fn best_two(&mut self, game: &Game, limits: Limits) -> Result<Option<Comparison>, Interrupted> {
        let mut pair = LastPair::default();
        let control = self.control();
        let alone = without_history(game);
        self.searcher.search(&Request::new(&alone, limits).with_lines(2), &control, &mut pair);
        self.check()?;
        Ok(pair.comparison)
    }

    fn control(&self) -> Control {
        let control = Control::sharing(Arc::clone(self.stop));
        match &self.gate {
            Some(gate) => control.behind(Arc::clone(gate)),
            None => control,
        }
    }

    fn check(&self) -> Result<(), Interrupted> {
        if self.stop.load(Ordering::Relaxed) { Err(Interrupted) } else { Ok(()) }
    }
}

/// The position on the board as the start of a game.
///
/// A search takes a position that occurred before for a draw, because what was repeated once may be repeated again. But
/// a player who repeats a won position once has lost nothing yet. Draws that can be claimed are judged by the rules
/// instead.
fn without_history(game: &Game) -> Game {
    Game::new(*game.position())
}

/// Keeps the lines of the last depth at which both were finished.
#[derive(Default)]
struct LastPair {
    first: Option<Line>,
    comparison: Option<Comparison>,
}

impl Reporter for LastPair {
    fn line(&mut self, line: &Line, _stats: &SearchStats) {
        if line.bound != Bound::Exact {
            return;
        }
        match (line.rank, &self.first) {
            (1, _) => self.first = Some(line.clone()),
            (2, Some(first)) if first.depth == line.depth && first.moves.first() != line.moves.first() => {
                let scored = |line: &Line| ScoredLine { score: line.score, moves: line.moves.clone() };
                let (mut better, mut worse) = (scored(first), scored(line));
                if worse.score > better.score {
                    std::mem::swap(&mut better, &mut worse);
                }
                self.comparison = Some(Comparison { depth: line.depth, better, worse });
            }
            _ => {}
        }
    }
}

/// A score seen from the position one move earlier: what is known to end is one ply further away.
pub(crate) fn one_ply_earlier(score: Score) -> Score {
    by_plies(score, 1)
}

/// A score seen from the position one move later.
pub(crate) fn one_ply_later(score: Score) -> Score {
    by_plies(score, -1)
}

fn by_plies(score: Score, plies: i32) -> Score {
    if score.is_win() {
        score - plies
    } else if score.is_loss() {
        score + plies
    } else {
        score
    }
}
