//! Which places of the king get weights of their own: layouts to choose from, and one for every taste.

use nnue::{Architecture, KingBuckets};
use rules::Square;
use thiserror::Error;

use crate::{Shape, Weights};

/// King buckets to choose from by their number: 1, 2, 4, 8, 16 or 32. The files a to d mirror the others.
///
/// Most games are decided with the king at home, so the home rank is cut finest.
pub fn king_buckets(count: usize) -> Option<KingBuckets> {
    // By rank from the first, the buckets on the files e, f, g and h.
    let half: [[u8; 4]; 8] = match count {
        1 => [[0; 4]; 8],
        2 => std::array::from_fn(|rank| [u8::from(rank > 0); 4]),
        4 => std::array::from_fn(|rank| [[1, 1, 0, 0], [2; 4], [3; 4]][rank.min(2)]),
        8 => std::array::from_fn(|rank| [[3, 2, 1, 0], [5, 5, 4, 4], [6; 4], [7; 4]][rank.min(3)]),
        16 => std::array::from_fn(|rank| match rank {
            0..=2 => std::array::from_fn(|file| (4 * rank + 3 - file) as u8),
            3 => [13, 13, 12, 12],
            _ => [15, 15, 14, 14],
        }),
        32 => std::array::from_fn(|rank| std::array::from_fn(|file| (4 * rank + 3 - file) as u8)),
        _ => return None,
    };
    let table = Square::ALL.map(|square| {
        let file = square.file().index();
        half[square.rank().index()][if file >= 4 { file - 4 } else { 3 - file }]
    });
    KingBuckets::new(table).ok()
}

/// What is wrong with a layout of king buckets.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LayoutError {
    /// There is no layout of this name.
    #[error("{0} king buckets: expected 1, 2, 4, 8, 16 or 32, or the buckets of 32 squares")]
    Unknown(String),
    /// A bucket is no digit and no letter up to v.
    #[error("{0:?} is no king bucket: they are called 0 to 9 and a to v")]
    Bucket(char),
    /// A bucket that is used nowhere would be a waste.
    #[error("no square has king bucket {0}, though one has a higher one")]
    Unused(char),
}

/// King buckets from text: their number, for those of [`king_buckets`], or the bucket of each square, from the files e
/// to h of the first rank to those of the last, as `0123/4567/8888/…`. Slashes are for the reader alone. Beyond 9
/// buckets are letters.
pub fn parse_king_buckets(text: &str) -> Result<KingBuckets, LayoutError> {
    if let Some(buckets) = text.parse().ok().and_then(king_buckets) {
        return Ok(buckets);
    }
    let names: Vec<char> = text.chars().filter(|&letter| letter != '/').collect();
    let half: &[char; 32] = names.as_slice().try_into().map_err(|_| LayoutError::Unknown(text.to_owned()))?;
    let bucket = |name: char| name.to_digit(32).map(|digit| digit as u8).ok_or(LayoutError::Bucket(name));
    let mut table = [0; 64];
    for square in Square::ALL {
        let (rank, file) = (square.rank().index(), square.file().index());
        table[square.index()] = bucket(half[4 * rank + if file >= 4 { file - 4 } else { 3 - file }])?;
    }
    let highest = table.iter().copied().max().unwrap_or_default();
    match (0..highest).find(|bucket| !table.contains(bucket)) {
        Some(unused) => Err(LayoutError::Unused(char::from_digit(u32::from(unused), 32).unwrap_or('?'))),
        None => Ok(KingBuckets::new(table).expect("32 digits are 32 buckets")),
    }
}

