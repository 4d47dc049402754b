//! Random numbers that repeat, so that games do.

/// A sequence of random numbers for each seed: SplitMix64.
#[derive(Clone, Debug)]
pub(crate) struct Chance {
    state: u64,
}

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// One of several things, each as likely as the others; none of none.
    pub(crate) fn pick<T: Copy>(&mut self, things: &[T]) -> Option<T> {
        // The high half of the product is a number below the length; its unevenness for lists of moves is not measurable.
        let index = (u128::from(self.next()) * things.len() as u128) >> 64;
        things.get(index as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thing_is_drawn_about_as_often_and_the_draws_repeat() {
        let mut chance = Chance::new(1);
        let mut counts = [0; 7];
        for _ in 0..7_000 {
            counts[chance.pick(&[0, 1, 2, 3, 4, 5, 6]).expect("there are seven")] += 1;
        }
        assert!(counts.iter().all(|count| (850..1_150).contains(count)), "{counts:?}");
        assert_eq!(Chance::new(5).next(), Chance::new(5).next());
        assert_eq!(chance.pick::<u8>(&[]), None);
    }
}
