//! One thread of the search: where it stands, what it remembers, and how it steps from node to node.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use rules::{Bitboard, Game, Move, Position, Role};

use crate::MAX_PLY;
use crate::correction::{CorrectionSlots, Corrections};
use crate::history::{Context, Histories, LOOK_BACK, Past, PieceTo};
use crate::picker::Arena;
use crate::reductions::Reductions;
use crate::root::RootMoves;
use crate::time::TimeManager;
use crate::tt::TranspositionTable;
use crate::tunables::*;
use crate::{Control, Ending, Evaluator, Limits, Options, Reporter, Score, SearchStats, Watcher};

/// What a thread keeps from one search to the next.
pub(crate) struct ThreadData<E> {
    pub(crate) evaluator: E,
    pub(crate) histories: Histories,
    pub(crate) corrections: Corrections,
    /// The moves still to be tried, of all plies from the root.
    pub(crate) arena: Arena,
    /// The moves tried without a cutoff, of all plies from the root.
    pub(crate) tried: Vec<Move>,
}

impl<E: Evaluator> ThreadData<E> {
    pub(crate) fn new(evaluator: E) -> ThreadData<E> {
        ThreadData {
            evaluator,
            histories: Histories::new(),
            corrections: Corrections::new(),
            arena: Arena::new(),
            tried: Vec::new(),
        }
    }

    /// Forgets what was learnt.
    pub(crate) fn clear(&mut self) {
        self.histories.clear();
        self.corrections = Corrections::new();
    }
}

/// What all threads of a search share.
pub(crate) struct Shared<'s> {
    pub(crate) tt: &'s TranspositionTable,
    pub(crate) control: &'s Control,
    pub(crate) options: &'s Options,
    pub(crate) limits: &'s Limits,
    pub(crate) time: TimeManager,
    /// The moves to choose from.
    pub(crate) root: RootMoves,
    /// The first thread has its answer.
    pub(crate) is_finished: AtomicBool,
    pub(crate) reductions: Reductions,
    /// What each thread has counted so far, on cache lines of their own.
    pub(crate) counters: Vec<Counter>,
    /// Positions with more pieces are not looked up in tablebases; none are if this is zero.
    pub(crate) tablebase_pieces: u32,
}

/// What a thread tells the others of its work.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Counter {
    pub(crate) nodes: AtomicU64,
    pub(crate) tablebase_hits: AtomicU64,
}

/// What is known of a ply on the way from the root to the current node.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// The corrected evaluation; none in check.
    pub(crate) static_eval: Option<Score>,
    /// The pieces that give check.
    pub(crate) checkers: Bitboard,
    /// The move that is being searched, as later moves see it; none for a pass.
    pub(crate) piece_to: Option<PieceTo>,
    /// Whether that move takes something or promotes.
    pub(crate) is_tactical: bool,
    /// A move that must not be played, while the others are asked whether it is the only good one.
    pub(crate) excluded: Option<Move>,
    /// How much the move is reduced, in 1024ths of a ply.
    pub(crate) reduction: i32,
    /// How many of the children were cut off lately.
    pub(crate) cutoffs: u32,
}

impl Frame {
    const EMPTY: Frame = Frame {
        static_eval: None,
        checkers: Bitboard::EMPTY,
        piece_to: None,
        is_tactical: false,
        excluded: None,
        reduction: 0,
        cutoffs: 0,
    };
}

/// Frames before the root, so that looking back needs no question.
const BEFORE_ROOT: usize = 8;

/// The time between two signs of life.
const BETWEEN_PULSES: Duration = Duration::from_millis(250);

/// One thread of one search.
pub(crate) struct Worker<'s, E, W> {
    pub(crate) shared: &'s Shared<'s>,
    pub(crate) data: &'s mut ThreadData<E>,
    /// 0 is the thread that reports and keeps time.
    pub(crate) number: usize,
    /// Who wants to hear of the first thread's findings.
    pub(crate) reporter: Option<&'s mut dyn Reporter>,
    /// When the reporter is told next that the search goes on.
    next_pulse: Duration,
    pub(crate) root: RootMoves,
    /// Plies from the root.
    pub(crate) ply: usize,
    pub(crate) root_depth: i32,
    pub(crate) selective_depth: usize,
    pub(crate) nodes: u64,
    /// After so many nodes of its own, the thread asks whether all together are too many.
    most_nodes: u64,
    pub(crate) tablebase_hits: u64,
    pub(crate) is_stopped: bool,
    /// Whether the answer was good enough after the last depth, and only pondering keeps the search going.
    pub(crate) has_enough: bool,
    /// No null move is tried before this ply, while one is verified.
    pub(crate) null_moves_from: usize,
    /// The best line found from each ply on.
    pub(crate) lines: Vec<Vec<Move>>,
    frames: Vec<Frame>,
    /// The game and the moves from the root to here.
    pub(crate) path: Vec<Position>,
    pub(crate) keys: Vec<u64>,
    /// How much of the path is the game.
    pub(crate) root_index: usize,
    pub(crate) last_pass: LastPass,
    /// Who watches; nobody takes no room.
    pub(crate) watcher: W,
}

