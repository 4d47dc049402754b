//! The look-up of the founding document.
//!
//! The opponent's least valuable attacker is staged on the square. What the player to move then wins back by taking it
//! is its value less a *price*, which depends on the two sides' remaining attackers only through five differences:
//! pawns −2..2, minor pieces −3..3, rooks −2..2, queens −1..1, kings −1..1. That makes 1,575 prices.
//!
//! Where a piece in front of a king takes part, or something waits behind a queen, [`Rules`] says who counts.

use rules::see::{Attackers, Exchange, SeeContext, Values, price_of_differences};
use rules::{Bitboard, Move, MoveKind, Role, Square, attacks};

use crate::Rules;

/// How far the differences in pawns, minor pieces, rooks, queens and kings are told apart, on both sides of zero.
const REACH: [i8; 5] = [2, 3, 2, 1, 1];

const ENTRIES: usize = 5 * 7 * 5 * 3 * 3;
const _: () = assert!(ENTRIES == 1_575);

/// How the prices lie in memory. Knights and bishops are counted apart, up to three each, and added up by sharing a
/// dimension, so that it has a border: beyond three minor pieces the price of three is repeated.
const WIDTH: [usize; 5] = [5, 13, 5, 3, 3];
const PLACES: usize = 5 * 13 * 5 * 3 * 3;

/// How far apart neighbours in each kind lie.
const STRIDES: [usize; 5] = {
    let mut strides = [1; 5];
    let mut kind = 4;
    while kind > 0 {
        strides[kind - 1] = strides[kind] * WIDTH[kind];
        kind -= 1;
    }
    strides
};

/// Where the price for no differences lies.
const ORIGIN: usize = PLACES / 2;

/// Reach and strides by the index of the role; the last two hold nothing.
const REACH_OF_ROLES: [i16; 8] = [2, 3, 3, 2, 1, 1, 0, 0];
const STRIDE_OF_ROLES: [i16; 8] = {
    let [pawn, minor, rook, queen, king] = STRIDES;
    [pawn as i16, minor as i16, minor as i16, rook as i16, queen as i16, king as i16, 0, 0]
};

/// The differences that a place stands for, each within its reach.
const fn differences(place: usize) -> [i8; 5] {
    let mut differences = [0; 5];
    let mut kind = 0;
    while kind < 5 {
        let steps = (place / STRIDES[kind] % WIDTH[kind]) as i8 - (WIDTH[kind] / 2) as i8;
        let reach = REACH[kind];
        differences[kind] = if steps > reach {
            reach
        } else if steps < -reach {
            -reach
        } else {
            steps
        };
        kind += 1;
    }
    differences
}

/// The look-up of the founding document.
///
/// ```
/// use saavedra_lessons::ExchangeTable;
/// use saavedra_lessons::rules::Position;
/// use saavedra_lessons::rules::see::SeeContext;
///
/// let position: Position = "4k3/8/2n5/4p3/6N1/8/8/4K3 w - - 0 1".parse()?;
/// let (context, mv) = (SeeContext::new(&position), position.parse_san("Nxe5")?);
/// assert_eq!(ExchangeTable::ROUND.value(&context, mv), -200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExchangeTable {
    values: Values,
    /// The values of the opponent's first capturer by role, and of none: the king's and the last are beyond all prices.
    staged: [i32; 8],
    prices: [i16; PLACES],
}

impl ExchangeTable {
    /// The table for [`Values::ROUND`].
    pub const ROUND: &'static ExchangeTable = &ExchangeTable::new(Values::ROUND);

    /// Whether the table can be built for these values.
    pub const fn suits(values: &Values) -> bool {
        let [pawn, knight, bishop] = [values.of(Role::Pawn), values.of(Role::Knight), values.of(Role::Bishop)];
        let [rook, queen] = [values.of(Role::Rook), values.of(Role::Queen)];
        pawn <= knight && knight == bishop && bishop <= rook && 2 * rook <= queen
    }

