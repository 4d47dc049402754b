//! Games of the library as a page gets them.

use records::pgn::GameTree;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::games::{Status, timestamp};
use crate::routes::pgn::PgnGame;
use crate::store::{GameKind, GameRow, Store};

/// A game in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct ListedGame {
    id: String,
    kind: GameKind,
    /// Whether a game that is played here goes on; null for others.
    status: Option<Status>,
    created: String,
    updated: String,
    white: String,
    black: String,
    white_elo: Option<u16>,
    black_elo: Option<u16>,
    event: String,
    /// As PGN writes it: `1997.05.11`, `1997.??.??`, or nothing.
    date: String,
    result: String,
    eco: Option<String>,
    opening: Option<String>,
    plies: usize,
    /// The last position.
    fen: String,
    labels: Vec<String>,
    /// What was wrong with it when it was read; the part before that is there.
    problem: Option<String>,
    /// How accurately both played, if the game was reviewed.
    accuracy: Option<AccuracyView>,
}

/// The accuracy of both players, from 0 to 100.
#[derive(Serialize, ToSchema)]
pub(crate) struct AccuracyView {
    white: Option<f64>,
    black: Option<f64>,
}

/// A game of the library.
#[derive(Serialize, ToSchema)]
pub(crate) struct LibraryGame {
    id: String,
    kind: GameKind,
    /// Whether a game that is played here goes on; null for others.
    status: Option<Status>,
    /// Grows with every change.
    revision: u64,
    created: String,
    updated: String,
    /// When it was deleted, if it was.
    deleted: Option<String>,
    labels: Vec<String>,
    /// What was wrong with it when it was read; the part before that is there.
    problem: Option<String>,
    /// The efforts with which it was reviewed.
    reviews: Vec<String>,
    game: PgnGame,
}

fn status(row: &GameRow) -> Option<Status> {
    let status = if row.is_over { Status::Over } else { Status::Playing };
    (row.kind == GameKind::Played).then_some(status)
}

impl ListedGame {
    fn new(row: GameRow, accuracy: Option<[Option<f64>; 2]>) -> ListedGame {
        ListedGame {
            status: status(&row),
            id: row.id,
            kind: row.kind,
            created: timestamp(row.created),
            updated: timestamp(row.updated),
            white: row.white,
            black: row.black,
            white_elo: row.white_elo,
            black_elo: row.black_elo,
            event: row.event,
            date: row.date,
            result: row.result.to_string(),
            eco: row.eco,
            opening: row.opening,
            plies: row.plies,
            fen: row.fen,
            labels: row.labels,
            problem: row.problem,
            accuracy: accuracy.map(|[white, black]| AccuracyView { white, black }),
        }
    }
}

/// Games for a list.
pub(crate) async fn listed(store: &Store, rows: Vec<GameRow>) -> Result<Vec<ListedGame>, ApiError> {
    let accuracies = store.accuracies(rows.iter().map(|row| row.number).collect()).await?;
    Ok(rows.into_iter().zip(accuracies).map(|(row, accuracy)| ListedGame::new(row, accuracy)).collect())
}

impl LibraryGame {
    pub(super) fn new(row: GameRow, tree: &GameTree, reviews: Vec<String>) -> LibraryGame {
        LibraryGame {
            status: status(&row),
            id: row.id,
            kind: row.kind,
            revision: row.revision,
            created: timestamp(row.created),
            updated: timestamp(row.updated),
            deleted: row.deleted.map(timestamp),
            labels: row.labels,
            problem: row.problem,
            reviews,
            game: PgnGame::new(tree),
        }
    }
}
