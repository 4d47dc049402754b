//! Positions, moves and scores in the JSON of the server.

use std::sync::Arc;

use records::{eco, pgn};
use rules::{CastlingSide, Color, DrawReason, Game, Move, MoveKind, Outcome, Position, Role, Square};
use search::{Bound, Score, UciScore};
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Side {
    White,
    Black,
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

/// A position and what can be done in it.
#[derive(Serialize, ToSchema)]
pub(crate) struct PositionView {
    fen: String,
    turn: Side,
    /// The square of the king that is in check.
    check: Option<String>,
    legal: Vec<LegalMove>,
    over: Option<OverView>,
    /// The draw that the player to move may claim.
    claimable: Option<String>,
    /// Whether a side may castle from other squares than those of standard chess.
    chess960: bool,
}

/// A move that can be played.
#[derive(Serialize, ToSchema)]
pub(crate) struct LegalMove {
    uci: String,
    san: String,
    from: String,
    /// Where the piece goes; when castling, where the king does.
    to: String,
    promotion: Option<String>,
    capture: bool,
    /// The rook's square when castling.
    castle_rook: Option<String>,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct OverView {
    pub(crate) result: String,
    pub(crate) winner: Option<Side>,
    pub(crate) reason: String,
}

/// A move that was played.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct MoveView {
    uci: String,
    san: String,
    /// The position after the move.
    fen: String,
    from: String,
    to: String,
    check: Option<String>,
    /// What the position after the move is called, if it has a name.
    opening: Option<OpeningView>,
}

/// An opening by its code and name.
#[derive(Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct OpeningView {
    #[schema(example = "B90")]
    pub(crate) eco: &'static str,
    #[schema(example = "Sicilian Defense: Najdorf Variation")]
    pub(crate) name: &'static str,
}

impl OpeningView {
    pub(crate) fn of(position: &Position) -> Option<OpeningView> {
        eco::name_of(position).map(|opening| OpeningView { eco: &opening.eco, name: &opening.name })
    }
}

/// A move that was played, shared by all views of its game.
#[derive(Clone)]
pub(crate) struct ShownMove(Arc<MoveView>);

impl Serialize for ShownMove {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl ShownMove {
    /// Whether this is the same move of the same game, not only one like it.
    pub(crate) fn is_same(&self, other: &ShownMove) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// What the position after the move is called, if it has a name.
    pub(crate) fn opening(&self) -> Option<&OpeningView> {
        self.0.opening.as_ref()
    }

    /// A legal move in a position.
    pub(crate) fn new(position: &Position, mv: Move) -> ShownMove {
        ShownMove(Arc::new(MoveView::new(position, mv)))
    }
}

/// A score, seen from White, in the form that `review::Outlook` has: `{"kind": "cp", "value": 35}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", content = "value", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum ScoreView {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Moves to mate; negative if Black mates.
    Mate(i32),
}

/// Whether a score is exact.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BoundView {
    Exact,
    AtLeast,
    AtMost,
}

/// The end of a game by the rules.
impl From<Outcome> for OverView {
    fn from(outcome: Outcome) -> OverView {
        let (winner, reason) = match outcome {
            Outcome::Checkmate { winner } => (Some(winner.into()), "checkmate".to_owned()),
            Outcome::Draw(reason) => (None, reason.to_string()),
        };
        OverView { result: outcome.score().to_owned(), winner, reason }
    }
}

/// The square of the king in check.
fn checked_king(position: &Position) -> Option<String> {
    position.is_check().then(|| position.king(position.turn()).to_string())
}

/// Where the piece that was moved stands in the end.
fn target(mv: Move) -> Square {
    match mv.kind() {
        MoveKind::Castle => Square::new(CastlingSide::of(mv.from(), mv.to()).king_file(), mv.from().rank()),
        _ => mv.to(),
    }
}

