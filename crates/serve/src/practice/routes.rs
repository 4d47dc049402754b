//! Practice over HTTP: the cards that are due, answers, and an export for other programs.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderName, StatusCode, header};
use rules::Position;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::schedule::{DAY, answer, streak};
use super::{Grade, from_review};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::extract::{GameId, JsonBody};
use crate::games::{now, timestamp};
use crate::state::App;
use crate::store::{CardRow, Store};
use crate::view::Side;

/// The most cards of one answer.
const MOST_CARDS: u32 = 20;

/// What there is to practise.
#[derive(Serialize, ToSchema)]
pub(crate) struct PracticeResponse {
    due: u64,
    total: u64,
    /// When the next card is due, if none is now.
    next: Option<String>,
    /// On how many days in a row something was practised, today or yesterday the last.
    streak: u64,
    /// What the cards that are due are about, the most frequent first.
    themes: Vec<ThemeView>,
    cards: Vec<CardView>,
}

/// A theme and how many cards of it are due.
#[derive(Serialize, ToSchema)]
pub(crate) struct ThemeView {
    theme: String,
    due: u64,
}

/// What to practise.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PracticeQuery {
    /// Cards of this theme alone; of any if left out.
    theme: Option<String>,
}

/// A position of a game in which a mistake was made.
#[derive(Serialize, ToSchema)]
pub(crate) struct CardView {
    id: String,
    /// The game.
    game: String,
    /// How many moves were played before the mistake.
    ply: usize,
    fen: String,
    turn: Side,
    /// The mistake.
    played: CardMove,
    /// The best move instead.
    best: CardMove,
    /// `White – Black, 2026.11.18`.
    label: String,
    /// What the mistake is about.
    theme: Option<String>,
    /// Why it is a mistake, in words.
    reason: Option<String>,
    due: String,
    answers: u32,
    lapses: u32,
}

/// A move of a card.
#[derive(Serialize, ToSchema)]
pub(crate) struct CardMove {
    uci: String,
    san: String,
}

/// How well the answer was known.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerRequest {
    grade: Grade,
}

/// Whose mistakes become cards.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CardsRequest {
    side: Side,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct CardsResponse {
    /// How many cards are new.
    cards: u64,
}

impl CardView {
    /// A card, unless the database was changed from outside.
    fn new(row: &CardRow) -> Option<CardView> {
        let position: Position = row.card.fen.parse().ok()?;
        let mv = |uci: &str| {
            let mv = position.parse_uci(uci).ok()?;
            Some(CardMove { uci: uci.to_owned(), san: position.san(mv) })
        };
        Some(CardView {
            id: row.number.to_string(),
            game: row.game.clone(),
            ply: row.card.ply,
            turn: position.turn().into(),
            played: mv(&row.card.played)?,
            best: mv(&row.card.best)?,
            fen: row.card.fen.clone(),
            label: row.label(),
            theme: row.card.theme.clone(),
            reason: row.card.reason.clone(),
            due: timestamp(row.due),
            answers: row.answers,
            lapses: row.lapses,
        })
    }
}

/// Cards as a page gets them.
pub(crate) fn cards_view(rows: &[CardRow]) -> Vec<CardView> {
    rows.iter().filter_map(CardView::new).collect()
}

fn store(app: &App) -> &Store {
    &app.games().service().store
}

fn card_number(id: &str) -> Result<i64, ApiError> {
    id.parse().map_err(|_| unknown())
}

fn unknown() -> ApiError {
    ApiError::new(ErrorCode::NotFound, "there is no such card")
}

#[utoipa::path(get, path = "/api/practice", tag = "practice", params(PracticeQuery),
    responses((status = 200, body = PracticeResponse), (status = "4XX", body = ErrorBody)))]
/// The cards that are due.
pub(crate) async fn practice(
    State(app): State<App>,
    query: Result<Query<PracticeQuery>, QueryRejection>,
) -> Result<Json<PracticeResponse>, ApiError> {
    let Query(asked) = query.map_err(|error| ApiError::bad_request(error.body_text()))?;
    let now = now();
    let counts = store(&app).practice_counts(now).await?;
    let themes = store(&app).due_themes(now).await?.into_iter();
    let cards = store(&app).due_cards(now, asked.theme, MOST_CARDS).await?;
    Ok(Json(PracticeResponse {
        due: counts.due,
        total: counts.total,
        next: counts.next.map(timestamp),
        streak: streak(&counts.days, now / DAY),
        themes: themes.map(|(theme, due)| ThemeView { theme, due }).collect(),
        cards: cards_view(&cards),
    }))
}

