//! The thread that owns the engine.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use interface::{Control, STACK_SIZE};

use crate::Engine;
use crate::input::Event;

type Job = Box<dyn FnOnce(&mut dyn Engine) + Send>;

/// The engine has panicked, and its thread has ended.
#[derive(Debug)]
pub(crate) struct Dead;

/// An engine on a thread of its own, with one job at a time.
pub(crate) struct SearchThread {
    jobs: Sender<Job>,
    done: Receiver<()>,
    /// The switch of the job under way. The job may have ended since.
    control: Option<Arc<Control>>,
    /// Whether the job under way ends by itself and is worth waiting for when the session ends.
    is_count: bool,
}

impl SearchThread {
    /// Starts the thread, which ends when this is dropped. If the engine panics, `events` is told.
    pub(crate) fn start(mut engine: Box<dyn Engine>, events: Sender<Event>) -> io::Result<SearchThread> {
        let (jobs, to_do) = mpsc::channel::<Job>();
        let (tell_done, done) = mpsc::channel();
        let work = move || {
            for job in to_do {
                job(&mut *engine);
                if tell_done.send(()).is_err() {
                    break;
                }
            }
        };
        let builder = thread::Builder::new().name("search".to_owned()).stack_size(STACK_SIZE);
        builder.spawn(move || {
            if catch_unwind(AssertUnwindSafe(work)).is_err() {
                // If the receiver is gone, the session has ended already.
                let _ = events.send(Event::SearchDied);
            }
        })?;
        Ok(SearchThread { jobs, done, control: None, is_count: false })
    }

    /// Ends the job under way, if there is one, and begins another, which looks at `control` to know when to end.
    pub(crate) fn begin(
        &mut self,
        control: Arc<Control>,
        job: impl FnOnce(&mut dyn Engine) + Send + 'static,
    ) -> Result<(), Dead> {
        self.finish()?;
        self.jobs.send(Box::new(job)).map_err(|_| Dead)?;
        self.control = Some(control);
        self.is_count = false;
        Ok(())
    }

    /// The same for a job that counts, a perft or a bench, which the end of the session waits for.
    pub(crate) fn begin_count(
        &mut self,
        control: Arc<Control>,
        job: impl FnOnce(&mut dyn Engine) + Send + 'static,
    ) -> Result<(), Dead> {
        self.begin(control, job)?;
        self.is_count = true;
        Ok(())
    }

    /// Ends the job under way as [`finish`](SearchThread::finish) does, unless it counts: then waits for the count.
    ///
    /// `echo go perft 5 | saavedra` is how scripts ask for a count, and no other engine breaks it off at the end of its
    /// input.
    pub(crate) fn complete(&mut self) -> Result<(), Dead> {
        if self.is_count && self.control.take().is_some() {
            return self.done.recv().map_err(|_| Dead);
        }
        self.finish()
    }

    /// The switch of the job under way.
    pub(crate) fn control(&self) -> Option<&Control> {
        self.control.as_deref()
    }

    /// Ends the job under way and waits until it has written all it has to write.
    pub(crate) fn finish(&mut self) -> Result<(), Dead> {
        match self.control.take() {
            None => Ok(()),
            Some(control) => {
                control.stop();
                self.done.recv().map_err(|_| Dead)
            }
        }
    }

    /// Ends the job under way, then does something with the engine and waits for it.
    pub(crate) fn ask<T: Send + 'static>(
        &mut self,
        ask: impl FnOnce(&mut dyn Engine) -> T + Send + 'static,
    ) -> Result<T, Dead> {
        let (answer, heard) = mpsc::channel();
        // The receiver waits below, so that sending cannot fail.
        self.begin(Arc::new(Control::new()), move |engine| _ = answer.send(ask(engine)))?;
        let answer = heard.recv().map_err(|_| Dead)?;
        self.finish()?;
        Ok(answer)
    }
}
