//! Random numbers from the operating system, and the identifiers of games.

/// A random number. It falls back to a hasher's random keys where the system has no source of randomness.
pub(crate) fn number() -> u64 {
    getrandom::u64().unwrap_or_else(|error| {
        tracing::error!(%error, "the system gives no random numbers");
        std::hash::BuildHasher::hash_one(&std::collections::hash_map::RandomState::new(), ())
    })
}

/// The identifier of a new game: 12 letters and digits, 60 random bits.
pub(crate) fn game_id() -> String {
    const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let bits = number();
    (0..12).map(|index| char::from(ALPHABET[(bits >> (5 * index)) as usize % ALPHABET.len()])).collect()
}
