//! A stream of games to batches of rows, on several threads.
//!
//! For each batch the calling thread cuts the stream into pieces and hands them to threads that read them; the rows
//! are put together in the order of the file. No thread lives longer than the call, so a fork or a forgotten iterator
//! leaves nothing behind.

use std::collections::VecDeque;
use std::io::{self, Cursor, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use records::pgn::Reader;

use super::collect::{GameToRow, Rows};
use super::schema::Field;
use super::split::{NEXT_GAME, Piece, Splitter};
use crate::pgn::Filter;
use crate::stream::{Failure, Stream};

/// Pieces that each thread reads before the rows are put together.
const PIECES: usize = 16;

/// More threads than this are as good as none: they would wait for the one that cuts the stream.
const MOST_THREADS: usize = 256;

/// What a column may hold in a batch, whatever its size: far from where offsets of 32 bits end.
const HEAVIEST: usize = 1 << 28;

/// Reads a stream into batches.
pub(crate) struct Batches {
    fields: Vec<Field>,
    filter: Filter,
    threads: usize,
    batch_size: usize,
    source: Source,
    /// Rows that no batch has taken yet, and how many of the first ones have been taken.
    ready: VecDeque<Rows>,
    taken: usize,
    /// Games and lines before what is read next.
    games: u64,
    lines: u64,
    failure: Failure,
    /// What is to be raised once all rows before it have been taken.
    error: Option<PyErr>,
}

/// How the stream is read.
enum Source {
    Split(Box<Splitter<Stream>>),
    /// By one reader to the end, because it cannot be cut.
    Whole(Box<Reader<Box<dyn Read + Send>>>),
    Over,
}

/// What became of a piece.
struct Done {
    rows: Rows,
    games: u64,
    lines: u64,
    /// The piece, in case that it has to be read again.
    bytes: Vec<u8>,
    /// Whether the cut behind it was right.
    is_cut_right: bool,
}

impl Batches {
    pub(crate) fn new(
        stream: Stream,
        fields: Vec<Field>,
        filter: Filter,
        threads: usize,
        batch_size: usize,
    ) -> Batches {
        let failure = stream.failure.clone();
        Batches {
            fields,
            filter,
            threads: threads.clamp(1, MOST_THREADS),
            batch_size: batch_size.max(1),
            source: Source::Split(Box::new(Splitter::new(stream))),
            ready: VecDeque::new(),
            taken: 0,
            games: 0,
            lines: 0,
            failure,
            error: None,
        }
    }

    pub(crate) fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The next batch, which is full unless it is the last one. It may be called without the interpreter lock.
    pub(crate) fn next(&mut self) -> PyResult<Option<Rows>> {
        let mut batch = Rows::new(&self.fields);
        loop {
            while batch.len < self.batch_size && batch.weight() < HEAVIEST {
                let Some(rows) = self.ready.front() else { break };
                let to = rows.len.min(self.taken + self.batch_size - batch.len);
                batch.extend(rows, self.taken, to);
                self.taken = to;
                if to == rows.len {
                    self.ready.pop_front();
                    self.taken = 0;
                }
            }
            if batch.len == self.batch_size || batch.weight() >= HEAVIEST {
                return Ok(Some(batch));
            }
            if matches!(self.source, Source::Over) {
                return match self.error.take_if(|_| batch.len == 0) {
                    Some(error) => Err(error),
                    None => Ok((batch.len > 0).then_some(batch)),
                };
            }
            if let Err(error) = self.read_more() {
                self.source = Source::Over;
                self.error = Some(error);
            }
        }
    }

    fn read_more(&mut self) -> PyResult<()> {
        match &mut self.source {
            Source::Over => Ok(()),
            Source::Split(_) => self.read_pieces(),
            Source::Whole(_) => self.read_on(),
        }
    }

    /// Reads some games with the one reader.
    fn read_on(&mut self) -> PyResult<()> {
        const AT_ONCE: usize = 4_096;
        let Source::Whole(reader) = &mut self.source else { return Ok(()) };
        let mut rows = Rows::new(&self.fields);
        let mut game = GameToRow::new(&self.fields, &self.filter);
        let (mut result, mut is_over) = (Ok(()), false);
        for _ in 0..AT_ONCE {
            match reader.read_game(&mut game).map_err(|error| self.failure.explain(error)) {
                Ok(Some(report)) => result = game.finish(report, &mut rows),
                Ok(None) => is_over = true,
                Err(error) => result = Err(error),
            }
            if is_over || result.is_err() || rows.weight() > HEAVIEST / 4 {
                break;
            }
        }
        if is_over {
            self.source = Source::Over;
        }
        rows.settle(&self.fields, self.games, self.lines);
        self.ready.push_back(rows);
        result
    }

    /// Cuts off pieces, has them read, and puts the rows in their order.
    fn read_pieces(&mut self) -> PyResult<()> {
        let Source::Split(splitter) = &mut self.source else { return Ok(()) };
        let (fields, filter) = (&self.fields[..], &self.filter);
        let count = self.threads * PIECES;
        let results: Mutex<Vec<(usize, PyResult<Done>)>> = Mutex::default();
        let (sender, receiver) = sync_channel::<(usize, Vec<u8>, bool)>(2 * self.threads);
        let receiver = Mutex::new(receiver);
        let cut = std::thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| work(&receiver, &results, fields, filter));
            }
            cut_pieces(splitter, sender, count)
        });
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_by_key(|(number, _)| *number);
        let mut left = Vec::new();
        for (_, done) in results {
            let mut done = done?;
            // What was read from the pieces behind a wrong cut does not count.
            if !left.is_empty() || !done.is_cut_right {
                left.append(&mut done.bytes);
                continue;
            }
            done.rows.settle(&self.fields, self.games, self.lines);
            self.games += done.games;
            self.lines += done.lines;
            self.ready.push_back(done.rows);
        }
        let uncut = cut.map_err(|error| self.failure.explain(error))?;
        let is_over = splitter.is_over() && uncut.is_none();
        left.extend(uncut.unwrap_or_default());
        if !left.is_empty() {
            self.read_whole(left);
        } else if is_over {
            self.source = Source::Over;
        }
        Ok(())
    }

    /// Goes on with one reader, which begins with these bytes.
    fn read_whole(&mut self, bytes: Vec<u8>) {
        let Source::Split(splitter) = std::mem::replace(&mut self.source, Source::Over) else { return };
        let stream: Box<dyn Read + Send> = Box::new(Cursor::new(bytes).chain(splitter.into_rest()));
        self.source = Source::Whole(Box::new(Reader::new(stream)));
    }
}

