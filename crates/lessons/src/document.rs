//! Whom the founding document counts as an attacker, rule by rule, with a switch for each rule.
//!
//! This is the plain form, as one would explain it. The table takes it where a line to a king or a queen is concerned;
//! elsewhere none of the rules applies and mere counting gives the same answer.

use rules::see::{Attackers, Exchange};
use rules::{Bitboard, Color, Position, Role, attacks};

use crate::board::{Board, SideAttackers};

/// Which rules are followed.
///
/// ```
/// use saavedra_lessons::{Rules, ExchangeTable};
/// use saavedra_lessons::rules::Position;
/// use saavedra_lessons::rules::see::SeeContext;
///
/// // The knight is pinned by a rook: if the queen takes back, the rook takes it.
/// let position: Position = "3qk3/4n3/8/3pR3/2P5/8/8/4K3 w - - 0 1".parse()?;
/// let (context, mv) = (SeeContext::new(&position), position.parse_san("cxd5")?);
/// assert_eq!(ExchangeTable::ROUND.value_by(Rules::ALL, &context, mv), 100);
/// assert_eq!(ExchangeTable::ROUND.value_by(Rules { rook_pins: false, ..Rules::ALL }, &context, mv), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// A more valuable slider behind a less valuable piece of its own side is an attacker too.
    pub xrays: bool,
    /// Hostile sliders and pawns that attack are looked through. The document says so of rooks.
    pub hostile_fronts: bool,
    /// Case I: if both players have a queen, what stands behind one of them is an attacker.
    pub case_one: bool,
    /// Case II: what waits behind a player's only queen keeps the enemy king away.
    pub king_bar: bool,
    /// A rook that attacks the square pins a knight or bishop: the pinned piece is out, and so is a queen of its side,
    /// and then the enemy king.
    pub rook_pins: bool,
    /// A piece pinned by one that takes no part is no attacker. The document is silent about it.
    pub other_pins: bool,
}

impl Rules {
    /// All of them.
    pub const ALL: Rules =
        Rules { xrays: true, hostile_fronts: true, case_one: true, king_bar: true, rook_pins: true, other_pins: true };

    /// Counts the attackers after a move. The opponent's least valuable attacker is still among them.
    pub(crate) fn gather(self, position: &Position, exchange: &Exchange) -> Attackers {
        let board = Board { position, exchange: *exchange };
        let turn = position.turn();
        let [ours, theirs] = [turn, !turn].map(|color| self.seen(&board, color));
        let (mut us, mut them) = (ours.attackers, theirs.attackers);
        self.apply_pins(&board, turn, &mut us, &mut them);
        self.apply_pins(&board, !turn, &mut them, &mut us);
        self.apply_queens(&board, [ours.waiting, theirs.waiting], &mut us, &mut them);
        Attackers::new(us.0, them.0)
    }

    /// A player's attackers, and what waits behind a queen of this player.
    fn seen(self, board: &Board, color: Color) -> Seen {
        let (own, enemy) = (board.pieces(color), board.pieces(!color));
        let queens = board.role(Role::Queen) & own;
        let none = Bitboard::EMPTY;
        let fronts = if self.xrays { own } else { none } | if self.hostile_fronts { enemy } else { none };
        let all = board.attackers(color, board.sliders(fronts));
        // A queen may stand behind a queen, like a rook behind a rook.
        let others = board.attackers(color, board.sliders(fronts - queens));
        let waiting = all.all() - others.all() - queens;
        Seen { attackers: all.on(!waiting), waiting }
    }

    /// What stands behind queens. A queen that is itself the first to capture has left the line.
    fn apply_queens(self, board: &Board, waiting: [Bitboard; 2], us: &mut SideAttackers, them: &mut SideAttackers) {
        let turn = board.position.turn();
        let is_staged = them.least() == Some(Role::Queen);
        let [ours, theirs] = [&*us, &*them].map(|side| side.of(Role::Queen).count());
        let both_have_queens = ours > 0 && theirs > u32::from(is_staged);
        let counts = [self.case_one && both_have_queens, is_staged || self.case_one && both_have_queens];
        let join = |color: Color, side: &mut SideAttackers, waiting: Bitboard| {
            let all = board.attackers(color, waiting);
            [Role::Bishop, Role::Rook].into_iter().for_each(|role| side.0[role as usize] |= all.of(role));
        };
        if counts[0] {
            join(turn, us, waiting[0]);
        } else if self.king_bar && !waiting[0].is_empty() {
            them.remove(Role::King, Bitboard::ALL);
        }
        if counts[1] {
            join(!turn, them, waiting[1]);
        } else if self.king_bar && !waiting[1].is_empty() {
            us.remove(Role::King, Bitboard::ALL);
        }
    }

    /// The rules for pins of `color`'s pieces.
    fn apply_pins(self, board: &Board, color: Color, own: &mut SideAttackers, enemy: &mut SideAttackers) {
        let enemies = board.pieces(!color);
        let out = own.all() & pinned_by(board, color, enemies - enemy.all());
        if self.other_pins && !out.is_empty() {
            *own = own.on(!out);
            // A pinned piece keeps the enemy king away all the same.
            enemy.remove(Role::King, Bitboard::ALL);
        }
        let pinned = pinned_by(board, color, enemies & enemy.of(Role::Rook));
        if self.rook_pins && pinned.intersects(own.of(Role::Knight) | own.of(Role::Bishop)) {
            own.remove(Role::Knight, pinned);
            own.remove(Role::Bishop, pinned);
            own.remove(Role::King, Bitboard::ALL);
            if !own.of(Role::Queen).is_empty() {
                own.remove(Role::Queen, Bitboard::ALL);
                enemy.remove(Role::King, Bitboard::ALL);
            }
        }
    }
}

struct Seen {
    attackers: SideAttackers,
    waiting: Bitboard,
}

/// The pieces of `color` that some of the enemy's pieces pin.
fn pinned_by(board: &Board, color: Color, pinners: Bitboard) -> Bitboard {
    let [bishops, rooks, queens] = [Role::Bishop, Role::Rook, Role::Queen].map(|role| board.role(role) & pinners);
    let occupied = board.left() | board.exchange.square.bitboard();
    attacks::snipers(board.position.king(color), rooks | queens, bishops | queens, occupied)
        .filter(|sniper| !sniper.blockers.more_than_one())
        .fold(Bitboard::EMPTY, |pinned, sniper| pinned | (sniper.blockers - pinners))
}
