//! A program at the other end of three pipes.

use std::io;
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::command_line::CommandLine;
use crate::group;
use crate::pipes::{self, Complaints, LINES_AHEAD, Output};
use crate::transcript::{Transcript, Voice};
use crate::trouble::{CannotStart, LineError};

/// How long a program may leave its input unread when no more fits into it.
const TIME_TO_READ: Duration = Duration::from_secs(5);
/// How long a program that closed its output gets to end, so that its exit status can be told.
const TIME_TO_END: Duration = Duration::from_millis(500);
/// How often we look whether a program that should be ending has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// What a program said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputLine {
    /// The line without its end. What is no Unicode is replaced.
    pub text: String,
    /// When it came out of the pipe, whenever it was asked for.
    pub at: Instant,
}

/// A running program. It ends, with everything it has started, when this is dropped.
pub struct Program {
    child: Child,
    status: Option<ExitStatus>,
    input: Option<ChildStdin>,
    output: Option<Receiver<Output>>,
    longest_line: usize,
    complaints: Complaints,
    complaint_reader: JoinHandle<()>,
    transcript: Transcript,
}

impl Program {
    /// Starts a program.
    pub fn start(command: &CommandLine) -> Result<Program, CannotStart> {
        Program::spawn(command)
            .map_err(|error| CannotStart { program: command.program().to_string_lossy().into_owned(), error })
    }

    fn spawn(command: &CommandLine) -> io::Result<Program> {
        let mut child = group::spawn(command.command())?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            group::end(child.id());
            return Err(io::Error::other("its pipes are not there"));
        };
        let (sender, receiver) = sync_channel(LINES_AHEAD);
        let longest_line = command.longest();
        thread::spawn(move || pipes::read_lines(output, longest_line, &sender));
        let complaints = Complaints::default();
        let kept = complaints.clone();
        let complaint_reader = thread::spawn(move || kept.read(errors));
        let program = Program {
            child,
            status: None,
            input: Some(input),
            output: Some(receiver),
            longest_line,
            complaints,
            complaint_reader,
            transcript: Transcript::new(0),
        };
        if let Some(input) = &program.input {
            pipes::never_wait(input)?;
        }
        Ok(program)
    }

    /// Keeps the last so many lines of the conversation from now on.
    pub fn keep_transcript(&mut self, lines: usize) {
        self.transcript = Transcript::new(lines);
    }

    /// What was said, if it was to be kept.
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Result<(), LineError> {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    /// Sends bytes as they are: half a line, or several, or something that is no text.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), LineError> {
        if self.transcript.is_kept() {
            for line in String::from_utf8_lossy(bytes).lines() {
                self.transcript.add(Instant::now(), Voice::Us, line);
            }
        }
        let Some(input) = &mut self.input else { return Err(LineError::InputClosed) };
        match pipes::write(input, bytes, Instant::now() + TIME_TO_READ) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => Err(LineError::NotReading),
            Err(_) => Err(self.ended().unwrap_or(LineError::InputClosed)),
        }
    }

    /// The next line, once it is there.
    pub fn receive(&mut self, deadline: Instant) -> Result<OutputLine, LineError> {
        let mut output = self.next_output(deadline);
        if matches!(output, Err(RecvTimeoutError::Timeout)) && self.exit_status().is_some() {
            // What it said before it went may still be on its way; a child that it has left behind keeps that way open.
            output = self.next_output(Instant::now() + TIME_TO_END);
        }
        match output {
            Ok(Output::Line(line)) => {
                self.transcript.add(line.at, Voice::Program, &line.text);
                Ok(line)
            }
            Ok(Output::TooLong) => Err(LineError::LineTooLong { limit: self.longest_line }),
            // As far as was known before: if it has ended since, its output has not been read to the end.
            Err(RecvTimeoutError::Timeout) => Err(self.status.map_or(LineError::TimeOut, LineError::Ended)),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended().unwrap_or(LineError::OutputClosed)),
        }
    }

    fn next_output(&self, deadline: Instant) -> Result<Output, RecvTimeoutError> {
        let output = self.output.as_ref().ok_or(RecvTimeoutError::Disconnected)?;
        output.recv_timeout(deadline.saturating_duration_since(Instant::now()))
    }

    /// What it wrote to its error output: the last twenty lines.
    pub fn complaints(&self) -> Vec<String> {
        self.complaints.lines()
    }

    /// The number by which the system knows it.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Closes the program's input: it reads the end of the file.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Stops listening: the program's output pipe breaks, at the latest when it says something.
    pub fn close_output(&mut self) {
        self.output = None;
    }

    /// Interrupts the program, if it still runs, as ctrl-c in a terminal does. False where that cannot be done.
    pub fn interrupt(&mut self) -> bool {
        // The number of a program that is gone may belong to another process.
        if self.exit_status().is_none() { group::interrupt(self.child.id()) } else { cfg!(unix) }
    }

    /// Waits until the program has ended. What it says meanwhile goes to the transcript only.
    pub fn wait(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            if let Some(status) = self.exit_status() {
                self.drain_output();
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            match self.output.as_ref().map(|output| output.recv_timeout(POLL_INTERVAL)) {
                Some(Ok(Output::Line(line))) => self.transcript.add(line.at, Voice::Program, &line.text),
                Some(Ok(Output::TooLong) | Err(RecvTimeoutError::Timeout)) => {}
                // Nothing more will come, and that is told at once.
                Some(Err(RecvTimeoutError::Disconnected)) | None => thread::sleep(POLL_INTERVAL),
            }
        }
    }

    /// Closes the input, waits for the program to end, and ends it if it does not. The exit status is there if the
    /// program ended by itself.
    pub fn end(mut self, patience: Duration) -> Option<ExitStatus> {
        self.close_input();
        self.wait(Instant::now() + patience)
    }

    /// Whether the program has ended, and how.
    pub fn exit_status(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
            if self.status.is_some() {
                // What it has started and left behind goes at once: its number will soon be free for another process.
                group::end(self.child.id());
            }
        }
        self.status
    }

    /// Takes what a program that is gone has said before it went.
    fn drain_output(&mut self) {
        let deadline = Instant::now() + TIME_TO_END;
        loop {
            match self.next_output(deadline) {
                Ok(Output::Line(line)) => self.transcript.add(line.at, Voice::Program, &line.text),
                Ok(Output::TooLong) => {}
                Err(_) => return,
            }
        }
    }

    /// How it ended, if it is ending: a pipe closes a moment before its program is gone.
    fn ended(&mut self) -> Option<LineError> {
        let deadline = Instant::now() + TIME_TO_END;
        let status = loop {
            match self.exit_status() {
                Some(status) => break status,
                None if Instant::now() < deadline => thread::sleep(POLL_INTERVAL),
                None => return None,
            }
        };
        // Its last complaint may still be on its way; a child of its own may keep that way open for ever.
        while !self.complaint_reader.is_finished() && Instant::now() < deadline {
            thread::sleep(POLL_INTERVAL);
        }
        Some(LineError::Ended(status))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        group::end(self.child.id());
        // Either may fail only because the program is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
