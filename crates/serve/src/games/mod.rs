//! Games: their records, their rules of play, their rooms, and the registry of all of them.

mod players;
mod record;
pub(crate) mod registry;
mod room;
pub(crate) mod routes;
pub(crate) mod score_sheet;
mod stored_game;
mod view;

pub(crate) use record::{Last, Played, Player, Record, now};
pub(crate) use registry::GameRegistry;
pub(crate) use room::{GameEvent, GameRoom};
pub(crate) use stored_game::StoredGame;
pub(crate) use view::{GameChange, GameView, Status, Thought, timestamp};
