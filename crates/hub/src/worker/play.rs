//! What a worker does with a unit: it looks whether it may and can play it here, and plays it as one machine would.

use std::path::PathBuf;
use std::time::Duration;

use arena::TimeControl;
use arena::event::{PairPlayer, PairUnit, Seat};
use arena::selfplay::{SelfPlayUnit, fingerprint};
use minds::{EvaluationSpec, MindSpec};
use search::{AnyEvaluator, PieceSquare, Searcher};

use super::Shared;
use crate::files::{CHUNK, measure, unpack};
use crate::message::UnitMessage;
use crate::names::{EventId, FILE};
use crate::work::{Outcome, Work};

/// A machine that is so many times slower than the one that time controls are meant for is too slow: its games would
/// take too long.
const SLOWEST: f64 = 8.0;

/// No unit of self-play has as many games, and no table as many MiB.
const MOST_GAMES: u64 = 4096;
const MOST_HASH: usize = 1024;

/// How long one part of a file may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Plays units on one core, and holds what is kept between them.
pub(super) struct Player<'a> {
    shared: &'a Shared<'a>,
    pairs: PairPlayer,
    /// The event whose programs run.
    event: Option<EventId>,
    /// What self-play was done with last.
    searcher: Option<(String, usize, Searcher<AnyEvaluator>)>,
}

impl<'a> Player<'a> {
    pub(super) fn new(shared: &'a Shared<'a>) -> Player<'a> {
        Player { shared, pairs: PairPlayer::new(shared.worker.tablebase.clone()), event: None, searcher: None }
    }

    /// Why a unit cannot be played here, if it cannot.
    pub(super) fn vet(&self, unit: &UnitMessage) -> Result<(), String> {
        let worker = self.shared.worker;
        if unit.avoid.contains(&worker.name) {
            return Err("another worker is to check it".to_owned());
        }
        let has_search = match &unit.work {
            Work::Pair(pair) => pair.players.iter().any(|seat| !matches!(seat.player.mind, MindSpec::Program(_))),
            Work::SelfPlay { .. } => true,
        };
        if has_search && unit.signature != worker.reference.signature {
            let (ours, theirs) = (worker.reference.signature, unit.signature);
            return Err(format!("the search here has the signature {ours}, the coordinator's has {theirs}"));
        }
        match &unit.work {
            Work::Pair(pair) => self.vet_pair(pair, unit.speed),
            Work::SelfPlay { unit, .. } if unit.count > MOST_GAMES || unit.settings.hash > MOST_HASH => {
                Err(format!("it wants {} games with {} MiB", unit.count, unit.settings.hash))
            }
            Work::SelfPlay { .. } => Ok(()),
        }
    }

    fn vet_pair(&self, pair: &PairUnit, speed: u64) -> Result<(), String> {
        let worker = self.shared.worker;
        if pair.legs.is_empty() || pair.legs.len() > 2 || pair.legs.iter().any(|&leg| leg > 1) {
            return Err("it has no games".to_owned());
        }
        if pair.tablebase && worker.tablebase.is_none() {
            return Err("it wants tablebases, and there are none here (--tablebase FOLDER)".to_owned());
        }
        if pair.threads() > worker.cores {
            return Err(format!("it wants {} cores, and there are {} here", pair.threads(), worker.cores));
        }
        let times_slower = speed as f64 / worker.reference.speed as f64;
        if pair.is_timed() && times_slower > SLOWEST {
            return Err(format!(
                "this machine is {times_slower:.1} times slower than the one its clocks are meant for"
            ));
        }
        // Files come only if everything else is right.
        let look = &mut |_: &str| Ok(PathBuf::new());
        pair.players.iter().try_for_each(|seat| unpack(&seat.player.mind, &worker.engines, look).map(drop))
    }

    /// Plays a unit, or says why it could not be played.
    pub(super) fn play(&mut self, unit: &UnitMessage) -> Result<Outcome, String> {
        match &unit.work {
            Work::Pair(pair) => self.play_pair(&unit.event, PairUnit::clone(pair), unit.speed),
            Work::SelfPlay { unit: games, net } => self.play_self(&unit.event, games, net.as_deref()),
        }
    }

    fn play_pair(&mut self, event: &EventId, mut pair: PairUnit, speed: u64) -> Result<Outcome, String> {
        let worker = self.shared.worker;
        for Seat { player, .. } in &mut pair.players {
            player.mind = unpack(&player.mind, &worker.engines, &mut |checksum| self.shared.fetch(event, checksum))?;
        }
        if pair.is_timed() {
            scale(&mut pair, speed as f64 / worker.reference.speed as f64);
        }
        if self.event.as_ref() != Some(event) {
            // Programs of another event end.
            self.pairs = PairPlayer::new(worker.tablebase.clone());
            self.event = Some(event.clone());
        }
        let games = self.pairs.play(&pair, self.shared.stop).map_err(|_| "it was interrupted".to_owned())?;
        Ok(Outcome::Pair(games))
    }

    fn play_self(&mut self, event: &EventId, unit: &SelfPlayUnit, net: Option<&str>) -> Result<Outcome, String> {
        let hash = unit.settings.hash;
        let is_ready = self.searcher.as_ref().is_some_and(|(name, size, _)| *name == unit.network && *size == hash);
        if !is_ready {
            let mut searcher = Searcher::new(self.evaluator(event, &unit.network, net)?);
            searcher.set_hash(hash).map_err(|error| error.to_string())?;
            self.searcher = Some((unit.network.clone(), hash, searcher));
        }
        let Some((_, _, searcher)) = &mut self.searcher else { return Err("there is no search".to_owned()) };
        let games = unit.play(searcher, &|| self.shared.is_stopped()).ok_or("it was interrupted")?;
        Ok(Outcome::of_self_play(&games))
    }

    /// The evaluation of a fingerprint: one that every program has, or a network that travelled.
    fn evaluator(&self, event: &EventId, network: &str, net: Option<&str>) -> Result<AnyEvaluator, String> {
        let evaluator = match net {
            Some(checksum) => {
                let path = self.shared.fetch(event, checksum)?.display().to_string();
                EvaluationSpec::File(path).evaluator().map_err(|error| error.to_string())?
            }
            None => {
                let known = [AnyEvaluator::default(), AnyEvaluator::PieceSquare(PieceSquare::new())];
                let found = known.into_iter().find(|evaluator| fingerprint(evaluator) == network);
                found.ok_or_else(|| format!("there is no network {network} here"))?
            }
        };
        match fingerprint(&evaluator) == network {
            true => Ok(evaluator),
            false => Err(format!("the network that came is not {network}")),
        }
    }
}

