//! A board at which the GPU and the CPU play one game after the other.

use rules::{Color, Game, Outcome};
use search::{AnyEvaluator, Control, Limits, Request, Searcher};

use super::Side;
use crate::{Conditions, FoundMove};

/// A board, and what the CPU remembers of its game.
pub(super) struct Board {
    searcher: Searcher<AnyEvaluator>,
    going: Option<Going>,
    /// What the CPU has just found.
    thought: Option<FoundMove>,
}

/// A game that is being played.
struct Going {
    number: u64,
    game: Game,
    /// For how many plies White, Black and neither have seemed to win.
    streaks: [u32; 3],
}

impl Board {
    pub(super) fn new(searcher: Searcher<AnyEvaluator>) -> Board {
        Board { searcher, going: None, thought: None }
    }

    pub(super) fn is_free(&self) -> bool {
        self.going.is_none()
    }

    /// Begins the game of a number after its opening.
    pub(super) fn begin(&mut self, number: u64, game: Game) {
        self.searcher.clear();
        self.going = Some(Going { number, game, streaks: [0; 3] });
    }

    /// The game, if it is this side's turn.
    pub(super) fn game_of(&self, side: Side) -> Option<&Game> {
        let going = self.going.as_ref()?;
        (Side::of(going.game.position().turn(), going.number) == side).then_some(&going.game)
    }

    /// Lets the CPU find a move.
    pub(super) fn think(&mut self, limits: &Limits, control: &Control) {
        let Some(going) = &self.going else { return };
        let answer = self.searcher.search(&Request::new(&going.game, limits.clone()), control, &mut ());
        self.thought = answer.best.map(|mv| FoundMove {
            mv,
            score: answer.line.score.value(),
            nodes: answer.stats.nodes,
            depth: answer.line.depth as u32,
        });
    }

    pub(super) fn take_thought(&mut self) -> Option<FoundMove> {
        self.thought.take()
    }

    /// Plays a move. If it ends the game, the board is free: returns the game's number and the GPU's half points.
    pub(super) fn make(&mut self, thought: &FoundMove, conditions: &Conditions) -> Option<(u64, u8)> {
        let going = self.going.as_mut()?;
        let mover = going.game.position().turn();
        going.game.play(thought.mv).expect("both play legal moves");
        let winner = going.end(mover, thought.score, conditions)?;
        let number = going.number;
        self.going = None;
        Some((number, winner.map_or(1, |winner| if Side::of(winner, number) == Side::Gpu { 2 } else { 0 })))
    }
}

impl Going {
    /// Who has won, if not drawn, once the game is over: by the rules, or because both players say so, as in self-play
    /// on the GPU.
    fn end(&mut self, mover: Color, score: i32, conditions: &Conditions) -> Option<Option<Color>> {
        let white_score = if mover == Color::White { score } else { -score };
        let holds = [
            white_score >= conditions.win_score,
            white_score <= -conditions.win_score,
            white_score.abs() <= conditions.draw_score,
        ];
        self.streaks = std::array::from_fn(|index| if holds[index] { self.streaks[index] + 1 } else { 0 });
        let plies = self.game.moves().len() as u32;
        let [white, black, neither] = self.streaks;
        match self.game.outcome() {
            Some(Outcome::Checkmate { winner }) => Some(Some(winner)),
            Some(Outcome::Draw(_)) => Some(None),
            None if self.game.claimable_draw().is_some() || plies >= conditions.longest => Some(None),
            None if white >= conditions.win_plies => Some(Some(Color::White)),
            None if black >= conditions.win_plies => Some(Some(Color::Black)),
            None if neither >= conditions.draw_plies && plies >= conditions.draw_from => Some(None),
            None => None,
        }
    }
}
