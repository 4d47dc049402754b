//! The engine under test: what is sent to it, what it says, and a time limit for every wait.

use std::time::{Duration, Instant};

use programs::{CommandLine, LineError, OutputLine, Program, TranscriptEntry, Voice};
use rules::{Game, Position};
use uci::{EngineOption, Message, OptionKind, Reading};

use crate::search::Search;

/// A prompt answer comes within this time, even on a busy machine.
pub(crate) const PROMPT: Duration = Duration::from_secs(2);
/// A small search ends within this time; one that does not is taken to hang.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);
/// An engine that prints more lines than this before it answers is stopped.
const MOST_LINES: usize = 20_000;
/// How many lines of a conversation are kept.
const KEPT_LINES: usize = 500;

/// Why an engine does not pass a check.
#[derive(Debug)]
pub(crate) enum CheckError {
    /// It does something wrong.
    Failed(String),
    /// It does not answer in time.
    Late(String),
    /// It cannot be checked.
    Skipped(String),
}

impl CheckError {
    /// Replaces the reason if no answer came in time. Other errors, such as a crash, stay as they are.
    pub(crate) fn if_late(self, reason: impl Into<String>) -> CheckError {
        match self {
            CheckError::Late(_) => CheckError::Failed(reason.into()),
            other => other,
        }
    }

    /// Puts a description of what was checked before the reason.
    pub(crate) fn about(self, what: &str) -> CheckError {
        match self {
            CheckError::Failed(reason) | CheckError::Late(reason) => CheckError::Failed(format!("{what}: {reason}")),
            skipped @ CheckError::Skipped(_) => skipped,
        }
    }
}

/// The result of a check, or of a part of it.
pub(crate) type Outcome<T = ()> = Result<T, CheckError>;

/// It does something wrong.
pub(crate) fn fail<T>(reason: impl Into<String>) -> Outcome<T> {
    Err(CheckError::Failed(reason.into()))
}

/// It cannot be checked.
pub(crate) fn skip<T>(reason: impl Into<String>) -> Outcome<T> {
    Err(CheckError::Skipped(reason.into()))
}

/// A line of a transcript.
#[derive(Clone, Debug)]
pub(crate) struct TranscriptLine {
    pub(crate) seconds: f64,
    pub(crate) voice: Voice,
    pub(crate) text: String,
}

/// The engine while one behaviour is checked.
pub(crate) struct EngineUnderTest {
    command: CommandLine,
    began: Instant,
    deadline: Instant,
    program: Option<Program>,
    settings: Vec<EngineOption>,
    said: Vec<TranscriptLine>,
    last_sent: String,
    /// Whether it did not answer `uci` when it was started last.
    cannot_greet: bool,
}

impl EngineUnderTest {
    /// An engine that is not started yet, and a time limit for all that follows.
    pub(crate) fn new(command: CommandLine, timeout: Duration) -> EngineUnderTest {
        let began = Instant::now();
        EngineUnderTest {
            command,
            began,
            deadline: began + timeout,
            program: None,
            settings: Vec::new(),
            said: Vec::new(),
            last_sent: String::new(),
            cannot_greet: false,
        }
    }

    /// The transcript, and whether the engine did not even answer `uci`.
    pub(crate) fn finish(mut self) -> (Vec<TranscriptLine>, bool) {
        self.put_away();
        (self.said, self.cannot_greet)
    }

    /// Whether the engine was given arguments.
    pub(crate) fn has_arguments(&self) -> bool {
        !self.command.arguments().is_empty()
    }

    fn put_away(&mut self) {
        if let Some(program) = self.program.take() {
            let began = self.began;
            let said = |entry: &TranscriptEntry| TranscriptLine {
                seconds: entry.at.saturating_duration_since(began).as_secs_f64(),
                voice: entry.voice,
                text: entry.text.clone(),
            };
            self.said.extend(program.transcript().entries().map(said));
        }
    }

    /// Starts the engine afresh, without a word.
    pub(crate) fn start(&mut self) -> Outcome {
        self.start_as(&self.command.clone())
    }

    fn start_as(&mut self, command: &CommandLine) -> Outcome {
        self.put_away();
        let mut program = Program::start(command).map_err(|error| CheckError::Failed(error.to_string()))?;
        program.keep_transcript(KEPT_LINES);
        self.last_sent.clear();
        self.program = Some(program);
        Ok(())
    }

