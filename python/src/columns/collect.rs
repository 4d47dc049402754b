//! Games to rows: a visitor that writes into columns as the reader tells a game.

use records::pgn::{CommentText, Evaluation, Interest, PgnResult, Problem, Report, TagText, Visitor};
use rules::{Move, Position};

use super::column::{Column, Flat, Lists};
use super::schema::{Field, Kind};
use crate::pgn::{Filter, tag};

/// Rows of games, and how many there are.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) columns: Vec<Column>,
    pub(crate) len: usize,
    /// What was wrong with games, by their rows, until it is known which games of the file they are.
    problems: Vec<(usize, Problem)>,
}

impl Rows {
    pub(crate) fn new(fields: &[Field]) -> Rows {
        Rows { columns: fields.iter().map(Field::column).collect(), len: 0, problems: Vec::new() }
    }

    /// Adds some rows of others.
    pub(crate) fn extend(&mut self, other: &Rows, from: usize, to: usize) {
        for (mine, theirs) in self.columns.iter_mut().zip(&other.columns) {
            mine.extend(theirs, from, to);
        }
        self.len += to - from;
    }

    /// Writes down what was wrong with games, once it is known how many games and lines there are before these.
    pub(crate) fn settle(&mut self, fields: &[Field], games: u64, lines: u64) {
        for (field, column) in fields.iter().zip(&mut self.columns) {
            let (Kind::Problem, Column::Text(lists)) = (&field.kind, column) else { continue };
            let mut problems = self.problems.iter().peekable();
            for row in 0..self.len {
                let problem = problems.next_if(|(wrong, _)| *wrong == row);
                if let Some((_, problem)) = problem {
                    let (game, line) = (problem.game + games, problem.line + lines);
                    let text = Problem { game, line, flaw: problem.flaw.clone() }.to_string();
                    lists.values.extend_from_slice(text.as_bytes());
                }
                lists.close(lists.values.len(), problem.is_some());
            }
        }
        self.problems.clear();
    }

    /// The heaviest column, in bytes or values.
    pub(crate) fn weight(&self) -> usize {
        self.columns.iter().map(Column::weight).max().unwrap_or(0)
    }
}

/// What is kept of a game until it is a row. It is used for one game after the other, so that little is allocated.
pub(crate) struct GameToRow<'a> {
    fields: &'a [Field],
    filter: &'a Filter,
    wants_comments: bool,
    wants_moves: bool,
    /// Names and values of tags, of which the first `tag_count` belong to this game.
    tags: Vec<(String, String)>,
    tag_count: usize,
    moves: Vec<u16>,
    clocks: Vec<f32>,
    evals: Vec<f32>,
    start: Option<String>,
    result: PgnResult,
    depth: usize,
    wanted: Option<pyo3::PyResult<bool>>,
}

impl<'a> GameToRow<'a> {
    pub(crate) fn new(fields: &'a [Field], filter: &'a Filter) -> GameToRow<'a> {
        let wants = |kinds: &[Kind]| fields.iter().any(|field| kinds.contains(&field.kind));
        GameToRow {
            fields,
            filter,
            wants_comments: wants(&[Kind::Clocks, Kind::Evals]),
            wants_moves: wants(&[Kind::Moves, Kind::Plies, Kind::Clocks, Kind::Evals, Kind::Problem]),
            tags: Vec::new(),
            tag_count: 0,
            moves: Vec::new(),
            clocks: Vec::new(),
            evals: Vec::new(),
            start: None,
            result: PgnResult::Unknown,
            depth: 0,
            wanted: None,
        }
    }

    /// Adds the game that was told, if it is wanted.
    pub(crate) fn finish(&mut self, report: Report, rows: &mut Rows) -> pyo3::PyResult<()> {
        let is_wanted = match self.wanted.take() {
            Some(wanted) => wanted?,
            None => self.filter.wants(self.tags())?,
        };
        if is_wanted {
            for (field, column) in self.fields.iter().zip(&mut rows.columns) {
                self.fill(field, column);
            }
            rows.problems.extend(report.problem.map(|problem| (rows.len, problem)));
            rows.len += 1;
        }
        Ok(())
    }

    fn fill(&self, field: &Field, column: &mut Column) {
        let elo = |name: &str| tag(self.tags(), name)?.trim().parse::<u16>().ok();
        match (&field.kind, column) {
            (Kind::Moves, Column::Moves(lists)) => {
                lists.values.extend_from_slice(&self.moves);
                lists.close(lists.values.len(), true);
            }
            (Kind::Plies, Column::U32(flat)) => flat.push(u32::try_from(self.moves.len()).ok(), 0),
            (Kind::Clocks, Column::Floats(lists)) => fill_floats(lists, &self.clocks),
            (Kind::Evals, Column::Floats(lists)) => fill_floats(lists, &self.evals),
            (Kind::Score, Column::I8(flat)) => flat.push(self.score(), 0),
            (Kind::WhiteElo, Column::U16(flat)) => flat.push(elo("WhiteElo"), 0),
            (Kind::BlackElo, Column::U16(flat)) => flat.push(elo("BlackElo"), 0),
            (Kind::Problem, _) => {}
            (kind, Column::Text(lists)) => {
                let text = match kind {
                    Kind::Start => self.start.as_deref(),
                    _ if field.name == "Result" => Some(self.result().as_str()),
                    _ => tag(self.tags(), &field.name),
                };
                lists.values.extend_from_slice(text.unwrap_or("").as_bytes());
                lists.close(lists.values.len(), text.is_some());
            }
            _ => unreachable!("the column was made for the field"),
        }
    }

    fn tags(&self) -> &[(String, String)] {
        &self.tags[..self.tag_count]
    }

    /// The result by the tag, or else by the end of the moves.
    fn result(&self) -> PgnResult {
        let told = tag(self.tags(), "Result").and_then(|result| PgnResult::from_bytes(result.as_bytes()));
        told.filter(|result| *result != PgnResult::Unknown).unwrap_or(self.result)
    }

    fn score(&self) -> Option<i8> {
        match self.result() {
            PgnResult::WhiteWins => Some(1),
            PgnResult::Draw => Some(0),
            PgnResult::BlackWins => Some(-1),
            PgnResult::Unknown => None,
        }
    }
}

