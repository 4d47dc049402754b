//! Puzzles as files: CSV with the columns of lichess's puzzle database, or PGN.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use records::pgn::{GameTree, NodeId};
use review::{Puzzle, Review};

use crate::failure::Failure;

/// The columns of lichess's puzzle database. What only many solvers could tell stays empty.
const COLUMNS: &str = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags";

enum Format {
    Csv,
    Pgn,
}

/// A file of puzzles.
pub(super) struct Puzzles {
    path: PathBuf,
    file: BufWriter<File>,
    format: Format,
    written: usize,
}

impl Puzzles {
    pub(super) fn create(path: &Path) -> Result<Puzzles, Failure> {
        let format = match path.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => Format::Csv,
            Some("pgn") => Format::Pgn,
            _ => return Err(Failure::Failed(anyhow!("{} should end in .csv or .pgn", path.display()))),
        };
        let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut puzzles = Puzzles { path: path.to_owned(), file: BufWriter::new(file), format, written: 0 };
        if let Format::Csv = puzzles.format {
            puzzles.text(&format!("{COLUMNS}\n"))?;
        }
        Ok(puzzles)
    }

    /// Writes the puzzles of a game.
    pub(super) fn add(&mut self, game: &GameTree, review: &Review, puzzles: &[Puzzle]) -> Result<(), Failure> {
        for puzzle in puzzles {
            self.written += 1;
            let text = match self.format {
                Format::Csv => row(self.written, game, review, puzzle),
                Format::Pgn => {
                    format!("{}{}", if self.written > 1 { "\n" } else { "" }, tree(self.written, game, puzzle))
                }
            };
            self.text(&text)?;
        }
        self.file.flush().with_context(|| format!("cannot write {}", self.path.display()))?;
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), Failure> {
        let written = self.file.write_all(text.as_bytes());
        Ok(written.with_context(|| format!("cannot write {}", self.path.display()))?)
    }
}

fn row(number: usize, game: &GameTree, review: &Review, puzzle: &Puzzle) -> String {
    let mut position = puzzle.before;
    let moves: Vec<String> = std::iter::once(&puzzle.lead)
        .chain(&puzzle.solution)
        .map(|&mv| {
            let name = position.uci(mv);
            position = position.play_unchecked(mv);
            name
        })
        .collect();
    let opening = review.opening.filter(|_| puzzle.themes.iter().any(|theme| theme == "opening"));
    let opening = opening.map_or_else(String::new, |opening| opening.name.name.replace(": ", "_").replace(' ', "_"));
    let fields = [
        number.to_string(),
        puzzle.before.to_string(),
        moves.join(" "),
        String::new(),
        String::new(),
        String::new(),
        String::new(),
        puzzle.themes.join(" "),
        game.tags.get("Site").unwrap_or_default().to_owned(),
        opening,
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

fn tree(number: usize, game: &GameTree, puzzle: &Puzzle) -> GameTree {
    let mut tree = GameTree::new(puzzle.position());
    tree.tags.set("Event", &format!("Puzzle {number}"));
    for tag in ["Site", "Date", "White", "Black"] {
        if let Some(value) = game.tags.get(tag) {
            tree.tags.set(tag, value);
        }
    }
    // The moves are legal: they are a line of a search from this position.
    if let Ok(last) = tree.add_line(NodeId::ROOT, &puzzle.solution) {
        tree.node_mut(last).add_comment(&puzzle.themes.join(" "));
    }
    tree
}
