//! Extended Position Description: a position and what is to be said about it, on one line.
//!
//! ```
//! use saavedra_records::epd::{Epd, Operand};
//!
//! let line = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";";
//! let epd: Epd = line.parse()?;
//! let best = epd.position().parse_san("Qg6")?;
//! assert_eq!(epd.moves("bm"), [best]);
//! assert_eq!(epd.get("id"), Some(&Operand::Text(vec!["WAC.001".to_owned()])));
//! assert_eq!(epd.to_string(), line);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::str::FromStr;

use rules::{FenError, Move, Position, SanError, Setup};
use thiserror::Error;

/// Why a line is not EPD.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum EpdError {
    /// The line has fewer than the four fields of a position.
    #[error("expected a position and operations, found {0:?}")]
    Incomplete(String),
    /// The fields are not a position that can be played from.
    #[error("{0:?} is not a position: {1}")]
    Position(String, FenError),
    /// An operation has no name.
    #[error("expected the name of an operation, found {0:?}")]
    Opcode(String),
    /// A text has no end.
    #[error("a quotation mark is missing after {0:?}")]
    Unclosed(String),
    /// An operation should hold moves of the position, and does not.
    #[error("{opcode}: {error}")]
    Move {
        /// The operation.
        opcode: String,
        /// What is wrong with the move.
        error: SanError,
    },
    /// An operation should hold a number, and does not.
    #[error("{opcode}: {text:?} is not a whole number")]
    Number {
        /// The operation.
        opcode: String,
        /// What stands there.
        text: String,
    },
}

/// What an operation holds.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Operand {
    /// Moves of the position, any of them: `bm`, `am`, `pm`, `sm`.
    Moves(Vec<Move>),
    /// Moves one after the other: `pv`.
    Line(Vec<Move>),
    /// A number: `acd`, `acn`, `acs`, `ce`, `dm`, `fmvn`, `hmvc`, `rc`.
    Number(i64),
    /// Texts: `id`, `c0` to `c9`, and whatever we do not know.
    Text(Vec<String>),
}

impl Operand {
    fn read(opcode: &str, words: Vec<String>, position: &Position) -> Result<Operand, EpdError> {
        let bad_move = |error| EpdError::Move { opcode: opcode.to_owned(), error };
        match opcode {
            "bm" | "am" | "pm" | "sm" => {
                let moves = words.iter().map(|word| position.parse_san(word).map_err(bad_move));
                Ok(Operand::Moves(moves.collect::<Result<_, _>>()?))
            }
            "pv" => {
                let mut position = *position;
                let mut moves = Vec::new();
                for word in &words {
                    let mv = position.parse_san(word).map_err(bad_move)?;
                    position = position.play_unchecked(mv);
                    moves.push(mv);
                }
                Ok(Operand::Line(moves))
            }
            "acd" | "acn" | "acs" | "ce" | "dm" | "fmvn" | "hmvc" | "rc" => {
                let text = words.join(" ");
                match text.parse() {
                    Ok(number) => Ok(Operand::Number(number)),
                    Err(_) => Err(EpdError::Number { opcode: opcode.to_owned(), text }),
                }
            }
            _ => Ok(Operand::Text(words)),
        }
    }
}

/// A position with operations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    position: Position,
    operations: Vec<(String, Operand)>,
}

impl Epd {
    /// A position about which nothing is said. Its move counters are written if they are not those of a fresh position.
    pub fn new(position: Position) -> Epd {
        let mut epd = Epd { position, operations: Vec::new() };
        if position.halfmove_clock() != 0 {
            epd.operations.push(("hmvc".to_owned(), Operand::Number(position.halfmove_clock().into())));
        }
        if position.fullmove_number() != 1 {
            epd.operations.push(("fmvn".to_owned(), Operand::Number(position.fullmove_number().into())));
        }
        epd
    }

    /// The position, with the counters that `hmvc` and `fmvn` give it.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// What an operation holds.
    pub fn get(&self, opcode: &str) -> Option<&Operand> {
        self.operations.iter().find(|(name, _)| name == opcode).map(|(_, operand)| operand)
    }

    /// The moves that an operation holds, if it holds any.
    pub fn moves(&self, opcode: &str) -> &[Move] {
        match self.get(opcode) {
            Some(Operand::Moves(moves) | Operand::Line(moves)) => moves,
            _ => &[],
        }
    }

    /// The first text that an operation holds.
    pub fn text(&self, opcode: &str) -> Option<&str> {
        match self.get(opcode) {
            Some(Operand::Text(texts)) => texts.first().map(String::as_str),
            _ => None,
        }
    }

