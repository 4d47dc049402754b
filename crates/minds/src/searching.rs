//! The full search as a mind.

use rules::{Game, Position};
use search::{AnyEvaluator, Control, Limits, Options, OutOfMemory, Reporter, Request, Searcher, Strength};

use crate::{Allowance, Choice, Fault, FaultKind, Mind};

/// A mind that plays the moves of the full search.
///
/// It has limits of its own, such as a number of nodes that makes it weaker, besides those it is given for a move: the
/// first that is reached ends the search. Without any it searches until it is stopped. Held back to a rating, it plays
/// worse on purpose.
pub struct SearchMind {
    searcher: Searcher<AnyEvaluator>,
    limits: Limits,
    options: Options,
    name: String,
}

impl SearchMind {
    /// A mind with limits of its own. Clocks and moves to choose from are not its own: they come with each move.
    pub fn new(limits: Limits) -> SearchMind {
        SearchMind {
            searcher: Searcher::new(AnyEvaluator::default()),
            limits,
            options: Options::default(),
            name: "search".to_owned(),
        }
    }

    /// Replaces the evaluation.
    pub fn set_evaluator(&mut self, evaluator: AnyEvaluator) {
        self.searcher.set_evaluator(evaluator);
    }

    /// Holds the mind back to a rating. The same seed makes the same mistakes.
    #[must_use]
    pub fn with_strength(self, strength: Strength, seed: u64) -> SearchMind {
        let name = format!("Saavedra ({})", strength.elo());
        let options = Options { strength: Some(strength), seed, ..self.options };
        SearchMind { options, name, ..self }
    }

    /// Gives the table of the search another size.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        self.searcher.set_hash(mebibytes)
    }

    /// Searches with so many threads from now on.
    pub fn set_threads(&mut self, count: usize) {
        self.searcher.set_threads(count);
    }

    /// The stricter of our own limits and those of a move.
    fn limits_within(&self, given: &Limits) -> Limits {
        fn stricter<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
            [one, other].into_iter().flatten().min()
        }
        Limits {
            depth: stricter(self.limits.depth, given.depth),
            nodes: stricter(self.limits.nodes, given.nodes),
            soft_nodes: stricter(self.limits.soft_nodes, given.soft_nodes),
            mate: stricter(self.limits.mate, given.mate),
            move_time: stricter(self.limits.move_time, given.move_time),
            clock: given.clock,
            opponent_clock: given.opponent_clock,
            moves: given.moves.clone(),
        }
    }
}

impl Mind for SearchMind {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _start: &Position) -> Result<(), Fault> {
        self.searcher.clear();
        Ok(())
    }

    fn needs_limits(&self) -> bool {
        self.limits.is_infinite()
    }

    fn choose(
        &mut self,
        game: &Game,
        allowance: &Allowance,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Result<Choice, Fault> {
        if allowance.limits.moves_of(game.position()).is_empty() {
            return Err(Fault::new(self.name(), FaultKind::NothingToChoose));
        }
        let limits = self.limits_within(&allowance.limits);
        let request = Request::new(game, limits).with_options(self.options.clone());
        let answer = self.searcher.search(&request, control, reporter);
        answer.best.map(Choice::Move).ok_or_else(|| Fault::new(&self.name, FaultKind::NothingToChoose))
    }
}
