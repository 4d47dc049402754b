//! A game as a tree: the moves that were played, and those that could have been.

use std::time::Duration;

use rules::{Game, IllegalMove, Move, Position};

use super::annotation::{Annotations, extract, normalize};
use super::{Eval, PgnResult, Tags};

/// A glyph that comments on a move by its number: 1 is `!`, 4 is `??`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nag(pub u8);

/// The place of a node in its tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The start of the game, before any move.
    pub const ROOT: NodeId = NodeId(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A move and what is said about it. Only the root has no move.
#[derive(Clone, Debug)]
pub struct Node {
    mv: Option<Move>,
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    comments_before: Vec<String>,
    comments: Vec<String>,
    /// The glyphs of the move.
    pub nags: Vec<Nag>,
    /// What the player's clock showed after the move.
    pub clock: Option<Duration>,
    /// The time the move took.
    pub elapsed: Option<Duration>,
    /// What an engine thinks of the position after the move.
    pub eval: Option<Eval>,
}

impl Node {
    fn new(mv: Option<Move>, parent: Option<NodeId>) -> Node {
        Node {
            mv,
            parent,
            children: Vec::new(),
            comments_before: Vec::new(),
            comments: Vec::new(),
            nags: Vec::new(),
            clock: None,
            elapsed: None,
            eval: None,
        }
    }

    /// The move.
    pub fn mv(&self) -> Option<Move> {
        self.mv
    }

    /// Where the move was played.
    pub fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// What was played then, and after it the variations.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    /// What is said after the move.
    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    /// What is said before the move, which only the first of a variation can have.
    pub fn comments_before(&self) -> &[String] {
        &self.comments_before
    }

    /// Adds a comment after the move. Clocks and evaluations in it are taken as such, line breaks as blanks, and a
    /// closing brace becomes a bracket.
    pub fn add_comment(&mut self, text: &str) {
        let mut found = Annotations { clock: self.clock, elapsed: self.elapsed, eval: self.eval };
        let rest = extract(text, &mut found);
        Annotations { clock: self.clock, elapsed: self.elapsed, eval: self.eval } = found;
        if !rest.is_empty() {
            self.comments.push(rest);
        }
    }

    pub(super) fn annotations(&self) -> Annotations {
        Annotations { clock: self.clock, elapsed: self.elapsed, eval: self.eval }
    }

    /// Whether everything but the place in the tree is the same.
    fn says_the_same(&self, other: &Node) -> bool {
        self.mv == other.mv
            && self.children.len() == other.children.len()
            && self.comments_before == other.comments_before
            && self.comments == other.comments
            && self.nags == other.nags
            && self.annotations() == other.annotations()
    }
}

/// A game with its tags, its moves and their variations, all of them legal.
///
/// ```
/// use saavedra_records::pgn::{GameTree, NodeId};
/// use saavedra_records::rules::Position;
///
/// let start = Position::initial();
/// let mut tree = GameTree::new(start);
/// tree.tags.set("White", "Ruy Lopez");
/// let e4 = tree.add(NodeId::ROOT, start.parse_san("e4")?)?;
/// tree.add(NodeId::ROOT, start.parse_san("d4")?)?;
/// tree.node_mut(e4).add_comment("best by test");
/// assert!(tree.to_string().ends_with("\n\n1. e4 {best by test} (1. d4) *\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameTree {
    /// What is told of the game.
    pub tags: Tags,
    start: Position,
    /// The root comes first, and every node after its parent. One list, so that however deep a tree is, nothing that
    /// walks or drops it calls itself.
    nodes: Vec<Node>,
}

impl Default for GameTree {
    fn default() -> GameTree {
        GameTree::new(Position::initial())
    }
}

impl From<&Game> for GameTree {
    fn from(game: &Game) -> GameTree {
        let mut tree = GameTree::new(*game.start());
        for &mv in game.moves() {
            let last = NodeId(tree.nodes.len() as u32 - 1);
            tree.add_legal(last, mv);
        }
        tree.tags.set_result(game.outcome().map_or(PgnResult::Unknown, PgnResult::from));
        tree
    }
}

impl GameTree {
    /// A game without moves. If it needs the rules of Chess960, it gets the tag that says so.
    pub fn new(start: Position) -> GameTree {
        let mut tree = GameTree { tags: Tags::default(), start, nodes: vec![Node::new(None, None)] };
        tree.mark_variant();
        tree
    }

