//! The steps of a generation: positions, candidates, a verdict.

use std::sync::Arc;
use std::time::Instant;

use arena::statistics::Performance;
use forge::{Capacity, GpuGames};
use nnue::Network;

use super::clock::{MatchSize, begins_generation};
use super::gate::{GateMatch, player};
use super::playing::{self, End, Rules};
use super::state::is_written;
use super::training::{Learned, NoCandidate, TrainingTerms};
use super::{Run, architectures, sample_file};
use crate::cpu::now;
use crate::folder::write_file;
use crate::networks::{checksum, float_network_of, float_path};
use crate::{
    AttemptPlan, AttemptVerdict, Candidate, Contest, Failure, Generated, GpuEntry, LedgerEntry, MatchOutcome, Seconds,
    Steps, grouped, network,
};

/// The share of positions that are learned from, about: the others are in the opening, in check, tactical or decided.
const KEPT: f64 = 0.65;

/// Games end so much earlier than their candidates would need, if the guesses are right.
const CAUTION: f64 = 1.1;

/// Bytes of samples that are written in a second, at least.
const WRITTEN: f64 = 5e8;

impl Run<'_> {
    fn match_size(&self) -> MatchSize {
        let games = (self.warps * 2 * self.plan.match_pairs) as u64;
        MatchSize { games, nodes: self.plan.match_nodes }
    }

    /// How much there is to compute for a candidate with so many samples.
    fn work(&self, candidate: &Candidate, samples: usize) -> f64 {
        let known = self.candidates.iter().position(|other| other.name == candidate.name);
        let architecture = known.map_or(self.champion.architecture(), |place| &self.architectures[place]);
        candidate.recipe.work(architecture, samples)
    }

    /// How long all candidates take, after so many new positions.
    fn candidates_take(&self, new_positions: u64) -> f64 {
        let new = (new_positions as f64 * KEPT) as usize;
        let each = |candidate: &Candidate| {
            let before = self.store.count(candidate.recipe.keep - usize::from(!self.has_place));
            self.state.rates.candidate(self.work(candidate, before + new), self.match_size())
        };
        self.candidates.iter().map(each).sum()
    }

    /// How long it takes to write the samples of so many positions, if they are written.
    fn writing_takes(&self, positions: u64) -> f64 {
        if self.plan.keep_samples { positions as f64 * KEPT * 32.0 / WRITTEN } else { 0.0 }
    }

    /// Whether there is time for a generation.
    pub(super) fn may_begin(&self) -> bool {
        let missing = self.positions.saturating_sub(self.state.played.positions);
        let playing = self.state.rates.playing(missing, self.play.nodes) + self.writing_takes(missing);
        begins_generation(&self.clock, &self.state.rates, playing, self.candidates_take(missing))
    }

    /// Plays until the generation has its positions, or the time is needed for its candidates.
    pub(super) fn play_generation(&mut self) -> Result<(), Failure> {
        if self.positions > 0 {
            self.play_rounds()?;
        }
        self.state.played.is_complete = true;
        self.state.save(self.folder.path())
    }

    fn play_rounds(&mut self) -> Result<(), Failure> {
        let generation = self.state.generation;
        if !self.has_place {
            self.store.begin_generation(self.keep())?;
            self.has_place = true;
        }
        let room = Capacity { records: self.records, ..Capacity::default() };
        let player = player(self.player.as_ref().unwrap_or(&self.champion), self.play.nodes);
        let gpu_games = self.table.time("preparing", || GpuGames::new(&self.gpu, &[player], self.conditions, room));
        let mut gpu_games = gpu_games?;
        // A few positions more or less are not worth a round.
        while self.state.played.positions + self.positions / 50 < self.positions {
            let number = self.state.played.rounds + 1;
            let seed = self.state.begin_round();
            self.state.save(self.folder.path())?;
            let rules = Rules {
                label: format!("generation {generation}, round {number}"),
                seed,
                goal: self.positions - self.state.played.positions,
                records: self.records,
                stop: self.stop,
                reporter: self.reporter,
            };
            let round = rules.play(&mut gpu_games, |played| {
                let rest = self.candidates_take(played.positions) + self.writing_takes(played.positions);
                !self.clock.has(CAUTION * rest)
            })?;
            self.table.add("playing", round.seconds);
            self.state.rates.nodes =
                Some(round.played.positions as f64 * self.play.nodes as f64 / round.seconds.max(1e-3));
            self.state.seconds.playing += round.seconds;
            let gathered = self.table.time("gathering", || self.store.gather(&mut gpu_games))?;
            let Some(gathered) = gathered else {
                self.tell(&format!("generation {generation}: no room for more samples"));
                break;
            };
            if let Some(path) = self.plan.write_games.as_ref().filter(|_| self.state.rounds_begun == 1) {
                let games =
                    self.table.time("writing", || playing::write_games(&gpu_games, path, self.plan.most_games))?;
                self.tell(&format!("{}: {} games", path.display(), grouped(games as u64)));
            }
            if self.plan.keep_samples {
                let path = sample_file::path(self.folder.path(), generation, number);
                self.table.time("writing", || self.store.write(&path, generation, gathered))?;
            }
            self.tell(&format!(
                "generation {generation}, round {number}: {} samples and {} for validation, {:.1} % of all positions",
                grouped(gathered.samples as u64),
                grouped(gathered.validation as u64),
                100.0 * (gathered.samples + gathered.validation) as f64 / round.played.positions.max(1) as f64
            ));
            let played = &mut self.state.played;
            played.rounds = number;
            played.games += round.played.games;
            played.positions += round.played.positions;
            played.samples += (gathered.samples + gathered.validation) as u64;
            played.seconds += round.seconds;
            self.state.positions += round.played.positions;
            self.state.save(self.folder.path())?;
            self.tend_test()?;
            match round.end {
                End::Round => {}
                End::Stopped => return Err(Failure::Stopped),
                End::TimeIsUp => break,
            }
        }
        Ok(())
    }

    /// Trains and matches all candidates for which there is time. False if there was none for some.
    pub(super) fn try_candidates(&mut self) -> Result<bool, Failure> {
        let (mut is_complete, mut last_failure) = (true, None);
        for candidate in self.candidates.clone() {
            let Candidate { name, recipe } = &candidate;
            let is_done = |entry: &LedgerEntry| entry.gpu.as_ref().is_some_and(|gpu| gpu.candidate == *name);
            if self.state.pending.iter().any(is_done) {
                continue;
            }
            let work = self.work(&candidate, self.store.count(recipe.keep));
            let needed = self.state.rates.candidate(work, self.match_size());
            if self.store.count(recipe.keep) == 0 {
                self.tell(&format!("candidate {name}: there is nothing to learn from yet"));
                is_complete = false;
                continue;
            }
            // No margin here: it was set aside for moments like this, and a training that turns out too slow is
            // stopped.
            if self.clock.left() < needed {
                self.tell(&format!("candidate {name}: no time for it, it would take {needed:.0} s"));
                is_complete = false;
                continue;
            }
            match self.try_candidate(&candidate) {
                Ok(()) => {}
                Err(NoCandidate::NoTime) => {
                    self.tell(&format!("candidate {name}: the time does not suffice"));
                    is_complete = false;
                }
                Err(NoCandidate::Stopped) => return Err(Failure::Stopped),
                Err(NoCandidate::Failed(failure)) => {
                    tracing::error!(candidate = %name, error = %failure, "a candidate failed");
                    self.tell(&format!("candidate {name}: {}", failure.message()));
                    let entry =
                        self.entry(&candidate, AttemptVerdict::Failed, Some(failure.message()), Steps::default());
                    self.ledger.append(entry)?;
                    last_failure = Some(failure);
                }
            }
        }
        match last_failure {
            // Where nothing goes well, the next generation would not go better.
            Some(failure) if self.state.pending.is_empty() => Err(failure),
            _ => Ok(is_complete),
        }
    }

    fn try_candidate(&mut self, candidate: &Candidate) -> Result<(), NoCandidate> {
        let size = self.match_size();
        let terms = TrainingTerms {
            gpu: &self.gpu,
            store: &self.store,
            clock: &self.clock,
            stop: self.stop,
            reporter: self.reporter,
            afterwards: self.state.rates.matching(size) + 4.0,
        };
        let begun = Instant::now();
        let learned = terms.train(candidate, &self.champion, &self.champion_floats);
        let training = begun.elapsed().as_secs_f64();
        self.table.add("training", training);
        self.state.seconds.training += training;
        let Learned { network, floats, trained } = learned?;
        let learning = trained.report["seconds"].as_f64().unwrap_or(training);
        let work = self.work(candidate, self.store.count(candidate.recipe.keep));
        self.state.rates.trained(work, learning);
        let attempt = self.state.next_attempt(&self.ledger);
        let path = self.folder.gpu_network_path(attempt);
        write_file(&float_path(&path), &floats.write())?;
        write_file(&path, &network.write())?;
        let outcome = self.play_match(&network, size)?;
        let is_first = self.state.pending.is_empty() && self.positions > 0;
        let generated = is_first.then_some(Generated {
            games: self.state.played.games,
            positions: self.state.played.positions,
            seconds: self.state.played.seconds,
        });
        let steps = Steps { generated, trained: Some(trained), matched: Some(outcome), tested: None };
        let entry = self.entry(candidate, AttemptVerdict::Rejected, None, steps);
        self.state.pending.push(entry);
        self.state.save(self.folder.path())?;
        Ok(self.tend_test()?)
    }

    fn match_seed(&self) -> u64 {
        self.state.seed.wrapping_add(u64::from(self.state.generation) << 40) ^ 1 << 63
    }

    fn play_match(&mut self, network: &Arc<Network>, size: MatchSize) -> Result<MatchOutcome, NoCandidate> {
        let gate = GateMatch {
            gpu: &self.gpu,
            conditions: self.conditions,
            nodes: self.plan.match_nodes,
            pairs: self.plan.match_pairs,
            seed: self.match_seed(),
            stop: self.stop,
            reporter: self.reporter,
        };
        let begun = Instant::now();
        let outcome = gate.play(network, &self.champion);
        let seconds = begun.elapsed().as_secs_f64();
        self.table.add("matching", seconds);
        self.state.seconds.matching += seconds;
        match outcome {
            Ok(outcome) => {
                self.state.rates.matched(size, seconds);
                Ok(outcome)
            }
            Err(failure) => Err(failure.into()),
        }
    }

    /// What the ledger says of a candidate.
    fn entry(
        &self,
        candidate: &Candidate,
        verdict: AttemptVerdict,
        reason: Option<String>,
        steps: Steps,
    ) -> LedgerEntry {
        let seconds = Seconds {
            playing: self.state.played.seconds,
            training: steps.trained.as_ref().map_or(0.0, |trained| trained.seconds),
            matching: steps.matched.as_ref().map_or(0.0, |outcome| outcome.seconds),
        };
        let gpu = GpuEntry {
            device: self.gpu.name().to_owned(),
            generation: self.state.generation,
            candidate: candidate.name.clone(),
            nodes: self.play.nodes,
            new_positions: self.state.played.positions,
            all_positions: self.state.positions,
            seconds,
            all_minutes: self.state.seconds.minutes(),
        };
        let contest = Contest {
            games: self.match_size().games,
            sprt_games: 0,
            nodes: self.plan.match_nodes,
            time: None,
            elo0: 0.0,
            elo1: 0.0,
            seed: self.match_seed(),
            book: None,
        };
        let plan = AttemptPlan {
            champion: checksum(&self.champion),
            positions: self.positions,
            play: self.play.clone(),
            data: self.plan.samples.iter().map(|path| path.display().to_string()).collect(),
            train: candidate.recipe.to_string(),
            contest,
        };
        let attempt = self.state.next_attempt(&self.ledger);
        LedgerEntry {
            attempt,
            verdict,
            reason,
            plan,
            steps,
            gpu: Some(gpu),
            time: now(),
            command: self.plan.command.clone(),
        }
    }

    /// Notes what came of a test with clocks, takes the new champion if there is one, and begins the next test.
    pub(super) fn tend_test(&mut self) -> Result<(), Failure> {
        if let Some(test) = self.test.take_if(|test| test.is_finished()) {
            match test.join() {
                Ok(entry) => {
                    let is_promoted = entry.verdict == AttemptVerdict::Promoted;
                    self.ledger.append(entry)?;
                    self.ledger.entries.last().map_or(Ok(()), |entry| self.reporter.attempt(entry))?;
                    if is_promoted {
                        self.take_champion()?;
                    }
                }
                Err(failure) => {
                    // Games that cannot be played beside the GPU are no reason to stop the GPU.
                    self.tell(&format!("no more tests with clocks: {}", failure.message()));
                    self.clocks = None;
                }
            }
        }
        if let (None, Some(clocks)) = (&self.test, &self.clocks) {
            self.test = clocks.begin(self.folder, &self.ledger)?;
        }
        Ok(())
    }

    /// Goes on with the champion of the ledger.
    fn take_champion(&mut self) -> Result<(), Failure> {
        let Some(entry) = self.ledger.champion() else { return Ok(()) };
        let path = self.folder.network_path(entry);
        (self.champion, self.champion_floats) = (network(Some(&path))?, float_network_of(&path)?);
        self.architectures = architectures(&self.candidates, &self.champion_floats)?;
        self.folder.keep_champion(&self.ledger)
    }

    /// Writes the candidates into the ledger with what the gate says of them, and goes on to the next generation.
    pub(super) fn conclude(&mut self) -> Result<(), Failure> {
        for entry in judged(self.state.pending.clone()) {
            if is_written(&self.ledger, &entry) {
                continue;
            }
            self.ledger.append(entry)?;
            self.ledger.entries.last().map_or(Ok(()), |entry| self.reporter.attempt(entry))?;
        }
        self.tend_test()?;
        self.state.next_generation();
        self.has_place = self.positions == 0;
        self.state.save(self.folder.path())
    }
}

