//! The board in the browser: a web server for games, analysis and lessons, with its page inside.
//!
//! [`Server::bind`] opens the port and the database, [`Server::run`] serves until a future completes:
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
//! # Modules
//!
//! | | modules | what they hold |
//! |---|---|---|
//! | connections | `server` `access` `limits` `error` | accepting connections, who may connect, limits, error responses |
//! | requests | `router` `extract` `parse` `page` | the routes, reading requests, and the files of the page |
//! | stateless routes | `routes` `view` | positions, perft, exchanges, trees, PGN, the list of engines |
//! | games | `games` | a game in progress, and the registry of all games |
//! | live | `websocket` | games as they are played, live analysis and reviews |
//! | background | `worker_pool` `store` | threads that search, in time slices; the database |
//!
//! # Invariants
//!
//! * A move is stored before it is acknowledged: no crash of the process loses one.
//! * Searches never run on the threads that answer requests, and no search keeps the others waiting for long.
//! * No request names a file or a program, and everything a request can make grow has a limit in [`Limits`].

#![forbid(unsafe_code)]

mod access;
mod error;
mod extract;
mod games;
mod limits;
mod page;
mod parse;
mod random_id;
mod router;
mod routes;
mod server;
mod state;
mod store;
mod view;
mod websocket;
mod worker_pool;

pub use limits::Limits;
pub use router::openapi;
pub use server::{Options, ServeError, Server, sleep};
pub use store::{Storage, StorageError};
