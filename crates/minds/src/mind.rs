//! What every mind can be asked, and what it may answer.

use std::time::Duration;

use rules::{Color, Game, Move, Position};
use search::{Clock, Control, Limits, Reporter};

use crate::Fault;

/// Anything that chooses a move.
///
/// A mind plays one game at a time: [`new_game`](Mind::new_game), then [`choose`](Mind::choose) whenever it is to move,
/// then [`end_game`](Mind::end_game). It may be moved to another thread between calls.
pub trait Mind: Send {
    /// What the mind calls itself. An outside program may tell its name only once it was started.
    fn name(&self) -> &str;

    /// A new game begins, from this position. Whatever was learnt from the last one is forgotten.
    ///
    /// A program in another process is started here if it does not run, so that no game begins with a player that is
    /// not there. The default does nothing.
    fn new_game(&mut self, _start: &Position) -> Result<(), Fault> {
        Ok(())
    }

    /// Chooses what to do for the player to move of a game that has not ended.
    ///
    /// The control stops it from another thread, or was stopped before: then the mind still answers, as soon as it can,
    /// with the best move it has. Its lines are told to the reporter; not every mind has any.
    fn choose(
        &mut self,
        game: &Game,
        allowance: &Allowance,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Result<Choice, Fault>;

    /// The opponent thinks about a game to which the mind has added its last move. A mind that ponders begins to think
    /// about the reply it expects; when it is to choose, it goes on if that reply was played, or else thinks anew.
    ///
    /// This returns at once. The default does nothing.
    fn ponder(&mut self, _game: &Game, _allowance: &Allowance) {}

    /// How long the last choice took, if the mind knows better than its caller.
    ///
    /// An outside program is timed at the pipe: from the moment it was told to think to the moment its answer came out,
    /// without getting ready before and our own delays after.
    fn time_taken(&self) -> Option<Duration> {
        None
    }

    /// Whether the mind, asked for a move without any limits, thinks until it is stopped. The default is a mind that
    /// comes to an end by itself.
    fn needs_limits(&self) -> bool {
        false
    }

    /// The game has ended. The default does nothing.
    fn end_game(&mut self, _ending: GameEnd) {}
}

/// What a mind may do when it is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Play a legal move.
    Move(Move),
    /// Play a legal move and offer a draw with it.
    MoveAndOfferDraw(Move),
    /// Claim a draw. [`Game::claimable_draw`] tells whether there is one to claim.
    ClaimDraw,
    /// Give the game up.
    Resign,
}

impl Choice {
    /// The move, if one is played.
    pub fn mv(self) -> Option<Move> {
        match self {
            Choice::Move(mv) | Choice::MoveAndOfferDraw(mv) => Some(mv),
            Choice::ClaimDraw | Choice::Resign => None,
        }
    }
}

/// How a game ended, by the rules or otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// This player won.
    Won(Color),
    /// A draw.
    Drawn,
    /// The game was aborted.
    Unfinished,
}

impl GameEnd {
    /// The result as it is written in a game score.
    pub fn score(self) -> &'static str {
        match self {
            GameEnd::Won(Color::White) => "1-0",
            GameEnd::Won(Color::Black) => "0-1",
            GameEnd::Drawn => "1/2-1/2",
            GameEnd::Unfinished => "*",
        }
    }
}

/// How long a mind may think about one move.
///
/// A mind of ours keeps within it. An outside program is told, and is given up when it is late by more than the grace.
#[derive(Clone, Debug)]
pub struct Allowance {
    /// Limits of time, nodes or depth, the clock of the player to move among them. Without any, the mind thinks as long
    /// as its kind does, or until it is stopped.
    pub limits: Limits,
    /// How late the answer of an outside program may be before we stop waiting for it.
    pub grace: Duration,
}

impl Default for Allowance {
    fn default() -> Allowance {
        Allowance::new(Limits::default())
    }
}

impl Allowance {
    /// How late an outside program may be by default.
    pub const USUAL_GRACE: Duration = Duration::from_secs(2);

    /// These limits, and the usual grace.
    pub fn new(limits: Limits) -> Allowance {
        Allowance { limits, grace: Allowance::USUAL_GRACE }
    }

    /// A fixed time for the move.
    pub fn time(time: Duration) -> Allowance {
        Allowance::new(Limits::move_time(time))
    }

    /// A number of positions to look at.
    pub fn nodes(nodes: u64) -> Allowance {
        Allowance::new(Limits::nodes(nodes))
    }

    /// A depth to search to.
    pub fn depth(depth: usize) -> Allowance {
        Allowance::new(Limits::depth(depth))
    }

    /// Two clocks, the one of the player to move first.
    pub fn clocks(own: Clock, opponent: Clock) -> Allowance {
        Allowance::new(Limits::clocks(own, opponent))
    }

    /// The time after which an answer comes too late, if time is limited at all.
    pub fn time_limit(&self) -> Option<Duration> {
        let clock = self.limits.clock.map(|clock| clock.remaining);
        [self.limits.move_time, clock].into_iter().flatten().min()
    }

    /// The time a mind without a sense of time should take, so that a clock lasts to the end of the game.
    pub(crate) fn budget(&self) -> Option<Duration> {
        /// A game whose end is not in sight is taken to last so many moves more.
        const MOVES_TO_COME: u32 = 30;
        let by_clock = self.limits.clock.map(|clock| {
            let moves = clock.moves_to_go.unwrap_or(MOVES_TO_COME).clamp(1, MOVES_TO_COME);
            (clock.remaining / (moves + 1)).saturating_add(clock.increment / 2).min(clock.remaining / 2)
        });
        [self.limits.move_time, by_clock].into_iter().flatten().min()
    }
}
