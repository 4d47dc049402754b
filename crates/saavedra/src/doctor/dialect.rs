//! The two languages in which a program can be asked for a perft: UCI with `go perft`, and one line in, some lines out.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::ValueEnum;
use doctor::{Divide, Patient, Question, Refusal};
use programs::CommandLine;

use super::answer::{Line, check_total};
use super::process::{Running, Silence};

/// A language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Protocol {
    /// The Universal Chess Interface, with `go perft`.
    Uci,
    /// One line in, one line per move out.
    Line,
}

/// How long a program may leave `uci` unanswered before the other language is tried.
const TIME_TO_GREET: Duration = Duration::from_secs(1);
/// After this long without a line, an engine that does not give a sum is asked whether it is ready.
const PAUSE: Duration = Duration::from_millis(200);
/// The same if all moves have been named.
const SHORT_PAUSE: Duration = Duration::from_millis(10);
/// No position has more than 218 moves; the rest is patience with talkative engines.
const MOST_LINES: usize = 5000;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A program that answers questions, started anew whenever it fails.
pub(super) struct Process {
    command: CommandLine,
    protocol: Protocol,
    timeout: Duration,
    running: Option<Running>,
    restarts: u32,
}

impl Process {
    /// Finds out which language a program speaks, unless that is known, and hears one answer.
    pub(super) fn admit(
        command: CommandLine,
        protocol: Option<Protocol>,
        timeout: Duration,
    ) -> anyhow::Result<Process> {
        // UCI is tried a second time for engines that take long to start.
        let attempts = match protocol {
            Some(protocol) => vec![(protocol, timeout)],
            None => {
                vec![(Protocol::Uci, timeout.min(TIME_TO_GREET)), (Protocol::Line, timeout), (Protocol::Uci, timeout)]
            }
        };
        let mut complaints = Vec::new();
        for (protocol, patience) in attempts {
            // Each attempt has a fresh program: it may have choked on the words of the other language.
            let mut running =
                Running::start(&command).map_err(|failure| failure.error).context("it cannot be started")?;
            let deadline = Instant::now() + patience;
            let greeting = match protocol {
                Protocol::Uci => greet(&mut running, deadline, timeout),
                Protocol::Line => first_answer(&mut running, deadline),
            };
            match greeting {
                Ok(()) => {
                    let process = Process { command, protocol, timeout, running: Some(running), restarts: 0 };
                    return process.hear_first_answer();
                }
                Err(silence) => {
                    let asked = match protocol {
                        Protocol::Uci => "uci".to_owned(),
                        Protocol::Line => format!("perft {START} 1"),
                    };
                    complaints.push(format!("asked `{asked}`, {}", describe(silence, &running)));
                }
            }
        }
        // The second attempt at UCI failed as the first did.
        complaints.truncate(2);
        bail!("{}", complaints.join("; "))
    }

    /// An engine that speaks UCI need not know `go perft`. In the other language an answer was the greeting.
    fn hear_first_answer(mut self) -> anyhow::Result<Process> {
        if let (Protocol::Uci, Some(running)) = (self.protocol, &mut self.running) {
            let deadline = Instant::now() + self.timeout;
            if let Err(silence) = ask_uci(running, &Request { fen: START, moves: &[], legal: 20, depth: 1 }, deadline) {
                bail!("it speaks UCI, but does not answer `go perft 1`: {}", describe(silence, running));
            }
        }
        Ok(self)
    }

    pub(super) fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// How often it had to be started again.
    pub(super) fn restarts(&self) -> u32 {
        self.restarts
    }

    /// Starts the conversation with a fresh program.
    fn introduce(&self, mut running: Running) -> Result<Running, Refusal> {
        let deadline = Instant::now() + self.timeout;
        let greeting = match self.protocol {
            Protocol::Uci => greet(&mut running, deadline, self.timeout),
            Protocol::Line => first_answer(&mut running, deadline),
        };
        match greeting {
            Ok(()) => Ok(running),
            Err(silence) => Err(Process::refusal(silence, &running)),
        }
    }

    fn refusal(silence: Silence, running: &Running) -> Refusal {
        match silence {
            Silence::Timeout => Refusal::TooSlow,
            Silence::Closed(words) => Refusal::Died(words),
            Silence::Garbage(words) => match running.said() {
                Some(said) => Refusal::Nonsense(format!("{words}; its last output was {said:?}")),
                None => Refusal::Nonsense(words),
            },
        }
    }

    fn ask(&mut self, question: &Question) -> Result<Divide, Refusal> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => {
                self.restarts += 1;
                let fresh = Running::start(&self.command)
                    .map_err(|failure| Refusal::Gone(format!("it cannot be started again: {}", failure.error)))?;
                // A program that does not even greet any more will not do so next time.
                self.introduce(fresh).map_err(|refusal| Refusal::Gone(refusal.to_string()))?
            }
        };
        let deadline = Instant::now() + self.timeout;
        let (fen, depth) = (question.fen(), question.depth());
        running.forget();
        let answer = match self.protocol {
            Protocol::Uci => {
                let legal = question.position().legal_moves().len();
                let request = Request { fen: &fen, moves: &question.moves(), legal, depth };
                ask_uci(&mut running, &request, deadline)
            }
            Protocol::Line => ask_line(&mut running, &fen, depth, deadline),
        };
        match answer {
            Ok(divide) => {
                self.running = Some(running);
                Ok(divide)
            }
            Err(silence) => Err(Process::refusal(silence, &running)),
        }
    }
}

