//! The threads that do the thinking: as many at work as there are processors, in short turns.
//!
//! A job has a thread of its own for as long as it lasts, but works only while it has a [`Turn`]. There are as many turns
//! at once as processors. Whoever had one for a [`SLICE`] while others wait gives it up at the next [gate](Gate) and goes
//! to the end of a queue. There are three: for those in a hurry who just came, for those in a hurry who had a turn, and for
//! those who have time. The first come first, so that what is quickly done is done quickly; but some turns go to the others
//! first, so that nobody waits for ever. And a few of those who just came need not wait at all: for one slice they work as
//! guests, beside those who have a turn. Most moves are made by then.

use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use search::{Gate, STACK_SIZE};

/// How long a turn lasts if others wait.
const SLICE: Duration = Duration::from_millis(5);

/// Who comes first at each turn, again and again.
const ROTA: [Class; 4] = [Class::Fresh, Class::Known, Class::Fresh, Class::Patient];

/// Guests for each turn.
const GUESTS: usize = 2;

/// By how much the threads of the crew step back behind those that answer requests, where the system lets them.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 5;

/// How long a thread without a job waits for the next.
const IDLE_TIME: Duration = Duration::from_secs(10);

/// Who goes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rank {
    /// Somebody waits for a move or an answer.
    Hurried,
    /// Analyses and reviews, which always want more.
    Patient,
}

/// A queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    /// In a hurry, and not served yet.
    Fresh,
    /// In a hurry, and served before.
    Known,
    Patient,
}

/// There are more jobs than threads allow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overworked;

type Job = Box<dyn FnOnce() + Send>;

/// The threads.
#[derive(Clone)]
pub(crate) struct Crew {
    shared: Arc<Shared>,
}

struct Shared {
    most_threads: usize,
    work: Mutex<Work>,
    /// Wakes threads without a job.
    jobs_came: Condvar,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Work {
    backlog: VecDeque<(Arc<Turn>, Job)>,
    threads: usize,
    idle: usize,
}

struct Queue {
    /// Turns that nobody has.
    free_turns: usize,
    /// How many guests more there may be.
    free_guests: usize,
    /// Those who wait, by class.
    lines: [VecDeque<Arc<Place>>; 3],
    turns_given: usize,
}

/// A place in the queue.
#[derive(Default)]
struct Place {
    seat: Mutex<Option<Seat>>,
    called: Condvar,
}

/// What one works by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seat {
    /// A turn of one's own.
    Turn,
    /// A newcomer's slice beside the others.
    Guest,
}

/// A job's right to a processor. Whoever works passes it as a [`Gate`] now and then.
pub(crate) struct Turn {
    shared: Arc<Shared>,
    rank: Rank,
    /// While the job is at work: since when, and by what.
    work: Mutex<Option<(Instant, Seat)>>,
}

impl std::fmt::Debug for Turn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Turn").field("rank", &self.rank).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Crew {
    /// So many at work at once.
    pub(crate) fn new(at_work: usize, most_threads: usize) -> Crew {
        let turns = at_work.max(1);
        let queue = Queue { free_turns: turns, free_guests: turns * GUESTS, lines: Default::default(), turns_given: 0 };
        Crew {
            shared: Arc::new(Shared {
                most_threads: most_threads.max(1),
                work: Mutex::default(),
                jobs_came: Condvar::new(),
                queue: Mutex::new(queue),
            }),
        }
    }

    /// A turn for a job that is about to be given.
    pub(crate) fn turn(&self, rank: Rank) -> Arc<Turn> {
        Arc::new(Turn { shared: Arc::clone(&self.shared), rank, work: Mutex::default() })
    }

    /// Does a job, as soon as it is its turn.
    pub(crate) fn work(&self, turn: Arc<Turn>, job: impl FnOnce() + Send + 'static) -> Result<(), Overworked> {
        let mut work = lock(&self.shared.work);
        if work.idle <= work.backlog.len() && work.threads < self.shared.most_threads {
            let shared = Arc::clone(&self.shared);
            let builder = thread::Builder::new().name("crew".to_owned()).stack_size(STACK_SIZE);
            // A thread that the system does not grant is one fewer, not a failure, as long as there is any.
            match builder.spawn(move || shared.serve()) {
                Ok(_) => work.threads += 1,
                Err(_) if work.threads == 0 => return Err(Overworked),
                Err(_) => {}
            }
        }
        work.backlog.push_back((turn, Box::new(job)));
        self.shared.jobs_came.notify_one();
        Ok(())
    }
}

