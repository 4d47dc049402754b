//! What an engine that plays a game is asked and answers.

use std::panic::{self, AssertUnwindSafe};
use std::time::Duration;

use minds::{Choice, Fault, Score};

/// How long a search thinks about a hint for a person.
pub const HINT_TIME: Duration = Duration::from_millis(700);

/// What an engine answered when it was to move.
#[derive(Clone, Debug)]
pub struct EngineAnswer {
    /// What it chose, or why it did not.
    pub choice: Result<Choice, String>,
    /// How long it thought, if that was measured; otherwise the time since it was to move counts.
    pub spent: Option<Duration>,
    /// Its score of the position, if it told one.
    pub score: Option<Score>,
}

/// Calls into an engine, and turns a panic into an error like every other failure.
pub fn guarded<T>(call: impl FnOnce() -> Result<T, Fault>) -> Result<T, String> {
    match panic::catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => result.map_err(|fault| fault.to_string()),
        Err(_) => Err("the engine crashed".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        assert_eq!(guarded(|| Ok(7)), Ok(7));
        let panicked: Result<(), String> = guarded(|| panic!("on purpose"));
        assert_eq!(panicked, Err("the engine crashed".to_owned()));
    }
}
