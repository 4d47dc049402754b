//! Trees to text, in the export format of the standard.

use std::fmt;

use rules::{Color, Game, Position};

use super::{GameTree, Node, NodeId};

/// The widest line of moves: fewer than eighty letters.
const WIDTH: usize = 79;

/// Writes the game: its tags, an empty line, its moves and its result, with a line end at the end. In a file, another
/// empty line comes between games.
impl fmt::Display for GameTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.tags.roster() {
            write_tag(f, name, value)?;
        }
        if *self.start() != Position::initial() {
            write_tag(f, "SetUp", "1")?;
            write_tag(f, "FEN", &self.start().to_string())?;
        }
        for (name, value) in self.tags.others() {
            write_tag(f, name, value)?;
        }
        writeln!(f)?;
        let mut text = Movetext { out: f, width: 0, word: String::new(), prefix: "" };
        text.tree(self)?;
        text.word(self.result().as_str())?;
        text.end_word()?;
        writeln!(f)
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    writeln!(f, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The moves of a game with their numbers, word by word: `1.`, `e4`, `e5`, `2.`, `Nf3`.
pub fn movetext(game: &Game) -> Vec<String> {
    let mut words = Vec::new();
    for (position, mv) in game.positions().iter().zip(game.moves()) {
        words.extend(number(position, words.is_empty()));
        words.push(position.san(*mv));
    }
    words
}

/// The number before a move: White's always have one, Black's where the line was broken.
fn number(position: &Position, is_due: bool) -> Option<String> {
    match position.turn() {
        Color::White => Some(format!("{}.", position.fullmove_number())),
        Color::Black => is_due.then(|| format!("{}...", position.fullmove_number())),
    }
}

/// Words in lines of limited width.
struct Movetext<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    width: usize,
    /// The last word, which a bracket may still join.
    word: String,
    /// What joins the next word.
    prefix: &'static str,
}

/// What is still to be written, the next thing last.
enum Task {
    /// The moves after a node. Black's first needs its number if the line was broken.
    Follow {
        node: NodeId,
        position: Position,
        is_number_due: bool,
    },
    /// A variation from its first move on.
    Branch {
        node: NodeId,
        position: Position,
    },
    CloseVariation,
}

impl Movetext<'_, '_> {
    fn tree(&mut self, tree: &GameTree) -> fmt::Result {
        self.remarks(tree.node(NodeId::ROOT))?;
        let mut tasks = vec![Task::Follow { node: NodeId::ROOT, position: *tree.start(), is_number_due: true }];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Follow { node, position, is_number_due } => {
                    let Some((&played, variations)) = tree.node(node).children().split_first() else { continue };
                    let (next, is_remarked) = self.played(tree.node(played), &position, is_number_due)?;
                    let is_number_due = is_remarked || !variations.is_empty();
                    tasks.push(Task::Follow { node: played, position: next, is_number_due });
                    tasks.extend(variations.iter().rev().map(|&node| Task::Branch { node, position }));
                }
                Task::Branch { node, position } => {
                    self.end_word()?;
                    self.prefix = "(";
                    for comment in tree.node(node).comments_before() {
                        self.comment([], comment)?;
                    }
                    let (next, is_number_due) = self.played(tree.node(node), &position, true)?;
                    tasks.push(Task::CloseVariation);
                    tasks.push(Task::Follow { node, position: next, is_number_due });
                }
                Task::CloseVariation => self.word.push(')'),
            }
        }
        Ok(())
    }

    /// Writes a move with what is said about it. Returns where it leads, and whether a comment broke the line.
    fn played(
        &mut self,
        node: &Node,
        position: &Position,
        is_number_due: bool,
    ) -> Result<(Position, bool), fmt::Error> {
        let mv = node.mv().expect("only the root has no move");
        if let Some(number) = number(position, is_number_due) {
            self.word(&number)?;
        }
        self.word(&position.san(mv))?;
        let is_remarked = self.remarks(node)?;
        Ok((position.play_unchecked(mv), is_remarked))
    }

    fn remarks(&mut self, node: &Node) -> Result<bool, fmt::Error> {
        for nag in &node.nags {
            self.word(&format!("${}", nag.0))?;
        }
        let mut directives: Vec<String> = node.annotations().directives().collect();
        let is_remarked = !directives.is_empty() || !node.comments().is_empty();
        if node.comments().is_empty() && is_remarked {
            self.comment(std::mem::take(&mut directives), "")?;
        }
        for comment in node.comments() {
            self.comment(std::mem::take(&mut directives), comment)?;
        }
        Ok(is_remarked)
    }

    /// A comment: directives, which are kept in one piece, and words.
    fn comment(&mut self, directives: impl IntoIterator<Item = String>, text: &str) -> fmt::Result {
        let words = text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned);
        let mut opening = "{";
        for word in directives.into_iter().chain(words) {
            self.word(&format!("{opening}{word}"))?;
            opening = "";
        }
        self.word.push('}');
        Ok(())
    }

    /// Begins a new word.
    fn word(&mut self, word: &str) -> fmt::Result {
        self.end_word()?;
        self.word.push_str(std::mem::take(&mut self.prefix));
        self.word.push_str(word);
        Ok(())
    }

    fn end_word(&mut self) -> fmt::Result {
        if self.word.is_empty() {
            return Ok(());
        }
        let length = self.word.chars().count();
        if self.width > 0 && self.width + 1 + length > WIDTH {
            self.out.write_str("\n")?;
            self.width = 0;
        } else if self.width > 0 {
            self.out.write_str(" ")?;
            self.width += 1;
        }
        self.out.write_str(&self.word)?;
        self.width += length;
        self.word.clear();
        Ok(())
    }
}
