//! A game room: the state of one game, its engines, and its watchers.
//!
//! A change is tried on a copy of the state, stored, and only then made and announced. It is completed even if the
//! client that asked for it hangs up meanwhile.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use game::EngineAnswer;
use rules::{ByColor, Color};
use search::Control;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, watch};

use super::players::{self, BuiltEngine, EngineBuilder, MoveRequest};
use super::registry::Service;
use super::stored_game::StoredGame;
use super::view::{GameView, Thought};
use crate::error::{ApiError, ErrorCode};
use crate::routes::engines;
use crate::worker_pool::{Priority, TimeShare};

/// How long to wait after a change could not be stored.
const RETRY: Duration = Duration::from_secs(1);

/// What watchers are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GameEvent {
    /// The game is at this revision.
    Changed(u64),
    /// The game was deleted.
    Gone,
}

/// A game in progress, or one that is over and being looked at.
pub(crate) struct GameRoom {
    this: Weak<GameRoom>,
    service: Arc<Service>,
    state: Mutex<State>,
    events: watch::Sender<GameEvent>,
    thoughts: watch::Sender<Option<Thought>>,
    /// Copies of what the state says, to be read without waiting for its lock.
    is_over: AtomicBool,
    is_ticking: AtomicBool,
}

struct State {
    game: StoredGame,
    engines: ByColor<Option<BuiltEngine>>,
    /// The control of the engine that is searching, and the revision at which it was asked.
    thinking: Option<(u64, Arc<Control>)>,
    is_deleted: bool,
}

impl State {
    /// Stops the engine that is searching and drops both.
    fn stop_engines(&mut self) {
        self.engines = ByColor { white: None, black: None };
        if let Some((_, control)) = self.thinking.take() {
            control.stop();
        }
    }
}

