//! Positions on the command line.

use rules::{FenError, Position, Setup};

/// Reads the pieces of a position: a FEN, or `startpos`. What is copied from a page or a book may have blanks too many.
pub(crate) fn parse_setup(text: &str) -> Result<Setup, FenError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    match fields.as_slice() {
        ["startpos"] => Ok(Setup::initial()),
        fields => fields.join(" ").parse(),
    }
}

/// Reads a position that can be played, be it one that no game leads to: a FEN, or `startpos`.
pub(crate) fn parse(text: &str) -> Result<Position, FenError> {
    Ok(parse_setup(text)?.playable_position()?)
}
