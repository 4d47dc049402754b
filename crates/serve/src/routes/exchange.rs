//! Exchanges: the attackers of a square in the order in which they capture, and the value by every method.

use axum::Json;
use axum::extract::State;
use lessons::{ExchangeStep, Explanation};
use rules::see::Values;
use rules::{Bitboard, Color, Move, MoveKind, Pin, Position, Role, Square, attacks};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::extract::JsonBody;
use crate::parse;
use crate::state::App;
use crate::view::Side;

/// The exhaustive search takes too long with more attackers than occur in games.
const MOST_ATTACKERS: usize = 14;

/// A position, and a square or a move in it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExchangeRequest {
    fen: Option<String>,
    moves: Option<Vec<String>>,
    square: Option<String>,
    #[serde(rename = "move")]
    mv: Option<String>,
    /// What pawn, knight, bishop, rook and queen are worth.
    #[schema(min_items = 5, max_items = 5)]
    values: Option<[i32; 5]>,
}

/// An exchange on a square.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExchangeResponse {
    square: String,
    /// The piece on the square.
    piece: Option<char>,
    /// The side to move.
    side: Side,
    attackers: BySide,
    /// Every legal move to the square.
    captures: Vec<CaptureView>,
    told: Option<ExplanationView>,
}

/// The attackers of both players.
#[derive(Serialize, ToSchema)]
pub(crate) struct BySide {
    white: Vec<AttackerView>,
    black: Vec<AttackerView>,
}

/// A piece that attacks the square, at once or after the pieces in front of it have captured.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct AttackerView {
    square: String,
    piece: char,
    role: String,
    /// The piece in front of a slider.
    behind: Option<String>,
    /// The piece that pins it to its king.
    pinned_by: Option<String>,
}

/// A move to the square and its value.
#[derive(Serialize, ToSchema)]
pub(crate) struct CaptureView {
    uci: String,
    san: String,
    #[serde(flatten)]
    worth: Worth,
}

/// The value by each method.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub(crate) struct Worth {
    oracle: i32,
    swap: i32,
    table: Option<i32>,
    lookup: Option<i32>,
}

/// An exchange step by step.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExplanationView {
    #[serde(rename = "move")]
    mv: MoveName,
    #[serde(flatten)]
    worth: Worth,
    /// Whether all methods agree.
    agree: bool,
    best_line: Vec<StepView>,
    swap_line: Vec<StepView>,
    /// Pins of pieces that attack the square.
    pins: Vec<PinView>,
    words: Vec<String>,
}

/// A piece that is pinned to its king.
#[derive(Serialize, ToSchema)]
pub(crate) struct PinView {
    pinned: String,
    pinner: String,
}

/// A move in both notations.
#[derive(Serialize, ToSchema)]
pub(crate) struct MoveName {
    uci: String,
    san: String,
}

/// A capture in the exchange.
#[derive(Serialize, ToSchema)]
pub(crate) struct StepView {
    uci: String,
    piece: char,
    takes: Option<String>,
    balance: i32,
}

#[utoipa::path(post, path = "/api/see", tag = "tools", request_body = ExchangeRequest,
    responses((status = 200, body = ExchangeResponse), (status = "4XX", body = ErrorBody)))]
/// The value of the captures on a square.
pub(crate) async fn see(
    State(app): State<App>,
    JsonBody(asked): JsonBody<ExchangeRequest>,
) -> Result<Json<ExchangeResponse>, ApiError> {
    let game = parse::game(asked.fen.as_deref(), asked.moves.as_deref(), app.limits().moves)?;
    let position = *game.position();
    let values = asked.values.map_or(Ok(Values::default()), read_values)?;
    let mv = asked.mv.as_deref().map(|text| parse::mv(&position, text)).transpose()?;
    let square = match (&asked.square, mv) {
        (Some(text), _) => text.trim().parse().map_err(|_| {
            ApiError::bad_request(format!("{:?} is not a square: expected something like e5", clipped(text)))
        })?,
        (None, Some(mv)) => mv.to(),
        (None, None) => return Err(ApiError::bad_request("expected a square or a move")),
    };
    app.compute(move |_| answer(&position, square, mv, &values)).await.map(Json)
}

