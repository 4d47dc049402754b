//! Where a search tells what it finds, and Python threads wait for it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use interface::Bound;
use uci::Info;

use super::backend::Best;
use super::failure::Failure;

/// How many infos wait to be read. Beyond that the oldest are dropped: an engine may tell more than anyone reads.
const MOST_WAITING: usize = 512;

/// Lines of higher ranks are not kept.
const MOST_LINES: u32 = 512;

/// What a search has told so far, and how it ended.
#[derive(Default)]
pub(super) struct Feed {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Info>,
    /// What is known of each rank: the last exact line, and what was told since.
    lines: BTreeMap<u32, Info>,
    outcome: Option<Result<Best, Failure>>,
}

/// What comes next from a feed.
pub(super) enum Next {
    Info(Box<Info>),
    Nothing,
    Over,
}

impl Feed {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn tell(&self, info: Info) {
        let mut state = self.state();
        let rank = info.multi_pv.unwrap_or(1);
        if rank <= MOST_LINES {
            merge(state.lines.entry(rank).or_default(), &info);
        }
        if state.waiting.len() == MOST_WAITING {
            state.waiting.pop_front();
        }
        state.waiting.push_back(info);
        drop(state);
        self.changed.notify_all();
    }

    /// Forgets lines of lower ranks that begin with the best move: they are of an earlier depth.
    pub(super) fn settle_on(&self, best: &str) {
        self.state().lines.retain(|&rank, info| rank == 1 || info.pv.first().is_none_or(|first| first != best));
    }

    pub(super) fn finish(&self, outcome: Result<Best, Failure>) {
        self.state().outcome = Some(outcome);
        self.changed.notify_all();
    }

    /// The next info, if one comes within a time.
    pub(super) fn next(&self, patience: Duration) -> Next {
        let is_silent = |state: &mut State| state.waiting.is_empty() && state.outcome.is_none();
        let waited = self.changed.wait_timeout_while(self.state(), patience, is_silent);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner).0;
        match state.waiting.pop_front() {
            Some(info) => Next::Info(Box::new(info)),
            None if state.outcome.is_some() => Next::Over,
            None => Next::Nothing,
        }
    }

    /// Waits for the end, and tells whether it has come within a time.
    pub(super) fn ends_within(&self, patience: Duration) -> bool {
        let waited = self.changed.wait_timeout_while(self.state(), patience, |state| state.outcome.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.outcome.is_some()
    }

    pub(super) fn outcome(&self) -> Option<Result<Best, Failure>> {
        self.state().outcome.clone()
    }

    /// Whether nothing would have to be waited for.
    pub(super) fn is_ready(&self) -> bool {
        let state = self.state();
        !state.waiting.is_empty() || state.outcome.is_some()
    }

    /// What is known of each line, the best first.
    pub(super) fn lines(&self) -> Vec<Info> {
        self.state().lines.values().cloned().collect()
    }
}

/// Adds what an info tells to what is known of its line. A score that is only a bound does not replace an exact one.
fn merge(known: &mut Info, info: &Info) {
    fn take<T: Clone>(known: &mut Option<T>, told: &Option<T>) {
        if told.is_some() {
            known.clone_from(told);
        }
    }
    take(&mut known.multi_pv, &info.multi_pv);
    take(&mut known.nodes, &info.nodes);
    take(&mut known.nps, &info.nps);
    take(&mut known.hash_full, &info.hash_full);
    take(&mut known.tablebase_hits, &info.tablebase_hits);
    take(&mut known.time, &info.time);
    take(&mut known.cpu_load, &info.cpu_load);
    if info.bound != Bound::Exact && known.score.is_some() {
        return;
    }
    take(&mut known.depth, &info.depth);
    take(&mut known.selective_depth, &info.selective_depth);
    take(&mut known.wdl, &info.wdl);
    if info.score.is_some() {
        (known.score, known.bound) = (info.score, info.bound);
    }
    if !info.pv.is_empty() {
        known.pv.clone_from(&info.pv);
    }
}
