//! The founding document's two minds that look ahead: minimax, two plies below each of its moves, and alpha-beta, four.
//!
//! Both weigh leaves by [`EvaluatedPosition`] without looking further, both know nothing of repetitions or move
//! counters, and of equal moves both take the first. Where the document's code goes wrong, its intent rules:
//!
//! * A player without a move is mated or stalemated, which the document does not tell apart. Its minimax gives both the
//!   least number of 32 bits, which is its own opposite, and so avoids giving mate. Its alpha-beta gives both the lower
//!   end of the window, and so takes a stalemate for a win and a late mate for as good as an early one. Here a mate is
//!   a mate, the sooner the better, and a stalemate is a draw. A mate on the very last ply is a leaf like any other, as
//!   it is there.
//! * The document starts afresh at every move of the root and takes moves as they are generated. Here the best value so
//!   far is kept and captures are tried first within the tree, which is faster and gives the same answer.

use std::time::Instant;

use ::random::Random;
use rules::{Game, Move, MoveList, Position};
use search::{Bound, Control, Line, NodeEnd, Reporter, Score, SearchStats, Visit, Watcher};

use crate::founding_eval::EvaluatedPosition;
use crate::{Allowance, Choice, Fault, FaultKind, Mind};

/// A mind that looks a fixed number of plies ahead.
#[derive(Clone, Debug)]
pub struct TreeMind {
    method: Method,
    depth: usize,
    order: Order,
    random: Option<Random>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Method {
    Minimax,
    AlphaBeta,
}

/// In which order alpha-beta tries the moves within its tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    CapturesFirst,
    AsGenerated,
}

/// What came of a search that was watched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeResult {
    /// The best line; empty if there was no move, or no time.
    pub line: Vec<Move>,
    /// What it is worth to the player to move.
    pub score: Score,
    /// How many positions were looked at for it.
    pub nodes: u64,
    /// Whether every move was looked at before the nodes ran out or the search was stopped.
    pub is_complete: bool,
}

impl TreeMind {
    /// Looks at every line, two plies below each of its moves.
    pub fn minimax() -> TreeMind {
        TreeMind { method: Method::Minimax, depth: 2, order: Order::CapturesFirst, random: None }
    }

    /// Leaves out the lines that cannot matter, and so looks four plies below each of its moves.
    pub fn alpha_beta() -> TreeMind {
        TreeMind { method: Method::AlphaBeta, depth: 4, order: Order::CapturesFirst, random: None }
    }

    /// The most plies below its moves that such a mind can be asked to look. No machine gets there.
    pub const MOST_PLIES: usize = 100;

    /// Looks so many plies below each move instead, or [`MOST_PLIES`](TreeMind::MOST_PLIES) if that is less.
    pub fn with_depth(self, depth: usize) -> TreeMind {
        TreeMind { depth: depth.min(TreeMind::MOST_PLIES), ..self }
    }

    /// Takes moves as they are generated, as the document does, instead of captures first: a lesson in what order is
    /// worth.
    pub fn with_moves_as_generated(self) -> TreeMind {
        TreeMind { order: Order::AsGenerated, ..self }
    }

    /// Searches a game's position within some allowance, and tells the watcher of every node of the tree.
    pub fn search_watched(
        &self,
        game: &Game,
        allowance: &Allowance,
        control: &Control,
        mut watcher: impl Watcher,
    ) -> TreeResult {
        let (root, moves) = (EvaluatedPosition::of(game), allowance.limits.moves_of(game.position()));
        watcher.enters(Window::new(-Score::INFINITE).visit(self.depth + 1));
        let mut tree = Tree::new(self.order, allowance, control, &mut watcher);
        // A choice counts the moves of the root; a watched search counts the root as well.
        tree.nodes = 1;
        let (best, score) = self.best_moves(&mut tree, &root, &moves, self.depth);
        let (nodes, is_complete) = (tree.nodes, !tree.is_stopped);
        let none = value_without_moves(&root.position, &moves, 0);
        let score = none.unwrap_or(score);
        let ending = match none {
            Some(value) => ending_without_moves(value),
            None if is_complete => NodeEnd::AllMoves,
            None => NodeEnd::Stopped,
        };
        watcher.leaves(ending, score);
        // The line is searched again, which is no part of the tree.
        let line = best
            .first()
            .map(|&mv| self.line(&mut Tree::new(self.order, allowance, control, ()), &root, mv, self.depth));
        TreeResult { line: line.unwrap_or_default(), score, nodes, is_complete }
    }

