//! A game between a person and a mind: one state without threads, files or a clock of its own.
//!
//! Whatever changes the game goes through here: commands of the player, answers of the mind, and time that passes. The
//! views are functions of it. A [`Ticket`] names the question that is open now: an answer to an older one is not heard.

use std::time::{Duration, Instant};

use minds::{Allowance, Choice, Ending, Limits};
use records::pgn::{self, GameTree};
use rules::{ByColor, Color, Game, Move, Outcome, Position};
use search::{Line, Score, Verdict};

use super::clock::{Clocks, TimeControl};
use super::command::{self, Command};
use super::text;

/// What a game is about, besides its moves.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Where games begin, with the moves that are already played.
    pub(crate) start: Game,
    pub(crate) you: Color,
    /// The name of the person in the game's record.
    pub(crate) your_name: String,
    pub(crate) time: Option<TimeControl>,
    /// How long a mind thinks about a move in a game without clocks.
    pub(crate) pace: Limits,
}

/// Names the question that is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ticket(u64);

/// What the mind's thread is wanted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Task {
    /// The mind's own move.
    Move,
    /// A hint for the player.
    Hint,
}

/// What a command asks of the world outside the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    Nothing,
    Show(String),
    /// Add a text to a file.
    Save {
        path: String,
        text: String,
    },
    /// Find the mind with this name.
    Summon(String),
    /// Make the mind answer at once.
    Interrupt,
    Quit,
}

/// How a game ended, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct End {
    pub(crate) ending: Ending,
    pub(crate) reason: String,
}

/// What the mind thought last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Thought {
    pub(crate) depth: usize,
    /// Seen by White.
    pub(crate) score: String,
    /// The moves in short notation.
    pub(crate) line: String,
    for_mind: Score,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hint {
    NotAsked,
    Wanted,
    Found(Move),
}

/// A mind agrees to a draw only after so many plies.
const EARLIEST_AGREEMENT: usize = 40;

#[derive(Clone, Debug)]
pub(crate) struct Session {
    settings: Settings,
    game: Game,
    mind: String,
    clocks: Option<Clocks>,
    /// What the clocks showed before each move that was played here.
    shown_before: Vec<ByColor<Duration>>,
    end: Option<End>,
    thought: Option<Thought>,
    hint: Hint,
    mind_offers_draw: bool,
    /// What the mind did wrong. Another one may take its place.
    fault: Option<String>,
    orientation: Color,
    ticket: u64,
}

impl Session {
    pub(crate) fn new(settings: Settings, mind: String, now: Instant) -> Session {
        let mut session = Session {
            game: settings.start.clone(),
            orientation: settings.you,
            mind,
            clocks: None,
            shown_before: Vec::new(),
            end: None,
            thought: None,
            hint: Hint::NotAsked,
            mind_offers_draw: false,
            fault: None,
            ticket: 0,
            settings,
        };
        session.begin(now);
        session
    }

    fn begin(&mut self, now: Instant) {
        self.game = self.settings.start.clone();
        self.orientation = self.settings.you;
        self.clocks = self.settings.time.map(Clocks::new);
        self.shown_before.clear();
        self.end = None;
        self.thought = None;
        self.changed(now);
    }

    /// The game is another one than before: old questions are closed, and the right clock runs.
    fn changed(&mut self, now: Instant) {
        self.ticket += 1;
        self.hint = Hint::NotAsked;
        self.mind_offers_draw = false;
        self.fault = None;
        if self.end.is_none()
            && let Some(outcome) = self.game.outcome()
        {
            let (ending, reason) = match outcome {
                Outcome::Checkmate { winner } => (Ending::Won(winner), "checkmate".to_owned()),
                Outcome::Draw(reason) => (Ending::Drawn, reason.to_string()),
            };
            self.end = Some(End { ending, reason });
        }
        if let Some(clocks) = &mut self.clocks {
            match self.end {
                Some(_) => clocks.stop(now),
                None => clocks.start(self.game.position().turn(), now),
            }
        }
    }

    fn finish(&mut self, ending: Ending, reason: impl Into<String>, now: Instant) {
        self.end = Some(End { ending, reason: reason.into() });
        self.changed(now);
    }

    /// Lets time pass: a flag may fall.
    pub(crate) fn tick(&mut self, now: Instant) {
        let Some(late) = self.clocks.as_ref().and_then(|clocks| clocks.flag(now)) else { return };
        // Who has nothing but the king cannot win on time either.
        if self.game.position().by_color(!late).has_several() {
            self.finish(Ending::Won(!late), format!("{late} ran out of time"), now);
        } else {
            self.finish(Ending::Drawn, format!("{late} ran out of time, and {} cannot mate", !late), now);
        }
    }

