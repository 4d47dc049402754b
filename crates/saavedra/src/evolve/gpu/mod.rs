//! `saavedra evolve --gpu`: generation after generation on the card, with no file in between.
//!
//! A generation plays positions with the champion, trains candidates on the samples that lie on the card, and lets each of
//! them play the champion. The state is written after every round and every candidate, so that a run that is killed goes on.

mod clock;
mod gate;
mod generation;
mod options;
mod playing;
mod recipe;
mod sample_file;
mod state;
mod store;
mod training;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context, anyhow};
use arena::selfplay::Settings;
use forge::{Card, Conditions, Hall, Kernels, Room};
use nnue::Network;

use super::attempt::Break;
use super::ledger::Ledger;
use super::{keep_champion, network_path};
use crate::failure::Failure;
use crate::interrupt;
use crate::numbers::{grouped, minutes};
use clock::{Clock, TimeTable};
pub(super) use options::Options;
use playing::{records_per_round, tell};
use recipe::Recipe;
pub(super) use state::Seconds;
use state::State;
use store::Store;

/// Nodes of a search, if nothing is said.
const NODES: u64 = 1_000;

/// Positions of a generation, if nothing is said.
const POSITIONS: u64 = 50_000_000;

/// A run, and all it needs.
struct Run<'a> {
    options: &'a Options,
    /// Whether each attempt is told as a line of JSON.
    is_json: bool,
    folder: &'a Path,
    card: Card,
    recipes: Vec<Recipe>,
    /// Positions of a generation; none where only given samples are learned from.
    positions: u64,
    play: Settings,
    conditions: Conditions,
    /// How many warps play, and how many positions each writes down in a round.
    warps: usize,
    records: usize,
    ledger: Ledger,
    state: State,
    store: Store,
    /// Whether the store has a place for the generation already.
    has_place: bool,
    champion: Arc<Network>,
    /// Who plays the games, if not the champion.
    player: Option<Arc<Network>>,
    clock: Clock,
    table: TimeTable,
    stop: Arc<AtomicBool>,
}

/// Runs generations until the time is used.
pub(super) fn run(arguments: &super::Arguments, folder: &Path, ledger: Ledger) -> Result<(), Failure> {
    let begun = Instant::now();
    let options = &arguments.gpu;
    let clock = Clock::new(options.minutes.unwrap_or_default());
    let recipes = options.recipes()?;
    let positions = arguments.positions.unwrap_or(POSITIONS);
    let nodes = arguments.play.nodes.unwrap_or(NODES);
    if positions == 0 && options.samples.is_empty() {
        return Err(Failure::Usage("without --positions there must be --samples to learn from".to_owned()));
    }
    if !(10..=1_000_000).contains(&nodes) {
        return Err(Failure::Usage(format!("--nodes {nodes}: the GPU searches 10 to 1,000,000 positions")));
    }
    let play = Settings { nodes, ..arguments.play.settings() };
    let state = State::open(folder, play.seed)?;
    let champion = first_champion(arguments, folder, &ledger)?;
    let player = options.player.as_deref().map(|path| crate::forge::network(Some(path))).transpose()?;
    let candidates = recipes.iter().map(|recipe| recipe.examine(&champion)).collect::<Result<Vec<_>, _>>()?;
    let given = given_samples(options)?;
    let mut table = TimeTable::default();
    let card = table.time("opening", Card::open).map_err(anyhow::Error::from)?;
    let alone = [player.as_ref().unwrap_or(&champion).architecture()].into_iter().chain(&candidates);
    let matches = candidates.iter().map(|candidate| Kernels::of([champion.architecture(), candidate]));
    let mut proved = Vec::new();
    for kernels in alone.map(|architecture| Kernels::of([architecture])).chain(matches) {
        if !proved.contains(&kernels) {
            table.time("proving", || forge::prove(&card, kernels)).map_err(anyhow::Error::from)?;
            proved.push(kernels);
        }
    }
    tell(&card.description().map_err(anyhow::Error::from)?);
    let conditions = conditions(&play);
    let (store, warps, records) = table.time("preparing", || {
        room_for(&card, player.as_ref().unwrap_or(&champion), &recipes, given, positions, nodes, conditions)
    })?;
    tell(&format!(
        "proved; {warps} games at once, room for {} samples, {} candidates; {} left",
        grouped(store.room() as u64),
        recipes.len(),
        minutes(clock.left())
    ));
    let stop = interrupt::flag();
    let mut run = Run {
        options,
        is_json: arguments.json,
        folder,
        card,
        recipes,
        positions,
        play,
        conditions,
        warps,
        records,
        ledger,
        state,
        store,
        has_place: false,
        champion,
        player,
        clock,
        table,
        stop,
    };
    let ended = run.go();
    run.end(begun)?;
    match ended {
        Ok(()) => Ok(()),
        Err(Break::Stopped) => {
            Err(Failure::Failed(anyhow!("stopped in generation {}; the same command goes on", run.state.generation)))
        }
        Err(Break::Failed(failure)) => Err(failure),
    }
}

fn conditions(play: &Settings) -> Conditions {
    let mut conditions = Conditions::default();
    conditions.random_plies = play.random_plies as u32;
    conditions.random_loss = play.random_loss;
    conditions.most_lead = play.most_lead;
    conditions.win_score = play.win_score;
    conditions.win_plies = play.win_plies as u32;
    conditions.draw_score = play.draw_score;
    conditions.draw_plies = play.draw_plies as u32;
    conditions.draw_from = play.draw_from as u32;
    conditions
}

