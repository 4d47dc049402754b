//! What an engine tells, as `info` lines: enough to follow it, never a flood.

use std::time::Duration;

use interface::{Answer, Bound, Line, Reporter, SearchStats};
use rules::{Move, Position};
use search::win_draw_loss;
use uci::{Castling, Info};

use crate::output::Output;

/// How lines are written.
#[derive(Clone, Copy)]
pub(crate) struct InfoStyle {
    pub(crate) castling: Castling,
    pub(crate) shows_wdl: bool,
}

/// Writes what the engine tells.
pub(crate) struct InfoWriter<'a> {
    output: &'a Output,
    root: Position,
    style: InfoStyle,
    limit: RateLimit,
    /// Whether the lines of the depth under way are written at once.
    is_showing: bool,
    /// Lines of the last depth that were not written because there were so many before.
    held_back: Vec<(Line, SearchStats)>,
    /// The first move of the last exact line that was written.
    told_best: Option<Move>,
    /// The exact lines of the last depth, best first.
    last_lines: Vec<Line>,
    /// The nodes of the last line that was written.
    told_nodes: u64,
}

impl<'a> InfoWriter<'a> {
    pub(crate) fn new(output: &'a Output, root: &Position, style: InfoStyle) -> InfoWriter<'a> {
        InfoWriter {
            output,
            root: *root,
            style,
            limit: RateLimit::new(),
            is_showing: false,
            held_back: Vec::new(),
            told_best: None,
            last_lines: Vec::new(),
            told_nodes: 0,
        }
    }

    /// The search is over: writes what was held back and, if the answer has a line, makes sure that the last lines
    /// begin with the move to play and tell how much work the whole search was, also that of a depth which a limit cut
    /// off. Programs that keep statistics read the last line.
    pub(crate) fn finish(&mut self, answer: &Answer) {
        self.release();
        let is_told = self.told_best == answer.best;
        if answer.line.moves.is_empty() || is_told && self.told_nodes == answer.stats.nodes {
            return;
        }
        self.show(&answer.line, &answer.stats);
        // With another best move the lines of the other ranks are of an earlier depth, and would only confuse.
        if is_told {
            let lines = std::mem::take(&mut self.last_lines);
            lines.iter().skip(1).for_each(|line| self.show(line, &answer.stats));
        }
    }

    /// Writes what was held back.
    pub(crate) fn release(&mut self) {
        for (line, stats) in std::mem::take(&mut self.held_back) {
            self.show(&line, &stats);
        }
    }

    fn show(&mut self, line: &Line, stats: &SearchStats) {
        self.limit.spend();
        self.told_nodes = stats.nodes;
        if line.rank == 1 && line.bound == Bound::Exact {
            self.told_best = line.moves.first().copied();
        }
        self.output.print(self.info(line, stats));
    }

    fn info(&self, line: &Line, stats: &SearchStats) -> Info {
        let wdl = self.style.shows_wdl.then(|| win_draw_loss(line.score, &self.root));
        Info { wdl, ..Info::of_line(line, stats, &self.root, self.style.castling) }
    }
}

impl Reporter for InfoWriter<'_> {
    fn line(&mut self, line: &Line, stats: &SearchStats) {
        /// Before this, every score is a passing one.
        const TIME_FOR_BOUNDS: Duration = Duration::from_secs(1);
        if line.bound != Bound::Exact {
            if stats.time >= TIME_FOR_BOUNDS && self.limit.allows(stats.time) {
                self.release();
                self.show(line, stats);
            }
            return;
        }
        // The lines of one depth are written all or none, so that no rank is missing.
        if line.rank == 1 {
            self.last_lines.clear();
            self.held_back.clear();
            self.is_showing = self.limit.allows(stats.time);
        }
        self.last_lines.push(line.clone());
        if self.is_showing {
            self.show(line, stats);
        } else {
            self.held_back.push((line.clone(), *stats));
        }
    }

