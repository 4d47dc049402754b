//! Games: their records, their rules of play, their rooms, and the registry of all of them.

mod players;
mod record;
pub(crate) mod registry;
mod room;
pub(crate) mod routes;
mod score_sheet;
mod stored_game;
mod view;

pub(crate) use record::Record;
pub(crate) use registry::GameRegistry;
pub(crate) use room::{GameEvent, GameRoom};
pub(crate) use view::{GameView, Thought};
