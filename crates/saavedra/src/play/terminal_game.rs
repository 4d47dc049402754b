//! A game between a person and an engine as the terminal shows it: the session, and what stands beside the board.
//!
//! It has no threads, files or clock of its own. A [`Ticket`] names the state that an engine is asked about: the answer
//! to an older question is ignored.

use std::time::Instant;

use game::{ActionError, ClockStart, DrawAnswer, EngineAnswer, GameSession, GameSetup, Player, TimeControl};
use minds::{Allowance, Choice, Limits, Line, Score};
use records::pgn;
use rules::{ByColor, Color, Game, Move, Position};

use super::command::{self, Command};
use super::text;

/// What all games of a run have in common.
#[derive(Clone, Debug)]
pub(crate) struct GameOptions {
    /// Where games begin, with the moves that are already played.
    pub(crate) start: Game,
    pub(crate) you: Color,
    /// The name of the person in the game score.
    pub(crate) your_name: String,
    pub(crate) time: Option<TimeControl>,
    /// How long the engine thinks about a move in a game without clocks.
    pub(crate) limits: Limits,
}

/// Names the state of the game that an engine is asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ticket {
    game: u64,
    revision: u64,
}

/// What the engine thread is wanted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Task {
    /// The engine's own move.
    Move,
    /// A hint for the person.
    Hint,
}

/// What a command needs from outside the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    Nothing,
    Show(String),
    /// Add a text to a file.
    Save {
        path: String,
        text: String,
    },
    /// Play on against the engine with this name.
    ChangeEngine(String),
    /// Make the engine answer at once.
    Interrupt,
    Quit,
}

/// The last line that the engine told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EngineLine {
    pub(crate) depth: usize,
    /// From White's point of view.
    pub(crate) score: String,
    /// The moves in short notation.
    pub(crate) line: String,
}

/// A hint counts only for the state it was asked in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hint {
    NotAsked,
    Wanted(Ticket),
    Found(Ticket, Move),
}

#[derive(Clone, Debug)]
pub(crate) struct TerminalGame {
    options: GameOptions,
    session: GameSession,
    engine_line: Option<EngineLine>,
    hint: Hint,
    orientation: Color,
    /// The number of the game in this run.
    number: u64,
}

impl TerminalGame {
    pub(crate) fn new(options: GameOptions, engine: &str, now: Instant) -> TerminalGame {
        TerminalGame {
            session: new_session(&options, engine, now),
            orientation: options.you,
            engine_line: None,
            hint: Hint::NotAsked,
            number: 1,
            options,
        }
    }

    /// Lets time pass: a flag may fall.
    pub(crate) fn tick(&mut self, now: Instant) {
        self.session.tick(now);
    }

    /// Does what the person says, or says why not.
    pub(crate) fn execute(&mut self, command: Command, now: Instant) -> Result<Effect, String> {
        self.tick(now);
        match command {
            Command::Play(text) => {
                self.session.check_human_to_move().map_err(explain)?;
                let mv = self.position().parse_san(&text).map_err(|error| error.to_string())?;
                self.session.play(mv, now).map_err(explain)?;
            }
            Command::TakeBack => {
                self.session.take_back(now).map_err(explain)?;
                self.engine_line = None;
            }
            Command::Hint => {
                self.session.check_human_to_move().map_err(explain)?;
                self.hint = Hint::Wanted(self.ticket());
            }
            Command::New(side) => self.begin(side.map_or(self.options.you, command::Side::color), now),
            Command::Flip => self.orientation = !self.orientation,
            Command::Draw => {
                if self.session.draw(None, now).map_err(explain)? == DrawAnswer::Declined {
                    return Ok(Effect::Show(format!("{} declines the draw", self.engine_name())));
                }
            }
            Command::Resign => self.session.resign(None, now).map_err(explain)?,
            Command::Now if self.session.engine_to_move().is_some() => return Ok(Effect::Interrupt),
            Command::Now => return Err(format!("{} is not thinking", self.engine_name())),
            Command::Save(path) => {
                let path = path.unwrap_or_else(|| "saavedra.pgn".to_owned());
                return Ok(Effect::Save { path, text: self.pgn() });
            }
            Command::Engine(name) => return Ok(Effect::ChangeEngine(name)),
            Command::Engines => return Ok(Effect::Show(text::engines())),
            Command::Board => return Ok(Effect::Show(text::board(self))),
            Command::Moves => return Ok(Effect::Show(text::legal_moves(self.position()))),
            Command::Fen => return Ok(Effect::Show(self.position().to_string())),
            Command::Pgn => return Ok(Effect::Show(self.pgn().trim_end().to_owned())),
            Command::Help => return Ok(Effect::Show(command::help())),
            Command::Quit => return Ok(Effect::Quit),
        }
        Ok(Effect::Nothing)
    }

