//! A candidate against the champion, on the GPU.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use arena::statistics::{Pentanomial, Performance, Tally};
use forge::{Capacity, Conditions, Gpu, GpuGames, GpuPlayer, Played, SearchParameters};
use nnue::Network;

use super::playing::next_chunk;
use crate::{Failure, MatchOutcome, RunReporter, grouped};

/// How a match is played.
pub(super) struct GateMatch<'a> {
    pub(super) gpu: &'a Gpu,
    pub(super) conditions: Conditions,
    pub(super) nodes: u64,
    /// Pairs of games that each warp plays.
    pub(super) pairs: usize,
    pub(super) seed: u64,
    pub(super) stop: &'a AtomicBool,
    pub(super) reporter: &'a dyn RunReporter,
}

/// A player with the usual search.
pub(super) fn player(network: &Arc<Network>, nodes: u64) -> GpuPlayer {
    let nodes = i32::try_from(nodes).unwrap_or(i32::MAX);
    GpuPlayer { network: Arc::clone(network), parameters: SearchParameters { nodes, ..SearchParameters::default() } }
}

impl GateMatch<'_> {
    /// Plays the match.
    pub(super) fn play(&self, candidate: &Arc<Network>, champion: &Arc<Network>) -> Result<MatchOutcome, Failure> {
        let begun = Instant::now();
        let games = 2 * self.pairs;
        let players = [player(candidate, self.nodes), player(champion, self.nodes)];
        let room = Capacity { games, ..Capacity::default() };
        let mut gpu_games = GpuGames::new(self.gpu, &players, self.conditions, room)?;
        gpu_games.begin(self.seed)?;
        let (mut limit, mut step) = (0, 16);
        let played = loop {
            let chunk = Instant::now();
            limit += step;
            let played = gpu_games.play(limit, games)?;
            if played.games >= (gpu_games.warps() * games) as u64 {
                break played;
            }
            if self.stop.load(Ordering::Relaxed) {
                return Err(Failure::Stopped);
            }
            step = next_chunk(step, chunk.elapsed().as_secs_f64());
        };
        let outcome = outcome(&gpu_games.outcomes()?, begun.elapsed().as_secs_f64());
        self.reporter.line(&format!("  match: {}", describe(&outcome, &played)));
        Ok(outcome)
    }
}

/// Counts pairs by the points of the first player, from the outcomes of all warps. A game without its pair does not
/// count.
pub fn outcome_pairs(outcomes: &[Vec<u8>]) -> Pentanomial {
    let mut pairs = Pentanomial::default();
    for pair in outcomes.iter().flat_map(|outcomes| outcomes.chunks_exact(2)) {
        pairs.0[usize::from(pair[0] + pair[1]).min(4)] += 1;
    }
    pairs
}

fn outcome(outcomes: &[Vec<u8>], seconds: f64) -> MatchOutcome {
    let pairs = outcome_pairs(outcomes);
    let elo = Performance::of(&pairs).map(|performance| performance.elo);
    let finite = |number: f64| Some(number).filter(|number| number.is_finite());
    MatchOutcome {
        games: 2 * pairs.total(),
        pairs,
        elo: elo.and_then(|elo| finite(elo.value)),
        error: elo.and_then(|elo| finite(elo.error())),
        llr: None,
        is_stronger: None,
        seconds,
    }
}

fn describe(outcome: &MatchOutcome, played: &Played) -> String {
    let [losses, draws, wins] = played.results;
    let elo = match (outcome.elo, outcome.error) {
        (Some(elo), Some(error)) => format!("{elo:+.1} ± {error:.1} Elo"),
        _ => "not measurable".to_owned(),
    };
    format!(
        "{elo}, {} won, {} drawn, {} lost, pairs {:?}, {:.1} s, {:.1} million nodes a second",
        grouped(wins),
        grouped(draws),
        grouped(losses),
        outcome.pairs.0,
        outcome.seconds,
        played.nodes as f64 / outcome.seconds.max(1e-9) / 1e6
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_pairs_count() {
        let outcome = outcome(&[vec![0, 2, 1, 1, 2], vec![2, 2, 2, 1], vec![1]], 1.0);
        assert_eq!((outcome.pairs.0, outcome.games), ([0, 0, 2, 1, 1], 8));
        assert!(outcome.elo.is_some_and(|elo| elo > 0.0));
        assert!(!outcome.is_clear_win());
    }
}
