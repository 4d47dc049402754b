//! A mind that plays some of its moves at random.

use ::random::Random;
use rules::{Game, Position};
use search::{Control, Reporter};

use crate::{Allowance, Choice, Fault, FaultKind, GameEnd, Mind};

/// Another mind, some of whose moves are random instead. The more of them, the weaker it is: so there are players of
/// any strength between a random mover and the mind itself.
pub struct DilutedMind<M> {
    mind: M,
    /// How many of 100 moves are random.
    percent: u32,
    random: Random,
    name: String,
}

impl<M: Mind> DilutedMind<M> {
    /// A mind of whose moves so many in 100 are random. The same seed gives the same random moves.
    pub fn new(mind: M, percent: u32, seed: u64) -> DilutedMind<M> {
        let name = format!("{}, {percent} % random", mind.name());
        DilutedMind { mind, percent, random: Random::new(seed), name }
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
        if self.random.below(100) >= self.percent as usize {
            return self.mind.choose(game, allowance, control, reporter);
        }
        let drawn = self.random.choose(&allowance.limits.moves_of(game.position()));
        drawn.map(Choice::Move).ok_or_else(|| Fault::new(&self.name, FaultKind::NothingToChoose))
    }

    fn needs_limits(&self) -> bool {
        self.mind.needs_limits()
    }

    fn end_game(&mut self, ending: GameEnd) {
        self.mind.end_game(ending);
    }
}
