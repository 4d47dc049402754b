//! Generation after generation on a GPU, with no file in between.
//!
//! A generation plays positions with the champion, trains candidates on the samples that lie on the GPU, and lets each
//! of them play the champion. The state is written after every round and every candidate, so that a run that is killed
//! goes on.

mod clock;
mod gate;
mod generation;
mod playing;
mod sample_file;
mod state;
mod store;
mod training;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context, anyhow};
use arena::selfplay::SelfPlaySettings;
use forge::{Capacity, Conditions, Gpu, GpuGames, Kernels};
use minds::EvaluationSpec;
use nnue::{Architecture, Network};
use train::FloatNetwork;

use crate::clocks::RunningTest;
use crate::networks::float_network_of;
use crate::{Candidate, ClockTest, Failure, Folder, Ledger, RunReporter, grouped, hms, network};
use clock::{Deadline, TimeTable};
pub use gate::outcome_pairs;
use playing::records_per_round;
use state::RunState;
pub use state::Seconds;
use store::Store;

/// A run of generations on a GPU.
pub struct OnGpu {
    /// How long it may take, in minutes. Nothing is begun that cannot be finished in time.
    pub minutes: f64,
    /// The most generations; as many as there is time for if none are given.
    pub generations: Option<u32>,
    /// Positions that a generation plays; with none only given samples are learned from.
    pub positions: u64,
    /// How games are played.
    pub play: SelfPlaySettings,
    /// The network to begin with; what is compiled in if none is given.
    pub first: Option<EvaluationSpec>,
    /// The network that plays the games, if not the champion: a narrower one plays more of them.
    pub player: Option<PathBuf>,
    /// What each generation trains.
    pub candidates: Vec<Candidate>,
    /// Nodes of a search in a match. With few, networks are ordered otherwise than with clocks.
    pub match_nodes: u64,
    /// Pairs of games that each warp plays in a match.
    pub match_pairs: usize,
    /// How networks that pass the gate are tested with clocks while the GPU works; none if that is left for later.
    pub clocks: Option<ClockTest>,
    /// Whether the samples of each round are written into the folder.
    pub keep_samples: bool,
    /// Files of samples of other runs to learn from, too.
    pub samples: Vec<PathBuf>,
    /// A file of packed games to write games of the first round to.
    pub write_games: Option<PathBuf>,
    /// The most games to write.
    pub most_games: usize,
    /// Whether to tell at the end where the time went.
    pub time_table: bool,
    /// The command that is running, for the ledger.
    pub command: String,
}

/// A run, and all it needs.
struct Run<'a> {
    plan: &'a OnGpu,
    folder: &'a Folder,
    reporter: &'a dyn RunReporter,
    stop: &'a AtomicBool,
    gpu: Gpu,
    candidates: Vec<Candidate>,
    /// What each of them trains.
    architectures: Vec<Architecture>,
    /// Positions of a generation; none where only given samples are learned from.
    positions: u64,
    play: SelfPlaySettings,
    conditions: Conditions,
    /// How many warps play, and how many positions each writes down in a round.
    warps: usize,
    records: usize,
    ledger: Ledger,
    state: RunState,
    store: Store,
    /// Whether the store has a place for the generation already.
    has_place: bool,
    champion: Arc<Network>,
    /// The champion as it was learned, as far as that is known.
    champion_floats: FloatNetwork,
    /// What plays the games, if not the champion.
    player: Option<Arc<Network>>,
    clock: Deadline,
    table: TimeTable,
    /// How networks are tested with clocks, and the test that is being played.
    clocks: Option<ClockTest>,
    test: Option<RunningTest>,
}

