//! Eight bitboards at once: one lane per direction of the queen.
//!
//! Sliding moves in one direction have a pleasant property: a square is reached by at most one piece, since a second
//! one further back would be blocked by the first. So the moves of *all* sliders of a side in one direction form a
//! set, and counting them is counting its squares. With a lane for each direction, a flood fill that doubles its
//! reach in each step finds the moves of every bishop, rook and queen in a dozen vector instructions, without a loop,
//! a table or a branch. The knights' eight leaps and a king's eight steps fit the same shape.
//!
//! The lanes are ordered like the directions of the attack tables: the first four lead to higher squares, the last
//! four are their opposites, even ones are straight and odd ones diagonal.
//!
//! Three back ends share one shape: `avx512`, `avx2` and `portable`. The last is right on every CPU but no gain over
//! looking pieces up one by one, so the move generator asks [`Lanes::FAST`] before it takes this road.
//!
//! [`NativeLanes`] are those that the build enables for all code. What takes long enough asks the CPU for something
//! better ([`for_best_lanes!`]) and is then compiled for that as a whole: perft at the root of a walk, a list of moves,
//! an exchange. A build for any x86-64 so searches as fast as one for the CPU at hand; without, it lost 5 % or more.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
pub(crate) mod portable;

use crate::attacks::AXES;
use crate::{Bitboard, File, Rank, Square};

/// What the build enables for all code.
pub(crate) type NativeLanes = cfg_select! {
    all(target_feature = "avx512f", target_feature = "avx512vpopcntdq") => { avx512::Avx512 }
    target_feature = "avx2" => { avx2::Avx2 }
    _ => { portable::Portable }
};

/// Evaluates an expression with `$lanes` standing for the best lanes that this CPU has.
macro_rules! for_best_lanes {
    ($lanes:ident => $call:expr) => {
        match $crate::Instructions::in_use() {
            #[cfg(target_arch = "x86_64")]
            $crate::Instructions::Avx512 => {
                type $lanes = $crate::lanes::avx512::Avx512;
                $call
            }
            #[cfg(target_arch = "x86_64")]
            $crate::Instructions::Avx2 => {
                type $lanes = $crate::lanes::avx2::Avx2;
                $call
            }
            _ => {
                type $lanes = $crate::lanes::portable::Portable;
                $call
            }
        }
    };
}
pub(crate) use for_best_lanes;

