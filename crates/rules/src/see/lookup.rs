//! The look-up: what an exchange wins, from a table of prices.
//!
//! The opponent's least valuable attacker is staged on the square, and the price of taking it is looked up by the
//! differences in attackers of each role. It grew from the table of the founding document (`saavedra-lessons`), and was
//! changed where the measurements said so:
//!
//! * Only a piece that attacks the square directly is staged; one behind an enemy piece counts, but cannot begin.
//! * Knights and bishops have a dimension each, so that their values may differ, and a queen may be worth less than two
//!   rooks.
//! * What counting cannot tell, the captures tell: where a piece in front of a king takes part (a pin, a discovered
//!   check), where a rook or bishop stands behind another attacker and a queen attacks too, and where a pawn promotes,
//!   the answer is that of [`swap`].

use std::marker::PhantomData;

use super::attackers::LaneAttackers;
use super::context::Exchange;
use super::prices::Layout;
use super::{SeeContext, Values, swap};
use crate::lanes::{Lanes, NativeLanes, Work, for_best_lanes};
use crate::{Move, MoveKind, Role, Square};

/// Each role by itself.
const LAYOUT: Layout<6> = Layout { reach: [2, 2, 2, 2, 1, 1] };
const PLACES: usize = LAYOUT.entries();
const ORIGIN: i32 = LAYOUT.origin() as i32;

/// The layout by the lanes of the roles; the last two hold nothing.
const STRIDES: [i16; 8] = {
    let [pawn, knight, bishop, rook, queen, king] = LAYOUT.strides();
    [pawn as i16, knight as i16, bishop as i16, rook as i16, queen as i16, king as i16, 0, 0]
};
const HIGHEST: [i16; 8] = [2, 2, 2, 2, 1, 1, 0, 0];

/// The look-up to use: what an exchange wins, without a loop.
#[derive(Clone, Debug)]
pub struct Lookup {
    values: Values,
    /// The values of the opponent's first capturer by role. The king's outbids everything, and so does that of no
    /// capturer.
    staged: [i32; 8],
    prices: [i16; PLACES],
}

impl Lookup {
    /// The look-up for [`Values::ROUND`].
    pub const ROUND: &'static Lookup = &Lookup::new(Values::ROUND);

    /// Whether the look-up can be built for these values.
    pub const fn suits(values: &Values) -> bool {
        values.of(Role::Pawn) <= values.of(Role::Knight)
            && values.of(Role::Knight) <= values.of(Role::Bishop)
            && values.of(Role::Bishop) <= values.of(Role::Rook)
            && values.of(Role::Rook) <= values.of(Role::Queen)
    }

    /// Computes a look-up: do so in a constant, where it costs nothing.
    ///
    /// ```
    /// use saavedra_rules::see::{Lookup, Values};
    ///
    /// const TUNED: &Lookup = &Lookup::new(Values::new(92, 311, 337, 506, 931));
    /// # assert!(Lookup::suits(&Values::new(92, 311, 337, 506, 931)));
    /// # let _ = TUNED;
    /// ```
    ///
    /// # Panics
    /// Unless values rise from the pawn to the queen. In a constant this is a compile-time error.
    pub const fn new(values: Values) -> Lookup {
        assert!(Lookup::suits(&values), "the look-up wants values that rise from the pawn to the queen");
        let by_role = [
            values.of(Role::Pawn),
            values.of(Role::Knight),
            values.of(Role::Bishop),
            values.of(Role::Rook),
            values.of(Role::Queen),
            Values::KING,
        ];
        let [pawn, knight, bishop, rook, queen, king] = by_role;
        let none = 2 * Values::KING;
        let staged = [pawn, knight, bishop, rook, queen, king, none, none];
        Lookup { values, staged, prices: LAYOUT.prices(&by_role) }
    }

    /// What a legal move wins.
    #[inline]
    pub fn value(&self, context: &SeeContext, mv: Move) -> i32 {
        for_best_lanes!(L => L::apart(Question { lookup: self, context, mv, lanes: PhantomData::<L> }))
    }

    #[cold]
    fn unusual(&self, context: &SeeContext, mv: Move) -> i32 {
        let exchange = Exchange::new(context, mv, &self.values);
        exchange.map_or(0, |exchange| self.opened::<NativeLanes>(context, mv.from(), &exchange))
    }

    #[inline(always)]
    fn opened<L: Lanes>(&self, context: &SeeContext, from: Square, exchange: &Exchange) -> i32 {
        let attackers = LaneAttackers::<L>::of(context, exchange);
        if attackers.needs_care(context, from, exchange) {
            return self.careful(context, from, exchange);
        }
        let staged = attackers.least();
        let recapture = (self.staged[staged % 8] - self.price(&attackers, staged)).max(0);
        exchange.gain - (exchange.exposed - recapture).max(0)
    }

    /// Follows the captures one by one, where counting the attackers is not enough.
    #[inline(never)]
    fn careful(&self, context: &SeeContext, from: Square, exchange: &Exchange) -> i32 {
        swap::exchange_value(context, from, exchange, &self.values, |_| {})
    }

    /// What the recapture of a staged piece costs.
    #[inline(always)]
    fn price<L: Lanes>(&self, attackers: &LaneAttackers<L>, staged: usize) -> i32 {
        let place = ORIGIN + attackers.weigh(staged, HIGHEST, STRIDES);
        i32::from(self.prices[place as usize])
    }
}

/// What a move wins, asked of a look-up.
struct Question<'a, L> {
    lookup: &'a Lookup,
    context: &'a SeeContext<'a>,
    mv: Move,
    lanes: PhantomData<L>,
}

impl<L: Lanes> Work for Question<'_, L> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Question { lookup, context, mv, .. } = self;
        if mv.kind() == MoveKind::Normal {
            lookup.opened::<L>(context, mv.from(), &Exchange::normal_by::<L>(context, mv, &lookup.values))
        } else {
            lookup.unusual(context, mv)
        }
    }
}