    /// Starts a new game against the same engine.
    fn begin(&mut self, you: Color, now: Instant) {
        let engine = self.engine_name().to_owned();
        self.options.you = you;
        self.session = new_session(&self.options, &engine, now);
        self.orientation = you;
        self.engine_line = None;
        self.number += 1;
    }

    /// The engine has chosen, or failed to.
    pub(crate) fn engine_chose(&mut self, ticket: Ticket, choice: Result<Choice, String>, now: Instant) {
        self.tick(now);
        if ticket == self.ticket() {
            self.session.engine_answered(EngineAnswer { choice, spent: None, score: None }, now);
        }
    }

    /// The engine tells what it thinks of its own move.
    pub(crate) fn set_engine_line(&mut self, ticket: Ticket, line: &Line) {
        if ticket == self.ticket() && line.rank == 1 {
            let (position, turn) = (self.position(), self.session.turn());
            let for_white = if turn == Color::White { line.score } else { -line.score };
            self.engine_line = Some(EngineLine {
                depth: line.depth,
                score: show_score(for_white),
                line: text::line(position, &line.moves),
            });
            self.session.set_score(turn, line.score);
        }
    }

    pub(crate) fn hint_found(&mut self, ticket: Ticket, hint: Option<Move>) {
        if ticket == self.ticket() && self.hint == Hint::Wanted(ticket) {
            self.hint = hint.map_or(Hint::NotAsked, |mv| Hint::Found(ticket, mv));
        }
    }

    /// Another engine plays on.
    pub(crate) fn replace_engine(&mut self, name: String, now: Instant) {
        self.session.replace_engine(!self.options.you, name, now);
        self.engine_line = None;
    }

    /// The engine has a better name than the one it was called by.
    pub(crate) fn name_engine(&mut self, name: String) {
        self.session.rename(!self.options.you, name);
    }

    /// What the engine thread should be doing, and for which state.
    pub(crate) fn task(&self) -> Option<(Ticket, Task)> {
        let ticket = self.ticket();
        if self.session.engine_to_move().is_some() {
            Some((ticket, Task::Move))
        } else {
            (self.hint == Hint::Wanted(ticket) && !self.session.is_over()).then_some((ticket, Task::Hint))
        }
    }

    /// How long the engine may think now.
    pub(crate) fn allowance(&self, now: Instant) -> Allowance {
        self.session.allowance(&self.options.limits, now)
    }

    fn pgn(&self) -> String {
        self.session.score_sheet(&pgn::today()).to_string()
    }

    pub(crate) fn ticket(&self) -> Ticket {
        Ticket { game: self.number, revision: self.session.revision() }
    }

    pub(crate) fn session(&self) -> &GameSession {
        &self.session
    }

    pub(crate) fn game(&self) -> &Game {
        self.session.game()
    }

    pub(crate) fn position(&self) -> &Position {
        self.session.position()
    }

    pub(crate) fn you(&self) -> Color {
        self.options.you
    }

    pub(crate) fn is_your_turn(&self) -> bool {
        self.session.turn() == self.options.you
    }

    pub(crate) fn name(&self, color: Color) -> &str {
        &self.session.player(color).name
    }

    fn engine_name(&self) -> &str {
        self.name(!self.options.you)
    }

    pub(crate) fn orientation(&self) -> Color {
        self.orientation
    }

    pub(crate) fn engine_line(&self) -> Option<&EngineLine> {
        self.engine_line.as_ref()
    }

    pub(crate) fn hint(&self) -> Option<Move> {
        match self.hint {
            Hint::Found(ticket, mv) if ticket == self.ticket() => Some(mv),
            _ => None,
        }
    }
}

fn new_session(options: &GameOptions, engine: &str, now: Instant) -> GameSession {
    let player = |color| {
        if color == options.you { Player::human(&options.your_name) } else { Player::engine(engine) }
    };
    let setup = GameSetup {
        time: options.time,
        clock_start: ClockStart::AtOnce,
        ..GameSetup::new(options.start.clone(), ByColor::new_with(player))
    };
    GameSession::new(setup, now)
}

/// Why something cannot be done, and the command that helps.
fn explain(error: ActionError) -> String {
    match error {
        ActionError::Over { reason } => format!("the game is over ({reason}); \"new\" starts another"),
        ActionError::EngineFailed { .. } => format!("{error}; \"engine NAME\" or \"undo\" help"),
        _ => error.to_string(),
    }
}

/// A score in pawns, or the moves to a mate.
fn show_score(score: Score) -> String {
    score.to_uci().in_pawns("#", "#-")
}

#[cfg(test)]
mod tests;
