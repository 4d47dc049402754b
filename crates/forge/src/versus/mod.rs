//! The GPU against the CPU: two searches with one network, hundreds of games at once.
//!
//! Every opening is played twice, with colours reversed. All games go on in step: while the GPU thinks about those in
//! which it is to move, threads of the CPU think about the others, and then every game has its next move. As the two
//! games of a pair begin with different players, both are always at work.

mod board;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nnue::Network;
use records::openings::Openings;
use rules::{Color, Game};
use search::{AnyEvaluator, Control, Limits, STACK_SIZE, Searcher};

use crate::{Conditions, FoundMove, GameSearcher, GpuError};
use board::Board;

/// What decides a match between the GPU and the CPU, beside the GPU's player.
pub struct Versus {
    /// How many openings are played, each with both colours.
    pub pairs: u64,
    /// How many games go on at once: as many as the GPU has boards.
    pub boards: usize,
    /// The openings, and what they are drawn by.
    pub openings: Openings,
    /// See [`openings`](Versus::openings).
    pub seed: u64,
    /// The network of the CPU.
    pub network: Arc<Network>,
    /// Positions that each search of the CPU looks at.
    pub nodes: u64,
    /// The size of the table that the CPU has for each game, in MiB.
    pub hash: usize,
    /// How many games the CPU thinks about at once.
    pub threads: usize,
    /// When players agree that a game is decided.
    pub conditions: Conditions,
}

/// What a side has done.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SideStats {
    /// Moves that it found.
    pub moves: u64,
    /// Positions that it looked at.
    pub nodes: u64,
    /// The depths of its searches, added up.
    pub depths: u64,
    /// The time it took for them, all threads or warps together.
    pub time: Duration,
}

impl SideStats {
    fn add(&mut self, thought: &FoundMove) {
        self.moves += 1;
        self.nodes += thought.nodes;
        self.depths += u64::from(thought.depth);
    }
}

/// How a match stands.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct VersusResult {
    /// What the GPU made of the games of each pair, none of those that are not finished: 0, 1 or 2 half points. It has
    /// White in the first.
    pub outcomes: Vec<[Option<u8>; 2]>,
    /// What the GPU has done.
    pub gpu: SideStats,
    /// What the CPU has done.
    pub cpu: SideStats,
}

impl VersusResult {
    /// How many games have ended.
    pub fn games(&self) -> usize {
        self.outcomes.iter().flatten().flatten().count()
    }
}

impl Versus {
    /// Plays the match until it is over or is stopped, and tells after every move of all games how it stands.
    pub fn play(
        &self,
        gpu: &mut dyn GameSearcher,
        stop: &Arc<AtomicBool>,
        watch: &mut dyn FnMut(&VersusResult),
    ) -> Result<VersusResult, GpuError> {
        let mut standing = VersusResult { outcomes: vec![[None; 2]; self.pairs as usize], ..VersusResult::default() };
        let mut boards: Vec<Board> = (0..self.boards).map(|_| self.board()).collect::<Result<_, _>>()?;
        let mut games = 0..2 * self.pairs;
        loop {
            for (place, board) in boards.iter_mut().enumerate().filter(|(_, board)| board.is_free()) {
                let Some(number) = games.next() else { break };
                gpu.forget(place)?;
                board.begin(number, self.opening(number / 2));
            }
            if boards.iter().all(Board::is_free) {
                return Ok(standing);
            }
            let thoughts = self.think(gpu, &mut boards, stop, &mut standing)?;
            if stop.load(Ordering::Relaxed) {
                return Ok(standing);
            }
            for (board, thought) in boards.iter_mut().zip(thoughts) {
                let Some((side, thought)) = thought else { continue };
                let stats = if side == Side::Gpu { &mut standing.gpu } else { &mut standing.cpu };
                stats.add(&thought);
                if let Some((number, half_points)) = board.make(&thought, &self.conditions) {
                    standing.outcomes[(number / 2) as usize][(number % 2) as usize] = Some(half_points);
                }
            }
            watch(&standing);
        }
    }

    fn board(&self) -> Result<Board, GpuError> {
        let mut searcher = Searcher::new(AnyEvaluator::from(Arc::clone(&self.network)));
        searcher.set_hash(self.hash)?;
        Ok(Board::new(searcher))
    }

    fn opening(&self, pair: u64) -> Game {
        let opening = self.openings.opening(self.seed, pair);
        let mut game = Game::new(opening.start);
        for mv in opening.moves {
            game.play(mv).expect("openings are legal");
        }
        game
    }

    /// A move for every board with a game: of the GPU where it is to move, of the CPU elsewhere.
    fn think(
        &self,
        gpu: &mut dyn GameSearcher,
        boards: &mut [Board],
        stop: &Arc<AtomicBool>,
        standing: &mut VersusResult,
    ) -> Result<Vec<Option<(Side, FoundMove)>>, GpuError> {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let (mut shown, mut waiting) = (Vec::new(), Vec::new());
        for board in &mut *boards {
            if board.game_of(Side::Cpu).is_some() {
                shown.push(None);
                waiting.push(board);
            } else {
                shown.push(board.game_of(Side::Gpu));
            }
        }
        let waiting = Mutex::new(waiting.into_iter());
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        let begun = Instant::now();
        let (thoughts, times) = thread::scope(|scope| {
            let work = || {
                let begun = Instant::now();
                while let Some(board) = next() {
                    board.think(&limits, &Control::sharing(Arc::clone(stop)));
                }
                begun.elapsed()
            };
            let workers = (0..self.threads.max(1))
                .map(|_| thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work))
                .collect::<Vec<_>>();
            let is_asked = shown.iter().any(Option::is_some);
            let thoughts = if is_asked { gpu.think(&shown) } else { Ok(vec![None; shown.len()]) };
            let gpu_time = begun.elapsed();
            // Where no thread can be started, this one does the work.
            let cpu_time: Duration = workers
                .into_iter()
                .map(|worker| worker.map_or_else(|_| work(), |worker| worker.join().expect("a search does not panic")))
                .sum();
            (thoughts, [gpu_time, cpu_time])
        });
        standing.gpu.time += times[0];
        standing.cpu.time += times[1];
        let thoughts = thoughts?.into_iter().zip(boards);
        Ok(thoughts
            .map(|(thought, board)| match thought {
                Some(thought) => Some((Side::Gpu, thought)),
                None => board.take_thought().map(|thought| (Side::Cpu, thought)),
            })
            .collect())
    }
}

/// Who plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Gpu,
    Cpu,
}

impl Side {
    /// Who has a colour in a game, by its number.
    fn of(color: Color, number: u64) -> Side {
        if (color == Color::White) == number.is_multiple_of(2) { Side::Gpu } else { Side::Cpu }
    }
}
