//! The state of a game that is being played.
//!
//! Everything that changes a game goes through here: what people do, what engines answer, and time that passes. Nothing
//! here waits, so a change can be tried on a copy, stored, and only then be shown. Callers let time pass with
//! [`GameSession::tick`] before they act, so that a flag that has fallen ends the game first.

use std::time::{Duration, Instant};

use minds::{Allowance, Choice, Clock, GameEnd, Limits, Score};
use records::pgn::GameTree;
use rules::{ByColor, Color, Game, Move, Position};

use crate::{
    ActionError, ClockStart, DrawAnswer, EngineAnswer, GameOver, GameSetup, Player, PlayerKind, TimeControl, TimedMove,
    Timer,
};

/// An engine agrees to a draw only after this many plies.
const EARLIEST_AGREEMENT: usize = 40;

/// A game that is being played, or was.
#[derive(Clone, Debug)]
pub struct GameSession {
    game: Game,
    players: ByColor<Player>,
    clock_start: ClockStart,
    pause: Duration,
    max_plies: usize,
    /// The number of opening moves.
    opening: usize,
    /// The time that each move after the opening took.
    spent: Vec<Duration>,
    /// The clocks before the first move after the opening, and after each.
    timers: Option<Vec<ByColor<Timer>>>,
    /// Since when the player to move thinks, if that is timed; from when on, during the pause before an engine's move.
    since: Option<Instant>,
    /// How long the player to move had thought when the game ended.
    last_thought: Duration,
    result: Option<GameOver>,
    /// The scores that the engines told last, each from its own point of view.
    scores: ByColor<Option<Score>>,
    draw_offer: Option<Color>,
    /// What the engine to move did wrong.
    fault: Option<String>,
    revision: u64,
}

impl GameSession {
    /// A game that begins now.
    pub fn new(setup: GameSetup, now: Instant) -> GameSession {
        let mut session = GameSession {
            opening: setup.opening.moves().len(),
            game: setup.opening,
            players: setup.players,
            clock_start: setup.clock_start,
            pause: setup.pause,
            max_plies: setup.max_plies,
            spent: Vec::new(),
            timers: None,
            since: None,
            last_thought: Duration::ZERO,
            result: None,
            scores: ByColor::default(),
            draw_offer: None,
            fault: None,
            revision: 0,
        };
        let clock = setup.time.filter(|time| matches!(time, TimeControl::Clock { .. }));
        session.timers = clock.map(|control| vec![ByColor::new_with(|_| Timer::new(control))]);
        session.changed(now);
        session
    }

    /// A game that was stored: its moves after the opening, and its result. Time was not running in between, and runs
    /// again from the next move on.
    pub fn resume(
        setup: GameSetup,
        moves: &[TimedMove],
        result: Option<GameOver>,
        now: Instant,
    ) -> Result<GameSession, rules::IllegalMove> {
        let mut session = GameSession::new(setup, now);
        // The opening may be the end of a game by the rules only if nothing follows.
        session.result = None;
        for TimedMove { mv, spent } in moves {
            session.record(*mv, *spent)?;
        }
        session.result = result;
        session.changed(now);
        session.since = None;
        Ok(session)
    }

    /// The moves and positions.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// Who is to move.
    pub fn turn(&self) -> Color {
        self.position().turn()
    }

    /// The player of a color.
    pub fn player(&self, color: Color) -> &Player {
        &self.players[color]
    }

    /// How the game ended, if it did.
    pub fn result(&self) -> Option<&GameOver> {
        self.result.as_ref()
    }

    /// Whether the game has ended.
    pub fn is_over(&self) -> bool {
        self.result.is_some()
    }

    /// Who offers a draw.
    pub fn draw_offer(&self) -> Option<Color> {
        self.draw_offer
    }

    /// What the engine to move did wrong. Another may take its place, or a person takes a move back.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Grows with every change of the game. An engine's answer counts only if this is still what it was when it was
    /// asked.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The number of moves that the game began with.
    pub fn opening_moves(&self) -> usize {
        self.opening
    }

