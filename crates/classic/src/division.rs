//! The tree below each move, counted on a board of any kind: on several threads, watched, and stopped when it takes too
//! long.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use rules::PerftProgress;

use crate::{Board, BoardError, BoardKind, Counters, StandardSetup, Task, UciMove};

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// The leaves alone, as fast as the board can. All other [`Counters`] are zero.
    Leaves,
    /// The leaves, and what the moves to them are.
    Kinds,
}

/// Counts the tree below each legal move of a position.
///
/// ```
/// use saavedra_classic::{Detail, Division, BoardKind};
///
/// let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse()?;
/// let moves = Division::new(BoardKind::Mailbox, Detail::Kinds).threads(2).run(&start, 4).expect("it is not stopped");
/// assert_eq!(moves.len(), 20);
/// assert_eq!(moves.iter().map(|(_, counters)| counters.checkmates).sum::<u64>(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Division<'a> {
    kind: BoardKind,
    detail: Detail,
    threads: usize,
    watcher: &'a Watcher<'a>,
}

/// Is told how far a division has come, and says whether to go on.
type Watcher<'a> = dyn Fn(PerftProgress) -> ControlFlow<()> + Sync + 'a;

impl<'a> Division<'a> {
    /// On one thread, with no watcher.
    pub fn new(kind: BoardKind, detail: Detail) -> Division<'a> {
        Division { kind, detail, threads: 1, watcher: &|_| ControlFlow::Continue(()) }
    }

    /// Works on this many threads; zero means one.
    #[must_use]
    pub fn threads(self, threads: usize) -> Division<'a> {
        Division { threads: threads.max(1), ..self }
    }

    /// Asks `watcher` whether to go on, again and again, from whichever thread is at work. The time between two
    /// questions is that of a tree two moves deep.
    #[must_use]
    pub fn watched_by(self, watcher: &'a Watcher<'a>) -> Division<'a> {
        Division { watcher, ..self }
    }

    /// The counts below each legal move, sorted like [`Board::legal_moves`]. None, if the watcher has ended it.
    pub fn run(&self, start: &StandardSetup, depth: u32) -> Option<Vec<(UciMove, Counters)>> {
        self.kind.run(Run { division: self, start, depth })
    }

    /// The same for a position that is told as FEN.
    pub fn run_fen(&self, fen: &str, depth: u32) -> Result<Option<Vec<(UciMove, Counters)>>, BoardError> {
        Ok(self.run(&fen.parse()?, depth))
    }
}

/// One division, on a board that is not named yet.
struct Run<'a> {
    division: &'a Division<'a>,
    start: &'a StandardSetup,
    depth: u32,
}

/// A part of the work: a move, a reply if the tree is deep enough to be divided so far, and the depth of the tree below
/// them, in which the last of them counts as one.
struct Unit {
    root: usize,
    moves: Vec<UciMove>,
    depth: u32,
}

impl Task for Run<'_> {
    type Output = Option<Vec<(UciMove, Counters)>>;

    fn run<B: Board>(self) -> Self::Output {
        let mut board = B::from_standard(self.start);
        let roots = if self.depth == 0 { Vec::new() } else { board.legal_moves() };
        let units = units(&mut board, &roots, self.depth);
        let counting = Counting { division: self.division, done: AtomicUsize::new(0), total: units.len() };
        let (taken, is_stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = || {
            let mut board = B::from_standard(self.start);
            let mut counts = vec![Counters::default(); roots.len()];
            while let Some(unit) = units.get(taken.fetch_add(1, Ordering::Relaxed)) {
                if is_stopped.load(Ordering::Relaxed) || counting.count_unit(&mut board, unit, &mut counts).is_break() {
                    is_stopped.store(true, Ordering::Relaxed);
                    break;
                }
            }
            counts
        };
        let mut totals = vec![Counters::default(); roots.len()];
        thread::scope(|scope| {
            // A thread that the system does not grant is one fewer to share the work, not a failure.
            let others: Vec<_> = (1..self.division.threads)
                .map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok())
                .collect();
            let mut parts = vec![work()];
            parts.extend(others.into_iter().map(|other| other.join().expect("counting does not panic")));
            for (root, counters) in parts.into_iter().flat_map(|part| part.into_iter().enumerate()) {
                totals[root] += counters;
            }
        });
        let is_stopped = is_stopped.into_inner();
        (!is_stopped).then(|| roots.into_iter().zip(totals).collect())
    }
}

/// Divides the work.
fn units<B: Board>(board: &mut B, roots: &[UciMove], depth: u32) -> Vec<Unit> {
    /// From this depth on, the replies to each move are units of their own.
    const SPLIT_DEPTH: u32 = 3;
    let mut units = Vec::new();
    for (root, &mv) in roots.iter().enumerate() {
        if depth < SPLIT_DEPTH {
            units.push(Unit { root, moves: vec![mv], depth });
            continue;
        }
        board.make(mv).expect("a legal move");
        let replies = board.legal_moves();
        units.extend(replies.into_iter().map(|reply| Unit { root, moves: vec![mv, reply], depth: depth - 1 }));
        board.unmake();
    }
    units
}

struct Counting<'a> {
    division: &'a Division<'a>,
    done: AtomicUsize,
    total: usize,
}

impl Counting<'_> {
    fn count_unit<B: Board>(&self, board: &mut B, unit: &Unit, counts: &mut [Counters]) -> ControlFlow<()> {
        for &mv in &unit.moves {
            board.make(mv).expect("a legal move");
        }
        let flow = self.count(board, unit.depth, &mut counts[unit.root]);
        for _ in &unit.moves {
            board.unmake();
        }
        flow?;
        let done = 1 + self.done.fetch_add(1, Ordering::Relaxed);
        (self.division.watcher)(PerftProgress { done, total: self.total })
    }

    /// Counts the tree below the move that was made last, which counts as one.
    fn count<B: Board>(&self, board: &mut B, depth: u32, sum: &mut Counters) -> ControlFlow<()> {
        /// Trees of this depth are counted without a question: a thousand leaves, or ten thousand with many queens.
        const PART_DEPTH: u32 = 2;
        let detail = self.division.detail;
        if depth > PART_DEPTH + 1 {
            return board.visit_moves(|next| self.count(next, depth - 1, sum));
        }
        match detail {
            Detail::Leaves => sum.nodes = sum.nodes.saturating_add(board.perft(depth - 1)),
            Detail::Kinds if depth == 1 => board.count_below_last_move(depth, sum),
            Detail::Kinds => *sum += board.counters(depth - 1),
        }
        let done = self.done.load(Ordering::Relaxed);
        (self.division.watcher)(PerftProgress { done, total: self.total })
    }
}
