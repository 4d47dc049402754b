//! The services as lines of text: a question a line, an answer a line.

use std::fmt::{Display, Write as _};

use super::{BadMove, Move, Services};

/// A conversation about one position, which begins with the start of a game.
///
/// ```
/// use saavedra_classic::services::ServicesSession;
///
/// let mut session = ServicesSession::new();
/// assert_eq!(session.answer("position 7k/8/8/8/8/8/6P1/K7 w - - 0 1"), Some("ok".to_owned()));
/// assert_eq!(session.answer("legal"), Some("ok 0,1 0,8 0,9 14,22 14,30".to_owned()));
/// assert_eq!(session.answer("make 14,30"), Some("ok captured 0 mask 0 passed - clock 0".to_owned()));
/// assert_eq!(session.answer("make 14,30"), Some("error 14,30 is not a pseudo-legal move here".to_owned()));
/// assert_eq!(session.answer("unmake"), Some("ok".to_owned()));
/// assert_eq!(session.answer("quit"), None);
/// ```
pub struct ServicesSession {
    world: Services,
}

/// The questions, and what they are answered with.
const HELP: &str = "position FEN | fen | pieces | piece SQUARE | turn | mask | check | pseudo-legal | captures | legal | \
                    remove-illegal MOVES | make MOVE | unmake | help | quit";

impl Default for ServicesSession {
    fn default() -> ServicesSession {
        ServicesSession::new()
    }
}

impl ServicesSession {
    /// The longest line that is worth reading: more than all moves of any position.
    pub const LONGEST_LINE: usize = 16 << 10;

    /// The start of a game.
    pub fn new() -> ServicesSession {
        let start = rules::Position::initial().to_string();
        ServicesSession { world: Services::read_fen(&start).expect("a game starts with a legal position") }
    }

    /// The answer to a line: `ok` with what was asked for, or `error` with what was wrong. None ends the conversation.
    pub fn answer(&mut self, line: &str) -> Option<String> {
        let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let rest = rest.trim();
        if word == "quit" {
            return None;
        }
        Some(match self.ask(word, rest) {
            Ok(told) if told.is_empty() => "ok".to_owned(),
            Ok(told) => format!("ok {told}"),
            Err(reason) => format!("error {reason}"),
        })
    }

    fn ask(&mut self, word: &str, rest: &str) -> Result<String, String> {
        let takes_text = matches!(word, "position" | "piece" | "remove-illegal" | "make");
        let is_known = || HELP.split([' ', '|']).any(|known| known == word);
        if !takes_text && !rest.is_empty() && is_known() {
            return Err(format!("{word} stands alone"));
        }
        let world = &mut self.world;
        Ok(match word {
            "position" => {
                *world = Services::read_fen(rest).map_err(|error| error.to_string())?;
                String::new()
            }
            "fen" => world.fen(),
            "pieces" => joined(world.pieces()),
            "piece" => {
                let square = rest.parse().ok().filter(|square| *square < 64);
                let unknown = || format!("{rest:?} is not a square: expected a number from 0 to 63");
                world.piece(square.ok_or_else(unknown)?).to_string()
            }
            "turn" => if world.white_to_move() { "white" } else { "black" }.to_owned(),
            "mask" => world.castle_mask().to_string(),
            "check" => if world.in_check() { "yes" } else { "no" }.to_owned(),
            "pseudo-legal" => joined(world.pseudo_legal_moves()),
            "captures" => joined(world.pseudo_legal_captures()),
            "legal" => joined(world.legal_moves()),
            "remove-illegal" => {
                let mut moves = rest.split_whitespace().map(read).collect::<Result<Vec<_>, _>>()?;
                world.remove_illegal(&mut moves);
                joined(moves)
            }
            "make" => self.make(rest)?,
            "unmake" => self.unmake()?,
            "help" => HELP.to_owned(),
            _ => {
                let start: String = word.chars().take(40).collect();
                return Err(format!("there is no question {start:?}: {HELP}"));
            }
        })
    }

    fn make(&mut self, text: &str) -> Result<String, String> {
        let undo = self.world.make_move(read(text)?).map_err(|error| error.to_string())?;
        let passed = undo.passed.map_or("-".to_owned(), |square| square.to_string());
        Ok(format!("captured {} mask {} passed {passed} clock {}", undo.captured, undo.castle_mask, undo.clock))
    }

    fn unmake(&mut self) -> Result<String, String> {
        let last = self.world.last_undo().ok_or(BadMove::NothingMade);
        let taken_back = last.and_then(|(mv, undo)| self.world.unmake_move(mv, undo));
        taken_back.map(|()| String::new()).map_err(|error| error.to_string())
    }
}

fn read(text: &str) -> Result<Move, String> {
    text.parse().map_err(|error: BadMove| error.to_string())
}

fn joined<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().fold(String::new(), |mut text, item| {
        let space = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{space}{item}");
        text
    })
}
