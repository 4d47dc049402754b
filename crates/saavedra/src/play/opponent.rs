//! Opponents by name: every mind there is, and the search held back to a rating.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use engine::Brain;
use engine::strength::Strength;
use minds::{Allowance, Choice, Control, Fault, Mind, MindSpec, Misdeed, Reporter};
use rules::{Game, Position};

/// What opens the name of an opponent with a rating.
const RATED: &str = "elo:";

/// The opponent that a name stands for: a mind as everywhere, or `elo:1500`.
pub(crate) fn summon(name: &str) -> Result<Box<dyn Mind>, String> {
    // No two games are alike, unless a name has a seed of its own.
    let seed = RandomState::new().build_hasher().finish();
    match name.trim().strip_prefix(RATED) {
        Some(rating) => Ok(Box::new(RatedMind::new(parse_rating(rating)?, seed))),
        None => {
            let spec: MindSpec = name.parse().map_err(|error: minds::SpecError| error.to_string())?;
            spec.build(seed).map_err(|fault| fault.to_string())
        }
    }
}

/// The name of an opponent with a rating.
pub(crate) fn rated(strength: Strength) -> String {
    format!("{RATED}{}", strength.elo())
}

/// Reads a rating that can be played at.
pub(crate) fn parse_rating(text: &str) -> Result<Strength, String> {
    let (least, most) = (Strength::ELO.start(), Strength::ELO.end());
    let rating = text.trim().parse().ok().filter(|rating| Strength::ELO.contains(rating));
    rating.map(Strength::of_elo).ok_or_else(|| format!("expected a rating from {least} to {most}, found {text:?}"))
}

/// The search, held back to a rating.
struct RatedMind {
    brain: Brain,
    strength: Strength,
    seed: u64,
    name: String,
}

impl RatedMind {
    fn new(strength: Strength, seed: u64) -> RatedMind {
        RatedMind { brain: engine::brain(), strength, seed, name: format!("Saavedra ({})", strength.elo()) }
    }
}

impl Mind for RatedMind {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _start: &Position) -> Result<(), Fault> {
        self.brain.clear();
        Ok(())
    }

    fn choose(
        &mut self,
        game: &Game,
        allowance: &Allowance,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Result<Choice, Fault> {
        let answer = self.strength.search(&mut self.brain, game, &allowance.limits, control, self.seed);
        // What it thinks on the way is better than what it plays; only its conclusion is told.
        reporter.line(&answer.line, &answer.progress);
        answer.best.map(Choice::Move).ok_or_else(|| Fault::new(&self.name, Misdeed::NothingToChoose))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponents_are_minds_or_ratings() {
        let name = |name: &str| summon(name).map(|mind| mind.name().to_owned());
        assert_eq!(name("random:seed=3"), Ok("random".to_owned()));
        assert_eq!(name("elo:1500"), Ok("Saavedra (1500)".to_owned()));
        assert_eq!(name("elo:9000"), Err("expected a rating from 500 to 2800, found \"9000\"".to_owned()));
        assert!(name("ramdom").expect_err("a slip").contains("did you mean \"random\"?"));
        assert_eq!(rated(Strength::of_elo(1200)), "elo:1200");
    }

    #[test]
    fn a_weak_opponent_plays_legal_moves_and_says_what_it_thinks() {
        struct Count(usize);
        impl Reporter for Count {
            fn line(&mut self, _line: &minds::Line, _progress: &minds::Progress) {
                self.0 += 1;
            }
        }
        let mut mind = summon("elo:600").expect("an opponent");
        let mut told = Count(0);
        let game = Game::default();
        let choice = mind.choose(&game, &Allowance::nodes(1000), &Control::new(), &mut told);
        assert!(choice.expect("a choice").mv().is_some_and(|mv| game.position().is_legal(mv)));
        assert_eq!(told.0, 1);
    }
}
