//! What the search tells, as `info` lines: enough to follow it, never a flood.

use std::time::Duration;

use rules::{Move, Position};
use search::{Answer, Bound, Line, Reporter, Score, SearchStats, Verdict, win_draw_loss};
use uci::{Castling, Info, Value};

use crate::output::Output;

/// How lines are written.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    pub(crate) castling: Castling,
    pub(crate) shows_chances: bool,
}

/// Writes what the search tells.
pub(crate) struct Teller<'a> {
    output: &'a Output,
    root: Position,
    style: Style,
    budget: Budget,
    /// Whether the lines of the depth under way are written at once.
    is_showing: bool,
    /// Lines of the last depth that were not written because there were so many before.
    held_back: Vec<(Line, SearchStats)>,
    /// The first move of the last exact line that was written.
    told_best: Option<Move>,
}

impl<'a> Teller<'a> {
    pub(crate) fn new(output: &'a Output, root: &Position, style: Style) -> Teller<'a> {
        Teller {
            output,
            root: *root,
            style,
            budget: Budget::new(),
            is_showing: false,
            held_back: Vec::new(),
            told_best: None,
        }
    }

    /// The search is over: writes what was held back, and sees to it that the last line begins with the move to play.
    pub(crate) fn finish(&mut self, answer: &Answer) {
        self.release();
        if answer.best.is_some() && self.told_best != answer.best {
            self.show(&answer.line, &answer.stats);
        }
    }

    fn release(&mut self) {
        for (line, stats) in std::mem::take(&mut self.held_back) {
            self.show(&line, &stats);
        }
    }

    fn show(&mut self, line: &Line, stats: &SearchStats) {
        self.budget.spend();
        if line.rank == 1 && line.bound == Bound::Exact {
            self.told_best = line.moves.first().copied();
        }
        self.output.print(self.info(line, stats));
    }

    fn info(&self, line: &Line, stats: &SearchStats) -> Info {
        Info {
            depth: Some(line.depth as u32),
            selective_depth: Some(line.selective_depth as u32),
            multi_pv: Some(line.rank as u32),
            score: Some(score(line.score, line.bound)),
            wdl: self.style.shows_chances.then(|| win_draw_loss(line.score, &self.root)),
            nodes: Some(stats.nodes),
            nps: Some(stats.nodes_per_second()),
            hash_full: Some(stats.hash_full),
            tablebase_hits: Some(stats.tablebase_hits),
            time: Some(milliseconds(stats.time)),
            pv: self.style.castling.write_line(&self.root, &line.moves),
            ..Info::default()
        }
    }
}

impl Reporter for Teller<'_> {
    fn line(&mut self, line: &Line, stats: &SearchStats) {
        /// Before this, every score is a passing one.
        const TIME_FOR_BOUNDS: Duration = Duration::from_secs(1);
        if line.bound != Bound::Exact {
            if stats.time >= TIME_FOR_BOUNDS && self.budget.allows(stats.time) {
                self.release();
                self.show(line, stats);
            }
            return;
        }
        // The lines of one depth are written all or none, so that no rank is missing.
        if line.rank == 1 {
            self.held_back.clear();
            self.is_showing = self.budget.allows(stats.time);
        }
        if self.is_showing {
            self.show(line, stats);
        } else {
            self.held_back.push((line.clone(), *stats));
        }
    }

    fn current_move(&mut self, mv: Move, number: usize, depth: usize, stats: &SearchStats) {
        const TIME_FOR_MOVES: Duration = Duration::from_secs(3);
        if stats.time < TIME_FOR_MOVES || !self.budget.allows(stats.time) {
            return;
        }
        self.release();
        self.budget.spend();
        self.output.print(Info {
            depth: Some(depth as u32),
            current_move: Some(self.style.castling.write(&self.root, mv)),
            current_move_number: Some(number as u32),
            ..Info::default()
        });
    }
}

