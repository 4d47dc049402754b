//! Trees from streams.

use std::io::{self, Read};

use rules::{Move, Position};

use super::text::decode;
use super::{CommentText, GameTree, Interest, Nag, NodeId, PgnError, PgnResult, Reader, TagText, Visitor};

/// Reads the games of a stream as trees. A game that is spoiled is an error, and the next one follows.
pub fn games<R: Read>(stream: R) -> Games<R> {
    Games { reader: Reader::new(stream), is_over: false }
}

/// The games of a stream: see [`games`].
pub struct Games<R> {
    reader: Reader<R>,
    is_over: bool,
}

impl<R: Read> Games<R> {
    /// The next game as far as it could be read, with what spoiled it.
    pub fn next_game(&mut self) -> io::Result<Option<(GameTree, Option<super::Problem>)>> {
        let mut builder = Builder::default();
        let report = self.reader.read_game(&mut builder)?;
        Ok(report.map(|report| (builder.tree, report.problem)))
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<GameTree, PgnError>;

    fn next(&mut self) -> Option<Result<GameTree, PgnError>> {
        if self.is_over {
            return None;
        }
        match self.next_game() {
            Ok(Some((tree, None))) => Some(Ok(tree)),
            Ok(Some((_, Some(problem)))) => Some(Err(problem.into())),
            Ok(None) => {
                self.is_over = true;
                None
            }
            Err(error) => {
                self.is_over = true;
                Some(Err(error.into()))
            }
        }
    }
}

/// Writes down what the reader tells.
struct Builder {
    tree: GameTree,
    node: NodeId,
    /// The nodes at which the lines around the current variation will go on.
    outer: Vec<NodeId>,
    /// Whether a variation has begun and has no move yet, with what was said since.
    opening: Option<Vec<String>>,
}

impl Default for Builder {
    fn default() -> Builder {
        Builder { tree: GameTree::default(), node: NodeId::ROOT, outer: Vec::new(), opening: None }
    }
}

impl Visitor for Builder {
    fn tag(&mut self, name: &[u8], value: TagText<'_>) {
        self.tree.tags.set(&decode(name), &value.decode());
    }

    fn start(&mut self, position: &Position) -> Interest {
        self.tree.set_start(*position);
        Interest::Read
    }

    fn played(&mut self, mv: Move, _before: &Position, _after: &Position) {
        self.node = self.tree.add_legal(self.node, mv);
        for comment in self.opening.take().unwrap_or_default() {
            self.tree.add_comment_before(self.node, &comment);
        }
    }

    fn comment(&mut self, text: CommentText<'_>) {
        match &mut self.opening {
            Some(comments) => comments.push(text.decode().into_owned()),
            None => self.tree.node_mut(self.node).add_comment(&text.decode()),
        }
    }

    fn nag(&mut self, nag: Nag) {
        // Before the first move of a variation there is nothing that it could be about.
        if self.opening.is_none() {
            self.tree.node_mut(self.node).nags.push(nag);
        }
    }

    fn begin_variation(&mut self) -> Interest {
        self.outer.push(self.node);
        self.node = self.tree.node(self.node).parent().unwrap_or(NodeId::ROOT);
        self.opening = Some(Vec::new());
        Interest::Read
    }

    fn end_variation(&mut self) {
        self.node = self.outer.pop().unwrap_or(NodeId::ROOT);
        self.opening = None;
    }

    fn result(&mut self, result: PgnResult) {
        // The tag was written by an author who knew how the game ended; the moves may have been cut off.
        if self.tree.result() == PgnResult::Unknown {
            self.tree.tags.set_result(result);
        }
    }
}
