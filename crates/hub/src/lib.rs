#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod connection;
mod courier;
mod error;
mod files;
mod key;
mod machine;
pub mod message;
mod names;
mod queue;
pub mod server;
pub mod status;
mod work;
pub mod worker;

pub use connection::{Address, Hub};
pub use error::HubError;
pub use files::Luggage;
pub use key::Key;
pub use machine::Reference;
pub use names::EventId;
pub use queue::{Card, HubQueue, Options};
pub use work::{Outcome, Work};

/// Is told, in a line, what people should know while work goes on: a machine that is away, a message that was refused.
pub type Notice = std::sync::Arc<dyn Fn(&str) + Send + Sync>;