    /// Plays a random one of several equal moves instead of the first. The same seed gives the same moves.
    pub fn with_random_ties(self, seed: u64) -> TreeMind {
        TreeMind { random: Some(Random::new(seed)), ..self }
    }

    /// The best moves and what they are worth. If time runs out, those of the moves looked at so far.
    fn best_moves<W: Watcher>(
        &self,
        tree: &mut Tree<W>,
        root: &EvaluatedPosition,
        moves: &MoveList,
        depth: usize,
    ) -> (Vec<Move>, Score) {
        // To know that another move is as good as the best, the window must hold that value.
        let room_for_ties = i32::from(self.random.is_some());
        let (mut best, mut most) = (Vec::new(), -Score::INFINITE);
        for &mv in moves {
            let alpha = if best.is_empty() { most } else { most - room_for_ties };
            tree.watcher.plays(Some(mv));
            let value = match self.method {
                Method::Minimax => tree.minimax(&root.after(mv), depth, 1),
                Method::AlphaBeta => tree.alpha_beta(&root.after(mv), depth, 1, Window::new(alpha).turned()),
            };
            tree.watcher.takes_back();
            let Ok(value) = value.map(|value| -value) else { break };
            if value > most {
                (best, most) = (vec![mv], value);
            } else if value == most {
                best.push(mv);
            }
        }
        (best, most)
    }

    /// The line that a move leads to by best play, found by looking again from each of its positions.
    fn line<W: Watcher>(&self, tree: &mut Tree<W>, root: &EvaluatedPosition, mv: Move, depth: usize) -> Vec<Move> {
        let (mut line, mut node) = (vec![mv], root.after(mv));
        for depth in (0..depth).rev() {
            let (best, _) = self.best_moves(tree, &node, &node.position.legal_moves(), depth);
            let Some(&mv) = best.first() else { break };
            line.push(mv);
            node = node.after(mv);
        }
        line
    }
}

impl Mind for TreeMind {
    fn name(&self) -> &str {
        match self.method {
            Method::Minimax => "minimax",
            Method::AlphaBeta => "alphabeta",
        }
    }

    fn choose(
        &mut self,
        game: &Game,
        allowance: &Allowance,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Result<Choice, Fault> {
        let moves = allowance.limits.moves_of(game.position());
        let Some(&first) = moves.first() else {
            return Err(Fault::new(self.name(), FaultKind::NothingToChoose));
        };
        // A limit of depth counts the move itself.
        let depth = allowance.limits.depth.map_or(self.depth, |most| self.depth.min(most.saturating_sub(1)));
        let mut tree = Tree::new(self.order, allowance, control, ());
        let (best, score) = self.best_moves(&mut tree, &EvaluatedPosition::of(game), &moves, depth);
        let drawn = self.random.as_mut().and_then(|random| random.choose(&best)).or(best.first().copied());
        let Some(mv) = drawn else {
            return Ok(Choice::Move(first));
        };
        let stats = SearchStats { nodes: tree.nodes, time: control.elapsed(), hash_full: 0, tablebase_hits: 0 };
        let moves = self.line(&mut tree, &EvaluatedPosition::of(game), mv, depth);
        let line = Line { depth: depth + 1, selective_depth: depth + 1, rank: 1, score, bound: Bound::Exact, moves };
        reporter.line(&line, &stats);
        Ok(Choice::Move(mv))
    }
}

/// Time or nodes ran out, or the search was stopped.
struct Stopped;

/// The values that matter: a line worth less than the first has a better alternative, and the opponent has a better
/// alternative to a line worth more than the second.
#[derive(Clone, Copy)]
struct Window {
    alpha: Score,
    beta: Score,
}

impl Window {
    fn new(alpha: Score) -> Window {
        Window { alpha, beta: Score::INFINITE }
    }

    /// A node that is asked about this window.
    fn visit(self, depth: usize) -> Visit {
        Visit { depth: Some(depth), alpha: self.alpha, beta: self.beta }
    }

