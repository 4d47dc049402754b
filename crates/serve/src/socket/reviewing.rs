//! Reviews of games, with news of how far they have come.

use std::sync::Arc;

use records::pgn::GameTree;
use review::{Effort, Review, Reviewer};
use tokio::sync::watch;

use super::message::{Review as Asked, ReviewEffort, Tidings};
use super::{BETWEEN, Following, Outlet, check_id};
use crate::crew::Rank;
use crate::games::routes;
use crate::questions::pgn;
use crate::refusal::{Code, Refusal};
use crate::state::{App, StopOnDrop, one_of};

/// How far a review has come.
#[derive(Clone)]
enum News {
    Progress { done: usize, total: usize },
    Done(Arc<(Review, String)>),
}

impl ReviewEffort {
    /// Positions looked at for each position of the game.
    fn nodes(self) -> u64 {
        match self {
            ReviewEffort::Quick => 20_000,
            ReviewEffort::Normal => 100_000,
            ReviewEffort::Deep => 500_000,
        }
    }
}

/// The game that is meant: one of ours, or the first of a text.
async fn game(app: &App, asked: &Asked) -> Result<GameTree, Refusal> {
    let tree = match (&asked.pgn, &asked.game) {
        (Some(text), None) => pgn::first_game(text)?,
        (None, Some(id)) => routes::tree(app, id).await?,
        _ => return Err(Refusal::bad_request("expected a pgn or a game")),
    };
    let (moves, most) = (tree.mainline().count(), app.limits().moves);
    if moves > most {
        return Err(Refusal::new(Code::TooLarge, format!("a game has at most {most} moves here")));
    }
    Ok(tree)
}

/// Starts a review. It ends when what is returned is dropped.
pub(super) async fn start(app: &App, asked: Asked, outlet: Outlet) -> Result<Following, Refusal> {
    let id = check_id(&asked.id)?;
    let mut tree = game(app, &asked).await?;
    let most = app.limits().reviews;
    let full = || Refusal::new(Code::TooMany, format!("{most} reviews are going on"));
    let place = one_of(&app.shared().reviews, full)?;
    let task = app.task(Rank::Patient);
    let (gate, is_stopped, stop) = (task.gate(), Arc::clone(&task.is_stopped), task.stop_on_drop());
    let effort = Effort::Nodes(asked.effort.unwrap_or(ReviewEffort::Normal).nodes());
    let (tell, told) = watch::channel(None);
    let job = move || {
        let mut reviewer = Reviewer::new(effort);
        reviewer.set_gate(gate);
        let review = reviewer.review(&tree.game(), &is_stopped, &mut |step| {
            tell.send_replace(Some(News::Progress { done: step.done, total: step.total }));
        });
        drop((reviewer, place));
        // Whoever stopped it does not want to know.
        if let Ok(review) = review {
            review::annotate(&mut tree, &review);
            tell.send_replace(Some(News::Done(Arc::new((review, tree.to_string())))));
        }
    };
    app.work(&task, job)?;
    let task = tokio::spawn(async move { forward(&id, told, &outlet, stop).await });
    Ok(Following(task.abort_handle()))
}

/// Passes on what is newest, at a steady rate, and the end in any case.
async fn forward(id: &str, mut told: watch::Receiver<Option<News>>, outlet: &Outlet, stop: StopOnDrop) {
    while told.changed().await.is_ok() {
        let newest = told.borrow_and_update().clone();
        let is_heard = match newest {
            None => true,
            Some(News::Progress { done, total }) => outlet.tell(&Tidings::ReviewProgress { id, done, total }).await,
            Some(News::Done(done)) => {
                let (review, pgn) = &*done;
                outlet.tell(&Tidings::Review { id, review, pgn }).await;
                false
            }
        };
        if !is_heard {
            break;
        }
        tokio::time::sleep(BETWEEN).await;
    }
    drop(stop);
}