    /// Does what the player says, or says why not.
    pub(crate) fn obey(&mut self, command: Command, now: Instant) -> Result<Effect, String> {
        self.tick(now);
        match command {
            Command::Play(text) => {
                self.check_turn()?;
                let mv = self.game.position().parse_san(&text).map_err(|error| error.to_string())?;
                self.play(mv, now);
            }
            Command::TakeBack => self.take_back(now)?,
            Command::Hint => {
                self.check_turn()?;
                self.hint = Hint::Wanted;
            }
            Command::New(side) => {
                self.settings.you = side.map_or(self.settings.you, command::Side::color);
                self.begin(now);
            }
            Command::Flip => self.orientation = !self.orientation,
            Command::Draw => return self.draw(now),
            Command::Resign => {
                self.check_running()?;
                self.finish(Ending::Won(!self.settings.you), format!("{} resigned", self.settings.you), now);
            }
            Command::Now if self.task().is_some_and(|(_, task)| task == Task::Move) => return Ok(Effect::Interrupt),
            Command::Now => return Err(format!("{} is not thinking", self.mind)),
            Command::Save(path) => {
                let path = path.unwrap_or_else(|| "saavedra.pgn".to_owned());
                return Ok(Effect::Save { path, text: self.record() });
            }
            Command::Mind(name) => return Ok(Effect::Summon(name)),
            Command::Minds => return Ok(Effect::Show(text::minds())),
            Command::Board => return Ok(Effect::Show(text::board(self))),
            Command::Moves => return Ok(Effect::Show(text::legal_moves(self.game.position()))),
            Command::Fen => return Ok(Effect::Show(self.game.position().to_string())),
            Command::Pgn => return Ok(Effect::Show(self.record().trim_end().to_owned())),
            Command::Help => return Ok(Effect::Show(command::help())),
            Command::Quit => return Ok(Effect::Quit),
        }
        Ok(Effect::Nothing)
    }

    fn check_running(&self) -> Result<(), String> {
        match &self.end {
            Some(end) => Err(format!("the game is over ({}); \"new\" starts another", end.reason)),
            None => Ok(()),
        }
    }

    fn check_turn(&self) -> Result<(), String> {
        self.check_running()?;
        match &self.fault {
            _ if self.is_your_turn() => Ok(()),
            Some(_) => Err(format!("{} cannot go on; \"mind NAME\" or \"undo\" help", self.mind)),
            None => Err(format!("it is {}'s turn", self.mind)),
        }
    }

    fn play(&mut self, mv: Move, now: Instant) {
        let mover = self.game.position().turn();
        if self.game.play(mv).is_err() {
            return;
        }
        if let Some(clocks) = &mut self.clocks {
            self.shown_before.push(clocks.shown(now));
            clocks.press(mover, now);
        }
        self.changed(now);
    }

    /// Takes moves back until it is the player's turn again.
    fn take_back(&mut self, now: Instant) -> Result<(), String> {
        let plies = if self.is_your_turn() { 2 } else { 1 };
        let first = self.settings.start.moves().len();
        let Some(left) = self.game.moves().len().checked_sub(plies).filter(|&left| left >= first) else {
            return Err("there is nothing to take back".to_owned());
        };
        for _ in 0..plies {
            self.game.take_back();
        }
        if let Some(clocks) = &mut self.clocks {
            clocks.set(self.shown_before[left - first]);
            self.shown_before.truncate(left - first);
        }
        self.end = None;
        self.thought = None;
        self.changed(now);
        Ok(())
    }

    fn draw(&mut self, now: Instant) -> Result<Effect, String> {
        self.check_running()?;
        let claim = self.game.claimable_draw().filter(|_| self.is_your_turn());
        if let Some(reason) = claim {
            self.finish(Ending::Drawn, format!("{reason}, claimed by {}", self.settings.you), now);
            return Ok(Effect::Nothing);
        }
        let is_content = self.thought.as_ref().is_some_and(|thought| thought.for_mind <= Score::DRAW);
        let agrees = self.mind_offers_draw || is_content && self.game.moves().len() >= EARLIEST_AGREEMENT;
        if agrees {
            self.finish(Ending::Drawn, "agreement", now);
            return Ok(Effect::Nothing);
        }
        Ok(Effect::Show(format!("{} declines the draw", self.mind)))
    }

    /// The mind has chosen, or failed to.
    pub(crate) fn mind_chose(&mut self, ticket: Ticket, choice: Result<Choice, String>, now: Instant) {
        self.tick(now);
        if ticket != self.ticket() || self.end.is_some() {
            return;
        }
        let position = self.game.position();
        match choice {
            Ok(Choice::Move(mv) | Choice::MoveAndOfferDraw(mv)) if position.is_legal(mv) => {
                self.play(mv, now);
                self.mind_offers_draw = matches!(choice, Ok(Choice::MoveAndOfferDraw(_))) && self.end.is_none();
            }
            Ok(Choice::Move(mv) | Choice::MoveAndOfferDraw(mv)) => {
                self.fault = Some(format!("{} chose {mv}, which is not legal", self.mind));
            }
            Ok(Choice::ClaimDraw) => match self.game.claimable_draw() {
                Some(reason) => self.finish(Ending::Drawn, format!("{reason}, claimed by {}", position.turn()), now),
                None => self.fault = Some(format!("{} claims a draw that is not there", self.mind)),
            },
            Ok(Choice::Resign) => {
                let loser = position.turn();
                self.finish(Ending::Won(!loser), format!("{loser} resigned"), now);
            }
            Err(fault) => self.fault = Some(fault),
        }
    }

