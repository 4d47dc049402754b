//! The symbols of a code: each stands for one value, or for two symbols in a row.
//!
//! Making symbols of frequent pairs, again and again, is what compresses the tables; a symbol may stand for up to 256
//! values. Symbols are given in no particular order, so that a damaged file could define one by itself.

use crate::error::{Damage, Part};

/// A symbol has 12 bits, of which all set means none.
pub(crate) const MOST_SYMBOLS: usize = 4_095;

const NO_SYMBOL: u16 = 0xfff;

/// A value, or a pair of symbols.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Symbol {
    /// The first of the pair, or the value.
    left: u16,
    /// The second of the pair.
    right: u16,
    /// How many values the first of the pair stands for; zero says that there is no pair.
    left_count: u16,
    /// How many values the symbol stands for.
    pub(crate) count: u16,
}

/// All symbols of a code.
#[derive(Debug)]
pub(crate) struct Symbols(Box<[Symbol]>);

impl Symbols {
    /// Reads three bytes for each symbol.
    pub(crate) fn read(bytes: &[u8]) -> Result<Symbols, Damage> {
        let (triples, _) = bytes.as_chunks::<3>();
        if triples.len() > MOST_SYMBOLS {
            return Err(Damage::Impossible(Part::Code));
        }
        let halves = |&[low, middle, high]: &[u8; 3]| {
            (u16::from(middle & 15) << 8 | u16::from(low), u16::from(high) << 4 | u16::from(middle >> 4))
        };
        let symbol = |triple: &[u8; 3]| match halves(triple) {
            (value, NO_SYMBOL) => Symbol { left: value, right: 0, left_count: 0, count: 1 },
            (left, right) => Symbol { left, right, left_count: 0, count: 0 },
        };
        let mut symbols = Symbols(triples.iter().map(symbol).collect());
        for at in 0..symbols.0.len() {
            symbols.count_values(at)?;
        }
        Ok(symbols)
    }

    /// Finds out how many values a symbol stands for: its halves first, on a stack of our own, because a damaged file
    /// could make any other overflow.
    fn count_values(&mut self, start: usize) -> Result<(), Damage> {
        let mut stack = vec![start];
        while let Some(&at) = stack.last() {
            let symbol = self.0[at];
            if symbol.count > 0 {
                stack.pop();
                continue;
            }
            let halves = [usize::from(symbol.left), usize::from(symbol.right)];
            let counts = halves.map(|half| self.0.get(half).map(|half| half.count));
            match counts {
                [None, _] | [_, None] => return Err(Damage::Symbol(at)),
                [Some(0), _] => stack.push(halves[0]),
                [_, Some(0)] => stack.push(halves[1]),
                [Some(left), Some(right)] => {
                    if left + right > 256 {
                        return Err(Damage::Symbol(at));
                    }
                    self.0[at] = Symbol { left_count: left, count: left + right, ..symbol };
                    stack.pop();
                }
            }
            // Each step down leads to a symbol that is not on the stack, unless one is made of itself.
            if stack.len() > self.0.len() {
                return Err(Damage::Symbol(at));
            }
        }
        Ok(())
    }

    pub(crate) fn get(&self, symbol: usize) -> Option<&Symbol> {
        self.0.get(symbol)
    }

    /// The value at a place among those that a symbol stands for.
    #[inline]
    pub(crate) fn value(&self, symbol: usize, mut place: u32) -> Option<u16> {
        let mut symbol = self.0.get(symbol)?;
        // Halves stand for fewer values than the whole, so that this ends.
        while symbol.left_count > 0 {
            let left_count = u32::from(symbol.left_count);
            let half = if place < left_count {
                symbol.left
            } else {
                place -= left_count;
                symbol.right
            };
            symbol = self.0.get(usize::from(half))?;
        }
        Some(symbol.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triple(left: u16, right: u16) -> [u8; 3] {
        [left as u8, (left >> 8 | right << 4) as u8, (right >> 4) as u8]
    }

    fn read(pairs: &[(u16, u16)]) -> Result<Symbols, Damage> {
        Symbols::read(pairs.iter().map(|&(left, right)| triple(left, right)).collect::<Vec<_>>().as_flattened())
    }

    #[test]
    fn pairs_of_pairs_are_expanded_in_any_order() {
        let symbols = read(&[(1, 2), (2, 3), (7, NO_SYMBOL), (4_000, NO_SYMBOL)]).expect("these can be expanded");
        let values: Vec<Option<u16>> = (0..3).map(|place| symbols.value(0, place)).collect();
        assert_eq!(values, [Some(7), Some(4_000), Some(7)]);
        assert_eq!((symbols.0[0].count, symbols.value(4, 0)), (3, None));
    }

    #[test]
    fn what_cannot_be_expanded_is_refused() {
        assert_eq!(read(&[(0, 0)]).expect_err("it is made of itself"), Damage::Symbol(0));
        assert!(read(&[(1, 2), (2, 0), (3, NO_SYMBOL), (3, NO_SYMBOL)]).is_err(), "a circle");
        assert_eq!(read(&[(5, 1), (1, NO_SYMBOL)]).expect_err("there is no fifth"), Damage::Symbol(0));
        let doubling: Vec<(u16, u16)> =
            (0..10).map(|at| if at == 9 { (0, NO_SYMBOL) } else { (at + 1, at + 1) }).collect();
        assert_eq!(read(&doubling).expect_err("512 values are too many"), Damage::Symbol(0));
        assert!(
            read(
                &doubling[1..]
                    .iter()
                    .map(|&(left, right)| {
                        (left.saturating_sub(1), if right == NO_SYMBOL { right } else { right - 1 })
                    })
                    .collect::<Vec<_>>()
            )
            .is_ok(),
            "256 are not"
        );
    }
}
