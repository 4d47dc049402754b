//! An engine at the other end of two pipes, in this process.

use std::io::{self, BufRead, BufReader, Cursor, PipeWriter, Write};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use saavedra_engine::{SearchEngine, run as run_engine};

/// Patience with machines that are busy; nothing here is about speed.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Engine {
    input: Option<PipeWriter>,
    lines: Receiver<String>,
    running: JoinHandle<io::Result<()>>,
}

impl Engine {
    pub(crate) fn start() -> Engine {
        Engine::start_with(SearchEngine::new())
    }

    pub(crate) fn start_with(engine: impl saavedra_engine::Engine + 'static) -> Engine {
        let (engine_input, input) = io::pipe().expect("a pipe");
        let (output, engine_output) = io::pipe().expect("a pipe");
        let running = thread::spawn(|| run_engine(engine, BufReader::new(engine_input), engine_output));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Engine { input: Some(input), lines, running }
    }

    pub(crate) fn say(&mut self, text: &str) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(format!("{text}\n").as_bytes()).expect("the engine listens");
    }

    pub(crate) fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the engine answers")
    }

    /// All lines up to and with the first that starts with some words.
    pub(crate) fn until(&self, start: &str) -> Vec<String> {
        let mut lines = vec![self.line()];
        while !lines[lines.len() - 1].starts_with(start) {
            lines.push(self.line());
        }
        lines
    }

    /// The lines the engine has to say before it is ready.
    pub(crate) fn settle(&mut self) -> Vec<String> {
        self.say("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Says something and hears the answer to it.
    pub(crate) fn ask(&mut self, text: &str) -> Vec<String> {
        self.say(text);
        self.settle()
    }

    /// Whether nothing comes for a moment.
    pub(crate) fn is_silent(&self) -> bool {
        self.lines.recv_timeout(Duration::from_millis(60)).is_err()
    }

    /// Closes the input and returns what the engine says until it has ended.
    pub(crate) fn end(mut self) -> Vec<String> {
        drop(self.input.take());
        self.running.join().expect("no panic").expect("no failure");
        self.lines.iter().collect()
    }
}

/// Runs a script to its end and returns all that is said.
pub(crate) fn run(script: impl Into<Vec<u8>>) -> Vec<String> {
    run_with(SearchEngine::new(), script)
}

pub(crate) fn run_with(engine: impl saavedra_engine::Engine + 'static, script: impl Into<Vec<u8>>) -> Vec<String> {
    let paper = Paper::default();
    run_engine(engine, Cursor::new(script.into()), paper.clone()).expect("no failure");
    paper.lines()
}

/// Something to write on that can be read.
#[derive(Clone, Default)]
pub(crate) struct Paper(Arc<Mutex<Vec<u8>>>);

impl Paper {
    pub(crate) fn lines(&self) -> Vec<String> {
        let bytes = self.0.lock().expect("no thread panics").clone();
        String::from_utf8(bytes).expect("text").lines().map(str::to_owned).collect()
    }
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no thread panics").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
