//! The index of positions: which games reached a position, and what was played there.
//!
//! Rows are clustered by run and key, so a position is one range in each run. A run is what was sorted and written at
//! once. The games of a large import come in runs of their own, each written from its first key to its last: inserting
//! millions of keys in the order of the games would touch every page of the table again and again. Single games go
//! into run 0.

use std::collections::{BTreeMap, HashSet};

use rusqlite::{Connection, OptionalExtension, params};

use super::{QueryResult, rows};
use crate::sheet::{Sheet, Visit, result_number};

/// The run of games that are added one by one.
pub(super) const SINGLE_GAMES: i64 = 0;

/// How many sample games a position has, at most.
const SAMPLES: usize = 10;

/// A position of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct IndexEntry {
    pub(crate) key: i64,
    pub(crate) game: i64,
    pub(crate) ply: u16,
    pub(crate) mv: u16,
    pub(crate) result: u8,
}

/// The entries of a game.
pub(crate) fn entries(game: i64, result: u8, visits: &[Visit]) -> impl Iterator<Item = IndexEntry> {
    visits.iter().map(move |visit| IndexEntry { key: visit.key, game, ply: visit.ply, mv: visit.mv, result })
}

/// How the games of a position ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Results {
    pub(crate) white: u64,
    pub(crate) draws: u64,
    pub(crate) black: u64,
}

impl Results {
    fn add(&mut self, result: u8) {
        match result {
            0 => self.black += 1,
            1 => self.draws += 1,
            _ => self.white += 1,
        }
    }

    pub(crate) fn games(&self) -> u64 {
        self.white + self.draws + self.black
    }
}

/// What was played in a position, in finished games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Explored {
    pub(crate) results: Results,
    /// By the move as a Polyglot book writes it.
    pub(crate) moves: BTreeMap<u16, Results>,
    /// The numbers of the newest games.
    pub(crate) samples: Vec<i64>,
}

/// Writes entries, which are faster if they are in order.
pub(super) fn write(connection: &Connection, run: i64, entries: &[IndexEntry]) -> QueryResult<()> {
    let mut statement = connection.prepare_cached("INSERT OR REPLACE INTO positions VALUES (?, ?, ?, ?, ?, ?)")?;
    for entry in entries {
        statement.execute(params![run, entry.key, entry.game, entry.ply, entry.mv, entry.result])?;
    }
    Ok(())
}

/// Indexes one game.
pub(super) fn remember(connection: &Connection, game: i64, sheet: &Sheet) -> QueryResult<()> {
    let all: Vec<IndexEntry> = entries(game, result_number(sheet.result), &sheet.visits).collect();
    write(connection, SINGLE_GAMES, &all)?;
    let mut statement = connection.prepare_cached("UPDATE games SET run = ? WHERE number = ?")?;
    statement.execute(params![SINGLE_GAMES, game]).map(drop)
}

/// Takes a game out of the index.
pub(super) fn forget(connection: &Connection, game: i64) -> QueryResult<()> {
    let mut statement = connection.prepare_cached("SELECT run, result FROM games WHERE number = ?")?;
    let found: Option<(Option<i64>, u8)> =
        statement.query_row([game], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some((Some(run), result)) = found else { return Ok(()) };
    if let Some(text) = rows::text_of(connection, game)?
        && let Ok(tree) = text.tree(crate::sheet::result_of(result))
    {
        let mut statement =
            connection.prepare_cached("DELETE FROM positions WHERE run = ? AND key = ? AND game = ?")?;
        for visit in Sheet::of(&tree).visits {
            statement.execute(params![run, visit.key, game])?;
        }
    }
    connection.prepare_cached("UPDATE games SET run = NULL WHERE number = ?")?.execute([game]).map(drop)
}

/// Begins a run. Its rows do not count until it is complete.
pub(super) fn begin_run(connection: &Connection) -> QueryResult<i64> {
    connection.execute("INSERT INTO runs (is_complete) VALUES (0)", [])?;
    Ok(connection.last_insert_rowid())
}

/// The games of a run are found from now on.
pub(super) fn complete_run(connection: &Connection, run: i64) -> QueryResult<()> {
    connection.execute("UPDATE runs SET is_complete = 1 WHERE run = ?", [run]).map(drop)
}

/// Forgets runs that were being written when the server was killed. Their games are indexed again.
pub(super) fn drop_incomplete_runs(connection: &Connection) -> QueryResult<()> {
    connection.execute_batch(
        "UPDATE games SET run = NULL WHERE run IN (SELECT run FROM runs WHERE is_complete = 0); \
         DELETE FROM positions WHERE run IN (SELECT run FROM runs WHERE is_complete = 0); \
         DELETE FROM runs WHERE is_complete = 0;",
    )
}

/// What was played in a position: in all games, or in those of these numbers, which are in order.
pub(super) fn explore(connection: &Connection, key: i64, only: Option<&[i64]>) -> QueryResult<Explored> {
    let mut statement = connection.prepare_cached("SELECT number FROM games WHERE deleted IS NOT NULL")?;
    let deleted: HashSet<i64> = statement.query_map([], |row| row.get(0))?.collect::<QueryResult<_>>()?;
    let mut statement = connection.prepare_cached(
        "SELECT game, move, result FROM positions \
         WHERE run IN (SELECT run FROM runs WHERE is_complete = 1) AND key = ? AND result < 3",
    )?;
    let mut rows = statement.query([key])?;
    let (mut explored, mut last) = (Explored::default(), None);
    while let Some(row) = rows.next()? {
        let game: i64 = row.get(0)?;
        // A game that reached the position twice counts once.
        let is_asked = only.is_none_or(|numbers| numbers.binary_search(&game).is_ok());
        if last == Some(game) || deleted.contains(&game) || !is_asked {
            continue;
        }
        last = Some(game);
        let (mv, result): (u16, u8) = (row.get(1)?, row.get(2)?);
        explored.results.add(result);
        if mv != 0 {
            explored.moves.entry(mv).or_default().add(result);
        }
        explored.samples.push(game);
        if explored.samples.len() > 64 * SAMPLES {
            keep_newest(&mut explored.samples);
        }
    }
    keep_newest(&mut explored.samples);
    Ok(explored)
}

fn keep_newest(games: &mut Vec<i64>) {
    games.sort_unstable_by(|one, other| other.cmp(one));
    games.truncate(SAMPLES);
}
