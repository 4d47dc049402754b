//! The process of an outside engine: started when needed, read with a deadline, and ended when it fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use programs::{CommandLine, LineError, Program};
use search::Control;

use crate::{Allowance, Fault, FaultKind};

/// How long a program may take to start or to get ready by default.
const TIME_TO_START: Duration = Duration::from_secs(20);
/// How long a program that was told to leave gets before it is ended.
const TIME_TO_LEAVE: Duration = Duration::from_millis(300);
/// How long a program may search if its limits say nothing of time: long enough for any search that was meant to end.
const LONGEST_SEARCH: Duration = Duration::from_secs(600);
/// How often the control is looked at while the program is silent.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// How much of a line is quoted.
const LONGEST_QUOTE: usize = 120;

/// A program that speaks one of the protocols.
pub(super) struct EngineProcess {
    command: CommandLine,
    pub(super) name: String,
    /// What it is told before it is to leave, if the protocol has a word for that.
    quit_command: Option<&'static str>,
    pub(super) time_to_start: Duration,
    /// How long a search may take whose limits say nothing of time.
    pub(super) longest_search: Duration,
    /// Once this is set, no answer is waited for any longer.
    pub(super) is_given_up: Arc<AtomicBool>,
    program: Option<Program>,
    last_output: Option<String>,
    /// When it was last asked to think.
    asked_at: Option<Instant>,
    /// When its last line came out of the pipe.
    answered_at: Option<Instant>,
}

/// What came of waiting for a line.
pub(super) enum Received {
    /// A line that is not blank, without blanks around it.
    Line(String),
    /// The mind is to stop.
    Stopped,
    /// It is too late for an answer.
    Late,
}

/// For how long to wait for a line, and the control that ends the wait.
pub(super) struct Wait<'a> {
    began: Instant,
    deadline: Option<Instant>,
    control: Option<&'a Control>,
}

impl Wait<'_> {
    /// Waits so long, and cannot be stopped.
    pub(super) fn at_most(patience: Duration) -> Wait<'static> {
        let began = Instant::now();
        Wait { began, deadline: began.checked_add(patience), control: None }
    }

    /// The same wait, told as one that began earlier.
    pub(super) fn since(self, began: Instant) -> Self {
        Wait { began, ..self }
    }

    /// Waits until the control is stopped.
    pub(super) fn without_end(control: &Control) -> Wait<'_> {
        Wait { began: Instant::now(), deadline: None, control: Some(control) }
    }

    /// Waits for a move of a program that was told to stop, or that cannot be told.
    pub(super) fn after_stop(allowance: &Allowance) -> Wait<'static> {
        Wait::at_most(allowance.grace)
    }
}

impl EngineProcess {
    pub(super) fn new(command: CommandLine, quit_command: Option<&'static str>) -> EngineProcess {
        let name = command.name();
        EngineProcess {
            command,
            name,
            quit_command,
            time_to_start: TIME_TO_START,
            longest_search: LONGEST_SEARCH,
            is_given_up: Arc::default(),
            program: None,
            last_output: None,
            asked_at: None,
            answered_at: None,
        }
    }