impl OnGpu {
    /// Runs generations until the time is used.
    pub fn run(
        &self,
        folder: &Folder,
        ledger: Ledger,
        stop: &AtomicBool,
        reporter: &dyn RunReporter,
    ) -> Result<(), Failure> {
        let begun = Instant::now();
        let clock = Deadline::new(self.minutes);
        self.check()?;
        let state = RunState::open(folder.path(), self.play.seed)?;
        let champion = self.first_champion(folder, &ledger)?;
        let player = self.player.as_deref().map(|path| network(Some(path))).transpose()?;
        let champion_floats = match ledger.champion() {
            Some(entry) => float_network_of(&folder.network_path(entry))?,
            None => FloatNetwork::of(&champion),
        };
        let architectures = architectures(&self.candidates, &champion_floats)?;
        let given = self.given_samples()?;
        let mut table = TimeTable::default();
        let gpu = table.time("opening", Gpu::open)?;
        let alone = [player.as_ref().unwrap_or(&champion).architecture()].into_iter().chain(&architectures);
        let matches = architectures.iter().map(|candidate| Kernels::of([champion.architecture(), candidate]));
        let mut proved = Vec::new();
        for kernels in alone.map(|architecture| Kernels::of([architecture])).chain(matches) {
            if !proved.contains(&kernels) {
                table.time("proving", || forge::prove(&gpu, kernels))?;
                proved.push(kernels);
            }
        }
        reporter.line(&gpu.description()?);
        let (store, warps, records) =
            table.time("preparing", || self.room_for(&gpu, player.as_ref().unwrap_or(&champion), given))?;
        reporter.line(&format!(
            "proved; {warps} games at once, room for {} samples, {} candidates; {} left",
            grouped(store.room() as u64),
            self.candidates.len(),
            hms(clock.left())
        ));
        let mut run = Run {
            plan: self,
            folder,
            reporter,
            stop,
            gpu,
            candidates: self.candidates.clone(),
            architectures,
            positions: self.positions,
            play: self.play.clone(),
            conditions: self.conditions(),
            warps,
            records,
            ledger,
            state,
            store,
            has_place: false,
            champion,
            champion_floats,
            player,
            clock,
            table,
            clocks: self.clocks.clone(),
            test: None,
        };
        let ended = run.go();
        if let Some(test) = run.test.take() {
            test.stop();
        }
        run.end(begun)?;
        let generation = run.state.generation;
        match ended {
            Err(Failure::Stopped) => {
                Err(anyhow!("interrupted in generation {generation}; run the same command to resume").into())
            }
            ended => ended,
        }
    }

    fn check(&self) -> Result<(), Failure> {
        if self.positions == 0 && self.samples.is_empty() {
            return Err(Failure::Usage("without --positions there must be --samples to learn from".to_owned()));
        }
        if self.candidates.iter().any(|candidate| candidate.recipe.validation > 0.01) {
            return Err(Failure::Usage("validation: on a GPU there is room for a hundredth of all games".to_owned()));
        }
        for (option, nodes) in [("nodes", self.play.nodes), ("match-nodes", self.match_nodes)] {
            if !(10..=1_000_000).contains(&nodes) {
                return Err(Failure::Usage(format!("--{option} {nodes}: the GPU searches 10 to 1,000,000 positions")));
            }
        }
        Ok(())
    }

    fn conditions(&self) -> Conditions {
        let mut conditions = Conditions::default();
        conditions.random_plies = self.play.random_plies as u32;
        conditions.random_loss = self.play.random_loss;
        conditions.most_lead = self.play.most_lead;
        conditions.win_score = self.play.win_score;
        conditions.win_plies = self.play.win_plies as u32;
        conditions.draw_score = self.play.draw_score;
        conditions.draw_plies = self.play.draw_plies as u32;
        conditions.draw_from = self.play.draw_from as u32;
        conditions
    }

    /// The champion of the ledger, or the network that the run begins with.
    fn first_champion(&self, folder: &Folder, ledger: &Ledger) -> Result<Arc<Network>, Failure> {
        match (ledger.champion(), &self.first) {
            (Some(entry), _) => network(Some(&folder.network_path(entry))),
            (None, Some(judge)) => {
                let network = judge.evaluator()?.network().cloned();
                network.ok_or_else(|| Failure::Usage("--first none: games on the GPU need a network".to_owned()))
            }
            (None, None) => network(None),
        }
    }

    /// How many samples there are in the files that were given.
    fn given_samples(&self) -> Result<usize, Failure> {
        self.samples.iter().map(|path| Ok(sample_file::head(path)?.samples)).sum()
    }

    /// Finds out how many games the GPU plays at once, and makes room for the samples beside them.
    fn room_for(&self, gpu: &Gpu, player: &Arc<Network>, given: usize) -> Result<(Store, usize, usize), Failure> {
        let free = gpu.free_memory()?;
        let gpu_games =
            GpuGames::new(gpu, &[gate::player(player, self.play.nodes)], self.conditions(), Capacity::default())?;
        let warps = gpu_games.warps();
        let records = records_per_round(self.positions, self.play.nodes, warps);
        let taken = free.saturating_sub(gpu.free_memory()?);
        drop(gpu_games);
        let keep = self.candidates.iter().map(|candidate| candidate.recipe.keep).max().unwrap_or(1);
        let positions = usize::try_from(self.positions).unwrap_or(usize::MAX);
        let played = positions.saturating_mul(keep).saturating_add(warps * records);
        let wanted = played.saturating_add(given);
        let room = store::room(wanted, free, taken + warps * records * size_of::<forge::Record>())?;
        // All candidates have the same filter.
        let recipe = &self.candidates.first().context("there is no candidate")?.recipe;
        Ok((Store::new(gpu, recipe, room)?, warps, records))
    }
}

