//! The loop: commands in, obedience out.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use rules::Game;
use search::Control;
use uci::{Command, Go, History, Message};

use crate::input::{self, Event};
use crate::limits::Request;
use crate::options::{self, Declaration, Settings, Target};
use crate::output::Output;
use crate::task::Task;
use crate::thinker::{Dead, Thinker};
use crate::{Brain, NAME, bench, help, perft, show};

/// Whether the engine goes on.
#[derive(PartialEq, Eq)]
enum Next {
    Continue,
    Quit,
}

/// What the engine knows between two commands.
struct Session {
    output: Output,
    thinker: Thinker,
    options: Vec<Declaration>,
    settings: Settings,
    /// The game on the board; none after a `position` that made no sense.
    game: Option<Game>,
    is_debugging: bool,
    seed: u64,
}

pub(crate) fn run(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> io::Result<()> {
    let (sender, events) = mpsc::channel();
    let output = Output::new(output, sender.clone());
    let mut session = Session {
        output,
        thinker: Thinker::start(sender.clone())?,
        options: options::table(),
        settings: Settings::default(),
        game: Some(Game::default()),
        is_debugging: false,
        seed: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64),
    };
    thread::Builder::new().name("input".to_owned()).spawn(move || input::read(input, &sender))?;
    let died = || io::Error::other("the search has failed");
    for event in events {
        match event {
            Event::Line { text, arrived } => match session.hear(&text, arrived) {
                Ok(Next::Continue) => {}
                Ok(Next::Quit) => break,
                Err(Dead) => return Err(died()),
            },
            Event::InputEnded | Event::OutputBroke => break,
            Event::SearchDied => return Err(died()),
        }
    }
    session.thinker.finish().map_err(|Dead| died())
}

impl Session {
    fn hear(&mut self, line: &str, arrived: Instant) -> Result<Next, Dead> {
        let Some(reading) = Command::read(line) else { return Ok(Next::Continue) };
        for complaint in reading.complaints {
            self.output.tell(complaint);
        }
        if self.is_debugging {
            self.output.tell(format!("understood: {}", reading.value));
        }
        if reading.value == Command::Quit {
            return Ok(Next::Quit);
        }
        self.obey(reading.value, arrived)?;
        Ok(Next::Continue)
    }

