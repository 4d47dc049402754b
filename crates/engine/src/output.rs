//! The one owner of the session's output.

use std::fmt::Display;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

use uci::Message;

use crate::input::Event;

/// Where all threads of a session write: whole lines, each flushed. Clones write to the same place.
#[derive(Clone)]
pub(crate) struct Output(Arc<Shared>);

struct Shared {
    writer: Mutex<Box<dyn Write + Send>>,
    is_broken: AtomicBool,
    events: Sender<Event>,
}

impl Output {
    /// An output that reports to `events` when it breaks.
    pub(crate) fn new(writer: impl Write + Send + 'static, events: Sender<Event>) -> Output {
        Output(Arc::new(Shared { writer: Mutex::new(Box::new(writer)), is_broken: AtomicBool::new(false), events }))
    }

    /// Writes a line, or several that belong together.
    pub(crate) fn print(&self, lines: impl Display) {
        if self.is_broken() {
            return;
        }
        let text = format!("{lines}\n");
        let mut writer = self.0.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.write_all(text.as_bytes()).and_then(|()| writer.flush()).is_err() {
            self.0.is_broken.store(true, Ordering::Relaxed);
            // If the receiver is gone, the session is ending anyway.
            let _ = self.0.events.send(Event::OutputBroke);
        }
    }

    /// Whether nothing that is written arrives any more.
    pub(crate) fn is_broken(&self) -> bool {
        self.0.is_broken.load(Ordering::Relaxed)
    }

    /// Writes a line of text for people.
    pub(crate) fn tell(&self, text: impl Into<String>) {
        self.print(Message::text(text));
    }
}
