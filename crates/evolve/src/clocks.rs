//! The test with clocks, which decides over networks that passed the gate of a GPU.
//!
//! At a fixed number of nodes a slow network costs nothing, and many nodes are more than a gate has time for. So the
//! gate only drops what is clearly weaker; a sequential test on the CPU, as engines play, promotes.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use anyhow::anyhow;
use arena::Participant;
use minds::EvaluationSpec;

use crate::contest::{self, MatchContext};
use crate::cpu::now;
use crate::networks::checksum;
use crate::{AttemptVerdict, Contest, Failure, Folder, Ledger, LedgerEntry, MatchOutcome, RunReporter, network};

/// How networks are tested with clocks.
#[derive(Clone)]
pub struct ClockTest {
    /// How games are timed, the hypotheses, the book. Every network has a seed of its own, beginning with this.
    pub contest: Contest,
    /// How many games are played at once.
    pub threads: usize,
    /// The network that a run begins with, before one was promoted; what is compiled in if none is given.
    pub first: Option<EvaluationSpec>,
    /// The command that is running, for the ledger.
    pub command: String,
}

/// A test that is about to be played.
struct PendingTest {
    entry: LedgerEntry,
    contest: Contest,
    players: [Participant; 2],
    journal: PathBuf,
    command: String,
}

/// A test that is being played while the GPU works.
pub(crate) struct RunningTest {
    halt: Arc<AtomicBool>,
    thread: JoinHandle<Result<LedgerEntry, Failure>>,
}

impl Ledger {
    /// The networks that passed the gate and were not tested yet, the strongest first.
    pub fn waiting(&self) -> Vec<&LedgerEntry> {
        let is_last = |&(place, entry): &(usize, &LedgerEntry)| {
            self.entries[place + 1..].iter().all(|later| later.attempt != entry.attempt)
        };
        let elo =
            |entry: &LedgerEntry| entry.steps.matched.as_ref().and_then(|outcome| outcome.elo).unwrap_or(f64::INFINITY);
        let passed = self.entries.iter().enumerate().filter(|(_, entry)| entry.verdict == AttemptVerdict::Passed);
        let mut waiting: Vec<&LedgerEntry> = passed.filter(is_last).map(|(_, entry)| entry).collect();
        waiting.sort_by(|one, other| elo(other).total_cmp(&elo(one)));
        waiting
    }
}

impl ClockTest {
    /// Tests all networks that wait for it, one after the other.
    pub fn run(
        &self,
        folder: &Folder,
        ledger: &mut Ledger,
        stop: &AtomicBool,
        reporter: &dyn RunReporter,
    ) -> Result<(), Failure> {
        while let Some(entry) = ledger.waiting().first().copied().cloned() {
            reporter.line(&format!("attempt {} against the champion, with clocks", entry.attempt));
            let context = MatchContext { threads: self.threads, stop, show: reporter.pairs() };
            let tested = match self.pending_test(folder, ledger, entry)?.play(context) {
                Err(Failure::Stopped) => return Err(anyhow!("stopped in a test; the same command goes on").into()),
                tested => tested?,
            };
            ledger.append(tested)?;
            ledger.entries.last().map_or(Ok(()), |entry| reporter.attempt(entry))?;
        }
        folder.keep_champion(ledger)
    }

    /// Begins the next test, if a network waits for one.
    pub(crate) fn begin(&self, folder: &Folder, ledger: &Ledger) -> Result<Option<RunningTest>, Failure> {
        let Some(entry) = ledger.waiting().first().copied().cloned() else { return Ok(None) };
        let pending = self.pending_test(folder, ledger, entry)?;
        let (halt, threads) = (Arc::new(AtomicBool::new(false)), self.threads);
        let stop = Arc::clone(&halt);
        let play = move || pending.play(MatchContext { threads, stop: &stop, show: Box::new(|_, _, _| ()) });
        Ok(Some(RunningTest { halt, thread: thread::Builder::new().name("test".to_owned()).spawn(play)? }))
    }

    fn pending_test(&self, folder: &Folder, ledger: &Ledger, entry: LedgerEntry) -> Result<PendingTest, Failure> {
        let evaluation = match ledger.champion() {
            Some(champion) => Some(EvaluationSpec::File(folder.network_path(champion).display().to_string())),
            None => self.first.clone(),
        };
        let champion = match &evaluation {
            Some(evaluation) => evaluation.evaluator()?.network().cloned(),
            None => Some(network(None)?),
        };
        let champion = champion.map_or_else(|| "none".to_owned(), |network| checksum(&network));
        let contest = Contest {
            games: entry.plan.contest.games,
            nodes: entry.plan.contest.nodes,
            seed: self.contest.seed.wrapping_add(u64::from(entry.attempt)),
            ..self.contest.clone()
        };
        let path = folder.network_path(&entry).display().to_string();
        let players =
            contest::players(&path, evaluation.map(|evaluation| evaluation.to_string()).as_deref(), &contest)?;
        // Against another champion it is another test.
        let journal = folder.path().join(format!("{:03}-{champion}.journal", entry.attempt));
        let mut entry = entry;
        entry.plan.champion = champion;
        Ok(PendingTest { entry, contest, players, journal, command: self.command.clone() })
    }
}

impl PendingTest {
    /// Plays, and says what the ledger is to say.
    fn play(self, context: MatchContext) -> Result<LedgerEntry, Failure> {
        let PendingTest { mut entry, contest, players, journal, command } = self;
        let outcome = contest.play_test(&players, &journal, context)?;
        (entry.verdict, entry.reason) = verdict(&outcome);
        entry.plan.contest = contest;
        entry.steps.tested = Some(outcome);
        (entry.time, entry.command) = (now(), command);
        Ok(entry)
    }
}

/// What a test says of a network.
pub(crate) fn verdict(test: &MatchOutcome) -> (AttemptVerdict, Option<String>) {
    match test.is_stronger {
        Some(true) => (AttemptVerdict::Promoted, None),
        Some(false) => (AttemptVerdict::Rejected, None),
        None => (AttemptVerdict::Rejected, Some(format!("the test is undecided after {} games", test.games))),
    }
}

impl RunningTest {
    /// Whether it has come to an end.
    pub(crate) fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// What came of it. Before its end this waits.
    pub(crate) fn join(self) -> Result<LedgerEntry, Failure> {
        self.thread.join().unwrap_or_else(|_| Err(anyhow!("the test with clocks panicked").into()))
    }

    /// Ends it. Its journal goes on from here.
    pub(crate) fn stop(self) {
        self.halt.store(true, Ordering::Relaxed);
        let _ = self.thread.join();
    }
}
