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

use super::gathering::Gathering;
use super::lines::Lines;
use super::prices::Layout;
use super::scene::{Attackers, Exposure, Opening};
use super::{Scene, Values};
use crate::board::Board;
use crate::{Bitboard, Color, Move, MoveKind, Role, Square};

/// Pawns, minor pieces, rooks, queens, kings. Knights and bishops are counted apart, up to three each, and added up by
/// sharing a dimension: it has a border.
const LAYOUT: Layout<5> = Layout { reach: [2, 3, 2, 1, 1], lowest: [-2, -6, -2, -1, -1], highest: [2, 6, 2, 1, 1] };
const PLACES: usize = LAYOUT.places();
const ORIGIN: i32 = LAYOUT.origin() as i32;
const _: () = assert!(LAYOUT.entries() == 1_575);

/// The layout by the lanes of the roles; the last two hold nothing.
const STRIDES: [i16; 8] = {
    let [pawn, minor, rook, queen, king] = LAYOUT.strides();
    [pawn as i16, minor as i16, minor as i16, rook as i16, queen as i16, king as i16, 0, 0]
};
const LOWEST: [i16; 8] = [-2, -3, -3, -2, -1, -1, 0, 0];
const HIGHEST: [i16; 8] = [2, 3, 3, 2, 1, 1, 0, 0];

/// The look-up of the founding document.
#[derive(Clone, Debug)]
pub struct Table {
    values: Values,
    /// The values of the opponent's first capturer by kind. The king's outbids everything, and so does nobody's.
    staged: [i32; 8],
    prices: [i16; PLACES],
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
    /// use saavedra_rules::see::{Table, Values};
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
        let prices = LAYOUT.prices(&by_kind);
        let nobody = 2 * Values::KING;
        Table { values, staged: [pawn, minor, minor, rook, queen, Values::KING, nobody, nobody], prices }
    }

    /// What a legal move wins, by the document's rules.
    #[inline]
    pub fn value(&self, scene: &Scene, mv: Move) -> i32 {
        if mv.kind() == MoveKind::Normal {
            self.opened(scene, mv.from(), &Opening::normal(scene, mv, &self.values))
        } else {
            self.unusual(scene, mv)
        }
    }

    #[cold]
    fn unusual(&self, scene: &Scene, mv: Move) -> i32 {
        Opening::unusual(scene, mv, &self.values).map_or(0, |opening| self.opened(scene, mv.from(), &opening))
    }

    #[inline(always)]
    fn opened(&self, scene: &Scene, from: Square, opening: &Opening) -> i32 {
        let gathering = Gathering::of::<false>(scene, opening);
        if gathering.needs_care::<false>(scene, from, opening) {
            self.with_lines(scene.board(), opening)
        } else {
            self.look_up(opening, gathering)
        }
    }

    /// The look-up where a piece in front of a king takes part.
    #[inline(never)]
    fn with_lines(&self, board: &Board, opening: &Opening) -> i32 {
        let direct = Attackers::direct(board, opening);
        let lines = Lines::through::<false>(board, opening, &direct);
        let mut us = lines.counted.on(opening.us);
        let mut them = lines.counted.on(opening.them);
        if lines.waiting.intersects(opening.us) {
            them.kings = Bitboard::EMPTY;
        }
        if lines.waiting.intersects(opening.them) {
            us.kings = Bitboard::EMPTY;
        }
        apply_pin_rule(board, opening, board.turn, &mut us, &mut them);
        apply_pin_rule(board, opening, !board.turn, &mut them, &mut us);
        self.look_up(opening, Gathering::new(&us, &them))
    }

    #[inline(always)]
    fn look_up(&self, opening: &Opening, gathering: Gathering) -> i32 {
        let staged = gathering.least();
        let differences = gathering.differences();
        // Staging leaves the opponent one attacker fewer; nobody's lane weighs nothing.
        let place = ORIGIN + differences.clamped_and_weighed(staged, LOWEST, HIGHEST, STRIDES);
        let price = i32::from(self.prices[place as usize]);
        let recapture = (self.staged[staged % 8] - price).max(0);
        opening.gain - (opening.exposed - recapture).max(0)
    }
}

/// Applies the rules for pins of `color`'s pieces.
///
/// A piece pinned by one that takes no part is no attacker at all. One that is pinned by a rook that does take part is
/// out as well, and with it the king, which the rook keeps away, and a queen, which the rook would win; but the enemy
/// king knows that the queen is there.
fn apply_pin_rule(board: &Board, opening: &Opening, color: Color, own: &mut Attackers, enemy: &mut Attackers) {
    let enemies = if color == board.turn { opening.them } else { opening.us };
    let pinned_by = |pinners: Bitboard| Exposure::of(board, color, pinners, opening.occupied(), Bitboard::EMPTY).pinned;
    *own = own.on(!pinned_by(enemies - enemy.all()));
    let pinned = pinned_by(enemies & enemy.rooks);
    if pinned.intersects(own.knights | own.bishops) {
        own.knights -= pinned;
        own.bishops -= pinned;
        own.kings = Bitboard::EMPTY;
        if !own.queens.is_empty() {
            own.queens = Bitboard::EMPTY;
            enemy.kings = Bitboard::EMPTY;
        }
    }
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
        let clamped: Vec<u64> = LAYOUT.reach.iter().map(|&reach| reach as u64).collect();
        let chain = [
            both_sides(&with_promotions) * ON_THE_SQUARE,
            both_sides(&without_promoted_xrays) * ON_THE_SQUARE,
            by_difference(&without_promoted_xrays) * ON_THE_SQUARE,
            by_difference(&minors_merged) * ON_THE_SQUARE,
            by_difference(&clamped) * ON_THE_SQUARE,
            LAYOUT.entries() as u64,
        ];
        assert_eq!(chain, [17_641_800_000, 911_250_000, 1_962_225, 294_975, 7_875, 1_575]);
    }

    #[test]
    fn the_border_repeats_the_edge() {
        for place in 0..PLACES {
            let differences = LAYOUT.differences(place);
            let inner: usize =
                (0..5).map(|kind| (differences[kind] - LAYOUT.lowest[kind]) as usize * LAYOUT.strides()[kind]).sum();
            assert_eq!(Table::ROUND.prices[place], Table::ROUND.prices[inner]);
        }
    }
}
