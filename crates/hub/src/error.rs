//! Why something cannot be done over a hub, each in one line.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why something cannot be done over a hub.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HubError {
    /// The address makes no sense.
    #[error("{0:?} is no address of a hub: expected nats://HOST, nats://HOST:PORT or tls://HOST")]
    Address(String),
    /// A key cannot be read.
    #[error("cannot read the key {}", path.display())]
    Key {
        /// Its file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is no key.
    #[error("{} holds no key of a hub", .0.display())]
    NoKey(PathBuf),
    /// The hub cannot be reached, or refuses us.
    #[error("cannot connect to {address}: {reason}")]
    Connect {
        /// Where.
        address: String,
        /// Why.
        reason: String,
    },
    /// The server does not do what it is asked.
    #[error("the hub refuses to {what}: {reason}")]
    Refused {
        /// What it was asked.
        what: &'static str,
        /// What it said.
        reason: String,
    },
    /// An outside program is not named as workers know it.
    #[error("{0}: with --via an engine is called by the name that workers gave it, as in uci:NAME")]
    NotAName(String),
    /// A player that exists only in this process.
    #[error("{0} cannot play on another machine")]
    Stays(String),
    /// A file that is to travel cannot be read.
    #[error("cannot read {}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is too large to travel.
    #[error("{} has more than {most} MiB, which is too large to send to workers", path.display())]
    Large {
        /// Which.
        path: PathBuf,
        /// The most it may have.
        most: u64,
    },
    /// A file or folder of the hub cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A folder holds a hub already.
    #[error("{} is there already; a hub is not written twice", .0.display())]
    Exists(PathBuf),
    /// A name that cannot be one.
    #[error("{0:?} is no name: expected up to 64 letters, digits, - and _")]
    Name(String),
    /// The system has no random numbers.
    #[error("no random numbers: {0}")]
    Random(String),
    /// What works in the background could not be started.
    #[error("cannot start a thread")]
    Thread(#[source] io::Error),
    /// What works in the background has ended.
    #[error("the connection to the hub has ended")]
    Ended,
}

impl HubError {
    pub(crate) fn refused(what: &'static str, error: impl std::fmt::Display) -> HubError {
        HubError::Refused { what, reason: error.to_string() }
    }
}
