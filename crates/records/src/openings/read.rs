//! Reading a book of openings: positions line by line, or games.

use std::io::{self, BufRead, Cursor, Read};
use std::path::Path;

use rules::{FenError, Move, Position, Setup};
use thiserror::Error;

use super::{Openings, Shelf, Supply};
use crate::pgn::{self, Interest, Visitor};
use crate::source::{self, SourceError};

/// The longest line that is read: no opening needs more.
const LONGEST_LINE: u64 = 1 << 16;

/// What is wrong with a book of openings.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpeningsError {
    /// The file cannot be opened.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The file cannot be read to its end.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// There is nothing in it.
    #[error("{name} holds no openings")]
    Empty {
        /// The file.
        name: String,
    },
    /// A line is not an opening, or not a good one.
    #[error("{name}, line {line}: {flaw}")]
    Line {
        /// The file.
        name: String,
        /// The line, counted from one.
        line: u64,
        /// What is wrong there.
        flaw: LineFlaw,
    },
    /// A game cannot be read.
    #[error("{name}, {problem}")]
    Game {
        /// The file.
        name: String,
        /// Where, and what is wrong.
        problem: pgn::Problem,
    },
}

/// What is wrong with a line of a book of openings.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum LineFlaw {
    /// It is not a position.
    #[error(transparent)]
    Position(#[from] FenError),
    /// It is longer than any position.
    #[error("the line is too long")]
    TooLong,
    /// No move can be played when the opening ends.
    #[error("the game is over before it begins")]
    Over,
    /// The first line of the file tells neither a position nor a game.
    #[error("expected positions as FEN or EPD, one a line, or games as PGN")]
    NotABook,
}

impl Openings {
    /// Reads a book of positions or games, whatever it is wrapped in. A dash is the standard input.
    ///
    /// Positions are FEN or EPD, one a line. The moves of a game are its opening, without variations.
    pub fn read(path: impl AsRef<Path>) -> Result<Openings, OpeningsError> {
        Openings::open(path.as_ref(), None)
    }

    /// Like [`read`](Openings::read), with no more than so many moves of each game.
    pub fn read_plies(path: impl AsRef<Path>, most_plies: usize) -> Result<Openings, OpeningsError> {
        Openings::open(path.as_ref(), Some(most_plies))
    }

    fn open(path: &Path, most_plies: Option<usize>) -> Result<Openings, OpeningsError> {
        Openings::from_text(&source::input_name(path), source::open_input(path)?, most_plies)
    }

    /// Reads a book from a stream of text, which is called by its name in errors.
    pub fn from_text(name: &str, mut text: impl BufRead, most_plies: Option<usize>) -> Result<Openings, OpeningsError> {
        let at = |line: u64, flaw: LineFlaw| OpeningsError::Line { name: name.to_owned(), line, flaw };
        let (mut head, mut lines) = (Vec::new(), 0);
        // The first line that is not empty tells what the file is.
        let first = loop {
            let start = head.len();
            let read = text.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut head)?;
            lines += 1;
            let line = trimmed(&head[start..]);
            if !line.is_empty() {
                break line.to_owned();
            }
            if read == 0 {
                return Err(OpeningsError::Empty { name: name.to_owned() });
            }
            // Line ends are kept, so that lines are counted right.
            head.truncate(start);
            head.push(b'\n');
            if head.len() as u64 > LONGEST_LINE {
                return Err(at(lines, LineFlaw::NotABook));
            }
        };
        let whole = Cursor::new(head).chain(text);
        let shelf = match Form::of(&first) {
            Some(Form::Positions) => read_positions(whole, at)?,
            Some(Form::Games) => read_games(name, whole, most_plies.unwrap_or(usize::MAX), at)?,
            None => return Err(at(lines, LineFlaw::NotABook)),
        };
        if shelf.starts.is_empty() {
            return Err(OpeningsError::Empty { name: name.to_owned() });
        }
        Ok(Openings::of(Supply::Book(shelf)))
    }
}

#[derive(Clone, Copy)]
enum Form {
    Positions,
    Games,
}

impl Form {
    fn of(first_line: &str) -> Option<Form> {
        let first_word = first_line.split_whitespace().next()?;
        let is_move_number = || first_word.split('.').next().is_some_and(|number| number.parse::<u32>().is_ok());
        if first_word.starts_with(['[', '{', ';', '%']) {
            Some(Form::Games)
        } else if first_word.contains('/') {
            Some(Form::Positions)
        } else {
            is_move_number().then_some(Form::Games)
        }
    }
}

/// A line as text, without a byte-order mark and the space around it.
fn trimmed(line: &[u8]) -> String {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    String::from_utf8_lossy(line).trim().to_owned()
}

fn read_positions(mut text: impl BufRead, at: impl Fn(u64, LineFlaw) -> OpeningsError) -> Result<Shelf, OpeningsError> {
    let mut shelf = Shelf::default();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if text.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.len() as u64 == LONGEST_LINE {
            return Err(at(number, LineFlaw::TooLong));
        }
        let line = trimmed(&line);
        if line.is_empty() {
            continue;
        }
        let position = parse_position(&line).map_err(|error| at(number, error.into()))?;
        if !position.has_legal_moves() {
            return Err(at(number, LineFlaw::Over));
        }
        shelf.push(&position, &[]);
    }
    Ok(shelf)
}

/// The position at the beginning of a line: FEN, or EPD, whose operations do not matter here.
fn parse_position(line: &str) -> Result<Position, FenError> {
    let mut fields: Vec<&str> = line.split_whitespace().take(6).collect();
    let is_number = |field: &str| field.bytes().all(|byte| byte.is_ascii_digit());
    while fields.len() > 4 {
        let counters = &mut fields[4..];
        counters.iter_mut().for_each(|field| *field = field.trim_end_matches(';'));
        if counters.iter().all(|field| is_number(field)) {
            break;
        }
        fields.pop();
    }
    Ok(fields.join(" ").parse::<Setup>()?.playable_position()?)
}

fn read_games(
    name: &str,
    text: impl Read,
    most_plies: usize,
    at: impl Fn(u64, LineFlaw) -> OpeningsError,
) -> Result<Shelf, OpeningsError> {
    let mut shelf = Shelf::default();
    let mut reader = pgn::Reader::new(text);
    let mut line = MainLine::new(most_plies);
    while let Some(report) = reader.read_game(&mut line)? {
        if let Some(problem) = report.problem {
            return Err(OpeningsError::Game { name: name.to_owned(), problem });
        }
        if !line.end.has_legal_moves() {
            return Err(at(report.line, LineFlaw::Over));
        }
        shelf.push(&line.start, &line.moves);
    }
    Ok(shelf)
}

/// The first moves of a game.
struct MainLine {
    start: Position,
    moves: Vec<Move>,
    end: Position,
    most_plies: usize,
}

impl MainLine {
    fn new(most_plies: usize) -> MainLine {
        let start = Position::initial();
        MainLine { start, moves: Vec::new(), end: start, most_plies }
    }
}

impl Visitor for MainLine {
    fn start(&mut self, position: &Position) -> Interest {
        (self.start, self.end) = (*position, *position);
        self.moves.clear();
        Interest::Read
    }

    fn played(&mut self, mv: Move, _before: &Position, after: &Position) {
        if self.moves.len() < self.most_plies {
            self.moves.push(mv);
            self.end = *after;
        }
    }

    fn begin_variation(&mut self) -> Interest {
        Interest::Skip
    }
}