    /// The number that an operation holds.
    pub fn number(&self, opcode: &str) -> Option<i64> {
        match self.get(opcode) {
            Some(Operand::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// All operations in their order.
    pub fn operations(&self) -> impl Iterator<Item = (&str, &Operand)> {
        self.operations.iter().map(|(opcode, operand)| (opcode.as_str(), operand))
    }

    /// Says something about the position, in words as EPD has them: moves as people write them, numbers, texts. What
    /// the operation held before is replaced.
    pub fn set(&mut self, opcode: &str, words: &[&str]) -> Result<(), EpdError> {
        if !is_opcode(opcode) {
            return Err(EpdError::Opcode(opcode.to_owned()));
        }
        let operand = Operand::read(opcode, words.iter().map(|word| clean(word)).collect(), &self.position)?;
        self.position = with_counter(&self.position, opcode, &operand);
        match self.operations.iter_mut().find(|(name, _)| name == opcode) {
            Some((_, old)) => *old = operand,
            None => self.operations.push((opcode.to_owned(), operand)),
        }
        Ok(())
    }
}

/// The position with the counter that an operation sets, if it is one that does.
fn with_counter(position: &Position, opcode: &str, operand: &Operand) -> Position {
    let Operand::Number(number) = *operand else { return *position };
    let Ok(number) = u16::try_from(number) else { return *position };
    let mut setup = position.setup();
    match opcode {
        "hmvc" => setup.halfmove_clock = number,
        "fmvn" => setup.fullmove_number = number.max(1),
        _ => return *position,
    }
    setup.playable_position().unwrap_or(*position)
}

fn is_opcode(text: &str) -> bool {
    let is_inside = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    text.starts_with(|letter: char| letter.is_ascii_alphabetic()) && text.chars().all(is_inside)
}

/// A text on one line, without what would end it.
fn clean(text: &str) -> String {
    let replace = |letter: char| match letter {
        '"' => '\'',
        letter if letter.is_control() => ' ',
        letter => letter,
    };
    text.chars().map(replace).collect()
}

impl FromStr for Epd {
    type Err = EpdError;

    fn from_str(line: &str) -> Result<Epd, EpdError> {
        let line = line.trim().trim_start_matches('\u{feff}');
        let mut rest = line;
        let mut fields = Vec::new();
        for _ in 0..4 {
            let (field, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            if field.is_empty() {
                return Err(EpdError::Incomplete(line.to_owned()));
            }
            fields.push(field);
            rest = after.trim_start();
        }
        let mut fen = fields.join(" ");
        // Many files have the counters of FEN before the operations, or nothing but a FEN.
        for _ in 0..2 {
            let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
            let (number, after) = rest.split_at(end);
            if number.is_empty() || !after.is_empty() && !after.starts_with([' ', '\t', ';']) {
                break;
            }
            fen = format!("{fen} {number}");
            rest = after.trim_start();
        }
        let position = fen.parse::<Setup>().and_then(|setup| Ok(setup.playable_position()?));
        let mut epd = Epd::new(position.map_err(|error| EpdError::Position(fen, error))?);
        while let Some((opcode, after)) = split_opcode(rest) {
            let (words, after) = split_words(after)?;
            epd.set(opcode, &words)?;
            rest = after;
        }
        Ok(epd)
    }
}

/// Cuts the name of an operation off the front, if there is one.
fn split_opcode(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches(|letter: char| letter.is_whitespace() || letter == ';');
    if line.is_empty() { None } else { Some(line.split_at(word_length(line))) }
}

/// Cuts the words of an operation off the front, and its semicolon.
fn split_words(line: &str) -> Result<(Vec<&str>, &str), EpdError> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(';') {
            return Ok((words, after));
        }
        let (word, after) = match rest.strip_prefix('"') {
            Some(text) => text.split_once('"').ok_or_else(|| EpdError::Unclosed(text.to_owned()))?,
            None => rest.split_at(word_length(rest)),
        };
        words.push(word);
        rest = after.trim_start();
    }
    Ok((words, rest))
}

fn word_length(line: &str) -> usize {
    line.find(|letter: char| letter.is_whitespace() || letter == ';').unwrap_or(line.len())
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = self.position.to_string();
        f.write_str(&fen.split(' ').take(4).collect::<Vec<_>>().join(" "))?;
        for (opcode, operand) in &self.operations {
            write!(f, " {opcode}")?;
            match operand {
                Operand::Moves(moves) => {
                    for &mv in moves {
                        write!(f, " {}", self.position.san(mv))?;
                    }
                }
                Operand::Line(moves) => {
                    let mut position = self.position;
                    for &mv in moves {
                        write!(f, " {}", position.san(mv))?;
                        position = position.play_unchecked(mv);
                    }
                }
                Operand::Number(number) => write!(f, " {number}")?,
                Operand::Text(texts) => {
                    for text in texts {
                        write!(f, " \"{text}\"")?;
                    }
                }
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}
