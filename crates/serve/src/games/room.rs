//! A game that is being played: its state, the minds that sit at it, and those who watch.
//!
//! A change is tried on a copy of the state, kept on disk, and only then made and told. Whoever asked for it may leave in
//! the meantime: the change is completed all the same.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use rules::{ByColor, Color};
use search::Control;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, watch};

use super::hall::Service;
use super::players::{self, Invitation, Question, Seated};
use super::session::{MindAnswer, Session};
use super::view::{GameView, Thought};
use crate::crew::Rank;
use crate::questions::gallery;
use crate::refusal::{Code, Refusal};

/// How long we wait after something could not be kept.
const RETRY: Duration = Duration::from_secs(1);

/// What those who watch are told: that something changed, and which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum News {
    /// The game is at this revision.
    Changed(u64),
    /// The game was deleted.
    Gone,
}

/// A game that is being played, or looked at.
pub(crate) struct Room {
    me: Weak<Room>,
    service: Arc<Service>,
    table: Mutex<Table>,
    news: watch::Sender<News>,
    thoughts: watch::Sender<Option<Thought>>,
    /// Copies of what the state says, for those who do not want to wait for it.
    is_over: AtomicBool,
    is_ticking: AtomicBool,
}

struct Table {
    session: Session,
    minds: ByColor<Option<Seated>>,
    /// The switch of the mind that thinks, and the revision it was asked at.
    thinking: Option<(u64, Arc<Control>)>,
    is_gone: bool,
}

impl Table {
    /// Nobody thinks any more.
    fn rest(&mut self) {
        self.minds = ByColor { white: None, black: None };
        if let Some((_, control)) = self.thinking.take() {
            control.stop();
        }
    }
}

