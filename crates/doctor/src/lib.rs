#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod after;
mod cases;
mod compare;
mod diagram;
mod exam;
mod finding;
mod flaw;
mod judge;
mod patient;
mod probe;
mod rule;
mod shrink;

pub use cases::{Case, cases};
pub use diagram::Diagram;
pub use exam::{Examination, ExaminationProgress, Report, Shallow, Thoroughness};
pub use finding::{Finding, Unanswered, WrongCount};
pub use patient::{Divide, Patient, Question, Refusal};
pub use rule::Rule;

/// The rules of chess that generators are compared with.
pub use rules;
