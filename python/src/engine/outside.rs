//! A UCI program outside.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use interface::Control;
use minds::{Allowance, Fault, Mind, UciMind};
use programs::CommandLine;
use rules::Position;
use uci::EngineOption;

use super::backend::{Backend, Best, Order};
use super::failure::Failure;
use super::feed::Feed;

/// How long to wait for a program.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    /// To start, to get ready, and after it was told to stop.
    pub(super) answer: Duration,
    /// For a search whose limits say nothing of time.
    pub(super) search: Duration,
}

/// A UCI program.
pub(super) struct OutsideEngine {
    mind: UciMind,
    patience: Patience,
    lines: u32,
    has_played: bool,
}

impl OutsideEngine {
    pub(super) fn new(command: CommandLine, patience: Patience) -> OutsideEngine {
        let mind = UciMind::new(command).with_time_to_start(patience.answer).with_longest_search(patience.search);
        OutsideEngine { mind, patience, lines: 1, has_played: false }
    }

    /// Tells the program that another game begins. Before its first search it is told in any case.
    fn begin_game(&mut self, order: &Order) -> Result<(), Fault> {
        if order.is_new_game || !self.has_played {
            // A program that has ended is not started again: its options would be lost.
            self.mind.ping()?;
            self.mind.new_game(order.game.start())?;
            self.has_played = true;
        }
        Ok(())
    }
}

impl Backend for OutsideEngine {
    fn id(&self) -> (String, String) {
        (self.mind.name().to_owned(), self.mind.author().to_owned())
    }

    fn options(&self) -> Vec<EngineOption> {
        self.mind.known_options().to_vec()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        Ok(self.mind.set_option(name, value)?)
    }

    fn ping(&mut self) -> Result<(), Failure> {
        Ok(self.mind.ping()?)
    }

    fn evaluate(&mut self, _position: &Position) -> Result<i32, Failure> {
        Err(Failure::Refused("a UCI engine tells no static evaluation".to_owned()))
    }

    fn search(&mut self, order: &Order, control: &Control, feed: &Feed) -> Result<Best, Failure> {
        self.begin_game(order)?;
        if self.lines != order.lines {
            self.mind.set_option("MultiPV", &order.lines.to_string())?;
            self.lines = order.lines;
        }
        let allowance = Allowance { limits: order.limits.clone(), grace: self.patience.answer };
        let answer = self.mind.search(&order.game, &allowance, control, &mut |info| feed.tell(info))?;
        Ok(Best { mv: answer.best, ponder: answer.ponder })
    }

    fn give_up_flag(&self) -> Option<Arc<AtomicBool>> {
        Some(self.mind.give_up_flag())
    }
}
