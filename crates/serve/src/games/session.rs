//! A game in progress: one state without threads, files or a clock of its own.
//!
//! Whatever changes a game goes through here: what players do, what minds answer, and time that passes. Nothing here
//! waits, so a change can be tried on a copy, kept, and only then be told.

use std::time::{Duration, Instant};

use arena::Timer;
use minds::{Allowance, Choice, Limits};
use rules::{ByColor, Color, Game, Move};
use search::{Clock, Score};

use super::record::{self, BadRecord, Last, Played, Player, Record};
use crate::error::{ApiError, ErrorCode};
use crate::parse;
use crate::view::{OverView, ShownMove};

/// A mind agrees to a draw only after so many plies.
const EARLIEST_AGREEMENT: usize = 40;

/// A game in progress.
#[derive(Clone)]
pub(crate) struct Session {
    record: Record,
    game: Game,
    /// The moves as they are shown: written down once, because every view of the game has them all.
    shown: Vec<ShownMove>,
    /// Since when the player to move thinks. Nobody is charged before the first move, or after a restart.
    since: Option<Instant>,
    /// What each mind thought of its position last.
    opinions: ByColor<Option<Score>>,
    draw_offer: Option<Color>,
    /// What a mind did wrong.
    fault: Option<String>,
}

/// What became of the wish for a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DrawAnswer {
    Claimed,
    Agreed,
    Declined,
}

/// What a mind answered.
pub(crate) struct MindAnswer {
    pub(crate) choice: Result<Choice, String>,
    /// How long it thought.
    pub(crate) spent: Duration,
    /// What it thinks of its position, if it told.
    pub(crate) opinion: Option<Score>,
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn over(result: &str, winner: Option<Color>, reason: String) -> OverView {
    OverView { result: result.to_owned(), winner: winner.map(Into::into), reason }
}

fn won(winner: Color, reason: String) -> OverView {
    over(if winner == Color::White { "1-0" } else { "0-1" }, Some(winner), reason)
}

impl Session {
    /// A game as it was kept.
    pub(crate) fn new(record: Record) -> Result<Session, BadRecord> {
        let game = record.game()?;
        let shown = game.positions().iter().zip(game.moves()).map(|(position, &mv)| ShownMove::new(position, mv));
        let mut session = Session {
            record,
            shown: shown.collect(),
            game,
            since: None,
            opinions: ByColor { white: None, black: None },
            draw_offer: None,
            fault: None,
        };
        session.settle();
        Ok(session)
    }

