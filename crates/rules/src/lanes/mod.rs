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
//! looking pieces up one by one, so the move generator asks [`FAST`] before it takes this road.

#![allow(dead_code, reason = "a build uses one of the back ends; the tests compare all that the CPU can run")]

#[cfg(target_feature = "avx2")]
mod avx2;
#[cfg(all(target_feature = "avx512f", target_feature = "avx512vpopcntdq"))]
mod avx512;
mod portable;

use crate::attacks::AXES;
use crate::{Bitboard, File, Rank, Square};

cfg_select! {
    all(target_feature = "avx512f", target_feature = "avx512vpopcntdq") => {
        pub(crate) use avx512::Lanes;
    }
    target_feature = "avx2" => {
        pub(crate) use avx2::Lanes;
    }
    _ => {
        pub(crate) use portable::Lanes;
    }
}

/// Which of the back ends this build uses.
pub const VECTOR_INSTRUCTIONS: &str = cfg_select! {
    all(target_feature = "avx512f", target_feature = "avx512vpopcntdq") => { "AVX-512" }
    target_feature = "avx2" => { "AVX2" }
    _ => { "no vector instructions" }
};

/// Whether this build has registers wide enough to make lanes worth while.
pub(crate) const FAST: bool = cfg!(target_feature = "avx2");

/// The odd lanes, as a mask.
#[cfg(all(target_feature = "avx512f", target_feature = "avx512vpopcntdq"))]
const DIAGONAL: u8 = 0b1010_1010;

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

/// What all back ends have in common.
macro_rules! moves_by_direction {
    ($lanes:ty) => {
        impl $lanes {
            /// The pieces that slide in each direction.
            #[inline(always)]
            pub(crate) fn sliders(straight: Bitboard, diagonal: Bitboard) -> Self {
                Self::alternate(straight.0, diagonal.0)
            }

            /// The lines through a square, one lane for each of their directions.
            #[inline(always)]
            pub(crate) fn lines_through(square: Square) -> Self {
                Self::new(AXES[square.index()])
            }

            /// The squares that pieces reach by sliding over empty squares, their own squares included.
            ///
            /// Each step doubles the reach: one square, three, seven.
            #[inline(always)]
            pub(crate) fn slide(self, empty: Bitboard) -> Self {
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
            pub(crate) fn step(self) -> Self {
                self.advance(STEP).and(Self::new(ARRIVALS))
            }

            /// Where knights leap, one lane for each way to leap.
            #[inline(always)]
            pub(crate) fn leaps(knights: Bitboard) -> Self {
                Self::splat(knights.0).advance(LEAP).and(Self::new(LEAP_ARRIVALS))
            }
        }
    };
}

moves_by_direction!(portable::Lanes);
#[cfg(target_feature = "avx2")]
moves_by_direction!(avx2::Lanes);
#[cfg(all(target_feature = "avx512f", target_feature = "avx512vpopcntdq"))]
moves_by_direction!(avx512::Lanes);

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

    macro_rules! agrees_with_the_attack_tables {
        ($name:ident, $lanes:ty) => {
            #[test]
            fn $name() {
                for [straight, diagonal, knights, targets] in samples() {
                    let occupied = straight | diagonal | knights;
                    let slides = <$lanes>::sliders(straight, diagonal).slide(!occupied).step();
                    let leaps = <$lanes>::leaps(knights);
                    let targets_everywhere = <$lanes>::splat(targets.0);
                    let count = <$lanes>::splat(0)
                        .plus_counts(slides.and(targets_everywhere), leaps.and(targets_everywhere))
                        .sum();

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
        };
    }

    #[cfg(target_feature = "avx2")]
    macro_rules! weighs_like_the_portable_twin {
        ($name:ident, $lanes:ty) => {
            #[test]
            fn $name() {
                for [a, b, c, d] in samples() {
                    let us = [a.0, b.0, c.0, d.0, (a & b).0, (b & c).0, (c & d).0, 0];
                    let them = [d.0, c.0, b.0, a.0, 0, (a & c).0, (b & d).0, (a & d).0];
                    let (low, high) = ([-2, -7, 0, -3, -2, -1, -64, -5], [2, 3, 0, 20, 1, 1, 64, 0]);
                    let weights = [3000, 500, 0, 70, 11, 7, 1, 9];
                    macro_rules! weigh {
                        ($any:ty) => {{
                            let differences = <$any>::new(us).counts().minus(<$any>::new(them).counts());
                            differences.clamped_and_weighed(a.0 as usize, low, high, weights)
                        }};
                    }
                    assert_eq!(weigh!($lanes), weigh!(portable::Lanes));
                }
            }
        };
    }

    #[cfg(target_feature = "avx2")]
    weighs_like_the_portable_twin!(avx2_lanes_weigh_like_their_twin, avx2::Lanes);
    #[cfg(all(target_feature = "avx512f", target_feature = "avx512vpopcntdq"))]
    weighs_like_the_portable_twin!(avx512_lanes_weigh_like_their_twin, avx512::Lanes);

    agrees_with_the_attack_tables!(portable_lanes_agree_with_the_attack_tables, portable::Lanes);
    #[cfg(target_feature = "avx2")]
    agrees_with_the_attack_tables!(avx2_lanes_agree_with_the_attack_tables, avx2::Lanes);
    #[cfg(all(target_feature = "avx512f", target_feature = "avx512vpopcntdq"))]
    agrees_with_the_attack_tables!(avx512_lanes_agree_with_the_attack_tables, avx512::Lanes);
}
