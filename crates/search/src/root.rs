//! The root: its moves, deepening step by step, and the window around the last score.

use std::time::Duration;

use rules::Move;

use crate::MAX_PLY;
use crate::node::{Expected, Root};
use crate::time::TimeFactors;
use crate::tunables::*;
use crate::worker::Worker;
use crate::{Bound, Evaluator, Line, Score, UciScore, Watcher};

/// A window's growth is counted in percent.
const PERCENT: i32 = 100;

/// After this time, news within a depth is reported as well.
const SLOW: Duration = Duration::from_secs(3);

/// A move of the root, and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// What the last search that tried it as the best said; lowest if it was no candidate.
    score: Score,
    /// The score of the depth before.
    previous: Score,
    bound: Bound,
    /// The depth of the score.
    depth: usize,
    line: Vec<Move>,
    selective_depth: usize,
    nodes: u64,
}

impl RootMove {
    /// Whether a depth has shown how good the move is, or that it is better than a window expected. A forced mate
    /// outside the window has no line yet that could be told.
    fn is_found_at(&self, depth: usize) -> bool {
        let is_known = match self.bound {
            Bound::Exact => true,
            Bound::Lower => !self.score.is_decided(),
            Bound::Upper => false,
        };
        is_known && self.depth == depth
    }
}

/// The moves of the root, the best first.
#[derive(Clone, Debug)]
pub(crate) struct RootMoves {
    moves: Vec<RootMove>,
    /// The line that is being searched: the moves before it are settled for this depth.
    current: usize,
    /// What a tablebase says of the position.
    known: Option<Score>,
}

impl RootMoves {
    pub(crate) fn new(moves: impl IntoIterator<Item = Move>, known: Option<Score>) -> RootMoves {
        let moves = moves
            .into_iter()
            .map(|mv| RootMove {
                mv,
                score: -Score::INFINITE,
                previous: -Score::INFINITE,
                bound: Bound::Exact,
                depth: 0,
                line: vec![mv],
                selective_depth: 0,
                nodes: 0,
            })
            .collect();
        RootMoves { moves, current: 0, known }
    }

    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The move to try first.
    pub(crate) fn first(&self) -> Option<Move> {
        self.moves.get(self.current).map(|root_move| root_move.mv)
    }

    /// Whether a move is to be searched for the current line.
    pub(crate) fn is_open(&self, mv: Move) -> bool {
        self.moves[self.current..].iter().any(|root_move| root_move.mv == mv)
    }

    /// Whether the best line is being searched, not one of the alternatives.
    pub(crate) fn is_first_line(&self) -> bool {
        self.current == 0
    }

    /// Sorts the moves from one place to another, the best first; the others keep their order.
    fn sort(&mut self, from: usize, to: usize) {
        self.moves[from..to].sort_by_key(|root_move| std::cmp::Reverse((root_move.score, root_move.previous)));
    }

    /// A line as it is told.
    fn line(&self, index: usize, depth: usize) -> Line {
        let root_move = &self.moves[index];
        // A tablebase knows better than a search, unless the search has found the mate.
        let score = match self.known {
            Some(known) if !root_move.score.is_mate() => known,
            _ => root_move.score,
        };
        Line {
            depth,
            selective_depth: root_move.selective_depth,
            rank: index + 1,
            score,
            bound: root_move.bound,
            moves: root_move.line.clone(),
        }
    }
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// Searches deeper and deeper until a limit is reached. The best line of the last depth that was searched.
    pub(crate) fn iterative_deepening(&mut self) -> Option<Line> {
        if self.root.len() == 0 {
            return None;
        }
        let lines = self.shared.request.options.lines.clamp(1, self.root.len());
        let deepest = self.shared.request.limits.depth.unwrap_or(MAX_PLY).clamp(1, MAX_PLY - 1);
        let mut best: Option<Line> = None;
        let mut stable_depths = 0;
        let mut average = None;
        for depth in 1..=deepest {
            self.search_lines(depth, lines);
            // A depth that was cut short still counts if it has found a best move, or one that was better than
            // expected.
            let is_told = !self.is_stopped || (lines == 1 && self.root.moves[0].is_found_at(depth));
            if !is_told {
                break;
            }
            if self.is_stopped {
                // Nothing more will be known of it, and users expect what is played to begin the last line without a
                // bound.
                self.root.moves[0].bound = Bound::Exact;
            }
            for index in 0..lines {
                let line = self.root.line(index, depth);
                self.report(&line);
            }
            let line = self.root.line(0, depth);
            let is_same = best.as_ref().is_some_and(|best| best.moves.first() == line.moves.first());
            stable_depths = if is_same { stable_depths + 1 } else { 0 };
            let before = average.unwrap_or(line.score);
            average = Some(before.towards(line.score, 1, soft_time_score_average_divisor()));
            let factors = TimeFactors {
                best_move_share: self.root.moves[0].nodes as f64 / self.nodes.max(1) as f64,
                stable_depths,
                score_drop: if line.score.is_decided() { 0 } else { before - line.score },
            };
            let is_enough = self.is_stopped || self.is_enough(&line, &factors);
            best = Some(line);
            if is_enough {
                break;
            }
        }
        self.publish();
        best.or_else(|| self.emergency_line())
    }

