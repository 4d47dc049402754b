//! One `go`, from the position to the answer.

use std::sync::Arc;

use rules::{Game, Move, Position};
use search::{Answer, Bound, Control, Score};
use uci::{Info, Message};

use crate::Brain;
use crate::limits::Request;
use crate::options::Settings;
use crate::output::Output;
use crate::teller::{Teller, score};

/// A search that is to be done, with all it needs. It owes exactly one `bestmove`.
pub(crate) struct Task {
    /// The game, if there is one to think about.
    pub(crate) game: Option<Game>,
    pub(crate) request: Request,
    pub(crate) settings: Settings,
    pub(crate) control: Arc<Control>,
    pub(crate) output: Output,
    /// What chance depends on, where it has a say.
    pub(crate) seed: u64,
}

impl Task {
    /// Searches, waits until the answer may be given, and gives it.
    pub(crate) fn perform(self, brain: &mut Brain) {
        let answer = self.game.as_ref().and_then(|game| self.think(game, brain));
        self.control.wait_for_release(self.request.is_infinite);
        let castling = self.settings.castling();
        let message = match (&self.game, answer) {
            (Some(game), Some((best, ponder))) => {
                let root = game.position();
                let next = root.play_unchecked(best);
                Message::BestMove {
                    best: Some(castling.write(root, best)),
                    ponder: ponder.filter(|&mv| next.is_legal(mv)).map(|mv| castling.write(&next, mv)),
                }
            }
            _ => Message::BestMove { best: None, ponder: None },
        };
        self.output.print(message);
    }

    /// The move to play and the reply to expect, unless there is no move.
    fn think(&self, game: &Game, brain: &mut Brain) -> Option<(Move, Option<Move>)> {
        let root = game.position();
        if !root.has_legal_moves() {
            self.output.print(end_of_game(root));
            return None;
        }
        let mut teller = Teller::new(&self.output, root, self.settings.style());
        let options = self.settings.search_options(self.seed);
        let request = search::Request::new(game, self.request.limits.clone()).with_options(options);
        let answer = brain.search(&request, &self.control, &mut teller);
        let answer = self.with_a_legal_move(root, answer);
        teller.finish(&answer);
        answer.best.map(|best| (best, answer.ponder))
    }

    /// The answer, or any move that may be played if the search was ended before it had one.
    fn with_a_legal_move(&self, root: &Position, mut answer: Answer) -> Answer {
        let choice = match &self.request.limits.moves {
            Some(moves) => moves.clone(),
            None => root.legal_moves().into_iter().collect(),
        };
        if !answer.best.is_some_and(|mv| choice.contains(&mv)) {
            (answer.best, answer.ponder) = (choice.first().copied(), None);
        }
        // A line whose first move is not the one to play would mislead whoever reads it.
        if answer.line.moves.first().copied() != answer.best {
            answer.line.moves = answer.best.into_iter().collect();
        }
        answer
    }
}

/// What there is to say of a position without moves.
fn end_of_game(position: &Position) -> Info {
    let result = if position.is_check() { Score::mated_in(0) } else { Score::DRAW };
    Info { depth: Some(0), score: Some(score(result, Bound::Exact)), ..Info::default() }
}
