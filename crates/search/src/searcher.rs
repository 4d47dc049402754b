//! A search with its memory: the table, the threads, and what they have learnt.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use rules::{Move, Observer, Position, Role, Square};

use crate::reductions::Reductions;
use crate::root::RootMoves;
use crate::shared::{Counter, Shared};
use crate::tablebase_probe::{RootProbe, probe_root};
use crate::thread_data::ThreadData;
use crate::time::TimeManager;
use crate::tt::TranspositionTable;
use crate::vote::elect;
use crate::worker::Worker;
use crate::{
    Answer, Bound, Control, Evaluator, Limits, Line, OutOfMemory, Reporter, Request, STACK_SIZE, Score, Watcher,
};

/// A search with its table and its threads.
///
/// ```
/// use saavedra_search::rules::Game;
/// use saavedra_search::{Control, Limits, PieceSquare, Request, Searcher, UciScore};
///
/// let mut searcher = Searcher::new(PieceSquare::new());
/// let game = Game::new("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1".parse()?);
/// let answer = searcher.search(&Request::new(&game, Limits::depth(4)), &Control::new(), &mut ());
/// assert_eq!(answer.best.map(|mv| game.position().san(mv)).as_deref(), Some("Rd8#"));
/// assert_eq!(answer.line.score.to_uci(), UciScore::MateIn(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Searcher<E> {
    tt: TranspositionTable,
    /// One for each thread.
    threads: Vec<ThreadData<E>>,
}

/// The size of a new searcher's table.
pub const DEFAULT_HASH: usize = 16;

impl<E: Evaluator> Searcher<E> {
    /// A searcher with one thread and a table of [`DEFAULT_HASH`] MiB.
    ///
    /// # Panics
    /// If there is not even that much memory.
    pub fn new(evaluator: E) -> Searcher<E> {
        let tt = TranspositionTable::new(DEFAULT_HASH).expect("memory for the smallest usual table");
        Searcher { tt, threads: vec![ThreadData::new(evaluator)] }
    }