    fn current_move(&mut self, mv: Move, number: usize, depth: usize, stats: &SearchStats) {
        const TIME_FOR_MOVES: Duration = Duration::from_secs(3);
        if stats.time < TIME_FOR_MOVES || !self.limit.allows(stats.time) {
            return;
        }
        self.release();
        self.limit.spend();
        self.output.print(Info {
            depth: Some(depth as u32),
            current_move: Some(self.style.castling.write(&self.root, mv)),
            current_move_number: Some(number as u32),
            ..Info::default()
        });
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// How many lines may still be written: some at once, and more as time passes.
struct RateLimit {
    lines: i64,
    /// The time, in milliseconds, up to which lines have been granted.
    granted: u64,
}

impl RateLimit {
    const AT_ONCE: i64 = 45;
    const MILLISECONDS_PER_LINE: u64 = 25;

    fn new() -> RateLimit {
        RateLimit { lines: RateLimit::AT_ONCE, granted: 0 }
    }

    fn allows(&mut self, time: Duration) -> bool {
        let grants = milliseconds(time).saturating_sub(self.granted) / RateLimit::MILLISECONDS_PER_LINE;
        self.granted += grants * RateLimit::MILLISECONDS_PER_LINE;
        self.lines = self.lines.saturating_add_unsigned(grants).min(RateLimit::AT_ONCE);
        self.lines > 0
    }

    /// A line is written. Several that belong together may overdraw the limit.
    fn spend(&mut self) {
        self.lines -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use interface::Score;
    use std::io::Write;
    use std::sync::{Arc, Mutex, mpsc};

    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("no thread panics").write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn told(talk: impl FnOnce(&mut InfoWriter, &Position)) -> Vec<String> {
        let (paper, position) = (Paper::default(), Position::initial());
        let output = Output::new(paper.clone(), mpsc::channel().0);
        let style = InfoStyle { castling: Castling::KingMoves, shows_wdl: false };
        talk(&mut InfoWriter::new(&output, &position, style), &position);
        let text = String::from_utf8(paper.0.lock().expect("no thread panics").clone()).expect("text");
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
        let lines = told(|writer, position| {
            (1..=200).for_each(|depth| writer.line(&line(position, depth, 1), &at(depth as u64 / 10)));
            let line = line(position, 200, 1);
            writer.finish(&Answer { best: line.moves.first().copied(), ponder: None, line, stats: at(20) });
        });
        assert!(lines.len() < 100, "{}", lines.len());
        assert!(lines[0].starts_with("info depth 1 ") && lines[lines.len() - 1].starts_with("info depth 200 "));
    }

    #[test]
    fn the_lines_of_a_depth_stay_together() {
        let lines = told(|writer, position| {
            for depth in 1..=60 {
                (1..=3).for_each(|rank| writer.line(&line(position, depth, rank), &at(depth as u64)));
            }
            let line = line(position, 60, 1);
            writer.finish(&Answer { best: line.moves.first().copied(), ponder: None, line, stats: at(60) });
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
    fn the_last_lines_tell_the_work_of_the_whole_search() {
        let lines = told(|writer, position| {
            (1..=2).for_each(|rank| writer.line(&line(position, 1, rank), &at(0)));
            let line = line(position, 1, 1);
            let stats = SearchStats { nodes: 77, ..at(1) };
            writer.finish(&Answer { best: line.moves.first().copied(), ponder: None, line, stats });
        });
        let [_, _, first, second] = &lines[..] else { panic!("{lines:?}") };
        assert!(first.contains(" multipv 1 ") && first.contains(" nodes 77 "), "{first}");
        assert!(second.contains(" multipv 2 ") && second.contains(" nodes 77 "), "{second}");
    }

    #[test]
    fn the_last_line_begins_with_the_move_that_is_played() {
        let lines = told(|writer, position| {
            writer.line(&line(position, 1, 1), &at(0));
            let answer = line(position, 2, 2);
            let line = Line { rank: 1, ..answer };
            writer.finish(&Answer { best: line.moves.first().copied(), ponder: None, line, stats: at(1) });
        });
        assert_eq!(lines.len(), 2);
    }
}