/// The weights of one architecture in the buckets of another of the same width and layers, saying the same of every
/// position where the new buckets only divide the old ones; none for another width or other layers.
///
/// Each new bucket begins as the old one that its first square, or its smallest number of pieces, belonged to.
pub fn in_other_buckets(weights: &Weights, from: &Architecture, to: &Architecture) -> Option<Weights> {
    let (old, new) = (weights.shape(), Shape::of(to));
    if old != Shape::of(from) || (old.hidden, old.layers) != (new.hidden, new.layers) {
        return None;
    }
    let mut values = Vec::with_capacity(new.weight_count());
    let on_right_half = || Square::ALL.into_iter().filter(|square| square.file().index() >= 4);
    for bucket in 0..new.king_buckets() {
        let is_in = |square: &Square| usize::from(to.king_buckets().table()[square.index()]) == bucket;
        let source = on_right_half().find(is_in).map_or(0, |square| from.king_buckets().table()[square.index()]);
        let start = usize::from(source) * old.shared().len();
        values.extend_from_slice(&weights.values()[start..start + old.shared().len()]);
    }
    values.extend_from_slice(weights.hidden_biases());
    let sources: Vec<usize> = (0..new.output_buckets)
        .map(|bucket| {
            (0..=32).find(|&pieces| to.output_bucket(pieces) == bucket).map_or(0, |pieces| from.output_bucket(pieces))
        })
        .collect();
    for part in 0..Shape::TAIL_PARTS {
        sources.iter().for_each(|&source| values.extend_from_slice(&weights.values()[old.set(part, source)]));
    }
    Weights::from_values(new, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{self, Scratch};
    use crate::{FeatureTable, Sample, Wdl, synthetic};
    use nnue::Layers;

    #[test]
    fn as_many_king_buckets_as_asked_for() {
        for count in [1, 2, 4, 8, 16, 32] {
            let buckets = king_buckets(count).expect("a number on the list");
            assert_eq!(buckets.count(), count);
            for square in Square::ALL {
                assert_eq!(buckets.table()[square.index()], buckets.table()[square.flip_file().index()]);
            }
            assert!((0..count).all(|bucket| buckets.table().contains(&(bucket as u8))), "{count}");
        }
        assert_eq!(king_buckets(3), None);
    }

    #[test]
    fn layouts_can_be_written_down_square_by_square() {
        for count in [1, 2, 4, 8, 16, 32] {
            let buckets = king_buckets(count).expect("a number on the list");
            assert_eq!(parse_king_buckets(&count.to_string()), Ok(buckets));
            let half = buckets.table().chunks(8).flat_map(|rank| &rank[4..]);
            let text: String = half.map(|&bucket| char::from_digit(u32::from(bucket), 32).expect("below 32")).collect();
            assert_eq!(parse_king_buckets(&text), Ok(buckets));
        }
        let own = parse_king_buckets("0012/3333/4444/4444/4444/4444/4444/4444").expect("32 buckets");
        assert_eq!(own.count(), 5);
        let bucket = |square: Square| own.table()[square.index()];
        assert_eq!([Square::E1, Square::G1, Square::H1, Square::A1, Square::C2].map(bucket), [0, 1, 2, 2, 3]);
        assert_eq!(parse_king_buckets("3"), Err(LayoutError::Unknown("3".to_owned())));
        assert_eq!(parse_king_buckets(&"0".repeat(31)), Err(LayoutError::Unknown("0".repeat(31))));
        assert_eq!(parse_king_buckets(&"w".repeat(32)), Err(LayoutError::Bucket('w')));
        assert_eq!(parse_king_buckets(&"02".repeat(16)), Err(LayoutError::Unused('1')));
    }

    #[test]
    fn weights_in_more_buckets_say_the_same() {
        let straight = Architecture::new(128).and_then(|one| one.with_output_buckets(2)).expect("valid");
        let straight = straight.with_king_buckets(king_buckets(2).expect("two are on the list"));
        let pairwise = straight.with_layers(Layers::Pairwise).expect("128 is wide enough");
        for (few, other) in [(straight, pairwise), (pairwise, straight)] {
            let many = few.with_king_buckets(king_buckets(8).expect("eight are on the list"));
            let many = many.with_output_buckets(8).expect("up to eight");
            let weights = Weights::random(Shape::of(&few), 5);
            let more = in_other_buckets(&weights, &few, &many).expect("the width is the same");
            let [few_table, many_table] = [few, many].map(|architecture| FeatureTable::new(&architecture));
            let mut scratch = Scratch::new(Shape::of(&few));
            synthetic::walk(3, 500, |position| {
                let sample = Sample::new(position, 0, Wdl::Draw);
                let said = model::forward(&weights, &few_table.features(sample), &mut scratch);
                assert_eq!(model::forward(&more, &many_table.features(sample), &mut scratch), said, "{position}");
            });
            assert_eq!(in_other_buckets(&weights, &few, &few), Some(weights.clone()));
            assert_eq!(in_other_buckets(&weights, &few, &other), None);
            assert_eq!(in_other_buckets(&weights, &few, &Architecture::new(64).expect("valid")), None);
        }
    }
}
