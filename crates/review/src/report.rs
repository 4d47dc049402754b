//! What a review says: of each move, of each player, of the game.

use std::fmt;

use records::eco::{self, GameOpening};
use records::pgn::Evaluation;
use rules::{ByColor, Color, Game, Move, Outcome, Position};
use search::{Score, UciScore};
use serde::{Serialize, Serializer};

use crate::chances::mean_accuracy;
use crate::json::{MoveReviewJson, OutlookJson, ReviewJson};
use crate::reason::TOLD;
use crate::{Chances, Effort, Judgement, Phase, Reason, Variation};

/// How a position is judged, seen from White. In JSON: `{"kind": "cp", "value": 35}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outlook {
    /// An advantage in hundredths of a pawn.
    Centipawns(i32),
    /// White mates in so many moves, or is mated if the number is negative.
    Mate(i32),
    /// The game is over by the rules; in JSON with its result.
    Over(Outcome),
}

impl Outlook {
    /// A score that was found for a player.
    pub fn of(score: Score, color: Color) -> Outlook {
        let sign = if color == Color::White { 1 } else { -1 };
        match score.to_uci() {
            UciScore::Centipawns(value) => Outlook::Centipawns(sign * value),
            UciScore::MateIn(moves) => Outlook::Mate(sign * moves as i32),
            UciScore::MatedIn(moves) => Outlook::Mate(-sign * moves as i32),
        }
    }

    /// The outlook one move earlier, if that move was the player's best: a mate by that player takes one move more.
    pub(crate) fn before_move_of(self, color: Color) -> Outlook {
        match (self, color) {
            (Outlook::Mate(moves), Color::White) if moves > 0 => Outlook::Mate(moves + 1),
            (Outlook::Mate(moves), Color::Black) if moves < 0 => Outlook::Mate(moves - 1),
            _ => self,
        }
    }

    /// The outlook as it is written into a comment; there is none where the game is over.
    pub fn evaluation(self) -> Option<Evaluation> {
        match self {
            Outlook::Centipawns(value) => Some(Evaluation::Centipawns(value)),
            Outlook::Mate(moves) => Some(Evaluation::Mate(moves)),
            Outlook::Over(_) => None,
        }
    }
}

impl fmt::Display for Outlook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outlook::Centipawns(value) => {
                let sign = if *value < 0 { '-' } else { '+' };
                write!(f, "{sign}{}.{:02}", value.unsigned_abs() / 100, value.unsigned_abs() % 100)
            }
            Outlook::Mate(moves) => write!(f, "#{moves}"),
            Outlook::Over(outcome) => f.write_str(outcome.score()),
        }
    }
}

impl Serialize for Outlook {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        OutlookJson::from(*self).serialize(serializer)
    }
}

/// What a review says of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReview {
    /// How many moves were played before it.
    pub ply: usize,
    /// The phase of the game.
    pub phase: Phase,
    /// The position in which it was played.
    pub position: Position,
    /// The move.
    pub mv: Move,
    /// The best line instead, which may begin with the same move.
    pub best: Variation,
    /// The best line after the move.
    pub reply: Variation,
    /// Where the best line leads.
    pub outlook_best: Outlook,
    /// Where the move led.
    pub outlook: Outlook,
    /// How deep the position was searched.
    pub depth: usize,
    /// What the player could expect before the move.
    pub chances_before: Chances,
    /// What they could expect after it.
    pub chances_after: Chances,
    /// The points that the move lost.
    pub lost: f64,
    /// How accurate it was; of a move that was the only legal one there is nothing to say.
    pub accuracy: Option<f64>,
    /// What it is called.
    pub judgement: Judgement,
    /// The game was won before the move, and is not any longer.
    pub missed_win: bool,
    /// Why it is judged so.
    pub reasons: Vec<Reason>,
}

impl MoveReview {
    /// Who played it.
    pub fn color(&self) -> Color {
        self.position.turn()
    }

    /// The line that answers a criticised move, if its reasons tell only what would have been better.
    pub fn answer(&self) -> Option<Variation> {
        let only_better = matches!(self.reasons.as_slice(), [Reason::BetterLine(_)]);
        (only_better && self.reply.first().is_some()).then(|| self.reply.cut_to(TOLD))
    }

    /// The move as it is written: `12. Nf3`, `12... Nf6`.
    pub fn numbered(&self) -> String {
        let dots = if self.color() == Color::White { "." } else { "..." };
        format!("{}{dots} {}", self.position.fullmove_number(), self.position.san(self.mv))
    }

    /// The glyph of a game score: that of the judgement, or 1, `!`, for the only good move.
    pub fn nag(&self) -> Option<u8> {
        let is_only = self.reasons.iter().any(|reason| matches!(reason, Reason::OnlyMove(_)));
        self.judgement.nag().or(is_only.then_some(1))
    }

