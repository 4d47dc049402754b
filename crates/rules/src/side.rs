//! The player to move as a type, so that the compiler writes the move generator once for each.

use std::marker::PhantomData;

use crate::lanes::{Lanes, NativeLanes};
use crate::{Bitboard, Color, File, Rank, Square};

/// A player known at compile time, and the instructions that the code for this player may use.
pub(crate) trait Side {
    type Opponent: Side<Lanes = Self::Lanes>;
    type Lanes: Lanes;
    const COLOR: Color;
}

pub(crate) struct White<L = NativeLanes>(PhantomData<L>);
pub(crate) struct Black<L = NativeLanes>(PhantomData<L>);

impl<L: Lanes> Side for White<L> {
    type Opponent = Black<L>;
    type Lanes = L;
    const COLOR: Color = Color::White;
}

impl<L: Lanes> Side for Black<L> {
    type Opponent = White<L>;
    type Lanes = L;
    const COLOR: Color = Color::Black;
}

/// Calls a function that is generic over a [`Side`] for a color known only at run time.
macro_rules! for_side {
    ($color:expr, $side:ident => $call:expr) => {
        match $color {
            $crate::Color::White => {
                type $side = $crate::side::White;
                $call
            }
            $crate::Color::Black => {
                type $side = $crate::side::Black;
                $call
            }
        }
    };
}
pub(crate) use for_side;

/// The same with the best instructions that this CPU has.
macro_rules! for_best_side {
    ($color:expr, $side:ident => $call:expr) => {{
        let color = $color;
        $crate::lanes::for_best_lanes!(Best => match color {
            $crate::Color::White => {
                type $side = $crate::side::White<Best>;
                $call
            }
            $crate::Color::Black => {
                type $side = $crate::side::Black<Best>;
                $call
            }
        })
    }};
}
pub(crate) use for_best_side;

/// The ways a pawn goes forward.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PawnStep {
    Push,
    /// A capture towards the h-file.
    East,
    /// A capture towards the a-file.
    West,
}

impl PawnStep {
    const fn files(self) -> i32 {
        match self {
            PawnStep::Push => 0,
            PawnStep::East => 1,
            PawnStep::West => -1,
        }
    }

    /// How far the step takes a pawn of `S`, counted in squares.
    #[inline(always)]
    const fn distance<S: Side>(self) -> i32 {
        self.files()
            + match S::COLOR {
                Color::White => 8,
                Color::Black => -8,
            }
    }

    /// Where the step takes these pawns; those on the edge file do not step over it.
    #[inline(always)]
    pub(crate) fn advance<S: Side>(self, pawns: Bitboard) -> Bitboard {
        let edge = match self {
            PawnStep::Push => Bitboard::EMPTY,
            PawnStep::East => File::H.squares(),
            PawnStep::West => File::A.squares(),
        };
        let distance = self.distance::<S>();
        let movers = (pawns - edge).0;
        Bitboard(if distance > 0 { movers << distance } else { movers >> -distance })
    }

    /// The square from which the step leads to `to`.
    #[inline(always)]
    pub(crate) fn origin<S: Side>(self, to: Square) -> Square {
        Square::from_low_bits((to as i32 - self.distance::<S>()) as u32)
    }

    /// The square from which a double push leads to `to`.
    #[inline(always)]
    pub(crate) fn double_push_origin<S: Side>(to: Square) -> Square {
        PawnStep::Push.origin::<S>(PawnStep::Push.origin::<S>(to))
    }

    /// Which lane of a set of lanes this step goes along, or against.
    pub(crate) const fn axis<S: Side>(self) -> usize {
        match (self, S::COLOR) {
            (PawnStep::Push, _) => 2,
            (PawnStep::East, Color::White) | (PawnStep::West, Color::Black) => 3,
            (PawnStep::West, Color::White) | (PawnStep::East, Color::Black) => 1,
        }
    }
}

/// The squares of a rank as the side counts it.
#[inline(always)]
pub(crate) const fn rank<S: Side>(rank: Rank) -> Bitboard {
    S::COLOR.relative(rank).squares()
}
