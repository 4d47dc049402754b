//! A game as the reader told it, in a few flat lists: what is played, said and marked, in the order of the file.
//!
//! Most games are never looked at as trees, so the tree is made in Python, and only when it is asked for.

use pyo3::prelude::*;
use pyo3::types::{PyEllipsis, PyList, PyString};
use records::pgn::{CommentText, Flaw, Interest, Nag, PgnResult, Problem, Report, TagText, Visitor};
use rules::{Move, Position};

use super::filter::{Filter, tag};
use crate::errors::{IllegalMoveError, PgnError};
use crate::moves;

/// One thing that the movetext says.
#[derive(Clone, Copy)]
enum Event {
    Move(Move),
    Nag(u8),
    /// A comment, from where the one before ends up to here.
    Comment(usize),
    OpenVariation,
    CloseVariation,
}

/// A game of a file.
#[pyclass(frozen, module = "saavedra._saavedra")]
pub(crate) struct GameRecord {
    tags: Vec<(String, String)>,
    /// In a box, because a position is aligned to cache lines and Python's objects are not.
    start: Box<Position>,
    is_chess960: bool,
    events: Vec<Event>,
    comments: String,
    has_tree: bool,
    problem: Option<Problem>,
}

/// Writes a game down as it is told, if its tags pass a filter.
pub(super) struct Collector<'a> {
    filter: &'a Filter,
    is_only_headers: bool,
    tags: Vec<(String, String)>,
    start: Position,
    events: Vec<Event>,
    comments: String,
    depth: usize,
    has_tree: bool,
    /// What the filter said, once it was asked.
    wanted: Option<PyResult<bool>>,
}

impl<'a> Collector<'a> {
    pub(super) fn new(filter: &'a Filter, is_only_headers: bool) -> Collector<'a> {
        Collector {
            filter,
            is_only_headers,
            tags: Vec::new(),
            start: Position::initial(),
            events: Vec::new(),
            comments: String::new(),
            depth: 0,
            has_tree: false,
            wanted: None,
        }
    }

    /// The game, if it was wanted.
    pub(super) fn finish(mut self, report: Report) -> PyResult<Option<GameRecord>> {
        let is_wanted = match self.wanted.take() {
            Some(wanted) => wanted?,
            None => self.filter.wants(&self.tags)?,
        };
        // A spoiled game may end inside a variation.
        self.events.extend(std::iter::repeat_n(Event::CloseVariation, self.depth));
        let is_chess960 = self.mark_variant();
        Ok(is_wanted.then_some(GameRecord {
            tags: self.tags,
            start: Box::new(self.start),
            is_chess960,
            events: self.events,
            comments: self.comments,
            has_tree: self.has_tree,
            problem: report.problem,
        }))
    }

    /// Whether castling is the king taking its rook. A start that needs the rules of Chess960 gets the tag for them.
    fn mark_variant(&mut self) -> bool {
        let variant = tag(&self.tags, "Variant").unwrap_or("").to_ascii_lowercase();
        if variant.contains("960") || variant.contains("fischer") || variant.contains("frc") {
            return true;
        }
        if self.start.is_chess960() {
            self.set("Variant", "Chess960");
        }
        self.start.is_chess960()
    }

    fn set(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
    }
}

impl Visitor for Collector<'_> {
    fn tag(&mut self, name: &[u8], value: TagText<'_>) {
        self.set(&String::from_utf8_lossy(name), &value.decode());
    }

    fn start(&mut self, position: &Position) -> Interest {
        self.start = *position;
        let wanted = self.filter.wants(&self.tags);
        let is_read = matches!(wanted, Ok(true)) && !self.is_only_headers;
        self.wanted = Some(wanted);
        if is_read { Interest::Read } else { Interest::Skip }
    }

    fn played(&mut self, mv: Move, _before: &Position, _after: &Position) {
        self.events.push(Event::Move(mv));
    }

    fn comment(&mut self, text: CommentText<'_>) {
        self.comments.push_str(&text.decode());
        self.events.push(Event::Comment(self.comments.len()));
        self.has_tree = true;
    }

    fn nag(&mut self, nag: Nag) {
        self.events.push(Event::Nag(nag.0));
        self.has_tree = true;
    }

    fn begin_variation(&mut self) -> Interest {
        self.depth += 1;
        self.events.push(Event::OpenVariation);
        self.has_tree = true;
        Interest::Read
    }

    fn end_variation(&mut self) {
        self.depth -= 1;
        self.events.push(Event::CloseVariation);
    }

    fn result(&mut self, result: PgnResult) {
        if tag(&self.tags, "Result").is_none_or(|result| result == "*") {
            self.set("Result", result.as_str());
        }
    }
}

impl GameRecord {
    /// The moves that were played.
    pub(crate) fn main_line(&self) -> impl Iterator<Item = Move> + '_ {
        let mut depth = 0_usize;
        self.events.iter().filter_map(move |event| {
            match event {
                Event::OpenVariation => depth += 1,
                Event::CloseVariation => depth -= 1,
                Event::Move(mv) if depth == 0 => return Some(*mv),
                _ => {}
            }
            None
        })
    }

    pub(crate) fn is_chess960(&self) -> bool {
        self.is_chess960
    }

    pub(crate) fn start_position(&self) -> &Position {
        &self.start
    }
}

#[pymethods]
impl GameRecord {
    /// The tags in the order of the file.
    #[getter]
    fn headers(&self) -> Vec<(String, String)> {
        self.tags.clone()
    }

    /// Whether castling is the king taking its rook.
    #[getter]
    fn chess960(&self) -> bool {
        self.is_chess960
    }

    /// Whether there is more than moves: comments, glyphs or variations.
    #[getter]
    fn has_tree(&self) -> bool {
        self.has_tree
    }

    /// The moves that were played.
    fn mainline_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let interned = moves::interned(py)?;
        let moves: Vec<_> = self.main_line().map(|mv| &interned[moves::interned_index(mv, self.is_chess960)]).collect();
        PyList::new(py, moves)
    }

    /// Everything in the order of the file: moves, glyphs as numbers, comments as text, `True` where a variation opens
    /// and `...` where it closes.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let interned = moves::interned(py)?;
        let list = PyList::empty(py);
        let mut said = 0;
        for event in &self.events {
            match *event {
                Event::Move(mv) => list.append(&interned[moves::interned_index(mv, self.is_chess960)])?,
                Event::Nag(nag) => list.append(nag)?,
                Event::Comment(end) => {
                    list.append(PyString::new(py, &self.comments[said..end]))?;
                    said = end;
                }
                Event::OpenVariation => list.append(true)?,
                Event::CloseVariation => list.append(PyEllipsis::get(py))?,
            }
        }
        Ok(list)
    }

    /// What spoiled the game, as an exception.
    #[getter]
    fn problem(&self) -> Option<PyErr> {
        self.problem.as_ref().map(|problem| match problem.flaw {
            Flaw::Move(_) | Flaw::Pass(_) => IllegalMoveError::new_err(problem.to_string()),
            _ => PgnError::new_err(problem.to_string()),
        })
    }
}
