//! The score sheet of a game as it is stored: what lists show, the moves, and the positions by which it is found.
//!
//! The main line is two bytes a move, as Polyglot books write it. Only a game with variations, comments, glyphs, clocks
//! or evaluations has its movetext too.

use records::pgn::{self, GameTree, NodeId, PgnResult, Tags};
use records::polyglot::{self, RawMove};
use records::{eco, pgn::PgnError};
use rules::Position;
use thiserror::Error;

/// A game in the form in which it is stored.
pub(crate) struct Sheet {
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) white_elo: Option<u16>,
    pub(crate) black_elo: Option<u16>,
    pub(crate) event: String,
    pub(crate) date: String,
    pub(crate) year: Option<u16>,
    pub(crate) result: PgnResult,
    pub(crate) eco: Option<&'static str>,
    pub(crate) opening: Option<&'static str>,
    pub(crate) plies: usize,
    /// The last position.
    pub(crate) fen: String,
    pub(crate) text: SheetText,
    pub(crate) visits: Vec<Visit>,
}

/// What a game is read back from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SheetText {
    /// Where the game starts, if not at the starting position.
    pub(crate) start: Option<String>,
    /// All tags but the result, as a JSON list of pairs.
    pub(crate) tags: String,
    /// The main line.
    pub(crate) line: Vec<u8>,
    /// The movetext, if it says more than the main line.
    pub(crate) movetext: Option<String>,
}

/// A position of the main line, and what was played there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Visit {
    pub(crate) key: i64,
    pub(crate) ply: u16,
    /// The move as a Polyglot book writes it; 0 in the last position.
    pub(crate) mv: u16,
}