    /// For how long to wait for a move with this allowance; if it has no limit of time, as long as the longest search.
    pub(super) fn wait_for_move<'a>(&self, allowance: &Allowance, control: &'a Control) -> Wait<'a> {
        let time = allowance.time_limit().unwrap_or(self.longest_search).saturating_add(allowance.grace);
        Wait { control: Some(control), ..Wait::at_most(time) }
    }

    pub(super) fn is_running(&mut self) -> bool {
        self.program.as_mut().is_some_and(|program| program.exit_status().is_none())
    }

    /// Whether the program was started and has not failed since. It may have ended without our noticing.
    pub(super) fn was_started(&self) -> bool {
        self.program.is_some()
    }

    /// Starts the program afresh.
    pub(super) fn start(&mut self) -> Result<(), Fault> {
        self.leave();
        self.last_output = None;
        match Program::start(&self.command) {
            Ok(program) => self.program = Some(program),
            Err(error) => return Err(self.fault(FaultKind::DidNotStart { reason: error.to_string() })),
        }
        Ok(())
    }

    /// Ends the program, if it runs.
    pub(super) fn leave(&mut self) {
        if let Some(mut program) = self.program.take() {
            if let Some(quit_command) = self.quit_command {
                // It may be gone already.
                let _ = program.send(quit_command);
            }
            program.end(TIME_TO_LEAVE);
        }
    }

    pub(super) fn send(&mut self, line: impl ToString) -> Result<(), Fault> {
        let sent = self.program.as_mut().map_or(Err(LineError::InputClosed), |program| program.send(&line.to_string()));
        sent.map_err(|error| self.crash(error))
    }

    /// Sends what makes the program think: from now on its time runs.
    pub(super) fn ask(&mut self, line: impl ToString) -> Result<(), Fault> {
        self.answered_at = None;
        // Taken before the line is sent: afterwards the program may already have been thinking while we were not.
        self.asked_at = Some(Instant::now());
        self.send(line)
    }

    /// The time from the last question to the last line, which is its answer.
    pub(super) fn time_taken(&self) -> Option<Duration> {
        Some(self.answered_at?.saturating_duration_since(self.asked_at?))
    }

    /// The next line. Lines that are too long for any protocol are passed over.
    pub(super) fn receive(&mut self, wait: &Wait) -> Result<Received, Fault> {
        loop {
            if self.is_given_up.load(Ordering::Relaxed) {
                return Ok(Received::Late);
            }
            if wait.control.is_some_and(Control::is_stopped) {
                return Ok(Received::Stopped);
            }
            let now = Instant::now();
            let is_late = wait.deadline.is_some_and(|deadline| now >= deadline);
            let next_look = now + POLL_INTERVAL;
            let until = wait.deadline.map_or(next_look, |deadline| deadline.min(next_look));
            let received = self.program.as_mut().map_or(Err(LineError::OutputClosed), |program| program.receive(until));
            match received {
                // What came in time counts, even if we look late; a flood has no end.
                Ok(line) if is_late && wait.deadline.is_some_and(|deadline| line.at > deadline) => {
                    return Ok(Received::Late);
                }
                Ok(line) => {
                    let text = line.text.trim();
                    if !text.is_empty() {
                        self.answered_at = Some(line.at);
                        self.last_output = Some(text.chars().take(LONGEST_QUOTE).collect());
                        return Ok(Received::Line(text.to_owned()));
                    }
                }
                Err(LineError::TimeOut | LineError::LineTooLong { .. }) if is_late => return Ok(Received::Late),
                Err(LineError::TimeOut | LineError::LineTooLong { .. }) => {}
                Err(error) => return Err(self.crash(error)),
            }
        }
    }

    /// Reads lines until one says what is wanted.
    pub(super) fn wait_for<T>(
        &mut self,
        patience: Duration,
        mut wanted: impl FnMut(&mut EngineProcess, &str) -> Result<Option<T>, Fault>,
    ) -> Result<T, Fault> {
        let wait = Wait::at_most(patience);
        loop {
            match self.receive(&wait)? {
                Received::Line(line) => {
                    if let Some(found) = wanted(self, &line)? {
                        return Ok(found);
                    }
                }
                Received::Stopped | Received::Late => return Err(self.too_late(&wait)),
            }
        }
    }

    /// It did not answer: it is ended, because its answer would be taken for another later.
    pub(super) fn too_late(&mut self, wait: &Wait) -> Fault {
        self.program = None;
        self.fault(FaultKind::TimedOut { waited: wait.began.elapsed(), last_output: self.last_output.clone() })
    }

    fn crash(&mut self, error: LineError) -> Fault {
        let mut last_words = error.to_string();
        if let Some(output) = &self.last_output {
            last_words += &format!(", its last output was {output:?}");
        }
        let complaints = self.program.as_ref().map(Program::complaints).unwrap_or_default();
        if let Some(complaint) = complaints.last() {
            let complaint: String = complaint.chars().take(LONGEST_QUOTE).collect();
            last_words += &format!(", its last error output {complaint:?}");
        }
        self.program = None;
        self.fault(FaultKind::Crashed { last_words })
    }

    pub(super) fn fault(&self, kind: FaultKind) -> Fault {
        Fault::new(&self.name, kind)
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.leave();
    }
}
