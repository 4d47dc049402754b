//! Nodes to solution: after how many nodes an engine finds the best move of a test position, and stays with it.

use anyhow::{Context, Result};
use programs::CommandLine;
use records::epd::Epd;
use rules::Move;
use search::Bound;
use uci::Message;

use crate::engine::Engine;

/// Megabytes of hash: more than the nodes of a problem fill.
const HASH: usize = 64;

/// Whether a move solves a problem: one of its best moves, none of those to avoid.
pub fn is_solved(problem: &Epd, mv: Move) -> bool {
    let (best, avoid) = (problem.moves("bm"), problem.moves("am"));
    (best.is_empty() || best.contains(&mv)) && !avoid.contains(&mv)
}

/// An engine that solves problems.
pub struct Solver {
    /// As it was named.
    pub name: String,
    command: CommandLine,
    /// Seconds for a problem, for an engine that does not understand a limit of nodes.
    seconds: Option<f64>,
}

impl Solver {
    /// Reads a command line, perhaps with the seconds for each problem behind it, as in `ethereal@1`.
    pub fn read(text: &str) -> Result<Solver> {
        let (command, seconds) = match text.rsplit_once('@') {
            Some((command, seconds)) => {
                (command, Some(seconds.parse().with_context(|| format!("{seconds} seconds in {text}"))?))
            }
            None => (text, None),
        };
        Ok(Solver { name: text.to_owned(), command: command.parse()?, seconds })
    }

    /// The nodes to solution of each problem; none where the engine was of another opinion at the limit.
    pub fn solve(&self, problems: &[Epd], limit: u64) -> Result<Vec<Option<u64>>> {
        let mut engine = Engine::start(&self.command, 1, HASH)?;
        // A problem is analysed, not played. An engine without the option says so and ignores it.
        engine.set_option("UCI_AnalyseMode", "true")?;
        let go = match self.seconds {
            Some(seconds) => format!("go movetime {}", (seconds * 1000.0) as u64),
            None => format!("go nodes {limit}"),
        };
        let solved = problems.iter().map(|problem| solve(&mut engine, problem, &go, limit)).collect();
        engine.end();
        solved
    }
}

fn solve(engine: &mut Engine, problem: &Epd, go: &str, limit: u64) -> Result<Option<u64>> {
    let position = problem.position();
    let mut track = Track::default();
    engine.ask(&position.to_string(), go, |message| {
        if let Message::Info(info) = message
            && let Some((line, stats)) = info.line(position)
            // A bound from above names a move that is about to be given up.
            && line.bound != Bound::Upper
            && stats.nodes <= limit
            && let Some(&mv) = line.moves.first()
        {
            track.hear(is_solved(problem, mv), stats.nodes);
        }
    })?;
    Ok(track.since)
}

/// Since how many nodes an engine has been right.
#[derive(Default)]
struct Track {
    since: Option<u64>,
}

impl Track {
    fn hear(&mut self, is_right: bool, nodes: u64) {
        self.since = is_right.then(|| self.since.unwrap_or(nodes));
    }
}

/// What the nodes to solution of one engine say beside those of another.
pub struct Comparison {
    /// How many the engine solved.
    pub solved: usize,
    /// How many both solved.
    pub common: usize,
    /// The geometric means of the nodes on those both solved, of the engine and of the other.
    pub means: (f64, f64),
}

impl Comparison {
    /// Compares the nodes to solution of the same problems.
    pub fn new(nodes: &[Option<u64>], others: &[Option<u64>]) -> Comparison {
        let common: Vec<(u64, u64)> =
            nodes.iter().zip(others).filter_map(|(&nodes, &other)| nodes.zip(other)).collect();
        let mean = |of: fn(&(u64, u64)) -> u64| {
            let sum: f64 = common.iter().map(|pair| (of(pair).max(1) as f64).ln()).sum();
            (sum / common.len().max(1) as f64).exp()
        };
        Comparison {
            solved: nodes.iter().flatten().count(),
            common: common.len(),
            means: (mean(|pair| pair.0), mean(|pair| pair.1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_counts_from_when_it_is_held() {
        let heard = |verdicts: &[(bool, u64)]| {
            let mut track = Track::default();
            verdicts.iter().for_each(|&(is_right, nodes)| track.hear(is_right, nodes));
            track.since
        };
        assert_eq!(heard(&[(false, 1), (true, 20), (true, 300)]), Some(20));
        assert_eq!(heard(&[(true, 1), (false, 20), (true, 300), (true, 4000)]), Some(300));
        assert_eq!(heard(&[(true, 1), (false, 20)]), None);
    }

    #[test]
    fn means_are_of_what_both_solve() {
        let comparison =
            Comparison::new(&[Some(10), Some(1000), None, Some(7)], &[Some(40), Some(4000), Some(5), None]);
        assert_eq!((comparison.solved, comparison.common), (3, 2));
        let (ours, theirs) = comparison.means;
        assert!((ours - 100.0).abs() < 1e-9 && (theirs - 400.0).abs() < 1e-9);
    }
}
