//! Your answers. Copy the signature of an exercise from `mod.rs` into the braces below and answer with `Some(…)`.

use super::Answers;

pub(super) struct Yours;

impl Answers for Yours {}
