//! Searching the library: the language of the search field, and what it finds.

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use thiserror::Error;

use super::rows::{COLUMNS, GameKind, GameRow, unsigned};
use super::{QueryResult, Store};
use crate::error::{ApiError, ErrorCode};

/// What to look for. All parts must fit.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Search {
    /// An expression for the full text index.
    names: Vec<String>,
    result: Option<u8>,
    years: Option<(u16, u16)>,
    eco: Option<String>,
    labels: Vec<String>,
    kind: Option<GameKind>,
    is_broken: bool,
    is_over: Option<bool>,
    is_own: bool,
    /// The key of a position that the game reached.
    pub(crate) key: Option<i64>,
    import: Option<i64>,
}

/// Games to do something with.
#[derive(Clone, Debug)]
pub(crate) enum Selection {
    Ids(Vec<String>),
    Search(Search),
}

/// A page of what was found.
pub(crate) struct Found {
    pub(crate) games: Vec<GameRow>,
    pub(crate) total: u64,
    /// The number of the last game, if there are more.
    pub(crate) cursor: Option<i64>,
}

/// Why a search makes no sense.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum SearchError {
    #[error("q: {0:?} is not a result: expected 1-0, 0-1, draw or *")]
    Result(String),
    #[error("q: {0:?} is not a year: expected 1997 or 1990-1999")]
    Year(String),
    #[error("q: {0:?} is not a code of an opening: expected B90, B9 or B")]
    Eco(String),
    #[error("q: {0:?} is not a kind of game: expected played, imported or analysis")]
    Kind(String),
    #[error(
        "q: there is no filter {0:?}: expected result, year, eco, tag, player, white, black, event, opening, kind or broken"
    )]
    Filter(String),
    #[error("q: a search has at most {MOST_WORDS} words")]
    TooLong,
}

impl From<SearchError> for ApiError {
    fn from(error: SearchError) -> ApiError {
        ApiError::new(ErrorCode::BadRequest, error.to_string())
    }
}

const MOST_WORDS: usize = 32;

/// The words of a text; quotation marks keep several together, also after a colon.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), String::new(), false);
    for letter in text.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            letter if letter.is_whitespace() && !is_quoted => words.push(std::mem::take(&mut word)),
            letter => word.push(letter),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

impl Search {
    /// Reads what was typed into the search field.
    pub(crate) fn parse(text: &str) -> Result<Search, SearchError> {
        let mut search = Search::default();
        let words = words(text);
        if words.len() > MOST_WORDS {
            return Err(SearchError::TooLong);
        }
        for word in &words {
            match word.split_once(':').filter(|(_, value)| !value.is_empty()) {
                Some(("result", value)) => search.result = Some(result(value)?),
                Some(("year", value)) => search.years = Some(years(value)?),
                Some(("eco", value)) => search.eco = Some(eco(value)?),
                Some(("tag", value)) => search.labels.push(value.to_owned()),
                Some(("player", value)) => search.add_name("{white black} : ", value),
                Some((column @ ("white" | "black" | "event" | "opening"), value)) => {
                    search.add_name(&format!("{column} : "), value);
                }
                Some(("kind", value)) => {
                    let kind = GameKind::parse(value).ok_or_else(|| SearchError::Kind(value.to_owned()))?;
                    search.kind = Some(kind);
                }
                Some(("broken", _)) => search.is_broken = true,
                Some((name, _)) if name.chars().all(char::is_alphabetic) => {
                    return Err(SearchError::Filter(name.to_owned()));
                }
                _ => search.add_name("", word),
            }
        }
        Ok(search)
    }

    /// All that an import brought.
    pub(crate) fn of_import(number: i64) -> Search {
        Search { import: Some(number), ..Search::default() }
    }

    /// Games in progress.
    pub(crate) fn in_progress() -> Search {
        Search { kind: Some(GameKind::Played), is_over: Some(false), ..Search::default() }
    }

    /// Games that are over and were played or entered here. A board that was only opened is none.
    pub(crate) fn own() -> Search {
        Search { is_own: true, is_over: Some(true), ..Search::default() }
    }

    /// Names are found by how their words begin.
    fn add_name(&mut self, columns: &str, text: &str) {
        if text.chars().any(char::is_alphanumeric) {
            self.names.push(format!("{columns}\"{}\" *", text.replace('"', "\"\"")));
        }
    }