impl Shared<'_> {
    /// The path of a file that an event needs: from the folder of files that came before, or from the coordinator.
    fn fetch(&self, event: &EventId, checksum: &str) -> Result<PathBuf, String> {
        if let Some(path) = self.files.find(checksum) {
            return Ok(path);
        }
        let first = self.ask(event, checksum, 0)?;
        let (length, chunks) = measure(&first).ok_or("the coordinator has no such file")?;
        let mut bytes = Vec::with_capacity(length);
        bytes.extend_from_slice(&first[8..]);
        for number in 1..chunks {
            let chunk = self.ask(event, checksum, number)?;
            let is_right = chunk.len() > 8 && chunk.len() <= CHUNK + 8 && bytes.len() + chunk.len() - 8 <= length;
            bytes.extend_from_slice(chunk.get(8..).filter(|_| is_right).ok_or("a file did not arrive whole")?);
        }
        self.files.keep(checksum, &bytes)
    }

    fn ask(&self, event: &EventId, checksum: &str, number: usize) -> Result<Vec<u8>, String> {
        let subject = format!("{FILE}.{event}.{checksum}.{number}");
        let answer = self.runtime.block_on(async {
            tokio::time::timeout(PATIENCE, self.connection.client.request(subject, Vec::new().into())).await
        });
        match answer {
            Ok(Ok(message)) => Ok(message.payload.to_vec()),
            Ok(Err(error)) => Err(format!("the coordinator does not hand out a file: {error}")),
            Err(_) => Err("the coordinator does not hand out a file".to_owned()),
        }
    }
}

/// Gives both players more time where the machine is slower, and less where it is faster.
fn scale(pair: &mut PairUnit, times_slower: f64) {
    let scaled = |time: Duration| time.mul_f64(times_slower);
    for Seat { player, .. } in &mut pair.players {
        player.time = match player.time {
            TimeControl::Clock { moves, base, increment } => {
                TimeControl::Clock { moves, base: scaled(base), increment: scaled(increment) }
            }
            TimeControl::Hourglass(time) => TimeControl::Hourglass(scaled(time)),
            TimeControl::MoveTime(time) => TimeControl::MoveTime(scaled(time)),
            untimed => untimed,
        };
        if let MindSpec::Search(search) = &mut player.mind {
            search.time = search.time.map(|time| (time as f64 * times_slower).round().max(1.0) as u64);
        }
    }
    pair.time_margin = (pair.time_margin as f64 * times_slower).round() as u64;
}