    /// Computes a table: do so in a constant, where it costs nothing.
    ///
    /// ```compile_fail
    /// use saavedra_lessons::ExchangeTable;
    /// use saavedra_lessons::rules::see::Values;
    ///
    /// // A queen for less than two rooks.
    /// const TUNED: &ExchangeTable = &ExchangeTable::new(Values::new(100, 300, 300, 500, 900));
    /// # println!("{TUNED:?}");
    /// ```
    ///
    /// # Panics
    /// Unless a knight is worth a bishop, a queen two rooks or more, and values rise from the pawn to the queen. In a
    /// constant this is a compile-time error.
    pub const fn new(values: Values) -> ExchangeTable {
        assert!(
            ExchangeTable::suits(&values),
            "the table wants knight = bishop, queen >= 2 rooks, and values that rise"
        );
        let [pawn, minor, rook, queen] =
            [values.of(Role::Pawn), values.of(Role::Knight), values.of(Role::Rook), values.of(Role::Queen)];
        let by_kind = [pawn, minor, rook, queen, Values::KING];
        let mut prices = [0; PLACES];
        let mut place = 0;
        while place < PLACES {
            prices[place] = price_of_differences(&by_kind, differences(place)) as i16;
            place += 1;
        }
        let none = 2 * Values::KING;
        ExchangeTable { values, staged: [pawn, minor, minor, rook, queen, Values::KING, none, none], prices }
    }

    /// What a legal move wins, by the document's rules.
    #[inline]
    pub fn value(&self, context: &SeeContext, mv: Move) -> i32 {
        if mv.kind() == MoveKind::Normal {
            self.opened(context, mv.from(), &Exchange::normal(context, mv, &self.values))
        } else {
            self.unusual(context, mv)
        }
    }

    /// En passant may open a line to a king from two squares, so that the rules are asked.
    #[cold]
    fn unusual(&self, context: &SeeContext, mv: Move) -> i32 {
        self.value_by(Rules::ALL, context, mv)
    }

    #[inline(always)]
    fn opened(&self, context: &SeeContext, from: Square, exchange: &Exchange) -> i32 {
        let attackers = Attackers::through_all(context, exchange);
        let (roles, theirs) = attackers.roles();
        let fronts = attackers.roles_on(context.lone_blockers(from));
        let queen_lines = (roles & QUEEN) * u8::from(roles & BISHOP_OR_ROOK != 0);
        // A product instead of `&&` makes one branch of two, one of which would be taken at random.
        if u32::from(theirs & !KING) * u32::from(fronts | queen_lines) == 0 {
            return self.look_up(exchange, &attackers);
        }
        self.closer(context, exchange, attackers, fronts != 0)
    }

    /// The look-up where a piece in front of a king takes part, or a queen and another slider.
    #[inline(never)]
    fn closer(&self, context: &SeeContext, exchange: &Exchange, attackers: Attackers, has_front: bool) -> i32 {
        if has_waiting(context, exchange, &attackers) {
            return self.by_the_rules(Rules::ALL, context, exchange);
        }
        match has_front.then(|| without_pinned(context, exchange, attackers)) {
            None => self.look_up(exchange, &attackers),
            Some(Some(attackers)) => self.look_up(exchange, &attackers),
            Some(None) => self.by_the_rules(Rules::ALL, context, exchange),
        }
    }

    /// What a legal move wins by mere counting: no piece is pinned, and what stands behind a queen counts.
    ///
    /// The document says that its rules for pins and for pieces behind queens may almost safely be ignored. This is
    /// what is left then.
    #[inline]
    pub fn value_by_counting(&self, context: &SeeContext, mv: Move) -> i32 {
        if mv.kind() == MoveKind::Normal {
            let exchange = Exchange::normal(context, mv, &self.values);
            return self.look_up(&exchange, &Attackers::through_all(context, &exchange));
        }
        let count = |exchange| self.look_up(&exchange, &Attackers::through_all(context, &exchange));
        Exchange::new(context, mv, &self.values).map_or(0, count)
    }

    /// What a legal move wins, if only some rules are followed: to find out what a rule is worth.
    pub fn value_by(&self, rules: Rules, context: &SeeContext, mv: Move) -> i32 {
        Exchange::new(context, mv, &self.values).map_or(0, |exchange| self.by_the_rules(rules, context, &exchange))
    }

    #[inline(never)]
    fn by_the_rules(&self, rules: Rules, context: &SeeContext, exchange: &Exchange) -> i32 {
        self.look_up(exchange, &rules.gather(context.position(), exchange))
    }

    #[inline(always)]
    fn look_up(&self, exchange: &Exchange, attackers: &Attackers) -> i32 {
        let staged = attackers.least();
        let place = ORIGIN as i32 + attackers.weigh(staged, REACH_OF_ROLES, STRIDE_OF_ROLES);
        let recapture = (self.staged[staged % 8] - i32::from(self.prices[place as usize])).max(0);
        exchange.gain - (exchange.exposed - recapture).max(0)
    }
}

