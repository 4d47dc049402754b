//! What a session must react to: lines that arrive, and what may end it.

use std::io::{BufRead, Read};
use std::sync::mpsc::Sender;
use std::time::Instant;

/// Something the session must react to.
pub(crate) enum Event {
    /// A line has arrived.
    Line {
        text: String,
        /// When. The clock of a search starts here.
        arrived: Instant,
    },
    /// No more lines will come.
    InputEnded,
    /// The output cannot be written any more.
    OutputBroke,
    /// The engine has panicked.
    SearchDied,
}

/// More than any game fills; a longer line is read in pieces, so that an endless one does not fill the memory.
const LONGEST_LINE: u64 = 1 << 24;

/// Passes lines on until there are no more, or the session has ended.
pub(crate) fn read(mut input: impl BufRead, events: &Sender<Event>) {
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        let arrived = Instant::now();
        // Some shells put a byte-order mark before what they pipe.
        let text = String::from_utf8_lossy(&line).trim_start_matches('\u{feff}').to_owned();
        if events.send(Event::Line { text, arrived }).is_err() {
            return;
        }
    }
    // If the receiver is gone, the session has ended already.
    let _ = events.send(Event::InputEnded);
}