impl Shared {
    /// A thread's life.
    fn serve(&self) {
        step_back();
        let mut work = lock(&self.work);
        loop {
            if let Some((turn, job)) = work.backlog.pop_front() {
                drop(work);
                turn.begin();
                // What a job breaks is its own: whoever waits for its answer learns that none comes.
                let _ = panic::catch_unwind(AssertUnwindSafe(job));
                turn.end();
                work = lock(&self.work);
                continue;
            }
            work.idle += 1;
            let (guard, waited) = self.jobs_came.wait_timeout(work, IDLE_TIME).unwrap_or_else(PoisonError::into_inner);
            work = guard;
            work.idle -= 1;
            if waited.timed_out() && work.backlog.is_empty() {
                work.threads -= 1;
                return;
            }
        }
    }
}

/// The thread thinks, and lets those who answer requests go first.
fn step_back() {
    // Here a process is what the system calls one of its threads. Whoever cannot step back is a bit in the way, that is all.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICENESS);
}

impl Queue {
    fn wait(&mut self, class: Class) -> Arc<Place> {
        let place = Arc::new(Place::default());
        self.lines[class as usize].push_back(Arc::clone(&place));
        place
    }

    /// Whoever is next leaves the queue.
    fn next(&mut self) -> Option<Arc<Place>> {
        self.turns_given = self.turns_given.wrapping_add(1);
        let first = ROTA[self.turns_given % ROTA.len()];
        let others = [Class::Fresh, Class::Known, Class::Patient];
        std::iter::once(first).chain(others).find_map(|class| self.first_of(class))
    }

    /// The first in a line leaves it.
    fn first_of(&mut self, class: Class) -> Option<Arc<Place>> {
        self.lines[class as usize].pop_front()
    }

    /// Somebody stops working.
    fn leave(&mut self, seat: Seat) {
        match seat {
            Seat::Turn => self.free_turns += 1,
            Seat::Guest => self.free_guests += 1,
        }
    }

    /// Calls those who are next, for as long as there are seats.
    fn call(&mut self) {
        while self.free_turns > 0
            && let Some(place) = self.next()
        {
            self.free_turns -= 1;
            place.call(Seat::Turn);
        }
        while self.free_guests > 0
            && let Some(place) = self.first_of(Class::Fresh)
        {
            self.free_guests -= 1;
            place.call(Seat::Guest);
        }
    }
}

impl Place {
    fn call(&self, seat: Seat) {
        *lock(&self.seat) = Some(seat);
        self.called.notify_one();
    }

