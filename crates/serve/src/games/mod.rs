//! Games: what is kept of them, how they are played, and who plays.

pub(crate) mod hall;
mod players;
mod record;
mod room;
pub(crate) mod routes;
mod score_sheet;
mod session;
mod view;

pub(crate) use hall::Hall;
pub(crate) use record::Record;
pub(crate) use room::{News, Room};
pub(crate) use view::{GameView, Thought};
