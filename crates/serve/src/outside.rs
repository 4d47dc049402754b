//! Outside engines that the owner of the server allows to analyse.
//!
//! A request names an engine; what is started, and how, only the owner's command line says. An engine that was used is
//! kept for a while, because it takes time to start, and because its table knows the neighbourhood of the position.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use minds::{CommandLine, UciMind};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{ApiError, ErrorCode};

/// The longest name of an engine.
const LONGEST_NAME: usize = 40;

/// How long an engine without work is kept.
const KEPT: Duration = Duration::from_secs(30);

/// How many engines without work are kept.
const MOST_KEPT: usize = 2;

/// How long an engine may take to start.
const TIME_TO_START: Duration = Duration::from_secs(10);

/// A UCI engine that may analyse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AllowedEngine {
    /// What it is called on the page.
    pub name: String,
    /// How it is started.
    pub command: CommandLine,
}

/// Says what is wrong with the names of engines.
pub(crate) fn check_engines(engines: &[AllowedEngine]) -> Result<(), String> {
    for (index, AllowedEngine { name, .. }) in engines.iter().enumerate() {
        if name.trim().is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
            return Err(format!("the name of an engine has 1 to {LONGEST_NAME} letters, not {name:?}"));
        }
        if engines[..index].iter().any(|other| other.name == *name) {
            return Err(format!("two engines are called {name:?}"));
        }
    }
    Ok(())
}

/// The engines that may analyse, and those that run.
pub(crate) struct OutsideEngines {
    allowed: Vec<AllowedEngine>,
    permits: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Idle>>>,
}

/// An engine that waits for work.
struct Idle {
    name: String,
    engine: UciMind,
    since: Instant,
}

/// An engine at work, and the right to have one.
pub(crate) struct Hired {
    name: String,
    pub(crate) engine: UciMind,
    _permit: OwnedSemaphorePermit,
    idle: Arc<Mutex<Vec<Idle>>>,
    runtime: Handle,
}

fn lock(idle: &Mutex<Vec<Idle>>) -> MutexGuard<'_, Vec<Idle>> {
    idle.lock().unwrap_or_else(PoisonError::into_inner)
}

impl OutsideEngines {
    pub(crate) fn new(allowed: Vec<AllowedEngine>, most: usize) -> OutsideEngines {
        OutsideEngines { allowed, permits: Arc::new(Semaphore::new(most)), idle: Arc::default() }
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.allowed.iter().map(|engine| engine.name.clone()).collect()
    }

    /// An engine by its name: one that waits, or one that is started when it is first asked.
    pub(crate) fn hire(&self, name: &str) -> Result<Hired, ApiError> {
        let found = self.allowed.iter().find(|engine| engine.name == name);
        let unknown = || ApiError::new(ErrorCode::BadMind, format!("there is no engine {name:?}"));
        let allowed = found.ok_or_else(unknown)?;
        let full = |_| ApiError::new(ErrorCode::TooMany, "too many outside engines are at work: try again");
        let permit = Arc::clone(&self.permits).try_acquire_owned().map_err(full)?;
        let waiting = {
            let mut idle = lock(&self.idle);
            idle.iter().position(|idle| idle.name == name).map(|index| idle.swap_remove(index).engine)
        };
        let start = || UciMind::new(allowed.command.clone()).with_time_to_start(TIME_TO_START);
        Ok(Hired {
            name: name.to_owned(),
            engine: waiting.unwrap_or_else(start),
            _permit: permit,
            idle: Arc::clone(&self.idle),
            runtime: Handle::current(),
        })
    }

    /// Ends the engines that wait.
    pub(crate) fn dismiss(&self) {
        lock(&self.idle).clear();
    }
}

impl Hired {
    /// The engine has done its work and may be wanted again soon.
    pub(crate) fn release(self) {
        let Hired { name, engine, idle, runtime, .. } = self;
        let surplus = {
            let mut idle = lock(&idle);
            idle.push(Idle { name, engine, since: Instant::now() });
            (idle.len() > MOST_KEPT).then(|| idle.remove(0))
        };
        drop(surplus);
        runtime.spawn(async move {
            tokio::time::sleep(KEPT).await;
            // To end a program takes a moment.
            tokio::task::spawn_blocking(move || {
                let mut waiting = lock(&idle);
                let (old, young) =
                    std::mem::take(&mut *waiting).into_iter().partition(|idle| idle.since.elapsed() >= KEPT);
                *waiting = young;
                drop(waiting);
                let old: Vec<Idle> = old;
                drop(old);
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_not_empty() {
        let named = |name: &str| AllowedEngine { name: name.to_owned(), command: CommandLine::new("engine") };
        assert_eq!(check_engines(&[named("One"), named("Two")]), Ok(()));
        for engines in [vec![named("One"), named("One")], vec![named(" ")], vec![named(&"x".repeat(41))]] {
            assert!(check_engines(&engines).is_err(), "{engines:?}");
        }
    }
}
