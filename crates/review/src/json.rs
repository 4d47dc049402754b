//! Reviews in JSON. The fields of every object are always there, with null for what does not apply.

use records::pgn::GameTree;
use rules::{Color, Position, Square};
use serde::Serialize;

use crate::facts::FactsJson;
use crate::{Chances, Effort, Judgement, MoveReview, Outlook, Phase, PlayerReview, Proof, Reason, Review, Variation};

/// A review of a game.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = Review))]
pub struct ReviewJson<'a> {
    start: String,
    effort: EffortJson,
    white: PlayerReview,
    black: PlayerReview,
    /// The evaluation at the start and after each move.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<OutlookJson>))]
    evals: &'a [Outlook],
    #[cfg_attr(feature = "schema", schema(value_type = Vec<MoveReviewJson>))]
    moves: &'a [MoveReview],
    /// The plies of the moves that decided the game, at most three.
    turning_points: &'a [usize],
    opening: Option<OpeningJson>,
}

/// A game and its review, as programs read them: a line of `saavedra review --json`.
#[derive(Serialize)]
pub struct ReviewedGameJson<'a> {
    game: usize,
    players: [&'a str; 2],
    result: &'a str,
    #[serde(flatten)]
    review: &'a Review,
}

impl<'a> ReviewedGameJson<'a> {
    /// A game with its number among those that were reviewed, from 1.
    pub fn new(number: usize, tree: &'a GameTree, review: &'a Review) -> ReviewedGameJson<'a> {
        let players = ["White", "Black"].map(|tag| tree.tags.get(tag).unwrap_or("?"));
        ReviewedGameJson { game: number, players, result: tree.result().as_str(), review }
    }
}

/// The name of an opening, and where the game left it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ReviewOpening))]
pub(crate) struct OpeningJson {
    eco: &'static str,
    name: &'static str,
    /// How many half-moves are theory.
    book: usize,
}

/// A review of a move.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = MoveReview))]
pub struct MoveReviewJson<'a> {
    /// How many moves were played before it.
    ply: usize,
    /// The number of the move as players count.
    number: u32,
    #[cfg_attr(feature = "schema", schema(inline))]
    color: ColorJson,
    phase: Phase,
    san: String,
    uci: String,
    /// The position before the move.
    fen: String,
    /// The best line instead, which may begin with the same move.
    #[cfg_attr(feature = "schema", schema(value_type = VariationJson))]
    best: &'a Variation,
    /// The best line after the move.
    #[cfg_attr(feature = "schema", schema(value_type = VariationJson))]
    reply: &'a Variation,
    eval_best: OutlookJson,
    eval: OutlookJson,
    depth: usize,
    /// The points that the player could expect before the move, from 0 to 1.
    #[cfg_attr(feature = "schema", schema(value_type = f64))]
    chances_before: Chances,
    #[cfg_attr(feature = "schema", schema(value_type = f64))]
    chances_after: Chances,
    /// The points that the move lost.
    lost: f64,
    /// From 0 to 100; null if there was only one legal move.
    accuracy: Option<f64>,
    judgement: Judgement,
    missed_win: bool,
    nag: Option<u8>,
    #[cfg_attr(feature = "schema", schema(value_type = Vec<ReasonJson>))]
    reasons: &'a [Reason],
}

/// How much was searched: nodes for the first search of a position, or milliseconds for the game.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = Effort))]
#[serde(rename_all = "snake_case")]
pub(crate) enum EffortJson {
    Nodes(u64),
    Time(u64),
}

/// A score, or the result where the game is over on the board.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = Outlook))]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
pub(crate) enum OutlookJson {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Moves to mate; negative for the loser.
    Mate(i32),
    /// The result of the game.
    Over(&'static str),
}

/// A color.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
enum ColorJson {
    White,
    Black,
}

/// Why a move is judged so.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = Reason))]
pub(crate) struct ReasonJson {
    kind: &'static str,
    text: String,
    squares: Vec<String>,
    /// What is won or lost, in centipawns.
    value: Option<i32>,
    #[cfg_attr(feature = "schema", schema(value_type = Option<VariationJson>))]
    line: Option<Variation>,
    /// The moves to mate.
    moves: Option<usize>,
    /// Whether the mate holds against every reply.
    is_proven: Option<bool>,
    tactic: Option<String>,
    facts: FactsJson,
}

/// A line of moves in both notations.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = Variation))]
pub(crate) struct VariationJson {
    san: Vec<String>,
    uci: Vec<String>,
}

impl From<Effort> for EffortJson {
    fn from(effort: Effort) -> EffortJson {
        match effort.nodes() {
            Ok([first, ..]) => EffortJson::Nodes(first),
            Err(time) => EffortJson::Time(time.as_millis() as u64),
        }
    }
}

impl From<Outlook> for OutlookJson {
    fn from(outlook: Outlook) -> OutlookJson {
        match outlook {
            Outlook::Centipawns(value) => OutlookJson::Cp(value),
            Outlook::Mate(moves) => OutlookJson::Mate(moves),
            Outlook::Over(outcome) => OutlookJson::Over(outcome.score()),
        }
    }
}

impl<'a> From<&'a Review> for ReviewJson<'a> {
    fn from(review: &'a Review) -> ReviewJson<'a> {
        ReviewJson {
            start: review.start.to_string(),
            effort: review.effort.into(),
            white: review.players[Color::White],
            black: review.players[Color::Black],
            evals: &review.outlooks,
            moves: &review.moves,
            turning_points: &review.turning_points,
            opening: review.opening.map(|opening| OpeningJson {
                eco: &opening.name.eco,
                name: &opening.name.name,
                book: opening.book,
            }),
        }
    }
}

impl<'a> From<&'a MoveReview> for MoveReviewJson<'a> {
    fn from(review: &'a MoveReview) -> MoveReviewJson<'a> {
        let (position, mv) = (&review.position, review.mv);
        MoveReviewJson {
            ply: review.ply,
            number: position.fullmove_number().into(),
            color: match review.color() {
                Color::White => ColorJson::White,
                Color::Black => ColorJson::Black,
            },
            phase: review.phase,
            san: position.san(mv),
            uci: position.uci(mv),
            fen: position.to_string(),
            best: &review.best,
            reply: &review.reply,
            eval_best: review.outlook_best.into(),
            eval: review.outlook.into(),
            depth: review.depth,
            chances_before: review.chances_before,
            chances_after: review.chances_after,
            lost: review.lost,
            accuracy: review.accuracy,
            judgement: review.judgement,
            missed_win: review.missed_win,
            nag: review.nag(),
            reasons: &review.reasons,
        }
    }
}

impl From<&Reason> for ReasonJson {
    fn from(reason: &Reason) -> ReasonJson {
        let mate = match reason {
            Reason::MissesMate(mate) | Reason::AllowsMate(mate) => Some(mate),
            _ => None,
        };
        let tactic = match reason {
            Reason::AllowsTactic(tactic) | Reason::MissesTactic(tactic) => Some(tactic.kind.to_string()),
            _ => None,
        };
        ReasonJson {
            kind: reason.kind(),
            text: reason.to_string(),
            squares: reason.squares().iter().map(Square::to_string).collect(),
            value: reason.value(),
            line: reason.line(),
            moves: mate.map(|mate| mate.moves as usize),
            is_proven: mate.map(|mate| mate.proof == Proof::AllReplies),
            tactic,
            facts: reason.into(),
        }
    }
}

impl From<&Variation> for VariationJson {
    fn from(line: &Variation) -> VariationJson {
        VariationJson { san: line.names(Position::san), uci: line.names(Position::uci) }
    }
}
