//! Counting trees for as long as the client waits, with progress messages.
//!
//! A request over HTTP must be answered soon. Here the work is bounded in another way: a socket has a few counts, the
//! server a few, each gives way to moves and answers, and it ends when it is stopped or the client is gone.

use std::ops::ControlFlow;
use std::sync::Arc;

use rules::PerftProgress;
use tokio::sync::watch;

use super::message::ServerMessage;
use super::{AbortOnDrop, Outbox, Update, forward};
use crate::error::{ApiError, ErrorCode};
use crate::routes::perft::{Count, PerftRequest, PerftResponse};
use crate::state::{App, permit};
use crate::worker_pool::Priority;

impl Update<Arc<PerftResponse>> {
    fn message<'m>(id: &'m str, update: &'m Self) -> ServerMessage<'m> {
        match update {
            &Update::Progress { done, total } => ServerMessage::PerftProgress { id, done, total },
            Update::Done(perft) => ServerMessage::Perft { id, perft },
        }
    }
}

/// Starts a count. It ends when the returned handle is dropped.
pub(super) fn start(app: &App, id: String, asked: &PerftRequest, outbox: Outbox) -> Result<AbortOnDrop, ApiError> {
    let count = Count::new(asked, app.limits())?;
    let most = app.limits().counts;
    let full = || ApiError::new(ErrorCode::TooMany, format!("{most} trees are being counted: try again"));
    let permit = permit(&app.shared().counts, full)?;
    let task = app.task(Priority::Background);
    let (control, stop) = (task.control(), task.stop_on_drop());
    let (send, receive) = watch::channel(None);
    let job = move || {
        let watch = |progress: PerftProgress| {
            if control.is_stopped_at_gate() {
                return ControlFlow::Break(());
            }
            let PerftProgress { done, total } = progress;
            send.send_if_modified(|newest| {
                let is_new = !matches!(newest, Some(Update::Progress { done: known, .. }) if *known == done);
                if is_new {
                    *newest = Some(Update::Progress { done, total });
                }
                is_new
            });
            ControlFlow::Continue(())
        };
        let counted = count.run(&watch);
        drop(permit);
        // Without a count it was stopped.
        if let Some(counted) = counted {
            send.send_replace(Some(Update::Done(Arc::new(counted))));
        }
    };
    app.spawn(&task, job)?;
    let task = tokio::spawn(async move { forward(&id, receive, &outbox, stop, Update::message).await });
    Ok(AbortOnDrop(task.abort_handle()))
}