/// A score as the protocol writes it.
pub(crate) fn score(score: Score, bound: Bound) -> uci::Score {
    let value = match score.verdict() {
        Verdict::Centipawns(centipawns) => Value::Centipawns(centipawns),
        Verdict::MateIn(moves) => Value::Mate(moves as i32),
        Verdict::MatedIn(moves) => Value::Mate(-(moves as i32)),
    };
    let bound = match bound {
        Bound::Exact => uci::Bound::Exact,
        Bound::Lower => uci::Bound::Lower,
        Bound::Upper => uci::Bound::Upper,
    };
    uci::Score { value, bound }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// How many lines may still be written: some at once, and more as time passes.
struct Budget {
    lines: i64,
    /// The time, in milliseconds, up to which lines have been granted.
    granted: u64,
}

impl Budget {
    const AT_ONCE: i64 = 45;
    const MILLISECONDS_PER_LINE: u64 = 25;

    fn new() -> Budget {
        Budget { lines: Budget::AT_ONCE, granted: 0 }
    }

    fn allows(&mut self, time: Duration) -> bool {
        let grants = milliseconds(time).saturating_sub(self.granted) / Budget::MILLISECONDS_PER_LINE;
        self.granted += grants * Budget::MILLISECONDS_PER_LINE;
        self.lines = self.lines.saturating_add_unsigned(grants).min(Budget::AT_ONCE);
        self.lines > 0
    }

    /// A line is written. Several that belong together may overdraw the budget.
    fn spend(&mut self) {
        self.lines -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::{Arc, Mutex, mpsc};

    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("nobody panics").write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn told(talk: impl FnOnce(&mut Teller, &Position)) -> Vec<String> {
        let (paper, position) = (Paper::default(), Position::initial());
        let output = Output::new(paper.clone(), mpsc::channel().0);
        let style = Style { castling: Castling::KingMoves, shows_chances: false };
        talk(&mut Teller::new(&output, &position, style), &position);
        let text = String::from_utf8(paper.0.lock().expect("nobody panics").clone()).expect("text");
        text.lines().map(str::to_owned).collect()
    }

    fn line(position: &Position, depth: usize, rank: usize) -> Line {
        let moves = vec![position.legal_moves()[rank - 1]];
        Line { depth, selective_depth: depth, rank, score: Score::DRAW, bound: Bound::Exact, moves }
    }

    fn at(milliseconds: u64) -> SearchStats {
        SearchStats { nodes: 1, time: Duration::from_millis(milliseconds), hash_full: 0, tablebase_hits: 0 }
    }

    #[test]
    fn a_search_that_rushes_through_the_depths_is_told_at_its_ends() {
        let lines = told(|teller, position| {
            (1..=200).for_each(|depth| teller.line(&line(position, depth, 1), &at(depth as u64 / 10)));
            let line = line(position, 200, 1);
            teller.finish(&Answer { best: line.moves.first().copied(), ponder: None, line, stats: at(20) });
        });
        assert!(lines.len() < 100, "{}", lines.len());
        assert!(lines[0].starts_with("info depth 1 ") && lines[lines.len() - 1].starts_with("info depth 200 "));
    }

    #[test]
    fn the_lines_of_a_depth_stay_together() {
        let lines = told(|teller, position| {
            for depth in 1..=60 {
                (1..=3).for_each(|rank| teller.line(&line(position, depth, rank), &at(depth as u64)));
            }
            let line = line(position, 60, 1);
            teller.finish(&Answer { best: line.moves.first().copied(), ponder: None, line, stats: at(60) });
        });
        assert_eq!(lines.len() % 3, 0);
        for group in lines.chunks(3) {
            let depth = group[0].split(" seldepth").next().expect("a first part");
            for (rank, line) in group.iter().enumerate() {
                assert!(line.starts_with(depth) && line.contains(&format!(" multipv {} ", rank + 1)), "{group:?}");
            }
        }
    }

    #[test]
    fn the_last_line_begins_with_the_move_that_is_played() {
        let lines = told(|teller, position| {
            teller.line(&line(position, 1, 1), &at(0));
            let answer = line(position, 2, 2);
            let line = Line { rank: 1, ..answer };
            teller.finish(&Answer { best: line.moves.first().copied(), ponder: None, line, stats: at(1) });
        });
        assert_eq!(lines.len(), 2);
    }
}
