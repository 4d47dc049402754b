//! What all quick methods start from: the position, its pins, and the board after the first move.

use super::Values;
use crate::attacks::Sniper;
use crate::board::Board;
use crate::lanes::{Lanes, NativeLanes};
use crate::{Bitboard, Color, Move, MoveKind, Position, Role, Square, attacks};

/// A position, and the lines along which its kings are exposed: found once, then asked about many moves.
///
/// ```
/// use saavedra_rules::Position;
/// use saavedra_rules::see::{Lookup, SeeContext};
///
/// let position: Position = "4k3/8/2n5/4p3/6N1/8/8/4K3 w - - 0 1".parse()?;
/// let context = SeeContext::new(&position);
/// let values: Vec<i32> = position.captures().iter().map(|&mv| Lookup::ROUND.value(&context, mv)).collect();
/// assert_eq!(values, [-200]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SeeContext<'a> {
    position: &'a Position,
    /// The player to move, and both players' pieces as this player sees them. They are kept here because every exchange
    /// begins with them: to fetch them by way of the position takes two per cent longer.
    pub(super) turn: Color,
    pub(super) us: Bitboard,
    pub(super) them: Bitboard,
    /// Pieces of either player that stand alone between a king and a slider of its enemy.
    shields: Bitboard,
    /// Pieces that stand there in twos: when one leaves, the other is left alone.
    pairs: Bitboard,
}

impl<'a> SeeContext<'a> {
    /// Looks for the pieces that stand in front of the kings.
    pub fn new(position: &'a Position) -> SeeContext<'a> {
        let board = &position.board;
        let (mut shields, mut pairs) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for color in Color::ALL {
            for sniper in snipers(board, color, board.color(!color), board.occupied()) {
                match sniper.blockers.count() {
                    1 => shields |= sniper.blockers,
                    2 => pairs |= sniper.blockers,
                    _ => {}
                }
            }
        }
        let turn = board.turn;
        SeeContext { position, turn, us: board.color(turn), them: board.color(!turn), shields, pairs }
    }

    /// The position.
    pub fn position(&self) -> &'a Position {
        self.position
    }

    #[inline(always)]
    pub(super) fn board(&self) -> &'a Board {
        &self.position.board
    }

    /// Whether a pin or a discovered check may interfere with the exchange that a move opens, given all pieces that
    /// might take part. It seldom does, so that the methods handle it apart.
    #[inline(always)]
    pub(super) fn may_involve_kings(&self, from: Square, participants: Bitboard) -> bool {
        (participants | from.bitboard()).intersects(self.shields) | participants.intersects(self.lone_blockers(from))
    }

    /// The pieces in front of the kings that are alone there once a piece has left its square.
    #[inline(always)]
    pub fn lone_blockers(&self, from: Square) -> Bitboard {
        self.shields | if self.pairs.contains(from) { self.pairs } else { Bitboard::EMPTY }
    }

    #[inline(always)]
    pub(super) fn is_shield(&self, square: Square) -> u8 {
        (self.shields.0 >> square as u8 & 1) as u8
    }
}

/// The sliders among `enemies` on a line to `color`'s king, with what stands between.
#[inline(always)]
fn snipers(board: &Board, color: Color, enemies: Bitboard, occupied: Bitboard) -> impl Iterator<Item = Sniper> {
    let (straight, diagonal) = (board.straight_sliders(!color), board.diagonal_sliders(!color));
    attacks::snipers(board.king(color), straight & enemies, diagonal & enemies, occupied)
}

/// The board after the first move of an exchange.
///
/// ```
/// use saavedra_rules::see::{Exchange, SeeContext, Values};
/// use saavedra_rules::{Position, Square};
///
/// let position: Position = "4k3/8/2n5/4p3/6N1/8/8/4K3 w - - 0 1".parse()?;
/// let (context, mv) = (SeeContext::new(&position), position.parse_san("Nxe5")?);
/// let exchange = Exchange::new(&context, mv, &Values::default()).expect("no castling");
/// assert_eq!((exchange.square, exchange.gain, exchange.exposed), (Square::E5, 100, 300));
/// assert_eq!((exchange.us.count(), exchange.them.count()), (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exchange {
    /// The square fought for.
    pub square: Square,
    /// What the first move won.
    pub gain: i32,
    /// What the opponent wins by taking the piece on the square: nothing if it is the king, which cannot be taken.
    pub exposed: i32,
    /// The pieces of the player who moved, without the one on the square.
    pub us: Bitboard,
    /// The opponent's pieces that are left.
    pub them: Bitboard,
}

