//! A doctor for move generators: it asks a program for the perft divide of suspicious positions, compares the answers
//! with the rules of chess, and names the rule that is broken, in the smallest position that shows it.
//!
//! The crate is pure: it starts no program and reads nothing. Whoever wants something examined implements [`Patient`],
//! which answers one question: how many leaves are below each move of this position, at this depth?
//!
//! ```
//! use saavedra_doctor::{Divide, Examination, Patient, Question, Refusal, Rule};
//! use rules::{MoveKind, Perft, Role};
//!
//! /// A generator that has never heard of underpromotion.
//! struct QueensOnly;
//!
//! impl Patient for QueensOnly {
//!     fn divide(&mut self, question: &Question) -> Result<Divide, Refusal> {
//!         let position = question.position();
//!         let mut divide = Divide::default();
//!         for (mv, count) in Perft::new().divide(&position, question.depth()).expect("no table is used") {
//!             if !matches!(mv.kind(), MoveKind::Promotion(Role::Rook | Role::Bishop | Role::Knight)) {
//!                 divide.push(position.uci(mv), count);
//!             }
//!         }
//!         Ok(divide)
//!     }
//! }
//!
//! let report = Examination::default().examine(&mut QueensOnly);
//! assert_eq!(report.findings()[0].rule(), Rule::UnderpromotionMissing);
//! ```
//!
//! # How it finds the fault
//!
//! 1. All [cases](Case) are asked at depth one, then all at depth two, and so on: what shows early is simple.
//! 2. Where a divide differs, the doctor descends into a move whose count is wrong until the *lists* of moves differ.
//! 3. A position that is right from its FEN but wrong below its parent was spoilt by the program's own making or
//!    undoing of the move. What was spoilt is seen from the list after that move, if the patient [can follow
//!    moves](Patient::divide_after), or else from the counts: the doctor counts as a program with that flaw would.
//! 4. Pieces are taken off as long as the same rule stays broken.

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
pub use exam::{Examination, Progress, Report, Shallow, Thoroughness};
pub use finding::{Finding, Trouble, WrongCount};
pub use patient::{Divide, Patient, Question, Refusal};
pub use rule::Rule;
