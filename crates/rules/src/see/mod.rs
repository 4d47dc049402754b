//! Static exchange evaluation: what a move wins if the players capture on its square as long as it pays, and nowhere
//! else.
//!
//! Engines ask this for almost every capture and many quiet moves. There are three answers here, from the truth to the
//! quick one:
//!
//! | | what it does | use it |
//! |---|---|---|
//! | [`exhaustive`] | searches all legal captures on the square | to test the others |
//! | [`swap`] | lets the least valuable pieces capture in turn | for a threshold, or as a second opinion |
//! | [`Lookup`] | looks the number up, and asks `swap` where a line to a king or a queen matters | in a search |
//!
//! ```
//! use saavedra_rules::Position;
//! use saavedra_rules::see::{Lookup, SeeContext, Values, exhaustive, swap};
//!
//! // A pawn that is guarded twice, and a rook behind the knight that is to take it.
//! let position: Position = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1".parse()?;
//! let (mv, values) = (position.parse_san("Nxe5")?, Values::default());
//! assert_eq!(exhaustive::value(&position, mv, &values), -200);
//!
//! let context = SeeContext::new(&position);
//! assert_eq!(swap::value(&context, mv, &values), -200);
//! assert!(!swap::is_at_least(&context, mv, 0, &values));
//! assert_eq!(Lookup::ROUND.value(&context, mv), -200);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! On 400,136 moves from games the program played itself, half of them captures, `cargo xtask bench see` finds the same
//! sign as the exhaustive search in 99.989 % of cases for `swap` and in 99.987 % for `Lookup`, which answers in three
//! quarters of the time that `swap` takes for a value.
//!
//! Why a look-up can replace the captures, and the smaller table from which this one came, is the subject of the crate
//! `saavedra-lessons`.

mod attackers;
mod context;
pub mod exhaustive;
mod lookup;
mod prices;
pub mod swap;
mod values;

use crate::{Move, Position};

pub use attackers::Attackers;
pub use context::{Exchange, SeeContext};
pub use lookup::Lookup;
pub use prices::price_of_differences;
pub use values::Values;

impl Position {
    /// What a legal move wins, in centipawns, if the players then capture on its square as long as it pays.
    ///
    /// This is [`Lookup::ROUND`]: a pawn counts 100, a minor piece 300, a rook 500, a queen 1000. To ask about many
    /// moves of a position, or with other values, keep a [`SeeContext`].
    ///
    /// ```
    /// use saavedra_rules::Position;
    ///
    /// // A pawn that a knight guards costs a knight; without the guard it is free.
    /// let position: Position = "4k3/8/2n5/4p3/6N1/8/8/4K3 w - - 0 1".parse()?;
    /// assert_eq!(position.see(position.parse_san("Nxe5")?), -200);
    /// let position: Position = "4k3/8/8/4p3/6N1/8/8/4K3 w - - 0 1".parse()?;
    /// assert_eq!(position.see(position.parse_san("Nxe5")?), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn see(&self, mv: Move) -> i32 {
        Lookup::ROUND.value(&SeeContext::new(self), mv)
    }
}
