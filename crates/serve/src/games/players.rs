//! The engines of a game: built, asked, and kept for the next move where memory allows.

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{EngineAnswer, guarded};
use minds::{Allowance, Control, Fault, Line, Mind, MindSpec, Reporter, SearchStats};
use rules::{Color, Game};
use search::Score;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::view::Thought;
use crate::view::{LineView, ScoreView};

/// An engine that was built, and its permit to be kept if it has a table.
pub(crate) struct BuiltEngine {
    mind: Box<dyn Mind>,
    permit: Option<OwnedSemaphorePermit>,
    has_table: bool,
}

impl BuiltEngine {
    /// Whether the engine may be kept for its next move.
    pub(crate) fn may_stay(&self) -> bool {
        !self.has_table || self.permit.is_some()
    }
}

/// How the engine of a game is built.
pub(crate) struct EngineBuilder {
    pub(crate) spec: MindSpec,
    pub(crate) seed: u64,
    /// The size of a table in MiB.
    pub(crate) hash: usize,
    /// The permits of engines with tables that are kept.
    pub(crate) permits: Arc<Semaphore>,
}

impl EngineBuilder {
    fn build(self, game: &Game) -> Result<BuiltEngine, Fault> {
        let mut spec = self.spec;
        let has_table = matches!(spec, MindSpec::Search(_));
        if let MindSpec::Search(search) = &mut spec {
            search.hash = Some(self.hash);
        }
        let permit = if has_table { self.permits.try_acquire_owned().ok() } else { None };
        let mut mind = spec.build(self.seed)?;
        mind.new_game(game.start())?;
        Ok(BuiltEngine { mind, permit, has_table })
    }
}

/// What an engine is asked.
pub(crate) struct MoveRequest {
    pub(crate) game: Game,
    pub(crate) allowance: Allowance,
    pub(crate) control: Arc<Control>,
    pub(crate) thoughts: watch::Sender<Option<Thought>>,
}

/// Asks an engine for its move, and builds it first if there is none. Blocks for as long as it thinks.
pub(crate) fn ask(
    engine: Option<BuiltEngine>,
    builder: EngineBuilder,
    request: &MoveRequest,
) -> (Option<BuiltEngine>, EngineAnswer) {
    let started = Instant::now();
    let mut engine = match engine.map_or_else(|| guarded(|| builder.build(&request.game)), Ok) {
        Ok(engine) => engine,
        Err(fault) => {
            return (None, EngineAnswer { choice: Err(fault), spent: Some(started.elapsed()), score: None });
        }
    };
    let mut listener = Listener::new(request);
    let choice = guarded(|| engine.mind.choose(&request.game, &request.allowance, &request.control, &mut listener));
    let answer = EngineAnswer { choice, spent: Some(started.elapsed()), score: listener.score };
    // An engine that failed is not asked again.
    (answer.choice.is_ok().then_some(engine), answer)
}

/// Passes the lines of a search on, at most ten a second.
struct Listener<'a> {
    request: &'a MoveRequest,
    turn: Color,
    score: Option<Score>,
    told: Option<Instant>,
}

/// The least time between two lines that are passed on.
const BETWEEN_THOUGHTS: Duration = Duration::from_millis(100);

impl<'a> Listener<'a> {
    fn new(request: &'a MoveRequest) -> Listener<'a> {
        Listener { request, turn: request.game.position().turn(), score: None, told: None }
    }
}

impl Reporter for Listener<'_> {
    fn line(&mut self, line: &Line, _stats: &SearchStats) {
        if line.rank != 1 {
            return;
        }
        self.score = Some(line.score);
        let is_early = self.told.is_some_and(|told| told.elapsed() < BETWEEN_THOUGHTS);
        // Most games have no watchers.
        if is_early || self.request.thoughts.receiver_count() == 0 {
            return;
        }
        self.told = Some(Instant::now());
        let game = &self.request.game;
        self.request.thoughts.send_replace(Some(Thought {
            ply: game.moves().len(),
            depth: line.depth,
            score: ScoreView::new(line.score, self.turn),
            san: LineView::new(game.position(), &line.moves).san,
        }));
    }
}
