//! The founding document's world: a program is handed a position and answers with two square numbers.
//!
//! A run is a process. It starts with the game; for every move it reads the position as FEN on one line and answers
//! with one line `from,to`, squares counted from a1 = 0 along the ranks to h8 = 63; when the run ends, so does its
//! input. A pawn that reaches the last rank becomes a queen. A program that cannot make sense of a position answers
//! `0,0`, and forfeits the game.

use std::time::Duration;

use programs::CommandLine;
use rules::{Game, Move, Position, Role, Square, UciMove};
use search::{Control, Reporter};

use super::line::ask;
use super::process::EngineProcess;
use crate::{Allowance, Choice, Fault, FaultKind, GameEnd, Mind};

/// The answer that forfeits the game.
const FORFEIT: &str = "0,0";

/// A program in another process that speaks the world's protocol.
pub struct WorldMind {
    process: EngineProcess,
}

impl WorldMind {
    /// A program that is started with every game.
    pub fn new(command: CommandLine) -> WorldMind {
        WorldMind { process: EngineProcess::new(command, None) }
    }

    /// The line that answers with a move, for a program that plays by this protocol. Every promotion is read as one to
    /// a queen.
    pub fn answer(position: &Position, mv: Option<Move>) -> String {
        let Some(mv) = mv else { return FORFEIT.to_owned() };
        // The king's own target is what the world understands; the notation knows it.
        let to = position.uci(mv).parse::<UciMove>().map_or(mv.to(), |written| written.to);
        format!("{},{}", mv.from().index(), to.index())
    }

    fn read_answer(&self, position: &Position, text: &str) -> Result<Choice, Fault> {
        let square = |number: &str| number.trim().parse().ok().and_then(Square::from_index);
        let squares = text.split_once(',').and_then(|(from, to)| Some((square(from)?, square(to)?)));
        let mv = match squares {
            Some((Square::A1, Square::A1)) => return Err(self.process.fault(FaultKind::Forfeited)),
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
            self.process.fault(FaultKind::IllegalMove { text, fen: position.to_string() })
        })
    }
}

impl Mind for WorldMind {
    fn name(&self) -> &str {
        &self.process.name
    }

    fn new_game(&mut self, _start: &Position) -> Result<(), Fault> {
        self.process.start()
    }

    fn choose(
        &mut self,
        game: &Game,
        allowance: &Allowance,
        control: &Control,
        _reporter: &mut dyn Reporter,
    ) -> Result<Choice, Fault> {
        let answer = ask(&mut self.process, &game.position().to_string(), allowance, control)?;
        self.read_answer(game.position(), &answer)
    }

    fn time_taken(&self) -> Option<Duration> {
        self.process.time_taken()
    }

    fn end_game(&mut self, _ending: GameEnd) {
        self.process.leave();
    }
}
