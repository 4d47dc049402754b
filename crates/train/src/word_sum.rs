//! A checksum of 64-bit words that grows word by word.

/// The factor is 2⁶⁴ divided by the golden ratio, made odd: it spreads every bit over the word.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// A checksum of words, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WordSum(pub u64);

impl WordSum {
    /// Adds words.
    pub fn add(&mut self, words: impl IntoIterator<Item = u64>) {
        for word in words {
            self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(FACTOR);
        }
    }

    /// The checksum of some words.
    pub fn of(words: impl IntoIterator<Item = u64>) -> u64 {
        let mut sum = WordSum::default();
        sum.add(words);
        sum.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_and_the_order_count() {
        let sums = [&[1, 2, 3][..], &[1, 3, 2], &[1, 2], &[1, 2, 4]].map(|words| WordSum::of(words.iter().copied()));
        for (place, sum) in sums.iter().enumerate() {
            assert!(!sums[..place].contains(sum));
        }
    }
}
