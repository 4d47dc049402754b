//! Opponents by name: every engine there is, and a short form for the search held back to a rating.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use minds::{Mind, MindSpec, SearchSpec};
use search::Strength;

/// What opens the short name of an opponent with a rating.
const RATED: &str = "elo:";

/// The opponent that a name stands for: an engine as everywhere, or `elo:1500`.
pub(crate) fn build(name: &str) -> Result<Box<dyn Mind>, String> {
    let spec = match name.trim().strip_prefix(RATED) {
        Some(rating) => rated(parse_rating(rating)?),
        None => name.parse().map_err(|error: minds::SpecError| error.to_string())?,
    };
    // Every game is another one, unless the name has a seed of its own.
    let seed = RandomState::new().build_hasher().finish();
    spec.build(seed).map_err(|fault| fault.to_string())
}

/// The opponent with a rating.
pub(crate) fn rated(strength: Strength) -> MindSpec {
    MindSpec::Search(SearchSpec { elo: Some(strength.elo()), ..SearchSpec::default() })
}

/// Reads a rating that can be played at.
pub(crate) fn parse_rating(text: &str) -> Result<Strength, String> {
    let (least, most) = (Strength::ELO.start(), Strength::ELO.end());
    let rating = text.trim().parse().ok().filter(|rating| Strength::ELO.contains(rating));
    rating.map(Strength::of_elo).ok_or_else(|| format!("expected a rating from {least} to {most}, found {text:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponents_are_minds_or_ratings() {
        let name = |name: &str| build(name).map(|mind| mind.name().to_owned());
        assert_eq!(name("random:seed=3"), Ok("random".to_owned()));
        assert_eq!(name("elo:1500"), Ok("Saavedra (1500)".to_owned()));
        assert_eq!(name("elo:9000"), Err("expected a rating from 500 to 2800, found \"9000\"".to_owned()));
        assert!(name("ramdom").expect_err("a slip").contains("did you mean \"random\"?"));
        assert_eq!(rated(Strength::of_elo(1200)).to_string(), "search:elo=1200");
    }
}
