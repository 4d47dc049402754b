//! Checks of the exercises about exchanges.

use testkit::Random;

use super::{Answers, Cases};

/// What the player to move wins if every capturer may be tried, not only the least: the witness for the swap-off, which
/// takes for granted that the least is the best.
fn by_search(target: i32, us: &[i32], them: &[i32]) -> i32 {
    let takes = (0..us.len()).map(|index| {
        let mut left = us.to_vec();
        let capturer = left.remove(index);
        target - by_search(capturer, them, &left)
    });
    takes.max().unwrap_or(0).max(0)
}

pub(super) fn swap_off<A: Answers>(cases: &mut Cases) {
    let mut random = Random::new(5);
    let mut attackers = || {
        let mut values: Vec<i32> = (0..random.below(5)).map(|_| *random.pick(&[100, 300, 300, 500, 1_000])).collect();
        values.sort_unstable();
        values
    };
    for round in 0..400 {
        let (us, them) = (attackers(), attackers());
        let target = [100, 300, 500, 1_000][round % 4];
        let case = || format!("{us:?} take {target}, guarded by {them:?}");
        cases.expect(case, A::swap_off(target, &us, &them), by_search(target, &us, &them));
    }
}

pub(super) fn entries<A: Answers>(cases: &mut Cases) {
    // The document's sizes from its third step on, without the factor five for the piece on the square.
    for (reaches, size) in [
        (&[2, 8, 4, 4, 9, 1][..], 1_962_225 / 5),
        (&[2, 11, 4, 9, 1], 294_975 / 5),
        (&[2, 3, 2, 1, 1], 1_575),
        (&[0], 1),
    ] {
        cases.expect(|| format!("differences up to {reaches:?}"), A::entries(reaches), size);
    }
}