    /// The condition in SQL, and its values.
    fn condition(&self) -> (String, Vec<Value>) {
        let (mut parts, mut values) = (vec!["deleted IS NULL".to_owned()], Vec::new());
        let mut add = |part: &str, value: Value| {
            parts.push(part.to_owned());
            values.push(value);
        };
        if !self.names.is_empty() {
            add("number IN (SELECT rowid FROM names WHERE names MATCH ?)", self.names.join(" AND ").into());
        }
        if let Some(key) = self.key {
            add(
                "number IN (SELECT game FROM positions \
                 WHERE run IN (SELECT run FROM runs WHERE is_complete = 1) AND key = ?)",
                key.into(),
            );
        }
        if let Some(result) = self.result {
            add("result = ?", i64::from(result).into());
        }
        if let Some((first, last)) = self.years {
            add("year >= ?", i64::from(first).into());
            add("year <= ?", i64::from(last).into());
        }
        if let Some(eco) = &self.eco {
            add("eco LIKE ? || '%'", eco.clone().into());
        }
        for label in &self.labels {
            add(
                "EXISTS (SELECT 1 FROM json_each(labels) WHERE json_each.value = ? COLLATE NOCASE)",
                label.clone().into(),
            );
        }
        if let Some(kind) = self.kind {
            add("kind = ?", kind.as_str().to_owned().into());
        }
        if let Some(import) = self.import {
            add("import = ?", import.into());
        }
        if let Some(is_over) = self.is_over {
            add("is_over = ?", is_over.into());
        }
        if self.is_own {
            parts.push("kind <> 'imported' AND plies > 0".to_owned());
        }
        if self.is_broken {
            parts.push("problem IS NOT NULL".to_owned());
        }
        (parts.join(" AND "), values)
    }
}

impl Selection {
    /// The condition in SQL, and its values.
    pub(super) fn condition(&self) -> (String, Vec<Value>) {
        match self {
            Selection::Search(search) => search.condition(),
            Selection::Ids(ids) => {
                let list = serde_json::to_string(ids).unwrap_or_else(|_| "[]".to_owned());
                ("id IN (SELECT value FROM json_each(?))".to_owned(), vec![list.into()])
            }
        }
    }
}

fn result(text: &str) -> Result<u8, SearchError> {
    match text {
        "0-1" => Ok(0),
        "1/2-1/2" | "1/2" | "draw" => Ok(1),
        "1-0" => Ok(2),
        "*" => Ok(3),
        _ => Err(SearchError::Result(text.to_owned())),
    }
}

fn years(text: &str) -> Result<(u16, u16), SearchError> {
    let wrong = || SearchError::Year(text.to_owned());
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let year = |text: &str, missing: u16| if text.is_empty() { Ok(missing) } else { text.parse().map_err(|_| wrong()) };
    Ok((year(first, 0)?, year(last, u16::MAX)?))
}

fn eco(text: &str) -> Result<String, SearchError> {
    let code = text.to_ascii_uppercase();
    let mut letters = code.chars();
    let is_code = letters.next().is_some_and(|letter| ('A'..='E').contains(&letter))
        && code.len() <= 3
        && letters.all(|letter| letter.is_ascii_digit());
    if is_code { Ok(code) } else { Err(SearchError::Eco(text.to_owned())) }
}

/// The numbers of games, in order.
type Numbers = Vec<i64>;

fn numbers(connection: &Connection, query: &str, values: &[Value]) -> QueryResult<Numbers> {
    let mut statement = connection.prepare_cached(query)?;
    let mut found =
        statement.query_map(params_from_iter(values), |row| row.get(0))?.collect::<QueryResult<Numbers>>()?;
    // They come in order, except from several runs of positions.
    if !found.is_sorted() {
        found.sort_unstable();
    }
    found.dedup();
    Ok(found)
}

/// What two ordered lists have in common.
fn both(one: &[i64], other: &[i64]) -> Numbers {
    let (small, large) = if one.len() < other.len() { (one, other) } else { (other, one) };
    small.iter().copied().filter(|number| large.binary_search(number).is_ok()).collect()
}