impl PositionView {
    /// The position on the board of a game.
    pub(crate) fn new(game: &Game) -> PositionView {
        let position = game.position();
        let over = game.outcome().map(OverView::from);
        // A game that is over has no legal moves, even if pieces could move.
        let legal = match over {
            Some(_) => Vec::new(),
            None => position.legal_moves().into_iter().map(|mv| LegalMove::new(position, mv)).collect(),
        };
        PositionView {
            fen: position.to_string(),
            turn: position.turn().into(),
            check: checked_king(position),
            legal,
            over,
            claimable: game.claimable_draw().as_ref().map(DrawReason::to_string),
            chess960: position.is_chess960(),
        }
    }

    /// The same, for a game that ended by resignation, on time or by agreement.
    pub(crate) fn ended(game: &Game) -> PositionView {
        PositionView { legal: Vec::new(), claimable: None, ..PositionView::new(game) }
    }
}

impl LegalMove {
    fn new(position: &Position, mv: Move) -> LegalMove {
        LegalMove {
            uci: position.uci(mv),
            san: position.san(mv),
            from: mv.from().to_string(),
            to: target(mv).to_string(),
            promotion: mv.promotion_role().as_ref().map(Role::to_string),
            capture: position.is_capture(mv),
            castle_rook: (mv.kind() == MoveKind::Castle).then(|| mv.to().to_string()),
        }
    }
}

impl MoveView {
    /// A legal move in a position.
    pub(crate) fn new(position: &Position, mv: Move) -> MoveView {
        let next = position.play_unchecked(mv);
        MoveView {
            uci: position.uci(mv),
            san: position.san(mv),
            fen: next.to_string(),
            from: mv.from().to_string(),
            to: target(mv).to_string(),
            check: checked_king(&next),
            opening: OpeningView::of(&next),
        }
    }

    /// Every move of a game.
    pub(crate) fn all(game: &Game) -> Vec<MoveView> {
        game.positions().iter().zip(game.moves()).map(|(position, &mv)| MoveView::new(position, mv)).collect()
    }
}

impl ScoreView {
    /// A score for the player to move.
    pub(crate) fn new(score: Score, turn: Color) -> ScoreView {
        let sign = if turn == Color::White { 1 } else { -1 };
        let mate = |moves: u32| i32::try_from(moves).unwrap_or(i32::MAX);
        match score.to_uci() {
            UciScore::Centipawns(value) => ScoreView::Cp(sign * value),
            UciScore::MateIn(moves) => ScoreView::Mate(sign * mate(moves)),
            UciScore::MatedIn(moves) => ScoreView::Mate(-sign * mate(moves)),
        }
    }

    /// The score of a PGN comment.
    pub(crate) fn recorded(eval: pgn::Eval) -> ScoreView {
        match eval.score {
            pgn::Evaluation::Centipawns(value) => ScoreView::Cp(value),
            pgn::Evaluation::Mate(value) => ScoreView::Mate(value),
        }
    }

    /// The score for a PGN comment.
    pub(crate) fn record(self) -> pgn::Eval {
        let score = match self {
            ScoreView::Cp(value) => pgn::Evaluation::Centipawns(value),
            ScoreView::Mate(value) => pgn::Evaluation::Mate(value),
        };
        pgn::Eval { score, depth: None }
    }
}

impl BoundView {
    /// A bound of a score for the player to move.
    pub(crate) fn new(bound: Bound, turn: Color) -> BoundView {
        match (bound, turn) {
            (Bound::Exact, _) => BoundView::Exact,
            (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => BoundView::AtLeast,
            (Bound::Upper, Color::White) | (Bound::Lower, Color::Black) => BoundView::AtMost,
        }
    }
}

/// A line of moves in both notations.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct LineView {
    pub(crate) uci: Vec<String>,
    pub(crate) san: Vec<String>,
}

impl LineView {
    /// Moves from a position, as far as they are legal.
    pub(crate) fn new(position: &Position, moves: &[Move]) -> LineView {
        let (mut position, mut uci, mut san) = (*position, Vec::new(), Vec::new());
        for &mv in moves {
            let Ok(next) = position.play(mv) else { break };
            uci.push(position.uci(mv));
            san.push(position.san(mv));
            position = next;
        }
        LineView { uci, san }
    }
}
