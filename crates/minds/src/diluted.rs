//! A mind that now and then forgets itself.

use ::random::Random;
use rules::{Game, Position};
use search::{Control, Reporter};

use crate::{Allowance, Choice, Ending, Fault, Mind, Misdeed};

/// Another mind, some of whose moves are drawn by lot instead. The more of them, the weaker it is, down to nothing: so
/// there are players of any strength between one who never thinks and one who always does.
pub struct DilutedMind<M> {
    mind: M,
    /// How many of 100 moves are drawn by lot.
    lots: u32,
    random: Random,
    name: String,
}

impl<M: Mind> DilutedMind<M> {
    /// A mind of whose moves so many in 100 are drawn by lot. The same seed draws the same lots.
    pub fn new(mind: M, lots: u32, seed: u64) -> DilutedMind<M> {
        let name = format!("{}, {lots} % by lot", mind.name());
        DilutedMind { mind, lots, random: Random::new(seed), name }
    }
}

impl<M: Mind> Mind for DilutedMind<M> {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, start: &Position) -> Result<(), Fault> {
        self.mind.new_game(start)
    }

    fn choose(
        &mut self,
        game: &Game,
        allowance: &Allowance,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Result<Choice, Fault> {
        if self.random.below(100) >= self.lots as usize {
            return self.mind.choose(game, allowance, control, reporter);
        }
        let drawn = self.random.choose(&allowance.limits.moves_of(game.position()));
        drawn.map(Choice::Move).ok_or_else(|| Fault::new(&self.name, Misdeed::NothingToChoose))
    }

    fn end_game(&mut self, ending: Ending) {
        self.mind.end_game(ending);
    }
}
