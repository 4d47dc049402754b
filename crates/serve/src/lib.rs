//! The board in the browser: a web server for games, analysis and lessons, with its page inside.
//!
//! [`Server::bind`] listens, [`Server::run`] answers until it is told to end:
//!
//! ```
//! use saavedra_serve::{Limits, Options, Server, Storage};
//!
//! let server = Server::bind(Options {
//!     address: "127.0.0.1:0".parse()?,
//!     names: Vec::new(),
//!     token: None,
//!     storage: Storage::Memory,
//!     threads: 1,
//!     limits: Limits::default(),
//! })?;
//! assert!(server.address().ip().is_loopback());
//! server.run(async {})?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A tour
//!
//! | | modules | what they hold |
//! |---|---|---|
//! | the door | `server` `guard` `limits` `refusal` | connections, who may ask, how much, and how one is refused |
//! | the desk | `router` `ask` `page` | which question goes where, how it is read, and the page itself |
//! | questions | `questions` `place` `view` | what has an answer and leaves nothing behind |
//! | games | `games` | the state of a game, the minds that sit at it, and all games together |
//! | live | `socket` | games as they are played, and analyses that go on while somebody looks |
//! | the back room | `crew` `keeper` | threads that think, in turns; and what outlives the server |
//!
//! # Promises
//!
//! * A move is kept before it is acknowledged: the end of the process, however sudden, loses nothing.
//! * Nothing thinks where requests are answered, and nobody who thinks keeps the others from their turn.
//! * No request names a file or a program, and whatever a request can make grow has its limit in [`Limits`].

mod ask;
mod calendar;
mod crew;
mod games;
mod guard;
mod keeper;
mod limits;
mod lots;
mod page;
mod place;
mod questions;
mod refusal;
mod router;
mod server;
mod socket;
mod state;
mod view;

pub use keeper::{Storage, StorageError};
pub use limits::Limits;
pub use server::{Options, ServeError, Server, sleep};