    /// The line of a search that was stopped before its first depth was over: the best move so far, or just any.
    fn emergency_line(&mut self) -> Option<Line> {
        let mut line = self.root.line(0, 1);
        if !self.root.moves[0].is_found_at(1) {
            let position = *self.position();
            line.depth = 0;
            line.score = self.evaluate(&position);
            line.bound = Bound::Exact;
        }
        self.report(&line);
        Some(line)
    }

    /// Searches all lines that are asked for at one depth.
    fn search_lines(&mut self, depth: usize, lines: usize) {
        self.root_depth = depth as i32;
        for root_move in &mut self.root.moves {
            root_move.previous = root_move.score;
        }
        for current in 0..lines {
            self.root.current = current;
            self.aspiration_search(depth);
            if self.is_stopped {
                return;
            }
            self.root.sort(0, current + 1);
        }
    }

    /// Aspiration: the score is expected close to that of the last depth. A narrow window makes the search quick; if
    /// the score falls outside, the window grows and the search is repeated.
    fn aspiration_search(&mut self, depth: usize) {
        self.selective_depth = 0;
        let (current, end) = (self.root.current, self.root.len());
        let expected = self.root.moves[current].previous;
        let mut width = aspiration_window();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if aspiration() && depth as i32 >= aspiration_depth() && !expected.is_decided() {
            (alpha, beta) = (expected - width, expected + width);
        }
        let mut reduction = 0;
        loop {
            let reduced = (depth as i32 - reduction).max(1);
            let score = self.search::<Root>(alpha, beta, reduced, Expected::Exact);
            self.root.sort(current, end);
            if self.is_stopped || (alpha < score && score < beta) {
                return;
            }
            self.report_if_slow(depth);
            if score <= alpha {
                beta = alpha.towards(beta, 1, aspiration_fail_low_divisor()).max(alpha + 1);
                alpha = if score.is_decided() { -Score::INFINITE } else { score - width };
                reduction = 0;
            } else {
                beta = if score.is_decided() { Score::INFINITE } else { score + width };
                // The move is good: a little less depth will do to see how good.
                reduction = (reduction + 1).min(aspiration_reduction_limit());
            }
            width = width * aspiration_growth_percent() / PERCENT;
            if width > aspiration_widest() {
                (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
            }
            (alpha, beta) = (alpha.max(-Score::INFINITE), beta.min(Score::INFINITE));
        }
    }

    /// A move of the root was searched with so many nodes.
    pub(crate) fn record_root_move(
        &mut self,
        mv: Move,
        nodes: u64,
        score: Score,
        window: (Score, Score),
        is_first: bool,
    ) {
        let (alpha, beta) = window;
        let depth = self.root_depth as usize;
        let (selective_depth, line) = (self.selective_depth, &self.stack.child().pv);
        let Some(root_move) = self.root.moves.iter_mut().find(|root_move| root_move.mv == mv) else { return };
        root_move.nodes += nodes;
        if !is_first && score <= alpha {
            root_move.score = -Score::INFINITE;
            return;
        }
        root_move.score = score;
        root_move.depth = depth;
        root_move.selective_depth = selective_depth;
        root_move.bound = if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        if score > alpha {
            root_move.line.truncate(1);
            root_move.line.extend_from_slice(line);
        }
    }

    /// Whether the answer is good enough to end the search after a depth.
    fn is_enough(&mut self, best: &Line, factors: &TimeFactors) -> bool {
        // The others search until the first thread has enough.
        if self.number != 0 {
            return false;
        }
        let limits = &self.shared.request.limits;
        let has_mate = match (limits.mate, best.score.to_uci()) {
            (Some(wanted), UciScore::MateIn(moves)) => moves <= wanted,
            _ => false,
        };
        let has_no_choice = limits.clock.is_some() && self.root.len() == 1;
        self.has_enough = has_no_choice || self.shared.time.is_enough(self.shared.control.elapsed(), factors);
        has_mate
            || limits.soft_nodes.is_some_and(|limit| self.shared.nodes().max(self.nodes) >= limit)
            || (self.has_enough && !self.shared.control.is_pondering())
    }

    fn report(&mut self, line: &Line) {
        self.publish();
        let stats = self.shared.stats();
        if let Some(reporter) = &mut self.reporter {
            reporter.line(line, &stats);
        }
    }

    /// Tells of a score outside the window, once the search has become slow.
    fn report_if_slow(&mut self, depth: usize) {
        let is_slow = self.shared.control.elapsed() >= SLOW;
        if self.number == 0 && is_slow && self.shared.request.options.lines == 1 {
            let line = self.root.line(0, depth);
            self.report(&line);
        }
    }

    /// Tells which move of the root is looked at, once the search has become slow.
    pub(crate) fn report_current_move(&mut self, mv: Move, number: usize) {
        if self.number == 0 && self.shared.control.elapsed() >= SLOW {
            self.publish();
            let (stats, depth) = (self.shared.stats(), self.root_depth as usize);
            let number = number + self.root.current;
            if let Some(reporter) = &mut self.reporter {
                reporter.current_move(mv, number, depth, &stats);
            }
        }
    }
}
