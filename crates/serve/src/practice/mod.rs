//! Practice: the mistakes of reviewed games as cards, asked again when they are about to be forgotten.

mod cards;
mod memory;
pub(crate) mod routes;

pub(crate) use cards::from_review;
pub(crate) use memory::{Grade, Memory};