/// The champion of the ledger, or the network that the run begins with.
fn first_champion(arguments: &super::Arguments, folder: &Path, ledger: &Ledger) -> Result<Arc<Network>, Failure> {
    let judge = match (ledger.champion(), &arguments.first) {
        (Some(entry), _) => return crate::forge::network(Some(&network_path(folder, entry))),
        (None, judge) => judge.clone(),
    };
    match judge {
        Some(judge) => {
            let evaluator = judge.evaluator().map_err(anyhow::Error::from)?;
            let network = evaluator.network().cloned();
            network.ok_or_else(|| Failure::Usage("--first none: games on the GPU need a network".to_owned()))
        }
        None => crate::forge::network(None),
    }
}

/// How many samples there are in the files that were given.
fn given_samples(options: &Options) -> Result<usize, Failure> {
    options.samples.iter().map(|path| Ok(sample_file::head(path)?.samples)).sum()
}

/// Finds out how many games the card plays at once, and makes room for the samples beside them.
fn room_for(
    card: &Card,
    network: &Arc<Network>,
    recipes: &[Recipe],
    given: usize,
    positions: u64,
    nodes: u64,
    conditions: Conditions,
) -> Result<(Store, usize, usize), Failure> {
    let free = card.free_memory().map_err(anyhow::Error::from)?;
    let hall = Hall::new(card, &[gate::player(network, nodes)], conditions, Room::default());
    let hall = hall.map_err(anyhow::Error::from)?;
    let warps = hall.warps();
    let records = records_per_round(positions, nodes, warps);
    let taken = free.saturating_sub(card.free_memory().map_err(anyhow::Error::from)?);
    drop(hall);
    let keep = recipes.iter().map(|recipe| recipe.keep).max().unwrap_or(1);
    let played = usize::try_from(positions).unwrap_or(usize::MAX).saturating_mul(keep).saturating_add(warps * records);
    let wanted = played.saturating_add(given);
    let room = store::room(wanted, free, taken + warps * records * size_of::<forge::Record>())?;
    Ok((Store::new(card, room)?, warps, records))
}

impl Run<'_> {
    /// How many generations are kept for the candidate that wants most.
    fn keep(&self) -> usize {
        self.recipes.iter().map(|recipe| recipe.keep).max().unwrap_or(1)
    }

    fn go(&mut self) -> Result<(), Break> {
        self.resume()?;
        // From the same samples a second generation would learn what the first did.
        let most = self.options.generations.or((self.positions == 0).then_some(1));
        let last = most.map(|most| self.state.generation.saturating_add(most - 1));
        while last.is_none_or(|last| self.state.generation <= last) {
            if !self.state.played.is_complete {
                if self.positions > 0 && !self.may_begin() {
                    tell(&format!("no time is left for generation {}", self.state.generation));
                    return Ok(());
                }
                self.play_generation()?;
            }
            let is_complete = self.try_candidates()?;
            if !is_complete && self.state.pending.is_empty() {
                tell(&format!("no time is left for any candidate of generation {}", self.state.generation));
                return Ok(());
            }
            self.conclude()?;
        }
        Ok(())
    }

    /// Takes up what an earlier run has left.
    fn resume(&mut self) -> Result<(), Break> {
        let keep = self.keep();
        if !self.options.samples.is_empty() {
            self.store.begin_generation(keep)?;
        }
        for path in &self.options.samples {
            let gathered = self.store.load(path)?;
            tell(&format!("{}: {} samples", path.display(), grouped(gathered.samples as u64)));
        }
        let (generation, rounds) = (self.state.generation, self.state.played.rounds);
        let has_all =
            (1..=rounds).all(|round| fs::exists(sample_file::path(self.folder, generation, round)).unwrap_or(false));
        let known = if has_all { rounds } else { 0 };
        let begun = Instant::now();
        let count = self.store.resume(self.folder, generation, known, keep)?;
        self.table.add("reading", begun.elapsed().as_secs_f64());
        self.has_place = known > 0 || self.positions == 0;
        if generation > 1 || rounds > 0 {
            tell(&format!("goes on in generation {generation}, with {} samples of before", grouped(count as u64)));
        }
        if known < rounds || rounds == 0 && self.state.played.is_complete && self.positions > 0 {
            // The samples are gone with the program that had them. Candidates that have played are judged all the same.
            self.state.forget_played();
            if !self.state.pending.is_empty() {
                self.conclude()?;
            }
            self.state.save(self.folder)?;
        }
        Ok(())
    }

    /// Leaves everything as the next run, or anybody else, wants to find it.
    fn end(&mut self, begun: Instant) -> Result<(), Failure> {
        self.state.save(self.folder)?;
        if self.ledger.champion().is_some() {
            keep_champion(self.folder, &self.ledger)?;
        } else {
            let path = self.folder.join("champion.nnue");
            let written = train::write_whole(&path, &self.champion.write());
            written.with_context(|| format!("cannot write {}", path.display()))?;
        }
        let champion = self.ledger.champion().map_or("the first network".to_owned(), |entry| {
            format!("attempt {}, {}", entry.attempt, self.champion.architecture())
        });
        tell(&format!(
            "champion: {champion}; {} positions and {:.1} minutes of the GPU in all",
            grouped(self.state.positions),
            self.state.seconds.minutes()
        ));
        if self.options.time_table {
            print!("{}", self.table.of(begun.elapsed().as_secs_f64()));
        }
        Ok(())
    }
}
