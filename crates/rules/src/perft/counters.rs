//! What kinds of moves lead to the leaves.

use std::ops::AddAssign;

use super::Measure;
use crate::board::castled_squares;
use crate::{Move, MoveKind, Position};

/// The leaves of a tree, and how many of the moves to them are of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Counters {
    /// All leaves.
    pub nodes: u64,
    /// Moves that take something, en passant included.
    pub captures: u64,
    /// Captures en passant.
    pub en_passant: u64,
    /// Castling moves.
    pub castles: u64,
    /// Promotions, each role counted.
    pub promotions: u64,
    /// Moves that give check in whatever way.
    pub checks: u64,
    /// Checks only by a piece that did not move.
    pub discovered_checks: u64,
    /// Checks by two pieces at once.
    pub double_checks: u64,
    /// Moves that mate.
    pub checkmates: u64,
    /// Moves that stalemate.
    pub stalemates: u64,
}

/// Adds up. More than fit stay the most that fit.
impl AddAssign for Counters {
    fn add_assign(&mut self, other: Counters) {
        let (mut sum, other) = (self.words(), other.words());
        for (word, more) in sum.iter_mut().zip(other) {
            *word = word.saturating_add(more);
        }
        *self = Counters::from_words(sum);
    }
}

/// Counts leaves by kind.
pub(super) struct Counted;

impl Measure for Counted {
    type Total = Counters;

    fn measure(&self, position: &Position, mv: Move, depth: u32) -> Counters {
        let mut counters = Counters::default();
        count(position, mv, depth, &mut counters);
        counters
    }
}

fn count(position: &Position, mv: Move, depth: u32, counters: &mut Counters) {
    if depth == 1 {
        return counters.add_leaf(position, mv);
    }
    let next = position.play_unchecked(mv);
    for reply in &next.legal_moves() {
        count(&next, *reply, depth - 1, counters);
    }
}

impl Counters {
    /// How many numbers there are.
    pub(super) const WORDS: usize = 10;

    /// The numbers in the order of the fields.
    pub(super) fn words(self) -> [u64; Counters::WORDS] {
        let Counters { nodes, captures, en_passant, castles, promotions, .. } = self;
        let Counters { checks, discovered_checks, double_checks, checkmates, stalemates, .. } = self;
        [
            nodes,
            captures,
            en_passant,
            castles,
            promotions,
            checks,
            discovered_checks,
            double_checks,
            checkmates,
            stalemates,
        ]
    }

    /// The counters with these numbers.
    pub(super) fn from_words(words: [u64; Counters::WORDS]) -> Counters {
        let [nodes, captures, en_passant, castles, promotions, rest @ ..] = words;
        let [checks, discovered_checks, double_checks, checkmates, stalemates] = rest;
        Counters {
            nodes,
            captures,
            en_passant,
            castles,
            promotions,
            checks,
            discovered_checks,
            double_checks,
            checkmates,
            stalemates,
        }
    }

    fn add_leaf(&mut self, position: &Position, mv: Move) {
        self.nodes += 1;
        self.captures += u64::from(position.is_capture(mv));
        self.en_passant += u64::from(mv.kind() == MoveKind::EnPassant);
        self.castles += u64::from(mv.kind() == MoveKind::Castle);
        self.promotions += u64::from(mv.promotion_role().is_some());

        let checkers = position.checkers_after(mv);
        let is_check = !checkers.is_empty();
        if is_check {
            let mover = if mv.kind() == MoveKind::Castle { castled_squares(mv.from(), mv.to()).1 } else { mv.to() };
            self.checks += 1;
            self.discovered_checks += u64::from(!checkers.contains(mover));
            self.double_checks += u64::from(checkers.more_than_one());
        }
        if !position.play_unchecked(mv).has_legal_moves() {
            self.checkmates += u64::from(is_check);
            self.stalemates += u64::from(!is_check);
        }
    }
}
