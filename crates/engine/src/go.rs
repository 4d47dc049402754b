//! One `go`, from the position to the answer.

use std::sync::Arc;

use interface::{Control, Limits, Score};
use rules::{Game, Move, Position};
use uci::{Castling, Info, Message};

use crate::Engine;
use crate::info_writer::{InfoStyle, InfoWriter};
use crate::output::Output;

/// A search that is to be done, with all it needs. It owes exactly one `bestmove`.
pub(crate) struct GoJob {
    /// The game, if there is one to search.
    pub(crate) game: Option<Game>,
    pub(crate) limits: Limits,
    /// Whether the answer must wait for `stop`, however soon the search ends.
    pub(crate) is_infinite: bool,
    pub(crate) castling: Castling,
    pub(crate) control: Arc<Control>,
    pub(crate) output: Output,
}

impl GoJob {
    /// Searches, waits until the answer may be given, and gives it.
    pub(crate) fn perform(self, engine: &mut dyn Engine) {
        let answer = self.game.as_ref().and_then(|game| self.search(game, engine));
        let is_endless = self.limits.is_infinite() && engine.needs_limits();
        self.control.wait_for_release(self.is_infinite || is_endless);
        let message = match (&self.game, answer) {
            (Some(game), Some((best, ponder))) => {
                let root = game.position();
                let next = root.play_unchecked(best);
                Message::BestMove {
                    best: Some(self.castling.write(root, best)),
                    ponder: ponder.filter(|&mv| next.is_legal(mv)).map(|mv| self.castling.write(&next, mv)),
                }
            }
            _ => Message::BestMove { best: None, ponder: None },
        };
        self.output.print(message);
    }

    /// The move to play and the reply to expect, unless there is no move.
    fn search(&self, game: &Game, engine: &mut dyn Engine) -> Option<(Move, Option<Move>)> {
        let root = game.position();
        if !root.has_legal_moves() {
            self.output.print(end_of_game(root));
            return None;
        }
        let style = InfoStyle { castling: self.castling, shows_wdl: engine.shows_wdl() };
        let mut writer = InfoWriter::new(&self.output, root, style);
        match engine.search(game, &self.limits, &self.control, &mut writer) {
            Ok(answer) => {
                writer.finish(&answer);
                answer.best.map(|best| (best, answer.ponder))
            }
            Err(reason) => {
                writer.release();
                self.output.tell(reason);
                None
            }
        }
    }
}

/// What there is to say of a position without moves.
fn end_of_game(position: &Position) -> Info {
    let score = if position.is_check() { Score::mated_in(0) } else { Score::DRAW };
    Info { depth: Some(0), score: Some(score.to_uci()), ..Info::default() }
}
