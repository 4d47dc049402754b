//! Programs of other people as minds: engines that speak UCI or xboard's protocol, and scripts that answer a line.
//!
//! Whatever a program does wrong becomes a [`Fault`](crate::Fault) of its mind. One that crashed or hangs is put away, and
//! started again for the next game, or for the next move if this one goes on.

mod cecp;
mod line;
mod process;
mod uci;
mod world;

pub use cecp::CecpMind;
pub use line::LineMind;
pub use uci::UciMind;
pub use world::WorldMind;

use rules::{File, Position};

/// Whether a game that starts here is Chess960: some king or rook that may castle does not stand where it does in
/// standard chess.
fn is_chess960(start: &Position) -> bool {
    let rooks = start.castling_rights();
    let is_unusual = |color| {
        let own = rooks.rooks_of(color);
        let corners = File::A.squares() | File::H.squares();
        !own.is_empty() && (start.king(color).file() != File::E || !own.is_subset(corners))
    };
    rules::Color::ALL.into_iter().any(is_unusual)
}
