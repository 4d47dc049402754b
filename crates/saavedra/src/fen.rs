//! Positions on the command line.

use rules::{FenError, Position, Setup};

/// Reads the pieces of a position: a FEN, or `startpos`.
pub(crate) fn parse_setup(text: &str) -> Result<Setup, FenError> {
    match text.trim() {
        "startpos" => Ok(Setup::initial()),
        fen => fen.parse(),
    }
}

/// Reads a position that can be played, be it one that no game leads to: a FEN, or `startpos`.
pub(crate) fn parse(text: &str) -> Result<Position, FenError> {
    Ok(parse_setup(text)?.playable_position()?)
}