/// Sends pieces to the threads. Returns the beginning of what cannot be cut, if it comes to that.
fn cut_pieces(
    splitter: &mut Splitter<Stream>,
    sender: SyncSender<(usize, Vec<u8>, bool)>,
    count: usize,
) -> io::Result<Option<Vec<u8>>> {
    for number in 0..count {
        let piece = match splitter.next()? {
            Piece::Games(bytes) => (number, bytes, false),
            Piece::Last(bytes) => (number, bytes, true),
            Piece::Uncut(bytes) => return Ok(Some(bytes)),
        };
        let is_last = piece.2;
        // A thread that panicked cannot take it; the scope will say so.
        if sender.send(piece).is_err() || is_last {
            break;
        }
    }
    Ok(None)
}

/// Reads pieces until there are no more.
fn work(
    pieces: &Mutex<Receiver<(usize, Vec<u8>, bool)>>,
    results: &Mutex<Vec<(usize, PyResult<Done>)>>,
    fields: &[Field],
    filter: &Filter,
) {
    loop {
        let piece = pieces.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, bytes, is_last)) = piece else { return };
        let done = read_piece(bytes, is_last, fields, filter);
        results.lock().unwrap_or_else(PoisonError::into_inner).push((number, done));
    }
}

/// Reads a piece, and sees whether the game behind it is found.
fn read_piece(bytes: Vec<u8>, is_last: bool, fields: &[Field], filter: &Filter) -> PyResult<Done> {
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
    let next_game: &[u8] = if is_last { b"" } else { NEXT_GAME };
    let mut reader = Reader::new((&bytes[..]).chain(next_game));
    let mut rows = Rows::new(fields);
    let mut game = GameToRow::new(fields, filter);
    let mut games = 0;
    let mut found = is_last;
    while let Some(report) = reader.read_game(&mut game)? {
        if !is_last && report.line == lines + 1 {
            found = true;
            break;
        }
        games = report.game;
        game.finish(report, &mut rows)?;
    }
    Ok(Done { rows, games, lines, bytes, is_cut_right: found })
}