    /// Starts the engine afresh and greets it.
    pub(crate) fn open(&mut self) -> Outcome {
        self.open_as(&self.command.clone())
    }

    /// The same with only so much address space.
    pub(crate) fn open_within(&mut self, memory: u64) -> Outcome {
        self.open_as(&self.command.clone().with_memory(memory))
    }

    fn open_as(&mut self, command: &CommandLine) -> Outcome {
        self.start_as(command)?;
        self.cannot_greet = true;
        self.greet()?;
        self.cannot_greet = false;
        // A move from a book is played without a search, and searches are what is checked.
        if self.setting("OwnBook").is_some() {
            self.send("setoption name OwnBook value false")?;
        }
        self.ready().map(|_| ())
    }

    /// Says `uci`, and returns everything up to `uciok`.
    pub(crate) fn greet(&mut self) -> Outcome<Vec<ReceivedLine>> {
        self.send("uci")?;
        let received = self.receive_until(PATIENCE, |message| *message == Message::UciOk)?;
        self.settings = received
            .iter()
            .filter_map(|received| match received.message() {
                Message::Option(setting) => Some(setting.clone()),
                _ => None,
            })
            .collect();
        Ok(received)
    }

    pub(crate) fn settings(&self) -> &[EngineOption] {
        &self.settings
    }

    /// An option that was advertised.
    pub(crate) fn setting(&self, name: &str) -> Option<&EngineOption> {
        self.settings.iter().find(|setting| setting.name.eq_ignore_ascii_case(name))
    }

    /// The range of a number that was advertised.
    pub(crate) fn range(&self, name: &str) -> Option<(i64, i64)> {
        match self.setting(name)?.kind {
            OptionKind::Spin { min, max, .. } => Some((min, max)),
            _ => None,
        }
    }

