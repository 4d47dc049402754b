//! All games: those that are being played, in memory, and the others, where they are kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;

use super::record::Record;
use super::room::Room;
use super::session::Session;
use crate::crew::Crew;
use crate::keeper::Keeper;
use crate::limits::Limits;
use crate::refusal::{Code, Refusal};

/// What every room needs.
pub(crate) struct Service {
    pub(crate) keeper: Keeper,
    pub(crate) crew: Crew,
    pub(crate) limits: Limits,
    /// Room for large minds that are kept between moves.
    pub(crate) seats: Arc<Semaphore>,
}

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(50);

/// After so many ticks, games that nobody plays or watches are put away.
const TICKS_BETWEEN_CLEANINGS: u32 = 40;

/// All games.
pub(crate) struct Hall {
    service: Arc<Service>,
    rooms: Mutex<HashMap<String, Arc<Room>>>,
    /// One game is taken from where it is kept at a time, so that none is taken twice.
    fetching: tokio::sync::Mutex<()>,
}

impl Hall {
    pub(crate) fn new(keeper: Keeper, crew: Crew, limits: Limits) -> Hall {
        let seats = Arc::new(Semaphore::new(limits.kept_minds));
        Hall {
            service: Arc::new(Service { keeper, crew, limits, seats }),
            rooms: Mutex::default(),
            fetching: tokio::sync::Mutex::default(),
        }
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<String, Arc<Room>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes up the games that were not over when the server ended.
    pub(crate) async fn resume(&self) -> Result<usize, Refusal> {
        let most = u32::try_from(self.service.limits.running_games).unwrap_or(u32::MAX);
        let page = self.service.keeper.list(Some(false), most, 0).await?;
        let mut resumed = 0;
        for record in page.records {
            // A record that makes no sense is left where it is.
            let Ok(session) = Session::new(record) else { continue };
            let id = session.record().id.clone();
            let room = Room::new(session, Arc::clone(&self.service));
            self.rooms().insert(id, Arc::clone(&room));
            room.open().await;
            resumed += 1;
        }
        Ok(resumed)
    }

    /// Whether another game can be played: a new one, or one that was over.
    pub(crate) fn check_room(&self) -> Result<(), Refusal> {
        let most = self.service.limits.running_games;
        if self.rooms().values().filter(|room| !room.is_over()).count() < most {
            return Ok(());
        }
        Err(Refusal::new(Code::TooMany, format!("{most} games are being played: end one first")))
    }

    /// Sets a new game up.
    pub(crate) async fn create(&self, record: Record) -> Result<Arc<Room>, Refusal> {
        self.check_room()?;
        let most = self.service.limits.kept_games;
        if self.service.keeper.list(None, 0, 0).await?.total >= most as u64 {
            return Err(Refusal::new(Code::TooMany, format!("{most} games are kept: delete some first")));
        }
        let mut session =
            Session::new(record).map_err(|error| Refusal::new(Code::IllegalPosition, error.to_string()))?;
        session.stamp();
        self.service.keeper.save(session.record()).await?;
        let id = session.record().id.clone();
        let room = Room::new(session, Arc::clone(&self.service));
        self.rooms().insert(id, Arc::clone(&room));
        room.open().await;
        Ok(room)
    }

    /// The game with this name.
    pub(crate) async fn room(&self, id: &str) -> Result<Arc<Room>, Refusal> {
        if let Some(room) = self.rooms().get(id) {
            return Ok(Arc::clone(room));
        }
        let _alone = self.fetching.lock().await;
        if let Some(room) = self.rooms().get(id) {
            return Ok(Arc::clone(room));
        }
        let unknown = || Refusal::new(Code::NotFound, "there is no such game");
        let record = self.service.keeper.load(id).await?.ok_or_else(unknown)?;
        let session = Session::new(record).map_err(|error| Refusal::new(Code::Internal, error.to_string()))?;
        let room = Room::new(session, Arc::clone(&self.service));
        self.rooms().insert(id.to_owned(), Arc::clone(&room));
        Ok(room)
    }

    pub(crate) async fn delete(&self, id: &str) -> Result<(), Refusal> {
        let room = self.room(id).await?;
        room.close().await?;
        self.rooms().remove(id);
        Ok(())
    }

    pub(crate) fn service(&self) -> &Service {
        &self.service
    }

    /// Nobody thinks any more: the server ends. Moves that minds still owe are asked for when it starts again.
    pub(crate) async fn rest(&self) {
        let rooms: Vec<Arc<Room>> = self.rooms().drain().map(|(_, room)| room).collect();
        for room in rooms {
            room.rest().await;
        }
    }

    /// Lets time pass, for as long as the server runs.
    pub(crate) async fn tick(&self) {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        for count in 1_u32.. {
            ticks.tick().await;
            let ticking: Vec<Arc<Room>> =
                self.rooms().values().filter(|room| room.is_ticking()).map(Arc::clone).collect();
            for room in ticking {
                room.tick().await;
            }
            if count.is_multiple_of(TICKS_BETWEEN_CLEANINGS) {
                // Whoever holds a room is about to do something with it.
                self.rooms().retain(|_, room| !room.is_over() || room.is_watched() || Arc::strong_count(room) > 1);
            }
        }
    }
}
