//! Connects the game, the thread that its engine thinks on, and the files that games are saved in.

use std::fs::OpenOptions;
use std::io::Write;
use std::time::{Duration, Instant};

use minds::Mind;

use super::command::Command;
use super::engine_thread::{EngineThread, Event, Gone};
use super::opponent;
use super::terminal_game::{Effect, GameOptions, Task, TerminalGame, Ticket};

pub(crate) struct Controller {
    pub(crate) game: TerminalGame,
    thread: EngineThread,
    /// What the thread was asked for last.
    asked: Option<(Ticket, Task)>,
    is_end_told: bool,
}

/// What became of a line the player typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reaction {
    Done,
    Show(String),
    Quit,
}

impl Controller {
    pub(crate) fn new(options: GameOptions, mind: Box<dyn Mind>) -> Controller {
        let game = TerminalGame::new(options, mind.name(), Instant::now());
        let mut thread = EngineThread::new(mind);
        thread.begin(game.game().start());
        Controller { game, thread, asked: None, is_end_told: false }
    }

    /// Does what a line says, or says what is wrong with it.
    pub(crate) fn execute(&mut self, line: &str) -> Result<Reaction, String> {
        let Some(command) = Command::parse(line)? else { return Ok(Reaction::Done) };
        let is_new = matches!(command, Command::New(_));
        let effect = self.game.execute(command, Instant::now())?;
        if is_new {
            self.thread.begin(self.game.game().start());
        }
        let reaction = match effect {
            Effect::Nothing => Reaction::Done,
            Effect::Show(text) => Reaction::Show(text),
            Effect::Save { path, text } => {
                save(&path, &text).map_err(|error| format!("cannot write {path}: {error}"))?;
                Reaction::Show(format!("saved in {path}"))
            }
            Effect::ChangeEngine(name) => {
                let mind = opponent::build(&name)?;
                let name = mind.name().to_owned();
                self.thread.replace(mind);
                self.thread.begin(self.game.game().start());
                self.game.replace_engine(name.clone(), Instant::now());
                Reaction::Show(format!("{name} plays on"))
            }
            Effect::Interrupt => {
                self.thread.interrupt();
                Reaction::Done
            }
            Effect::Quit => Reaction::Quit,
        };
        Ok(reaction)
    }

    /// Lets time pass, and asks the thread for what the game needs now.
    pub(crate) fn update(&mut self) {
        let now = Instant::now();
        self.game.tick(now);
        if let Some(result) = self.game.session().result() {
            if !self.is_end_told {
                self.thread.end(result.ending);
            }
            self.is_end_told = true;
        } else {
            self.is_end_told = false;
        }
        let wanted = self.game.task();
        if wanted == self.asked {
            return;
        }
        self.asked = wanted;
        match wanted {
            Some((ticket, Task::Move)) => {
                self.thread.choose(ticket, self.game.game(), self.game.allowance(now));
            }
            Some((ticket, Task::Hint)) => self.thread.hint(ticket, self.game.game()),
            None => self.thread.interrupt(),
        }
    }

    /// Whether an answer of the thread is awaited.
    pub(crate) fn is_busy(&self) -> bool {
        self.asked.is_some()
    }

    /// Waits for the next event of the thread and handles it. Returns whether there was one in time.
    pub(crate) fn handle_event(&mut self, patience: Duration) -> bool {
        match (self.thread.event(patience), self.asked) {
            (Ok(None), _) | (Err(Gone), None) => return false,
            (Ok(Some(Event::Ready(name))), _) => self.game.name_engine(name),
            (Ok(Some(Event::EngineLine(ticket, line))), _) => self.game.set_engine_line(ticket, &line),
            (Ok(Some(Event::Chose(ticket, choice))), _) => self.game.engine_chose(ticket, choice, Instant::now()),
            (Ok(Some(Event::Hint(ticket, hint))), _) => self.game.hint_found(ticket, hint),
            (Err(Gone), Some((ticket, Task::Move))) => {
                self.game.engine_chose(ticket, Err("the engine has ended".to_owned()), Instant::now());
            }
            (Err(Gone), Some((ticket, Task::Hint))) => self.game.hint_found(ticket, None),
        }
        true
    }
}

/// Adds a game to a file, with an empty line between it and the one before.
fn save(path: &str, game: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let gap = if file.metadata()?.len() > 0 { "\n" } else { "" };
    file.write_all(format!("{gap}{game}").as_bytes())
}
