//! Interrupts of long runs: the first asks to stop and keep what there is, the second ends everything at once. Where
//! games are played, one comes before these: it lets the games that have begun come to their end.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use programs::Interrupt;

#[derive(Default)]
struct Interrupts {
    /// Whether games are played that are worth finishing.
    plays: AtomicBool,
    no_new_games: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
}

/// A flag that the first interrupt sets, or a request to end: the same one for all who ask.
pub(crate) fn flag() -> Arc<AtomicBool> {
    Arc::clone(&handled().stop)
}

/// How a run that plays games is asked to stop.
#[derive(Clone)]
pub(crate) struct Stopping {
    /// The first Ctrl-C sets this: no game shall begin any more.
    pub(crate) no_new_games: Arc<AtomicBool>,
    /// The second sets this, or a request to end.
    pub(crate) at_once: Arc<AtomicBool>,
}

/// The flags of a run that plays games.
pub(crate) fn while_playing() -> Stopping {
    handled().plays.store(true, Ordering::Relaxed);
    Stopping { no_new_games: Arc::clone(&handled().no_new_games), at_once: flag() }
}

fn handled() -> &'static Interrupts {
    static INTERRUPTS: OnceLock<Interrupts> = OnceLock::new();
    INTERRUPTS.get_or_init(|| {
        programs::on_interrupt(|interrupt| handled().take_one(interrupt));
        Interrupts::default()
    })
}

impl Interrupts {
    fn take_one(&self, interrupt: Interrupt) {
        // A program that asks us to end will not wait for games.
        let waits = interrupt == Interrupt::Keyboard && self.plays.load(Ordering::Relaxed);
        if waits && !self.no_new_games.swap(true, Ordering::Relaxed) {
            // Below the progress line, where there is one.
            let below = if io::stderr().is_terminal() { "\n" } else { "" };
            let advice = "finishing the games that have begun; interrupt again to stop at once";
            let _ = writeln!(io::stderr(), "{below}saavedra: {advice}");
        } else if self.stop.swap(true, Ordering::Relaxed) {
            programs::exit_interrupted();
        }
    }
}
