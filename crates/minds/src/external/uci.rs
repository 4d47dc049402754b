//! An engine that speaks UCI as a mind.

use std::time::Duration;

use programs::CommandLine;
use rules::{Game, Position};
use search::{Control, Reporter};
use uci::{Castling, Command, EngineOption, Go, Message, OptionKind, PositionCommand, suggest};

use super::process::{EngineProcess, Received, Wait};
use crate::{Allowance, Choice, Fault, FaultKind, Mind};

/// An engine in another process, driven by UCI.
pub struct UciMind {
    process: EngineProcess,
    /// Options to set, by name and value.
    wanted_options: Vec<(String, String)>,
    options: Vec<EngineOption>,
    castling: Castling,
}

impl UciMind {
    /// An engine that is started when its first game begins.
    pub fn new(command: CommandLine) -> UciMind {
        let process = EngineProcess::new(command, Some("quit"));
        UciMind { process, wanted_options: Vec::new(), options: Vec::new(), castling: Castling::KingMoves }
    }

    /// Sets an option whenever the engine is started. An engine that does not have it does not start.
    #[must_use]
    pub fn with_option(mut self, name: impl Into<String>, value: impl Into<String>) -> UciMind {
        self.wanted_options.push((name.into(), value.into()));
        self
    }

    /// Gives the engine another time to start and to get ready.
    #[must_use]
    pub fn with_time_to_start(mut self, time: Duration) -> UciMind {
        self.process.time_to_start = time;
        self
    }

    /// The options of the engine, which is started if it does not run.
    pub fn options(&mut self) -> Result<&[EngineOption], Fault> {
        if !self.process.was_started() {
            self.handshake()?;
        }
        Ok(&self.options)
    }

    /// Sets an option that is a number, within what the engine allows. Returns what was set; nothing if the engine has
    /// no such option. It is started if it does not run.
    pub fn set_number(&mut self, name: &str, value: i64) -> Result<Option<i64>, Fault> {
        self.options()?;
        let Some(EngineOption { name, kind: OptionKind::Spin { min, max, .. } }) = self.option(name) else {
            return Ok(None);
        };
        let value = value.min(max).max(min);
        self.process.send(Command::SetOption { name, value: Some(value.to_string()) })?;
        Ok(Some(value))
    }

    /// Starts the engine if it does not run, and makes it ready for games like this.
    fn get_ready(&mut self, start: &Position) -> Result<(), Fault> {
        let castling = if start.is_chess960() { Castling::KingTakesRook } else { Castling::KingMoves };
        let is_new = !self.process.was_started();
        if is_new {
            self.handshake()?;
        }
        if castling != self.castling || is_new && castling != Castling::KingMoves {
            let Some(option) = self.option("UCI_Chess960") else {
                return Err(self.process.fault(FaultKind::Refused { text: "it does not play Chess960".to_owned() }));
            };
            let (name, value) = (option.name.clone(), (castling == Castling::KingTakesRook).to_string());
            self.process.send(Command::SetOption { name, value: Some(value) })?;
        }
        self.castling = castling;
        Ok(())
    }

    fn handshake(&mut self) -> Result<(), Fault> {
        self.process.start()?;
        self.castling = Castling::KingMoves;
        self.process.send(Command::Uci)?;
        let options = &mut self.options;
        options.clear();
        self.process.wait_for(self.process.time_to_start, |process, line| {
            match Message::read(line).map(|reading| reading.value) {
                Some(Message::Name(name)) if !name.is_empty() => process.name = name,
                Some(Message::Option(option)) => options.push(option),
                Some(Message::UciOk) => return Ok(Some(())),
                _ => {}
            }
            Ok(None)
        })?;
        for (name, value) in self.wanted_options.clone() {
            let Some(option) = self.option(&name) else {
                let names = self.options.iter().map(|option| option.name.as_str());
                let hint = suggest(&name, names).map_or(String::new(), |close| format!(" (did you mean {close:?}?)"));
                let reason = format!("it has no option {name:?}{hint}");
                return Err(self.process.fault(FaultKind::DidNotStart { reason }));
            };
            let value = (option.kind != OptionKind::Button).then_some(value);
            self.process.send(Command::SetOption { name: option.name.clone(), value })?;
        }
        Ok(())
    }

    fn option(&self, name: &str) -> Option<EngineOption> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name)).cloned()
    }

    /// Waits until the engine has done everything so far. What it says meanwhile is too late to be an answer.
    fn catch_up(&mut self) -> Result<(), Fault> {
        self.process.send(Command::IsReady)?;
        self.process.wait_for(self.process.time_to_start, |_, line| {
            Ok(Message::read(line).filter(|reading| reading.value == Message::ReadyOk).map(|_| ()))
        })
    }

    fn read_choice(&self, position: &Position, text: Option<&str>) -> Result<Choice, Fault> {
        let text = text.unwrap_or("0000");
        position.parse_uci(text).map(Choice::Move).map_err(|_| {
            self.process.fault(FaultKind::IllegalMove { text: text.to_owned(), fen: position.to_string() })
        })
    }
}

impl Mind for UciMind {
    fn name(&self) -> &str {
        &self.process.name
    }

    fn new_game(&mut self, start: &Position) -> Result<(), Fault> {
        if !self.process.is_running() {
            self.process.leave();
        }
        self.get_ready(start)?;
        self.process.send(Command::NewGame)?;
        self.catch_up()
    }

    /// Without limits an engine is told to think until it is stopped.
    fn needs_limits(&self) -> bool {
        true
    }

    fn choose(
        &mut self,
        game: &Game,
        allowance: &Allowance,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Result<Choice, Fault> {
        self.get_ready(game.start())?;
        self.catch_up()?;
        let position = game.position();
        let go = Go::new(&allowance.limits, position, self.castling);
        let mut wait = if go.infinite { Wait::without_end(control) } else { Wait::for_move(allowance, control) };
        let position_told = Command::Position(PositionCommand::of(game, self.castling));
        // Both at once, so that the engine wakes only when it can begin to think.
        self.process.ask(format_args!("{position_told}\n{}", Command::Go(go)))?;
        loop {
            match self.process.receive(&wait)? {
                Received::Line(line) => match Message::read(&line).map(|reading| reading.value) {
                    Some(Message::Info(info)) => {
                        if let Some((line, stats)) = info.line(position) {
                            reporter.line(&line, &stats);
                        }
                    }
                    Some(Message::BestMove { best, .. }) => return self.read_choice(position, best.as_deref()),
                    _ => {}
                },
                Received::Stopped => {
                    self.process.send(Command::Stop)?;
                    wait = Wait::after_stop(allowance);
                }
                Received::Late => return Err(self.process.too_late(&wait)),
            }
        }
    }

    fn time_taken(&self) -> Option<Duration> {
        self.process.time_taken()
    }
}
