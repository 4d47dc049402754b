//! A UCI session: reads commands, keeps the game, and drives an engine.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use interface::Control;
use rules::Game;
use uci::{Castling, Command, EngineOption, Go, Message, OptionKind, PositionCommand};

use crate::go::GoJob;
use crate::input::{self, Event};
use crate::output::Output;
use crate::search_thread::{Dead, SearchThread};
use crate::{Engine, OptionValue, help, perft, show};

/// Whether the session goes on.
#[derive(PartialEq, Eq)]
enum Next {
    Continue,
    Quit,
}

/// What is known between two commands.
struct Session {
    output: Output,
    thread: SearchThread,
    name: String,
    options: Vec<EngineOption>,
    castling: Castling,
    /// The game on the board; none after an invalid `position`.
    game: Option<Game>,
    is_debugging: bool,
}

/// The option that the session itself has, because it alone reads and writes moves.
const CHESS960: &str = "UCI_Chess960";

/// Runs an engine until `quit` or the end of the input.
///
/// If the output breaks, the session ends without an error. The reader may be left waiting for a line that does not
/// come; it ends with the process.
pub fn run(
    engine: impl Engine + 'static,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let (sender, events) = mpsc::channel();
    let output = Output::new(output, sender.clone());
    let mut session = Session {
        output,
        name: engine.name(),
        options: engine.options(),
        thread: SearchThread::start(Box::new(engine), sender.clone())?,
        castling: Castling::default(),
        game: Some(Game::default()),
        is_debugging: false,
    };
    let chess960 = OptionKind::Check { default: false };
    session.options.push(EngineOption { name: CHESS960.to_owned(), kind: chess960 });
    thread::Builder::new().name("input".to_owned()).spawn(move || input::read(input, &sender))?;
    let died = || io::Error::other("the engine has failed");
    for event in events {
        match event {
            Event::Line { text, arrived } => match session.handle(&text, arrived) {
                Ok(Next::Continue) => {}
                Ok(Next::Quit) => break,
                Err(Dead) => return Err(died()),
            },
            Event::InputEnded => break,
            Event::OutputBroke => return session.thread.finish().map_err(|Dead| died()),
            Event::SearchDied => return Err(died()),
        }
    }
    session.thread.complete().map_err(|Dead| died())
}

impl Session {
    fn handle(&mut self, line: &str, arrived: Instant) -> Result<Next, Dead> {
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
        self.dispatch(reading.value, arrived)?;
        Ok(Next::Continue)
    }

    fn dispatch(&mut self, command: Command, arrived: Instant) -> Result<(), Dead> {
        match command {
            Command::Uci => self.introduce(),
            // Whatever came before is done, except a search, which must not delay the answer.
            Command::IsReady => self.output.print(Message::ReadyOk),
            Command::Debug(is_on) => self.is_debugging = is_on,
            Command::Stop => _ = self.thread.control().map(Control::stop),
            Command::PonderHit => _ = self.thread.control().map(Control::ponder_hit),
            Command::Help { topic } => self.output.print(help::page(topic.as_deref())),
            Command::Display => self.show_game(show::board),
            Command::See { mv } => self.show_game(|game| match show::read_move(game.position(), &mv) {
                Ok(mv) => show::exchange(game.position(), mv),
                Err(reason) => Message::text(reason).to_string(),
            }),
            Command::Unknown { line, suggestion } => self.unknown(&line, suggestion),
            Command::Register(_) | Command::Quit => {}
            // What follows changes what a search works with, so that a search must have ended.
            Command::SetOption { name, value } => {
                self.thread.finish()?;
                self.set_option(&name, value.as_deref().unwrap_or_default())?;
            }
            Command::NewGame => {
                self.thread.ask(|engine| engine.new_game())?;
                self.game = Some(Game::default());
            }
            Command::Position(position) => {
                self.thread.finish()?;
                self.set_up(&position);
            }
            Command::Go(Go { perft: Some(depth), .. }) | Command::Perft { depth } => self.count(depth)?,
            Command::Go(go) => self.go(&go, arrived)?,
            Command::Flip => {
                self.thread.finish()?;
                self.flip();
            }
            Command::Eval => self.show_evaluation()?,
            Command::Bench { depth } => self.bench(depth)?,
        }
        Ok(())
    }

