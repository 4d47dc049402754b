//! Programs that run side by side: those of the tests, and what else takes time and checks something.
//!
//! `cargo test` builds everything first and then runs one program after the other, and at the end of each the cores
//! wait for its slowest test. Here a program starts as soon as it is built, while cargo goes on building. Each test's
//! time comes from the test harness, whose option for it is not stable yet; `RUSTC_BOOTSTRAP` makes it accept the
//! option, and only the programs of the tests see that variable.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::mem;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::metadata;

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
    pub(crate) fn new(name: &str, mut command: Command) -> Job {
        // A developer's configuration file must not change what is tested.
        command.env("SAAVEDRA_CONFIG", "");
        Job { name: name.to_owned(), command }
    }

    pub(crate) fn cargo(name: &str, arguments: &[&str]) -> Job {
        let mut command = Command::new("cargo");
        command.args(arguments);
        Job::new(name, command)
    }
}

/// Builds the test programs of packages, and hands on each as soon as it can run: it is built, and so are the binaries
/// and examples of its package, which its tests may start.
pub(crate) fn build_tests(options: &[&str], mut built: impl FnMut(Job)) -> Result<()> {
    let mut build = Command::new("cargo");
    build.args(["test", "--no-run", "--quiet", "--message-format", "json-render-diagnostics"]).args(options);
    build.stdout(Stdio::piped());
    let mut cargo = build.spawn().context("cannot start cargo")?;
    let messages = BufReader::new(cargo.stdout.take().context("cargo has no output")?);
    let mut missing = programs_by_package()?;
    let mut waiting: Vec<(String, Job)> = Vec::new();
    for line in messages.lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line?) else { continue };
        let Some(manifest) = message["manifest_path"].as_str() else { continue };
        if message["profile"]["test"] == true {
            waiting.extend(program(&message).map(|job| (manifest.to_owned(), job)));
        } else if is_program(&message["target"])
            && let Some(left) = missing.get_mut(manifest)
        {
            *left = left.saturating_sub(1);
        }
        for (_, job) in
            waiting.extract_if(.., |(manifest, _)| missing.get(manifest.as_str()).is_none_or(|&left| left == 0))
        {
            built(job);
        }
    }
    waiting.into_iter().for_each(|(_, job)| built(job));
    let status = cargo.wait().context("cannot wait for cargo")?;
    if !status.success() {
        bail!("the tests cannot be built ({status})");
    }
    Ok(())
}

/// How many binaries and examples each package has, by the path of its manifest.
fn programs_by_package() -> Result<HashMap<String, usize>> {
    let metadata = metadata()?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let programs = |package: &Value| {
        let targets = package["targets"].as_array().into_iter().flatten().filter(|target| is_program(target)).count();
        Some((package["manifest_path"].as_str()?.to_owned(), targets))
    };
    Ok(packages.filter_map(programs).collect())
}

fn is_program(target: &Value) -> bool {
    ["bin", "example"].iter().any(|kind| target["kind"][0] == *kind)
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

/// Runs all jobs, as many at once as there are cores, and returns how long each test took.
pub(crate) fn run(jobs: impl IntoIterator<Item = Job>) -> Result<Vec<TestTime>> {
    let pool = Pool::new();
    jobs.into_iter().for_each(|job| pool.add(job));
    pool.finish()
}

/// Threads that run jobs. What a job printed is shown if it failed.
pub(crate) struct Pool {
    jobs: Option<Sender<Job>>,
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

struct Shared {
    waiting: Mutex<Receiver<Job>>,
    outcomes: Mutex<Outcomes>,
    /// Jobs that have not begun are left out.
    is_cancelled: AtomicBool,
}

impl Pool {
    /// A pool that leaves half of the cores to what prepares its jobs.
    pub(crate) fn new() -> Pool {
        let (jobs, waiting) = mpsc::channel();
        let shared = Shared { waiting: Mutex::new(waiting), outcomes: Mutex::default(), is_cancelled: false.into() };
        let mut pool = Pool { jobs: Some(jobs), shared: Arc::new(shared), workers: Vec::new() };
        pool.grow((cores() / 2).max(1));
        pool
    }

    pub(crate) fn add(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            jobs.send(job).expect("the pool holds the other end");
        }
    }

    /// Waits until all jobs are done, with all cores, and returns how long each test took.
    pub(crate) fn finish(mut self) -> Result<Vec<TestTime>> {
        self.grow(cores());
        self.join();
        let outcomes = mem::take(&mut *lock(&self.shared.outcomes));
        if !outcomes.failed.is_empty() {
            bail!("failed: {}", outcomes.failed.join(", "));
        }
        println!("   {} tests", outcomes.times.len());
        Ok(outcomes.times)
    }

    fn grow(&mut self, workers: usize) {
        for _ in self.workers.len()..workers {
            let shared = Arc::clone(&self.shared);
            self.workers.push(thread::spawn(move || shared.work()));
        }
    }

    fn join(&mut self) {
        self.jobs = None;
        for worker in self.workers.drain(..) {
            let _ = worker.join();
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.is_cancelled.store(true, Ordering::Relaxed);
        self.join();
    }
}

impl Shared {
    fn work(&self) {
        loop {
            let job = lock(&self.waiting).recv();
            let Ok(job) = job else { return };
            if !self.is_cancelled.load(Ordering::Relaxed) {
                let outcome = job.run();
                lock(&self.outcomes).add(outcome);
            }
        }
    }
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
        assert!(run([good]).is_ok());
        assert_eq!(run([bad]).err().map(|error| error.to_string()).as_deref(), Some("failed: nonsense"));
    }
}
