#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod access;
mod bots;
mod error;
mod extract;
mod games;
mod library;
mod limits;
mod outside;
mod page;
mod parse;
mod practice;
mod random_id;
mod router;
mod routes;
mod server;
mod sheet;
mod state;
mod store;
mod view;
mod websocket;
mod worker_pool;

pub use limits::ServerLimits;
pub use outside::AllowedEngine;
pub use practice::{Deck, DeckError, DueCard, Grade, Stack};
pub use router::openapi;
pub use server::{ServeError, Server, ServerOptions, sleep};
pub use store::{Storage, StorageError};
