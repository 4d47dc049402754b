//! Takes an event from its plan, or its journal, to its end.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use arena::event::{Event, EventError, EventLog, EventObserver, EventPlan, Finish, GameEntry, SavedEvent, core_count};
use arena::report::{GameLine, PgnFile};
use arena::schedule::Format;
use records::pgn::utc;

use super::conditions::{Keeping, setting};
use super::progress::EventProgress;
use crate::failure::Failure;
use crate::interrupt::{self, Stopping};
use crate::numbers::counted;

/// An event that was asked for.
pub(super) struct Request<'a> {
    /// The command, for the name of the journal and for advice.
    pub(super) command: &'static str,
    pub(super) keeping: &'a Keeping,
    /// Whether the seed of the plan was asked for, or drawn and so may be that of a journal.
    pub(super) has_seed: bool,
    /// Tells what came of it.
    pub(super) tell: &'a dyn Fn(&EventLog, Finish) -> Result<(), Failure>,
}

impl Request<'_> {
    /// Plays an event that a plan describes, or that a journal of the same plan has begun.
    pub(super) fn play(&self, mut plan: EventPlan) -> Result<(), Failure> {
        let stop = interrupt::while_playing();
        let journal = self.journal();
        let kept = match journal.as_deref() {
            Some(path) => SavedEvent::open_if_begun(path).map_err(failed)?,
            None => None,
        };
        match kept {
            Some(kept) => {
                if !self.has_seed {
                    plan.seed = kept.plan.seed;
                }
                self.go_on(kept, plan, journal.as_deref(), &stop)
            }
            None => {
                self.keeping.via.check(&plan)?;
                let setting = setting(&mut plan, self.keeping.via.venue())?;
                let event = Event::begin(plan, setting, journal.as_deref()).map_err(failed)?;
                self.conduct(event, journal.as_deref(), &stop)
            }
        }
    }

    /// Plays an event on that only its journal describes; its schedule may be made longer.
    pub(super) fn resume(
        &self,
        path: &Path,
        lengthen: impl FnOnce(&mut Format) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let stop = interrupt::while_playing();
        let kept = SavedEvent::open(path).map_err(failed)?;
        let mut plan = kept.plan.clone();
        lengthen(&mut plan.schedule)?;
        self.go_on(kept, plan, Some(path), &stop)
    }

    fn go_on(
        &self,
        kept: SavedEvent,
        mut plan: EventPlan,
        journal: Option<&Path>,
        stop: &Stopping,
    ) -> Result<(), Failure> {
        if kept.cut > 0 {
            let _ = writeln!(
                io::stderr(),
                "saavedra: a torn last line of {} was cut off the journal",
                counted(kept.cut, "byte")
            );
        }
        self.keeping.via.check(&plan)?;
        let setting = setting(&mut plan, self.keeping.via.venue())?;
        self.conduct(Event::resume(kept, plan, setting).map_err(failed)?, journal, stop)
    }

    fn conduct(&self, mut event: Event, journal: Option<&Path>, stop: &Stopping) -> Result<(), Failure> {
        let pgn = match &self.keeping.pgn {
            Some(path) => Some(PgnFile::create(path, event.log_mut()).map_err(failed)?),
            None => None,
        };
        let cores = core_count() / event.log().plan().threads();
        let concurrency = self.keeping.concurrency.map_or(cores.max(1), usize::from);
        let mut output = EventOutput {
            pgn,
            progress: EventProgress::new(event.log()),
            json: self.keeping.json,
            no_new_games: Arc::clone(&stop.no_new_games),
        };
        let elsewhere = self.keeping.via.play(&mut event, self.command, journal, &stop.at_once, &mut output);
        let finish = match elsewhere {
            Some(finish) => finish?,
            None => event.run(concurrency, &stop.at_once, &mut output),
        };
        let finish = finish.map_err(|error| match error {
            EventError::Output { reason, .. } if reason.kind() == io::ErrorKind::BrokenPipe => Failure::OutputClosed,
            error => failed(error),
        })?;
        let EventOutput { pgn, progress, .. } = output;
        drop(progress);
        if let Some(pgn) = pgn {
            pgn.finish(event.log_mut()).map_err(failed)?;
        }
        (self.tell)(event.log(), finish)?;
        self.conclude(finish, journal)
    }

    fn conclude(&self, finish: Finish, journal: Option<&Path>) -> Result<(), Failure> {
        match (finish, journal) {
            (Finish::Over | Finish::Decided, _) => Ok(()),
            (Finish::Stopped, Some(path)) => Err(Failure::Failed(anyhow::anyhow!(
                "interrupted; continue with: saavedra {} --resume {}",
                self.command,
                path.display()
            ))),
            (Finish::Stopped, None) => Err(Failure::Failed(anyhow::anyhow!("stopped, and nothing was kept"))),
        }
    }

    /// Where the event is kept: by default in a new file named after the moment in which it began.
    fn journal(&self) -> Option<PathBuf> {
        if self.keeping.no_journal {
            return None;
        }
        let by_time = || {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
            let name = format!("{}-{}", self.command, utc(now, "%Y%m%d-%H%M%S"));
            // Another event may have begun in the same second.
            let names = std::iter::once(name.clone()).chain((2..).map(|number| format!("{name}-{number}")));
            names.map(|name| PathBuf::from(name + ".journal")).find(|path| !path.exists()).expect("numbers do not end")
        };
        Some(self.keeping.journal.clone().unwrap_or_else(by_time))
    }
}

pub(super) fn failed(error: impl std::error::Error + Send + Sync + 'static) -> Failure {
    Failure::Failed(error.into())
}

/// Writes games and progress as they come.
struct EventOutput {
    pgn: Option<PgnFile>,
    progress: EventProgress,
    json: bool,
    no_new_games: Arc<AtomicBool>,
}

impl EventObserver for EventOutput {
    fn finished(&mut self, log: &mut EventLog, entry: &GameEntry) -> Result<(), EventError> {
        if let Some(pgn) = &mut self.pgn {
            pgn.catch_up(log)?;
        }
        if self.json {
            let mut line = serde_json::to_string(&GameLine::new(log.plan(), entry)).unwrap_or_default();
            line.push('\n');
            let mut out = io::stdout().lock();
            let written = out.write_all(line.as_bytes()).and_then(|()| out.flush());
            written.map_err(|reason| EventError::Output { what: "standard output".to_owned(), reason })?;
        }
        self.progress.show(log);
        Ok(())
    }

    fn goes_on(&self) -> bool {
        !self.no_new_games.load(Ordering::Relaxed)
    }

    fn waits(&mut self, log: &EventLog) {
        self.progress.show(log);
    }
}
