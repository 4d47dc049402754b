//! Writing a tree down while it is searched.

use rules::{Move, Position};
use search::{NodeEnd, Score, Skip, Visit, Watcher};

use super::node::{Totals, VisitKind, ending_name, skip_name};

/// A node as it is written down.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    pub(super) parent: Option<u32>,
    /// The move that leads here; none at the root, after a pass, and for another look at a position.
    pub(super) mv: Option<Move>,
    pub(super) kind: VisitKind,
    pub(super) is_again: bool,
    pub(super) visit: Visit,
    pub(super) score: Score,
    pub(super) ending: NodeEnd,
    pub(super) skipped: Vec<(Move, Skip)>,
    pub(super) never_tried: u16,
}

/// Where a node stands that is not over yet.
struct Open {
    index: u32,
    /// The moves that were played from here.
    tried: Vec<Move>,
}

/// Listens to a search. What it searched before its last start from the root counts, but is not kept.
pub(super) struct Recorder {
    pub(super) root: Position,
    /// The positions from the root to where the search is.
    path: Vec<Position>,
    /// The move that was played last, as long as no node was entered after it.
    arrival: Option<Arrival>,
    pub(super) nodes: Vec<Recorded>,
    open: Vec<Open>,
    totals: Totals,
}

/// How the search came to where it is.
#[derive(Clone, Copy)]
struct Arrival {
    mv: Option<Move>,
    is_again: bool,
    /// How many nodes were open when it was played: it leads from the last of them.
    open: usize,
}

impl Recorder {
    pub(super) fn new(root: Position) -> Recorder {
        Recorder {
            root,
            path: vec![root],
            arrival: None,
            nodes: Vec::new(),
            open: Vec::new(),
            totals: Totals::default(),
        }
    }

    pub(super) fn totals(&self) -> Totals {
        self.totals.clone()
    }

    fn position(&self) -> &Position {
        self.path.last().unwrap_or(&self.root)
    }
}

impl Watcher for Recorder {
    fn plays(&mut self, mv: Option<Move>) {
        let next = match mv {
            Some(mv) => self.position().play_unchecked(mv),
            None => self.position().null_move().unwrap_or(*self.position()),
        };
        self.path.push(next);
        self.arrival = Some(Arrival { mv, is_again: false, open: self.open.len() });
        if let (Some(mv), Some(open)) = (mv, self.open.last_mut()) {
            open.tried.push(mv);
        }
    }

    fn takes_back(&mut self) {
        self.path.pop();
        self.arrival = None;
    }

    fn enters(&mut self, visit: Visit) {
        if self.open.is_empty() {
            self.nodes.clear();
        }
        let index = self.nodes.len() as u32;
        let arrival = self.arrival.filter(|arrival| arrival.open == self.open.len());
        let kind = match arrival {
            None if !self.open.is_empty() => VisitKind::Verification,
            Some(Arrival { mv: None, .. }) => VisitKind::Pass,
            _ if visit.depth.is_none() => VisitKind::Quiescence,
            _ => VisitKind::Search,
        };
        self.nodes.push(Recorded {
            parent: self.open.last().map(|open| open.index),
            mv: arrival.and_then(|arrival| arrival.mv),
            kind,
            is_again: arrival.is_some_and(|arrival| arrival.is_again),
            visit,
            score: Score::DRAW,
            ending: NodeEnd::Stopped,
            skipped: Vec::new(),
            never_tried: 0,
        });
        self.open.push(Open { index, tried: Vec::new() });
        self.totals.nodes += 1;
        self.totals.quiescence_nodes += u64::from(visit.depth.is_none());
    }

    fn evaluates(&mut self) {
        self.totals.evaluations += 1;
    }

    fn skips(&mut self, mv: Move, why: Skip) {
        *self.totals.skips.entry(skip_name(why)).or_default() += 1;
        if let Some(open) = self.open.last() {
            self.nodes[open.index as usize].skipped.push((mv, why));
        }
    }

    fn leaves(&mut self, why: NodeEnd, score: Score) {
        let Some(Open { index, mut tried }) = self.open.pop() else { return };
        tried.sort_unstable_by_key(|mv| mv.bits());
        tried.dedup();
        let legal = if why == NodeEnd::Horizon { 0 } else { self.position().legal_move_count() };
        let node = &mut self.nodes[index as usize];
        let never_tried = legal.saturating_sub(tried.len() + node.skipped.len());
        node.score = score;
        node.ending = why;
        node.never_tried = never_tried as u16;
        *self.totals.endings.entry(ending_name(why)).or_default() += 1;
        self.totals.never_tried += never_tried as u64;
        // The same move may be searched again from here, with more depth or another window.
        let node = &self.nodes[index as usize];
        let is_child = node.kind != VisitKind::Verification && node.parent.is_some();
        self.arrival = is_child.then_some(Arrival { mv: node.mv, is_again: true, open: self.open.len() });
    }
}