impl Exchange {
    /// After a legal move; castling opens no exchange.
    ///
    /// Where time matters, ask [`Exchange::normal`] for the ordinary moves: without the `Option` the whole look-up is a
    /// tenth faster.
    #[inline]
    pub fn new(context: &SeeContext, mv: Move, values: &Values) -> Option<Exchange> {
        if mv.kind() == MoveKind::Normal {
            Some(Exchange::normal(context, mv, values))
        } else {
            Exchange::unusual(context, mv, values)
        }
    }

    /// After a move of the ordinary kind: no promotion, en passant or castling.
    #[inline(always)]
    pub fn normal(context: &SeeContext, mv: Move, values: &Values) -> Exchange {
        Exchange::normal_by::<NativeLanes>(context, mv, values)
    }

    #[inline(always)]
    pub(super) fn normal_by<L: Lanes>(context: &SeeContext, mv: Move, values: &Values) -> Exchange {
        let board = context.board();
        let (from, to) = (mv.from(), mv.to());
        Exchange {
            square: to,
            gain: values.slot(board.slot_at::<L>(to)),
            exposed: values.slot(board.slot_at::<L>(from)),
            us: context.us ^ from.bitboard(),
            them: context.them - to.bitboard(),
        }
    }

    /// After any other legal move; castling opens no exchange.
    #[cold]
    fn unusual(context: &SeeContext, mv: Move, values: &Values) -> Option<Exchange> {
        let normal = Exchange::normal(context, mv, values);
        match mv.kind() {
            MoveKind::Normal => Some(normal),
            MoveKind::Promotion(role) => {
                Some(Exchange { gain: normal.gain + values.promotion(role), exposed: values.of(role), ..normal })
            }
            MoveKind::EnPassant => {
                let captured = Square::new(mv.to().file(), mv.from().rank());
                Some(Exchange { gain: values.of(Role::Pawn), them: normal.them.without(captured), ..normal })
            }
            MoveKind::Castle => None,
        }
    }

    /// Whether pawns that capture here promote, as a number for those who avoid branches.
    #[inline(always)]
    pub(super) fn is_on_edge_bit(&self) -> u8 {
        (0x81_u8 >> (self.square as u8 / 8)) & 1
    }

    /// Whether pawns that capture here promote.
    #[inline(always)]
    pub(super) fn is_on_edge(&self) -> bool {
        self.is_on_edge_bit() == 1
    }
}

/// How a king is exposed in the middle of an exchange.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exposure {
    /// The king's own pieces that may not leave their line to it.
    pub(super) pinned: Bitboard,
    /// The enemy sliders that give check, apart from a piece on the square of the exchange.
    pub(super) checkers: Bitboard,
}

impl Exposure {
    /// Looks along the lines through `color`'s king, when `enemies` are left outside the square of the exchange and
    /// `occupied` blocks the way.
    ///
    /// A line that leads over the square of the exchange is blocked there, since the square is never empty.
    pub(super) fn of(board: &Board, color: Color, enemies: Bitboard, occupied: Bitboard) -> Exposure {
        let mut exposure = Exposure { pinned: Bitboard::EMPTY, checkers: Bitboard::EMPTY };
        for sniper in snipers(board, color, enemies, occupied) {
            if sniper.blockers.is_empty() {
                exposure.checkers |= sniper.square.bitboard();
            } else if !sniper.blockers.more_than_one() {
                exposure.pinned |= sniper.blockers - enemies;
            }
        }
        exposure
    }
}

/// The pieces of both players that attack the square of an exchange directly.
#[inline(always)]
pub(super) fn direct_attackers(board: &Board, exchange: &Exchange) -> Bitboard {
    let Exchange { square, us, them, .. } = *exchange;
    let left = us | them;
    let (own, other) = (attacks::pawn(!board.turn, square), attacks::pawn(board.turn, square));
    let [pawns, knights, bishops, rooks, queens, kings] = Role::ALL.map(|role| board.role(role));
    pawns & (own & us | other & them)
        | left
            & (knights & attacks::knight(square)
                | (bishops | queens) & attacks::bishop(square, left)
                | (rooks | queens) & attacks::rook(square, left)
                | kings & attacks::king(square))
}