    fn introduce(&self) {
        self.output.print(Message::Name(self.name.clone()));
        self.output.print(Message::Author("the Saavedra authors".to_owned()));
        for option in &self.options {
            self.output.print(option);
        }
        self.output.print(Message::UciOk);
    }

    /// The game on the board, or a word about why there is none.
    fn game(&self) -> Option<&Game> {
        if self.game.is_none() {
            self.output.tell("there is no position: the last position command was invalid");
        }
        self.game.as_ref()
    }

    fn show_game(&self, show: impl FnOnce(&Game) -> String) {
        if let Some(game) = self.game() {
            self.output.print(show(game));
        }
    }

    fn unknown(&self, line: &str, suggestion: Option<&str>) {
        let start: String = line.chars().take(60).collect();
        self.output.tell(match suggestion {
            Some(name) => format!("unknown command {start:?}: did you mean {name}?"),
            None => format!("unknown command {start:?}: help lists what there is"),
        });
    }

    fn set_option(&mut self, name: &str, text: &str) -> Result<(), Dead> {
        let Some(option) = self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name)) else {
            let meant = uci::suggest(name, self.options.iter().map(|option| option.name.as_str()));
            let meant = meant.map_or(String::new(), |name| format!(": did you mean {name}?"));
            self.output.tell(format!("there is no option {name:?}{meant}"));
            return Ok(());
        };
        let outcome = match OptionValue::read(option, text) {
            Ok(reading) => {
                reading.complaints.into_iter().for_each(|complaint| self.output.tell(complaint));
                match (option.name.as_str(), reading.value) {
                    (CHESS960, OptionValue::Check(is_set)) => {
                        self.castling = if is_set { Castling::KingTakesRook } else { Castling::KingMoves };
                        Ok(())
                    }
                    (name, value) => {
                        let name = name.to_owned();
                        self.thread.ask(move |engine| engine.set_option(&name, value))?
                    }
                }
            }
            Err(reason) => Err(reason),
        };
        if let Err(reason) = outcome {
            self.output.tell(reason);
        }
        Ok(())
    }

    fn set_up(&mut self, position: &PositionCommand) {
        let game = position.game();
        if let Err(error) = &game {
            self.output.tell(format!("no position: {error}"));
        }
        self.game = game.ok();
    }

    fn show_evaluation(&mut self) -> Result<(), Dead> {
        let Some(position) = self.game().map(|game| *game.position()) else { return Ok(()) };
        match self.thread.ask(move |engine| engine.evaluation(&position))? {
            Some(text) => self.output.print(text),
            None => self.output.tell("this engine has no evaluation to show"),
        }
        Ok(())
    }

    fn bench(&mut self, depth: Option<u64>) -> Result<(), Dead> {
        let control = Arc::new(Control::new());
        let (output, switch) = (self.output.clone(), Arc::clone(&control));
        let depth = depth.map(|depth| depth.clamp(1, 100) as usize);
        self.thread.begin_count(control, move |engine| match engine.bench(depth, &switch) {
            Some(text) => output.print(text),
            None if switch.is_stopped() => output.tell("the bench was stopped"),
            None => output.tell("this engine has no bench"),
        })
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
        self.thread.finish()?;
        let Some(position) = self.game().map(|game| *game.position()) else { return Ok(()) };
        let control = Arc::new(Control::new());
        let (output, switch, castling) = (self.output.clone(), Arc::clone(&control), self.castling);
        let depth = depth.min(100) as u32;
        self.thread.begin_count(control, move |_| perft::run(&position, depth, castling, &switch, &output))
    }

    fn go(&mut self, go: &Go, arrived: Instant) -> Result<(), Dead> {
        self.thread.finish()?;
        let position = self.game.as_ref().map(|game| *game.position()).unwrap_or_default();
        let limits = go.limits(&position);
        if self.game.is_some() {
            limits.complaints.into_iter().for_each(|complaint| self.output.tell(complaint));
        }
        // Time counts from the arrival of the command, however long it waited here.
        let control = Arc::new(Control::started_at(arrived, go.ponder));
        let job = GoJob {
            game: self.game.clone(),
            is_infinite: go.infinite,
            limits: limits.value,
            castling: self.castling,
            control: Arc::clone(&control),
            output: self.output.clone(),
        };
        self.thread.begin(control, move |engine| job.perform(engine))
    }
}