    /// Moves the start of a game that has no moves yet.
    pub(super) fn set_start(&mut self, start: Position) {
        self.start = start;
        self.mark_variant();
    }

    fn mark_variant(&mut self) {
        if self.start.is_chess960() && self.tags.get("Variant").is_none() {
            self.tags.set("Variant", "Chess960");
        }
    }

    /// Where the game starts.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The result.
    pub fn result(&self) -> PgnResult {
        self.tags.result()
    }

    /// How many moves there are, in all variations.
    pub fn move_count(&self) -> usize {
        self.nodes.len() - 1
    }

    /// A node.
    ///
    /// # Panics
    /// If it is of another tree that has more.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// A node, to say more about it.
    ///
    /// # Panics
    /// If it is of another tree that has more.
    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// Says something before the first move of a variation. Before any other move, it is said after the one before.
    pub fn add_comment_before(&mut self, id: NodeId, text: &str) {
        match self.node(id).parent {
            Some(parent) if self.node(parent).children.first() == Some(&id) => self.node_mut(parent).add_comment(text),
            _ => {
                let text = normalize(text);
                if !text.is_empty() {
                    self.node_mut(id).comments_before.push(text);
                }
            }
        }
    }

    /// Adds a move after a node: as the one that was played if it is the first there, else as a variation.
    pub fn add(&mut self, parent: NodeId, mv: Move) -> Result<NodeId, IllegalMove> {
        self.add_line(parent, &[mv])
    }

    /// Adds moves one after the other and returns the last node. If one is not legal, nothing is added.
    pub fn add_line(&mut self, parent: NodeId, moves: &[Move]) -> Result<NodeId, IllegalMove> {
        moves.iter().try_fold(self.position(parent), |position, &mv| position.play(mv))?;
        Ok(moves.iter().fold(parent, |node, &mv| self.add_legal(node, mv)))
    }

    pub(super) fn add_legal(&mut self, parent: NodeId, mv: Move) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("memory ends before the numbers do"));
        self.nodes.push(Node::new(Some(mv), Some(parent)));
        self.nodes[parent.index()].children.push(id);
        id
    }

    /// The position after the move of a node.
    pub fn position(&self, id: NodeId) -> Position {
        let line = std::iter::successors(Some(id), |&id| self.node(id).parent);
        let moves: Vec<Move> = line.filter_map(|id| self.node(id).mv).collect();
        moves.iter().rev().fold(self.start, |position, &mv| position.play_unchecked(mv))
    }

    /// The nodes of the moves that were played.
    pub fn mainline(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.node(NodeId::ROOT).children.first(), |&&id| self.node(id).children.first()).copied()
    }

    /// The moves that were played, as a game.
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        for mv in self.mainline().filter_map(|id| self.node(id).mv) {
            game.play(mv).expect("a tree holds legal moves");
        }
        game
    }
}

/// Trees are equal if they say the same, in whatever order their moves were added.
impl PartialEq for GameTree {
    fn eq(&self, other: &GameTree) -> bool {
        let mut pairs = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((mine, theirs)) = pairs.pop() {
            let (mine, theirs) = (self.node(mine), other.node(theirs));
            if !mine.says_the_same(theirs) {
                return false;
            }
            pairs.extend(mine.children.iter().copied().zip(theirs.children.iter().copied()));
        }
        self.tags == other.tags && self.start == other.start
    }
}

impl Eq for GameTree {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_may_be_as_deep_as_memory_allows() {
        let mut moves = Vec::new();
        let mut position = Position::initial();
        for san in ["Nf3", "Nf6", "Ng1", "Ng8"] {
            moves.push(position.parse_san(san).expect("a legal move"));
            position = position.play(moves[moves.len() - 1]).expect("a legal move");
        }
        // Every move has a variation of the same move, and the game goes on in the variation.
        let mut tree = GameTree::default();
        let mut last = NodeId::ROOT;
        for &mv in moves.iter().cycle().take(200_000) {
            tree.add_legal(last, mv);
            last = tree.add_legal(last, mv);
        }
        assert!(tree == tree.clone());
        assert_eq!(tree.position(last).halfmove_clock(), u16::MAX, "the counter stands still at its end");
        let text = tree.to_string();
        assert_eq!(text.matches('(').count(), 200_000);
    }
}
