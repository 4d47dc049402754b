//! Programs that answer a line with a line, and the protocol for minds in any language.
//!
//! ```text
//! fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e1d1 e1d2 e1f1 e1f2 e2e3 e2e4 time 1500
//! e2e4
//! ```
//!
//! The question tells the position, every legal move, and the milliseconds the answer should take, if time is short.
//! The answer is a move, in UCI notation as in the list or as people write it, or `resign`. Lines that begin with `#`
//! are for people and passed over. A process plays one game; when it ends, so does its input.
//!
//! The first question of a process is a position with one legal move, and its answer is not looked at: when it comes,
//! the program is ready. Without it an interpreter's start would be charged to the first move of the game.

use std::time::Duration;

use programs::CommandLine;
use rules::{Game, Position};
use search::{Control, Reporter};

use super::process::{EngineProcess, Received, Wait};
use crate::{Allowance, Choice, Fault, FaultKind, GameEnd, Limits, Mind};

/// One legal move: the king takes the queen. Whatever chooses moves, it has not to think about this.
const GREETING: &str = "7k/8/8/8/8/8/6q1/7K w - - 0 1";

/// A program in another process that answers a line with a line.
pub struct LineMind {
    process: EngineProcess,
    protocol: LineProtocol,
}

/// What the lines say.
pub(super) struct LineProtocol {
    /// A position that is asked for before the game, so that the answer tells when the program is ready.
    pub(super) greeting: Option<&'static str>,
    /// The line that asks for a move.
    pub(super) question: fn(&Game, &Allowance) -> String,
    /// What a line answers.
    pub(super) read_answer: fn(&Position, &str) -> Result<Choice, FaultKind>,
}

impl LineMind {
    /// A program that is started with every game.
    pub fn new(command: CommandLine) -> LineMind {
        LineMind::speaking(LineProtocol { greeting: Some(GREETING), question, read_answer }, command)
    }

    pub(super) fn speaking(protocol: LineProtocol, command: CommandLine) -> LineMind {
        LineMind { process: EngineProcess::new(command, None), protocol }
    }

    /// Starts the program afresh and waits until it is ready.
    fn start(&mut self) -> Result<(), Fault> {
        self.process.start()?;
        let Some(greeting) = self.protocol.greeting else { return Ok(()) };
        let game = Game::new(greeting.parse().expect("the greeting is a position"));
        // The program is told to be quick, and is waited for as long as any program that starts.
        let limits = Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() };
        let allowance = Allowance { grace: self.process.time_to_start, ..Allowance::new(limits) };
        self.ask(&(self.protocol.question)(&game, &allowance), &allowance, &Control::new())?;
        Ok(())
    }

    /// Sends a line and waits for the line that answers it.
    fn ask(&mut self, question: &str, allowance: &Allowance, control: &Control) -> Result<String, Fault> {
        let process = &mut self.process;
        process.ask(question)?;
        let mut wait = process.wait_for_move(allowance, control);
        loop {
            match process.receive(&wait)? {
                Received::Line(line) if line.starts_with('#') => {}
                Received::Line(line) => return Ok(line),
                // It cannot be told, but it may be about to answer.
                Received::Stopped => wait = Wait::after_stop(allowance),
                Received::Late => return Err(process.too_late(&wait)),
            }
        }
    }
}

fn question(game: &Game, allowance: &Allowance) -> String {
    let position = game.position();
    let moves: Vec<String> = allowance.limits.moves_of(game.position()).iter().map(|&mv| position.uci(mv)).collect();
    let time = allowance.budget().map_or(String::new(), |time| format!(" time {}", time.as_millis()));
    format!("fen {position} moves {}{time}", moves.join(" "))
}

fn read_answer(position: &Position, text: &str) -> Result<Choice, FaultKind> {
    if text == "resign" {
        return Ok(Choice::Resign);
    }
    let mv = position.parse_uci(text).ok().or_else(|| position.parse_san(text).ok());
    let illegal = || FaultKind::IllegalMove { text: text.to_owned(), fen: position.to_string() };
    mv.map(Choice::Move).ok_or_else(illegal)
}

impl Mind for LineMind {
    fn name(&self) -> &str {
        &self.process.name
    }

    fn new_game(&mut self, _start: &Position) -> Result<(), Fault> {
        self.start()
    }

    fn choose(
        &mut self,
        game: &Game,
        allowance: &Allowance,
        control: &Control,
        _reporter: &mut dyn Reporter,
    ) -> Result<Choice, Fault> {
        if !self.process.was_started() {
            self.start()?;
        }
        let answer = self.ask(&(self.protocol.question)(game, allowance), allowance, control)?;
        (self.protocol.read_answer)(game.position(), &answer).map_err(|kind| self.process.fault(kind))
    }

    fn time_taken(&self) -> Option<Duration> {
        self.process.time_taken()
    }

    fn end_game(&mut self, _ending: GameEnd) {
        self.process.leave();
    }
}
