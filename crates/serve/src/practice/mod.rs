//! Practice: the mistakes of reviewed games as cards, asked again when they are about to be forgotten.

mod cards;
mod deck;
mod memory;
pub(crate) mod routes;
mod schedule;

pub(crate) use cards::from_review;
pub use deck::{Deck, DeckError, DueCard, Stack};
pub use memory::Grade;
pub(crate) use memory::Memory;
pub(crate) use schedule::DAY;
