//! Positions on the command line.

use rules::{FenError, Position, Setup};

/// Reads a position that can be played, be it one that no game leads to.
pub(crate) fn parse(text: &str) -> Result<Position, FenError> {
    Ok(text.trim().parse::<Setup>()?.playable_position()?)
}
