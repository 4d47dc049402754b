//! Interrupts of ourselves.

use std::sync::atomic::{AtomicBool, Ordering};

/// What asks us to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interrupt {
    /// Ctrl-C was pressed.
    Keyboard,
    /// Another program asked us to end, or our terminal was closed.
    Terminate,
}

/// Lets a handler decide what happens when we are interrupted or asked to end; it is called on a thread of its own.
///
/// There is one handler for the whole life of the process. Answers whether it is this one: if there was one before, or
/// the system does not take it, nothing changes.
pub fn on_interrupt(handler: impl FnMut(Interrupt) + Send + 'static) -> bool {
    static IS_SET: AtomicBool = AtomicBool::new(false);
    !IS_SET.swap(true, Ordering::Relaxed) && listen(handler)
}

#[cfg(unix)]
fn listen(mut handler: impl FnMut(Interrupt) + Send + 'static) -> bool {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return false };
    let listens = move || {
        for signal in signals.forever() {
            handler(if signal == SIGINT { Interrupt::Keyboard } else { Interrupt::Terminate });
        }
    };
    std::thread::Builder::new().name("interrupts".to_owned()).spawn(listens).is_ok()
}

/// Elsewhere the reasons cannot be told apart.
#[cfg(not(unix))]
fn listen(mut handler: impl FnMut(Interrupt) + Send + 'static) -> bool {
    ctrlc::set_handler(move || handler(Interrupt::Keyboard)).is_ok()
}