/// A list of the numbers; none if not one of them is known.
fn fill_floats(lists: &mut Lists<Flat<f32>>, values: &[f32]) {
    let is_present = values.iter().any(|value| !value.is_nan());
    if is_present {
        for &value in values {
            lists.values.push(Some(value).filter(|value| !value.is_nan()), f32::NAN);
        }
    }
    lists.close(lists.values.values.len(), is_present);
}

impl Visitor for GameToRow<'_> {
    fn begin(&mut self) {
        self.tag_count = 0;
        self.moves.clear();
        self.clocks.clear();
        self.evals.clear();
        (self.start, self.result, self.depth, self.wanted) = (None, PgnResult::Unknown, 0, None);
    }

    fn tag(&mut self, name: &[u8], value: TagText<'_>) {
        // Tags that neither a column nor the filter asks for need not be kept.
        let is_wanted = !self.filter.is_open()
            || matches!(name, b"Result" | b"WhiteElo" | b"BlackElo")
            || self.fields.iter().any(|field| field.kind == Kind::Tag && field.name.as_bytes() == name);
        if !is_wanted {
            return;
        }
        // The texts of the game before are written over, which allocates nothing.
        if self.tag_count == self.tags.len() {
            self.tags.push((String::new(), String::new()));
        }
        let (place, text) = &mut self.tags[self.tag_count];
        place.clear();
        place.push_str(&String::from_utf8_lossy(name));
        text.clear();
        text.push_str(&value.decode());
        self.tag_count += 1;
    }

    fn start(&mut self, position: &Position) -> Interest {
        if *position != Position::initial() {
            self.start = Some(position.to_string());
        }
        let wanted = self.filter.wants(self.tags());
        let is_read = matches!(wanted, Ok(true)) && self.wants_moves;
        self.wanted = Some(wanted);
        if is_read { Interest::Read } else { Interest::Skip }
    }

    fn played(&mut self, mv: Move, _before: &Position, _after: &Position) {
        if self.depth == 0 {
            self.moves.push(mv.bits());
            if self.wants_comments {
                self.clocks.push(f32::NAN);
                self.evals.push(f32::NAN);
            }
        }
    }

    fn comment(&mut self, text: CommentText<'_>) {
        if !self.wants_comments || self.depth > 0 || !text.bytes().contains(&b'%') {
            return;
        }
        let (Some(clock), Some(eval)) = (self.clocks.last_mut(), self.evals.last_mut()) else { return };
        let values = text.values();
        if let Some(time) = values.clock {
            *clock = time.as_secs_f32();
        }
        if let Some(value) = values.eval {
            *eval = centipawns(value.score);
        }
    }

    fn begin_variation(&mut self) -> Interest {
        // Only a look at every variation would tell that one of them is wrong.
        self.depth += 1;
        Interest::Read
    }

    fn end_variation(&mut self) {
        self.depth -= 1;
    }

    fn result(&mut self, result: PgnResult) {
        self.result = result;
    }
}

/// An evaluation as one number: a mate in so many moves is so far from 32,000.
fn centipawns(score: Evaluation) -> f32 {
    const MATE: i32 = 32_000;
    let value = match score {
        Evaluation::Centipawns(value) => value.clamp(-MATE / 2, MATE / 2),
        Evaluation::Mate(moves) if moves > 0 => MATE - moves.min(1_000),
        Evaluation::Mate(moves) => -MATE - moves.max(-1_000),
    };
    value as f32
}