    /// The window as the opponent sees it.
    fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// A tree while it is searched.
struct Tree<'a, W> {
    order: Order,
    control: &'a Control,
    deadline: Option<Instant>,
    most_nodes: Option<u64>,
    nodes: u64,
    is_stopped: bool,
    watcher: W,
}

/// How many positions are looked at between two looks at the clock. A power of two.
const NODES_BETWEEN_LOOKS: u64 = 1024;

impl<'a, W: Watcher> Tree<'a, W> {
    fn new(order: Order, allowance: &Allowance, control: &'a Control, watcher: W) -> Tree<'a, W> {
        let deadline = allowance.budget().and_then(|budget| control.started().checked_add(budget));
        let most_nodes = allowance.limits.nodes;
        Tree { order, control, deadline, most_nodes, nodes: 0, is_stopped: false, watcher }
    }

    fn count_node(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        let looks = self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS);
        let is_late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let is_spent = self.most_nodes.is_some_and(|most| self.nodes > most);
        self.is_stopped |= is_spent || looks && (self.control.is_stopped_at_gate() || is_late());
        if self.is_stopped { Err(Stopped) } else { Ok(()) }
    }

    /// The node is over, and this is its value.
    fn ends(&mut self, why: NodeEnd, value: Score) -> Result<Score, Stopped> {
        self.watcher.leaves(why, value);
        Ok(value)
    }

    /// A move was looked at and is taken back. If that was cut short, so is the node.
    fn taken_back(&mut self, value: Result<Score, Stopped>) -> Result<Score, Stopped> {
        self.watcher.takes_back();
        if value.is_err() {
            self.watcher.leaves(NodeEnd::Stopped, Score::DRAW);
        }
        value
    }

    /// The depth is used up: the static evaluation is the value.
    fn evaluate(&mut self, value: Score) -> Result<Score, Stopped> {
        self.watcher.evaluates();
        self.ends(NodeEnd::Horizon, value)
    }

    /// What a position is worth to the player to move, by looking at every line.
    fn minimax(&mut self, node: &EvaluatedPosition, depth: usize, ply: usize) -> Result<Score, Stopped> {
        self.count_node()?;
        self.watcher.enters(Window::new(-Score::INFINITE).visit(depth));
        if depth == 0 {
            return self.evaluate(node.value());
        }
        let moves = node.position.legal_moves();
        if let Some(value) = value_without_moves(&node.position, &moves, ply) {
            return self.ends(ending_without_moves(value), value);
        }
        let mut most = -Score::INFINITE;
        for &mv in &moves {
            self.watcher.plays(Some(mv));
            let value = match depth {
                1 => self.leaf(node, mv, Window::new(-Score::INFINITE)),
                _ => self.minimax(&node.after(mv), depth - 1, ply + 1),
            };
            most = most.max(-self.taken_back(value)?);
        }
        self.ends(NodeEnd::AllMoves, most)
    }

    /// The same, cut to the window, without the lines that lie outside it.
    fn alpha_beta(
        &mut self,
        node: &EvaluatedPosition,
        depth: usize,
        ply: usize,
        mut window: Window,
    ) -> Result<Score, Stopped> {
        self.count_node()?;
        self.watcher.enters(window.visit(depth));
        if depth == 0 {
            return self.evaluate(node.value());
        }
        let position = &node.position;
        let moves = position.legal_moves();
        if let Some(value) = value_without_moves(position, &moves, ply) {
            return self.ends(ending_without_moves(value), value);
        }
        let order = self.order;
        let is_early = |mv: Move| order == Order::AsGenerated || position.is_capture(mv);
        let in_order = [true, false]
            .into_iter()
            .flat_map(|are_early| moves.iter().copied().filter(move |&mv| is_early(mv) == are_early));
        for mv in in_order {
            self.watcher.plays(Some(mv));
            let value = match depth {
                1 => self.leaf(node, mv, window.turned()),
                _ => self.alpha_beta(&node.after(mv), depth - 1, ply + 1, window.turned()),
            };
            let value = -self.taken_back(value)?;
            if value >= window.beta {
                return self.ends(NodeEnd::Cutoff, window.beta);
            }
            window.alpha = window.alpha.max(value);
        }
        self.ends(NodeEnd::AllMoves, window.alpha)
    }

    /// What a move leads to on the last ply, for the opponent.
    fn leaf(&mut self, node: &EvaluatedPosition, mv: Move, window: Window) -> Result<Score, Stopped> {
        self.count_node()?;
        self.watcher.enters(window.visit(0));
        self.evaluate(node.value_after(mv))
    }
}

/// What a position is worth to a player who has no move in it.
fn value_without_moves(position: &Position, moves: &MoveList, ply: usize) -> Option<Score> {
    match moves.is_empty() {
        false => None,
        true if position.is_check() => Some(Score::mated_in(ply)),
        true => Some(Score::DRAW),
    }
}

/// Why a player has no move who has none.
fn ending_without_moves(value: Score) -> NodeEnd {
    if value == Score::DRAW { NodeEnd::Stalemate } else { NodeEnd::Mate }
}