const KING: u8 = 1 << Role::King as u8;
const QUEEN: u8 = 1 << Role::Queen as u8;
const KNIGHT_OR_BISHOP: u8 = 1 << Role::Knight as u8 | 1 << Role::Bishop as u8;
const BISHOP_OR_ROOK: u8 = 1 << Role::Bishop as u8 | 1 << Role::Rook as u8;

/// Whether a rook or bishop stands behind a queen.
#[inline(always)]
fn has_waiting(context: &SeeContext, exchange: &Exchange, attackers: &Attackers) -> bool {
    let position = context.position();
    let [bishops, rooks] = [Role::Bishop, Role::Rook].map(|role| position.by_role(role));
    let left = exchange.us | exchange.them;
    let straight = attacks::rook(exchange.square, left - rooks);
    let diagonal = attacks::bishop(exchange.square, left - bishops - attackers.pawns());
    attackers.roles_on((rooks - straight) | (bishops - diagonal)) != 0
}

/// The attackers without those that are pinned by a piece that takes no part; nothing if a rook that does take part
/// pins a knight or bishop, which is for [`Rules`] to judge.
#[inline(always)]
fn without_pinned(context: &SeeContext, exchange: &Exchange, mut attackers: Attackers) -> Option<Attackers> {
    let position = context.position();
    let occupied = exchange.us | exchange.them | exchange.square.bitboard();
    let turn = position.turn();
    for (color, enemies) in [(turn, exchange.them), (!turn, exchange.us)] {
        let [bishops, rooks, queens] = [Role::Bishop, Role::Rook, Role::Queen].map(|role| position.by_role(role));
        let (straight, diagonal) = ((rooks | queens) & enemies, (bishops | queens) & enemies);
        let mut pinned = Bitboard::EMPTY;
        for sniper in attacks::snipers(position.king(color), straight, diagonal, occupied) {
            let own = if sniper.blockers.more_than_one() { Bitboard::EMPTY } else { sniper.blockers - enemies };
            if attackers.roles_on(sniper.square.bitboard()) == 0 {
                pinned |= own;
            } else if rooks.contains(sniper.square) && attackers.roles_on(own) & KNIGHT_OR_BISHOP != 0 {
                return None;
            }
        }
        if attackers.roles_on(pinned) != 0 {
            // A pinned piece keeps the enemy king away all the same.
            attackers = attackers.without(pinned | position.by_role(Role::King) & enemies);
        }
    }
    Some(attackers)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many counts or differences there are up to a number.
    fn counts(most: u64) -> u64 {
        most + 1
    }

    fn differences_up_to(most: u64) -> u64 {
        2 * most + 1
    }

    #[test]
    fn the_table_shrinks_as_the_document_says() {
        const ON_THE_SQUARE: u64 = 5;
        // The most attackers of each kind: pawns, knights, bishops, rooks, queens, kings.
        let with_promotions = [2, 8, 9, 10, 9, 1];
        let without_promoted_xrays = [2, 8, 4, 4, 9, 1];
        let minors_merged = [2, 11, 4, 9, 1];
        let both_sides = |most: &[u64]| most.iter().map(|&most| counts(most) * counts(most)).product::<u64>();
        let by_difference = |most: &[u64]| most.iter().map(|&most| differences_up_to(most)).product::<u64>();
        let clamped: Vec<u64> = REACH.iter().map(|&reach| reach as u64).collect();
        let chain = [
            both_sides(&with_promotions) * ON_THE_SQUARE,
            both_sides(&without_promoted_xrays) * ON_THE_SQUARE,
            by_difference(&without_promoted_xrays) * ON_THE_SQUARE,
            by_difference(&minors_merged) * ON_THE_SQUARE,
            by_difference(&clamped) * ON_THE_SQUARE,
            ENTRIES as u64,
        ];
        assert_eq!(chain, [17_641_800_000, 911_250_000, 1_962_225, 294_975, 7_875, 1_575]);
    }

    #[test]
    fn every_price_lies_where_its_differences_say() {
        assert_eq!(differences(ORIGIN), [0; 5]);
        assert_eq!(differences(PLACES - 1), REACH);
        let by_kind = [100, 300, 500, 1000, Values::KING];
        let mut seen = std::collections::HashSet::new();
        for place in 0..PLACES {
            let differences = differences(place);
            seen.insert(differences);
            let price = price_of_differences(&by_kind, differences) as i16;
            assert_eq!(ExchangeTable::ROUND.prices[place], price);
        }
        assert_eq!(seen.len(), ENTRIES);
    }
}
