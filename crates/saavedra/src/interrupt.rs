//! Interrupts of long runs: the first asks to stop and keep what there is, the second ends everything at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// A flag that the first interrupt or request to terminate sets: the same one for all who ask.
pub(crate) fn flag() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    Arc::clone(FLAG.get_or_init(handled_flag))
}

fn handled_flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&flag);
    // It fails only if interrupts are handled already, and they are not.
    let _ = ctrlc::set_handler(move || {
        if shared.swap(true, Ordering::Relaxed) {
            programs::exit_interrupted();
        }
    });
    flag
}