    /// The mind tells what it thinks of its own move.
    pub(crate) fn mind_thought(&mut self, ticket: Ticket, line: &Line) {
        if ticket == self.ticket() && line.rank == 1 {
            let position = self.game.position();
            let for_white = if position.turn() == Color::White { line.score } else { -line.score };
            self.thought = Some(Thought {
                depth: line.depth,
                score: show_score(for_white),
                line: text::line(position, &line.moves),
                for_mind: line.score,
            });
        }
    }

    pub(crate) fn hint_found(&mut self, ticket: Ticket, hint: Option<Move>) {
        if ticket == self.ticket() && self.hint == Hint::Wanted {
            self.hint = hint.map_or(Hint::NotAsked, Hint::Found);
        }
    }

    /// Another mind plays on.
    pub(crate) fn replace_mind(&mut self, name: String, now: Instant) {
        self.mind = name;
        self.thought = None;
        self.changed(now);
    }

    /// The mind has a better name than the one it was called by.
    pub(crate) fn name_mind(&mut self, name: String) {
        self.mind = name;
    }

    /// What the mind's thread should be doing, and the question it answers.
    pub(crate) fn task(&self) -> Option<(Ticket, Task)> {
        let task = match self.hint {
            _ if self.end.is_some() || self.fault.is_some() => return None,
            _ if !self.is_your_turn() => Task::Move,
            Hint::Wanted => Task::Hint,
            Hint::NotAsked | Hint::Found(_) => return None,
        };
        Some((self.ticket(), task))
    }

    /// How long the mind may think now.
    pub(crate) fn allowance(&self, now: Instant) -> Allowance {
        let turn = self.game.position().turn();
        match &self.clocks {
            Some(clocks) => Allowance::clocks(clocks.for_search(turn, now), clocks.for_search(!turn, now)),
            None => Allowance::new(self.settings.pace.clone()),
        }
    }

    /// The game as it would be saved.
    fn record(&self) -> String {
        let name = |color| if color == self.settings.you { &self.settings.your_name } else { &self.mind };
        let mut tree = GameTree::from(&self.game);
        tree.tags.set("Event", "Casual game");
        tree.tags.set("Date", &pgn::today());
        tree.tags.set("Round", "-");
        tree.tags.set("White", name(Color::White));
        tree.tags.set("Black", name(Color::Black));
        tree.tags.set("Result", self.end.as_ref().map_or(Ending::Unfinished, |end| end.ending).score());
        if let Some(clocks) = &self.clocks {
            tree.tags.set("TimeControl", &clocks.control().to_string());
        }
        tree.to_string()
    }

    pub(crate) fn ticket(&self) -> Ticket {
        Ticket(self.ticket)
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn position(&self) -> &Position {
        self.game.position()
    }

    pub(crate) fn you(&self) -> Color {
        self.settings.you
    }

    pub(crate) fn is_your_turn(&self) -> bool {
        self.game.position().turn() == self.settings.you
    }

    pub(crate) fn name(&self, color: Color) -> &str {
        if color == self.settings.you { &self.settings.your_name } else { &self.mind }
    }

    pub(crate) fn orientation(&self) -> Color {
        self.orientation
    }

    pub(crate) fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    pub(crate) fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    pub(crate) fn thought(&self) -> Option<&Thought> {
        self.thought.as_ref()
    }

    pub(crate) fn hint(&self) -> Option<Move> {
        match self.hint {
            Hint::Found(mv) => Some(mv),
            Hint::NotAsked | Hint::Wanted => None,
        }
    }

    pub(crate) fn is_draw_offered(&self) -> bool {
        self.mind_offers_draw
    }

    /// What a player's clock shows, in a game with clocks.
    pub(crate) fn time_left(&self, color: Color, now: Instant) -> Option<Duration> {
        self.clocks.as_ref().map(|clocks| clocks.remaining(color, now))
    }
}

/// A score in pawns, or the moves to a mate.
fn show_score(score: Score) -> String {
    match score.verdict() {
        Verdict::Centipawns(centipawns) => format!("{:+.2}", f64::from(centipawns) / 100.0),
        Verdict::MateIn(moves) => format!("#{moves}"),
        Verdict::MatedIn(moves) => format!("#-{moves}"),
    }
}

#[cfg(test)]
mod tests;