    fn obey(&mut self, command: Command, arrived: Instant) -> Result<(), Dead> {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => {
                // At the start, the search may still be looking for its memory.
                if self.thinker.control().is_none() {
                    self.thinker.ask(|_| ())?;
                }
                self.output.print(Message::ReadyOk);
            }
            Command::Debug(is_on) => self.is_debugging = is_on,
            Command::Stop => _ = self.thinker.control().map(Control::stop),
            Command::PonderHit => _ = self.thinker.control().map(Control::ponder_hit),
            Command::Help { topic } => self.output.print(help::page(topic.as_deref())),
            Command::Display => self.show_game(show::board),
            Command::See { mv } => self.show_game(|game| match show::read_move(game.position(), &mv) {
                Ok(mv) => show::exchange(game.position(), mv),
                Err(reason) => Message::text(reason).to_string(),
            }),
            Command::Unknown { line, suggestion } => self.wonder(&line, suggestion),
            Command::Register(_) | Command::Quit => {}
            // What follows changes what a search works with, so that a search must have ended.
            Command::SetOption { name, value } => {
                self.thinker.finish()?;
                let output = self.output.clone();
                let target = &mut Target { settings: &mut self.settings, thinker: &mut self.thinker };
                options::apply(&self.options, target, &name, value.as_deref(), |text| output.tell(text))?;
            }
            Command::NewGame => {
                self.thinker.ask(|brain| brain.clear())?;
                self.game = Some(Game::default());
                self.seed = self.seed.wrapping_add(1);
            }
            Command::Position(history) => {
                self.thinker.finish()?;
                self.set_up(&history);
            }
            Command::Go(Go { perft: Some(depth), .. }) | Command::Perft { depth } => self.count(depth)?,
            Command::Go(go) => self.go(&go, arrived)?,
            Command::Flip => {
                self.thinker.finish()?;
                self.flip();
            }
            Command::Eval => {
                if let Some(position) = self.game().map(|game| *game.position()) {
                    let judge = move |brain: &mut Brain| (brain.evaluate(&position), brain.contributions(&position));
                    let (value, contributions) = self.thinker.ask(judge)?;
                    self.output.print(show::evaluation(&position, value, &contributions));
                }
            }
            Command::Bench { depth } => {
                let control = Arc::new(Control::new());
                let (output, switch) = (self.output.clone(), Arc::clone(&control));
                let depth = depth.map_or(bench::DEPTH, |depth| depth.clamp(1, 100) as usize);
                self.thinker.begin(control, move |brain| {
                    match bench::run_until_stopped(brain.evaluator().clone(), depth, &switch) {
                        Some(bench) => output.print(bench),
                        None => output.tell("the bench was stopped"),
                    }
                })?;
            }
        }
        Ok(())
    }

    fn introduce(&self) {
        self.output.print(Message::Name(NAME.to_owned()));
        self.output.print(Message::Author("the Saavedra authors".to_owned()));
        for Declaration { setting, .. } in &self.options {
            self.output.print(setting);
        }
        self.output.print(Message::UciOk);
    }

    /// The game on the board, or a word about why there is none.
    fn game(&self) -> Option<&Game> {
        if self.game.is_none() {
            self.output.tell("there is no position: the last one made no sense");
        }
        self.game.as_ref()
    }

    fn show_game(&self, show: impl FnOnce(&Game) -> String) {
        if let Some(game) = self.game() {
            self.output.print(show(game));
        }
    }

    fn wonder(&self, line: &str, suggestion: Option<&str>) {
        let start: String = line.chars().take(60).collect();
        self.output.tell(match suggestion {
            Some(name) => format!("unknown command {start:?}: did you mean {name}?"),
            None => format!("unknown command {start:?}: help lists what there is"),
        });
    }

    fn set_up(&mut self, history: &History) {
        let game = history.game();
        if let Err(error) = &game {
            self.output.tell(format!("no position: {error}"));
        }
        self.game = game.ok();
    }

    fn flip(&mut self) {
        let flipped = self.game().map(|game| game.position().setup().flipped().playable_position());
        match flipped {
            Some(Ok(position)) => self.game = Some(Game::new(position)),
            Some(Err(error)) => self.output.tell(format!("the position cannot be flipped: {error}")),
            None => {}
        }
    }

    fn count(&mut self, depth: u64) -> Result<(), Dead> {
        self.thinker.finish()?;
        let Some(position) = self.game().map(|game| *game.position()) else { return Ok(()) };
        let control = Arc::new(Control::new());
        let (output, switch, castling) = (self.output.clone(), Arc::clone(&control), self.settings.castling());
        let depth = depth.min(100) as u32;
        self.thinker.begin(control, move |_| perft::run(&position, depth, castling, &switch, &output))
    }

    fn go(&mut self, go: &Go, arrived: Instant) -> Result<(), Dead> {
        self.thinker.finish()?;
        let position = self.game.as_ref().map(|game| *game.position()).unwrap_or_default();
        let mut request = Request::new(go, &position);
        if self.game.is_some() {
            request.complaints.drain(..).for_each(|complaint| self.output.tell(complaint));
        }
        let control = Arc::new(Control::started_at(arrived, go.ponder));
        let task = Task {
            game: self.game.clone(),
            request,
            settings: self.settings.clone(),
            control: Arc::clone(&control),
            output: self.output.clone(),
            seed: self.seed,
        };
        self.thinker.begin(control, move |brain| task.perform(brain))
    }
}
