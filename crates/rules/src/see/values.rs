//! What pieces are worth in an exchange.

use crate::Role;

/// What a side gains by taking each kind of piece. The king has no value: it is never taken.
///
/// Any positive values will do for [`exhaustive`](super::exhaustive) search and for [`swap`](super::swap); the look-up
/// asks for more, see [`Lookup::new`](super::Lookup::new).
///
/// ```
/// use saavedra_rules::Role;
/// use saavedra_rules::see::Values;
///
/// const TUNED: Values = Values::new(92, 311, 337, 506, 1031);
/// assert_eq!(TUNED.of(Role::Bishop), 337);
/// assert_eq!(Values::default().of(Role::Queen), 1000);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Values {
    /// By the index of the role; the king's entry and those beyond, which stand for an empty square, are zero.
    slots: [i32; 16],
}

impl Values {
    /// The scale the look-up was thought out in: a queen is two rooks, a knight is a bishop.
    pub const ROUND: Values = Values::new(100, 300, 300, 500, 1000);

    /// The most a piece may be worth, so that sums stay far from the price of a king.
    pub const LIMIT: i32 = 5_000;

    /// More than any exchange can win: the price of a king that would be taken.
    pub const KING: i32 = 30_000;

    /// A scale of one's own.
    ///
    /// # Panics
    /// If a value is not positive, or beyond [`LIMIT`](Values::LIMIT). In a constant this is a compile-time error.
    pub const fn new(pawn: i32, knight: i32, bishop: i32, rook: i32, queen: i32) -> Values {
        let slots = [pawn, knight, bishop, rook, queen, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let mut role = 0;
        while role < 5 {
            assert!(slots[role] > 0 && slots[role] <= Values::LIMIT, "a piece is worth something, within the limit");
            role += 1;
        }
        Values { slots }
    }

    /// The value of a role; zero for the king.
    #[inline]
    pub const fn of(&self, role: Role) -> i32 {
        self.slots[role as usize]
    }

    /// The value in a slot as [`Board::slot_at`](crate::board::Board::slot_at) numbers them: zero for nothing.
    #[inline(always)]
    pub(super) fn slot(&self, slot: usize) -> i32 {
        self.slots[slot & 15]
    }

    /// What a pawn gains by becoming this role.
    #[inline]
    pub const fn promotion(&self, role: Role) -> i32 {
        self.of(role) - self.of(Role::Pawn)
    }
}

impl Default for Values {
    fn default() -> Values {
        Values::ROUND
    }
}