    /// The color whose engine is to be asked for a move.
    pub fn engine_to_move(&self) -> Option<Color> {
        let turn = self.turn();
        (self.is_engine(turn) && !self.is_over() && self.fault.is_none()).then_some(turn)
    }

    fn is_engine(&self, color: Color) -> bool {
        self.players[color].kind == PlayerKind::Engine
    }

    /// A move after the opening with the time it took, and the clock of its player after it.
    pub fn timed_move(&self, ply: usize) -> Option<(TimedMove, Option<Duration>)> {
        let index = ply.checked_sub(self.opening)?;
        let (&mv, &spent) = (self.game.moves().get(ply)?, self.spent.get(index)?);
        let mover = self.game.positions()[ply].turn();
        let clock = self.timers.as_ref().and_then(|timers| timers.get(index + 1)?[mover].clock());
        Some((TimedMove { mv, spent }, clock.map(|clock| clock.remaining)))
    }

    /// What a player's clock shows, if there are clocks.
    pub fn remaining(&self, color: Color, now: Instant) -> Option<Duration> {
        self.clock(color, now).map(|clock| clock.remaining)
    }

    fn clock(&self, color: Color, now: Instant) -> Option<Clock> {
        let clock = self.timers.as_ref()?.last()?[color].clock()?;
        let spent = match self.result {
            _ if color != self.turn() => Duration::ZERO,
            Some(_) => self.last_thought,
            None => self.thinking_time(now),
        };
        Some(Clock { remaining: clock.remaining.saturating_sub(spent), ..clock })
    }

