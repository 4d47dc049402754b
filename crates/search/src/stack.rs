//! The stack of a search: one frame for each position from the last irreversible move of the game to the deepest ply.

use rules::{Bitboard, Game, Move, Position};

use crate::history::{LOOK_BACK, PieceTo};
use crate::picker::ScoredMove;
use crate::{MAX_PLY, Score};

/// A position on the way from the root to the current node, and what is known of its node.
#[derive(Clone)]
pub(crate) struct Frame {
    pub(crate) position: Position,
    /// The pieces that give check.
    pub(crate) checkers: Bitboard,
    /// The index of the first frame whose position can be repeated here. A null move starts anew.
    repeatable_from: usize,
    /// The corrected static evaluation; none in check.
    pub(crate) static_eval: Option<Score>,
    /// The move that is being searched, as later moves see it; none for a null move.
    pub(crate) piece_to: Option<PieceTo>,
    /// Whether that move is a capture or a promotion.
    pub(crate) is_tactical: bool,
    /// How much that move is reduced, in 1024ths of a ply.
    pub(crate) reduction: i32,
    /// A move that must not be played, while it is verified that it is singular.
    pub(crate) excluded: Option<Move>,
    /// How many nodes of this ply have failed high since their parent was entered.
    pub(crate) cutoffs: u32,
    /// The principal variation from here on.
    pub(crate) pv: Vec<Move>,
    /// The moves that the node's picker has generated. Another search of the same node (to verify that a move is
    /// singular) happens before the node generates its own.
    pub(crate) moves: Vec<ScoredMove>,
}

impl Frame {
    fn new(position: Position, repeatable_from: usize) -> Frame {
        Frame {
            position,
            checkers: position.checkers(),
            repeatable_from,
            static_eval: None,
            piece_to: None,
            is_tactical: false,
            reduction: 0,
            excluded: None,
            cutoffs: 0,
            pv: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Whether the player to move is in check.
    #[inline]
    pub(crate) fn is_check(&self) -> bool {
        !self.checkers.is_empty()
    }
}

/// Frames before the root that can be looked at in any game, however short: as far as the continuation history looks
/// back.
const BEFORE_ROOT: usize = LOOK_BACK[LOOK_BACK.len() - 1];

/// The frames of a search.
pub(crate) struct Stack {
    frames: Vec<Frame>,
    /// The keys of the frames' positions. A look back for repetitions finds eight in a cache line; in the frames they
    /// lie too far apart, which cost 3 % of the search's speed.
    keys: Vec<u64>,
    /// The index of the root's frame.
    root: usize,
    /// The index of the current node's frame.
    current: usize,
}

impl Stack {
    /// The stack at the root of a search, with the positions of the game that can still be repeated.
    pub(crate) fn new(game: &Game) -> Stack {
        let positions = game.positions();
        let reversible = usize::from(game.position().halfmove_clock()) + 1;
        let repeatable = &positions[positions.len().saturating_sub(reversible)..];
        let padding = (BEFORE_ROOT + 1).saturating_sub(repeatable.len());
        let mut frames = vec![Frame::new(*game.position(), padding); padding];
        frames.extend(repeatable.iter().map(|&position| Frame::new(position, padding)));
        let root = frames.len() - 1;
        frames.resize(root + MAX_PLY + 2, Frame::new(*game.position(), padding));
        let keys = frames.iter().map(|frame| frame.position.key()).collect();
        Stack { frames, keys, root, current: root }
    }

    /// Plies from the root.
    #[inline]
    pub(crate) fn ply(&self) -> usize {
        self.current - self.root
    }

    /// The frame of the current node.
    #[inline]
    pub(crate) fn frame(&self) -> &Frame {
        &self.frames[self.current]
    }

    #[inline]
    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        &mut self.frames[self.current]
    }

    /// The frame so many plies ago, at most [`BEFORE_ROOT`] of them before the root.
    #[inline]
    pub(crate) fn before(&self, plies: usize) -> &Frame {
        &self.frames[self.current - plies]
    }

    /// The frame of the node that led here.
    #[inline]
    pub(crate) fn parent_mut(&mut self) -> &mut Frame {
        &mut self.frames[self.current - 1]
    }

    /// The frame of the node's children.
    #[inline]
    pub(crate) fn child(&self) -> &Frame {
        &self.frames[self.current + 1]
    }

    #[inline]
    pub(crate) fn child_mut(&mut self) -> &mut Frame {
        &mut self.frames[self.current + 1]
    }

    /// Steps to the position after a move.
    #[inline]
    pub(crate) fn push(&mut self, next: Position) {
        let repeatable_from = self.frame().repeatable_from;
        self.enter(next, repeatable_from);
    }

    /// Steps to the position after a null move. No position before it can be repeated, because a game has no null
    /// moves.
    pub(crate) fn push_null(&mut self, next: Position) {
        self.enter(next, self.current + 1);
    }

    #[inline]
    fn enter(&mut self, next: Position, repeatable_from: usize) {
        self.current += 1;
        self.keys[self.current] = next.key();
        let frame = &mut self.frames[self.current];
        frame.checkers = next.checkers();
        frame.repeatable_from = repeatable_from;
        frame.position = next;
    }

    /// Steps back.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.current -= 1;
    }

    /// The current node's principal variation is a move and the principal variation of the child.
    pub(crate) fn update_pv(&mut self, mv: Move) {
        let (above, below) = self.frames.split_at_mut(self.current + 1);
        let pv = &mut above[self.current].pv;
        pv.clear();
        pv.push(mv);
        pv.extend_from_slice(&below[0].pv);
    }

    /// Whether the current position occurred before: once since the root, or twice in all.
    ///
    /// Once since the root is enough, because the player who wanted another result could have deviated.
    pub(crate) fn is_repetition(&self) -> bool {
        let Frame { position, repeatable_from, .. } = self.frame();
        let key = self.keys[self.current];
        let earliest = self.current.saturating_sub(position.halfmove_clock().into()).max(*repeatable_from);
        let mut seen_before_root = false;
        let mut index = self.current;
        while index >= earliest + 2 {
            index -= 2;
            if self.keys[index] == key {
                if index > self.root || seen_before_root {
                    return true;
                }
                seen_before_root = true;
            }
        }
        false
    }

    /// Whether the player to move can repeat a position that occurred since the root.
    pub(crate) fn has_upcoming_repetition(&self) -> bool {
        let Frame { position, repeatable_from, .. } = self.frame();
        let earliest = (*repeatable_from).max(self.root + 1);
        let reach = usize::from(position.halfmove_clock()).min(self.current.saturating_sub(earliest));
        // The first position that can be reached again lies three plies back.
        let mut plies = 3;
        while plies <= reach {
            if position.can_return_to(&self.before(plies).position) {
                return true;
            }
            plies += 2;
        }
        false
    }
}
