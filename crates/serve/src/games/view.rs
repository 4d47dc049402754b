//! Games as a page gets them.

use std::time::Instant;

use rules::Color;
use serde::Serialize;
use utoipa::ToSchema;

use super::record::{Help, Last, Player, Record, Time};
use super::stored_game::{StoredGame, milliseconds};
use crate::view::{MoveView, OverView, PositionView, ScoreView, ShownMove, Side};

/// What every view of a game has.
#[derive(Serialize, ToSchema)]
pub(crate) struct Head {
    id: String,
    created: String,
    updated: String,
    /// Grows with every change.
    revision: u64,
    white: Player,
    black: Player,
    /// The number of the line-up.
    chess960: Option<u16>,
    start_fen: String,
    time: Option<Time>,
    move_ms: u64,
    pause_ms: u64,
    help: Help,
    #[serde(flatten)]
    end: Ending,
}

/// Whether a game goes on, and how it ended.
#[derive(Serialize, ToSchema)]
pub(crate) struct Ending {
    status: Status,
    result: String,
    winner: Option<Side>,
    reason: Option<String>,
}

/// Whether a game goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, serde::Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    Playing,
    Over,
}

/// A game.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameView {
    #[serde(flatten)]
    head: Head,
    moves: Vec<GameMove>,
    #[serde(flatten)]
    now: GameNow,
}

/// What changed in a game, for a page that knows it as it was.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameChange {
    /// The revision that the page has, if it has missed nothing.
    follows: u64,
    revision: u64,
    updated: String,
    /// How many of the moves are still there.
    kept: usize,
    /// The moves after those.
    moves: Vec<GameMove>,
    #[serde(flatten)]
    now: GameNow,
    #[serde(flatten)]
    end: Ending,
}

/// How a game stands.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameNow {
    position: PositionView,
    clocks: Option<Clocks>,
    /// Whether a mind is at it.
    thinking: bool,
    /// Who offers a draw.
    draw_offer: Option<Side>,
    /// What a mind did wrong.
    fault: Option<String>,
}

/// A move of a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameMove {
    #[serde(flatten)]
    #[schema(value_type = MoveView)]
    mv: ShownMove,
    /// The time it took.
    ms: u64,
    /// What the clock showed then.
    clock_ms: Option<u64>,
}

/// What the clocks show.
#[derive(Serialize, ToSchema)]
pub(crate) struct Clocks {
    white_ms: u64,
    black_ms: u64,
    running: Option<Side>,
    /// How long the running clock still stands: the pause before an engine's move.
    pause_ms: u64,
}

/// A game in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct Summary {
    #[serde(flatten)]
    head: Head,
    plies: usize,
    fen: String,
    last: Option<Last>,
}

/// The best line of the engine that is thinking.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct Thought {
    pub(crate) ply: usize,
    pub(crate) depth: usize,
    pub(crate) score: ScoreView,
    pub(crate) san: Vec<String>,
}

/// A moment in milliseconds since 1970, as RFC 3339 writes it: `2026-11-15T12:00:00.250Z`.
pub(crate) fn timestamp(milliseconds: u64) -> String {
    let milliseconds = i64::try_from(milliseconds).unwrap_or(i64::MAX);
    format!("{:.3}", jiff::Timestamp::from_millisecond(milliseconds).unwrap_or(jiff::Timestamp::MAX))
}

impl Head {
    fn new(record: &Record) -> Head {
        Head {
            id: record.id.clone(),
            created: timestamp(record.created),
            updated: timestamp(record.updated),
            revision: record.revision,
            white: record.white.clone(),
            black: record.black.clone(),
            chess960: record.chess960,
            start_fen: record.start_fen.clone(),
            time: record.time,
            move_ms: record.move_ms,
            pause_ms: record.pause_ms,
            help: record.help,
            end: Ending::new(record.over.as_ref()),
        }
    }
}

impl GameMove {
    /// The moves of a game from a ply on.
    fn all_from(game: &StoredGame, first: usize) -> Vec<GameMove> {
        let (record, session) = (game.record(), game.session());
        // Moves of the opening are not timed, and leave the clocks full.
        let base = record.time.map(|time| time.base_ms);
        let moves = game.shown().iter().zip(&record.moves).enumerate().skip(first);
        moves
            .map(|(ply, (mv, played))| {
                let clock_ms = session.timed_move(ply).map_or(base, |(_, clock)| clock.map(milliseconds));
                GameMove { mv: mv.clone(), ms: played.ms, clock_ms }
            })
            .collect()
    }
}

impl GameNow {
    fn new(game: &StoredGame, now: Instant) -> GameNow {
        let session = game.session();
        let shown = |color| session.remaining(color, now).map(milliseconds);
        let clocks = shown(Color::White).zip(shown(Color::Black)).map(|(white_ms, black_ms)| Clocks {
            white_ms,
            black_ms,
            running: session.is_ticking().then(|| session.turn().into()),
            pause_ms: milliseconds(session.pause_left(now)),
        });
        let position = session.game();
        GameNow {
            position: if session.is_over() { PositionView::ended(position) } else { PositionView::new(position) },
            clocks,
            thinking: session.engine_to_move().is_some(),
            draw_offer: session.draw_offer().map(Into::into),
            fault: session.fault().map(str::to_owned),
        }
    }
}

impl GameView {
    pub(crate) fn new(game: &StoredGame, now: Instant) -> GameView {
        GameView { head: Head::new(game.record()), moves: GameMove::all_from(game, 0), now: GameNow::new(game, now) }
    }
}

impl GameChange {
    /// What changed since a watcher knew a revision and some moves.
    pub(crate) fn new(game: &StoredGame, follows: u64, known: &[ShownMove], now: Instant) -> GameChange {
        let record = game.record();
        let kept = game.shown().iter().zip(known).take_while(|(one, other)| one.is_same(other)).count();
        GameChange {
            follows,
            revision: record.revision,
            updated: timestamp(record.updated),
            kept,
            moves: GameMove::all_from(game, kept),
            now: GameNow::new(game, now),
            end: Ending::new(record.over.as_ref()),
        }
    }
}

impl Ending {
    fn new(over: Option<&OverView>) -> Ending {
        Ending {
            status: if over.is_some() { Status::Over } else { Status::Playing },
            result: over.map_or("*".to_owned(), |end| end.result.clone()),
            winner: over.and_then(|end| end.winner),
            reason: over.map(|end| end.reason.clone()),
        }
    }
}

impl Summary {
    pub(crate) fn new(record: &Record, plies: usize) -> Summary {
        Summary { head: Head::new(record), plies, fen: record.fen.clone(), last: record.last.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_written_as_the_web_does() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(timestamp(1_794_744_000_250 + 3_725_000), "2026-11-15T13:02:05.250Z");
    }
}
