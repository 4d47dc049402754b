//! The behaviours that GUIs rely on, as values: what is expected, why, and how to find out.

use super::session::{Outcome, Session};
use super::{answer, end, go, info, position, startup};

/// Something an engine must do.
pub(super) struct Behaviour {
    pub(super) number: u32,
    pub(super) group: &'static str,
    pub(super) title: &'static str,
    /// Why those who write GUIs and match runners care.
    pub(super) why: &'static str,
    pub(super) check: fn(&mut Session) -> Outcome,
}

/// All of them, in order.
pub(super) fn all() -> impl Iterator<Item = Behaviour> {
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
