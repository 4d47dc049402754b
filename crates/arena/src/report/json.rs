//! A finished game as a line of JSON, for programs that follow an event.

use serde::Serialize;

use crate::event::{EventPlan, GameEntry};
use crate::{EndReason, GameRecord};

/// A finished game by the names of its players.
#[derive(Serialize)]
pub struct GameLine<'a> {
    pair: u64,
    leg: usize,
    round: u32,
    white: &'a str,
    black: &'a str,
    result: &'static str,
    reason: EndReason,
    plies: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<&'a str>,
    /// Where the game started, if not from the starting position.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    moves: String,
}

impl<'a> GameLine<'a> {
    /// The line of a game.
    pub fn new(plan: &'a EventPlan, entry: &'a GameEntry) -> GameLine<'a> {
        let game = &entry.game;
        GameLine {
            pair: entry.pair,
            leg: entry.leg,
            round: entry.round,
            white: &plan.players[entry.white].name,
            black: &plan.players[entry.black].name,
            result: game.ending.score(),
            reason: game.reason,
            plies: game.moves.len(),
            fault: game.fault.as_deref(),
            start: (game.start != rules::Position::initial()).then(|| game.start.to_string()),
            moves: moves(game),
        }
    }
}

fn moves(record: &GameRecord) -> String {
    let mut position = record.start;
    let mut words = Vec::with_capacity(record.moves.len());
    for &mv in &record.moves {
        words.push(position.uci(mv));
        position = position.play_unchecked(mv);
    }
    words.join(" ")
}