/// What loses more Elo than this to the champion does not pass. Networks that are as strong with clocks may lose a few
/// at a fixed number of nodes.
const LEAST_ELO: f64 = -10.0;

/// The verdicts of the gate.
fn judged(mut entries: Vec<LedgerEntry>) -> Vec<LedgerEntry> {
    for entry in &mut entries {
        let performance = entry.steps.matched.as_ref().and_then(|outcome| Performance::of(&outcome.pairs));
        let passes = performance.is_some_and(|performance| performance.elo.value >= LEAST_ELO);
        entry.verdict = if passes { AttemptVerdict::Passed } else { AttemptVerdict::Rejected };
    }
    entries
}

#[cfg(test)]
mod tests {
    use arena::statistics::Pentanomial;

    use super::*;

    fn candidate(name: &str, attempt: u32, pairs: [u64; 5]) -> LedgerEntry {
        let outcome = MatchOutcome {
            games: 2 * pairs.iter().sum::<u64>(),
            pairs: Pentanomial(pairs),
            elo: None,
            error: None,
            llr: None,
            is_stronger: None,
            seconds: 1.0,
        };
        let contest =
            Contest { games: 1, sprt_games: 0, nodes: 1, time: None, elo0: 0.0, elo1: 0.0, seed: 1, book: None };
        let gpu = GpuEntry {
            device: "a GPU".to_owned(),
            generation: 1,
            candidate: name.to_owned(),
            nodes: 1,
            new_positions: 1,
            all_positions: 1,
            seconds: Seconds::default(),
            all_minutes: 1.0,
        };
        LedgerEntry {
            attempt,
            verdict: AttemptVerdict::Rejected,
            reason: None,
            plan: AttemptPlan {
                champion: String::new(),
                positions: 1,
                play: arena::selfplay::SelfPlaySettings::default(),
                data: Vec::new(),
                train: String::new(),
                contest,
            },
            steps: Steps { matched: Some(outcome), ..Steps::default() },
            gpu: Some(gpu),
            time: 0,
            command: String::new(),
        }
    }

    #[test]
    fn what_is_not_clearly_weaker_passes_and_nothing_is_promoted() {
        let entries = [
            candidate("weak", 1, [300, 300, 300, 200, 200]),
            candidate("a little weaker", 2, [101, 200, 400, 200, 99]),
            candidate("best", 3, [100, 200, 300, 400, 300]),
            candidate("perfect", 4, [0, 0, 0, 0, 300]),
            candidate("hopeless", 5, [300, 0, 0, 0, 0]),
            candidate("idle", 6, [0; 5]),
        ];
        let judged = judged(entries.to_vec());
        let verdicts: Vec<&str> = judged.iter().map(|entry| entry.verdict.word()).collect();
        assert_eq!(verdicts, ["rejected", "passed", "passed", "passed", "rejected", "rejected"]);
        let text = serde_json::to_string(&judged[2]).expect("a line");
        let read: LedgerEntry = serde_json::from_str(&text).expect("it can be read");
        assert_eq!(
            (read.verdict, read.gpu.map(|gpu| gpu.candidate).as_deref()),
            (AttemptVerdict::Passed, Some("best"))
        );
    }
}
