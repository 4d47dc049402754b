//! Two minds that do not look ahead: one plays any legal move, the other any capture.

use ::random::Random;
use rules::{Game, MoveList};
use search::{Control, Reporter};

use crate::{Allowance, Choice, Fault, FaultKind, Mind};

/// Plays any legal move, each as likely as the others.
#[derive(Clone, Debug)]
pub struct RandomMind {
    random: Random,
}

impl RandomMind {
    /// A mind whose games repeat: the same seed and the same moves of the opponent give the same moves.
    pub fn new(seed: u64) -> RandomMind {
        RandomMind { random: Random::new(seed) }
    }
}

/// Plays any capture, or any legal move where there is nothing to take.
#[derive(Clone, Debug)]
pub struct CaptureMind {
    random: Random,
}

impl CaptureMind {
    /// A mind whose games repeat: the same seed and the same moves of the opponent give the same moves.
    pub fn new(seed: u64) -> CaptureMind {
        CaptureMind { random: Random::new(seed) }
    }
}

fn draw(who: &str, random: &mut Random, moves: &MoveList) -> Result<Choice, Fault> {
    random.choose(moves).map(Choice::Move).ok_or_else(|| Fault::new(who, FaultKind::NothingToChoose))
}

impl Mind for RandomMind {
    fn name(&self) -> &str {
        "random"
    }

    fn choose(
        &mut self,
        game: &Game,
        allowance: &Allowance,
        _control: &Control,
        _reporter: &mut dyn Reporter,
    ) -> Result<Choice, Fault> {
        draw("random", &mut self.random, &allowance.limits.moves_of(game.position()))
    }
}

impl Mind for CaptureMind {
    fn name(&self) -> &str {
        "capture"
    }

    fn choose(
        &mut self,
        game: &Game,
        allowance: &Allowance,
        _control: &Control,
        _reporter: &mut dyn Reporter,
    ) -> Result<Choice, Fault> {
        let moves = allowance.limits.moves_of(game.position());
        let mut captures = moves.clone();
        captures.retain(|mv| game.position().is_capture(mv));
        draw("capture", &mut self.random, if captures.is_empty() { &moves } else { &captures })
    }
}
