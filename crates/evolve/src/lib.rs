#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod attempt;
mod candidates;
mod clocks;
mod contest;
mod cpu;
mod failure;
mod folder;
mod gpu;
mod ledger;
mod networks;
mod reporter;
mod training;
mod training_report;
pub mod tuning;

pub use attempt::{AttemptPlan, Generated, Steps, Trained};
pub use candidates::Candidate;
pub use clocks::ClockTest;
pub use contest::{Contest, MatchOutcome};
pub use cpu::OnCpu;
pub use failure::Failure;
pub use folder::Folder;
pub use gpu::{OnGpu, Seconds, outcome_pairs};
pub(crate) use interface::{grouped, hms};
pub use ledger::{AttemptVerdict, GpuEntry, Ledger, LedgerEntry};
pub use networks::{float_network, float_path, input_network, network};
pub use reporter::{RunReporter, TrainingReporter};
pub use training::{Device, Training, check_folder};
pub use training_report::{Epoch, LeftOut, TrainingReport, active_groups, active_pairs, origin, validation_loss};
