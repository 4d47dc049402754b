//! What the library does by itself: indexing what a killed server left, and removing what was deleted long ago.

use std::time::Duration;

use crate::error::ApiError;
use crate::games::now;
use crate::state::App;
use crate::store::{IndexEntry, Store, entries_of};

/// How often deleted games are looked for.
const INTERVAL: Duration = Duration::from_secs(3600);

/// Keeps the library tidy for as long as the server runs.
pub(crate) async fn keep_tidy(app: &App) {
    // Later games are indexed by the import that brings them.
    let started = now();
    let mut rounds = tokio::time::interval(INTERVAL);
    loop {
        rounds.tick().await;
        let store = app.games().service().store.clone();
        let done = tokio::task::spawn_blocking(move || tidy(&store, started)).await;
        if let Ok(Err(error)) = done {
            tracing::error!(%error, "the library cannot be tidied");
        }
    }
}

fn tidy(store: &Store, started: u64) -> Result<(), ApiError> {
    loop {
        let games = store.not_indexed(started).wait()?;
        if games.is_empty() {
            break;
        }
        let numbers: Vec<i64> = games.iter().map(|(number, ..)| *number).collect();
        let entries: Vec<IndexEntry> = games
            .iter()
            .filter_map(|(number, result, text)| Some(entries_of(*number, *result, text.as_ref()?)))
            .flatten()
            .collect();
        store.index(entries, &numbers)?;
    }
    while store.purge(now()).wait()? > 0 {}
    Ok(())
}
