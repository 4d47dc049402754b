//! Names and ECO codes of openings.
//!
//! The facts are those of the table [lichess-org/chess-openings](https://github.com/lichess-org/chess-openings), which
//! its authors have put into the public domain (CC0 1.0). A position is known whichever way it was reached.
//!
//! ```
//! use saavedra_records::eco;
//! use saavedra_records::rules::Position;
//!
//! let mut position = Position::initial();
//! let mut positions = vec![position];
//! for san in ["c4", "e6", "Nc3", "Bb4", "d4", "Nf6", "a4"] {
//!     position = position.play_unchecked(position.parse_san(san)?);
//!     positions.push(position);
//! }
//! let opening = eco::classify(&positions).expect("a position has a name");
//! assert_eq!((opening.name.eco.as_str(), opening.name.name.as_str()), ("E20", "Nimzo-Indian Defense"));
//! assert_eq!((opening.named, opening.book), (6, 6), "six half-moves are theory, 4. a4 is not");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use rules::{Position, SanError};
use thiserror::Error;

/// The table that is compiled in; [`parse`] says how it is written.
const TABLE: &str = include_str!("../data/eco.tsv");

static OPENINGS: LazyLock<OpeningTable> =
    LazyLock::new(|| OpeningTable::new(&parse(TABLE).expect("a test reads the table")));

/// An opening as it is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningName {
    /// The code of the *Encyclopaedia of Chess Openings*, `A00` to `E99`.
    pub eco: String,
    /// The name, such as "Sicilian Defense: Najdorf Variation".
    pub name: String,
}

impl fmt::Display for OpeningName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.eco, self.name)
    }
}

/// What is known of the opening of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameOpening {
    /// The name of the last position that has one.
    pub name: &'static OpeningName,
    /// How many half-moves lead to that position.
    pub named: usize,
    /// How many half-moves lead to the last position that is in the table at all: the next move left the book.
    pub book: usize,
}

/// The name of a position, if it has one.
pub fn name_of(position: &Position) -> Option<&'static OpeningName> {
    OPENINGS.name_of(position)
}

/// Whether a position occurs in the lines of the table, with a name or between two names.
pub fn is_book(position: &Position) -> bool {
    OPENINGS.positions.contains_key(&position.key())
}

/// The opening of a game, whose positions are given in order, the first before any move.
pub fn classify<'a>(positions: impl IntoIterator<Item = &'a Position>) -> Option<GameOpening> {
    let mut found: Option<GameOpening> = None;
    let mut book = 0;
    for (ply, position) in positions.into_iter().enumerate().take(OPENINGS.longest + 1) {
        if is_book(position) {
            book = ply;
        }
        if let Some(name) = name_of(position) {
            found = Some(GameOpening { name, named: ply, book });
        }
    }
    found.map(|opening| GameOpening { book, ..opening })
}

struct OpeningTable {
    names: Vec<OpeningName>,
    /// Positions of all lines by their keys, and which name they have.
    positions: HashMap<u64, Option<usize>>,
    /// The number of half-moves of the longest line.
    longest: usize,
}

impl OpeningTable {
    fn new(lines: &[OpeningLine]) -> OpeningTable {
        let mut positions = HashMap::new();
        for (index, line) in lines.iter().enumerate() {
            let (end, way) = line.positions.split_last().expect("a line has at least its start");
            for position in way {
                positions.entry(position.key()).or_default();
            }
            positions.insert(end.key(), Some(index));
        }
        let longest = lines.iter().map(|line| line.positions.len() - 1).max().unwrap_or_default();
        OpeningTable { names: lines.iter().map(|line| line.name.clone()).collect(), positions, longest }
    }

    fn name_of(&self, position: &Position) -> Option<&OpeningName> {
        self.positions.get(&position.key()).copied().flatten().map(|index| &self.names[index])
    }
}

/// A line of the table.
#[derive(Clone, PartialEq, Debug)]
pub struct OpeningLine {
    /// The moves in SAN.
    pub moves: Vec<String>,
    /// What the position at the end is called.
    pub name: OpeningName,
    /// All positions, from the start of the game to the end of the line.
    positions: Vec<Position>,
}

