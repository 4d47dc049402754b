//! A worker: a thread that plays one game after the other.
//!
//! Outside programs are kept between games, because starting them takes time; after a fault a program is started anew.
//! Minds of ours are built afresh for each game from its seed, so that every game can be played again alone.

use std::collections::HashMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use minds::{Allowance, Choice, Control, Fault, FaultKind, GameEnd, Mind, MindSpec, Reporter};
use rules::{ByColor, Color, Game, Position};

use super::log::GameId;
use super::{EventInputs, Functions};
use crate::referee::{self, Interrupted};
use crate::schedule::Pairing;
use crate::{EndReason, GameRecord, Participant};

/// One game to play.
pub(super) struct Job {
    pub(super) id: GameId,
    pub(super) pairing: Pairing,
    /// Who plays, with their places in the list of players.
    pub(super) players: ByColor<(usize, Participant)>,
    pub(super) opening: Game,
    pub(super) seeds: ByColor<u64>,
}

/// What a worker holds between games.
pub(super) struct Worker<'a> {
    inputs: &'a EventInputs,
    stop: &'a Arc<AtomicBool>,
    /// Outside programs that run, by the place of their player.
    programs: HashMap<usize, (MindSpec, Box<dyn Mind>)>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(inputs: &'a EventInputs, stop: &'a Arc<AtomicBool>) -> Worker<'a> {
        Worker { inputs, stop, programs: HashMap::new() }
    }

    pub(super) fn play(&mut self, job: &Job) -> Result<GameRecord, Interrupted> {
        let mut minds = ByColor { white: None, black: None };
        for color in Color::ALL {
            let (index, player) = &job.players[color];
            match self.mind(*index, player, job.seeds[color]) {
                Ok(mind) => minds[color] = Some(mind),
                Err(fault) => return Ok(not_there(job, color, &fault)),
            }
        }
        let ByColor { white: Some(mut white), black: Some(mut black) } = minds else { return Err(Interrupted) };
        let times = ByColor::new_with(|color| job.players[color].1.time);
        let both: ByColor<&mut dyn Mind> = ByColor { white: &mut *white, black: &mut *black };
        let result = referee::play(both, times, &job.opening, &self.inputs.terms, self.stop);
        let culprit = result.as_ref().ok().and_then(GameRecord::culprit);
        for (color, mind) in [(Color::White, white), (Color::Black, black)] {
            let (index, player) = &job.players[color];
            let is_sound = result.is_ok() && culprit != Some(color);
            if is_sound && matches!(player.mind, MindSpec::Program(_)) {
                self.programs.insert(*index, (player.mind.clone(), mind));
            }
        }
        result
    }

    fn mind(&mut self, index: usize, player: &Participant, seed: u64) -> Result<Box<dyn Mind>, Fault> {
        match self.programs.remove(&index) {
            Some((spec, mind)) if spec == player.mind => Ok(mind),
            _ => build(player, &self.inputs.functions, seed),
        }
    }
}

/// The mind of a player, guarded against its own panics.
pub(super) fn build(player: &Participant, functions: &Functions, seed: u64) -> Result<Box<dyn Mind>, Fault> {
    let own = match &player.mind {
        MindSpec::Function(name) => functions.get(name).map(|make| make()),
        _ => None,
    };
    Ok(Box::new(Guarded(own.map_or_else(|| player.mind.build(seed), Ok)?)))
}

/// The game of a player whose mind cannot even be built.
fn not_there(job: &Job, culprit: Color, fault: &Fault) -> GameRecord {
    GameRecord {
        start: *job.opening.start(),
        moves: job.opening.moves().to_vec(),
        book_plies: job.opening.moves().len(),
        thoughts: Vec::new(),
        ending: GameEnd::Won(!culprit),
        reason: EndReason::DidNotStart,
        fault: Some(fault.to_string()),
    }
}

/// A mind whose panics are faults like any other, so that they never end an event.
struct Guarded(Box<dyn Mind>);

impl Guarded {
    fn guard<T>(&mut self, work: impl FnOnce(&mut dyn Mind) -> Result<T, Fault>) -> Result<T, Fault> {
        panic::catch_unwind(AssertUnwindSafe(|| work(&mut *self.0))).unwrap_or_else(|panic| {
            let said = panic.downcast_ref::<String>().cloned();
            let said = said.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
            let last_words = format!("it broke down: {}", said.unwrap_or_default());
            tracing::error!(player = self.0.name(), %last_words, "an engine panicked");
            Err(Fault::new("the mind", FaultKind::Crashed { last_words }))
        })
    }
}

impl Mind for Guarded {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn new_game(&mut self, start: &Position) -> Result<(), Fault> {
        self.guard(|mind| mind.new_game(start))
    }

    fn choose(
        &mut self,
        game: &Game,
        allowance: &Allowance,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Result<Choice, Fault> {
        self.guard(|mind| mind.choose(game, allowance, control, reporter))
    }

    fn ponder(&mut self, game: &Game, allowance: &Allowance) {
        // What went wrong shows when it is to choose.
        let _ = self.guard(|mind| {
            mind.ponder(game, allowance);
            Ok(())
        });
    }

    fn time_taken(&self) -> Option<Duration> {
        self.0.time_taken()
    }

    fn needs_limits(&self) -> bool {
        self.0.needs_limits()
    }

    fn end_game(&mut self, ending: GameEnd) {
        let _ = self.guard(|mind| {
            mind.end_game(ending);
            Ok(())
        });
    }
}