/// A sheet that makes no sense. The server writes none: the file was changed from outside.
#[derive(Debug, Error)]
pub(crate) enum BadSheet {
    #[error("the start cannot be read: {0}")]
    Start(#[from] rules::FenError),
    #[error("the tags cannot be read: {0}")]
    Tags(#[from] serde_json::Error),
    #[error("move {0} is not legal")]
    Move(usize),
    #[error("the movetext cannot be read: {0}")]
    Movetext(#[from] PgnError),
}

/// The key by which a position is found. It is Polyglot's, because that never changes.
pub(crate) fn key(position: &Position) -> i64 {
    polyglot::key(position).cast_signed()
}

/// A number for a result, as it is stored: from Black's win to White's, and 3 if it is not known.
pub(crate) fn result_number(result: PgnResult) -> u8 {
    match result {
        PgnResult::BlackWins => 0,
        PgnResult::Draw => 1,
        PgnResult::WhiteWins => 2,
        PgnResult::Unknown => 3,
    }
}

/// The result with a number.
pub(crate) fn result_of(number: u8) -> PgnResult {
    match number {
        0 => PgnResult::BlackWins,
        1 => PgnResult::Draw,
        2 => PgnResult::WhiteWins,
        _ => PgnResult::Unknown,
    }
}

impl Sheet {
    pub(crate) fn of(tree: &GameTree) -> Sheet {
        let known =
            |name: &str| tree.tags.get(name).filter(|value| !value.contains('?')).unwrap_or_default().to_owned();
        let elo = |name: &str| tree.tags.get(name).and_then(|value| value.trim().parse().ok());
        let game = tree.game();
        let opening = eco::classify(game.positions()).map(|opening| opening.name);
        let date = tree.tags.get("Date").unwrap_or_default().to_owned();
        let mut line = Vec::with_capacity(2 * game.moves().len());
        let mut visits = Vec::with_capacity(game.moves().len() + 1);
        let moves = game.moves().iter().map(|&mv| RawMove::new(mv).0).chain([0]);
        for (ply, (position, mv)) in game.positions().iter().zip(moves).enumerate() {
            // A game is not found by what comes after so many moves.
            let Ok(ply) = u16::try_from(ply) else { break };
            visits.push(Visit { key: key(position), ply, mv });
        }
        for &mv in game.moves() {
            line.extend(RawMove::new(mv).0.to_le_bytes());
        }
        Sheet {
            white: known("White"),
            black: known("Black"),
            white_elo: elo("WhiteElo"),
            black_elo: elo("BlackElo"),
            event: known("Event"),
            year: date.get(..4).and_then(|year| year.parse().ok()),
            date: if date.starts_with('?') { String::new() } else { date },
            result: tree.result(),
            eco: opening.map(|name| name.eco.as_str()),
            opening: opening.map(|name| name.name.as_str()),
            plies: game.moves().len(),
            fen: game.position().to_string(),
            text: SheetText {
                start: (*tree.start() != Position::initial()).then(|| tree.start().to_string()),
                tags: tags_text(&tree.tags),
                line,
                movetext: (!is_plain(tree)).then(|| movetext(tree)),
            },
            visits,
        }
    }
}

fn tags_text(tags: &Tags) -> String {
    let pairs: Vec<(&str, &str)> = tags.roster().filter(|(name, _)| *name != "Result").chain(tags.others()).collect();
    serde_json::to_string(&pairs).unwrap_or_else(|_| "[]".to_owned())
}

/// Whether the main line says everything.
fn is_plain(tree: &GameTree) -> bool {
    let is_bare = |id: NodeId| {
        let node = tree.node(id);
        node.comments().is_empty()
            && node.nags.is_empty()
            && node.clock.is_none()
            && node.elapsed.is_none()
            && node.eval.is_none()
    };
    is_bare(NodeId::ROOT) && tree.mainline().all(is_bare) && tree.mainline().count() == tree.move_count()
}

/// The moves as PGN has them, after the empty line that ends the tags.
fn movetext(tree: &GameTree) -> String {
    let text = tree.to_string();
    text.split_once("\n\n").map_or(String::new(), |(_, moves)| moves.trim_end().to_owned())
}

impl SheetText {
    /// A game without moves.
    pub(crate) fn empty() -> SheetText {
        SheetText { start: None, tags: "[]".to_owned(), line: Vec::new(), movetext: None }
    }

    /// The game that was stored.
    pub(crate) fn tree(&self, result: PgnResult) -> Result<GameTree, BadSheet> {
        let mut tree = match &self.movetext {
            Some(movetext) => self.read(movetext)?,
            None => self.replay()?,
        };
        let pairs: Vec<(String, String)> = serde_json::from_str(&self.tags)?;
        for (name, value) in pairs {
            tree.tags.set(&name, &value);
        }
        tree.tags.set_result(result);
        Ok(tree)
    }

    fn start(&self) -> Result<Position, BadSheet> {
        Ok(self.start.as_deref().map_or(Ok(Position::initial()), str::parse)?)
    }

    fn replay(&self) -> Result<GameTree, BadSheet> {
        let start = self.start()?;
        let (mut position, mut moves) = (start, Vec::with_capacity(self.line.len() / 2));
        for (index, bytes) in self.line.chunks_exact(2).enumerate() {
            let raw = RawMove(u16::from_le_bytes([bytes[0], bytes[1]]));
            let mv = raw.read(&position).ok_or(BadSheet::Move(index + 1))?;
            moves.push(mv);
            position = position.play_unchecked(mv);
        }
        let mut tree = GameTree::new(start);
        tree.add_line(NodeId::ROOT, &moves).map_err(|_| BadSheet::Move(moves.len()))?;
        Ok(tree)
    }

    fn read(&self, movetext: &str) -> Result<GameTree, BadSheet> {
        let fen = self.start.as_ref().map_or(String::new(), |fen| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n"));
        let text = format!("[Event \"?\"]\n{fen}\n{movetext}\n");
        match pgn::games(text.as_bytes()).next() {
            Some(game) => Ok(game?),
            None => self.replay(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> GameTree {
        pgn::games(text.as_bytes()).next().expect("a game").expect("a good one")
    }

    #[test]
    fn a_game_comes_back_as_it_was_stored() {
        for text in [
            "[White \"Ada\"]\n[Black \"Bea\"]\n[WhiteElo \"1500\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0",
            "{Before} 1. e4 $1 {[%cal Ge2e4] [%clk 0:01:00] good} (1. d4 {solid} d5 (1... Nf6)) 1... e5 *",
            "[FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"]\n\n1. O-O Kd7 2. e4 {[%emt 0:00:02]} 1/2-1/2",
            "[Variant \"Chess960\"]\n[FEN \"bqnnrkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRKRB w KQkq - 0 1\"]\n\n1. e4 e5 *",
            "[Event \"A \\\"quoted\\\" one\"]\n\n*",
        ] {
            let tree = read(text);
            let sheet = Sheet::of(&tree);
            let back = sheet.text.tree(sheet.result).expect("a good sheet");
            assert_eq!(back.to_string(), tree.to_string());
            assert_eq!(sheet.text.line.len(), 2 * sheet.plies);
            assert_eq!(sheet.visits.len(), sheet.plies + 1);
        }
    }

    #[test]
    fn only_what_the_line_does_not_say_is_kept_as_text() {
        assert_eq!(Sheet::of(&read("1. e4 e5 *")).text.movetext, None);
        let annotated = Sheet::of(&read("1. e4 e5 {symmetrical} *")).text.movetext;
        assert_eq!(annotated.as_deref(), Some("1. e4 e5 {symmetrical} *"));
    }

    #[test]
    fn lists_get_what_is_known() {
        let sheet = Sheet::of(&read(
            "[White \"Carlsen, Magnus\"]\n[Black \"?\"]\n[Date \"1997.??.??\"]\n[BlackElo \"2700\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *",
        ));
        assert_eq!((sheet.white.as_str(), sheet.black.as_str(), sheet.year), ("Carlsen, Magnus", "", Some(1997)));
        assert_eq!((sheet.eco, sheet.opening), (Some("C60"), Some("Ruy Lopez")));
        assert_eq!((sheet.white_elo, sheet.black_elo, sheet.date.as_str()), (None, Some(2700), "1997.??.??"));
    }

    #[test]
    fn a_damaged_line_is_named() {
        let text = SheetText { start: None, tags: "[]".to_owned(), line: vec![1, 2, 3, 4], movetext: None };
        assert_eq!(text.tree(PgnResult::Unknown).expect_err("no such move").to_string(), "move 1 is not legal");
    }
}
