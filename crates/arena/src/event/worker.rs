//! What plays the units of an event, one game after the other, on one thread.
//!
//! Outside programs are kept between games, because starting them takes time; after a fault a program is started anew.
//! Minds of ours are built afresh for each game from its seed, so that every game can be played again alone.

use std::collections::HashMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use minds::{Allowance, Choice, Control, Fault, FaultKind, GameEnd, Mind, MindSpec, Reporter};
use rules::{ByColor, Color, Game, Position};
use search::Tablebase;

use super::Functions;
use super::unit::{PairUnit, PlayedGame, Seat};
use crate::referee::{self, Interrupted, Terms};
use crate::{EndReason, GameRecord, Participant};

/// Plays units of events one after the other, and holds what is kept between games.
pub struct PairPlayer {
    tablebase: Option<Arc<dyn Tablebase>>,
    /// How much longer than its flag a program is waited for, if not as long as usual.
    grace: Option<Duration>,
    functions: Functions,
    /// Outside programs that run, by the place of their player.
    programs: HashMap<usize, (MindSpec, Box<dyn Mind>)>,
}

impl PairPlayer {
    /// A player for units whose games this tablebase may end, if they ask for one.
    pub fn new(tablebase: Option<Arc<dyn Tablebase>>) -> PairPlayer {
        PairPlayer { tablebase, grace: None, functions: Functions::new(), programs: HashMap::new() }
    }

    /// A player for units of an event of this process.
    pub(super) fn of_event(terms: &Terms, functions: Functions) -> PairPlayer {
        PairPlayer { grace: terms.grace, functions, ..PairPlayer::new(terms.tablebase.clone()) }
    }

    /// Plays the games of a unit. Setting the flag interrupts that, and nothing comes of it.
    pub fn play(&mut self, unit: &PairUnit, stop: &Arc<AtomicBool>) -> Result<Vec<PlayedGame>, Interrupted> {
        unit.legs.iter().map(|&leg| self.play_game(unit, leg, stop)).collect()
    }

    fn play_game(&mut self, unit: &PairUnit, leg: usize, stop: &Arc<AtomicBool>) -> Result<PlayedGame, Interrupted> {
        let started = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let (seats, seeds) = (unit.seats(leg), unit.seeds(leg));
        let mut minds = ByColor { white: None, black: None };
        for color in Color::ALL {
            match self.mind(seats[color], seeds[color]) {
                Ok(mind) => minds[color] = Some(mind),
                Err(fault) => return Ok(PlayedGame { leg, started, game: not_there(&unit.opening, color, &fault) }),
            }
        }
        let ByColor { white: Some(mut white), black: Some(mut black) } = minds else { return Err(Interrupted) };
        let times = ByColor::new_with(|color| seats[color].player.time);
        let both: ByColor<&mut dyn Mind> = ByColor { white: &mut *white, black: &mut *black };
        let result = referee::play(both, times, &unit.opening, &self.terms(unit), stop);
        let culprit = result.as_ref().ok().and_then(GameRecord::culprit);
        for (color, mind) in [(Color::White, white), (Color::Black, black)] {
            let Seat { place, player } = seats[color];
            let is_sound = result.is_ok() && culprit != Some(color);
            if is_sound && matches!(player.mind, MindSpec::Program(_)) {
                self.programs.insert(*place, (player.mind.clone(), mind));
            }
        }
        result.map(|game| PlayedGame { leg, started, game })
    }

    fn terms(&self, unit: &PairUnit) -> Terms {
        Terms {
            adjudication: unit.adjudication.clone(),
            tablebase: self.tablebase.clone().filter(|_| unit.tablebase),
            time_margin: Duration::from_millis(unit.time_margin),
            grace: self.grace,
        }
    }

    fn mind(&mut self, Seat { place, player }: &Seat, seed: u64) -> Result<Box<dyn Mind>, Fault> {
        match self.programs.remove(place) {
            Some((spec, mind)) if spec == player.mind => Ok(mind),
            _ => build(player, &self.functions, seed),
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
fn not_there(opening: &Game, culprit: Color, fault: &Fault) -> GameRecord {
    GameRecord {
        start: *opening.start(),
        moves: opening.moves().to_vec(),
        book_plies: opening.moves().len(),
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
