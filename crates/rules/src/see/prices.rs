//! What a capture costs, by counting: the recursion that tables of prices are filled from.

use super::Values;

/// How many pieces of each kind can still capture, from the least valuable kind to the king.
pub(super) type Counts<const KINDS: usize> = [u8; KINDS];

/// The price of a capture that cannot be made: more than anything it could win.
pub(super) const FORBIDDEN: i32 = Values::KING;

const fn least<const KINDS: usize>(counts: &Counts<KINDS>) -> usize {
    let mut kind = 0;
    while kind < KINDS && counts[kind] == 0 {
        kind += 1;
    }
    kind
}

/// What the player to move gives back by capturing with the least valuable piece: what the opponent then wins.
///
/// Whatever stands on the square is won on top of that, so that capturing is worth its value less this price.
pub(super) const fn price<const KINDS: usize>(
    values: &[i32; KINDS],
    mut us: Counts<KINDS>,
    them: Counts<KINDS>,
) -> i32 {
    let kind = least(&us);
    if kind == KINDS || (kind == KINDS - 1 && least(&them) < KINDS) {
        return FORBIDDEN;
    }
    us[kind] -= 1;
    let won_back = values[kind] - price(values, them, us);
    if won_back > 0 { won_back } else { 0 }
}

/// The price of a capture when only the differences in attackers of each kind are known, ours less theirs, from the
/// least valuable kind to the king: pieces of a kind that both players have are traded off.
///
/// What the player to move wins by capturing is the value on the square less this price, or nothing.
///
/// ```
/// use saavedra_rules::see::{Values, price_of_differences};
///
/// let values = [100, 300, 500, 1000, Values::KING];
/// // A rook takes, and nothing takes it back; then a rook takes, and a pawn takes it back.
/// assert_eq!(price_of_differences(&values, [0, 0, 1, 0, 0]), 0);
/// assert_eq!(price_of_differences(&values, [-1, 0, 1, 0, 0]), 500);
/// ```
pub const fn price_of_differences<const KINDS: usize>(values: &[i32; KINDS], differences: [i8; KINDS]) -> i32 {
    let (mut us, mut them) = ([0; KINDS], [0; KINDS]);
    let mut kind = 0;
    while kind < KINDS {
        if differences[kind] > 0 {
            us[kind] = differences[kind] as u8;
        } else {
            them[kind] = -differences[kind] as u8;
        }
        kind += 1;
    }
    price(values, us, them)
}

/// How prices lie in memory, one dimension for each kind.
pub(super) struct Layout<const KINDS: usize> {
    /// How far each difference is told apart, on both sides of zero.
    pub(super) reach: [i8; KINDS],
}

impl<const KINDS: usize> Layout<KINDS> {
    /// How many entries there are.
    pub(super) const fn entries(&self) -> usize {
        self.strides()[0] * self.width(0)
    }

    const fn width(&self, kind: usize) -> usize {
        2 * self.reach[kind] as usize + 1
    }

    /// How far apart neighbours in each kind lie.
    pub(super) const fn strides(&self) -> [usize; KINDS] {
        let mut strides = [1; KINDS];
        let mut kind = KINDS - 1;
        while kind > 0 {
            strides[kind - 1] = strides[kind] * self.width(kind);
            kind -= 1;
        }
        strides
    }

    /// Where the entry for no differences lies.
    pub(super) const fn origin(&self) -> usize {
        let mut origin = 0;
        let mut kind = 0;
        while kind < KINDS {
            origin += self.strides()[kind] * self.reach[kind] as usize;
            kind += 1;
        }
        origin
    }

    /// The differences that a place stands for.
    const fn differences(&self, place: usize) -> [i8; KINDS] {
        let strides = self.strides();
        let mut differences = [0; KINDS];
        let mut kind = 0;
        while kind < KINDS {
            differences[kind] = (place / strides[kind] % self.width(kind)) as i8 - self.reach[kind];
            kind += 1;
        }
        differences
    }

    /// The prices of all places.
    pub(super) const fn prices<const PLACES: usize>(&self, values: &[i32; KINDS]) -> [i16; PLACES] {
        let mut prices = [0; PLACES];
        let mut place = 0;
        while place < PLACES {
            prices[place] = price_of_differences(values, self.differences(place)) as i16;
            place += 1;
        }
        prices
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: [i32; 5] = [100, 300, 500, 1000, Values::KING];

    /// All counts of up to two pieces of a kind, and one king.
    fn all_counts() -> Vec<Counts<5>> {
        (0..3 * 3 * 3 * 3 * 2).map(|n: u8| [n % 3, n / 3 % 3, n / 9 % 3, n / 27 % 3, n / 81 % 2]).collect()
    }

    fn differences(us: &Counts<5>, them: &Counts<5>) -> [i8; 5] {
        std::array::from_fn(|kind| us[kind] as i8 - them[kind] as i8)
    }

    #[test]
    fn only_differences_matter_if_the_least_piece_stands_on_the_square() {
        let counts = all_counts();
        for us in &counts {
            for them in &counts {
                let reduced = price_of_differences(&VALUES, differences(us, them));
                let full = price(&VALUES, *us, *them);
                // What stands on the square is worth no more than the least of theirs; a king cannot be taken.
                for &stands in VALUES[..4].iter().take(least(them) + 1) {
                    assert_eq!((stands - full).max(0), (stands - reduced).max(0), "{us:?} {them:?} {stands}");
                }
            }
        }
    }

    #[test]
    fn differences_are_not_enough_if_something_better_stands_on_the_square() {
        // A queen on the square, a rook against a rook: it is taken all the same.
        let rook = [0, 0, 1, 0, 0];
        assert_eq!(1000 - price(&VALUES, rook, rook), 500);
        assert_eq!((1000 - price_of_differences(&VALUES, differences(&rook, &rook))).max(0), 0);
    }

    /// The price if the player may choose whom to capture with.
    fn best_price(us: Counts<5>, them: Counts<5>) -> i32 {
        let with = |kind: usize| {
            let mut rest = us;
            rest[kind] = rest[kind].checked_sub(1)?;
            let is_legal = kind < 4 || least(&them) == 5;
            is_legal.then(|| (VALUES[kind] - best_price(them, rest)).max(0))
        };
        (0..5).filter_map(with).min().unwrap_or(FORBIDDEN)
    }

    #[test]
    fn the_least_valuable_piece_is_the_best_one_to_capture_with() {
        let few = all_counts().into_iter().filter(|counts| counts.iter().sum::<u8>() <= 3);
        for us in few.clone() {
            for them in few.clone() {
                assert_eq!(price(&VALUES, us, them), best_price(us, them), "{us:?} {them:?}");
            }
        }
    }
}
