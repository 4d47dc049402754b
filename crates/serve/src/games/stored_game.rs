//! A game of the server: its session, and the record of it that is stored.
//!
//! The session is the game as it is played; the record follows from it after every change. Nothing here waits, so a
//! change can be tried on a copy, stored, and only then be announced.

use std::time::{Duration, Instant};

use game::{ActionError, DrawAnswer, EngineAnswer, GameSession};
use minds::{Allowance, Limits};
use rules::Color;

use super::record::{self, BadRecord, Last, Played, Player, Record};
use super::score_sheet;
use crate::error::{ApiError, ErrorCode};
use crate::parse;
use crate::sheet::Sheet;
use crate::store::Change;
use crate::view::{OpeningView, ShownMove};

/// A game and its record.
#[derive(Clone)]
pub(crate) struct StoredGame {
    record: Record,
    session: GameSession,
    /// The moves as pages get them, converted once because every view of the game has them all.
    shown: Vec<ShownMove>,
}

pub(super) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl From<ActionError> for ApiError {
    fn from(error: ActionError) -> ApiError {
        let code = match error {
            ActionError::Illegal(_) => ErrorCode::IllegalMove,
            ActionError::TooLong(_) => ErrorCode::TooMany,
            _ => ErrorCode::Conflict,
        };
        ApiError::new(code, error.to_string())
    }
}

impl StoredGame {
    /// The game of a record. It may have at most `max_plies` plies.
    pub(crate) fn new(record: Record, max_plies: usize) -> Result<StoredGame, BadRecord> {
        let session = record.session(max_plies, Instant::now())?;
        let mut game = StoredGame { record, session, shown: Vec::new() };
        game.update_record();
        Ok(game)
    }

    pub(crate) fn record(&self) -> &Record {
        &self.record
    }

    pub(crate) fn session(&self) -> &GameSession {
        &self.session
    }

    pub(crate) fn shown(&self) -> &[ShownMove] {
        &self.shown
    }

    /// What the last position that has a name is called.
    fn opening(&self) -> Option<&OpeningView> {
        self.shown.iter().rev().find_map(ShownMove::opening)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.session.is_over()
    }

    /// The engine that is to move, as it is written.
    pub(crate) fn engine_to_move(&self) -> Option<&str> {
        match self.record.player(self.session.engine_to_move()?) {
            Player::Mind { mind, .. } => Some(mind),
            Player::Human { .. } => None,
        }
    }

    /// Writes the moves and the result into the record.
    fn update_record(&mut self) {
        let game = self.session.game();
        // One change takes moves back or adds one, never both, so moves that are still there are the same.
        let kept = self.shown.len().min(game.moves().len());
        self.shown.truncate(kept);
        self.record.moves.truncate(kept);
        for (ply, (before, &mv)) in game.positions().iter().zip(game.moves()).enumerate().skip(kept) {
            let spent = self.session.timed_move(ply).map_or(Duration::ZERO, |(timed, _)| timed.spent);
            self.record.moves.push(Played { uci: before.uci(mv), ms: milliseconds(spent) });
            self.shown.push(ShownMove::new(before, mv));
        }
        self.record.over = self.session.result().map(Into::into);
    }

    /// What is to be stored, if an earlier state of the game is.
    pub(crate) fn change_since(&self, earlier: &StoredGame) -> Change {
        let (before, now) = (&earlier.record, &self.record);
        let kept = before.moves.iter().zip(&now.moves).take_while(|(one, other)| one == other).count();
        let is_turn = before.over != now.over;
        Change {
            head: Record { moves: Vec::new(), ..now.clone() },
            plies: now.moves.len(),
            renamed: (earlier.opening() != self.opening()).then(|| self.opening().cloned()),
            kept,
            added: now.moves[kept..].to_vec(),
            is_turn,
            sheet: (is_turn && self.is_over()).then(|| Sheet::of(&score_sheet::tree(self))),
        }
    }

    /// A change is complete: it gets its number and its time.
    pub(crate) fn stamp(&mut self) {
        self.record.revision += 1;
        self.record.updated = record::now();
        let game = self.session.game();
        self.record.fen = game.position().to_string();
        let last = game.positions().iter().zip(game.moves()).next_back();
        self.record.last = last.map(|(before, &mv)| Last { uci: before.uci(mv), san: before.san(mv) });
    }

    /// Changes the session, and the record with it.
    fn change<T>(&mut self, act: impl FnOnce(&mut GameSession) -> T) -> T {
        let answer = act(&mut self.session);
        self.update_record();
        answer
    }

    /// Lets time pass. Returns whether a flag fell.
    pub(crate) fn tick(&mut self, now: Instant) -> bool {
        self.change(|session| session.tick(now))
    }

    /// A person plays a move.
    pub(crate) fn play(&mut self, text: &str, ply: Option<usize>, now: Instant) -> Result<(), ApiError> {
        self.session.check_in_progress()?;
        let plies = self.session.game().moves().len();
        if ply.is_some_and(|ply| ply != plies) {
            return Err(ApiError::conflict(format!("the game has {plies} moves by now")));
        }
        self.session.check_human_to_move()?;
        let mv = parse::mv(self.session.position(), text)?;
        Ok(self.change(|session| session.play(mv, now))?)
    }

    /// The engine to move has answered.
    pub(crate) fn engine_answered(&mut self, answer: EngineAnswer, now: Instant) {
        self.change(|session| session.engine_answered(answer, now));
    }

    /// Takes moves back until it is a person's turn.
    pub(crate) fn take_back(&mut self, now: Instant) -> Result<(), ApiError> {
        if !self.record.help.takebacks {
            return Err(ApiError::conflict("this game is played without take-backs"));
        }
        Ok(self.change(|session| session.take_back(now))?)
    }

    pub(crate) fn resign(&mut self, side: Option<Color>, now: Instant) -> Result<(), ApiError> {
        Ok(self.change(|session| session.resign(side, now))?)
    }

    /// Claims a draw if there is one to claim, accepts one that is offered, or asks for one.
    pub(crate) fn draw(&mut self, side: Option<Color>, now: Instant) -> Result<DrawAnswer, ApiError> {
        Ok(self.change(|session| session.draw(side, now))?)
    }

    pub(crate) fn abort(&mut self, now: Instant) -> Result<(), ApiError> {
        Ok(self.change(|session| session.abort(now))?)
    }

    /// How long the engine to move may think, at most `longest` even with hours on the clock.
    pub(crate) fn allowance(&self, longest: Duration, now: Instant) -> Allowance {
        let without_clocks = Limits::move_time(Duration::from_millis(self.record.move_ms));
        let mut allowance = self.session.allowance(&without_clocks, now);
        let move_time = &mut allowance.limits.move_time;
        *move_time = Some(move_time.map_or(longest, |time| time.min(longest)));
        allowance
    }
}
