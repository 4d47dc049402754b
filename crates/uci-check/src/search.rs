//! A search as it was received: what the engine told, and what it chose.

use std::time::{Duration, Instant};

use rules::{Game, Position};
use uci::{Bound, Info, Message, UciScore};

use crate::engine::{Outcome, ReceivedLine, board, fail, game};

/// What was received between `go` and `bestmove`.
#[derive(Debug)]
pub(crate) struct Search {
    pub(crate) started: Instant,
    pub(crate) ended: Instant,
    pub(crate) received: Vec<ReceivedLine>,
    pub(crate) best: Option<String>,
    pub(crate) ponder: Option<String>,
}

impl Search {
    /// Of everything that was received; the last line is the best move.
    pub(crate) fn new(started: Instant, mut received: Vec<ReceivedLine>) -> Search {
        let last = received.pop();
        let ended = last.as_ref().map_or(started, |last| last.at);
        let (best, ponder) = match last.as_ref().map(ReceivedLine::message) {
            Some(Message::BestMove { best, ponder }) => (best.clone(), ponder.clone()),
            _ => (None, None),
        };
        Search { started, ended, received, best, ponder }
    }

    pub(crate) fn took(&self) -> Duration {
        self.ended.saturating_duration_since(self.started)
    }

    /// What it told, with the lines as they stood.
    pub(crate) fn infos(&self) -> impl DoubleEndedIterator<Item = (&ReceivedLine, &Info)> {
        self.received.iter().filter_map(|received| match received.message() {
            Message::Info(info) => Some((received, &**info)),
            _ => None,
        })
    }

    /// The last line of moves that is the truth of its depth, and the first in rank.
    pub(crate) fn last_exact(&self) -> Option<(&ReceivedLine, &Info)> {
        let is_exact = |info: &Info| info.score.is_some() && info.bound == Bound::Exact;
        self.infos()
            .rfind(|(_, info)| !info.pv.is_empty() && is_exact(info) && info.multi_pv.is_none_or(|rank| rank == 1))
    }

    /// The score of that line.
    pub(crate) fn score(&self) -> Option<UciScore> {
        self.last_exact().and_then(|(_, info)| info.score)
    }

    /// The last count of nodes.
    pub(crate) fn nodes(&self) -> Option<u64> {
        self.infos().rev().find_map(|(_, info)| info.nodes)
    }

    /// The deepest depth that was told.
    pub(crate) fn depth(&self) -> Option<u32> {
        self.infos().filter_map(|(_, info)| info.depth).max()
    }

    /// That the best move is legal where it was asked for.
    pub(crate) fn is_legal_in(&self, position: &str) -> Outcome {
        let board = board(position)?;
        match &self.best {
            None if board.has_legal_moves() => fail(format!("no move where there are some: position {position}")),
            None => Ok(()),
            Some(best) => match board.parse_uci(best) {
                Ok(_) => Ok(()),
                Err(error) => fail(format!("bestmove {best}: {error} (position {position})")),
            },
        }
    }

    /// That the move to ponder on is legal after the best move.
    pub(crate) fn ponders_legally_in(&self, position: &str) -> Outcome {
        let (Some(best), Some(ponder)) = (&self.best, &self.ponder) else { return Ok(()) };
        let board = board(position)?;
        let Ok(mv) = board.parse_uci(best) else { return self.is_legal_in(position) };
        match board.play_unchecked(mv).parse_uci(ponder) {
            Ok(_) => Ok(()),
            Err(error) => fail(format!("bestmove {best} ponder {ponder}: {error} (position {position})")),
        }
    }
}

/// Follows a line of moves to its end. It must be legal, and must not go on after the game has ended.
pub(crate) fn follow(position: &str, pv: &[String]) -> Outcome<Position> {
    let mut game = game(position)?;
    for (index, text) in pv.iter().enumerate() {
        // What ended before the line began is not the line's error.
        if let Some(end) = end_of(&game).filter(|_| index > 0) {
            return fail(format!("the line goes on with {text} after {end}: {}", pv.join(" ")));
        }
        let played = game.position().parse_uci(text).map_err(|error| error.to_string());
        match played.and_then(|mv| game.play(mv).map_err(|error| error.to_string())) {
            Ok(()) => {}
            Err(error) => return fail(format!("move {} of the line: {error}: {}", index + 1, pv.join(" "))),
        }
    }
    Ok(*game.position())
}

/// How a game has ended, draws that a player would claim included.
fn end_of(game: &Game) -> Option<String> {
    match game.outcome() {
        Some(outcome) => Some(outcome.to_string()),
        None => game.claimable_draw().map(|reason| reason.to_string()),
    }
}
