//! Puzzles as files: CSV with the columns of lichess's puzzle database, or PGN.

use std::io::{self, Write};
use std::path::Path;

use anyhow::anyhow;
use records::pgn::{GameTree, NodeId};
use review::{Puzzle, Review};
use rules::{Move, Position};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// The columns of lichess's puzzle database. What only many solvers could tell stays empty.
const COLUMNS: &str = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags";

/// A puzzle as it is kept until all games are done.
#[derive(Serialize, Deserialize)]
pub(super) struct PuzzleRecord {
    /// Before the opponent's move that leads to it.
    fen: String,
    /// That move and the solution, in UCI notation.
    moves: Vec<String>,
    themes: Vec<String>,
    opening: String,
    /// The tags that say where it comes from.
    tags: Vec<(String, String)>,
}

impl PuzzleRecord {
    pub(super) fn new(game: &GameTree, review: &Review, puzzle: &Puzzle) -> PuzzleRecord {
        let mut position = puzzle.before;
        let all = std::iter::once(&puzzle.lead).chain(&puzzle.solution);
        let moves = all.map(|&mv| {
            let name = position.uci(mv);
            position = position.play_unchecked(mv);
            name
        });
        let opening = review.opening.filter(|_| puzzle.themes.iter().any(|theme| theme == "opening"));
        let tags = ["Site", "Date", "White", "Black"];
        let tags = tags.into_iter().filter_map(|tag| Some((tag.to_owned(), game.tags.get(tag)?.to_owned())));
        PuzzleRecord {
            fen: puzzle.before.to_string(),
            moves: moves.collect(),
            themes: puzzle.themes.clone(),
            opening: opening.map_or_else(String::new, |found| found.name.name.replace(": ", "_").replace(' ', "_")),
            tags: tags.collect(),
        }
    }

    fn site(&self) -> &str {
        self.tags.iter().find(|(tag, _)| tag == "Site").map_or("", |(_, site)| site)
    }
}

/// What a file of puzzles looks like.
#[derive(Clone, Copy)]
pub(super) enum Format {
    Csv,
    Pgn,
}

impl Format {
    /// The format that the name of a file asks for.
    pub(super) fn of(path: &Path) -> Result<Format, Failure> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => Ok(Format::Csv),
            Some("pgn") => Ok(Format::Pgn),
            _ => Err(Failure::Failed(anyhow!("{} should end in .csv or .pgn", path.display()))),
        }
    }

    /// What stands before the first puzzle.
    pub(super) fn begin(self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Format::Csv => writeln!(out, "{COLUMNS}"),
            Format::Pgn => Ok(()),
        }
    }

    /// Writes a puzzle, whose number counts from 1.
    pub(super) fn write(self, out: &mut impl Write, number: usize, puzzle: &PuzzleRecord) -> io::Result<()> {
        match self {
            Format::Csv => write!(out, "{}", row(number, puzzle)),
            Format::Pgn => match tree(number, puzzle) {
                Some(tree) => write!(out, "{}{tree}", if number > 1 { "\n" } else { "" }),
                // It was edited since.
                None => Err(io::Error::new(io::ErrorKind::InvalidData, format!("puzzle {number} is damaged"))),
            },
        }
    }
}

fn row(number: usize, puzzle: &PuzzleRecord) -> String {
    let fields = [
        number.to_string(),
        puzzle.fen.clone(),
        puzzle.moves.join(" "),
        String::new(),
        String::new(),
        String::new(),
        String::new(),
        puzzle.themes.join(" "),
        puzzle.site().to_owned(),
        puzzle.opening.clone(),
    ];
    format!("{}\n", fields.map(|field| quoted(&field)).join(","))
}

/// A field of CSV, in quotes if it has to be.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

fn tree(number: usize, puzzle: &PuzzleRecord) -> Option<GameTree> {
    let mut position: Position = puzzle.fen.parse().ok()?;
    let mut solution: Vec<Move> = Vec::new();
    let mut start = position;
    for (index, name) in puzzle.moves.iter().enumerate() {
        let mv = position.parse_uci(name).ok()?;
        position = position.play_unchecked(mv);
        match index {
            0 => start = position,
            _ => solution.push(mv),
        }
    }
    let mut tree = GameTree::new(start);
    tree.tags.set("Event", &format!("Puzzle {number}"));
    for (tag, value) in &puzzle.tags {
        tree.tags.set(tag, value);
    }
    let last = tree.add_line(NodeId::ROOT, &solution).ok()?;
    tree.node_mut(last).add_comment(&puzzle.themes.join(" "));
    Some(tree)
}
