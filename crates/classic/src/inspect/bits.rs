//! Flipped bits: what the check of a board would say of one.

use std::fmt;

use rules::Square;
use serde::Serialize;

use super::{Flipped, Inspect};
use crate::random::number;

/// A bit that was flipped in the memory of a board, and what came of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BitFlip {
    /// Where the bit is.
    pub place: String,
    /// Which of the bits there, the lowest being zero.
    pub bit: u32,
    /// The bits of the place before, in hexadecimal digits if there are more than eight.
    pub before: String,
    /// The bits of the place now.
    pub after: String,
    /// The position that the board now believes to be in.
    pub fen: String,
    /// What the check says, one sentence each; nothing if it does not notice.
    pub complaints: Vec<String>,
    /// Why the check may not notice, if it does not.
    pub silence: Option<&'static str>,
}

/// There is no place of this name in the memory of the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPlace {
    name: String,
    example: String,
}

impl fmt::Display for UnknownPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownPlace { name, example } = self;
        let name: String = name.chars().take(40).collect();
        write!(f, "{name:?} is nowhere in the memory of this board: expected a square, a place like {example}, or any")
    }
}

impl std::error::Error for UnknownPlace {}

/// Flips a bit of a place, of a square, or of any place: which one, the seed decides.
pub(super) fn flip_one<B: Inspect>(board: &B, asked: &str, seed: u64) -> Result<BitFlip, UnknownPlace> {
    let places = board.places();
    let square: Option<Square> = asked.parse().ok();
    let is_meant = |place: B::Place, bit: u32| match square {
        Some(square) => B::square_of(place, bit) == Some(square),
        None => asked == "any" || place.to_string() == asked,
    };
    let all = places.iter().flat_map(|&(place, bits)| (0..bits).map(move |bit| (place, bits, bit)));
    let chosen: Vec<_> = all.filter(|&(place, _, bit)| is_meant(place, bit)).collect();
    if chosen.is_empty() {
        let example = places.first().map_or_else(String::new, |(place, _)| place.to_string());
        return Err(UnknownPlace { name: asked.to_owned(), example });
    }
    let (place, bits, bit) = chosen[(number(seed) % chosen.len() as u64) as usize];
    let Flipped { before, after, fen, complaints } = board.flip(place, bit);
    let digits = |word: u64| match bits {
        0..=8 => format!("{word:0width$b}", width = bits as usize),
        _ => format!("0x{word:0width$x}", width = bits as usize / 4),
    };
    Ok(BitFlip {
        place: place.to_string(),
        bit,
        before: digits(before),
        after: digits(after),
        fen,
        silence: complaints.is_empty().then_some(B::SILENCE),
        complaints,
    })
}