impl Patient for Process {
    fn divide(&mut self, question: &Question) -> Result<Divide, Refusal> {
        self.ask(question)
    }

    fn divide_after(&mut self, question: &Question) -> Option<Result<Divide, Refusal>> {
        match self.protocol {
            Protocol::Uci => Some(self.ask(question)),
            Protocol::Line => None,
        }
    }
}

/// What went wrong and what was heard last.
fn describe(silence: Silence, running: &Running) -> String {
    let is_late = matches!(silence, Silence::Timeout);
    let words = Process::refusal(silence, running).to_string();
    match running.said().filter(|_| is_late) {
        Some(said) => format!("{words}; its last output was {said:?}"),
        None => words,
    }
}

/// Says `uci` and waits for `uciok`. Once the engine has begun to introduce itself, it may take its time.
fn greet(running: &mut Running, mut deadline: Instant, timeout: Duration) -> Result<(), Silence> {
    running.send("uci")?;
    let patience = Instant::now() + timeout;
    loop {
        let line = running.line(deadline)?;
        match line.split_whitespace().next() {
            Some("uciok") => return Ok(()),
            Some("id" | "option") => deadline = patience,
            _ => {}
        }
    }
}

/// What is asked, as UCI needs it.
struct Request<'a> {
    fen: &'a str,
    moves: &'a [String],
    /// How many moves there are, to know whether an answer without an end may be over.
    legal: usize,
    depth: u32,
}

fn ask_uci(running: &mut Running, request: &Request, deadline: Instant) -> Result<Divide, Silence> {
    let Request { fen, moves, legal, depth } = request;
    let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
    running.send(&format!("position fen {fen}{moves}"))?;
    // Whatever an earlier answer left behind comes before this.
    running.send("isready")?;
    while running.line(deadline)? != "readyok" {}
    running.send(&format!("go perft {depth}"))?;

    let mut divide = Divide::default();
    let mut stage = Stage::Counting;
    let mut heard = Instant::now();
    for _ in 0..MOST_LINES {
        let is_complete = divide.entries().len() >= *legal;
        let pause = match stage {
            _ if is_complete => SHORT_PAUSE,
            Stage::Ready if *depth > 1 => deadline.duration_since(heard) / 2,
            _ => PAUSE,
        };
        let line = match running.line(deadline.min(heard + pause)) {
            Ok(line) => line,
            Err(Silence::Timeout) if Instant::now() < deadline => {
                heard = Instant::now();
                match stage {
                    Stage::Counting if !divide.entries().is_empty() => {
                        running.send("isready")?;
                        stage = Stage::Asked;
                    }
                    // It is ready, and nothing has come since: this engine does not give a sum.
                    Stage::Ready => return Ok(divide),
                    Stage::Counting | Stage::Asked => {}
                }
                continue;
            }
            Err(silence) => return Err(silence),
        };
        heard = Instant::now();
        let line = line.strip_prefix("info string ").unwrap_or(&line);
        match Line::parse(line) {
            Line::Entry(mv, count) => divide.push(mv, count),
            Line::Total(total) => return check_total(&divide, total).map(|()| divide).map_err(Silence::Garbage),
            Line::End | Line::Other if line == "readyok" => stage = Stage::Ready,
            Line::End | Line::Other if is_search(line) => {
                return Err(Silence::Garbage("it searches for a move instead of counting".to_owned()));
            }
            Line::End | Line::Other => {}
        }
    }
    Err(Silence::Garbage(format!("more than {MOST_LINES} lines")))
}

/// How far an answer has come.
#[derive(Clone, Copy)]
enum Stage {
    /// The engine has begun to count.
    Counting,
    /// It paused, and was asked whether it is ready.
    Asked,
    /// It said that it is.
    Ready,
}

/// Whether this line belongs to a search: the engine did not understand `perft`.
fn is_search(line: &str) -> bool {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("bestmove") => true,
        Some("info") => words.any(|word| word == "score" || word == "pv" || word == "currmove"),
        _ => false,
    }
}

fn ask_line(running: &mut Running, fen: &str, depth: u32, deadline: Instant) -> Result<Divide, Silence> {
    running.send(&format!("perft {fen} {depth}"))?;
    finish_line_answer(running, Divide::default(), deadline)
}

fn finish_line_answer(running: &mut Running, mut divide: Divide, deadline: Instant) -> Result<Divide, Silence> {
    for _ in 0..MOST_LINES {
        let line = running.line(deadline)?;
        match Line::parse(&line) {
            Line::Entry(mv, count) => divide.push(mv, count),
            Line::End => return Ok(divide),
            Line::Total(total) => return check_total(&divide, total).map(|()| divide).map_err(Silence::Garbage),
            Line::Other => {
                return Err(Silence::Garbage("expected lines like `e2e4 20`, then an empty line".to_owned()));
            }
        }
    }
    Err(Silence::Garbage(format!("more than {MOST_LINES} lines")))
}

/// Asks about the start position. A program may greet us first: what comes before its first move is passed over.
fn first_answer(running: &mut Running, deadline: Instant) -> Result<(), Silence> {
    running.send(&format!("perft {START} 1"))?;
    for _ in 0..MOST_LINES {
        if let Line::Entry(mv, count) = Line::parse(&running.line(deadline)?) {
            let mut divide = Divide::default();
            divide.push(mv, count);
            return finish_line_answer(running, divide, deadline).map(|_| ());
        }
    }
    Err(Silence::Garbage(format!("more than {MOST_LINES} lines without a move")))
}
