//! Whether fast inference says what the definition says, on positions of random games.

use std::fmt;
use std::sync::Arc;

use random::Random;
use rules::Position;

use crate::{Accumulators, Kernel, Network};

/// A kernel disagrees with the definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// The kernel.
    pub kernel: Kernel,
    /// Where it disagrees.
    pub position: Box<Position>,
    /// What [`Network::evaluate`] says, in centipawns.
    pub expected: i32,
    /// What the kernel says.
    pub found: i32,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement { kernel, position, expected, found } = self;
        write!(f, "{kernel} says {found} instead of {expected} of {position}")
    }
}

impl std::error::Error for Disagreement {}

/// Plays random games, standard ones and Chess960, through so many positions, and compares what every kernel of this
/// CPU computes move by move with the evaluation from scratch. `tell` is called with each position and its evaluation.
pub fn verify(
    network: &Arc<Network>,
    seed: u64,
    positions: usize,
    mut tell: impl FnMut(&Position, i32),
) -> Result<(), Disagreement> {
    /// After so many plies random games have little left to show.
    const LONGEST_GAME: usize = 150;
    let mut followers: Vec<(Kernel, Accumulators)> = Kernel::available()
        .into_iter()
        .map(|kernel| (kernel, Accumulators::with_kernel(Arc::clone(network), kernel)))
        .collect();
    let mut random = Random::new(seed);
    let mut position = Position::initial();
    let mut plies = 0;
    for _ in 0..positions {
        let expected = network.evaluate(&position);
        tell(&position, expected);
        for (kernel, accumulators) in &mut followers {
            let found = accumulators.evaluate(&position);
            if found != expected {
                return Err(Disagreement { kernel: *kernel, position: Box::new(position), expected, found });
            }
        }
        match random.choose(&position.legal_moves()).filter(|_| plies < LONGEST_GAME) {
            Some(mv) => {
                for (_, accumulators) in &mut followers {
                    position.play_unchecked_observed(mv, accumulators.push());
                }
                position = position.play_unchecked(mv);
                plies += 1;
            }
            None => {
                let number = random.coin().then(|| random.below(960) as u16);
                position = number.and_then(Position::chess960).unwrap_or_else(Position::initial);
                followers.iter_mut().for_each(|(_, accumulators)| accumulators.reset(&position));
                plies = 0;
            }
        }
    }
    Ok(())
}
