//! The attackers of a square, role by role in lanes: how look-ups count without branches.

use super::SeeContext;
use super::context::Exchange;
use crate::attacks;
use crate::lanes::{Lanes, NativeLanes};
use crate::{Bitboard, Color, Role, Square};

/// The attackers of the square of an exchange, counted by role and player.
///
/// A lane of a vector register holds the attackers of one role, so that all are found, counted and weighed at once.
///
/// ```
/// use saavedra_rules::see::{Attackers, Exchange, SeeContext, Values};
/// use saavedra_rules::{Position, Role};
///
/// let position: Position = "4k3/8/2n5/4p3/6N1/8/1B6/4K3 w - - 0 1".parse()?;
/// let (context, mv) = (SeeContext::new(&position), position.parse_san("Nxe5")?);
/// let exchange = Exchange::new(&context, mv, &Values::default()).expect("no castling");
/// let attackers = Attackers::through_all(&context, &exchange);
/// // The black knight is staged. The white bishop is then the only attacker that is left.
/// let staged = attackers.least();
/// assert_eq!(staged, Role::Knight as usize);
/// let weights = [1, 10, 100, 1_000, 10_000, 0, 0, 0];
/// assert_eq!(attackers.weigh(staged, [2, 2, 2, 2, 1, 1, 0, 0], weights), 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Attackers(LaneAttackers<NativeLanes>);

/// The same with lanes of choice, for look-ups.
#[derive(Clone, Copy)]
pub(super) struct LaneAttackers<L> {
    us: L,
    them: L,
    /// Those of the opponent that can capture first.
    first: L,
    pawns: Bitboard,
    /// Whether a rook or bishop stands behind another attacker, while a queen attacks directly.
    has_waiting: bool,
}

/// Rows of eight lanes that each lie in one cache line.
#[repr(align(64))]
struct Aligned<T>(T);

/// For each color and square: from where a pawn, a knight and a king attack it, in the lanes of their roles.
static LEAPERS: Aligned<[[[u64; 8]; 64]; 2]> = Aligned({
    let mut table = [[[0; 8]; 64]; 2];
    let mut index = 0;
    while index < 64 {
        let square = Square::ALL[index];
        // A pawn attacks a square from where a pawn of the other color on it would attack.
        let (white, black) = (attacks::pawn(Color::Black, square).0, attacks::pawn(Color::White, square).0);
        let (knight, king) = (attacks::knight(square).0, attacks::king(square).0);
        table[0][index] = [white, knight, 0, 0, 0, king, 0, 0];
        table[1][index] = [black, knight, 0, 0, 0, king, 0, 0];
        index += 1;
    }
    table
});

/// The lanes of the roles that slide straight, and diagonally.
const STRAIGHT: [u64; 8] = [0, 0, 0, !0, !0, 0, 0, 0];
const DIAGONAL: [u64; 8] = [0, 0, !0, 0, !0, 0, 0, 0];

/// The bit of the lane of kings.
const KING: u8 = 1 << Role::King as u8;

/// Where sliders attack from, in the lanes of the roles that slide.
#[inline(always)]
fn sliding<L: Lanes>(straight: Bitboard, diagonal: Bitboard) -> L {
    let straight = L::splat(straight.0).and(L::new(STRAIGHT));
    straight.or(L::splat(diagonal.0).and(L::new(DIAGONAL)))
}

impl Attackers {
    /// Those that attack the square, first on their line or behind others, without asking who can capture first.
    ///
    /// Rooks and queens are looked through for rooks and queens, bishops, queens and attacking pawns for bishops and
    /// queens.
    #[inline(always)]
    pub fn through_all(context: &SeeContext, exchange: &Exchange) -> Attackers {
        let board = context.board();
        let Exchange { square, us, them, .. } = *exchange;
        let left = us | them;
        let [bishops, rooks, queens] = [Role::Bishop, Role::Rook, Role::Queen].map(|role| board.role(role));
        let pawns = pawns(context, exchange);
        let straight = attacks::rook(square, left - rooks - queens);
        let diagonal = attacks::bishop(square, left - bishops - queens - pawns);
        let sliders = sliding(straight, diagonal);
        let theirs = side(context, square, !context.turn, them, sliders);
        Attackers(LaneAttackers {
            us: side(context, square, context.turn, us, sliders),
            them: theirs,
            first: theirs,
            pawns,
            has_waiting: false,
        })
    }

    /// Attackers that were found by other means, by the index of their role.
    pub fn new(us: [Bitboard; 6], them: [Bitboard; 6]) -> Attackers {
        let lanes = |[a, b, c, d, e, f]: [Bitboard; 6]| NativeLanes::new([a.0, b.0, c.0, d.0, e.0, f.0, 0, 0]);
        let theirs = lanes(them);
        let pawns = us[0] | them[0];
        Attackers(LaneAttackers { us: lanes(us), them: theirs, first: theirs, pawns, has_waiting: false })
    }

    /// The roles of all attackers, and those of the opponent's that can capture first: a bit each.
    #[inline(always)]
    pub fn roles(&self) -> (u8, u8) {
        let all = self.0.us.or(self.0.them);
        (all.intersecting(all), self.0.first.intersecting(self.0.first))
    }

