//! What a UCI session drives.

use interface::{Answer, Control, Limits, Reporter};
use rules::{Game, Position};
use uci::EngineOption;

/// A chess engine, as the UCI [session](crate::run) drives it: the search, any [`Mind`](minds::Mind), or one of yours.
///
/// The session reads commands, keeps the game, writes `info` lines, and answers every `go` with one `bestmove`. It
/// calls the engine from one thread, one call at a time. Only [`name`](Engine::name), [`new_game`](Engine::new_game)
/// and [`search`](Engine::search) must be written.
pub trait Engine: Send {
    /// What the engine calls itself.
    fn name(&self) -> String;

    /// The options of the engine, in the order in which they are advertised. `UCI_Chess960` is the session's own.
    fn options(&self) -> Vec<EngineOption> {
        Vec::new()
    }

    /// Sets one of the [`options`](Engine::options). The value is of its kind and within its range. What is wrong with
    /// it all the same is told to the user.
    fn set_option(&mut self, _name: &str, _value: OptionValue) -> Result<(), String> {
        Ok(())
    }

    /// What follows belongs to another game.
    fn new_game(&mut self);

    /// Chooses a move in a position that has legal moves, until a limit is reached or the control stops it.
    ///
    /// An answer without a move is written as the null move, and so is an error, after its text.
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Result<Answer, String>;

    /// Whether a search without limits goes on until it is stopped. If it does not, a `go` without limits is answered
    /// as soon as the search ends; only `go infinite` waits for `stop`.
    fn needs_limits(&self) -> bool {
        true
    }

    /// Whether `info` lines tell the chances to win, draw and lose.
    fn shows_wdl(&self) -> bool {
        false
    }

    /// The static evaluation of a position as text, if the engine has one.
    fn evaluation(&mut self, _position: &Position) -> Option<String> {
        None
    }

    /// Searches a fixed set of positions and tells how much work it was, if the engine has a benchmark and was not
    /// stopped.
    fn bench(&mut self, _depth: Option<usize>, _control: &Control) -> Option<String> {
        None
    }
}

/// What an option is set to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionValue {
    /// Yes or no.
    Check(bool),
    /// A whole number.
    Spin(i64),
    /// A text, or one of several words.
    Text(String),
    /// A button was pressed.
    Button,
}
