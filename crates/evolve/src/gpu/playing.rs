//! Rounds of self-play: all warps play for a while, and what they finished is learned from.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::Context;
use forge::{GpuGames, Played, Record};
use records::GameResult;
use records::packed::{PackedGame, Ply, Writer};
use rules::Color;
use train::Wdl;

use crate::{Failure, RunReporter, grouped};

/// How long the GPU plays before the host looks, in seconds.
const CHUNK: f64 = 3.0;

/// The most positions that a warp writes down in a round at a thousand nodes, which take about a minute. With more
/// nodes there are fewer, so that not too much is lost when a run is killed ...
const MOST_RECORDS: usize = 8192;

/// ... but never fewer than this: games that are not finished when a round ends are lost.
const FEWEST_RECORDS: usize = 2048;

/// Seconds between two lines.
const SILENCE: f64 = 12.0;

/// Games without end, as far as the GPU can count.
pub(super) const WITHOUT_END: usize = u32::MAX as usize;

/// How many positions each warp writes down in a round: rounds are of the same size, which does not depend on the time
/// they take, so that the same seed gives the same games.
pub(super) fn records_per_round(positions: u64, nodes: u64, warps: usize) -> usize {
    let most = (MOST_RECORDS * 1000 / (nodes.max(1) as usize)).clamp(FEWEST_RECORDS, MOST_RECORDS);
    let each = usize::try_from(positions).unwrap_or(usize::MAX).div_ceil(warps.max(1)).max(1);
    each.div_ceil(each.div_ceil(most)).max(64)
}

/// How many records more the next chunk has, after one of so many that took so long.
pub(super) fn next_chunk(records: usize, seconds: f64) -> usize {
    ((records as f64 * CHUNK / seconds.max(1e-3)) as usize).clamp(1, 8 * records.max(1))
}

/// Why a round ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// There was enough of it.
    Round,
    /// It was told to stop.
    Stopped,
    /// The rest of the time is needed for what comes next.
    TimeIsUp,
}

/// What was played in a round.
pub(super) struct Round {
    pub(super) played: Played,
    pub(super) seconds: f64,
    pub(super) end: End,
}

/// How a round is played.
pub(super) struct Rules<'a> {
    /// What the lines begin with.
    pub(super) label: String,
    pub(super) seed: u64,
    /// Positions that are enough.
    pub(super) goal: u64,
    /// What each warp has room for.
    pub(super) records: usize,
    pub(super) stop: &'a AtomicBool,
    pub(super) reporter: &'a dyn RunReporter,
}

impl Rules<'_> {
    /// Plays a round.
    pub(super) fn play(
        &self,
        gpu_games: &mut GpuGames,
        is_time_up: impl Fn(&Played) -> bool,
    ) -> Result<Round, Failure> {
        let begun = Instant::now();
        let enough =
            usize::try_from(self.goal).unwrap_or(usize::MAX).div_ceil(gpu_games.warps()).clamp(1, self.records);
        gpu_games.begin(self.seed)?;
        let (mut limit, mut step, mut told) = (0, 16, 0.0);
        loop {
            let chunk = Instant::now();
            let added = step.min(enough - limit);
            limit += added;
            let played = gpu_games.play(limit, WITHOUT_END)?;
            step = next_chunk(added, chunk.elapsed().as_secs_f64());
            let seconds = begun.elapsed().as_secs_f64();
            let end = if self.stop.load(Ordering::Relaxed) {
                Some(End::Stopped)
            } else if is_time_up(&played) {
                Some(End::TimeIsUp)
            } else {
                (limit >= enough).then_some(End::Round)
            };
            if end.is_some() || seconds - told >= SILENCE {
                told = seconds;
                self.reporter.line(&format!("{}: {}", self.label, description(&played, seconds)));
            }
            if let Some(end) = end {
                return Ok(Round { played, seconds, end });
            }
        }
    }
}

/// How it goes, in a line.
pub(super) fn description(played: &Played, seconds: f64) -> String {
    let [_, draws, _] = played.results;
    format!(
        "{} positions, {} a second, {:.1} million nodes a second, mean depth {:.2}, {} games, {:.1} % drawn",
        grouped(played.positions),
        grouped((played.positions as f64 / seconds.max(1e-9)) as u64),
        played.nodes as f64 / seconds.max(1e-9) / 1e6,
        played.depths as f64 / played.searches.max(1) as f64,
        grouped(played.games),
        100.0 * draws as f64 / played.games.max(1) as f64
    )
}

/// Writes finished games into a file of packed games, and says how many.
pub(super) fn write_games(gpu_games: &GpuGames, path: &Path, most: usize) -> Result<usize, Failure> {
    let records = gpu_games.records()?;
    let context = || format!("cannot write {}", path.display());
    let mut writer = Writer::create(path).with_context(context)?;
    let games = records.iter().flat_map(|records| records.chunk_by(|one, other| one.game() == other.game()));
    let mut count = 0;
    for game in games.filter_map(packed).take(most) {
        writer.write(&game).with_context(context)?;
        count += 1;
    }
    writer.save().with_context(context)?;
    Ok(count)
}

/// A game from its records; none if it is not finished.
fn packed(records: &[Record]) -> Option<PackedGame> {
    let first = records.first().filter(|first| first.is_finished())?;
    let start = first.position()?;
    let result = match (first.sample().wdl(), start.turn()) {
        (Wdl::Draw, _) => GameResult::Draw,
        (Wdl::Win, Color::White) | (Wdl::Loss, Color::Black) => GameResult::WhiteWins,
        (Wdl::Win, Color::Black) | (Wdl::Loss, Color::White) => GameResult::BlackWins,
    };
    let mut position = start;
    let mut plies = Vec::with_capacity(records.len());
    for record in records {
        let mv = record.best_move(&position)?;
        let score = record.sample().score();
        plies.push(Ply { mv, score: if position.turn() == Color::White { score } else { score.saturating_neg() } });
        position = position.play_unchecked(mv);
    }
    PackedGame::new(start, plies, result).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_of_one_size_and_fit() {
        assert_eq!(records_per_round(50_000_000, 1_000, 4_224), 5_919);
        assert_eq!(records_per_round(1_000_000, 1_000, 4_224), 237);
        assert_eq!(records_per_round(8_192 * 100, 500, 100), 8_192);
        assert_eq!(records_per_round(8_193 * 100, 1_000, 100), 4_097);
        assert_eq!(records_per_round(8_192 * 100, 10_000, 100), 2_048);
        assert_eq!(records_per_round(1, 1_000, 4_224), 64);
    }

    #[test]
    fn chunks_take_a_few_seconds() {
        assert_eq!(next_chunk(16, 0.1), 128, "it grows by eight at most");
        assert_eq!(next_chunk(100, 1.0), 300);
        assert_eq!(next_chunk(100, 30.0), 10);
        assert_eq!(next_chunk(1, 60.0), 1);
    }
}
