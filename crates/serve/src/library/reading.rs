//! The thread of an import: games from a stream into the store, some hundred at a time.

use std::io::Read;
use std::sync::Arc;

use records::pgn::{self, Flaw, GameTree, Problem};
use records::source;

use super::import::{Arriving, Import, ImportProblem, ImportState, MOST_PROBLEMS};
use crate::error::{ApiError, ErrorCode};
use crate::games::now;
use crate::random_id;
use crate::sheet::{Sheet, result_number};
use crate::state::App;
use crate::store::{Filed, GameKind, Imported, IndexEntry, NewRow, Pending, Store, entries};

/// How many games are stored in one transaction.
const BATCH: usize = 200;

/// How many positions are sorted and written at once: 1.5 million take 36 MB.
const POSITIONS: usize = 1_500_000;

/// Reads all games. What became of it is told in the view of the import.
pub(super) fn read_all(app: &App, import: &Arc<Import>, arriving: Arriving) {
    let mut writer = Writer {
        store: app.games().service().store.clone(),
        import,
        batch: Vec::new(),
        pending: None,
        positions: Vec::new(),
        games: Vec::new(),
    };
    let read = read_games(app, &mut writer, arriving);
    // What was read before an error stays.
    let written = writer.finish();
    let mut view = import.view();
    let result = read.and(written);
    view.state = match &result {
        Ok(()) if import.is_complete() && !import.is_stopped() => ImportState::Done,
        Ok(()) => ImportState::Stopped,
        Err(_) => ImportState::Failed,
    };
    view.error = result.err().map(|error| error.message);
    if view.state == ImportState::Done && view.games + view.known == 0 && view.error.is_none() {
        view.state = ImportState::Failed;
        view.error = Some("there is no game in the file".to_owned());
    }
}

fn read_games(app: &App, writer: &mut Writer<'_>, arriving: Arriving) -> Result<(), ApiError> {
    let limits = app.limits();
    let bad = |reason: &dyn std::fmt::Display| ApiError::new(ErrorCode::BadPgn, reason.to_string());
    let source = source::unwrap("the file", arriving).map_err(|error| bad(&error))?;
    let room = limits.kept_games.saturating_sub(writer.stored_games()?);
    // A packed file of a few bytes can hold any amount of text.
    let mut games = pgn::games(source.take(limits.import_bytes));
    for count in 0.. {
        if writer.import.is_stopped() {
            return Ok(());
        }
        let Some((tree, problem)) = games.next_game().map_err(|error| bad(&error))? else { return Ok(()) };
        if count >= room {
            let most = limits.kept_games;
            return Err(ApiError::new(ErrorCode::TooMany, format!("{most} games are stored: delete some first")));
        }
        writer.take(&tree, problem)?;
    }
    Ok(())
}

/// Collects games, and writes them when there are enough.
struct Writer<'a> {
    store: Store,
    import: &'a Arc<Import>,
    batch: Vec<Imported>,
    /// The batch before, which is stored while the next is read.
    pending: Option<Pending<Vec<Filed<Imported>>>>,
    positions: Vec<IndexEntry>,
    /// The numbers of the games whose positions these are.
    games: Vec<i64>,
}

impl Writer<'_> {
    fn stored_games(&self) -> Result<usize, ApiError> {
        self.store.count_from_thread().wait().map(|count| usize::try_from(count).unwrap_or(usize::MAX))
    }

    fn take(&mut self, tree: &GameTree, problem: Option<Problem>) -> Result<(), ApiError> {
        let message = problem.as_ref().map(|problem| told(tree, problem));
        if let (Some(problem), Some(message)) = (&problem, &message) {
            let mut view = self.import.view();
            view.broken += 1;
            if view.problems.len() < MOST_PROBLEMS {
                let (game, line) = (problem.game, problem.line);
                view.problems.push(ImportProblem { game, line, message: message.clone() });
            }
        }
        // Text that is no game is only told, not stored.
        if tree.move_count() == 0 && tree.tags.get("White") == Some("?") && tree.tags.get("Event") == Some("?") {
            return Ok(());
        }
        let row = NewRow {
            id: random_id::game_id(),
            kind: GameKind::Imported,
            is_over: true,
            revision: 1,
            created: now(),
            labels: self.import.labels.clone(),
            problem: message,
            import: Some(self.import.number()),
        };
        self.batch.push(Imported { row, sheet: Sheet::of(tree) });
        if self.batch.len() == BATCH { self.write_batch() } else { Ok(()) }
    }

    fn write_batch(&mut self) -> Result<(), ApiError> {
        let batch = std::mem::take(&mut self.batch);
        let before = self.pending.replace(self.store.add_imported(batch));
        if let Some(before) = before {
            self.stored(before.wait()?)?;
        }
        Ok(())
    }

    /// Games are stored and have their numbers, or were there already.
    fn stored(&mut self, games: Vec<Filed<Imported>>) -> Result<(), ApiError> {
        for game in games {
            let mut view = self.import.view();
            let id = match game {
                Filed::New(number, Imported { row, sheet }) => {
                    view.games += 1;
                    self.games.push(number);
                    self.positions.extend(entries(number, result_number(sheet.result), &sheet.visits));
                    row.id
                }
                Filed::Known(id) => {
                    view.known += 1;
                    id
                }
            };
            view.first.get_or_insert(id);
        }
        if self.positions.len() >= POSITIONS { self.index() } else { Ok(()) }
    }

    fn index(&mut self) -> Result<(), ApiError> {
        self.store.index(std::mem::take(&mut self.positions), &std::mem::take(&mut self.games))
    }

    fn finish(mut self) -> Result<(), ApiError> {
        self.write_batch()?;
        if let Some(last) = self.pending.take() {
            self.stored(last.wait()?)?;
        }
        self.index()
    }
}

/// What spoiled a game, with the number of the move where that is certain.
pub(super) fn told(tree: &GameTree, problem: &Problem) -> String {
    let is_in_main_line = tree.mainline().count() == tree.move_count();
    match &problem.flaw {
        Flaw::Move(error) if is_in_main_line => {
            let position = *tree.game().position();
            let dots = if position.turn() == rules::Color::White { ". " } else { "… " };
            format!("{}{dots}{error}", position.fullmove_number())
        }
        flaw => flaw.to_string(),
    }
}
