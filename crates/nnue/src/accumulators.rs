//! Accumulators that follow a search up and down its lines, and do no work before an evaluation is wanted.

use std::sync::Arc;

use rules::{ByColor, Color, Piece, Position, Square};

use crate::block::Block;
use crate::kernel::{self, HeadJudgement, Simd, Work};
use crate::network::Outputs;
use crate::refresh::RefreshCache;
use crate::{Changes, Kernel, Network, View};

/// A network that follows a line of moves.
///
/// Moves are only noted down. When a position is to be judged, the accumulators are brought up to date from the last
/// ancestor that was judged, all changes of a move in one pass; siblings then start from there. A player whose king has
/// crossed the middle, or changed its bucket, on the way starts over from a cache instead.
#[derive(Clone)]
pub struct Accumulators {
    network: Arc<Network>,
    kernel: Kernel,
    /// One for each move of the line, and one for where it starts.
    levels: Vec<Level>,
    /// For each level White's hidden layer and Black's.
    values: Vec<Block>,
    /// The level of the position at hand.
    top: usize,
    cache: RefreshCache,
}

/// What is known of the position after a move.
#[derive(Clone, Copy)]
struct Level {
    changes: Changes,
    is_computed: ByColor<bool>,
}

impl Level {
    const NEW: Level = Level { changes: Changes::NONE, is_computed: ByColor { white: false, black: false } };
}

/// Moves that there is room for before the line first has to grow.
const FIRST_LEVELS: usize = 64;

impl Accumulators {
    /// Accumulators of a network, at the start position, with the fastest kernel that runs here.
    pub fn new(network: Arc<Network>) -> Accumulators {
        Accumulators::with_kernel(network, Kernel::best())
    }

    /// The same with a kernel of choice.
    pub fn with_kernel(network: Arc<Network>, kernel: Kernel) -> Accumulators {
        let mut accumulators = Accumulators {
            kernel,
            levels: vec![Level::NEW; FIRST_LEVELS],
            values: vec![Block::ZERO; FIRST_LEVELS * 2 * network.row_blocks()],
            top: 0,
            cache: RefreshCache::new(&network),
            network,
        };
        accumulators.reset(&Position::initial());
        accumulators
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Forgets the line and starts another at a position.
    pub fn reset(&mut self, position: &Position) {
        self.restart(position);
    }

    /// Starts another line at a position, and tells what it is worth. Only the pieces are added up that differ from the
    /// last position that was seen the same way, so positions of one game after the other are evaluated quickly.
    pub fn restart(&mut self, position: &Position) -> i32 {
        self.top = 0;
        self.levels[0] = Level::NEW;
        self.evaluate(position)
    }

    /// A move is about to be played; what it changes is to be told to the result.
    #[inline]
    pub fn push(&mut self) -> &mut Changes {
        self.top += 1;
        if self.top == self.levels.len() {
            self.grow();
        }
        let level = &mut self.levels[self.top];
        *level = Level::NEW;
        &mut level.changes
    }

    /// What the last move changes, as long as it is told.
    #[inline]
    pub fn changes(&mut self) -> &mut Changes {
        &mut self.levels[self.top].changes
    }

    #[cold]
    fn grow(&mut self) {
        let levels = 2 * self.levels.len();
        self.levels.resize(levels, Level::NEW);
        self.values.resize(levels * 2 * self.network.row_blocks(), Block::ZERO);
    }

    /// The last move is taken back.
    #[inline]
    pub fn pop(&mut self) {
        self.top -= 1;
    }

    /// What the position, which follows from the moves pushed, is worth to the player to move, in centipawns.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        self.kernel.run(Judgement { accumulators: self, position })
    }

    /// The hidden layer of a player at a level.
    #[inline]
    fn row(&self, level: usize, perspective: Color) -> &[Block] {
        let blocks = self.network.row_blocks();
        &self.values[(2 * level + perspective as usize) * blocks..][..blocks]
    }

    /// Computes a player's hidden layer of the position at hand, and of its ancestors as far as needed.
    #[inline(always)]
    fn bring_up_to_date<S: Simd>(&mut self, simd: S, perspective: Color, position: &Position) {
        if self.levels[self.top].is_computed[perspective] {
            return;
        }
        let buckets = self.network.architecture().king_buckets();
        let view = buckets.view(perspective, position.king(perspective));
        let mut known = self.top;
        while !self.levels[known].is_computed[perspective] {
            if known == 0 || self.levels[known].changes.turn_the_board(view, buckets) {
                return self.refresh(simd, view, position);
            }
            known -= 1;
        }
        for level in known + 1..=self.top {
            self.follow_move(simd, level, view);
        }
    }

    /// Computes a hidden layer from the one of the level before.
    #[inline(always)]
    fn follow_move<S: Simd>(&mut self, simd: S, level: usize, view: View) {
        let network = &*self.network;
        let blocks = network.row_blocks();
        let perspective = view.perspective();
        let (before, after) = self.values.split_at_mut(2 * level * blocks);
        let place = perspective as usize * blocks;
        let source = &before[2 * (level - 1) * blocks + place..][..blocks];
        let target = &mut after[place..][..blocks];
        let row = |(piece, square): (Piece, Square)| network.feature_row(view.feature_index(piece, square));
        let changes = &self.levels[level].changes;
        match (changes.placements(), changes.removals()) {
            (&[to], &[from]) => kernel::update(simd, source, target, [row(to)], [row(from)]),
            (&[to], &[taken, from]) => kernel::update(simd, source, target, [row(to)], [row(taken), row(from)]),
            (&[king, rook], &[king_from, rook_from]) => {
                kernel::update(simd, source, target, [row(king), row(rook)], [row(king_from), row(rook_from)]);
            }
            // No move does this; asking what a piece is worth takes it off the board.
            (placements, removals) => {
                target.copy_from_slice(source);
                let index = |&(piece, square): &(Piece, Square)| view.feature_index(piece, square);
                let added: Vec<usize> = placements.iter().map(index).collect();
                let removed: Vec<usize> = removals.iter().map(index).collect();
                kernel::accumulate(simd, target, network.all_feature_rows(), &added, &removed);
            }
        }
        self.levels[level].is_computed[perspective] = true;
    }

    /// Computes the hidden layer of the position at hand from the cache.
    #[inline(always)]
    fn refresh<S: Simd>(&mut self, simd: S, view: View, position: &Position) {
        let blocks = self.network.row_blocks();
        let perspective = view.perspective();
        let row = self.cache.refresh(simd, &self.network, view, position);
        self.values[(2 * self.top + perspective as usize) * blocks..][..blocks].copy_from_slice(row);
        self.levels[self.top].is_computed[perspective] = true;
    }
}

/// A position to be judged.
struct Judgement<'a> {
    accumulators: &'a mut Accumulators,
    position: &'a Position,
}

impl Work for Judgement<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> i32 {
        let Judgement { accumulators, position } = self;
        for perspective in Color::ALL {
            accumulators.bring_up_to_date(simd, perspective, position);
        }
        let (top, us) = (accumulators.top, position.turn());
        let network = &*accumulators.network;
        let bucket = network.output_bucket(position);
        let [own, their] = [us, !us].map(|color| accumulators.row(top, color));
        match network.outputs() {
            Outputs::Straight(outputs) => {
                outputs.centipawns(kernel::weigh(simd, own, their, outputs.row(bucket, own.len())), bucket)
            }
            Outputs::Pairwise(heads) => simd.run_apart(HeadJudgement { own, their, packed: &heads[bucket] }),
        }
    }
}
