//! The look-up of the founding document.
//!
//! The opponent's least valuable attacker is staged on the square. What the player to move then wins back by taking it
//! is its value less a *price*, which depends on the two sides' remaining attackers only through five differences:
//! pawns −2..2, minor pieces −3..3, rooks −2..2, queens −1..1, kings −1..1. That makes 1,575 prices.
//!
//! Where the document leaves a choice:
//!
//! * Of pins it treats those by a rook that takes part in the exchange. A piece pinned by one that does not is here no
//!   attacker at all; to count it all the same would cost a tenth of a per cent of the signs.
//! * It bars a king from capturing where an enemy rook or bishop waits behind a queen, and adds that this may almost
//!   safely be ignored. Here it is ignored unless a piece in front of a king takes part: to look for it always takes a
//!   tenth more time and sets one sign in twenty thousand right.

use rules::see::{Scene, Values, price_of_differences};
use rules::{Bitboard, Color, Move, Role, attacks};

use crate::opening::{Attackers, Opening};

/// How far the differences in pawns, minor pieces, rooks, queens and kings are told apart, on both sides of zero.
const REACH: [i8; 5] = [2, 3, 2, 1, 1];

const ENTRIES: usize = 5 * 7 * 5 * 3 * 3;
const _: () = assert!(ENTRIES == 1_575);

/// Where the price for some differences lies. Each is within its reach.
const fn place(differences: [i8; 5]) -> usize {
    let mut place = 0;
    let mut kind = 0;
    while kind < 5 {
        place = place * (2 * REACH[kind] as usize + 1) + (differences[kind] + REACH[kind]) as usize;
        kind += 1;
    }
    place
}

/// The look-up of the founding document.
///
/// ```
/// use saavedra_lessons::Table;
/// use saavedra_lessons::rules::Position;
/// use saavedra_lessons::rules::see::Scene;
///
/// let position: Position = "4k3/8/2n5/4p3/6N1/8/8/4K3 w - - 0 1".parse()?;
/// let (scene, mv) = (Scene::new(&position), position.parse_san("Nxe5")?);
/// assert_eq!(Table::ROUND.value(&scene, mv), -200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    values: Values,
    /// The values of the opponent's first capturer by role, and of none: the king's and the last are beyond all prices.
    staged: [i32; 7],
    prices: [i16; ENTRIES],
}

impl Table {
    /// The table for [`Values::ROUND`].
    pub const ROUND: &'static Table = &Table::new(Values::ROUND);

    /// Whether the table can be built for these values.
    pub const fn suits(values: &Values) -> bool {
        let [pawn, knight, bishop] = [values.of(Role::Pawn), values.of(Role::Knight), values.of(Role::Bishop)];
        let [rook, queen] = [values.of(Role::Rook), values.of(Role::Queen)];
        pawn <= knight && knight == bishop && bishop <= rook && 2 * rook <= queen
    }

    /// Computes a table: do so in a constant, where it costs nothing.
    ///
    /// ```compile_fail
    /// use saavedra_lessons::Table;
    /// use saavedra_lessons::rules::see::Values;
    ///
    /// // A queen for less than two rooks.
    /// const TUNED: &Table = &Table::new(Values::new(100, 300, 300, 500, 900));
    /// # println!("{TUNED:?}");
    /// ```
    ///
    /// # Panics
    /// Unless a knight is worth a bishop, a queen two rooks or more, and values rise from the pawn to the queen. In a
    /// constant this is a compile-time error.
    pub const fn new(values: Values) -> Table {
        assert!(Table::suits(&values), "the table wants knight = bishop, queen >= 2 rooks, and values that rise");
        let [pawn, minor, rook, queen] =
            [values.of(Role::Pawn), values.of(Role::Knight), values.of(Role::Rook), values.of(Role::Queen)];
        let by_kind = [pawn, minor, rook, queen, Values::KING];
        let mut prices = [0; ENTRIES];
        let mut index = 0;
        while index < ENTRIES {
            // The inverse of `place`.
            let (mut differences, mut left, mut kind) = ([0; 5], index, 5);
            while kind > 0 {
                kind -= 1;
                let width = 2 * REACH[kind] as usize + 1;
                differences[kind] = (left % width) as i8 - REACH[kind];
                left /= width;
            }
            prices[index] = price_of_differences(&by_kind, differences) as i16;
            index += 1;
        }
        let staged = [pawn, minor, minor, rook, queen, Values::KING, 2 * Values::KING];
        Table { values, staged, prices }
    }