impl Search {
    /// All games that fit, or nothing if all do. Each index is asked by itself, and what they say is combined here:
    /// joined in SQL, every game that has a frequent word would be looked up in the table of games, twice.
    pub(super) fn numbers(&self, connection: &Connection) -> QueryResult<Option<Numbers>> {
        let fields = Search { names: Vec::new(), key: None, ..self.clone() };
        let mut lists = Vec::new();
        if !self.names.is_empty() {
            let query = "SELECT rowid FROM names WHERE names MATCH ? ORDER BY rowid";
            lists.push(numbers(connection, query, &[self.names.join(" AND ").into()])?);
        }
        if let Some(key) = self.key {
            let query = "SELECT game FROM positions \
                         WHERE run IN (SELECT run FROM runs WHERE is_complete = 1) AND key = ?";
            lists.push(numbers(connection, query, &[key.into()])?);
        }
        if lists.is_empty() && fields == Search::default() {
            return Ok(None);
        }
        if fields == Search::default() {
            let deleted = numbers(connection, "SELECT number FROM games WHERE deleted IS NOT NULL", &[])?;
            lists[0].retain(|number| deleted.binary_search(number).is_err());
        } else {
            let (condition, values) = fields.condition();
            let query = format!("SELECT number FROM games WHERE {condition}");
            lists.push(numbers(connection, &query, &values)?);
        }
        Ok(lists.into_iter().reduce(|one, other| both(&one, &other)))
    }
}

fn search(connection: &Connection, search: &Search, before: Option<i64>, limit: u32) -> QueryResult<Found> {
    let (before, limit) = (before.unwrap_or(i64::MAX), limit as usize);
    let (mut page, total) = match search.numbers(connection)? {
        Some(found) => {
            let end = found.partition_point(|&number| number < before);
            (found[end.saturating_sub(limit + 1)..end].to_vec(), found.len() as u64)
        }
        None => {
            let mut statement = connection.prepare_cached("SELECT COUNT(*) FROM games WHERE deleted IS NULL")?;
            let total = statement.query_row([], |row| row.get(0)).map(unsigned)?;
            // The plus sign keeps SQLite from taking the index of deletions, whose games it would have to sort.
            let query = "SELECT number FROM games WHERE +deleted IS NULL AND number < ? ORDER BY number DESC LIMIT ?";
            (numbers(connection, query, &[before.into(), (limit as i64 + 1).into()])?, total)
        }
    };
    page.reverse();
    let has_more = page.len() > limit;
    page.truncate(limit);
    let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM games WHERE number = ?"))?;
    let games = page.iter().map(|number| statement.query_row([number], GameRow::read));
    let games = games.collect::<QueryResult<Vec<_>>>()?;
    let cursor = page.last().filter(|_| has_more).copied();
    Ok(Found { games, total, cursor })
}

impl Store {
    /// Games that fit, the newest first, before the one with a number.
    pub(crate) async fn search(&self, asked: Search, before: Option<i64>, limit: u32) -> Result<Found, ApiError> {
        self.read(move |connection| search(connection, &asked, before, limit)).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_field_is_read() {
        let search =
            Search::parse("carlsen \"ruy lopez\" result:1-0 year:1990-1999 eco:c6 tag:mine player:\"van wely\"")
                .expect("a search");
        assert_eq!(search.names, ["\"carlsen\" *", "\"ruy lopez\" *", "{white black} : \"van wely\" *"]);
        assert_eq!((search.result, search.years, search.eco.as_deref()), (Some(2), Some((1990, 1999)), Some("C6")));
        assert_eq!(search.labels, ["mine"]);
        assert_eq!(Search::parse("year:2020").map(|search| search.years), Ok(Some((2020, 2020))));
        assert_eq!(Search::parse("year:2020-").map(|search| search.years), Ok(Some((2020, u16::MAX))));
        assert_eq!(Search::parse("  -- ").expect("nothing to find"), Search::default());
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        for (text, told) in [
            ("result:won", "q: \"won\" is not a result: expected 1-0, 0-1, draw or *"),
            ("year:soon", "q: \"soon\" is not a year: expected 1997 or 1990-1999"),
            ("eco:F12", "q: \"F12\" is not a code of an opening: expected B90, B9 or B"),
            (
                "reslut:1-0",
                "q: there is no filter \"reslut\": expected result, year, eco, tag, player, white, black, event, \
                 opening, kind or broken",
            ),
            ("kind:lost", "q: \"lost\" is not a kind of game: expected played, imported or analysis"),
        ] {
            assert_eq!(Search::parse(text).expect_err("nonsense").to_string(), told);
        }
    }
}
