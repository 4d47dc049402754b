//! UCI engines as other programs, asked one question after the other.

use std::time::{Duration, Instant};

use anyhow::Result;
use programs::{CommandLine, Program};
use uci::Message;

/// Far more than any answer takes.
const PATIENCE: Duration = Duration::from_secs(600);

/// A UCI engine that was started.
pub struct Engine(Program);

impl Engine {
    /// Starts an engine, with so many threads and megabytes of hash.
    pub fn start(command: &CommandLine, threads: usize, hash: usize) -> Result<Engine> {
        let mut engine = Engine(Program::start(command)?);
        engine.0.send("uci")?;
        engine.wait_for(|message| matches!(message, Message::UciOk))?;
        engine.0.send(&format!("setoption name Hash value {hash}"))?;
        engine.0.send(&format!("setoption name Threads value {threads}"))?;
        Ok(engine)
    }

    /// Sets an option.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<()> {
        Ok(self.0.send(&format!("setoption name {name} value {value}"))?)
    }

    /// Asks about a position as if it were the first of a new game. `hear` is told every message up to the best move.
    pub fn ask(&mut self, fen: &str, go: &str, mut hear: impl FnMut(&Message)) -> Result<()> {
        self.0.send("ucinewgame")?;
        self.0.send("isready")?;
        self.wait_for(|message| matches!(message, Message::ReadyOk))?;
        self.0.send(&format!("position fen {fen}"))?;
        self.0.send(go)?;
        self.wait_for(|message| {
            hear(message);
            matches!(message, Message::BestMove { .. })
        })
    }

    /// Ends the engine.
    pub fn end(mut self) {
        let _ = self.0.send("quit");
        self.0.end(Duration::from_secs(1));
    }

    fn wait_for(&mut self, mut is_it: impl FnMut(&Message) -> bool) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let line = self.0.receive(deadline)?;
            if Message::read(&line.text).is_some_and(|reading| is_it(&reading.value)) {
                return Ok(());
            }
        }
    }
}
