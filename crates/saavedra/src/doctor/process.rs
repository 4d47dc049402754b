//! A program at the other end of two pipes, which may hang, crash, babble, or leave: nothing it does blocks us, and
//! nothing of it stays behind.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A longer line is no answer to anything we ask.
const LONGEST_LINE: u64 = 4096;
/// How many lines wait to be read before the program has to wait itself.
const LINES_AHEAD: usize = 1024;
/// How many last lines are remembered for a report.
const LAST_LINES: usize = 3;
/// How long a program that closed its output gets to end, so that its exit status can be reported.
const TIME_TO_END: Duration = Duration::from_millis(500);

/// How a program is started.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) path: OsString,
    pub(super) arguments: Vec<OsString>,
}

/// Why there is no line to read.
pub(super) enum Silence {
    /// Time is up.
    Timeout,
    /// The program ended, or closed its output or input.
    Closed(String),
    /// It said something that is not a line of text.
    Garbage(String),
}

enum Output {
    Line(String),
    TooLong,
}

type Tail = Arc<Mutex<VecDeque<String>>>;

/// The program that must not outlive us, if one is running. There is never more than one.
static RUNNING: Mutex<Option<u32>> = Mutex::new(None);

/// A running program. It ends, with everything it has started, when this is dropped.
pub(super) struct Running {
    child: Child,
    input: ChildStdin,
    output: Receiver<Output>,
    said: VecDeque<String>,
    complaints: Tail,
    complaint_reader: JoinHandle<()>,
}

impl Program {
    pub(super) fn start(&self) -> io::Result<Running> {
        let mut command = Command::new(&self.path);
        command.args(&self.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own lets us end what a wrapper script has started, too.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut child = command.spawn()?;
        *running = Some(child.id());
        drop(running);

        let (Some(input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("its pipes are not there"));
        };
        let (sender, receiver) = sync_channel(LINES_AHEAD);
        thread::spawn(move || read_lines(output, &sender));
        let complaints = Tail::default();
        let tail = Arc::clone(&complaints);
        let complaint_reader = thread::spawn(move || read_tail(errors, &tail));
        Ok(Running { child, input, output: receiver, said: VecDeque::new(), complaints, complaint_reader })
    }
}

impl Running {
    pub(super) fn send(&mut self, line: &str) -> Result<(), Silence> {
        // A question is far smaller than a pipe, and there is one at a time: this never waits for the program.
        match self.input.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.input.flush()) {
            Ok(()) => Ok(()),
            Err(_) => Err(Silence::Closed(self.last_words("its input is closed although it still runs"))),
        }
    }

    /// The next line, without white space around it.
    pub(super) fn line(&mut self, deadline: Instant) -> Result<String, Silence> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.output.recv_timeout(left) {
            Ok(Output::Line(line)) => {
                if !line.is_empty() {
                    remember(&mut self.said, &line);
                }
                Ok(line)
            }
            Ok(Output::TooLong) => Err(Silence::Garbage(format!("a line of more than {LONGEST_LINE} bytes"))),
            Err(RecvTimeoutError::Timeout) => Err(Silence::Timeout),
            Err(RecvTimeoutError::Disconnected) => {
                Err(Silence::Closed(self.last_words("its output is closed although it still runs")))
            }
        }
    }

    /// How it ended and what it said last.
    fn last_words(&mut self, otherwise: &str) -> String {
        let deadline = Instant::now() + TIME_TO_END;
        let mut words = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break status.to_string(),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                _ => break otherwise.to_owned(),
            }
        };
        // Its last complaint may still be on its way; a child of its own may keep that way open for ever.
        while !self.complaint_reader.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
        if let Some(said) = self.said() {
            words += &format!(", its last output was {said:?}");
        }
        let complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(complaint) = complaints.back() {
            words += &format!(", its last error output {complaint:?}");
        }
        words
    }

    /// Forgets what was said: a new question begins.
    pub(super) fn forget(&mut self) {
        self.said.clear();
    }

    /// The last lines that it said.
    pub(super) fn said(&self) -> Option<String> {
        (!self.said.is_empty()).then(|| self.said.iter().map(String::as_str).collect::<Vec<_>>().join(" | "))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        end_group(self.child.id());
        *running = None;
        drop(running);
        // Either may fail only because the program is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ends the running program when we are interrupted. In a group of its own it does not hear the interrupt itself.
pub(super) fn end_with_us() {
    // A second handler cannot be set; there is one command per process, so there is no second call.
    let _ = ctrlc::set_handler(|| {
        if let Some(id) = *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) {
            end_group(id);
        }
        // What shells report for a program that was interrupted.
        std::process::exit(130);
    });
}

#[cfg(unix)]
fn end_group(id: u32) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    if let Ok(id) = i32::try_from(id) {
        // It fails if all of the group are gone, and that is what is wanted.
        let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn end_group(_id: u32) {}

fn remember(lines: &mut VecDeque<String>, line: &str) {
    const LONGEST_SHOWN: usize = 80;
    if lines.len() == LAST_LINES {
        lines.pop_front();
    }
    lines.push_back(line.chars().take(LONGEST_SHOWN).collect());
}

/// Hands on lines until the program closes its output or nobody listens any more.
fn read_lines(output: impl Read, sender: &SyncSender<Output>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(length) => {
                let is_cut = length as u64 == LONGEST_LINE && line.last() != Some(&b'\n');
                let text = || Output::Line(String::from_utf8_lossy(&line).trim().to_owned());
                if sender.send(if is_cut { Output::TooLong } else { text() }).is_err() {
                    return;
                }
            }
        }
    }
}

/// Reads error output to its end, so that the program never waits for us, and keeps the last lines.
fn read_tail(errors: impl Read, tail: &Tail) {
    let mut errors = BufReader::new(errors);
    let mut line = Vec::new();
    while let Ok(1..) = errors.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        if !text.is_empty() {
            remember(&mut tail.lock().unwrap_or_else(PoisonError::into_inner), &text);
        }
        line.clear();
    }
}