/// Work that is done by [`Lanes::apart`]. A closure would do, if it could be told to be inlined.
pub(crate) trait Work {
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`, so that they are compiled for the caller's instructions.
    fn run(self) -> Self::Output;
}

/// How far one step in each of the first four directions, and the knight's first four leaps, take a square. The
/// opposite directions go as far back.
const STEP: [u8; 4] = [1, 7, 8, 9];
const LEAP: [u8; 4] = [6, 10, 15, 17];

/// The squares that a step in each direction can arrive at: the others are where a shift wraps around the edge.
const ARRIVALS: [u64; 8] = {
    let (a, h) = (File::A.squares().0, File::H.squares().0);
    let (first, eighth) = (Rank::First.squares().0, Rank::Eighth.squares().0);
    [!a, !(h | first), !first, !(a | first), !h, !(a | eighth), !eighth, !(h | eighth)]
};

/// The squares that a knight's leap can arrive at, in the order of [`LEAP`] and its opposites.
const LEAP_ARRIVALS: [u64; 8] = {
    let (a, h) = (File::A.squares().0, File::H.squares().0);
    let (ab, gh) = (a | File::B.squares().0, h | File::G.squares().0);
    let (first, eighth) = (Rank::First.squares().0, Rank::Eighth.squares().0);
    let (low, high) = (first | Rank::Second.squares().0, eighth | Rank::Seventh.squares().0);
    let up = [!(gh | first), !(ab | first), !(h | low), !(a | low)];
    let down = [!(ab | eighth), !(gh | eighth), !(a | high), !(h | high)];
    [up[0], up[1], up[2], up[3], down[0], down[1], down[2], down[3]]
};

const fn times(factor: u8, [a, b, c, d]: [u8; 4]) -> [u8; 4] {
    [factor * a, factor * b, factor * c, factor * d]
}

/// Eight sets of squares, one for each direction.
///
/// The types other than [`NativeLanes`] may only be used inside [`for_best_lanes!`], which asks the CPU, and in tests
/// that ask it themselves.
pub(crate) trait Lanes: Copy {
    /// Whether they are faster than looking pieces up one by one.
    const FAST: bool;

    /// Does work in a function of its own that is compiled for the instructions of these lanes.
    fn apart<W: Work>(work: W) -> W::Output;

    /// The lanes as they are given.
    fn new(lanes: [u64; 8]) -> Self;

    /// The same set in every lane.
    fn splat(lane: u64) -> Self;

    /// One set in the even lanes, another in the odd ones.
    fn alternate(even: u64, odd: u64) -> Self;

    /// What two have in common.
    fn and(self, other: Self) -> Self;

    /// What is in one of two.
    fn or(self, other: Self) -> Self;

    /// The first four lanes moved up by these distances, the last four moved down. What comes in at the edge is left
    /// to the caller to mask.
    fn advance(self, distances: [u8; 4]) -> Self;

    /// These lanes as a running count, with the sizes of all sets in two others added somewhere.
    fn plus_counts(self, a: Self, b: Self) -> Self;

    /// How many squares each lane holds.
    fn counts(self) -> Self;

    /// The lanes as numbers, those of another subtracted.
    fn minus(self, other: Self) -> Self;

    /// Lanes as small numbers, one of them raised by one, each brought within its limits, multiplied by its weight, and
    /// all added up.
    fn clamped_and_weighed(self, raised: usize, low: [i16; 8], high: [i16; 8], weights: [i16; 8]) -> i32;

    /// The lanes in which the two have a square in common, one bit each.
    fn intersecting(self, other: Self) -> u8;

    /// All lanes united.
    fn union(self) -> u64;

    /// All lanes as numbers, added up.
    fn sum(self) -> u64;

    /// The pieces that slide in each direction.
    #[inline(always)]
    fn sliders(straight: Bitboard, diagonal: Bitboard) -> Self {
        Self::alternate(straight.0, diagonal.0)
    }

    /// The lines through a square, one lane for each of their directions.
    #[inline(always)]
    fn lines_through(square: Square) -> Self {
        Self::new(AXES[square.index()])
    }

    /// The squares that pieces reach by sliding over empty squares, their own squares included.
    ///
    /// Each step doubles the reach: one square, three, seven.
    #[inline(always)]
    fn slide(self, empty: Bitboard) -> Self {
        const ONE: [u8; 4] = STEP;
        const TWO: [u8; 4] = times(2, STEP);
        const FOUR: [u8; 4] = times(4, STEP);
        let open = Self::splat(empty.0).and(Self::new(ARRIVALS));
        let reached = self.or(open.and(self.advance(ONE)));
        let open = open.and(open.advance(ONE));
        let reached = reached.or(open.and(reached.advance(TWO)));
        let open = open.and(open.advance(TWO));
        reached.or(open.and(reached.advance(FOUR)))
    }

    /// The squares one step on, each lane in its direction.
    #[inline(always)]
    fn step(self) -> Self {
        self.advance(STEP).and(Self::new(ARRIVALS))
    }

    /// Where knights leap, one lane for each way to leap.
    #[inline(always)]
    fn leaps(knights: Bitboard) -> Self {
        Self::splat(knights.0).advance(LEAP).and(Self::new(LEAP_ARRIVALS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks;
    use crate::keys::splitmix64;

    /// Sets of squares, sparse and dense, the same in every run.
    fn samples() -> impl Iterator<Item = [Bitboard; 4]> {
        let mut number = 0;
        let mut random = move || {
            number += 1;
            Bitboard(splitmix64(number))
        };
        (0..10_000).map(move |_| {
            let sparse = random() & random() & random();
            [sparse, random() & random() & random(), random() & random(), random()]
        })
    }

    /// Does something in code that is compiled for the lanes, as a walk does.
    fn within<L: Lanes>(check: impl FnOnce()) {
        struct Check<F>(F);
        impl<F: FnOnce()> Work for Check<F> {
            type Output = ();
            #[inline(always)]
            fn run(self) {
                (self.0)();
            }
        }
        L::apart(Check(check));
    }

    fn agree_with_the_attack_tables<L: Lanes>() {
        for [straight, diagonal, knights, targets] in samples() {
            let occupied = straight | diagonal | knights;
            let slides = L::sliders(straight, diagonal).slide(!occupied).step();
            let leaps = L::leaps(knights);
            let targets_everywhere = L::splat(targets.0);
            let count = L::splat(0).plus_counts(slides.and(targets_everywhere), leaps.and(targets_everywhere)).sum();

            let one_by_one: Vec<Bitboard> = (straight.into_iter().map(|from| attacks::rook(from, occupied)))
                .chain(diagonal.into_iter().map(|from| attacks::bishop(from, occupied)))
                .chain(knights.into_iter().map(attacks::knight))
                .collect();
            let union = one_by_one.iter().fold(Bitboard::EMPTY, |all, &set| all | set);
            let sum: u32 = one_by_one.iter().map(|&set| (set & targets).count()).sum();
            assert_eq!(Bitboard(slides.or(leaps).union()), union);
            assert_eq!(count, u64::from(sum));
        }
    }

    fn weigh_like_the_portable_twin<L: Lanes>() {
        fn weigh<L: Lanes>([a, b, c, d]: [Bitboard; 4]) -> i32 {
            let us = [a.0, b.0, c.0, d.0, (a & b).0, (b & c).0, (c & d).0, 0];
            let them = [d.0, c.0, b.0, a.0, 0, (a & c).0, (b & d).0, (a & d).0];
            let (low, high) = ([-2, -7, 0, -3, -2, -1, -64, -5], [2, 3, 0, 20, 1, 1, 64, 0]);
            let differences = L::new(us).counts().minus(L::new(them).counts());
            differences.clamped_and_weighed(a.0 as usize, low, high, [3000, 500, 0, 70, 11, 7, 1, 9])
        }
        for sample in samples() {
            assert_eq!(weigh::<L>(sample), weigh::<portable::Portable>(sample));
        }
    }

    fn are_right<L: Lanes>() {
        within::<L>(agree_with_the_attack_tables::<L>);
        within::<L>(weigh_like_the_portable_twin::<L>);
    }

    #[test]
    fn all_lanes_that_this_cpu_has_agree_with_the_attack_tables_and_with_each_other() {
        are_right::<portable::Portable>();
        #[cfg(target_arch = "x86_64")]
        {
            if avx2::is_available() {
                are_right::<avx2::Avx2>();
            }
            if avx512::is_available() {
                are_right::<avx512::Avx512>();
            }
        }
    }
}
