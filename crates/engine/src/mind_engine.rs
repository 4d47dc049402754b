//! Any mind as an engine.

use interface::{Answer, Control, Limits, Line, Reporter, SearchStats};
use minds::{Allowance, Choice, Mind};
use rules::Game;

use crate::Engine;

/// A [`Mind`] as a UCI [`Engine`], for GUIs and match runners.
///
/// A mind that resigns, claims a draw or fails says so as text and plays the null move `0000`.
pub struct MindEngine {
    mind: Box<dyn Mind>,
    /// Whether the mind has not been told yet that another game has begun.
    is_new_game: bool,
}

impl MindEngine {
    /// A mind before its first game.
    pub fn new(mind: Box<dyn Mind>) -> MindEngine {
        MindEngine { mind, is_new_game: true }
    }
}

impl Engine for MindEngine {
    fn name(&self) -> String {
        format!("{} (a bot of Saavedra)", self.mind.name())
    }

    fn new_game(&mut self) {
        self.is_new_game = true;
    }

    fn needs_limits(&self) -> bool {
        self.mind.needs_limits()
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Result<Answer, String> {
        if std::mem::take(&mut self.is_new_game) {
            self.mind.new_game(game.start()).map_err(|fault| fault.to_string())?;
        }
        let allowance = Allowance::new(limits.clone());
        match self.mind.choose(game, &allowance, control, reporter).map_err(|fault| fault.to_string())? {
            Choice::Move(mv) | Choice::MoveAndOfferDraw(mv) => {
                // The mind has told its lines, if it has any.
                Ok(Answer { best: Some(mv), ponder: None, line: Line::default(), stats: SearchStats::default() })
            }
            Choice::Resign => Err(format!("{} resigns", self.mind.name())),
            Choice::ClaimDraw => Err(format!("{} claims a draw", self.mind.name())),
        }
    }
}
