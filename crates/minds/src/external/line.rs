//! A protocol for minds in any language: one line asks, one line answers.
//!
//! ```text
//! fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e1d1 e1d2 e1f1 e1f2 e2e3 e2e4 time 1500
//! e2e4
//! ```
//!
//! The question tells the position, every legal move, and the milliseconds the answer should take, if time is short.
//! The answer is a move, in UCI notation as in the list or as people write it, or `resign`. Lines that begin with `#`
//! are for people and passed over. A process plays one game; when it ends, so does its input.

use std::time::Duration;

use programs::CommandLine;
use rules::{Game, Position};
use search::{Control, Reporter};

use super::process::{EngineProcess, Received, Wait};
use crate::{Allowance, Choice, Fault, FaultKind, GameEnd, Mind};

/// A program in another process that answers a line with a line.
pub struct LineMind {
    process: EngineProcess,
}

impl LineMind {
    /// A program that is started with every game.
    pub fn new(command: CommandLine) -> LineMind {
        LineMind { process: EngineProcess::new(command, None) }
    }
}

fn question(game: &Game, allowance: &Allowance) -> String {
    let position = game.position();
    let moves: Vec<String> = allowance.limits.moves_of(game.position()).iter().map(|&mv| position.uci(mv)).collect();
    let time = allowance.budget().map_or(String::new(), |time| format!(" time {}", time.as_millis()));
    format!("fen {position} moves {}{time}", moves.join(" "))
}

/// Asks a program that answers with one line.
pub(super) fn ask(
    process: &mut EngineProcess,
    question: &str,
    allowance: &Allowance,
    control: &Control,
) -> Result<String, Fault> {
    if !process.was_started() {
        process.start()?;
    }
    process.ask(question)?;
    let mut wait = Wait::for_move(allowance, control);
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

impl Mind for LineMind {
    fn name(&self) -> &str {
        &self.process.name
    }

    fn new_game(&mut self, _start: &Position) -> Result<(), Fault> {
        self.process.start()
    }

    fn choose(
        &mut self,
        game: &Game,
        allowance: &Allowance,
        control: &Control,
        _reporter: &mut dyn Reporter,
    ) -> Result<Choice, Fault> {
        let text = ask(&mut self.process, &question(game, allowance), allowance, control)?;
        if text == "resign" {
            return Ok(Choice::Resign);
        }
        let position = game.position();
        let mv = position.parse_uci(&text).ok().or_else(|| position.parse_san(&text).ok());
        mv.map(Choice::Move)
            .ok_or_else(|| self.process.fault(FaultKind::IllegalMove { text, fen: position.to_string() }))
    }

    fn time_taken(&self) -> Option<Duration> {
        self.process.time_taken()
    }

    fn end_game(&mut self, _ending: GameEnd) {
        self.process.leave();
    }
}
