//! The classic way: let the players capture in turn with their least valuable pieces, and see who should have stopped.
//!
//! Sliders behind a piece that has captured join in, and so the exchange is followed piece by piece. Pins and
//! discovered checks are looked at anew before each capture, but only if some piece in front of a king can take part at
//! all. What keeps the method from being [`exhaustive`](super::exhaustive): the least valuable piece is not always the
//! best one to capture with, when another would open a line, stay out of a pin, or promote.

use super::context::{Exchange, Exposure, direct_attackers};
use super::{SeeContext, Values};
use crate::board::Board;
use crate::{Bitboard, Color, Move, MoveKind, Role, Square, attacks};

/// What the player to move wins by a legal move, if each capture is made by the least valuable piece.
///
/// ```
/// use saavedra_rules::Position;
/// use saavedra_rules::see::{SeeContext, Values, swap};
///
/// let position: Position = "4k3/8/2n5/4p3/6N1/8/8/4K3 w - - 0 1".parse()?;
/// let (context, mv) = (SeeContext::new(&position), position.parse_san("Nxe5")?);
/// assert_eq!(swap::value(&context, mv, &Values::default()), -200);
/// assert!(swap::is_at_least(&context, mv, -200, &Values::default()));
/// assert!(!swap::is_at_least(&context, mv, -199, &Values::default()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn value(context: &SeeContext, mv: Move, values: &Values) -> i32 {
    match exchange(context, mv, values) {
        Some(exchange) => exchange_value(context, mv.from(), &exchange, values, |_| {}),
        None => 0,
    }
}

/// Whether a legal move wins `threshold` or more, which takes less time to find out than how much it wins.
pub fn is_at_least(context: &SeeContext, mv: Move, threshold: i32, values: &Values) -> bool {
    let Some(exchange) = exchange(context, mv, values) else { return threshold <= 0 };
    // By how much the player who moved last would pass the test if the exchange ended here.
    let mut margin = exchange.gain - threshold;
    if margin < 0 {
        return false;
    }
    let mut on_square = exchange.exposed;
    // A recapture may win more than what stands on the square only by promoting.
    let bonus = if exchange.is_on_edge() { values.promotion(Role::Queen) } else { 0 };
    if margin >= on_square + bonus {
        return true;
    }
    let mut side = Capturers::new(context, mv.from(), &exchange);
    while let Some(role) = side.capture() {
        let (won, stands) = side.stakes(role, on_square, values);
        // For one player to pass the test the other must fail it, by at least one.
        margin = won - margin - 1;
        if margin < 0 {
            return side.turn != context.board().turn;
        }
        if margin >= stands + bonus {
            return side.turn == context.board().turn;
        }
        on_square = stands;
        side.turn = !side.turn;
    }
    side.turn != context.board().turn
}

/// The squares from which the least valuable pieces capture in turn after a move, until a player should have stopped.
pub fn line(context: &SeeContext, mv: Move, values: &Values) -> Vec<Square> {
    let mut squares = Vec::new();
    if let Some(exchange) = exchange(context, mv, values) {
        exchange_value(context, mv.from(), &exchange, values, |from| squares.push(from));
    }
    squares
}

#[inline(always)]
fn exchange(context: &SeeContext, mv: Move, values: &Values) -> Option<Exchange> {
    if mv.kind() == MoveKind::Normal {
        Some(Exchange::normal(context, mv, values))
    } else {
        Exchange::new(context, mv, values)
    }
}

/// Follows the exchange forwards, like a search with a window and one move to each position: the player to move holds
/// what stopping is worth, now or earlier, and the opponent will not allow more than stopping was worth to them.
#[inline(always)]
pub(super) fn exchange_value(
    context: &SeeContext,
    from: Square,
    exchange: &Exchange,
    values: &Values,
    mut paid: impl FnMut(Square),
) -> i32 {
    let mut side = Capturers::new(context, from, exchange);
    let mut on_square = exchange.exposed;
    // All three as the player to move counts: the balance, the least and the most that can come of it.
    let mut balance = -exchange.gain;
    let mut floor = balance;
    let mut ceiling = Values::KING;
    while let Some(role) = side.capture() {
        let (won, stands) = side.stakes(role, on_square, values);
        balance += won;
        ceiling = ceiling.min(balance);
        if ceiling <= floor {
            break;
        }
        paid(side.last);
        (balance, floor, ceiling) = (-balance, -ceiling, -floor);
        on_square = stands;
        side.turn = !side.turn;
    }
    if side.turn == context.board().turn { floor } else { -floor }
}

/// Who may still capture, and whose turn it is.
struct Capturers<'a> {
    board: &'a Board,
    square: Square,
    turn: Color,
    /// The pieces left outside the square.
    left: Bitboard,
    attackers: Bitboard,
    /// Whether pins and discovered checks need a look before each capture.
    exposes_kings: bool,
    /// Where the last piece captured from.
    last: Square,
}

impl<'a> Capturers<'a> {
    #[inline(always)]
    fn new(context: &SeeContext<'a>, from: Square, exchange: &Exchange) -> Capturers<'a> {
        let board = context.board();
        let attackers = direct_attackers(board, exchange);
        Capturers {
            board,
            square: exchange.square,
            turn: !board.turn,
            left: exchange.us | exchange.them,
            attackers,
            exposes_kings: context.may_involve_kings(from, attackers),
            last: from,
        }
    }

    /// What a capture wins, and what then stands on the square for the other player to take.
    #[inline(always)]
    fn stakes(&self, role: Role, on_square: i32, values: &Values) -> (i32, i32) {
        if role == Role::Pawn && (self.square as u8 / 8).wrapping_sub(1) >= 6 {
            (on_square + values.promotion(Role::Queen), values.of(Role::Queen))
        } else {
            (on_square, values.of(role))
        }
    }

    /// Lets the player whose turn it is capture with the least valuable piece that may.
    #[inline(always)]
    fn capture(&mut self) -> Option<Role> {
        let mut able = self.attackers & self.board.color(self.turn);
        if self.exposes_kings {
            able = self.without_exposed(able);
        }
        let of = |role: Role| able & self.board.role(role);
        let role = *Role::ALL.iter().find(|&&role| !of(role).is_empty())?;
        // A king may not capture what is guarded, be it by a pinned piece.
        if role == Role::King && self.attackers.intersects(self.board.color(!self.turn)) {
            return None;
        }
        let from = of(role).first()?;
        self.last = from;
        self.left = self.left.without(from);
        self.attackers = self.attackers.without(from);
        // What stood behind the capturer joins in.
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            let diagonal = self.board.role(Role::Bishop) | self.board.role(Role::Queen);
            self.attackers |= attacks::bishop(self.square, self.left) & diagonal & self.left;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            let straight = self.board.role(Role::Rook) | self.board.role(Role::Queen);
            self.attackers |= attacks::rook(self.square, self.left) & straight & self.left;
        }
        Some(role)
    }

    /// Leaves out the pieces that are pinned, and all but the king if it is in a check that a capture does not answer.
    #[cold]
    fn without_exposed(&self, able: Bitboard) -> Bitboard {
        let enemies = self.board.color(!self.turn) & self.left;
        let exposure = Exposure::of(self.board, self.turn, enemies, self.left.with(self.square));
        if exposure.checkers.is_empty() { able - exposure.pinned } else { able & self.board.role(Role::King) }
    }
}
