//! What is known of an event: its plan, its results, and the journal with all its games.

use std::collections::BTreeMap;
use std::path::Path;

use rules::{ByColor, Color};
use serde::{Deserialize, Serialize};

use super::plan::EventPlan;
use super::trial::SprtTest;
use super::unit::PlayedGame;
use crate::journal::{EntryLocation, Journal, JournalError};
use crate::schedule::{Format, PairScore, Pairing, Results};
use crate::{EndReason, GameRecord};

/// The number of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameId {
    /// The pair, from 0.
    pub pair: u64,
    /// The first game of the pair or the second: 0 or 1.
    pub leg: usize,
}

impl GameId {
    /// The game that comes after this one.
    #[must_use]
    pub fn next(self) -> GameId {
        GameId { pair: self.pair + self.leg as u64, leg: 1 - self.leg }
    }
}

/// A finished game, as it stands in the journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameEntry {
    /// The pair, from 0.
    pub pair: u64,
    /// The first game of the pair or the second: 0 or 1.
    pub leg: usize,
    /// The round of the event, from 1.
    pub round: u32,
    /// Who had White, by their place in the list of players.
    pub white: usize,
    /// Who had Black.
    pub black: usize,
    /// When the game began, in seconds since 1970.
    pub started: u64,
    /// The game itself.
    pub game: GameRecord,
}

impl GameEntry {
    pub(super) fn new(pair: u64, pairing: Pairing, played: PlayedGame) -> GameEntry {
        let PlayedGame { leg, started, game } = played;
        let ByColor { white, black } = seats(pairing, leg);
        GameEntry { pair, leg, round: pairing.round, white, black, started, game }
    }

    /// The number of the game.
    pub fn id(&self) -> GameId {
        GameId { pair: self.pair, leg: self.leg }
    }

    /// Who had which color.
    pub fn players(&self) -> ByColor<usize> {
        ByColor { white: self.white, black: self.black }
    }

    fn summary(&self) -> Summary {
        let (first, second) = if self.leg == 0 { (self.white, self.black) } else { (self.black, self.white) };
        let white_points = match self.game.winner() {
            Some(Color::White) => 2,
            Some(Color::Black) => 0,
            None => 1,
        };
        Summary {
            pairing: Pairing { round: self.round, first, second },
            half_points: if self.leg == 0 { white_points } else { 2 - white_points },
            fault: self.game.culprit().map(|culprit| {
                let text = self.game.fault.clone().unwrap_or_default();
                ((self.players()[culprit], self.game.reason), text)
            }),
        }
    }
}

/// Another kind of line: from here on the event has a longer schedule.
#[derive(Serialize, Deserialize)]
pub(super) struct Lengthened {
    pub(super) schedule: Format,
}

/// Who has which color in a game of a pair.
pub(super) fn seats(Pairing { first, second, .. }: Pairing, leg: usize) -> ByColor<usize> {
    if leg == 0 { ByColor { white: first, black: second } } else { ByColor { white: second, black: first } }
}

/// What is kept of a game in memory.
pub(super) struct Summary {
    pub(super) pairing: Pairing,
    /// Of the pair's first player.
    pub(super) half_points: u32,
    fault: Option<((usize, EndReason), String)>,
}

/// How often a player did something wrong, and what was said of it the last time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Faults {
    /// How often.
    pub count: u64,
    /// The game in which it happened last.
    pub last: GameId,
    /// What was said of it.
    pub text: String,
}

/// What is known of an event.
#[derive(Debug)]
pub struct EventLog {
    plan: EventPlan,
    journal: Journal,
    places: Vec<[Option<EntryLocation>; 2]>,
    results: Results,
    faults: BTreeMap<(usize, EndReason), Faults>,
    trial: Option<SprtTest>,
}

/// An event that was interrupted, or is over, as its journal has it.
pub struct SavedEvent {
    pub(super) journal: Journal,
    /// What the event is.
    pub plan: EventPlan,
    /// How many bytes of a torn last line were cut off.
    pub cut: u64,
    /// The games by their numbers.
    pub(super) games: BTreeMap<GameId, (Summary, EntryLocation)>,
}

impl SavedEvent {
    /// Reads the journal of an event.
    pub fn open(path: &Path) -> Result<SavedEvent, JournalError> {
        let (mut games, mut schedule) = (BTreeMap::new(), None);
        let opened = Journal::open(path, |plan: &EventPlan, line, place| {
            let entry: GameEntry = match serde_json::from_slice(line) {
                Ok(entry) => entry,
                Err(error) => {
                    let lengthened: Lengthened = serde_json::from_slice(line).map_err(|_| error.to_string())?;
                    schedule = Some(lengthened.schedule);
                    return Ok(());
                }
            };
            let players = plan.players.len();
            if entry.leg > 1 || entry.white >= players || entry.black >= players {
                return Err(format!("there is no such game in an event of {players} players"));
            }
            // A result may arrive twice; the first one counts.
            games.entry(entry.id()).or_insert_with(|| (entry.summary(), place));
            Ok(())
        })?;
        let mut plan: EventPlan = opened.event;
        plan.schedule = schedule.unwrap_or(plan.schedule);
        Ok(SavedEvent { journal: opened.journal, plan, cut: opened.cut, games })
    }