impl Room {
    pub(crate) fn new(session: Session, service: Arc<Service>) -> Arc<Room> {
        Arc::new_cyclic(|me| Room {
            me: Weak::clone(me),
            service,
            news: watch::Sender::new(News::Changed(session.record().revision)),
            thoughts: watch::Sender::new(None),
            is_over: AtomicBool::new(session.is_over()),
            is_ticking: AtomicBool::new(false),
            table: Mutex::new(Table {
                session,
                minds: ByColor { white: None, black: None },
                thinking: None,
                is_gone: false,
            }),
        })
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Relaxed)
    }

    /// Whether a flag may fall.
    pub(crate) fn is_ticking(&self) -> bool {
        self.is_ticking.load(Relaxed)
    }

    pub(crate) fn news(&self) -> watch::Receiver<News> {
        self.news.subscribe()
    }

    pub(crate) fn thoughts(&self) -> watch::Receiver<Option<Thought>> {
        self.thoughts.subscribe()
    }

    /// Whether anybody watches.
    pub(crate) fn is_watched(&self) -> bool {
        self.news.receiver_count() > 0
    }

    /// The game as it stands.
    pub(crate) async fn view(&self) -> GameView {
        GameView::new(&self.table.lock().await.session, Instant::now())
    }

    /// Looks at the state.
    pub(crate) async fn look<T>(&self, look: impl FnOnce(&Session) -> T) -> T {
        look(&self.table.lock().await.session)
    }

    /// Asks minds for moves, if it is their turn and nobody asked them yet.
    pub(crate) async fn open(&self) {
        let mut table = self.table.lock().await;
        if table.thinking.is_none() {
            self.keep_busy(&mut table);
        }
    }

    /// Changes the game, unless `act` refuses. The change is kept before it is told.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut Session, Instant) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<(T, GameView), Refusal> {
        let room = self.me.upgrade().ok_or_else(Refusal::gone)?;
        // On its own, so that it is not left half done if whoever asked hangs up.
        let work = tokio::spawn(async move {
            let mut table = room.table.lock().await;
            let answer = room.change_at(&mut table, act).await?;
            Ok((answer, GameView::new(&table.session, Instant::now())))
        });
        work.await.unwrap_or_else(|_| Err(Refusal::new(Code::Internal, "the change failed")))
    }

    async fn change_at<T>(
        &self,
        table: &mut Table,
        act: impl FnOnce(&mut Session, Instant) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        if table.is_gone {
            return Err(Refusal::new(Code::NotFound, "the game was deleted"));
        }
        let now = Instant::now();
        let mut next = table.session.clone();
        let flag_fell = next.tick(now);
        let answer = act(&mut next, now);
        if answer.is_err() && !flag_fell {
            return answer;
        }
        next.stamp();
        self.service.keeper.save(next.record()).await?;
        table.session = next;
        if let Some((_, control)) = table.thinking.take() {
            control.stop();
        }
        self.is_over.store(table.session.is_over(), Relaxed);
        self.is_ticking.store(table.session.is_ticking(), Relaxed);
        self.news.send_replace(News::Changed(table.session.record().revision));
        self.keep_busy(table);
        answer
    }

    /// Lets a flag fall.
    pub(crate) async fn tick(&self) {
        let Ok(mut table) = self.table.try_lock() else { return };
        let mut probe = table.session.clone();
        if probe.tick(Instant::now()) {
            // If it cannot be kept now, the next look at the clock tries again.
            let _ = self.change_at(&mut table, |_, _| Ok(())).await;
        }
    }

    /// The mind that thinks answers at once.
    pub(crate) async fn hurry(&self) -> Result<GameView, Refusal> {
        let table = self.table.lock().await;
        match &table.thinking {
            Some((_, control)) => control.stop(),
            None => return Err(Refusal::conflict("nobody is thinking")),
        }
        Ok(GameView::new(&table.session, Instant::now()))
    }

    /// The game is deleted.
    pub(crate) async fn close(&self) -> Result<(), Refusal> {
        let mut table = self.table.lock().await;
        let id = table.session.record().id.clone();
        self.service.keeper.delete(&id).await?;
        table.is_gone = true;
        table.rest();
        self.is_over.store(true, Relaxed);
        self.is_ticking.store(false, Relaxed);
        self.news.send_replace(News::Gone);
        Ok(())
    }

    /// Nobody thinks any more.
    pub(crate) async fn rest(&self) {
        self.table.lock().await.rest();
    }

    /// Sees to it that the mind that is to move thinks, and nobody else does.
    fn keep_busy(&self, table: &mut Table) {
        if table.session.is_over() {
            return table.rest();
        }
        let (Some(mind), Some(room)) = (table.session.mind_to_move(), self.me.upgrade()) else { return };
        let spec = match gallery::invite(mind) {
            Ok(spec) => spec,
            // Only somebody who wrote into the file can have brought this about.
            Err(_) => return,
        };
        let (color, revision, now) = (table.session.turn(), table.session.record().revision, Instant::now());
        let service = &self.service;
        let turn = service.crew.turn(Rank::Hurried);
        let control = Arc::new(Control::new().behind(Arc::clone(&turn) as Arc<dyn search::Gate>));
        let question = Question {
            game: table.session.game().clone(),
            allowance: table.session.allowance(service.limits.move_time, now),
            control: Arc::clone(&control),
            thoughts: self.thoughts.clone(),
        };
        let ply = question.game.moves().len() as u64;
        let invitation = Invitation {
            spec,
            // A mind that is built anew in the middle of a game does not draw the same lots again.
            seed: table.session.record().seed ^ (ply << 1 | color as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15),
            hash: service.limits.hash.div_ceil(2),
            seats: Arc::clone(&service.seats),
        };
        let seated = table.minds[color].take();
        let pause = Duration::from_millis(table.session.record().pause_ms);
        let runtime = Handle::current();
        let job = move || {
            let (seated, answer) = players::ask(seated, invitation, &question);
            runtime.spawn(async move {
                let is_move = players::move_of(&answer.choice).is_some();
                if is_move && !question.control.is_stopped() {
                    tokio::time::sleep(pause.saturating_sub(answer.spent)).await;
                }
                room.mind_answered(revision, color, seated, answer).await;
            });
        };
        table.thinking = Some((revision, control));
        if service.crew.work(turn, job).is_err() {
            table.thinking = None;
        }
    }

    /// A mind has answered: what it says counts if the game has not changed since it was asked.
    async fn mind_answered(&self, revision: u64, color: Color, seated: Option<Seated>, answer: MindAnswer) {
        let mut table = self.table.lock().await;
        if let Some(seated) = seated.filter(|seated| seated.may_stay() && !table.session.is_over() && !table.is_gone) {
            table.minds[color].get_or_insert(seated);
        }
        if table.thinking.as_ref().is_none_or(|(asked, _)| *asked != revision) {
            return;
        }
        let most = self.service.limits.moves;
        let act = move |session: &mut Session, now: Instant| {
            // A flag that fell in the meantime ends the game before the move.
            if !session.is_over() {
                session.mind_answered(answer, most, now);
            }
            Ok(())
        };
        if self.change_at(&mut table, act).await.is_err() {
            // It could not be kept, perhaps because the disk is full. Later the mind is asked again.
            table.thinking = None;
            let room = Weak::clone(&self.me);
            tokio::spawn(async move {
                tokio::time::sleep(RETRY).await;
                if let Some(room) = room.upgrade() {
                    room.open().await;
                }
            });
        }
    }
}