    /// The same without the attackers on some squares.
    #[inline(always)]
    pub fn without(self, squares: Bitboard) -> Attackers {
        let others = NativeLanes::splat((!squares).0);
        let LaneAttackers { us, them, first, .. } = self.0;
        Attackers(LaneAttackers { us: us.and(others), them: them.and(others), first: first.and(others), ..self.0 })
    }

    /// The pawns of both players among the attackers.
    #[inline(always)]
    pub fn pawns(&self) -> Bitboard {
        self.0.pawns
    }

    /// The roles of the attackers that stand on these squares, a bit each.
    #[inline(always)]
    pub fn roles_on(&self, squares: Bitboard) -> u8 {
        self.0.us.or(self.0.them).intersecting(NativeLanes::splat(squares.0))
    }

    /// The opponent's least valuable role that can capture first, by its index; six if none can.
    #[inline(always)]
    pub fn least(&self) -> usize {
        self.0.least()
    }

    /// For each role, how many more attack of ours than of theirs, when one of theirs is staged on the square: within a
    /// reach on both sides of zero, times a weight, and all added up. Nothing is staged where the weight is zero.
    #[inline(always)]
    pub fn weigh(&self, staged: usize, reach: [i16; 8], weights: [i16; 8]) -> i32 {
        self.0.weigh(staged, reach, weights)
    }
}

impl<L: Lanes> LaneAttackers<L> {
    /// Those that attack the square, first on their line or behind others.
    ///
    /// Rooks and queens are looked through for rooks and queens, bishops, queens and attacking pawns for bishops and
    /// queens. Only a piece that attacks directly can capture first.
    #[inline(always)]
    pub(super) fn of(context: &SeeContext, exchange: &Exchange) -> LaneAttackers<L> {
        let board = context.board();
        let Exchange { square, us, them, .. } = *exchange;
        let left = us | them;
        let [bishops, rooks, queens] = [Role::Bishop, Role::Rook, Role::Queen].map(|role| board.role(role));
        let pawns = pawns(context, exchange);
        let straight = attacks::rook(square, left - rooks - queens);
        let diagonal = attacks::bishop(square, left - bishops - queens - pawns);
        let (first_straight, first_diagonal) = (attacks::rook(square, left), attacks::bishop(square, left));
        let behind = (rooks & (straight ^ first_straight) | bishops & (diagonal ^ first_diagonal)) & left;
        let first_queens = queens & (first_straight | first_diagonal) & left;
        let sliders: L = sliding(straight, diagonal);
        let first = side(context, square, !context.turn, them, sliding(first_straight, first_diagonal));
        LaneAttackers {
            us: side(context, square, context.turn, us, sliders),
            them: side(context, square, !context.turn, them, sliders),
            first,
            pawns,
            has_waiting: !behind.is_empty() & !first_queens.is_empty(),
        }
    }

    /// Whether counting is not enough: a piece in front of a king takes part, a rook or bishop waits behind a queen, or
    /// a pawn promotes; and the opponent has more than a king to capture with.
    #[inline(always)]
    pub(super) fn needs_care(&self, context: &SeeContext, from: Square, exchange: &Exchange) -> bool {
        let promoting = u8::from(!self.pawns.is_empty()) & exchange.is_on_edge_bit();
        let waiting = u8::from(self.has_waiting);
        if context.lone_blockers(from).is_empty() & (promoting | waiting == 0) {
            return false;
        }
        let all = self.us.or(self.them);
        let fronts = all.intersecting(L::splat(context.lone_blockers(from).0));
        let attacking = self.first.intersecting(self.first) & !KING;
        let reasons = fronts | context.is_shield(from) | promoting | waiting;
        // A third of the squares are not attacked, at random. A product instead of `&&` makes one rare branch of two
        // and saves a fifth of the time.
        u32::from(attacking) * u32::from(reasons) != 0
    }

    #[inline(always)]
    pub(super) fn least(&self) -> usize {
        (u32::from(self.first.intersecting(self.first)) | 1 << 6).trailing_zeros() as usize
    }

    #[inline(always)]
    pub(super) fn weigh(&self, staged: usize, reach: [i16; 8], weights: [i16; 8]) -> i32 {
        let differences = self.us.counts().minus(self.them.counts());
        differences.clamped_and_weighed(staged, reach.map(|reach| -reach), reach, weights)
    }
}

/// The pawns of both players that attack the square.
#[inline(always)]
fn pawns(context: &SeeContext, exchange: &Exchange) -> Bitboard {
    let Exchange { square, us, them, .. } = *exchange;
    let leapers = |color: Color| Bitboard(LEAPERS.0[color as usize][square.index()][0]);
    context.board().role(Role::Pawn) & (leapers(context.turn) & us | leapers(!context.turn) & them)
}

/// A player's pieces that attack a square, when sliders do so from these squares.
#[inline(always)]
fn side<L: Lanes>(context: &SeeContext, square: Square, color: Color, pieces: Bitboard, sliders: L) -> L {
    let leapers = L::new(LEAPERS.0[color as usize][square.index()]);
    context.board().roles::<L>().and(L::splat(pieces.0)).and(leapers.or(sliders))
}
