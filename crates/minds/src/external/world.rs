//! The founding document's world: a program is handed a position and answers with two square numbers.
//!
//! A run is a process. It starts with the game; for every move it reads the position as FEN on one line and answers
//! with one line `from,to`, squares counted from a1 = 0 along the ranks to h8 = 63; when the run ends, so does its
//! input. A pawn that reaches the last rank becomes a queen. A program that cannot make sense of a position answers
//! `0,0`, and forfeits the game.

use programs::CommandLine;
use rules::{Game, Move, Position, Role, Square, UciMove};

use super::line::{LineMind, LineProtocol};
use crate::{Allowance, Choice, FaultKind};

/// The answer that forfeits the game.
const FORFEIT: &str = "0,0";

impl LineMind {
    /// A program that speaks the world's protocol and is started with every game.
    pub fn world(command: CommandLine) -> LineMind {
        let question = |game: &Game, _: &Allowance| game.position().to_string();
        LineMind::speaking(LineProtocol { greeting: None, question, read_answer }, command)
    }
}

/// The line that answers with a move in the world's protocol. Every promotion is read as one to a queen.
pub fn world_answer(position: &Position, mv: Option<Move>) -> String {
    let Some(mv) = mv else { return FORFEIT.to_owned() };
    // The king's own target is what the world understands; the notation knows it.
    let to = position.uci(mv).parse::<UciMove>().map_or(mv.to(), |written| written.to);
    format!("{},{}", mv.from().index(), to.index())
}

fn read_answer(position: &Position, text: &str) -> Result<Choice, FaultKind> {
    let square = |number: &str| number.trim().parse().ok().and_then(Square::from_index);
    let squares = text.split_once(',').and_then(|(from, to)| Some((square(from)?, square(to)?)));
    let mv = match squares {
        Some((Square::A1, Square::A1)) => return Err(FaultKind::Forfeited),
        Some((from, to)) => {
            let resolve = |promotion| UciMove { from, to, promotion }.resolve(position).ok();
            resolve(None).or_else(|| resolve(Some(Role::Queen)))
        }
        None => None,
    };
    mv.map(Choice::Move).ok_or_else(|| {
        let text = match squares {
            Some((from, to)) => format!("{text} ({from}{to})"),
            None => text.to_owned(),
        };
        FaultKind::IllegalMove { text, fen: position.to_string() }
    })
}
