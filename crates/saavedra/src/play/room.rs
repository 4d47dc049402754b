//! Where a game takes place: the session, the thread its mind thinks on, and the files that games are saved in.

use std::fs::OpenOptions;
use std::io::Write;
use std::time::{Duration, Instant};

use minds::Mind;

use super::command::Command;
use super::opponent;
use super::session::{Effect, Session, Settings, Task, Ticket};
use super::thinker::{Event, Gone, Thinker};

pub(crate) struct Room {
    pub(crate) session: Session,
    thinker: Thinker,
    /// What the thread was last asked for.
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

impl Room {
    pub(crate) fn new(settings: Settings, mind: Box<dyn Mind>) -> Room {
        let session = Session::new(settings, mind.name().to_owned(), Instant::now());
        let mut thinker = Thinker::new(mind);
        thinker.begin(session.game().start());
        Room { session, thinker, asked: None, is_end_told: false }
    }

    /// Does what a line says, or says what is wrong with it.
    pub(crate) fn obey(&mut self, line: &str) -> Result<Reaction, String> {
        let Some(command) = Command::parse(line)? else { return Ok(Reaction::Done) };
        let is_new = matches!(command, Command::New(_));
        let effect = self.session.obey(command, Instant::now())?;
        if is_new {
            self.thinker.begin(self.session.game().start());
        }
        let reaction = match effect {
            Effect::Nothing => Reaction::Done,
            Effect::Show(text) => Reaction::Show(text),
            Effect::Save { path, text } => {
                save(&path, &text).map_err(|error| format!("cannot write {path}: {error}"))?;
                Reaction::Show(format!("saved in {path}"))
            }
            Effect::Summon(name) => {
                let mind = opponent::summon(&name)?;
                let name = mind.name().to_owned();
                self.thinker.summon(mind);
                self.thinker.begin(self.session.game().start());
                self.session.replace_mind(name.clone(), Instant::now());
                Reaction::Show(format!("{name} plays on"))
            }
            Effect::Interrupt => {
                self.thinker.interrupt();
                Reaction::Done
            }
            Effect::Quit => Reaction::Quit,
        };
        Ok(reaction)
    }

    /// Lets time pass and sees to it that the thread does what the session wants, and nothing else.
    pub(crate) fn keep_busy(&mut self) {
        let now = Instant::now();
        self.session.tick(now);
        if let Some(end) = self.session.end() {
            if !self.is_end_told {
                self.thinker.end(end.ending);
            }
            self.is_end_told = true;
        } else {
            self.is_end_told = false;
        }
        let wanted = self.session.task();
        if wanted == self.asked {
            return;
        }
        self.asked = wanted;
        match wanted {
            Some((ticket, Task::Move)) => {
                self.thinker.choose(ticket, self.session.game(), self.session.allowance(now));
            }
            Some((ticket, Task::Hint)) => self.thinker.hint(ticket, self.session.game()),
            None => self.thinker.interrupt(),
        }
    }

    /// Whether an answer of the thread is awaited.
    pub(crate) fn is_busy(&self) -> bool {
        self.asked.is_some()
    }

    /// Waits for the next thing the thread tells and takes it in. Returns whether there was one in time.
    pub(crate) fn listen(&mut self, patience: Duration) -> bool {
        match (self.thinker.event(patience), self.asked) {
            (Ok(None), _) | (Err(Gone), None) => return false,
            (Ok(Some(Event::Ready(name))), _) => self.session.name_mind(name),
            (Ok(Some(Event::Thought(ticket, line))), _) => self.session.mind_thought(ticket, &line),
            (Ok(Some(Event::Chose(ticket, choice))), _) => self.session.mind_chose(ticket, choice, Instant::now()),
            (Ok(Some(Event::Hint(ticket, hint))), _) => self.session.hint_found(ticket, hint),
            (Err(Gone), Some((ticket, Task::Move))) => {
                self.session.mind_chose(ticket, Err("there is no mind left to think".to_owned()), Instant::now());
            }
            (Err(Gone), Some((ticket, Task::Hint))) => self.session.hint_found(ticket, None),
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