    /// What a legal move wins, by the document's rules.
    #[inline]
    pub fn value(&self, scene: &Scene, mv: Move) -> i32 {
        let Some(opening) = Opening::new(scene.position(), mv, &self.values) else { return 0 };
        let attackers = opening.attackers();
        let (us, them) = (attackers.on(opening.us), attackers.on(opening.them));
        // A piece in front of a king takes part, and a piece other than the king can take.
        let blockers = scene.lone_blockers(mv.from());
        let is_pin_possible = attackers.all().intersects(blockers) && !(them.all() - them.of(Role::King)).is_empty();
        if is_pin_possible { self.with_pins(&opening, us, them) } else { self.look_up(&opening, &us, &them) }
    }

    /// The look-up where a piece in front of a king takes part.
    #[inline(never)]
    fn with_pins(&self, opening: &Opening, mut us: Attackers, mut them: Attackers) -> i32 {
        // A rook or bishop behind a queen keeps the enemy king away.
        let queens = opening.position.by_role(Role::Queen);
        let waiting = opening.sliders(queens) - us.all() - them.all();
        if waiting.intersects(opening.us) {
            them.remove(Role::King, Bitboard::ALL);
        }
        if waiting.intersects(opening.them) {
            us.remove(Role::King, Bitboard::ALL);
        }
        let turn = opening.position.turn();
        apply_pin_rule(opening, turn, &mut us, &mut them);
        apply_pin_rule(opening, !turn, &mut them, &mut us);
        self.look_up(opening, &us, &them)
    }

    #[inline]
    fn look_up(&self, opening: &Opening, us: &Attackers, them: &Attackers) -> i32 {
        let staged = them.least();
        // Staging leaves the opponent one attacker fewer.
        let difference = |role: Role, reach: i8| {
            let theirs = them.of(role).count() as i8 - i8::from(staged == role as usize);
            (us.of(role).count() as i8 - theirs).clamp(-reach, reach)
        };
        let [pawns, minors, rooks, queens, kings] = REACH;
        let minor = difference(Role::Knight, minors) + difference(Role::Bishop, minors);
        let place = place([
            difference(Role::Pawn, pawns),
            minor.clamp(-minors, minors),
            difference(Role::Rook, rooks),
            difference(Role::Queen, queens),
            difference(Role::King, kings),
        ]);
        let recapture = (self.staged[staged] - i32::from(self.prices[place])).max(0);
        opening.gain - (opening.exposed - recapture).max(0)
    }
}

/// Applies the rules for pins of `color`'s pieces.
///
/// A piece pinned by one that takes no part is no attacker at all. One that is pinned by a rook that does take part is
/// out as well, and with it the king, which the rook keeps away, and a queen, which the rook would win; but the enemy
/// king knows that the queen is there.
fn apply_pin_rule(opening: &Opening, color: Color, own: &mut Attackers, enemy: &mut Attackers) {
    let enemies = opening.pieces(!color);
    *own = own.on(!pinned_by(opening, color, enemies - enemy.all()));
    let pinned = pinned_by(opening, color, enemies & enemy.of(Role::Rook));
    if pinned.intersects(own.of(Role::Knight) | own.of(Role::Bishop)) {
        own.remove(Role::Knight, pinned);
        own.remove(Role::Bishop, pinned);
        own.remove(Role::King, Bitboard::ALL);
        if !own.of(Role::Queen).is_empty() {
            own.remove(Role::Queen, Bitboard::ALL);
            enemy.remove(Role::King, Bitboard::ALL);
        }
    }
}

/// The pieces of `color` that some of the enemy's pieces pin.
fn pinned_by(opening: &Opening, color: Color, pinners: Bitboard) -> Bitboard {
    let position = opening.position;
    let [bishops, rooks, queens] = [Role::Bishop, Role::Rook, Role::Queen].map(|role| position.by_role(role) & pinners);
    let occupied = opening.us | opening.them | opening.square.bitboard();
    attacks::snipers(position.king(color), rooks | queens, bishops | queens, occupied)
        .filter(|sniper| !sniper.blockers.has_several())
        .fold(Bitboard::EMPTY, |pinned, sniper| pinned | (sniper.blockers - pinners))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many counts or differences there are up to a number.
    fn counts(most: u64) -> u64 {
        most + 1
    }

    fn differences(most: u64) -> u64 {
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
        let by_difference = |most: &[u64]| most.iter().map(|&most| differences(most)).product::<u64>();
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
        assert_eq!(place([-2, -3, -2, -1, -1]), 0);
        assert_eq!(place(REACH), ENTRIES - 1);
        let by_kind = [100, 300, 500, 1000, Values::KING];
        for differences in [[0, 0, 0, 0, 0], [1, -2, 0, 1, 0], [-2, 3, -1, 0, 1]] {
            let price = price_of_differences(&by_kind, differences) as i16;
            assert_eq!(Table::ROUND.prices[place(differences)], price);
        }
    }
}
