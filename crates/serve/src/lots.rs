//! Numbers that nobody can foretell.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// A number drawn by lot.
pub(crate) fn draw() -> u64 {
    // The keys of a new state are random, and differ from those of every other.
    RandomState::new().build_hasher().finish()
}

/// A short name that no other game has.
pub(crate) fn name() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut number = draw();
    let letter = |_| {
        let letter = LETTERS[(number % 32) as usize];
        number /= 32;
        char::from(letter)
    };
    (0..12).map(letter).collect()
}