/// The first letters of a text that may be long.
fn clipped(text: &str) -> String {
    text.chars().take(20).collect()
}

fn read_values(values: [i32; 5]) -> Result<Values, ApiError> {
    if values.iter().any(|value| !(1..=Values::LIMIT).contains(value)) {
        return Err(ApiError::bad_request(format!("a piece is worth between 1 and {}", Values::LIMIT)));
    }
    let [pawn, knight, bishop, rook, queen] = values;
    Ok(Values::new(pawn, knight, bishop, rook, queen))
}

fn answer(
    position: &Position,
    square: Square,
    mv: Option<Move>,
    values: &Values,
) -> Result<ExchangeResponse, ApiError> {
    let layers = Layers::new(position, square);
    if layers.count() > MOST_ATTACKERS {
        let message = format!("more than {MOST_ATTACKERS} pieces fight for {square}: that takes too long to compute");
        return Err(ApiError::new(ErrorCode::TooMany, message));
    }
    let moves: Vec<Move> = position
        .legal_moves()
        .into_iter()
        .filter(|mv| mv.to() == square && mv.kind() != MoveKind::Castle && is_first_choice(*mv))
        .collect();
    let told: Vec<Explanation> = moves.iter().map(|&mv| Explanation::new(position, mv, values)).collect();
    let capture = |(&mv, told): (&Move, &Explanation)| CaptureView {
        uci: position.uci(mv),
        san: position.san(mv),
        worth: Worth::new(told),
    };
    let captures = moves.iter().zip(&told).map(capture).collect();
    let chosen = mv.map(|mv| (mv, Explanation::new(position, mv, values)));
    let best = || moves.iter().copied().zip(told.iter().cloned()).rev().max_by_key(|(_, told)| told.exhaustive);
    let told = chosen.or_else(best).map(|(mv, told)| ExplanationView::new(position, mv, &told));
    Ok(ExchangeResponse {
        square: square.to_string(),
        piece: position.piece_at(square).map(rules::Piece::letter),
        side: position.turn().into(),
        attackers: BySide {
            white: layers.in_order(position, Color::White, values),
            black: layers.in_order(position, Color::Black, values),
        },
        captures,
        told,
    })
}

/// Of four promotions only that to a queen is listed.
fn is_first_choice(mv: Move) -> bool {
    mv.promotion_role().is_none_or(|role| role == Role::Queen)
}

impl Worth {
    fn new(told: &Explanation) -> Worth {
        Worth { oracle: told.exhaustive, swap: told.swap, table: told.table, lookup: told.lookup }
    }
}

impl ExplanationView {
    fn new(position: &Position, mv: Move, told: &Explanation) -> ExplanationView {
        let agree =
            [Some(told.swap), told.table, told.lookup].into_iter().flatten().all(|value| value == told.exhaustive);
        ExplanationView {
            mv: MoveName { uci: position.uci(mv), san: position.san(mv) },
            worth: Worth::new(told),
            agree,
            best_line: told.best_line.iter().map(StepView::new).collect(),
            swap_line: told.swap_line.iter().map(StepView::new).collect(),
            pins: told.pins.iter().map(PinView::new).collect(),
            words: words(position, mv, told),
        }
    }
}

impl PinView {
    fn new(pin: &Pin) -> PinView {
        PinView { pinned: pin.pinned.to_string(), pinner: pin.pinner.to_string() }
    }
}

impl StepView {
    fn new(step: &ExchangeStep) -> StepView {
        StepView {
            uci: step.mv.to_string(),
            piece: step.piece.letter(),
            takes: step.captured.as_ref().map(Role::to_string),
            balance: step.balance,
        }
    }
}

