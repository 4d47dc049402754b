//! The thread that owns the search.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use search::{Control, STACK_SIZE};

use crate::input::Event;
use crate::{Brain, brain};

type Job = Box<dyn FnOnce(&mut Brain) + Send>;

/// The search has panicked, and its thread is no more.
#[derive(Debug)]
pub(crate) struct Dead;

/// The search, on a thread of its own, with one job at a time.
pub(crate) struct Thinker {
    jobs: Sender<Job>,
    done: Receiver<()>,
    /// The switch of the job under way, which may have ended without anybody noticing yet.
    control: Option<Arc<Control>>,
}

impl Thinker {
    /// Starts the thread, which ends with the thinker. If it ends before, `events` hears of it.
    pub(crate) fn start(events: Sender<Event>) -> io::Result<Thinker> {
        let (jobs, to_do) = mpsc::channel::<Job>();
        let (tell_done, done) = mpsc::channel();
        let work = move || {
            let mut brain = brain();
            for job in to_do {
                job(&mut brain);
                if tell_done.send(()).is_err() {
                    break;
                }
            }
        };
        let builder = thread::Builder::new().name("search".to_owned()).stack_size(STACK_SIZE);
        builder.spawn(move || {
            if catch_unwind(AssertUnwindSafe(work)).is_err() {
                // If nobody waits for it, the engine has ended already.
                let _ = events.send(Event::SearchDied);
            }
        })?;
        Ok(Thinker { jobs, done, control: None })
    }

    /// Ends the job under way, if there is one, and begins another, which looks at `control` to know when to end.
    pub(crate) fn begin(
        &mut self,
        control: Arc<Control>,
        job: impl FnOnce(&mut Brain) + Send + 'static,
    ) -> Result<(), Dead> {
        self.finish()?;
        self.jobs.send(Box::new(job)).map_err(|_| Dead)?;
        self.control = Some(control);
        Ok(())
    }

    /// The switch of the job under way.
    pub(crate) fn control(&self) -> Option<&Control> {
        self.control.as_deref()
    }

    /// Ends the job under way and waits until it has said all it has to say.
    pub(crate) fn finish(&mut self) -> Result<(), Dead> {
        match self.control.take() {
            None => Ok(()),
            Some(control) => {
                control.stop();
                self.done.recv().map_err(|_| Dead)
            }
        }
    }

    /// Ends the job under way, then does something with the search and waits for it.
    pub(crate) fn ask<T: Send + 'static>(
        &mut self,
        ask: impl FnOnce(&mut Brain) -> T + Send + 'static,
    ) -> Result<T, Dead> {
        let (answer, heard) = mpsc::channel();
        // The receiver waits below, so that sending cannot fail.
        self.begin(Arc::new(Control::new()), move |brain| _ = answer.send(ask(brain)))?;
        let answer = heard.recv().map_err(|_| Dead)?;
        self.finish()?;
        Ok(answer)
    }
}