/// What candidates train; what cannot be trained is an error.
fn architectures(candidates: &[Candidate], champion: &FloatNetwork) -> Result<Vec<Architecture>, Failure> {
    candidates.iter().map(|candidate| candidate.architecture(champion)).collect()
}

impl Run<'_> {
    fn tell(&self, line: &str) {
        self.reporter.line(line);
    }

    /// How many generations are kept for the candidate that wants most.
    fn keep(&self) -> usize {
        self.candidates.iter().map(|candidate| candidate.recipe.keep).max().unwrap_or(1)
    }

    fn go(&mut self) -> Result<(), Failure> {
        self.resume()?;
        self.tend_test()?;
        // From the same samples a second generation would learn what the first did.
        let most = self.plan.generations.or((self.positions == 0).then_some(1));
        let last = most.map(|most| self.state.generation.saturating_add(most - 1));
        while last.is_none_or(|last| self.state.generation <= last) {
            if !self.state.played.is_complete {
                if self.positions > 0 && !self.may_begin() {
                    self.tell(&format!("no time is left for generation {}", self.state.generation));
                    return Ok(());
                }
                self.play_generation()?;
            }
            let is_complete = self.try_candidates()?;
            if !is_complete && self.state.pending.is_empty() {
                self.tell(&format!("no time is left for any candidate of generation {}", self.state.generation));
                return Ok(());
            }
            self.conclude()?;
        }
        Ok(())
    }

    /// Takes up what an earlier run has left.
    fn resume(&mut self) -> Result<(), Failure> {
        let keep = self.keep();
        if !self.plan.samples.is_empty() {
            self.store.begin_generation(keep)?;
        }
        for path in &self.plan.samples {
            let gathered = self.store.load(path)?;
            self.tell(&format!("{}: {} samples", path.display(), grouped(gathered.samples as u64)));
        }
        let (generation, rounds) = (self.state.generation, self.state.played.rounds);
        let has_all = (1..=rounds)
            .all(|round| fs::exists(sample_file::path(self.folder.path(), generation, round)).unwrap_or(false));
        let known = if has_all { rounds } else { 0 };
        let begun = Instant::now();
        let count = self.store.resume(self.folder.path(), generation, known, keep)?;
        self.table.add("reading", begun.elapsed().as_secs_f64());
        self.has_place = known > 0 || self.positions == 0;
        if generation > 1 || rounds > 0 {
            self.tell(&format!("resumes in generation {generation} with {} earlier samples", grouped(count as u64)));
        }
        if known < rounds || rounds == 0 && self.state.played.is_complete && self.positions > 0 {
            // The samples are gone with the program that had them. Candidates that have played are judged all the same.
            tracing::warn!(generation, rounds, "the samples of rounds are gone, and their positions are played again");
            self.state.forget_played();
            if !self.state.pending.is_empty() {
                self.conclude()?;
            }
            self.state.save(self.folder.path())?;
        }
        Ok(())
    }

    /// Leaves everything as the next run wants to find it.
    fn end(&mut self, begun: Instant) -> Result<(), Failure> {
        self.state.save(self.folder.path())?;
        if self.ledger.champion().is_some() {
            self.folder.keep_champion(&self.ledger)?;
        } else {
            self.folder.write_champion(&self.champion.write())?;
        }
        let champion = self.ledger.champion().map_or("the first network".to_owned(), |entry| {
            format!("attempt {}, {}", entry.attempt, self.champion.architecture())
        });
        self.tell(&format!(
            "champion: {champion}; {} positions and {:.1} minutes of the GPU in all",
            grouped(self.state.positions),
            self.state.seconds.minutes()
        ));
        for entry in self.ledger.waiting() {
            self.tell(&format!(
                "attempt {} waits for a test with clocks: evolve --test goes on with it",
                entry.attempt
            ));
        }
        if self.plan.time_table {
            self.reporter.time_table(&self.table.of(begun.elapsed().as_secs_f64()))?;
        }
        Ok(())
    }
}
