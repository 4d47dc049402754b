//! Minds at work for a game: built, asked, and kept for the next move where there is room.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::{Duration, Instant};

use minds::{Allowance, Choice, Control, Fault, Line, Mind, MindSpec, Reporter, SearchStats};
use rules::{Color, Game};
use search::Score;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::session::MindAnswer;
use super::view::Thought;
use crate::view::{LineView, ScoreView};

/// A mind that was built, and its right to be kept if it is large.
pub(crate) struct Seated {
    mind: Box<dyn Mind>,
    room: Option<OwnedSemaphorePermit>,
    is_large: bool,
}

impl Seated {
    /// Whether the mind may wait for its next move.
    pub(crate) fn may_stay(&self) -> bool {
        !self.is_large || self.room.is_some()
    }
}

/// How minds are built here.
pub(crate) struct Invitation {
    pub(crate) spec: MindSpec,
    pub(crate) seed: u64,
    /// The size of a table in MiB.
    pub(crate) hash: usize,
    /// GameRoom for large minds that are kept.
    pub(crate) seats: Arc<Semaphore>,
}

impl Invitation {
    fn build(self, game: &Game) -> Result<Seated, Fault> {
        let mut spec = self.spec;
        let is_large = matches!(spec, MindSpec::Search(_));
        if let MindSpec::Search(search) = &mut spec {
            search.hash = Some(self.hash);
        }
        let room = if is_large { self.seats.try_acquire_owned().ok() } else { None };
        let mut mind = spec.build(self.seed)?;
        mind.new_game(game.start())?;
        Ok(Seated { mind, room, is_large })
    }
}

/// A question to a mind.
pub(crate) struct Question {
    pub(crate) game: Game,
    pub(crate) allowance: Allowance,
    pub(crate) control: Arc<Control>,
    pub(crate) thoughts: watch::Sender<Option<Thought>>,
}

/// Asks a mind, which is built first if there is none. Blocks for as long as it thinks.
pub(crate) fn ask(seated: Option<Seated>, invitation: Invitation, question: &Question) -> (Option<Seated>, MindAnswer) {
    let started = Instant::now();
    let failed = |fault: String| {
        let (spent, choice) = (started.elapsed(), Err(fault));
        (None, MindAnswer { choice, spent, opinion: None })
    };
    let seated = match seated.map_or_else(|| guarded(|| invitation.build(&question.game)), Ok) {
        Ok(seated) => seated,
        Err(fault) => return failed(fault),
    };
    let mut seated = seated;
    let mut listener = Listener::new(question);
    let choice = guarded(|| seated.mind.choose(&question.game, &question.allowance, &question.control, &mut listener));
    let opinion = listener.opinion;
    let answer = MindAnswer { choice, spent: started.elapsed(), opinion };
    // A mind that failed is not asked again.
    (answer.choice.is_ok().then_some(seated), answer)
}

/// What a mind answers, its panics told as faults like any other.
fn guarded<T>(work: impl FnOnce() -> Result<T, Fault>) -> Result<T, String> {
    match panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(|fault| fault.to_string()),
        Err(_) => Err("the mind broke down".to_owned()),
    }
}

/// Passes lines of thought on, but not faster than anybody reads.
struct Listener<'a> {
    question: &'a Question,
    turn: Color,
    opinion: Option<Score>,
    told: Option<Instant>,
}

/// The time between two thoughts that are told.
const BETWEEN_THOUGHTS: Duration = Duration::from_millis(100);

impl<'a> Listener<'a> {
    fn new(question: &'a Question) -> Listener<'a> {
        Listener { question, turn: question.game.position().turn(), opinion: None, told: None }
    }
}

impl Reporter for Listener<'_> {
    fn line(&mut self, line: &Line, _stats: &SearchStats) {
        if line.rank != 1 {
            return;
        }
        self.opinion = Some(line.score);
        let is_early = self.told.is_some_and(|told| told.elapsed() < BETWEEN_THOUGHTS);
        // Nobody listens to most games.
        if is_early || self.question.thoughts.receiver_count() == 0 {
            return;
        }
        self.told = Some(Instant::now());
        let game = &self.question.game;
        self.question.thoughts.send_replace(Some(Thought {
            ply: game.moves().len(),
            depth: line.depth,
            score: ScoreView::new(line.score, self.turn),
            san: LineView::new(game.position(), &line.moves).san,
        }));
    }
}

/// Whether a mind's choice is a move, and which.
pub(crate) fn move_of(choice: &Result<Choice, String>) -> Option<rules::Move> {
    choice.as_ref().ok().and_then(|choice| choice.mv())
}