/// A player at the start of a sentence.
fn player_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// The exchange in sentences.
fn words(position: &Position, mv: Move, told: &Explanation) -> Vec<String> {
    let mut words = Vec::new();
    for (index, step) in told.best_line.iter().enumerate() {
        let takes = step.captured.map_or("takes nothing".to_owned(), |role| format!("takes the {role}"));
        let becomes = step.mv.promotion_role().map_or(String::new(), |role| format!(" and becomes a {role}"));
        words.push(match index {
            0 => format!("{}: the {} {takes}{becomes} ({:+}).", position.san(mv), step.piece.role, step.balance),
            _ => {
                let (color, role, from) = (step.piece.color, step.piece.role, step.mv.from());
                format!("{}'s {role} from {from} {takes}{becomes} ({:+}).", player_name(color), step.balance)
            }
        });
    }
    for pin in &told.pins {
        words.push(format!("The piece on {} is pinned by {}.", pin.pinned, pin.pinner));
    }
    let verdict = match told.exhaustive {
        0 => "Neither side wins anything by it.".to_owned(),
        won if won > 0 => format!("It wins {won}."),
        lost => format!("It loses {}.", -lost),
    };
    words.push(verdict);
    for (method, value) in [("The swap-off", Some(told.swap)), ("The table", told.table), ("The look-up", told.lookup)]
    {
        match value {
            Some(value) if value != told.exhaustive => {
                words.push(format!("{method} says {value:+}, and is wrong here."))
            }
            Some(_) => {}
            None => words.push(format!("{method} cannot be built for these values.")),
        }
    }
    words
}

/// The attackers of a square, including those behind other attackers.
struct Layers {
    square: Square,
    attackers: Vec<(Square, Option<Square>)>,
}

impl Layers {
    fn new(position: &Position, square: Square) -> Layers {
        let occupied = position.occupied();
        let (mut left, mut attackers) = (occupied, Vec::new());
        let mut layer = position.attackers(square);
        while !layer.is_empty() {
            for attacker in layer {
                // The nearest piece in front of it, among those that have captured.
                let gone = attacks::between(square, attacker) & occupied;
                let is_next = |front: &Square| !attacks::between(*front, attacker).intersects(occupied);
                attackers.push((attacker, gone.into_iter().find(is_next)));
            }
            left -= layer;
            layer = sliders_on(position, square, left);
        }
        Layers { square, attackers }
    }

    fn count(&self) -> usize {
        self.attackers.len()
    }

    /// One side's attackers, the least valuable first, but none before its own piece in front.
    fn in_order(&self, position: &Position, color: Color, values: &Values) -> Vec<AttackerView> {
        let price = |square: Square| match position.role_at(square) {
            Some(Role::King) | None => (i32::MAX, Role::King as usize),
            Some(role) => (values.of(role), role as usize),
        };
        let is_own = |square: Square| position.color_at(square) == Some(color);
        let mut left: Vec<_> = self.attackers.iter().copied().filter(|(square, _)| is_own(*square)).collect();
        let mut order = Vec::new();
        while !left.is_empty() {
            let waits = |front: Option<Square>| front.is_some_and(|front| left.iter().any(|(at, _)| *at == front));
            let next = left.iter().enumerate().filter(|(_, (_, front))| !waits(*front));
            let Some(index) = next.min_by_key(|(_, (square, _))| price(*square)).map(|(index, _)| index) else { break };
            let (square, front) = left.remove(index);
            order.extend(self.describe(position, square, front));
        }
        order
    }

    fn describe(&self, position: &Position, square: Square, front: Option<Square>) -> Option<AttackerView> {
        let piece = position.piece_at(square)?;
        Some(AttackerView {
            square: square.to_string(),
            piece: piece.letter(),
            role: piece.role.to_string(),
            behind: front.map(|front| front.to_string()),
            pinned_by: pinner(position, square, self.square).map(|pinner| pinner.to_string()),
        })
    }
}

/// The sliders that attack a square if only some pieces are left.
fn sliders_on(position: &Position, square: Square, left: Bitboard) -> Bitboard {
    let queens = position.by_role(Role::Queen);
    let straight = attacks::rook(square, left) & (position.by_role(Role::Rook) | queens);
    let diagonal = attacks::bishop(square, left) & (position.by_role(Role::Bishop) | queens);
    (straight | diagonal) & left
}

/// The piece that pins another one to its king, so that it may not go to the target.
fn pinner(position: &Position, square: Square, target: Square) -> Option<Square> {
    let color = position.color_at(square)?;
    let king = position.king(color);
    let through = sliders_on(position, king, position.occupied().without(square)) & position.by_color(!color);
    let is_pin = |pinner: &Square| {
        attacks::between(king, *pinner).contains(square) && !attacks::line(king, *pinner).contains(target)
    };
    through.into_iter().find(is_pin)
}
