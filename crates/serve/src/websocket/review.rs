//! Reviews of games, with progress messages.

use std::sync::Arc;

use records::pgn::GameTree;
use review::{Effort, Review, Reviewer};
use tokio::runtime::Handle;
use tokio::sync::watch;

use super::message::{ReviewEffort, ReviewRequest, ServerMessage};
use super::{AbortOnDrop, Outbox, Update, check_id, forward};
use crate::error::{ApiError, ErrorCode};
use crate::library;
use crate::routes::pgn;
use crate::sheet::Sheet;
use crate::state::App;
use crate::worker_pool::Priority;

/// A review, and the game with it as PGN.
type Reviewed = Arc<(Review, String)>;

impl Update<Reviewed> {
    fn message<'m>(id: &'m str, update: &'m Self) -> ServerMessage<'m> {
        match update {
            &Update::Progress { done, total } => ServerMessage::ReviewProgress { id, done, total },
            Update::Done(done) => ServerMessage::Review { id, review: &done.0, pgn: &done.1 },
        }
    }
}

impl From<ReviewEffort> for Effort {
    fn from(effort: ReviewEffort) -> Effort {
        match effort {
            ReviewEffort::Quick => Effort::Quick,
            ReviewEffort::Normal => Effort::Normal,
            ReviewEffort::Deep => Effort::Deep,
        }
    }
}

/// The game to review: a stored one, or the first of a PGN.
async fn game(app: &App, asked: &ReviewRequest) -> Result<GameTree, ApiError> {
    let tree = match (&asked.pgn, &asked.game) {
        (Some(text), None) => {
            let text = text.clone();
            app.compute(move |_| pgn::first_game(&text)).await?
        }
        (None, Some(id)) => library::tree(app, id).await?,
        _ => return Err(ApiError::bad_request("expected a pgn or a game")),
    };
    let (moves, most) = (tree.mainline().count(), app.limits().moves);
    if moves > most {
        return Err(ApiError::new(ErrorCode::TooLarge, format!("a game has at most {most} moves here")));
    }
    Ok(tree)
}

/// Starts a review. It ends when the returned handle is dropped.
pub(super) async fn start(app: &App, asked: ReviewRequest, outbox: Outbox) -> Result<AbortOnDrop, ApiError> {
    let id = check_id(&asked.id)?;
    let mut tree = game(app, &asked).await?;
    let permit = app.review_permit()?;
    let task = app.task(Priority::Background);
    let (gate, is_stopped, stop) = (task.gate(), Arc::clone(&task.is_stopped), task.stop_on_drop());
    let effort = asked.effort.unwrap_or(ReviewEffort::Normal);
    let (send, receive) = watch::channel(None);
    let (app_of_job, runtime, stored) = (app.clone(), Handle::current(), asked.game.clone());
    let job = move || {
        let mut reviewer = Reviewer::new(effort.into());
        let line = stored.is_some().then(|| Sheet::of(&tree).text.line);
        reviewer.set_gate(gate);
        let review = reviewer.review(&tree.game(), &is_stopped, &mut |step| {
            send.send_replace(Some(Update::Progress { done: step.done, total: step.total }));
        });
        drop((reviewer, permit));
        // An error means that the review was stopped.
        if let Ok(review) = review {
            review::annotate(&mut tree, &review);
            let done: Reviewed = Arc::new((review, tree.to_string()));
            if let (Some(game), Some(line)) = (stored, line) {
                let (kept, done) = (library::KeptReview { game, line, effort }, Arc::clone(&done));
                // It is stored before it is announced, and even if the page is gone.
                runtime.spawn(async move {
                    library::keep_review(&app_of_job, kept, &done.0, &done.1).await;
                    send.send_replace(Some(Update::Done(done)));
                });
                return;
            }
            send.send_replace(Some(Update::Done(done)));
        }
    };
    app.spawn(&task, job)?;
    let task = tokio::spawn(async move { forward(&id, receive, &outbox, stop, Update::message).await });
    Ok(AbortOnDrop(task.abort_handle()))
}
