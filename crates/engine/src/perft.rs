//! Perft on demand: the count below each move, until it is stopped.

use std::time::Instant;

use interface::Control;
use rules::{Perft, PerftError, Position};
use uci::Castling;

use crate::output::Output;

/// Counts and writes the count below each move, unless it is stopped before.
pub(crate) fn run(position: &Position, depth: u32, castling: Castling, control: &Control, output: &Output) {
    let started = Instant::now();
    let mut total = 0_u64;
    for mv in position.legal_moves().into_iter().take(if depth == 0 { 0 } else { usize::MAX }) {
        if output.is_broken() {
            return;
        }
        match count(&position.play_unchecked(mv), depth - 1, control) {
            Ok(Some(leaves)) => {
                output.print(format_args!("{}: {leaves}", castling.write(position, mv)));
                total = total.saturating_add(leaves);
            }
            Ok(None) => return output.tell("perft was stopped"),
            Err(error) => return output.tell(format!("no perft: {error}")),
        }
    }
    let total = if depth == 0 { 1 } else { total };
    let seconds = started.elapsed().as_secs_f64();
    output.print(format_args!("\nNodes searched: {total}\nSeconds: {seconds:.3}\n"));
}

/// The leaves below a position; none if it was stopped.
fn count(position: &Position, depth: u32, control: &Control) -> Result<Option<u64>, PerftError> {
    /// Trees of this depth are counted in a few milliseconds and are not worth interrupting.
    const AT_ONCE: u32 = 4;
    if control.is_stopped() {
        return Ok(None);
    }
    if depth <= AT_ONCE {
        return Perft::new().count(position, depth).map(Some);
    }
    let mut total = 0_u64;
    for mv in position.legal_moves() {
        let Some(leaves) = count(&position.play_unchecked(mv), depth - 1, control)? else { return Ok(None) };
        total = total.checked_add(leaves).ok_or(PerftError::TooManyLeaves)?;
    }
    Ok(Some(total))
}
