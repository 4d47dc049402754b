//! A plain alpha-beta search, good enough to have manners: it sees mates and draws, tells lines, and stops when asked.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rules::{Color, Game, Move, Position, Role};

/// What a search was told while it ran.
#[derive(Default)]
pub(crate) struct Signals {
    stop: AtomicBool,
    /// Whether the search may not end by itself, and since when it may.
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Waiting {
    pub(crate) for_stop: bool,
    pub(crate) for_hit: bool,
    hit_at: Option<Instant>,
}

impl Signals {
    pub(crate) fn new(for_stop: bool, for_hit: bool) -> Arc<Signals> {
        let signals = Signals::default();
        *signals.waiting.lock().unwrap_or_else(PoisonError::into_inner) = Waiting { for_stop, for_hit, hit_at: None };
        Arc::new(signals)
    }

    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.change(|waiting| *waiting = Waiting::default());
    }

    pub(crate) fn ponder_hit(&self) {
        self.change(|waiting| {
            waiting.for_hit = false;
            waiting.hit_at = Some(Instant::now());
        });
    }

    fn change(&self, change: impl Fn(&mut Waiting)) {
        change(&mut self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    /// Waits until an answer is wanted.
    pub(crate) fn wait(&self) {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.changed.wait_while(waiting, |waiting| waiting.for_stop || waiting.for_hit));
    }

    fn is_over(&self, limits: &Limits, started: Instant, nodes: u64) -> bool {
        if self.stop.load(Ordering::Relaxed) || limits.nodes.is_some_and(|most| nodes >= most) {
            return true;
        }
        let waiting = *self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        // While pondering it is the other's clock that runs.
        !waiting.for_hit && limits.time.is_some_and(|time| waiting.hit_at.unwrap_or(started).elapsed() >= time)
    }
}

/// When to stop.
#[derive(Clone, Default)]
pub(crate) struct Limits {
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) time: Option<Duration>,
}

/// A line and what it is worth.
#[derive(Clone)]
pub(crate) struct Variation {
    pub(crate) score: i32,
    pub(crate) moves: Vec<Move>,
}

pub(crate) const MATE: i32 = 30_000;
const INFINITE: i32 = 32_000;
pub(crate) const DEEPEST: u32 = 40;
/// How often the clock is looked at.
const INTERVAL: u64 = 256;

/// A search in progress.
pub(crate) struct Search<'a> {
    pub(crate) signals: &'a Signals,
    pub(crate) limits: Limits,
    pub(crate) started: Instant,
    pub(crate) nodes: u64,
    pub(crate) is_over: bool,
}

impl Search<'_> {
    /// The best line among some moves, or none if there was no time to find it.
    pub(crate) fn best(&mut self, game: &mut Game, moves: &[Move], depth: u32) -> Option<Variation> {
        let mut best: Option<Variation> = None;
        for &mv in moves {
            let alpha = best.as_ref().map_or(-INFINITE, |best| best.score);
            let mut line = Vec::new();
            let score = self.try_move(game, mv, depth, (alpha, INFINITE), 0, &mut line)?;
            if score > alpha {
                line.insert(0, mv);
                best = Some(Variation { score, moves: line });
            }
        }
        best
    }

    fn try_move(
        &mut self,
        game: &mut Game,
        mv: Move,
        depth: u32,
        window: (i32, i32),
        ply: i32,
        line: &mut Vec<Move>,
    ) -> Option<i32> {
        game.play(mv).ok()?;
        let score = self.value(game, depth - 1, (-window.1, -window.0), ply + 1, line);
        game.take_back();
        score.map(|score| -score)
    }

    fn value(
        &mut self,
        game: &mut Game,
        depth: u32,
        (mut alpha, beta): (i32, i32),
        ply: i32,
        line: &mut Vec<Move>,
    ) -> Option<i32> {
        self.nodes += 1;
        // The first depth is always finished: there must be a move to play.
        if self.nodes.is_multiple_of(INTERVAL) || self.limits.nodes.is_some() {
            self.is_over |= self.signals.is_over(&self.limits, self.started, self.nodes);
        }
        if self.is_over && ply > 1 {
            return None;
        }
        let position = *game.position();
        let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
        if moves.is_empty() {
            return Some(if position.is_check() { ply - MATE } else { 0 });
        }
        if game.outcome().is_some() || game.claimable_draw().is_some() {
            return Some(0);
        }
        if depth == 0 {
            return Some(evaluation(&position));
        }
        moves.sort_by_key(|&mv| !position.is_capture(mv));
        let mut best = -INFINITE;
        for mv in moves {
            let mut rest = Vec::new();
            let score = self.try_move(game, mv, depth, (alpha, beta), ply, &mut rest)?;
            best = best.max(score);
            if score > alpha {
                alpha = score;
                line.clear();
                line.push(mv);
                line.append(&mut rest);
            }
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }
}

/// Material, and a little for the middle of the board.
fn evaluation(position: &Position) -> i32 {
    let side = |color: Color| -> i32 {
        let value = |square| match position.role_at(square) {
            Some(Role::Pawn) => 100,
            Some(Role::Knight) => 300,
            Some(Role::Bishop) => 310,
            Some(Role::Rook) => 500,
            Some(Role::Queen) => 900,
            Some(Role::King) | None => 0,
        };
        let middle = |square: rules::Square| {
            let (file, rank) = (square.file() as i32, square.rank() as i32);
            7 - (2 * file - 7).abs().max((2 * rank - 7).abs())
        };
        position.by_color(color).into_iter().map(|square| value(square) + middle(square)).sum()
    };
    side(position.turn()) - side(!position.turn())
}
