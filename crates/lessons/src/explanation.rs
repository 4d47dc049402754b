//! An exchange told step by step, for people who want to see where a number comes from.

use rules::see::{Exchange, Lookup, SeeContext, Values, exhaustive, swap};
use rules::{Bitboard, ByColor, Color, Move, MoveKind, Piece, Pin, Position, Role, Square, attacks};

use crate::ExchangeTable;
use crate::board::Board;

/// Everything there is to say about the exchange that a move opens.
///
/// ```
/// use saavedra_lessons::Explanation;
/// use saavedra_lessons::rules::see::Values;
/// use saavedra_lessons::rules::{Color, Position, Role};
///
/// let position: Position = "4k3/8/2n5/4p3/6N1/8/8/4K3 w - - 0 1".parse()?;
/// let told = Explanation::new(&position, position.parse_san("Nxe5")?, &Values::default());
/// assert_eq!(told.attackers[Color::Black][Role::Knight as usize].count(), 1);
/// let balances: Vec<i32> = told.best_line.iter().map(|step| step.balance).collect();
/// assert_eq!(balances, [100, -200]);
/// assert_eq!((told.exhaustive, told.swap, told.table, told.lookup), (-200, -200, Some(-200), Some(-200)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The square fought for.
    pub square: Square,
    /// What attacks it directly once the move has been made, by the index of the role.
    pub attackers: ByColor<[Bitboard; 6]>,
    /// Sliders that stand behind another attacker.
    pub xrays: Vec<Xray>,
    /// Pins of pieces that attack the square.
    pub pins: Vec<Pin>,
    /// Best play, the move itself first.
    pub best_line: Vec<ExchangeStep>,
    /// The captures that [`swap`] follows, the move itself first.
    pub swap_line: Vec<ExchangeStep>,
    /// What the move is worth in truth.
    pub exhaustive: i32,
    /// What it is worth if the least valuable piece always captures.
    pub swap: i32,
    /// What the founding document's table says, if the values suit it.
    pub table: Option<i32>,
    /// What the look-up says, if the values suit it.
    pub lookup: Option<i32>,
}

/// A slider that can join an exchange once the piece in front of it has captured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Xray {
    /// The piece next to it on the way to the square.
    pub front: Square,
    /// The slider.
    pub behind: Square,
}

/// A capture in an exchange, or the move that opens it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExchangeStep {
    /// The move.
    pub mv: Move,
    /// What moves, before it promotes.
    pub piece: Piece,
    /// What is taken.
    pub captured: Option<Role>,
    /// What the player who opened the exchange has won after this step.
    pub balance: i32,
}

impl Explanation {
    /// Explains a legal move.
    pub fn new(position: &Position, mv: Move, values: &Values) -> Explanation {
        let context = SeeContext::new(position);
        let swap_line: Vec<Move> =
            swap::line(&context, mv, values).into_iter().map(|from| capture(position, from, mv.to())).collect();
        let table = match *values == Values::ROUND {
            true => Some(ExchangeTable::ROUND.value(&context, mv)),
            false => ExchangeTable::suits(values).then(|| ExchangeTable::new(*values).value(&context, mv)),
        };
        let lookup = match *values == Values::ROUND {
            true => Some(Lookup::ROUND.value(&context, mv)),
            false => Lookup::suits(values).then(|| Lookup::new(*values).value(&context, mv)),
        };
        let mut told = Explanation {
            square: mv.to(),
            attackers: ByColor { white: [Bitboard::EMPTY; 6], black: [Bitboard::EMPTY; 6] },
            xrays: Vec::new(),
            pins: Vec::new(),
            best_line: steps(position, &exhaustive::line(position, mv, values), values),
            swap_line: steps(position, &[&[mv], &swap_line[..]].concat(), values),
            exhaustive: exhaustive::value(position, mv, values),
            swap: swap::value(&context, mv, values),
            table,
            lookup,
        };
        let next = position.play_unchecked(mv);
        match Exchange::new(&context, mv, values) {
            Some(exchange) => told.look_around(&next, &Board { position, exchange }),
            None => told.square = next.king(position.turn()),
        }
        told
    }

    /// Finds the attackers in the position after the move, and the lines that matter to them.
    fn look_around(&mut self, next: &Position, board: &Board) {
        let direct = next.attackers(self.square);
        self.attackers = ByColor::new_with(|color| Role::ALL.map(|role| direct & next.pieces(role, color)));
        let left = board.left();
        for behind in board.sliders(Bitboard::ALL) - direct {
            let on_the_way = attacks::between(self.square, behind) & left;
            let is_next = |front: &Square| !attacks::between(*front, behind).intersects(left);
            self.xrays.extend(on_the_way.into_iter().find(is_next).map(|front| Xray { front, behind }));
        }
        // What stands on the square pins nothing for long: it is the one that is taken.
        let matters = |pin: &Pin| direct.contains(pin.pinned) && pin.pinner != self.square;
        self.pins = Color::ALL.into_iter().flat_map(|color| next.pins(color)).filter(matters).collect();
    }
}

/// A capture on the square of an exchange; a pawn on the last rank becomes a queen.
fn capture(position: &Position, from: Square, to: Square) -> Move {
    let is_pawn = position.role_at(from) == Some(Role::Pawn);
    if is_pawn && Color::ALL.into_iter().any(|color| to.rank() == color.back_rank()) {
        Move::promotion(from, to, Role::Queen)
    } else {
        Move::normal(from, to)
    }
}

/// The moves of an exchange with what each of them takes, and the balance.
fn steps(position: &Position, moves: &[Move], values: &Values) -> Vec<ExchangeStep> {
    let mut on_square = moves.first().and_then(|&mv| position.captured(mv)).map(|(role, _)| role);
    let mut balance = 0;
    let mut sign = 1;
    let step = |&mv: &Move| {
        let piece = position.piece_at(mv.from())?;
        let captured = on_square.filter(|_| mv.kind() != MoveKind::Castle);
        let won = captured.map_or(0, |role| values.of(role));
        balance += sign * (won + mv.promotion_role().map_or(0, |role| values.promotion(role)));
        sign = -sign;
        on_square = Some(mv.promotion_role().unwrap_or(piece.role));
        Some(ExchangeStep { mv, piece, captured, balance })
    };
    moves.iter().filter_map(step).collect()
}
