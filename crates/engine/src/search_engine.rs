//! The search as an engine.

use std::time::{SystemTime, UNIX_EPOCH};

use interface::{Answer, Control, Limits, Reporter};
use rules::{Game, Position};
use search::{AnyEvaluator, Request, Searcher, bench};
use uci::EngineOption;

use crate::options::{self, Declaration, SearchSettings};
use crate::{Engine, OptionValue, show};

/// Saavedra's search as a UCI [`Engine`].
pub struct SearchEngine {
    state: State,
    declarations: Vec<Declaration>,
}

/// What options change and searches use.
pub(crate) struct State {
    pub(crate) searcher: Searcher<AnyEvaluator>,
    pub(crate) settings: SearchSettings,
    /// What the mistakes of a lower strength are drawn by. It changes with every game.
    seed: u64,
}

impl SearchEngine {
    /// The engine with its own network, at full strength, with a small table.
    pub fn new() -> SearchEngine {
        let searcher = Searcher::new(AnyEvaluator::default());
        let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
        let state = State { searcher, settings: SearchSettings::default(), seed };
        SearchEngine { state, declarations: options::declarations() }
    }

    /// Draws the mistakes of a lower strength by this number from now on, and by the next ones in later games. Without
    /// it they differ from run to run.
    pub fn set_seed(&mut self, seed: u64) {
        self.state.seed = seed;
    }

    /// The static evaluation of a position in centipawns, for the player to move.
    pub fn static_evaluation(&mut self, position: &Position) -> i32 {
        self.state.searcher.evaluate(position)
    }
}

impl Default for SearchEngine {
    fn default() -> SearchEngine {
        SearchEngine::new()
    }
}

impl Engine for SearchEngine {
    fn name(&self) -> String {
        crate::NAME.to_owned()
    }

    fn options(&self) -> Vec<EngineOption> {
        self.declarations.iter().map(|declaration| declaration.option.clone()).collect()
    }

    fn set_option(&mut self, name: &str, value: OptionValue) -> Result<(), String> {
        match self.declarations.iter().find(|declaration| declaration.option.name == name) {
            Some(declaration) => declaration.set(&mut self.state, value),
            None => Ok(()),
        }
    }

    fn new_game(&mut self) {
        self.state.searcher.clear();
        self.state.seed = self.state.seed.wrapping_add(1);
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Result<Answer, String> {
        let State { searcher, settings, seed } = &mut self.state;
        let request = Request::new(game, limits.clone()).with_options(settings.search_options(*seed));
        let answer = searcher.search(&request, control, reporter);
        Ok(with_a_legal_move(game.position(), limits, answer))
    }

    fn shows_wdl(&self) -> bool {
        self.state.settings.shows_wdl
    }

    fn evaluation(&mut self, position: &Position) -> Option<String> {
        let searcher = &mut self.state.searcher;
        Some(show::evaluation(position, searcher.evaluate(position), &searcher.contributions(position)))
    }

    fn bench(&mut self, depth: Option<usize>, control: &Control) -> Option<String> {
        let (evaluator, depth) = (self.state.searcher.evaluator().clone(), depth.unwrap_or(bench::DEPTH));
        bench::run_until_stopped(evaluator, depth, control).map(|bench| bench.to_string())
    }
}

/// The answer, or any move that may be played if the search was ended before it had one.
fn with_a_legal_move(root: &Position, limits: &Limits, mut answer: Answer) -> Answer {
    let choice = limits.moves_of(root);
    if !answer.best.is_some_and(|mv| choice.contains(&mv)) {
        (answer.best, answer.ponder) = (choice.first().copied(), None);
    }
    // A line whose first move is not the one to play would mislead its readers.
    if answer.line.moves.first().copied() != answer.best {
        answer.line.moves = answer.best.into_iter().collect();
    }
    answer
}
