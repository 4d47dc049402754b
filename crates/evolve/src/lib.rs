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
mod numbers;
mod reporter;
mod training;
mod training_report;
pub mod tuning;

pub use attempt::{Generated, Plan, Steps, Trained};
pub use candidates::Candidate;
pub use clocks::ClockTest;
pub use contest::{Contest, Outcome};
pub use cpu::OnCpu;
pub use failure::Failure;
pub use folder::Folder;
pub use gpu::{OnGpu, Seconds, outcome_pairs};
pub(crate) use interface::grouped;
pub use ledger::{Entry, GpuEntry, Ledger, Verdict};
pub use networks::{network, trunk, trunk_path};
pub use numbers::minutes;
pub use reporter::{Reporter, TrainingReporter};
pub use training::{Device, Training, check_folder};
pub use training_report::{Epoch, LeftOut, TrainingReport, active_groups, active_pairs, held_out, origin};