    /// Sets an option, if it was advertised.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Outcome<bool> {
        let Some(setting) = self.setting(name) else { return Ok(false) };
        let line = format!("setoption name {} value {value}", setting.name);
        self.send(&line)?;
        Ok(true)
    }

    pub(crate) fn program(&mut self) -> Outcome<&mut Program> {
        match &mut self.program {
            Some(program) => Ok(program),
            None => fail("the engine was not started"),
        }
    }

    pub(crate) fn send(&mut self, line: &str) -> Outcome {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) -> Outcome {
        let sent = String::from_utf8_lossy(bytes);
        self.last_sent = sent.lines().last().unwrap_or_default().trim().chars().take(100).collect();
        let result = self.program()?.send_bytes(bytes);
        result.map_err(|trouble| self.error(trouble))
    }

    /// The next line, if one comes in time.
    pub(crate) fn receive(&mut self, until: Instant) -> Outcome<Option<ReceivedLine>> {
        let until = until.min(self.deadline);
        match self.program()?.receive(until) {
            Ok(line) => Ok(Some(ReceivedLine::new(line))),
            Err(LineError::TimeOut) if Instant::now() < self.deadline => Ok(None),
            Err(trouble) => Err(self.error(trouble)),
        }
    }

    /// Everything up to a message.
    pub(crate) fn receive_until(
        &mut self,
        limit: Duration,
        is_wanted: impl Fn(&Message) -> bool,
    ) -> Outcome<Vec<ReceivedLine>> {
        let until = Instant::now() + limit;
        let asked = self.last_sent.clone();
        let mut all = Vec::new();
        while Instant::now() < until {
            if let Some(received) = self.receive(until)? {
                let is_wanted = is_wanted(received.message());
                keep(&mut all, received)?;
                if is_wanted {
                    return Ok(all);
                }
            }
        }
        Err(CheckError::Late(format!("no answer to `{asked}` within {}", seconds(limit))))
    }

    /// Everything that is said in a time.
    pub(crate) fn listen(&mut self, time: Duration) -> Outcome<Vec<ReceivedLine>> {
        let until = Instant::now() + time;
        let mut all = Vec::new();
        while Instant::now() < until {
            if let Some(received) = self.receive(until)? {
                keep(&mut all, received)?;
            }
        }
        Ok(all)
    }

    /// Asks whether it is ready, and returns everything up to `readyok`.
    pub(crate) fn ready(&mut self) -> Outcome<Vec<ReceivedLine>> {
        self.send("isready")?;
        self.receive_until(PATIENCE, |message| *message == Message::ReadyOk)
    }

    /// Asks whether it is still ready after something that may have upset it.
    pub(crate) fn survives(&mut self, what: &str) -> Outcome<Vec<ReceivedLine>> {
        self.ready().map_err(|error| error.about(&format!("after {what}")))
    }

    /// Sets a position up and starts a search.
    pub(crate) fn go(&mut self, position: &str, go: &str) -> Outcome<Instant> {
        self.send(&format!("position {position}"))?;
        let started = Instant::now();
        self.send(go)?;
        Ok(started)
    }

    /// Waits for the answer to `go`.
    pub(crate) fn best_move(&mut self, started: Instant, limit: Duration) -> Outcome<Search> {
        let received = self.receive_until(limit, |message| matches!(message, Message::BestMove { .. }))?;
        Ok(Search::new(started, received))
    }

    /// Sets a position up, searches, and hears the answer.
    pub(crate) fn search(&mut self, position: &str, go: &str) -> Outcome<Search> {
        self.search_within(position, go, PATIENCE)
    }

    pub(crate) fn search_within(&mut self, position: &str, go: &str, limit: Duration) -> Outcome<Search> {
        let started = self.go(position, go)?;
        self.best_move(started, limit)
    }

    /// Stops the search and hears the answer.
    pub(crate) fn stop(&mut self) -> Outcome<Search> {
        let stopped = Instant::now();
        self.send("stop")?;
        self.best_move(stopped, PROMPT)
    }

    /// What was wrong, with what we said last and what the engine complained about.
    fn error(&mut self, trouble: LineError) -> CheckError {
        let after = match self.last_sent.as_str() {
            "" => "its start".to_owned(),
            sent => format!("`{sent}`"),
        };
        let mut reason = match trouble {
            LineError::TimeOut => format!("no end in sight after {after}: time is up"),
            _ => format!("{trouble}, after {after}"),
        };
        let complaints = self.program.as_ref().map(Program::complaints).unwrap_or_default();
        if let Some(complaint) = complaints.last() {
            let complaint: String = complaint.trim().chars().take(100).collect();
            reason += &format!(" (its last error output: {complaint})");
        }
        CheckError::Failed(reason)
    }
}

fn keep(all: &mut Vec<ReceivedLine>, received: ReceivedLine) -> Outcome {
    all.push(received);
    if all.len() < MOST_LINES { Ok(()) } else { fail(format!("it never stops talking: {MOST_LINES} lines")) }
}

/// A line of the engine, and what it means.
#[derive(Clone, Debug)]
pub(crate) struct ReceivedLine {
    pub(crate) text: String,
    pub(crate) at: Instant,
    pub(crate) reading: Option<Reading<Message>>,
}

impl ReceivedLine {
    fn new(line: OutputLine) -> ReceivedLine {
        let reading = Message::read(&line.text);
        ReceivedLine { text: line.text, at: line.at, reading }
    }

    /// What it says; a blank line says something unknown.
    pub(crate) fn message(&self) -> &Message {
        static BLANK: Message = Message::Unknown(String::new());
        self.reading.as_ref().map_or(&BLANK, |reading| &reading.value)
    }

    pub(crate) fn is_best_move(&self) -> bool {
        matches!(self.message(), Message::BestMove { .. })
    }
}

/// The game that a `position` command describes. What we send is right, or the check is wrong and says so.
pub(crate) fn game(position: &str) -> Outcome<Game> {
    match uci::Command::read(&format!("position {position}")).map(|reading| reading.value) {
        Some(uci::Command::Position(history)) => match history.game() {
            Ok(game) => Ok(game),
            Err(error) => fail(format!("the check itself is wrong about position {position}: {error}")),
        },
        _ => fail(format!("the check itself is wrong about position {position}")),
    }
}

/// The position that a `position` command describes.
pub(crate) fn board(position: &str) -> Outcome<Position> {
    game(position).map(|game| *game.position())
}

pub(crate) fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

pub(crate) fn milliseconds(time: Duration) -> String {
    format!("{} ms", time.as_millis())
}