impl GameRoom {
    pub(crate) fn new(game: StoredGame, service: Arc<Service>) -> Arc<GameRoom> {
        Arc::new_cyclic(|this| GameRoom {
            this: Weak::clone(this),
            service,
            events: watch::Sender::new(GameEvent::Changed(game.record().revision)),
            thoughts: watch::Sender::new(None),
            is_over: AtomicBool::new(game.is_over()),
            is_ticking: AtomicBool::new(false),
            state: Mutex::new(State {
                game,
                engines: ByColor { white: None, black: None },
                thinking: None,
                is_deleted: false,
            }),
        })
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Relaxed)
    }

    /// Whether a clock runs.
    pub(crate) fn is_ticking(&self) -> bool {
        self.is_ticking.load(Relaxed)
    }

    pub(crate) fn events(&self) -> watch::Receiver<GameEvent> {
        self.events.subscribe()
    }

    pub(crate) fn thoughts(&self) -> watch::Receiver<Option<Thought>> {
        self.thoughts.subscribe()
    }

    /// Whether the game has watchers.
    pub(crate) fn is_watched(&self) -> bool {
        self.events.receiver_count() > 0
    }

    /// The game as it stands.
    pub(crate) async fn view(&self) -> GameView {
        GameView::new(&self.state.lock().await.game, Instant::now())
    }

    /// Reads the state.
    pub(crate) async fn read<T>(&self, read: impl FnOnce(&StoredGame) -> T) -> T {
        read(&self.state.lock().await.game)
    }

    /// Asks the engine for its move if it is to move and was not asked yet.
    pub(crate) async fn ask_engine(&self) {
        let mut state = self.state.lock().await;
        if state.thinking.is_none() {
            self.start_engine(&mut state);
        }
    }

    /// Changes the game, unless `act` fails. The change is stored before it is announced.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut StoredGame, Instant) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<(T, GameView), ApiError> {
        let room = self.this.upgrade().ok_or_else(ApiError::shutting_down)?;
        // In a task of its own, so that it is completed even if the client hangs up.
        let work = tokio::spawn(async move {
            let mut state = room.state.lock().await;
            let answer = room.change_locked(&mut state, act).await?;
            Ok((answer, GameView::new(&state.game, Instant::now())))
        });
        work.await.unwrap_or_else(|_| Err(ApiError::new(ErrorCode::Internal, "the change failed")))
    }

    async fn change_locked<T>(
        &self,
        state: &mut State,
        act: impl FnOnce(&mut StoredGame, Instant) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        if state.is_deleted {
            return Err(ApiError::new(ErrorCode::NotFound, "the game was deleted"));
        }
        let now = Instant::now();
        let mut next = state.game.clone();
        let flag_fell = next.tick(now);
        let answer = act(&mut next, now);
        if answer.is_err() && !flag_fell {
            return answer;
        }
        next.stamp();
        self.service.store.change(next.change_since(&state.game)).await?;
        state.game = next;
        if let Some((_, control)) = state.thinking.take() {
            control.stop();
        }
        self.is_over.store(state.game.is_over(), Relaxed);
        self.is_ticking.store(state.game.session().is_ticking(), Relaxed);
        self.events.send_replace(GameEvent::Changed(state.game.record().revision));
        self.start_engine(state);
        answer
    }

    /// Ends the game if a flag has fallen.
    pub(crate) async fn tick(&self) {
        let Ok(mut state) = self.state.try_lock() else { return };
        let mut probe = state.game.clone();
        if probe.tick(Instant::now()) {
            // If it cannot be stored now, the next tick tries again.
            if let Err(error) = self.change_locked(&mut state, |_, _| Ok(())).await {
                tracing::error!(%error, game = state.game.record().id, "a loss on time cannot be stored");
            }
        }
    }

    /// Makes the engine that is searching move at once.
    pub(crate) async fn move_now(&self) -> Result<GameView, ApiError> {
        let state = self.state.lock().await;
        match &state.thinking {
            Some((_, control)) => control.stop(),
            None => return Err(ApiError::conflict("no engine is thinking")),
        }
        Ok(GameView::new(&state.game, Instant::now()))
    }

    /// Deletes the game.
    pub(crate) async fn delete(&self) -> Result<(), ApiError> {
        let mut state = self.state.lock().await;
        let id = state.game.record().id.clone();
        self.service.store.delete_game(&id, super::record::now()).await?;
        self.close(&mut state);
        Ok(())
    }

    /// The game was deleted.
    pub(crate) async fn leave(&self) {
        self.close(&mut *self.state.lock().await);
    }

    fn close(&self, state: &mut State) {
        state.is_deleted = true;
        state.stop_engines();
        self.is_over.store(true, Relaxed);
        self.is_ticking.store(false, Relaxed);
        self.events.send_replace(GameEvent::Gone);
    }

    /// Stops the engines.
    pub(crate) async fn stop_engines(&self) {
        self.state.lock().await.stop_engines();
    }

    /// Starts the search of the engine that is to move.
    fn start_engine(&self, state: &mut State) {
        if state.game.is_over() {
            return state.stop_engines();
        }
        let (Some(mind), Some(room)) = (state.game.engine_to_move(), self.this.upgrade()) else { return };
        let spec = match engines::parse(mind) {
            Ok(spec) => spec,
            // Specs are checked when a game is created, so the database was edited by hand.
            Err(error) => return tracing::error!(%error, mind, "a stored game names an unknown engine"),
        };
        let (color, revision, now) = (state.game.session().turn(), state.game.record().revision, Instant::now());
        let service = &self.service;
        let share = service.workers.share(Priority::Interactive);
        let control = Arc::new(Control::new().behind(Arc::clone(&share) as Arc<dyn search::Gate>));
        let request = MoveRequest {
            game: state.game.session().game().clone(),
            allowance: state.game.allowance(service.limits.move_time, now),
            control: Arc::clone(&control),
            thoughts: self.thoughts.clone(),
        };
        let ply = request.game.moves().len() as u64;
        let builder = EngineBuilder {
            spec,
            // An engine that is built anew in the middle of a game does not repeat its random numbers.
            seed: state.game.record().seed ^ (ply << 1 | color as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15),
            hash: service.limits.hash.div_ceil(2),
            permits: Arc::clone(&service.permits),
        };
        let engine = state.engines[color].take();
        let pause = Duration::from_millis(state.game.record().pause_ms);
        let runtime = Handle::current();
        let asker = Arc::clone(&room);
        let job = move || {
            let (engine, answer) = players::ask(engine, builder, &request);
            runtime.spawn(async move { room.engine_answered(revision, color, engine, answer).await });
        };
        state.thinking = Some((revision, control));
        if !pause.is_zero() {
            drop(tokio::spawn(asker.ask_later(pause, revision, share, job)));
        } else if service.workers.spawn(share, job).is_err() {
            state.thinking = None;
        }
    }

    /// Starts a search after a pause, unless the game has changed meanwhile.
    async fn ask_later(
        self: Arc<Self>,
        pause: Duration,
        revision: u64,
        share: Arc<TimeShare>,
        job: impl FnOnce() + Send + 'static,
    ) {
        tokio::time::sleep(pause).await;
        let mut state = self.state.lock().await;
        let is_wanted = state.thinking.as_ref().is_some_and(|(asked, _)| *asked == revision);
        if is_wanted && self.service.workers.spawn(share, job).is_err() {
            state.thinking = None;
        }
    }

    /// Takes an engine's answer, which counts if the game has not changed since it was asked.
    async fn engine_answered(&self, revision: u64, color: Color, engine: Option<BuiltEngine>, answer: EngineAnswer) {
        let mut state = self.state.lock().await;
        if let Some(engine) = engine.filter(|engine| engine.may_stay() && !state.game.is_over() && !state.is_deleted) {
            state.engines[color].get_or_insert(engine);
        }
        if state.thinking.as_ref().is_none_or(|(asked, _)| *asked != revision) {
            return;
        }
        let act = move |game: &mut StoredGame, now: Instant| {
            // If a flag fell meanwhile, the game ended before the move.
            if !game.is_over() {
                game.engine_answered(answer, now);
            }
            Ok(())
        };
        if let Err(error) = self.change_locked(&mut state, act).await {
            // The disk may be full. The engine is asked again later.
            tracing::error!(%error, game = state.game.record().id, "an engine's move cannot be stored");
            state.thinking = None;
            let room = Weak::clone(&self.this);
            tokio::spawn(async move {
                tokio::time::sleep(RETRY).await;
                if let Some(room) = room.upgrade() {
                    room.ask_engine().await;
                }
            });
        }
    }
}
