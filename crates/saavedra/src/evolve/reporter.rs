//! What a run prints while it works: lines on standard error, bars on a terminal, attempts on standard output.

use std::io::{self, Write};

use arena::selfplay::{Goal, SelfPlayProgress};
use evolve::{LedgerEntry, RunReporter, TrainingReporter};

use super::report;
use crate::datagen;
use crate::progress::Bar;
use crate::train::Printer;

/// Prints how a run goes.
pub(super) struct Terminal {
    /// Whether each attempt is printed as a line of JSON, and nothing else on standard output.
    pub(super) is_json: bool,
}

impl RunReporter for Terminal {
    fn line(&self, line: &str) {
        let _ = writeln!(io::stderr(), "{line}");
    }

    fn attempt(&self, entry: &LedgerEntry) -> io::Result<()> {
        report::tell(entry, self.is_json)
    }

    fn time_table(&self, table: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        write!(out, "{table}")?;
        out.flush()
    }

    fn self_play(&self, goal: Goal) -> Box<dyn FnMut(&SelfPlayProgress)> {
        Box::new(datagen::show(goal))
    }

    fn pairs(&self) -> Box<dyn FnMut(usize, usize, String)> {
        let bar = Bar::new("{bar:30} {pos}/{len} pairs {wide_msg}");
        Box::new(move |done, total, standing| {
            bar.set(done, total);
            bar.say(standing);
        })
    }

    fn training(&self) -> Box<dyn TrainingReporter> {
        Box::new(Printer::new(self.is_json, None))
    }
}