    /// What counts towards the player's accuracy.
    fn counted(&self) -> Option<(Chances, Chances, f64)> {
        Some((self.chances_before, self.chances_after, self.accuracy?))
    }
}

impl Serialize for MoveReview {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        MoveReviewJson::from(self).serialize(serializer)
    }
}

/// What a review says of a player.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlayerReview {
    /// The mean accuracy of the moves, counted by what could be lost; none without a choice of moves.
    pub accuracy: Option<f64>,
    /// The same for each phase of the game.
    pub phases: PhaseAccuracy,
    /// How many moves there were.
    pub moves: usize,
    /// How many had no alternative.
    pub forced: usize,
    /// How many were opening theory.
    pub book: usize,
    /// How many were brilliant.
    pub brilliant: usize,
    /// How many were the best.
    pub best: usize,
    /// How many lost next to nothing.
    pub excellent: usize,
    /// How many were good.
    pub good: usize,
    /// How many were inaccurate.
    pub inaccuracies: usize,
    /// How many did not take what the opponent had offered.
    pub misses: usize,
    /// How many were mistakes.
    pub mistakes: usize,
    /// How many were blunders.
    pub blunders: usize,
    /// How many gave away a win.
    pub missed_wins: usize,
}

/// The accuracy in each phase of a game; none where the player had no choice of moves.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PhaseAccuracy {
    /// In the opening.
    pub opening: Option<f64>,
    /// In the middlegame.
    pub middlegame: Option<f64>,
    /// In the endgame.
    pub endgame: Option<f64>,
}

impl PhaseAccuracy {
    /// The accuracy in a phase.
    pub fn of(&self, phase: Phase) -> Option<f64> {
        match phase {
            Phase::Opening => self.opening,
            Phase::Middlegame => self.middlegame,
            Phase::Endgame => self.endgame,
        }
    }
}

impl PlayerReview {
    fn of(color: Color, moves: &[MoveReview]) -> PlayerReview {
        let own = || moves.iter().filter(|review| review.color() == color);
        let count = |judgement| own().filter(|review| review.judgement == judgement).count();
        let accuracy_in =
            |phase| mean_accuracy(own().filter(|review| review.phase == phase).filter_map(MoveReview::counted));
        PlayerReview {
            accuracy: mean_accuracy(own().filter_map(MoveReview::counted)),
            phases: PhaseAccuracy {
                opening: accuracy_in(Phase::Opening),
                middlegame: accuracy_in(Phase::Middlegame),
                endgame: accuracy_in(Phase::Endgame),
            },
            moves: own().count(),
            forced: count(Judgement::Forced),
            book: count(Judgement::Book),
            brilliant: count(Judgement::Brilliant),
            best: count(Judgement::Best),
            excellent: count(Judgement::Excellent),
            good: count(Judgement::Good),
            inaccuracies: count(Judgement::Inaccuracy),
            misses: count(Judgement::Miss),
            mistakes: count(Judgement::Mistake),
            blunders: count(Judgement::Blunder),
            missed_wins: own().filter(|review| review.missed_win).count(),
        }
    }
}

/// What a review says of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// Where the game started.
    pub start: Position,
    /// How much was thought about each position.
    pub effort: Effort,
    /// Each player's moves taken together.
    pub players: ByColor<PlayerReview>,
    /// The outlook at the start and after each move.
    pub outlooks: Vec<Outlook>,
    /// Each move.
    pub moves: Vec<MoveReview>,
    /// The plies of the moves that decided the game, at most three, in their order.
    pub turning_points: Vec<usize>,
    /// The name of the opening, if it has one, and where the game left it.
    pub opening: Option<GameOpening>,
}

/// The most moves that are called turning points.
const TURNING_POINTS: usize = 3;

impl Review {
    pub(crate) fn new(game: &Game, effort: Effort, first: Outlook, moves: Vec<MoveReview>) -> Review {
        let players = ByColor::new_with(|color| PlayerReview::of(color, &moves));
        let outlooks = std::iter::once(first).chain(moves.iter().map(|review| review.outlook)).collect();
        let mut serious: Vec<&MoveReview> = moves.iter().filter(|review| review.judgement.is_serious()).collect();
        serious.sort_by(|a, b| b.lost.total_cmp(&a.lost));
        let mut turning_points: Vec<usize> = serious.iter().take(TURNING_POINTS).map(|review| review.ply).collect();
        turning_points.sort_unstable();
        let opening = eco::classify(game.positions());
        Review { start: *game.start(), effort, players, outlooks, moves, turning_points, opening }
    }
}

impl Serialize for Review {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ReviewJson::from(self).serialize(serializer)
    }
}
