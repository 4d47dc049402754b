//! Programs that run side by side: those of the tests, and what else takes time and checks something.
//!
//! `cargo test` runs one program after the other, and at the end of each the cores wait for its slowest test. Here as many
//! programs run at once as there are cores. Each test's time comes from the test harness, whose option for it is not
//! stable yet; `RUSTC_BOOTSTRAP` makes it accept the option, and only the programs of the tests see that variable.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::thread;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::output;

/// How many of the slowest tests are named.
const SLOWEST: usize = 10;

/// A program to run.
pub(crate) struct Job {
    name: String,
    command: Command,
}

/// A test and how many seconds it took.
pub(crate) struct TestTime {
    name: String,
    seconds: f64,
}

impl Job {
    pub(crate) fn new(name: &str, command: Command) -> Job {
        Job { name: name.to_owned(), command }
    }

    pub(crate) fn cargo(name: &str, arguments: &[&str]) -> Job {
        let mut command = Command::new("cargo");
        command.args(arguments);
        Job::new(name, command)
    }

    /// The same job, with a word behind its name.
    pub(crate) fn labelled(mut self, label: &str) -> Job {
        self.name = format!("{} ({label})", self.name);
        self
    }
}

/// Builds the test programs of packages, for the CPU at hand.
pub(crate) fn test_programs(options: &[&str]) -> Result<Vec<Job>> {
    test_programs_for("native", options)
}

/// Builds the test programs of packages.
pub(crate) fn test_programs_for(cpu: &str, options: &[&str]) -> Result<Vec<Job>> {
    let mut build = Command::new("cargo");
    build.args(["test", "--no-run", "--quiet", "--message-format", "json-render-diagnostics"]).args(options);
    let messages = output(build.env("RUSTFLAGS", format!("-C target-cpu={cpu}")))?;
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    Ok(messages.filter(|message| message["profile"]["test"] == true).filter_map(|message| program(&message)).collect())
}

/// The program that a message of cargo names, as cargo would run it.
fn program(message: &Value) -> Option<Job> {
    let executable = message["executable"].as_str()?;
    let mut folder = PathBuf::from(message["manifest_path"].as_str()?);
    folder.pop();
    let package = folder.file_name()?.to_string_lossy().into_owned();
    let target = message["target"]["name"].as_str()?;
    let kind = message["target"]["kind"][0].as_str()?;
    let name = if kind == "test" { format!("{package}/{target}") } else { package };
    let mut command = Command::new(executable);
    command.args(["-Zunstable-options", "--report-time"]).env("RUSTC_BOOTSTRAP", "1").current_dir(folder);
    Some(Job::new(&name, command))
}

/// Runs all jobs, as many at once as there are cores, and returns how long each test took. What a job printed is shown if
/// it failed.
pub(crate) fn run(jobs: Vec<Job>) -> Result<Vec<TestTime>> {
    let queue = Mutex::new(VecDeque::from(jobs));
    let outcomes = Mutex::new(Outcomes::default());
    let next = || queue.lock().ok()?.pop_front();
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(job) = next() {
                    let outcome = job.run();
                    if let Ok(mut outcomes) = outcomes.lock() {
                        outcomes.add(outcome);
                    }
                }
            });
        }
    });
    let outcomes = outcomes.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    if !outcomes.failed.is_empty() {
        bail!("failed: {}", outcomes.failed.join(", "));
    }
    println!("   {} tests", outcomes.times.len());
    Ok(outcomes.times)
}

/// What has come of the jobs so far.
#[derive(Default)]
struct Outcomes {
    failed: Vec<String>,
    times: Vec<TestTime>,
}

impl Outcomes {
    fn add(&mut self, outcome: Outcome) {
        let Outcome { name, text, is_good } = outcome;
        if !is_good {
            println!("{text}\n== {name} failed");
            self.failed.push(name);
            return;
        }
        // What tests and page leave out is said, not hidden.
        text.lines().filter(|line| line.contains("skipped:")).for_each(|line| println!("{line}"));
        self.times.extend(
            text.lines()
                .filter_map(test_time)
                .map(|(test, seconds)| TestTime { name: format!("{name}: {test}"), seconds }),
        );
    }
}

struct Outcome {
    name: String,
    text: String,
    is_good: bool,
}

impl Job {
    fn run(mut self) -> Outcome {
        let name = self.name;
        match self.command.output().with_context(|| format!("cannot start {name}")) {
            Ok(output) => {
                let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
                Outcome { name, text: text.into_owned(), is_good: output.status.success() }
            }
            Err(error) => Outcome { name, text: format!("{error:#}"), is_good: false },
        }
    }
}

/// A line such as `test notation::fen ... ok <0.123s>`.
fn test_time(line: &str) -> Option<(&str, f64)> {
    let (name, rest) = line.strip_prefix("test ")?.split_once(" ... ok <")?;
    Some((name, rest.strip_suffix("s>")?.parse().ok()?))
}

pub(crate) fn print_slowest(mut tests: Vec<TestTime>) {
    println!("== the slowest tests");
    tests.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
    for test in tests.iter().take(SLOWEST) {
        println!("{:8.1} s  {}", test.seconds, test.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_tests_are_read() {
        assert_eq!(test_time("test perft::deep ... ok <12.500s>"), Some(("perft::deep", 12.5)));
        for line in ["test perft::deep ... FAILED <1.0s>", "test perft::deep ... ignored", "running 3 tests"] {
            assert_eq!(test_time(line), None);
        }
    }

    #[test]
    fn a_job_that_fails_is_named() {
        let good = Job::cargo("version", &["--version"]);
        let bad = Job::cargo("nonsense", &["no-such-command"]);
        assert!(run(vec![good]).is_ok());
        assert_eq!(run(vec![bad]).err().map(|error| error.to_string()).as_deref(), Some("failed: nonsense"));
    }
}