/// Where in the path the last pass led. Nothing before it can be repeated: nobody may pass in a game.
#[derive(Clone, Copy)]
pub(crate) struct LastPass(pub(crate) usize);

impl<'s, E: Evaluator, W: Watcher> Worker<'s, E, W> {
    /// A thread that is about to search a game's position.
    pub(crate) fn new(
        shared: &'s Shared<'s>,
        data: &'s mut ThreadData<E>,
        number: usize,
        game: &Game,
        reporter: Option<&'s mut dyn Reporter>,
        watcher: W,
    ) -> Worker<'s, E, W> {
        // Nothing before the last capture or pawn move can be repeated.
        let positions = game.positions();
        let reach = usize::from(game.position().halfmove_clock()) + 1;
        let path: Vec<Position> = positions[positions.len().saturating_sub(reach)..].to_vec();
        let keys = path.iter().map(Position::key).collect();
        data.evaluator.reset(game.position());
        data.arena.clear();
        data.tried.clear();
        let mut worker = Worker {
            shared,
            data,
            number,
            reporter,
            next_pulse: BETWEEN_PULSES,
            root: shared.root.clone(),
            ply: 0,
            root_depth: 0,
            selective_depth: 0,
            nodes: 0,
            most_nodes: shared.limits.nodes.unwrap_or(u64::MAX),
            tablebase_hits: 0,
            is_stopped: false,
            has_enough: false,
            null_moves_from: 0,
            lines: vec![Vec::new(); MAX_PLY + 2],
            frames: vec![Frame::EMPTY; BEFORE_ROOT + MAX_PLY + 2],
            root_index: path.len() - 1,
            path,
            keys,
            last_pass: LastPass(0),
            watcher,
        };
        worker.frame_mut().checkers = game.position().checkers();
        worker
    }

    #[inline]
    pub(crate) fn position(&self) -> &Position {
        &self.path[self.path.len() - 1]
    }

    #[inline]
    pub(crate) fn key(&self) -> u64 {
        self.keys[self.keys.len() - 1]
    }

    #[inline]
    pub(crate) fn frame(&self) -> &Frame {
        self.frame_before(0)
    }

    #[inline]
    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        &mut self.frames[BEFORE_ROOT + self.ply]
    }

    /// The frame so many plies ago.
    #[inline]
    pub(crate) fn frame_before(&self, plies: usize) -> &Frame {
        &self.frames[BEFORE_ROOT + self.ply - plies]
    }

    /// The frame of the node that led here.
    #[inline]
    pub(crate) fn parent_frame_mut(&mut self) -> &mut Frame {
        &mut self.frames[BEFORE_ROOT + self.ply - 1]
    }

    /// The frame of the children.
    #[inline]
    pub(crate) fn child_frame_mut(&mut self) -> &mut Frame {
        &mut self.frames[BEFORE_ROOT + self.ply + 1]
    }

    /// The moves that led here, as the continuation history sees them.
    #[inline]
    pub(crate) fn past(&self) -> Past {
        let are_wanted = [continuation_one(), continuation_two(), continuation_four(), continuation_six()];
        std::array::from_fn(|index| self.frame_before(LOOK_BACK[index]).piece_to.filter(|_| are_wanted[index]))
    }

    /// What the histories depend on here.
    #[inline]
    pub(crate) fn context(&self, position: &Position) -> Context {
        Context {
            turn: position.turn(),
            pawn_key: if pawn_history() { position.pawn_key() } else { 0 },
            threats: if threat_history() { position.attacked_by(!position.turn()) } else { Bitboard::EMPTY },
            past: self.past(),
        }
    }

    /// Where the errors of the evaluation here are kept.
    #[inline]
    pub(crate) fn correction_slots(&self, position: &Position) -> CorrectionSlots {
        CorrectionSlots::of(position, [self.frame_before(1).piece_to, self.frame_before(2).piece_to])
    }

    /// Plays a legal move.
    #[inline]
    pub(crate) fn make_move(&mut self, position: &Position, mv: Move, piece_to: PieceTo, is_tactical: bool) {
        self.watcher.plays(Some(mv));
        let next = position.play_unchecked_observed(mv, self.data.evaluator.push());
        let frame = self.frame_mut();
        frame.piece_to = Some(piece_to);
        frame.is_tactical = is_tactical;
        self.enter(next);
    }

    /// Takes the last move back.
    #[inline]
    pub(crate) fn undo_move(&mut self) {
        self.watcher.takes_back();
        self.data.evaluator.pop();
        self.leave();
    }

    /// Passes, in a position without check. What is returned is wanted back by [`undo_null_move`](Worker::undo_null_move).
    pub(crate) fn make_null_move(&mut self, next: Position) -> LastPass {
        self.watcher.plays(None);
        let frame = self.frame_mut();
        frame.piece_to = None;
        frame.is_tactical = false;
        frame.reduction = 0;
        self.shared.tt.prefetch(next.key());
        self.enter(next);
        let before = self.last_pass;
        self.last_pass = LastPass(self.path.len() - 1);
        before
    }

    /// Takes a pass back.
    pub(crate) fn undo_null_move(&mut self, before: LastPass) {
        self.watcher.takes_back();
        self.last_pass = before;
        self.leave();
    }

    #[inline]
    fn enter(&mut self, next: Position) {
        let key = next.key();
        self.ply += 1;
        self.frame_mut().checkers = next.checkers();
        self.path.push(next);
        self.keys.push(key);
    }

    #[inline]
    fn leave(&mut self) {
        self.ply -= 1;
        self.path.pop();
        self.keys.pop();
    }

    /// The node is over, and this is its score.
    #[inline]
    pub(crate) fn ends(&mut self, why: Ending, score: Score) -> Score {
        self.watcher.leaves(why, score);
        score
    }

    /// Counts the node, and now and then asks whether time is up. Whether the search has to end.
    #[inline]
    pub(crate) fn count_node(&mut self) -> bool {
        /// Nodes between two looks at the clock: a fraction of a millisecond.
        const INTERVAL: u64 = 1024;
        // On the way back some nodes still ask for another look at a move.
        if self.is_stopped {
            return true;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(INTERVAL) || self.nodes >= self.most_nodes {
            self.check_limits();
        }
        self.is_stopped
    }

    #[cold]
    fn check_limits(&mut self) {
        self.publish();
        let shared = self.shared;
        self.is_stopped |= shared.control.is_stopped_at_gate();
        let elapsed = shared.control.elapsed();
        if self.number == 0 && !shared.control.is_pondering() {
            self.is_stopped |= self.has_enough || shared.time.is_spent(elapsed);
        }
        if elapsed >= self.next_pulse {
            self.next_pulse = elapsed + BETWEEN_PULSES;
            if let Some(reporter) = &mut self.reporter {
                reporter.pulse(&shared.stats());
            }
        }
        self.is_stopped |=
            shared.limits.nodes.is_some_and(|limit| shared.nodes() >= limit) || shared.is_finished.load(Relaxed);
    }

    /// Tells the others how much was done.
    pub(crate) fn publish(&self) {
        let counter = &self.shared.counters[self.number];
        counter.nodes.store(self.nodes, Relaxed);
        counter.tablebase_hits.store(self.tablebase_hits, Relaxed);
    }

    /// A better line was found: the move, and what follows it.
    pub(crate) fn update_pv(&mut self, mv: Move) {
        let (above, below) = self.lines.split_at_mut(self.ply + 1);
        let line = &mut above[self.ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }
}

impl Shared<'_> {
    /// Positions looked at by all threads, as far as they have told.
    pub(crate) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.nodes.load(Relaxed)).sum()
    }

    /// How far the search has come.
    pub(crate) fn stats(&self) -> SearchStats {
        SearchStats {
            nodes: self.nodes(),
            time: self.control.elapsed(),
            hash_full: self.tt.fullness(),
            tablebase_hits: self.counters.iter().map(|counter| counter.tablebase_hits.load(Relaxed)).sum(),
        }
    }
}

/// Whether a player has anything but king and pawns: without, having to move is often a burden.
#[inline]
pub(crate) fn has_non_pawn_material(position: &Position) -> bool {
    let others = position.by_color(position.turn()) - position.by_role(Role::Pawn);
    others.has_several()
}
