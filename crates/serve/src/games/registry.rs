//! The registry of games: games in progress are in memory, the others in the store.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;

use super::record::Record;
use super::room::GameRoom;
use super::stored_game::StoredGame;
use crate::error::{ApiError, ErrorCode};
use crate::limits::ServerLimits;
use crate::store::Store;
use crate::worker_pool::WorkerPool;

/// What every game room uses.
pub(crate) struct Service {
    pub(crate) store: Store,
    pub(crate) workers: WorkerPool,
    pub(crate) limits: ServerLimits,
    /// Permits for engines with a table that are kept between moves.
    pub(crate) permits: Arc<Semaphore>,
}

/// How often clocks are checked.
const TICK: Duration = Duration::from_millis(50);

/// After so many ticks, games that are over and not watched are dropped from memory.
const TICKS_BETWEEN_CLEANINGS: u32 = 40;

/// The registry of games.
pub(crate) struct GameRegistry {
    service: Arc<Service>,
    rooms: Mutex<HashMap<String, Arc<GameRoom>>>,
    /// Held while a game is loaded from the store, so that none is loaded twice.
    loading: tokio::sync::Mutex<()>,
}

impl GameRegistry {
    pub(crate) fn new(store: Store, workers: WorkerPool, limits: ServerLimits) -> GameRegistry {
        let permits = Arc::new(Semaphore::new(limits.kept_engines));
        GameRegistry {
            service: Arc::new(Service { store, workers, limits, permits }),
            rooms: Mutex::default(),
            loading: tokio::sync::Mutex::default(),
        }
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<String, Arc<GameRoom>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Resumes the games that were in progress when the server stopped.
    pub(crate) async fn resume(&self) -> Result<usize, ApiError> {
        let most = u32::try_from(self.service.limits.running_games).unwrap_or(u32::MAX);
        let records = self.service.store.in_progress(most).await?;
        let mut resumed = 0;
        for record in records {
            let game = match StoredGame::new(record, self.service.limits.moves) {
                Ok(game) => game,
                // The record stays in the store.
                Err(error) => {
                    tracing::error!(%error, "a stored game cannot be resumed");
                    continue;
                }
            };
            let id = game.record().id.clone();
            let room = GameRoom::new(game, Arc::clone(&self.service));
            self.rooms().insert(id, Arc::clone(&room));
            room.ask_engine().await;
            resumed += 1;
        }
        Ok(resumed)
    }

    /// Whether one more game may be in progress: a new one, or one that was over.
    pub(crate) fn check_capacity(&self) -> Result<(), ApiError> {
        let most = self.service.limits.running_games;
        if self.rooms().values().filter(|room| !room.is_over()).count() < most {
            return Ok(());
        }
        Err(ApiError::new(ErrorCode::TooMany, format!("{most} games are in progress: end one first")))
    }

    /// Starts a new game.
    pub(crate) async fn create(&self, record: Record) -> Result<Arc<GameRoom>, ApiError> {
        self.check_capacity()?;
        let most = self.service.limits.kept_games;
        if self.service.store.count().await? >= most as u64 {
            return Err(ApiError::new(ErrorCode::TooMany, format!("{most} games are stored: delete some first")));
        }
        let mut game = StoredGame::new(record, self.service.limits.moves)
            .map_err(|error| ApiError::new(ErrorCode::IllegalPosition, error.to_string()))?;
        game.stamp();
        self.service.store.create(game.record()).await?;
        let id = game.record().id.clone();
        let room = GameRoom::new(game, Arc::clone(&self.service));
        self.rooms().insert(id, Arc::clone(&room));
        room.ask_engine().await;
        Ok(room)
    }

    /// The game with this identifier.
    pub(crate) async fn room(&self, id: &str) -> Result<Arc<GameRoom>, ApiError> {
        if let Some(room) = self.rooms().get(id) {
            return Ok(Arc::clone(room));
        }
        let _guard = self.loading.lock().await;
        if let Some(room) = self.rooms().get(id) {
            return Ok(Arc::clone(room));
        }
        let unknown = || ApiError::new(ErrorCode::NotFound, "there is no such game");
        let record = self.service.store.load(id).await?.ok_or_else(unknown)?;
        let game = StoredGame::new(record, self.service.limits.moves)
            .map_err(|error| ApiError::new(ErrorCode::Internal, error.to_string()))?;
        let room = GameRoom::new(game, Arc::clone(&self.service));
        self.rooms().insert(id.to_owned(), Arc::clone(&room));
        // A game in progress that was deleted and brought back goes on.
        room.ask_engine().await;
        Ok(room)
    }

    /// Leaves games that were deleted together.
    pub(crate) async fn forget_deleted(&self) -> Result<(), ApiError> {
        let known: Vec<String> = self.rooms().keys().cloned().collect();
        for id in self.service.store.deleted_of(known).await? {
            let room = self.rooms().remove(&id);
            if let Some(room) = room {
                room.leave().await;
            }
        }
        Ok(())
    }

    pub(crate) async fn delete(&self, id: &str) -> Result<(), ApiError> {
        let room = self.room(id).await?;
        room.delete().await?;
        self.rooms().remove(id);
        Ok(())
    }

    pub(crate) fn service(&self) -> &Service {
        &self.service
    }

    /// Stops all engines, because the server stops. Moves that are due are computed when it starts again.
    pub(crate) async fn stop_engines(&self) {
        let rooms: Vec<Arc<GameRoom>> = self.rooms().drain().map(|(_, room)| room).collect();
        for room in rooms {
            room.stop_engines().await;
        }
    }

    /// Checks the clocks for as long as the server runs.
    pub(crate) async fn tick(&self) {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        for count in 1_u32.. {
            ticks.tick().await;
            let ticking: Vec<Arc<GameRoom>> =
                self.rooms().values().filter(|room| room.is_ticking()).map(Arc::clone).collect();
            for room in ticking {
                room.tick().await;
            }
            if count.is_multiple_of(TICKS_BETWEEN_CLEANINGS) {
                // A room that is held elsewhere is about to be used.
                self.rooms().retain(|_, room| !room.is_over() || room.is_watched() || Arc::strong_count(room) > 1);
            }
        }
    }
}