/// Why a line is not one of a table of openings.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {flaw}")]
pub struct EcoError {
    line: usize,
    flaw: EcoFlaw,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
enum EcoFlaw {
    #[error("expected moves, code and name with tabs between")]
    Fields,
    #[error("{0:?} is not a number of moves of the line before")]
    Shared(String),
    #[error(transparent)]
    Move(#[from] SanError),
}

impl OpeningLine {
    /// A line by its moves.
    pub fn new(moves: &[&str], eco: &str, name: &str) -> Result<OpeningLine, SanError> {
        let start =
            OpeningLine { moves: Vec::new(), name: OpeningName::new("", ""), positions: vec![Position::initial()] };
        start.continued(0, moves.iter().copied(), OpeningName::new(eco, name))
    }

    /// The line that shares the first moves with this one and goes on in its own way.
    fn continued<'a>(
        &self,
        shared: usize,
        rest: impl Iterator<Item = &'a str>,
        name: OpeningName,
    ) -> Result<OpeningLine, SanError> {
        let mut line =
            OpeningLine { moves: self.moves[..shared].to_vec(), name, positions: self.positions[..=shared].to_vec() };
        for san in rest {
            let position = line.positions.last().expect("a line has at least its start");
            let after = position.play_unchecked(position.parse_san(san)?);
            line.positions.push(after);
            line.moves.push(san.to_owned());
        }
        Ok(line)
    }
}

impl OpeningName {
    fn new(eco: &str, name: &str) -> OpeningName {
        OpeningName { eco: eco.to_owned(), name: name.to_owned() }
    }

    /// The name without its variation.
    fn family(&self) -> &str {
        self.name.split(':').next().unwrap_or_default()
    }
}

/// Reads a table of openings: on each line moves, code and name with tabs between. A number in front of the moves says
/// how many of them are those of the line before, and `~` stands for the name of that line up to its colon.
pub fn parse(table: &str) -> Result<Vec<OpeningLine>, EcoError> {
    let mut lines: Vec<OpeningLine> = Vec::new();
    let mut last = OpeningLine::new(&[], "", "").expect("no move is wrong");
    for (number, text) in table.lines().enumerate() {
        last = parse_line(text, &last).map_err(|flaw| EcoError { line: number + 1, flaw })?;
        lines.push(last.clone());
    }
    Ok(lines)
}

fn parse_line(text: &str, last: &OpeningLine) -> Result<OpeningLine, EcoFlaw> {
    let mut fields = text.split('\t');
    let (Some(moves), Some(eco), Some(name), None) = (fields.next(), fields.next(), fields.next(), fields.next())
    else {
        return Err(EcoFlaw::Fields);
    };
    let mut words = moves.split(' ');
    let shared = words.next().unwrap_or_default();
    let count = shared.parse().ok().filter(|&count: &usize| count <= last.moves.len());
    let count = count.ok_or_else(|| EcoFlaw::Shared(shared.to_owned()))?;
    let name = match name.strip_prefix('~') {
        Some(variation) => format!("{}{variation}", last.name.family()),
        None => name.to_owned(),
    };
    Ok(last.continued(count, words, OpeningName { eco: eco.to_owned(), name })?)
}

/// Writes a table of openings as [`parse`] reads it, in the order of their moves.
pub fn write(mut lines: Vec<OpeningLine>) -> String {
    lines.sort_by(|one, other| one.moves.cmp(&other.moves));
    let mut table = String::new();
    let mut last: Option<&OpeningLine> = None;
    for line in &lines {
        let shared =
            last.map_or(0, |last| last.moves.iter().zip(&line.moves).take_while(|(one, other)| one == other).count());
        let variation = last.and_then(|last| line.name.name.strip_prefix(last.name.family()));
        let name = variation.map_or_else(|| line.name.name.clone(), |variation| format!("~{variation}"));
        let words: Vec<String> =
            std::iter::once(shared.to_string()).chain(line.moves[shared..].iter().cloned()).collect();
        table.push_str(&format!("{}\t{}\t{name}\n", words.join(" "), line.name.eco));
        last = Some(line);
    }
    table
}
