//! Claims about a single square: who takes there, who takes back, and what is won in the end.

use rules::see::exhaustive;
use rules::{Color, Move, Position, Role, Square};
use search::SEE_VALUES;

use crate::Variation;

/// Less than a pawn is not worth a word.
pub(crate) const WORTH_TELLING: i32 = 100;

/// More pieces than this around one square are left to the search: all orders in which they might take cannot be tried.
const MOST_ATTACKERS: u32 = 8;

/// A capture and everything that follows on its square: all legal captures there were tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exchange {
    /// Where the pieces meet.
    pub square: Square,
    /// What is taken first.
    pub victim: Role,
    /// Best play for both, the capture first.
    pub captures: Variation,
    /// What the player who takes first wins, in centipawns.
    pub value: i32,
}

impl Exchange {
    /// The exchange that a legal capture opens, if it wins anything worth telling.
    pub fn opened_by(position: &Position, capture: Move) -> Option<Exchange> {
        let (victim, _) = position.captured(capture)?;
        let value = value_of(position, capture)?;
        (value >= WORTH_TELLING).then(|| Exchange {
            square: capture.to(),
            victim,
            captures: Variation::new(*position, exhaustive::line(position, capture, &SEE_VALUES)),
            value,
        })
    }
}

/// What a legal move wins on its square, if that can be settled.
pub(crate) fn value_of(position: &Position, mv: Move) -> Option<i32> {
    let is_crowded = position.attackers(mv.to()).count() > MOST_ATTACKERS;
    (!is_crowded).then(|| exhaustive::value(position, mv, &SEE_VALUES))
}

impl Exchange {
    /// Whether a rook is lost and a knight or a bishop won back: the exchange, as players say.
    pub(crate) fn is_rook_for_minor(&self) -> bool {
        let taker = self.captures.first().and_then(|first| self.captures.start().role_at(first.from()));
        let is_minor = matches!(taker, Some(Role::Knight | Role::Bishop));
        self.victim == Role::Rook && is_minor && self.captures.moves().len() == 2
    }

    /// What the captures win and what they cost. What both have lost is left out.
    pub fn balance(&self) -> (Vec<Role>, Vec<Role>) {
        let (mut won, mut lost) = (Vec::new(), Vec::new());
        let mut position = *self.captures.start();
        let taker = position.turn();
        for &mv in self.captures.moves() {
            if let Some((role, _)) = position.captured(mv) {
                if position.turn() == taker { won.push(role) } else { lost.push(role) }
            }
            position = position.play_unchecked(mv);
        }
        won.retain(|role| match lost.iter().position(|other| other == role) {
            Some(same) => {
                lost.remove(same);
                false
            }
            None => true,
        });
        (won, lost)
    }

    /// What the captures win, by name: `a knight`, `a rook for a bishop`.
    pub fn spoils(&self) -> String {
        let (won, lost) = self.balance();
        let names = |roles: &[Role]| roles.iter().map(|role| format!("a {role}")).collect::<Vec<_>>().join(" and ");
        match (won.is_empty(), lost.is_empty()) {
            (true, _) => "material".to_owned(),
            (_, true) => names(&won),
            _ => format!("{} for {}", names(&won), names(&lost)),
        }
    }
}

/// The material of a player less that of the opponent, in centipawns.
pub(crate) fn material(position: &Position, color: Color) -> i32 {
    let count = |role, color| position.pieces(role, color).count() as i32;
    Role::ALL
        .into_iter()
        .filter(|&role| role != Role::King)
        .fold(0, |sum, role| sum + SEE_VALUES.of(role) * (count(role, color) - count(role, !color)))
}

/// The same with the best capture that is left to the player to move, so that a line may end in the middle of an
/// exchange.
pub(crate) fn settled_material(position: &Position, color: Color) -> i32 {
    let captures = position.captures();
    let best = captures.iter().filter_map(|&capture| value_of(position, capture)).max().unwrap_or(0).max(0);
    material(position, color) + if position.turn() == color { best } else { -best }
}

/// What a move takes and makes by itself.
pub(crate) fn gain(position: &Position, mv: Move) -> i32 {
    let captured = position.captured(mv).map_or(0, |(role, _)| SEE_VALUES.of(role));
    captured + mv.promotion_role().map_or(0, |role| SEE_VALUES.promotion(role))
}

/// How a piece came to hang.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HangingCause {
    /// It was moved to a square where it is lost.
    Moved,
    /// It could be taken with the same gain before the move, and still can.
    Left,
    /// The move took a guard away, or opened a line.
    Exposed,
}

/// A piece that the opponent can win by taking it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hanging {
    /// The exchange that wins it, in the position after the move.
    pub exchange: Exchange,
    /// How it came to hang.
    pub cause: HangingCause,
    /// What the move itself had taken. It is less than the exchange gives back.
    pub taken: i32,
}

impl Hanging {
    /// Whether a rook is lost for a minor piece: the exchange, as players say.
    pub fn is_the_exchange(&self) -> bool {
        self.taken == 0 && self.exchange.is_rook_for_minor()
    }

    /// What is lost in centipawns. Nothing, if it is simply the piece: it is not taken back, and nothing was won for
    /// it.
    pub fn loses(&self) -> Option<i32> {
        let is_answered = self.taken > 0 || self.exchange.captures.moves().len() > 1;
        (is_answered && !self.is_the_exchange()).then_some(self.exchange.value - self.taken)
    }

    /// What a move left hanging, if the reply takes it and wins more than the move had taken.
    pub fn after(before: &Position, mv: Move, reply: Move) -> Option<Hanging> {
        let after = before.play_unchecked(mv);
        let exchange = Exchange::opened_by(&after, reply)?;
        let taken = gain(before, mv);
        if exchange.value - taken < WORTH_TELLING {
            return None;
        }
        let was_lost_before = || {
            let passed = before.null_move()?;
            let is_same = passed.is_legal(reply) && passed.captured(reply) == after.captured(reply);
            Some(is_same && value_of(&passed, reply)? >= exchange.value)
        };
        let cause = if reply.to() == mv.to() {
            HangingCause::Moved
        } else if was_lost_before() == Some(true) {
            HangingCause::Left
        } else {
            HangingCause::Exposed
        };
        Some(Hanging { exchange, cause, taken })
    }
}