    /// Waits to be called, with the queue free for others.
    fn stand(&self, queue: MutexGuard<'_, Queue>) -> Option<Seat> {
        drop(queue);
        let seat = lock(&self.seat);
        *self.called.wait_while(seat, |seat| seat.is_none()).unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// Waits to be called for the first time.
    fn begin(&self) {
        let class = if self.rank == Rank::Hurried { Class::Fresh } else { Class::Patient };
        self.queue_up(class, None);
    }

    fn end(&self) {
        let mut queue = lock(&self.shared.queue);
        if let Some((_, seat)) = lock(&self.work).take() {
            queue.leave(seat);
            queue.call();
        }
    }

    /// Gives up a seat, if there is one, and waits for the next.
    fn queue_up(&self, class: Class, seat: Option<Seat>) {
        let mut queue = lock(&self.shared.queue);
        let place = queue.wait(class);
        if let Some(seat) = seat {
            queue.leave(seat);
        }
        queue.call();
        let seat = place.stand(queue);
        *lock(&self.work) = seat.map(|seat| (Instant::now(), seat));
    }
}

impl Gate for Turn {
    fn pass(&self) {
        let work = *lock(&self.work);
        if let Some((began, seat)) = work
            && began.elapsed() >= SLICE
        {
            let class = if self.rank == Rank::Hurried { Class::Known } else { Class::Patient };
            self.queue_up(class, Some(seat));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
    use std::sync::mpsc;

    use super::*;

    /// Works until the flag is set, and counts how often it came round.
    fn busy(crew: &Crew, rank: Rank, is_over: &Arc<AtomicBool>) -> Arc<AtomicU64> {
        let (rounds, turn, is_over) = (Arc::new(AtomicU64::new(0)), crew.turn(rank), Arc::clone(is_over));
        let (count, gate) = (Arc::clone(&rounds), Arc::clone(&turn));
        crew.work(turn, move || {
            while !is_over.load(Relaxed) {
                thread::sleep(Duration::from_millis(1));
                count.fetch_add(1, Relaxed);
                gate.pass();
            }
        })
        .expect("a thread");
        rounds
    }

    #[test]
    fn everybody_gets_a_turn_and_a_move_does_not_wait_for_analyses_to_end() {
        let (crew, is_over) = (Crew::new(1, 16), Arc::new(AtomicBool::new(false)));
        let rounds: Vec<_> = (0..5).map(|_| busy(&crew, Rank::Patient, &is_over)).collect();
        for _ in 0..20 {
            let (tell, told) = mpsc::channel();
            crew.work(crew.turn(Rank::Hurried), move || tell.send(()).expect("a listener")).expect("a thread");
            told.recv().expect("the move is made although analyses never end");
        }
        while rounds.iter().any(|rounds| rounds.load(Relaxed) < 10) {
            thread::sleep(Duration::from_millis(1));
        }
        is_over.store(true, Relaxed);
    }

    #[test]
    fn those_who_are_in_a_hurry_do_not_starve_the_others() {
        let (crew, is_over) = (Crew::new(1, 16), Arc::new(AtomicBool::new(false)));
        let hurried: Vec<_> = (0..3).map(|_| busy(&crew, Rank::Hurried, &is_over)).collect();
        let patient = busy(&crew, Rank::Patient, &is_over);
        while patient.load(Relaxed) < 20 || hurried.iter().any(|rounds| rounds.load(Relaxed) < 20) {
            thread::sleep(Duration::from_millis(1));
        }
        is_over.store(true, Relaxed);
    }

    #[test]
    fn a_newcomer_works_beside_the_others_for_a_slice_and_then_waits_for_a_turn() {
        let crew = Crew::new(1, 4);
        let (release, released) = mpsc::channel();
        crew.work(crew.turn(Rank::Patient), move || released.recv().expect("an end")).expect("a thread");
        let (tell, told) = mpsc::channel();
        let turn = crew.turn(Rank::Hurried);
        let gate = Arc::clone(&turn);
        let newcomer = move || {
            tell.send("at work").expect("a listener");
            thread::sleep(SLICE);
            gate.pass();
            tell.send("has a turn").expect("a listener");
        };
        crew.work(turn, newcomer).expect("a thread");
        assert_eq!(told.recv(), Ok("at work"), "although the only turn is taken");
        while lock(&crew.shared.queue).lines[Class::Known as usize].is_empty() {
            thread::sleep(Duration::from_millis(1));
        }
        assert!(told.try_recv().is_err());
        release.send(()).expect("a listener");
        assert_eq!(told.recv(), Ok("has a turn"));
    }

    #[test]
    fn whoever_just_came_is_served_first_and_nobody_is_forgotten() {
        let mut queue = Queue { free_turns: 0, free_guests: 0, lines: Default::default(), turns_given: 0 };
        let classes = [Class::Fresh, Class::Known, Class::Patient];
        let places: Vec<_> = (0..30).map(|index| (classes[index % 3], queue.wait(classes[index % 3]))).collect();
        let class_of =
            |place: &Arc<Place>| places.iter().find(|(_, known)| Arc::ptr_eq(known, place)).map(|(class, _)| *class);
        let served: Vec<_> = std::iter::from_fn(|| queue.next()).filter_map(|place| class_of(&place)).collect();
        assert_eq!(served.len(), 30);
        let among_the_first = |class| served[..12].iter().filter(|&&served| served == class).count();
        assert_eq!(classes.map(among_the_first), [6, 3, 3]);
    }

    #[test]
    fn a_job_that_breaks_down_takes_nobody_with_it() {
        let crew = Crew::new(1, 1);
        crew.work(crew.turn(Rank::Hurried), || panic!("on purpose")).expect("a thread");
        let (tell, told) = mpsc::channel();
        crew.work(crew.turn(Rank::Hurried), move || tell.send(7).expect("a listener")).expect("a thread");
        assert_eq!(told.recv(), Ok(7));
    }
}