    fn thinking_time(&self, now: Instant) -> Duration {
        self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since))
    }

    /// The control of the clocks, if there are clocks.
    pub fn time_control(&self) -> Option<TimeControl> {
        self.timers.as_ref()?.last().map(|timers| timers.white.control())
    }

    /// How long the clock of the player to move still stands.
    pub fn pause_left(&self, now: Instant) -> Duration {
        self.since.map_or(Duration::ZERO, |since| since.saturating_duration_since(now))
    }

    /// Whether a clock runs, or will after a pause.
    pub fn is_ticking(&self) -> bool {
        self.timers.is_some() && self.since.is_some() && !self.is_over()
    }

    /// Lets time pass. Returns whether a flag fell.
    pub fn tick(&mut self, now: Instant) -> bool {
        let late = self.turn();
        if !self.is_ticking() || self.remaining(late, now).is_none_or(|left| !left.is_zero()) {
            return false;
        }
        // A player with a bare king cannot win on time.
        if self.position().by_color(!late).more_than_one() {
            self.finish(GameEnd::Won(!late), format!("{late} ran out of time"), now);
        } else {
            self.finish(GameEnd::Drawn, format!("{late} ran out of time, and {} cannot mate", !late), now);
        }
        true
    }

    /// How long the engine to move may think: by the clocks, or by these limits in a game without clocks.
    pub fn allowance(&self, without_clocks: &Limits, now: Instant) -> Allowance {
        match (self.clock(self.turn(), now), self.clock(!self.turn(), now)) {
            (Some(own), Some(opponent)) => Allowance::clocks(own, opponent),
            _ => Allowance::new(without_clocks.clone()),
        }
    }

    /// The game is another one than before: questions to engines are void, the rules may have ended it, and the clock
    /// of the player to move starts.
    fn changed(&mut self, now: Instant) {
        self.revision += 1;
        self.draw_offer = None;
        self.fault = None;
        if self.result.is_none() {
            self.result = self.game.outcome().map(GameOver::from);
        }
        self.last_thought = Duration::ZERO;
        let is_timed = self.clock_start == ClockStart::AtOnce || !self.spent.is_empty();
        let pause = if self.is_engine(self.turn()) { self.pause } else { Duration::ZERO };
        self.since = (is_timed && !self.is_over()).then(|| now + pause);
    }

    fn finish(&mut self, ending: GameEnd, reason: impl Into<String>, now: Instant) {
        self.last_thought = self.thinking_time(now);
        self.result = Some(GameOver { ending, reason: reason.into() });
        self.revision += 1;
        self.draw_offer = None;
        self.fault = None;
        self.since = None;
    }

    /// That the game is not over.
    pub fn check_in_progress(&self) -> Result<(), ActionError> {
        match &self.result {
            Some(result) => Err(ActionError::Over { reason: result.reason.clone() }),
            None => Ok(()),
        }
    }

    /// That a person is to move.
    pub fn check_human_to_move(&self) -> Result<(), ActionError> {
        self.check_in_progress()?;
        let player = self.player(self.turn());
        match (player.kind, &self.fault) {
            (PlayerKind::Human, _) => Ok(()),
            (PlayerKind::Engine, None) => Err(ActionError::NotYourTurn { name: player.name.clone() }),
            (PlayerKind::Engine, Some(_)) => Err(ActionError::EngineFailed { name: player.name.clone() }),
        }
    }

    /// A person makes a move.
    pub fn play(&mut self, mv: Move, now: Instant) -> Result<(), ActionError> {
        self.check_human_to_move()?;
        if self.game.moves().len() >= self.max_plies {
            return Err(ActionError::TooLong(self.max_plies));
        }
        let spent = self.thinking_time(now);
        self.record(mv, spent)?;
        self.changed(now);
        Ok(())
    }

    /// Adds a move and the time it took.
    fn record(&mut self, mv: Move, spent: Duration) -> Result<(), rules::IllegalMove> {
        let mover = self.turn();
        self.game.play(mv)?;
        self.spent.push(spent);
        if let Some(timers) = &mut self.timers
            && let Some(mut after) = timers.last().copied()
        {
            // A player without time has lost already: `tick` judges that, not the move.
            let _ = after[mover].spend(spent, Duration::ZERO);
            after[!mover].opponent_spent(spent);
            timers.push(after);
        }
        Ok(())
    }

    /// The score that the engine of a color tells while it thinks, from its point of view.
    pub fn set_score(&mut self, color: Color, score: Score) {
        self.scores[color] = Some(score);
    }

    /// The engine to move has answered.
    pub fn engine_answered(&mut self, answer: EngineAnswer, now: Instant) {
        if self.engine_to_move().is_none() {
            return;
        }
        let turn = self.turn();
        if let Some(score) = answer.score {
            self.set_score(turn, score);
        }
        let spent = answer.spent.unwrap_or_else(|| self.thinking_time(now));
        match answer.choice {
            Ok(Choice::Move(mv)) => self.play_for_engine(mv, spent, now),
            Ok(Choice::MoveAndOfferDraw(mv)) => {
                self.play_for_engine(mv, spent, now);
                self.draw_offer = Some(turn).filter(|_| !self.is_over() && self.turn() != turn);
            }
            Ok(Choice::ClaimDraw) => match self.game.claimable_draw() {
                Some(reason) => self.finish(GameEnd::Drawn, format!("{reason}, claimed by {turn}"), now),
                None => self.fault = Some(format!("{} claims a draw that is not there", self.players[turn].name)),
            },
            Ok(Choice::Resign) => self.finish(GameEnd::Won(!turn), format!("{turn} resigned"), now),
            Err(fault) => self.fault = Some(fault),
        }
    }

    fn play_for_engine(&mut self, mv: Move, spent: Duration, now: Instant) {
        let max_plies = self.max_plies;
        if self.game.moves().len() >= max_plies {
            self.finish(GameEnd::Unfinished, format!("aborted: {}", ActionError::TooLong(max_plies)), now);
        } else if self.record(mv, spent).is_ok() {
            self.changed(now);
        } else {
            self.fault = Some(format!("{} chose {mv}, which is not legal", self.players[self.turn()].name));
        }
    }

    /// Another engine plays on for this color.
    pub fn replace_engine(&mut self, color: Color, name: impl Into<String>, now: Instant) {
        self.players[color] = Player::engine(name);
        self.scores[color] = None;
        // The time that the other engine took stays on the clock.
        let since = self.since;
        self.changed(now);
        self.since = self.since.and(since);
    }

    /// A player has a better name than the one at first.
    pub fn rename(&mut self, color: Color, name: impl Into<String>) {
        self.players[color].name = name.into();
    }

    /// Takes moves back until it is a person's turn. The clocks show again what they showed then.
    pub fn take_back(&mut self, now: Instant) -> Result<(), ActionError> {
        if Color::ALL.into_iter().all(|color| self.is_engine(color)) {
            return Err(ActionError::NoHuman);
        }
        // One ply back the opponent is to move, two plies back the same player as now.
        let plies = if self.is_engine(!self.turn()) { 2 } else { 1 };
        if plies > self.spent.len() {
            return Err(ActionError::NothingToTakeBack);
        }
        for _ in 0..plies {
            self.game.take_back();
            self.spent.pop();
            if let Some(timers) = &mut self.timers {
                timers.pop();
            }
        }
        self.result = None;
        self.scores = ByColor::default();
        self.changed(now);
        Ok(())
    }

    /// The person who acts: the one who is named, or the only one, or the one to move.
    fn actor(&self, side: Option<Color>) -> Result<Color, ActionError> {
        match (side, self.is_engine(Color::White), self.is_engine(Color::Black)) {
            (Some(side), ..) if !self.is_engine(side) => Ok(side),
            (Some(side), ..) => Err(ActionError::NotHuman(side)),
            (None, true, true) => Err(ActionError::NoHuman),
            (None, false, true) => Ok(Color::White),
            (None, true, false) => Ok(Color::Black),
            (None, false, false) => Ok(self.turn()),
        }
    }

    /// A person gives the game up. Where two people play and none is named, it is the one to move.
    pub fn resign(&mut self, side: Option<Color>, now: Instant) -> Result<(), ActionError> {
        self.check_in_progress()?;
        let loser = self.actor(side)?;
        self.finish(GameEnd::Won(!loser), format!("{loser} resigned"), now);
        Ok(())
    }

    /// A person claims a draw if there is one to claim, accepts one that is offered, or asks for one.
    ///
    /// Two people at one board agree in words. An engine agrees from move twenty on, if its last score was not in its
    /// favour.
    pub fn draw(&mut self, side: Option<Color>, now: Instant) -> Result<DrawAnswer, ActionError> {
        self.check_in_progress()?;
        let asker = self.actor(side)?;
        if let Some(reason) = self.game.claimable_draw().filter(|_| self.turn() == asker) {
            self.finish(GameEnd::Drawn, format!("{reason}, claimed by {asker}"), now);
            return Ok(DrawAnswer::Claimed);
        }
        let is_offered = self.draw_offer == Some(!asker);
        let is_late = self.game.moves().len() >= EARLIEST_AGREEMENT;
        let is_content = self.scores[!asker].is_some_and(|score| score <= Score::DRAW);
        if is_offered || is_late && is_content || !self.is_engine(!asker) {
            self.finish(GameEnd::Drawn, "agreement", now);
            return Ok(DrawAnswer::Agreed);
        }
        Ok(DrawAnswer::Declined)
    }

    /// Breaks the game off without a result.
    pub fn abort(&mut self, now: Instant) -> Result<(), ActionError> {
        self.check_in_progress()?;
        self.finish(GameEnd::Unfinished, "aborted", now);
        Ok(())
    }

    /// The game score: the moves and the tags that follow from the game.
    pub fn score_sheet(&self, date: &str) -> GameTree {
        let mut tree = GameTree::from(&self.game);
        tree.tags.set("Event", "Casual game");
        tree.tags.set("Date", date);
        tree.tags.set("Round", "-");
        tree.tags.set("White", &self.players.white.name);
        tree.tags.set("Black", &self.players.black.name);
        tree.tags.set("Result", self.result.as_ref().map_or(GameEnd::Unfinished, |result| result.ending).score());
        if let Some(control) = self.time_control() {
            tree.tags.set("TimeControl", &control.to_string());
        }
        tree
    }
}

#[cfg(test)]
mod tests;