    /// Reads the journal of an event, if one was begun. A file that is no journal may come from a program that was
    /// killed in its first moment; if it does not, beginning a journal there says so.
    pub fn open_if_begun(path: &Path) -> Result<Option<SavedEvent>, JournalError> {
        match Some(path).filter(|path| path.exists()).map(SavedEvent::open) {
            Some(Ok(kept)) => Ok(Some(kept)),
            None | Some(Err(JournalError::NotAJournal(_))) => Ok(None),
            Some(Err(error)) => Err(error),
        }
    }

    /// How many games were played.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// What is known of the event, without going on with it.
    pub fn log(self) -> EventLog {
        let mut log = EventLog::new(self.plan, self.journal);
        for (id, (summary, place)) in self.games {
            log.remember(id, summary, place);
        }
        log
    }
}

impl EventLog {
    pub(super) fn new(plan: EventPlan, journal: Journal) -> EventLog {
        let trial = plan.sprt.map(SprtTest::new);
        let (places, results, faults) = (Vec::new(), Results::default(), BTreeMap::new());
        EventLog { plan, journal, places, results, faults, trial }
    }

    /// What the event is.
    pub fn plan(&self) -> &EventPlan {
        &self.plan
    }

    /// The results so far.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// What players did wrong, by player and kind.
    pub fn faults(&self) -> &BTreeMap<(usize, EndReason), Faults> {
        &self.faults
    }

    /// The sequential test of the event, if it has one.
    pub fn trial(&self) -> Option<&SprtTest> {
        self.trial.as_ref()
    }

    /// How many pairs count, from the first on: all, or those up to the decision. Whatever was finished beyond it,
    /// because a worker was faster, is kept but never counted.
    pub fn counted(&self) -> u64 {
        self.trial.as_ref().filter(|trial| trial.is_decided()).map_or(u64::MAX, SprtTest::counted)
    }

    /// The complete pairs that count, in order.
    pub fn scores(&self) -> impl Iterator<Item = PairScore> + Clone + '_ {
        let counted = self.counted();
        self.results.complete().take_while(move |&(number, _)| number < counted).map(|(_, score)| score)
    }

    pub(super) fn is_decided(&self) -> bool {
        self.trial.as_ref().is_some_and(SprtTest::is_decided)
    }

    /// A game, if it has been played.
    pub fn entry(&mut self, id: GameId) -> Result<Option<GameEntry>, JournalError> {
        let place = self.places.get(id.pair as usize).and_then(|legs| legs[id.leg]);
        place.map(|place| self.journal.read(place)).transpose()
    }

    /// All games that have been played, in the order of their numbers.
    pub fn ids(&self) -> impl Iterator<Item = GameId> + '_ {
        let pairs = self.places.iter().zip(0..);
        pairs.flat_map(|(legs, pair)| (0..2).filter(|&leg| legs[leg].is_some()).map(move |leg| GameId { pair, leg }))
    }

    pub(super) fn journal(&mut self) -> &mut Journal {
        &mut self.journal
    }

    /// Writes a game down. One that is known already changes nothing.
    pub(super) fn record(&mut self, entry: &GameEntry) -> Result<(), JournalError> {
        let id = entry.id();
        if !self.results.has(id.pair, id.leg) {
            let place = self.journal.append(entry)?;
            let summary = entry.summary();
            match &summary.fault {
                Some(((player, reason), fault)) => {
                    let player = &self.plan.players[*player].name;
                    tracing::warn!(pair = id.pair, leg = id.leg, %player, %reason, %fault, "a player forfeited a game");
                }
                None => {
                    tracing::debug!(pair = id.pair, leg = id.leg, half_points = summary.half_points, "a game is over")
                }
            }
            self.remember(id, summary, place);
        }
        Ok(())
    }

    /// Takes a game down that stands in the journal.
    pub(super) fn remember(&mut self, id: GameId, summary: Summary, place: EntryLocation) {
        let index = id.pair as usize;
        if self.places.len() <= index {
            self.places.resize(index + 1, [None; 2]);
        }
        self.places[index][id.leg] = Some(place);
        self.results.add(id.pair, summary.pairing, id.leg, summary.half_points);
        if let Some(trial) = &mut self.trial {
            trial.update(&self.results);
        }
        if let Some((key, text)) = summary.fault {
            let faults = self.faults.entry(key).or_insert(Faults { count: 0, last: id, text: String::new() });
            faults.count += 1;
            // The last by number, so that it does not depend on who was faster.
            if id >= faults.last {
                *faults = Faults { count: faults.count, last: id, text };
            }
        }
    }
}