    pub(crate) fn record(&self) -> &Record {
        &self.record
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn shown(&self) -> &[ShownMove] {
        &self.shown
    }

    pub(crate) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    pub(crate) fn draw_offer(&self) -> Option<Color> {
        self.draw_offer
    }

    pub(crate) fn is_over(&self) -> bool {
        self.record.over.is_some()
    }

    pub(crate) fn turn(&self) -> Color {
        self.game.position().turn()
    }

    /// The mind that is to move, as it is written.
    pub(crate) fn mind_to_move(&self) -> Option<&str> {
        match self.record.player(self.turn()) {
            Player::Mind { mind, .. } if !self.is_over() && self.fault.is_none() => Some(mind),
            _ => None,
        }
    }

    /// Whether a clock runs.
    pub(crate) fn is_ticking(&self) -> bool {
        self.record.time.is_some() && self.since.is_some() && !self.is_over()
    }

    /// A change is complete: it gets its number and its time.
    pub(crate) fn stamp(&mut self) {
        self.record.revision += 1;
        self.record.updated = record::now();
        self.record.fen = self.game.position().to_string();
        let last = self.game.moves().len().checked_sub(1).map(|index| (self.game.positions()[index], index));
        self.record.last = last.map(|(before, index)| {
            let mv = self.game.moves()[index];
            Last { uci: before.uci(mv), san: before.san(mv) }
        });
    }

    /// The rules may have ended the game.
    fn settle(&mut self) {
        if self.record.over.is_none()
            && let Some(outcome) = self.game.outcome()
        {
            self.finish(outcome.into());
        }
    }

    fn finish(&mut self, end: OverView) {
        self.record.over = Some(end);
        self.since = None;
        self.draw_offer = None;
        self.fault = None;
    }

    /// Lets time pass. Returns whether a flag fell.
    pub(crate) fn tick(&mut self, now: Instant) -> bool {
        let late = self.turn();
        if !self.is_ticking() || self.remaining(late, now).is_none_or(|left| !left.is_zero()) {
            return false;
        }
        // Who has nothing but the king cannot win on time either.
        let end = if self.game.position().by_color(!late).has_several() {
            won(!late, format!("{late} ran out of time"))
        } else {
            over("1/2-1/2", None, format!("{late} ran out of time, and {} cannot mate", !late))
        };
        self.finish(end);
        true
    }

    fn timers(&self) -> Option<ByColor<Timer>> {
        self.record.timers().and_then(|timers| timers.last().copied())
    }

    /// What a player's clock shows, if there are clocks.
    pub(crate) fn remaining(&self, color: Color, now: Instant) -> Option<Duration> {
        let left = self.timers()?[color].clock()?.remaining;
        let running = self.since.filter(|_| color == self.turn() && !self.is_over());
        Some(left.saturating_sub(running.map_or(Duration::ZERO, |since| now.saturating_duration_since(since))))
    }

    fn check_running(&self) -> Result<(), ApiError> {
        match &self.record.over {
            Some(end) => Err(ApiError::conflict(format!("the game is over: {}", end.reason))),
            None => Ok(()),
        }
    }

    /// A person plays a move.
    pub(crate) fn play(&mut self, text: &str, ply: Option<usize>, most: usize, now: Instant) -> Result<(), ApiError> {
        self.check_running()?;
        let plies = self.game.moves().len();
        if ply.is_some_and(|ply| ply != plies) {
            return Err(ApiError::conflict(format!("the game has {plies} moves by now")));
        }
        if !self.record.player(self.turn()).is_human() {
            let name = self.record.player(self.turn()).name();
            return Err(ApiError::conflict(format!("it is {name}'s turn")));
        }
        let mv = parse::mv(self.game.position(), text)?;
        let spent = self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        self.put(mv, spent, most, now)
    }

    fn put(&mut self, mv: Move, spent: Duration, most: usize, now: Instant) -> Result<(), ApiError> {
        if self.game.moves().len() >= most {
            return Err(ApiError::new(ErrorCode::TooMany, format!("a game has at most {most} moves here")));
        }
        let before = *self.game.position();
        self.game.play(mv).map_err(ApiError::illegal_move)?;
        let uci = before.uci(mv);
        self.shown.push(ShownMove::new(&before, mv));
        self.record.moves.push(Played { uci, ms: milliseconds(spent) });
        self.since = Some(now);
        self.draw_offer = None;
        self.fault = None;
        self.settle();
        Ok(())
    }

    /// A mind has answered the question that was asked at this revision.
    pub(crate) fn mind_answered(&mut self, answer: MindAnswer, most: usize, now: Instant) {
        let turn = self.turn();
        self.opinions[turn] = answer.opinion;
        let claimable = self.game.claimable_draw();
        match answer.choice {
            Ok(Choice::Move(mv)) => self.put_for_mind(mv, answer.spent, most, now),
            Ok(Choice::MoveAndOfferDraw(mv)) => {
                self.put_for_mind(mv, answer.spent, most, now);
                self.draw_offer = Some(turn).filter(|_| !self.is_over());
            }
            Ok(Choice::ClaimDraw) if claimable.is_some() => {
                let reason = claimable.map_or(String::new(), |reason| format!("{reason}, claimed by {turn}"));
                self.finish(over("1/2-1/2", None, reason));
            }
            Ok(Choice::ClaimDraw) => self.fault = Some("the mind claims a draw that is not there".to_owned()),
            Ok(Choice::Resign) => self.finish(won(!turn, format!("{turn} resigned"))),
            Err(fault) => self.fault = Some(fault),
        }
    }

    fn put_for_mind(&mut self, mv: Move, spent: Duration, most: usize, now: Instant) {
        if self.game.moves().len() >= most {
            self.finish(over("*", None, format!("aborted: a game has at most {most} moves here")));
        } else if let Err(error) = self.put(mv, spent, most, now) {
            self.fault = Some(error.message);
        }
    }

    /// Takes moves back until it is a person's turn.
    pub(crate) fn take_back(&mut self, now: Instant) -> Result<(), ApiError> {
        let left = self.game.moves().len().saturating_sub(self.record.opening);
        let is_person = |color: Color| self.record.player(color).is_human();
        if !Color::ALL.into_iter().any(is_person) {
            return Err(ApiError::conflict("two minds do not take moves back"));
        }
        // One move back it is the opponent's turn, two moves back our own.
        let plies = if is_person(!self.turn()) { 1 } else { 2 };
        if plies > left {
            return Err(ApiError::conflict("there is nothing to take back"));
        }
        for _ in 0..plies {
            self.game.take_back();
            self.shown.pop();
            self.record.moves.pop();
        }
        self.record.over = None;
        self.draw_offer = None;
        self.fault = None;
        self.since = (self.record.moves.len() > self.record.opening).then_some(now);
        self.settle();
        Ok(())
    }

    /// The person who acts: the one who is named, or the only one, or the one to move.
    fn actor(&self, side: Option<Color>) -> Result<Color, ApiError> {
        let people: Vec<Color> = Color::ALL.into_iter().filter(|&color| self.record.player(color).is_human()).collect();
        match (side, &people[..]) {
            (Some(side), people) if people.contains(&side) => Ok(side),
            (Some(side), _) => Err(ApiError::conflict(format!("no person plays {side}"))),
            (None, []) => Err(ApiError::conflict("no person plays in this game")),
            (None, [only]) => Ok(*only),
            (None, _) => Ok(self.turn()),
        }
    }

    pub(crate) fn resign(&mut self, side: Option<Color>) -> Result<(), ApiError> {
        self.check_running()?;
        let loser = self.actor(side)?;
        self.finish(won(!loser, format!("{loser} resigned")));
        Ok(())
    }

    /// Claims a draw if there is one to claim, accepts one that is offered, or asks for one.
    pub(crate) fn draw(&mut self, side: Option<Color>) -> Result<DrawAnswer, ApiError> {
        self.check_running()?;
        let asker = self.actor(side)?;
        if let Some(reason) = self.game.claimable_draw().filter(|_| self.turn() == asker) {
            self.finish(over("1/2-1/2", None, format!("{reason}, claimed by {asker}")));
            return Ok(DrawAnswer::Claimed);
        }
        let is_offered = self.draw_offer == Some(!asker);
        let is_content = self.opinions[!asker].is_some_and(|opinion| opinion <= Score::DRAW)
            && self.game.moves().len() >= EARLIEST_AGREEMENT;
        if is_offered || is_content || self.record.player(!asker).is_human() {
            self.finish(over("1/2-1/2", None, "agreement".to_owned()));
            return Ok(DrawAnswer::Agreed);
        }
        Ok(DrawAnswer::Declined)
    }

    pub(crate) fn abort(&mut self) -> Result<(), ApiError> {
        self.check_running()?;
        self.finish(over("*", None, "aborted".to_owned()));
        Ok(())
    }

    /// How long the mind to move may think.
    pub(crate) fn allowance(&self, most: Duration, now: Instant) -> Allowance {
        let clock = |color: Color| {
            let increment = Duration::from_millis(self.record.time?.increment_ms);
            Some(Clock { remaining: self.remaining(color, now)?, increment, moves_to_go: None })
        };
        let mut allowance = match (clock(self.turn()), clock(!self.turn())) {
            (Some(own), Some(opponent)) => Allowance::clocks(own, opponent),
            _ => Allowance::time(Duration::from_millis(self.record.move_ms)),
        };
        // Not even a clock with a day on it is a reason to think for an hour.
        let time: &mut Limits = &mut allowance.limits;
        time.move_time = Some(time.move_time.map_or(most, |time| time.min(most)));
        allowance
    }
}