#[utoipa::path(get, path = "/api/practice/{id}", tag = "practice", params(("id" = String, Path)),
    responses((status = 200, body = CardView), (status = "4XX", body = ErrorBody)))]
/// A card, whether it is due or not.
pub(crate) async fn card(State(app): State<App>, GameId(id): GameId) -> Result<Json<CardView>, ApiError> {
    let card = store(&app).card(card_number(&id)?).await?;
    card.as_ref().and_then(CardView::new).map(Json).ok_or_else(unknown)
}

#[utoipa::path(post, path = "/api/practice/{id}", tag = "practice", params(("id" = String, Path)),
    request_body = AnswerRequest, responses((status = 200, body = CardView), (status = "4XX", body = ErrorBody)))]
/// Grades the answer to a card, which is asked again the later the better it was known.
pub(crate) async fn grade(
    State(app): State<App>,
    GameId(id): GameId,
    JsonBody(AnswerRequest { grade }): JsonBody<AnswerRequest>,
) -> Result<Json<CardView>, ApiError> {
    let now = now();
    let card = store(&app).answer_card(card_number(&id)?, now, move |card| answer(card, grade, now)).await?;
    card.as_ref().and_then(CardView::new).map(Json).ok_or_else(unknown)
}

#[utoipa::path(delete, path = "/api/practice/{id}", tag = "practice", params(("id" = String, Path)),
    responses((status = 204), (status = "4XX", body = ErrorBody)))]
/// Removes a card.
pub(crate) async fn delete(State(app): State<App>, GameId(id): GameId) -> Result<StatusCode, ApiError> {
    let was_there = store(&app).delete_card(card_number(&id)?).await?;
    if was_there { Ok(StatusCode::NO_CONTENT) } else { Err(unknown()) }
}

#[utoipa::path(post, path = "/api/library/{id}/cards", tag = "practice", params(("id" = String, Path)),
    request_body = CardsRequest, responses((status = 200, body = CardsResponse), (status = "4XX", body = ErrorBody)))]
/// Makes cards of the mistakes of a player, by the deepest review of the game.
pub(crate) async fn make_cards(
    State(app): State<App>,
    GameId(id): GameId,
    JsonBody(CardsRequest { side }): JsonBody<CardsRequest>,
) -> Result<Json<CardsResponse>, ApiError> {
    let stored = store(&app).review(&id, None).await?;
    let stored = stored.ok_or_else(|| ApiError::new(ErrorCode::NotFound, "the game was not reviewed yet"))?;
    let color = match side {
        Side::White => "white",
        Side::Black => "black",
    };
    let cards = app.compute(move |_| {
        let review = serde_json::from_str(&stored.review)
            .map_err(|error| ApiError::new(ErrorCode::Internal, format!("the review cannot be read: {error}")))?;
        Ok(from_review(&review, color))
    });
    let cards = store(&app).add_cards(&id, cards.await?, now()).await?;
    Ok(Json(CardsResponse { cards }))
}

#[utoipa::path(get, path = "/api/practice/export", tag = "practice",
    responses((status = 200, content_type = "text/tab-separated-values", body = String), (status = "4XX", body = ErrorBody)))]
/// All cards as a table with tabs, which Anki and others import: position, question, answer, game.
pub(crate) async fn export(State(app): State<App>) -> Result<([(HeaderName, &'static str); 2], String), ApiError> {
    let cards = store(&app).all_cards().await?;
    let text = cards_view(&cards).iter().map(line).collect::<String>();
    let headers = [
        (header::CONTENT_TYPE, "text/tab-separated-values; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"saavedra-practice.tsv\""),
    ];
    Ok((headers, format!("#separator:tab\n#html:false\n#columns:FEN\tQuestion\tAnswer\tGame\n{text}")))
}

/// A card as a line of a table. No field has a tab or a line break in it.
fn line(card: &CardView) -> String {
    let turn = if card.turn == Side::White { "White" } else { "Black" };
    let reason = card.reason.as_ref().map_or(String::new(), |reason| format!(": it {reason}"));
    let fields = [
        card.fen.clone(),
        format!("{turn} to move. {} was a mistake.", card.played.san),
        format!("{} ({}{reason})", card.best.san, card.played.san),
        card.label.clone(),
    ];
    fields.map(|field| field.replace(['\t', '\n', '\r'], " ")).join("\t") + "\n"
}
