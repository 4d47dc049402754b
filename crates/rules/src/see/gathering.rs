//! The attackers of a square, role by role in lanes: how the look-up counts without branches.

use super::Scene;
use super::scene::Opening;
use crate::attacks;
use crate::lanes::Lanes;
use crate::{Bitboard, Color, Role, Square};

/// The attackers of each player, a lane for each role.
#[derive(Clone, Copy)]
pub(super) struct Gathering {
    us: Lanes,
    them: Lanes,
    /// Those of the opponent that can capture first.
    first: Lanes,
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
fn sliding(straight: Bitboard, diagonal: Bitboard) -> Lanes {
    let straight = Lanes::splat(straight.0).and(Lanes::new(STRAIGHT));
    straight.or(Lanes::splat(diagonal.0).and(Lanes::new(DIAGONAL)))
}

impl Gathering {
    /// Those that attack the square, first on their line or behind others.
    ///
    /// Rooks and queens are looked through for rooks and queens, bishops, queens and attacking pawns for bishops and
    /// queens. Only a piece that attacks directly can capture first.
    #[inline(always)]
    pub(super) fn of(scene: &Scene, opening: &Opening) -> Gathering {
        let board = scene.board();
        let Opening { square, us, them, .. } = *opening;
        let left = us | them;
        let our_leapers = &LEAPERS.0[scene.turn as usize][square.index()];
        let their_leapers = &LEAPERS.0[!scene.turn as usize][square.index()];
        let pawns = board.role(Role::Pawn) & (Bitboard(our_leapers[0]) & us | Bitboard(their_leapers[0]) & them);
        let [bishops, rooks, queens] = [Role::Bishop, Role::Rook, Role::Queen].map(|role| board.role(role));
        let straight = attacks::rook(square, left - rooks - queens);
        let diagonal = attacks::bishop(square, left - bishops - queens - pawns);
        let (first_straight, first_diagonal) = (attacks::rook(square, left), attacks::bishop(square, left));
        let behind = (rooks & (straight ^ first_straight) | bishops & (diagonal ^ first_diagonal)) & left;
        let first_queens = queens & (first_straight | first_diagonal) & left;
        let roles = board.roles();
        let sliders = sliding(straight, diagonal);
        let side = |leapers: &[u64; 8], pieces: Bitboard, sliders: Lanes| {
            roles.and(Lanes::splat(pieces.0)).and(Lanes::new(*leapers).or(sliders))
        };
        let (ours, theirs) = (side(our_leapers, us, sliders), side(their_leapers, them, sliders));
        let first = side(their_leapers, them, sliding(first_straight, first_diagonal));
        let has_waiting = !behind.is_empty() & !first_queens.is_empty();
        Gathering { us: ours, them: theirs, first, pawns, has_waiting }
    }

    /// Whether counting is not enough: a piece in front of a king takes part, a rook or bishop waits behind a queen, or a
    /// pawn promotes; and the opponent has more than a king to capture with.
    #[inline(always)]
    pub(super) fn needs_care(&self, scene: &Scene, from: Square, opening: &Opening) -> bool {
        let promoting = u8::from(!self.pawns.is_empty()) & opening.is_on_edge_bit();
        let waiting = u8::from(self.has_waiting);
        if scene.lone_blockers(from).is_empty() & (promoting | waiting == 0) {
            return false;
        }
        let all = self.us.or(self.them);
        let fronts = all.intersecting(Lanes::splat(scene.lone_blockers(from).0));
        let attacking = self.first.intersecting(self.first) & !KING;
        let reasons = fronts | scene.is_shield(from) | promoting | waiting;
        // A third of the squares are not attacked, at random. A product instead of `&&` makes one rare branch of two
        // and saves a fifth of the time.
        u32::from(attacking) * u32::from(reasons) != 0
    }

    /// The opponent's least valuable role that attacks, by its index; six if none does.
    #[inline(always)]
    pub(super) fn least(&self) -> usize {
        (u32::from(self.first.intersecting(self.first)) | 1 << 6).trailing_zeros() as usize
    }

    /// For each role, how many more attack of ours than of theirs.
    #[inline(always)]
    pub(super) fn differences(&self) -> Lanes {
        self.us.counts().minus(self.them.counts())
    }
}
