//! The behaviours that GUIs rely on, as values: what is expected, why, and how to check it.

use crate::engine::{EngineUnderTest, Outcome};
use crate::{answer, end, go, info, position, startup};

/// Something an engine must do.
#[derive(Clone, Copy)]
pub struct Behaviour {
    /// From 1 to 36. Numbers are never reused.
    pub number: u32,
    /// The part of the protocol that it belongs to.
    pub group: &'static str,
    /// What the engine must do, as the end of a sentence that begins with its name.
    pub title: &'static str,
    /// Why GUIs and match runners need it.
    pub why: &'static str,
    pub(crate) check: fn(&mut EngineUnderTest) -> Outcome,
}

/// All behaviours, in the order of their numbers.
pub fn behaviours() -> impl Iterator<Item = Behaviour> {
    let groups = [
        startup::behaviours(),
        position::behaviours(),
        go::behaviours(),
        answer::behaviours(),
        info::behaviours(),
        end::behaviours(),
    ];
    groups.into_iter().flatten()
}
