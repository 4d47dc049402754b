//! What `--via` means in a build without the feature `nats`: there is no such option, and everything is played here.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use arena::event::{Event, EventError, EventObserver, EventPlan, Finish, Venue};
use arena::selfplay::{SelfPlay, SelfPlayProgress};
use clap::Args;
use minds::EvaluationSpec;

use crate::failure::Failure;

/// Where games are played: here.
#[derive(Args, Clone, Debug)]
pub(crate) struct Via {}

impl Via {
    pub(crate) fn venue(&self) -> Venue {
        Venue::Here
    }

    #[allow(clippy::unnecessary_wraps, reason = "with a hub it may fail")]
    pub(crate) fn check(&self, _plan: &EventPlan) -> Result<(), Failure> {
        Ok(())
    }

    pub(crate) fn play(
        &self,
        _event: &mut Event,
        _command: &str,
        _journal: Option<&Path>,
        _stop: &AtomicBool,
        _observer: &mut dyn EventObserver,
    ) -> Option<Result<Result<Finish, EventError>, Failure>> {
        None
    }

    pub(crate) fn make(
        &self,
        _job: &SelfPlay,
        _net: Option<&EvaluationSpec>,
        _stop: &AtomicBool,
        _watch: &mut dyn FnMut(&SelfPlayProgress),
    ) -> Option<Result<SelfPlayProgress, Failure>> {
        None
    }
}