    /// Gives the table another size, empty. If the memory cannot be had, the old table stays as it is.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        self.tt = TranspositionTable::new(mebibytes.max(1))?;
        Ok(())
    }

    /// Searches with so many threads from now on.
    pub fn set_threads(&mut self, count: usize) {
        let evaluator = self.threads[0].evaluator.clone();
        self.threads.resize_with(count.max(1), || ThreadData::new(evaluator.clone()));
    }

    /// Judges by another evaluation from now on, and forgets everything learnt with the old one.
    pub fn set_evaluator(&mut self, evaluator: E) {
        for data in &mut self.threads {
            data.evaluator = evaluator.clone();
        }
        self.clear();
    }

    /// Forgets everything learnt, as for a new game.
    pub fn clear(&mut self) {
        self.tt.clear();
        for data in &mut self.threads {
            data.clear();
        }
    }

    /// Empties the table, and nothing else.
    pub fn clear_hash(&mut self) {
        self.tt.clear();
    }

    /// The static evaluation of a position, for the player to move.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let evaluator = &mut self.threads[0].evaluator;
        evaluator.reset(position);
        evaluator.evaluate(position)
    }

    /// What each piece but the kings adds to the evaluation of a position, for the player to move: how much the
    /// position would lose if the piece were not there.
    pub fn contributions(&mut self, position: &Position) -> Vec<(Square, i32)> {
        let evaluator = &mut self.threads[0].evaluator;
        evaluator.reset(position);
        let whole = evaluator.evaluate(position);
        let others = position.occupied() - position.by_role(Role::King);
        let without = |square: Square| {
            evaluator.push().removed(position.piece_at(square)?, square);
            let rest = evaluator.evaluate(position);
            evaluator.pop();
            Some((square, whole - rest))
        };
        others.into_iter().filter_map(without).collect()
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &E {
        &self.threads[0].evaluator
    }

    /// Searches until a limit is reached or the control stops it.
    pub fn search(&mut self, request: &Request, control: &Control, reporter: &mut dyn Reporter) -> Answer {
        match request.options.strength {
            None => E::search(self, request, control, reporter),
            Some(strength) => strength.search(self, request, control, reporter),
        }
    }

    /// The same at full strength, with a watcher that is told of every node that the first thread visits.
    pub fn search_watched<W: Watcher>(
        &mut self,
        request: &Request,
        control: &Control,
        reporter: &mut dyn Reporter,
        watcher: W,
    ) -> Answer {
        self.tt.age();
        let Request { game, limits, options } = request;
        let position = game.position();
        let knowledge = probe_root(position, options);
        // Where the root itself is known, the search looks for the mate.
        let tablebase_pieces = match (&knowledge, &options.tablebase) {
            (None, Some(tablebase)) => tablebase.most_pieces().min(options.tablebase_pieces),
            _ => 0,
        };
        let root_tablebase_hits = knowledge.as_ref().map_or(0, |knowledge| knowledge.hits);
        let shared = Shared {
            tt: &self.tt,
            control,
            request,
            time: TimeManager::new(limits, options.move_overhead, position.fullmove_number()),
            root: root_moves(position, limits, knowledge),
            is_finished: AtomicBool::new(false),
            reductions: Reductions::new(),
            counters: self.threads.iter().map(|_| Counter::default()).collect(),
            tablebase_pieces: tablebase_pieces as u32,
            root_tablebase_hits,
        };
        let (first, others) = self.threads.split_first_mut().expect("there is always a first thread");
        let lines: Vec<Option<Line>> = thread::scope(|scope| {
            let shared = &shared;
            let helpers: Vec<_> = (1..)
                .zip(others)
                .map(|(number, data)| {
                    thread::Builder::new()
                        .stack_size(STACK_SIZE)
                        .spawn_scoped(scope, move || Worker::new(shared, data, number, None, ()).iterative_deepening())
                })
                .collect();
            let best = Worker::new(shared, first, 0, Some(reporter), watcher).iterative_deepening();
            shared.is_finished.store(true, Relaxed);
            // A thread that could not be started or failed has no say.
            let others = helpers.into_iter().map(|helper| helper.ok().and_then(|helper| helper.join().ok()).flatten());
            std::iter::once(best).chain(others).collect()
        });
        let stats = shared.stats();
        let line = match elect(&lines, limits, options.lines) {
            Some((0, line)) => line.clone(),
            Some((_, line)) => {
                reporter.line(line, &stats);
                line.clone()
            }
            None => no_line(position),
        };
        let best = line.moves.first().copied();
        Answer { best, ponder: best.and_then(|best| self.reply(position, best, &line)), line, stats }
    }

    /// The reply to expect: from the line or, if it is short, from the table.
    fn reply(&self, position: &Position, best: Move, line: &Line) -> Option<Move> {
        let next = position.play_unchecked(best);
        let from_tt = || self.tt.probe(next.key()).and_then(|entry| entry.mv);
        line.moves.get(1).copied().or_else(from_tt).filter(|&mv| next.is_legal(mv))
    }
}

/// The moves to choose from: all, or those asked for, and of them those a tablebase recommends.
fn root_moves(position: &Position, limits: &Limits, knowledge: Option<RootProbe>) -> RootMoves {
    let moves = limits.moves_of(position);
    let is_recommended = |mv: &Move| knowledge.as_ref().is_none_or(|knowledge| knowledge.moves.contains(mv));
    if moves.iter().any(is_recommended) {
        let score = knowledge.as_ref().map(|knowledge| knowledge.score);
        return RootMoves::new(moves.iter().copied().filter(is_recommended), score);
    }
    RootMoves::new(moves.iter().copied(), None)
}

/// What there is to say without a move.
fn no_line(position: &Position) -> Line {
    let score = if position.is_checkmate() { Score::mated_in(0) } else { Score::DRAW };
    Line { depth: 0, selective_depth: 0, rank: 1, score, bound: Bound::Exact, moves: Vec::new() }
}
