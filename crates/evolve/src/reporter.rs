//! What a run tells while it works.

use std::io;
use std::path::Path;

use arena::selfplay;
use records::packed::PackedError;
use train::{Pulse, TrainingProgress};

use crate::{LedgerEntry, TrainingReport};

/// Is told how a run goes.
pub trait RunReporter {
    /// A line about what is being done.
    fn line(&self, line: &str);

    /// An attempt was written into the ledger.
    fn attempt(&self, entry: &LedgerEntry) -> io::Result<()>;

    /// Where the time of a run went, as a table.
    fn time_table(&self, table: &str) -> io::Result<()>;

    /// Self-play on the CPU begins; what is returned is called as it goes on, and dropped at its end.
    fn self_play(&self, goal: selfplay::Goal) -> Box<dyn FnMut(&selfplay::SelfPlayProgress)>;

    /// A match on the CPU begins; what is returned is called with the pairs that are done, how many there are, and how
    /// they stand.
    fn pairs(&self) -> Box<dyn FnMut(usize, usize, String)>;

    /// A training from files of games begins.
    fn training(&self) -> Box<dyn TrainingReporter>;
}

/// Is told how a training from files of games goes.
pub trait TrainingReporter: Sync {
    /// A file is being read, which is the n-th of so many; so many positions were read in all. Called from several
    /// threads.
    fn reading(&self, file: &Path, done: usize, files: usize, positions: u64);

    /// Something in a file is damaged and was stepped over. Called from several threads.
    fn damage(&self, file: &Path, error: &PackedError);

    /// All games are read, and the training begins.
    fn begin(&mut self, report: &TrainingReport, progress: &TrainingProgress) -> io::Result<()>;

    /// Some steps were taken: so many samples a second, so many seconds are left.
    fn pulse(&mut self, pulse: &Pulse, samples_per_second: f64, seconds_left: f64);

    /// An epoch is over; it is the last one of the report.
    fn epoch(&mut self, report: &TrainingReport, progress: &TrainingProgress) -> io::Result<()>;

    /// The training is over, or was stopped.
    fn trained(&mut self, progress: &TrainingProgress) -> io::Result<()>;

    /// The network is written.
    fn end(&mut self, report: &TrainingReport, progress: &TrainingProgress) -> io::Result<()>;
}
