//! What can keep a perft from giving an answer.

use std::fmt;

/// Why there is no count.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PerftError {
    /// The memory for the table could not be had.
    HashUnavailable {
        /// How much was asked for.
        bytes: usize,
    },
    /// There are more leaves than a `u64` can count.
    TooManyLeaves,
}

impl fmt::Display for PerftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PerftError::HashUnavailable { bytes } => {
                write!(f, "cannot get {} MiB of memory for the hash table", bytes >> 20)
            }
            PerftError::TooManyLeaves => write!(f, "the tree has more leaves than can be counted in 64 bits"),
        }
    }
}

impl std::error::Error for PerftError {}
