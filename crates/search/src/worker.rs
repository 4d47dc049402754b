//! One thread of one search: how it steps from node to node, and when it stops.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use rules::{Bitboard, Move, Position};

use crate::correction::CorrectionSlots;
use crate::history::{Context, LOOK_BACK, PieceTo};
use crate::node::Node;
use crate::picker::{MoveScorer, Picker};
use crate::root::RootMoves;
use crate::shared::Shared;
use crate::stack::{Frame, Stack};
use crate::thread_data::ThreadData;
use crate::tunables::*;
use crate::{Evaluator, NodeEnd, Reporter, Score, Watcher};

/// The time between two pulses of the reporter.
const BETWEEN_PULSES: Duration = Duration::from_millis(250);

/// One thread of one search.
pub(crate) struct Worker<'s, E, W> {
    pub(crate) shared: &'s Shared<'s>,
    pub(crate) data: &'s mut ThreadData<E>,
    pub(crate) stack: Stack,
    /// 0 is the thread that reports and keeps time.
    pub(crate) number: usize,
    /// Told of the first thread's findings.
    pub(crate) reporter: Option<&'s mut dyn Reporter>,
    /// When the reporter is told next that the search goes on.
    next_pulse: Duration,
    pub(crate) root: RootMoves,
    pub(crate) root_depth: i32,
    pub(crate) selective_depth: usize,
    pub(crate) nodes: u64,
    /// After so many nodes of its own, the thread checks whether all threads together have reached the limit.
    most_nodes: u64,
    pub(crate) tablebase_hits: u64,
    pub(crate) is_stopped: bool,
    /// Whether the answer was good enough after the last depth, and only pondering keeps the search going.
    pub(crate) has_enough: bool,
    /// No null move is tried before this ply, while one is verified.
    pub(crate) null_moves_from: usize,
    /// Told of every node; `()` takes no room.
    pub(crate) watcher: W,
}

impl<'s, E: Evaluator, W: Watcher> Worker<'s, E, W> {
    /// A thread that is about to search the position of the request.
    pub(crate) fn new(
        shared: &'s Shared<'s>,
        data: &'s mut ThreadData<E>,
        number: usize,
        reporter: Option<&'s mut dyn Reporter>,
        watcher: W,
    ) -> Worker<'s, E, W> {
        let game = shared.request.game;
        data.evaluator.reset(game.position());
        Worker {
            shared,
            data,
            stack: Stack::new(game),
            number,
            reporter,
            next_pulse: BETWEEN_PULSES,
            root: shared.root.clone(),
            root_depth: 0,
            selective_depth: 0,
            nodes: 0,
            most_nodes: shared.request.limits.nodes.unwrap_or(u64::MAX),
            tablebase_hits: 0,
            is_stopped: false,
            has_enough: false,
            null_moves_from: 0,
            watcher,
        }
    }

    /// Plies from the root.
    #[inline]
    pub(crate) fn ply(&self) -> usize {
        self.stack.ply()
    }

    /// The frame of the current node.
    #[inline]
    pub(crate) fn frame(&self) -> &Frame {
        self.stack.frame()
    }

    #[inline]
    pub(crate) fn position(&self) -> &Position {
        &self.frame().position
    }

    /// What the histories depend on here.
    #[inline]
    pub(crate) fn context(&self, position: &Position) -> Context {
        let is_on = [continuation_one(), continuation_two(), continuation_four(), continuation_six()];
        Context {
            turn: position.turn(),
            pawn_key: if pawn_history() { position.pawn_key() } else { 0 },
            threats: if threat_history() { position.attacked_by(!position.turn()) } else { Bitboard::EMPTY },
            past: std::array::from_fn(|index| self.stack.before(LOOK_BACK[index]).piece_to.filter(|_| is_on[index])),
        }
    }

    /// Where the errors of the evaluation here are kept.
    #[inline]
    pub(crate) fn correction_slots(&self, position: &Position) -> CorrectionSlots {
        CorrectionSlots::of(position, [1, 2].map(|plies| self.stack.before(plies).piece_to))
    }

    /// The next move of a picker of the current node.
    #[inline]
    pub(crate) fn next_move(&mut self, picker: &mut Picker, context: &Context) -> Option<Move> {
        let scorer = MoveScorer { histories: &self.data.histories, context, tt: self.shared.tt };
        picker.next(&scorer, &mut self.stack.frame_mut().moves)
    }

    /// Plays a legal move.
    #[inline]
    pub(crate) fn make_move(&mut self, position: &Position, mv: Move, piece_to: PieceTo, is_tactical: bool) {
        self.watcher.plays(Some(mv));
        let next = position.play_unchecked_observed(mv, self.data.evaluator.push());
        let frame = self.stack.frame_mut();
        frame.piece_to = Some(piece_to);
        frame.is_tactical = is_tactical;
        self.stack.push(next);
    }

    /// Takes the last move back.
    #[inline]
    pub(crate) fn undo_move(&mut self) {
        self.watcher.takes_back();
        self.data.evaluator.pop();
        self.stack.pop();
    }

    /// Plays a null move, in a position without check.
    pub(crate) fn make_null_move(&mut self, next: Position) {
        self.watcher.plays(None);
        let frame = self.stack.frame_mut();
        frame.piece_to = None;
        frame.is_tactical = false;
        frame.reduction = 0;
        self.shared.tt.prefetch(next.key());
        self.stack.push_null(next);
    }

    /// Takes a null move back.
    pub(crate) fn undo_null_move(&mut self) {
        self.watcher.takes_back();
        self.stack.pop();
    }

    /// The node is over, and this is its score.
    #[inline]
    pub(crate) fn ends(&mut self, why: NodeEnd, score: Score) -> Score {
        self.watcher.leaves(why, score);
        score
    }

    /// A node on the principal variation begins: its line is empty so far.
    #[inline]
    pub(crate) fn start_pv<N: Node>(&mut self) {
        if N::PV {
            self.stack.frame_mut().pv.clear();
            self.selective_depth = self.selective_depth.max(self.ply() + 1);
        }
    }

    /// Counts the node, and now and then checks the limits. Whether the search has to end.
    #[inline]
    pub(crate) fn count_node(&mut self) -> bool {
        /// Nodes between two looks at the clock: a fraction of a millisecond.
        const INTERVAL: u64 = 1024;
        // On the way back some nodes still ask for another search of a move.
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
        self.is_stopped |= shared.request.limits.nodes.is_some_and(|limit| shared.nodes() >= limit)
            || shared.is_finished.load(Relaxed);
    }

    /// Publishes how much was done, for the other threads.
    pub(crate) fn publish(&self) {
        let counter = &self.shared.counters[self.number];
        counter.nodes.store(self.nodes, Relaxed);
        counter.tablebase_hits.store(self.tablebase_hits, Relaxed);
    }
}
