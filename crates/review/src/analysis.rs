//! Searches of one position: what it is worth, and which of two moves is worth more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rules::{Game, Move, Outcome, Position};
use search::{
    AnyEvaluator, Bound, Control, Gate, Limits, Line, Reporter, Request, Score, SearchStats, Searcher, Tablebase,
    UciScore,
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

impl Comparison {
    /// Two lines of the same depth.
    fn of(first: &Line, second: &Line) -> Comparison {
        let scored = |line: &Line| ScoredLine { score: line.score, moves: line.moves.clone() };
        let (mut better, mut worse) = (scored(first), scored(second));
        if worse.score > better.score {
            std::mem::swap(&mut better, &mut worse);
        }
        Comparison { depth: first.depth, better, worse }
    }
}

/// A searcher and the switch that stops it.
pub(crate) struct Analysis<'a> {
    searcher: &'a mut Searcher<AnyEvaluator>,
    stop: &'a Arc<AtomicBool>,
    helpers: Helpers,
}

/// What all searches of a review share.
#[derive(Clone, Default)]
pub(crate) struct Helpers {
    /// Lets others have their turn.
    pub(crate) gate: Option<Arc<dyn Gate>>,
    /// Knows endgames.
    pub(crate) tablebase: Option<Arc<dyn Tablebase>>,
}

impl<'a> Analysis<'a> {
    pub(crate) fn new(
        searcher: &'a mut Searcher<AnyEvaluator>,
        stop: &'a Arc<AtomicBool>,
        helpers: Helpers,
    ) -> Analysis<'a> {
        Analysis { searcher, stop, helpers }
    }

    /// The tablebases that the searches ask.
    pub(crate) fn tablebase(&self) -> Option<&dyn Tablebase> {
        self.helpers.tablebase.as_deref()
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
            self.searcher.search(&self.request(&alone, limits), &control, &mut ()).line;
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

    /// Which of two moves is worth more, by a search of its own for each: both start from an empty table and get the
    /// same limits, and they are compared at the last depth that both have finished. A search of two moves gives most
    /// of its nodes to the one that takes longer, and what refutes the other is overlooked.
    pub(crate) fn compare_alone(
        &mut self,
        game: &Game,
        moves: [Move; 2],
        limits: &Limits,
    ) -> Result<Option<Comparison>, Interrupted> {
        let [first, second] = moves;
        let (first, second) = (self.alone(game, first, limits)?, self.alone(game, second, limits)?);
        let shared = first.iter().rev().find_map(|line| {
            let other = second.iter().rev().find(|other| other.depth == line.depth)?;
            Some((line, other))
        });
        Ok(shared.map(|(first, second)| Comparison::of(first, second)))
    }

    /// The line that begins with a move, at every depth.
    fn alone(&mut self, game: &Game, mv: Move, limits: &Limits) -> Result<Vec<Line>, Interrupted> {
        self.clear();
        let mut lines = Lines::default();
        let control = self.control();
        let alone = without_history(game);
        let limits = Limits { moves: Some(vec![mv]), ..limits.clone() };
        self.searcher.search(&self.request(&alone, limits), &control, &mut lines);
        self.check()?;
        Ok(lines.0)
    }

    /// The two best moves of the position, or of those that the limits name.
    pub(crate) fn best_two(&mut self, game: &Game, limits: Limits) -> Result<Option<Comparison>, Interrupted> {
        let mut pair = LastPair::default();
        let control = self.control();
        let alone = without_history(game);
        self.searcher.search(&self.request(&alone, limits).with_lines(2), &control, &mut pair);
        self.check()?;
        Ok(pair.comparison)
    }

    fn request<'g>(&self, game: &'g Game, limits: Limits) -> Request<'g> {
        let mut request = Request::new(game, limits);
        request.options.spares_checks = true;
        request.options.tablebase.clone_from(&self.helpers.tablebase);
        request
    }

    fn control(&self) -> Control {
        let control = Control::sharing(Arc::clone(self.stop));
        match &self.helpers.gate {
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
                self.comparison = Some(Comparison::of(first, line));
            }
            _ => {}
        }
    }
}

/// Keeps the line of every depth that was finished.
#[derive(Default)]
struct Lines(Vec<Line>);

impl Reporter for Lines {
    fn line(&mut self, line: &Line, _stats: &SearchStats) {
        if line.bound == Bound::Exact {
            self.0.retain(|earlier| earlier.depth != line.depth);
            self.0.push(line.clone());
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
