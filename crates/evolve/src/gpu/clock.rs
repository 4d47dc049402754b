//! How long everything takes, so that nothing is begun that cannot be finished, and where the time went.

use std::fmt;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::hms;

/// What is set aside for everything that is not foreseen.
const MARGIN: f64 = 8.0;

/// Positions of a game of a match, about.
const GAME: f64 = 110.0;

/// Warps that have played all their games wait for those that have not.
const STRAGGLERS: f64 = 1.6;

/// Compiling kernels, finding memory, verifying a network.
const START: f64 = 6.0;

/// How fast everything went, as far as it was measured.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Rates {
    /// Nodes a second.
    #[serde(default)]
    pub(super) nodes: Option<f64>,
    /// Neurons times samples that a training sees in a second.
    #[serde(default)]
    pub(super) work: Option<f64>,
    /// How much longer a match took than its positions would take in self-play.
    #[serde(default)]
    pub(super) match_factor: Option<f64>,
}

/// A match as far as its time goes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct MatchSize {
    pub(super) games: u64,
    pub(super) nodes: u64,
}

impl Rates {
    /// How long it takes to play so many positions.
    pub(super) fn playing(&self, positions: u64, nodes: u64) -> f64 {
        positions as f64 * nodes as f64 / self.nodes.unwrap_or(3e8)
    }

    /// How long a match takes, as the positions of its games would in self-play.
    fn bare_match(&self, size: MatchSize) -> f64 {
        self.playing((size.games as f64 * GAME) as u64, size.nodes)
    }

    /// How long a candidate takes that is so much work to train: training and match.
    pub(super) fn candidate(&self, work: f64, size: MatchSize) -> f64 {
        let training = work / self.work.unwrap_or(9e9);
        training + self.matching(size) + START
    }

    /// How long a match takes.
    pub(super) fn matching(&self, size: MatchSize) -> f64 {
        self.bare_match(size) * self.match_factor.unwrap_or(STRAGGLERS)
    }

    /// Remembers how long a match took.
    pub(super) fn matched(&mut self, size: MatchSize, seconds: f64) {
        self.match_factor = Some((seconds / self.bare_match(size).max(1e-3)).clamp(0.2, 20.0));
    }

    /// Remembers how long a training took.
    pub(super) fn trained(&mut self, work: f64, seconds: f64) {
        self.work = Some(work / seconds.max(1e-3));
    }
}

/// The time that a run has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    deadline: Instant,
}

impl Deadline {
    pub(super) fn new(minutes: f64) -> Deadline {
        Deadline { deadline: Instant::now() + Duration::from_secs_f64(60.0 * minutes) }
    }

    /// Seconds that are left; below zero when it is too late.
    pub(super) fn left(&self) -> f64 {
        let now = Instant::now();
        match self.deadline.checked_duration_since(now) {
            Some(left) => left.as_secs_f64(),
            None => -now.duration_since(self.deadline).as_secs_f64(),
        }
    }

    /// Whether there is time for something that takes so many seconds.
    pub(super) fn has(&self, seconds: f64) -> bool {
        self.left() >= seconds + MARGIN
    }
}

/// Whether a generation is begun: at least half of its positions can be played, and all candidates tried. Before
/// anything was measured it always is, and is cut short if need be.
pub(super) fn begins_generation(clock: &Deadline, rates: &Rates, playing: f64, candidates: f64) -> bool {
    rates.nodes.is_none() && clock.left() > MARGIN || clock.has(playing / 2.0 + candidates)
}

/// Where the time went.
#[derive(Default)]
pub(super) struct TimeTable {
    rows: Vec<(&'static str, f64)>,
}

impl TimeTable {
    /// Does something, and notes how long it took.
    pub(super) fn time<T>(&mut self, what: &'static str, job: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let done = job();
        self.add(what, begun.elapsed().as_secs_f64());
        done
    }

    pub(super) fn add(&mut self, what: &'static str, seconds: f64) {
        match self.rows.iter_mut().find(|(name, _)| *name == what) {
            Some((_, sum)) => *sum += seconds,
            None => self.rows.push((what, seconds)),
        }
    }

    /// The table for a run that took so long in all.
    pub(super) fn of(&self, total: f64) -> String {
        let noted: f64 = self.rows.iter().map(|(_, seconds)| seconds).sum();
        let rows = self.rows.iter().copied().chain([("everything else", (total - noted).max(0.0))]);
        let mut text = String::new();
        for (what, seconds) in rows {
            let share = 100.0 * seconds / total.max(1e-9);
            let _ = fmt::write(&mut text, format_args!("{what:<16} {seconds:>9.1} s {share:>5.1} %\n"));
        }
        text + &format!("{:<16} {total:>9.1} s, {}\n", "in all", hms(total))
    }
}

#[cfg(test)]
mod tests {
    use nnue::Architecture;
    use train::Recipe;

    use super::*;

    #[test]
    fn what_was_measured_decides_how_long_things_take() {
        let mut rates = Rates::default();
        let architecture = Architecture::new(256).expect("a width");
        let work = |samples| Recipe::default().work(&architecture, samples);
        let size = MatchSize { games: 32_768, nodes: 1_000 };
        rates.nodes = Some(5e8);
        assert!((rates.playing(50_000_000, 1_000) - 100.0).abs() < 1e-9);
        rates.trained(work(1_000_000), 2.0);
        rates.matched(size, 10.0);
        assert!((rates.candidate(work(10_000_000), size) - (20.0 + 10.0 + START)).abs() < 1e-6);
        let longer = MatchSize { nodes: 5_000, ..size };
        assert!((rates.matching(longer) - 50.0).abs() < 1e-3);
        assert_eq!(serde_json::from_str::<Rates>("{}").expect("nothing measured"), Rates::default());
    }

    #[test]
    fn a_generation_begins_only_if_it_can_be_finished() {
        let (clock, measured) = (Deadline::new(2.0), Rates { nodes: Some(5e8), ..Rates::default() });
        assert!(begins_generation(&clock, &measured, 100.0, 30.0));
        assert!(!begins_generation(&clock, &measured, 300.0, 30.0));
        assert!(begins_generation(&clock, &Rates::default(), 300.0, 30.0), "it is not known how long it will take");
        assert!(!begins_generation(&Deadline::new(0.1), &Rates::default(), 1.0, 1.0));
        assert!(clock.has(60.0) && !clock.has(115.0));
    }

    #[test]
    fn a_time_table_adds_up() {
        let mut table = TimeTable::default();
        table.add("playing", 60.0);
        table.add("training", 20.0);
        table.add("playing", 10.0);
        let text = table.of(100.0);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4, "{text}");
        assert!(lines[0].starts_with("playing") && lines[0].ends_with("70.0 s  70.0 %"), "{text}");
        assert!(lines[2].contains("10.0 %") && lines[3].ends_with("100.0 s, 1:40"), "{text}");
    }
}
