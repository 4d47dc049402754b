//! The look-up: what an exchange wins, from a table of prices.
//!
//! The opponent's least valuable attacker is staged on the square, and the price of taking it is looked up by the
//! differences in attackers of each role. It grew from the table of the founding document (`saavedra-lessons`), and was
//! changed where the measurements said so:
//!
//! * Only a piece that attacks the square directly is staged; one behind an enemy piece counts, but cannot begin.
//! * Knights and bishops have a dimension each, so that their values may differ, and a queen may be worth less than two
//!   rooks.
//! * A piece behind an *enemy* queen counts, since the queen has to go first; behind an own queen it waits.
//! * Every pin counts, with the board as it stands after the move. A pinned piece cannot capture but keeps the enemy
//!   king away, and a piece that pins and could capture had better not, for it would set its victim free.
//! * A discovered check lets only the king capture, on either side.
//! * On the last rank pawns become queens: captures are staged until no pawn is left.
//!
//! The first point costs two more slider look-ups. All others are handled apart, where a king is exposed or a pawn
//! promotes, and cost next to nothing elsewhere.

use super::gathering::Gathering;
use super::lines::Lines;
use super::prices::Layout;
use super::scene::{Attackers, Exposure, Opening};
use super::{Scene, Values};
use crate::{Bitboard, Move, MoveKind, Role, Square};

/// Each role by itself.
const LAYOUT: Layout<6> = Layout { reach: [2, 2, 2, 2, 1, 1] };
const PLACES: usize = LAYOUT.entries();
const ORIGIN: i32 = LAYOUT.origin() as i32;

/// The layout by the lanes of the roles; the last two hold nothing.
const STRIDES: [i16; 8] = {
    let [pawn, knight, bishop, rook, queen, king] = LAYOUT.strides();
    [pawn as i16, knight as i16, bishop as i16, rook as i16, queen as i16, king as i16, 0, 0]
};
const LOWEST: [i16; 8] = [-2, -2, -2, -2, -1, -1, 0, 0];
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
        let gathering = Gathering::of(scene, opening);
        if gathering.needs_care(scene, from, opening) {
            self.careful(scene, opening)
        } else {
            let staged = gathering.least();
            let recapture = (self.staged[staged % 8] - self.price(&gathering, staged)).max(0);
            opening.gain - (opening.exposed - recapture).max(0)
        }
    }

    /// What the recapture of a staged piece costs.
    #[inline(always)]
    fn price(&self, gathering: &Gathering, staged: usize) -> i32 {
        // Staging leaves the opponent one attacker fewer. If there was none, the lane of no role has weight zero.
        let place = ORIGIN + gathering.differences().clamped_and_weighed(staged, LOWEST, HIGHEST, STRIDES);
        i32::from(self.prices[place as usize])
    }

    /// The look-up with a closer look at the kings, at what stands behind queens, and at promotions.
    #[inline(never)]
    fn careful(&self, scene: &Scene, opening: &Opening) -> i32 {
        let board = scene.board();
        let direct = Attackers::direct(board, opening);
        if !direct.all().intersects(opening.them) {
            return opening.gain;
        }
        let occupied = opening.occupied();
        let theirs = Exposure::of(board, !scene.turn, opening.us, occupied, direct.all());
        let ours = Exposure::of(board, scene.turn, opening.them, occupied, direct.all());
        if !theirs.checkers.is_empty() {
            // A discovered check: only the king may capture, and only what is not guarded.
            let without_king = Opening { them: opening.them - direct.kings, ..*opening };
            let is_guarded = Attackers::direct(board, &without_king).all().intersects(opening.us);
            let is_lost = direct.kings.intersects(opening.them) && !is_guarded;
            return if is_lost { opening.gain - opening.exposed } else { opening.gain };
        }
        let lines = Lines::through(board, opening, &direct);
        // A pinned piece may not capture, and what pins it does well not to: it would set its victim free.
        let pinned = theirs.pinned | ours.pinned | theirs.pinners | ours.pinners;
        // A piece that cannot capture still keeps the enemy king away.
        let keeping_away = lines.waiting | lines.counted.all() & pinned;
        let mut us = lines.counted.on(opening.us - pinned);
        let mut them = lines.counted.on(opening.them - pinned);
        if keeping_away.intersects(opening.us) {
            them.kings = Bitboard::EMPTY;
        }
        if keeping_away.intersects(opening.them) {
            us.kings = Bitboard::EMPTY;
        }
        // Only a piece that attacks the square already can be the first to capture.
        let first = Attackers { kings: them.kings, ..direct.on(opening.them - pinned) };
        let Some(staged) = first.least() else { return opening.gain };
        if opening.is_on_edge() && !direct.pawns.is_empty() {
            return opening.gain - self.take(them, us, opening.exposed);
        }
        // A capture that opens a line to our king can only be answered by the king.
        if first.all().intersects(ours.masking) && us.kings.is_empty() {
            return opening.gain - opening.exposed;
        }
        let gathering = Gathering::new(&us, &them);
        let recapture = (self.staged[staged as usize] - self.price(&gathering, staged as usize)).max(0);
        opening.gain - (opening.exposed - recapture).max(0)
    }

    /// What a player wins by capturing on the last rank, where a pawn becomes a queen.
    ///
    /// The pieces are staged one by one until no pawn is left; the rest is looked up.
    fn take(&self, mut us: Attackers, them: Attackers, on_square: i32) -> i32 {
        let Some(role) = us.least() else { return 0 };
        if role == Role::King && them.least().is_some() {
            return 0;
        }
        us.remove_one(role);
        let (won, stands) = match role {
            Role::Pawn => (on_square + self.values.promotion(Role::Queen), self.values.of(Role::Queen)),
            role => (on_square, self.values.of(role)),
        };
        let won_back = if role == Role::Pawn || !them.pawns.is_empty() {
            self.take(them, us, stands)
        } else {
            // What stands on the square is the least of its side, as the table wants it.
            (stands - self.price(&Gathering::new(&them, &us), 6)).max(0)
        };
        (won - won_back).max(0)
    }
}
