//! The kinds of work that travel: which units there are, and how they and what came of them are written.

use arena::EndReason;
use arena::event::{PairUnit, PlayedGame};
use arena::queue::Unit;
use arena::selfplay::SelfPlayUnit;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use records::packed::PackedGame;
use serde::{Deserialize, Serialize};

use crate::files::Luggage;
use crate::message::Tally;

/// What is to be done.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// Games of a pair.
    Pair(Box<PairUnit>),
    /// Games of self-play.
    SelfPlay {
        /// Which.
        unit: SelfPlayUnit,
        /// The SHA-256 of the network's file, if it is not one that every program has.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        net: Option<String>,
    },
}

/// What came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Games of a pair.
    Pair(Vec<PlayedGame>),
    /// Games of self-play, packed one behind the other, in Base64.
    SelfPlay(String),
}

/// A unit that can travel.
pub trait Freight: Unit {
    /// How many games a unit has.
    const GAMES: u64;

    /// The unit as workers read it: nothing in it is a path of this machine.
    fn pack(&self, luggage: &Luggage) -> Work;

    /// What came of it, if that is of the right kind and whole.
    fn unpack(outcome: Outcome) -> Result<Self::Outcome, String>;

    /// Adds an outcome to what a worker has done.
    fn count(outcome: &Self::Outcome, tally: &mut Tally);
}

impl Freight for PairUnit {
    const GAMES: u64 = 2;

    fn pack(&self, luggage: &Luggage) -> Work {
        let mut unit = self.clone();
        for seat in &mut unit.players {
            seat.player.mind = luggage.pack(&seat.player.mind);
        }
        Work::Pair(Box::new(unit))
    }

    fn unpack(outcome: Outcome) -> Result<Vec<PlayedGame>, String> {
        match outcome {
            Outcome::Pair(games) => Ok(games),
            Outcome::SelfPlay(_) => Err("it has games of self-play, not of a pair".to_owned()),
        }
    }

    fn count(games: &Vec<PlayedGame>, tally: &mut Tally) {
        for PlayedGame { game, .. } in games {
            tally.games += 1;
            tally.time_losses += u64::from(game.reason == EndReason::OutOfTime);
            tally.faults += u64::from(game.reason.is_fault() && game.reason != EndReason::OutOfTime);
        }
    }
}

impl Freight for SelfPlayUnit {
    const GAMES: u64 = 256;

    fn pack(&self, luggage: &Luggage) -> Work {
        Work::SelfPlay { unit: self.clone(), net: luggage.net().map(str::to_owned) }
    }

    fn unpack(outcome: Outcome) -> Result<Vec<PackedGame>, String> {
        let Outcome::SelfPlay(text) = outcome else { return Err("it has no games of self-play".to_owned()) };
        let bytes = BASE64_STANDARD.decode(text).map_err(|error| error.to_string())?;
        let (mut rest, mut games) = (&bytes[..], Vec::new());
        while !rest.is_empty() {
            let game = PackedGame::unpack(rest).map_err(|error| error.to_string())?;
            rest = &rest[game.packed_size()..];
            games.push(game);
        }
        Ok(games)
    }

    fn count(games: &Vec<PackedGame>, tally: &mut Tally) {
        tally.games += games.len() as u64;
    }
}

impl Outcome {
    /// What came of a unit of self-play.
    pub(crate) fn of_self_play(games: &[PackedGame]) -> Outcome {
        let mut bytes = Vec::new();
        games.iter().for_each(|game| game.pack(&mut bytes));
        Outcome::SelfPlay(BASE64_STANDARD.encode(bytes))
    }
}
