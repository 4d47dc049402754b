//! `cargo xtask test`: all that must hold before a change lands.

use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::jobs::{self, Job, Pool};
use crate::packages::Packages;
use crate::{cargo, debian, deny, output, package, run, target_folder, tidy, web};

/// Everything, from an empty clone on. What is quick to fail comes first. Then the tests are built, and run while cargo
/// builds what else there is.
pub(crate) fn test() -> Result<()> {
    let mut steps = Steps::default();
    steps.run("set up", set_up)?;
    steps.run("format", || cargo(&["fmt", "--all", "--check"]))?;
    steps.run("tidy", tidy::run)?;
    steps.run("licences and sources", deny::run)?;
    let has_page = steps.run("lint, and the page", lint_beside_the_page)?;
    if testkit::data_file("perft").is_none() {
        println!("== no test data in SAAVEDRA_DATA or ../shared/data: the tests that want some pass without it");
    }
    let pool = Pool::new();
    steps.run("build the tests", || jobs::build_tests(&["--workspace"], |job| pool.add(job)))?;
    if has_page {
        web::tests()?.into_iter().for_each(|job| pool.add(job));
    }
    // Its own process, so that what it prints is shown only if it fails.
    let mut python = Command::new(std::env::current_exe()?);
    python.arg("python");
    pool.add(Job::new("python", python));
    steps.run("document", document)?;
    pool.add(Job::cargo("documentation tests", &["test", "--quiet", "--workspace", "--doc"]));
    steps.run("compare signatures", compare_signatures)?;
    steps.run("package", package::run)?;
    let slowest = steps.run("the rest of the tests", || pool.finish())?;
    jobs::print_slowest(slowest);
    steps.print();
    Ok(())
}

/// The inner loop: what the change at hand touches, and the packages that depend on it.
pub(crate) fn test_changed() -> Result<()> {
    let mut steps = Steps::default();
    steps.run("format", || cargo(&["fmt", "--all", "--check"]))?;
    steps.run("tidy", tidy::run)?;
    let packages = Packages::read()?.changed()?;
    if packages.is_empty() {
        println!("== no package has changed");
        return Ok(());
    }
    println!("== changed, or dependent on what changed: {}", packages.join(", "));
    let options: Vec<&str> = packages.iter().flat_map(|package| ["--package", package]).collect();
    steps.run("lint", || lint(&options))?;
    let pool = Pool::new();
    steps.run("build the tests", || jobs::build_tests(&options, |job| pool.add(job)))?;
    if packages.iter().any(|package| package.starts_with("saavedra")) {
        let libraries: Vec<&str> = (packages.iter())
            .filter(|package| package.starts_with("saavedra-"))
            .flat_map(|package| ["--package", package])
            .collect();
        pool.add(Job::cargo("documentation tests", &[&["test", "--quiet", "--doc"], &libraries[..]].concat()));
    }
    let slowest = steps.run("the rest of the tests", || pool.finish())?;
    jobs::print_slowest(slowest);
    steps.print();
    Ok(())
}

/// The steps of a run and how long each took.
#[derive(Default)]
struct Steps(Vec<(String, Duration)>);

impl Steps {
    fn run<T>(&mut self, name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("== {name}");
        let started = Instant::now();
        let outcome = work()?;
        self.0.push((name.to_owned(), started.elapsed()));
        Ok(outcome)
    }

    fn print(&self) {
        println!("== all steps");
        for (name, time) in &self.0 {
            println!("{:8.1} s  {name}", time.as_secs_f64());
        }
        let total: Duration = self.0.iter().map(|(_, time)| *time).sum();
        println!("{:8.1} s  in all", total.as_secs_f64());
    }
}

/// Installs what the other steps need and a plain Rust installation may lack.
fn set_up() -> Result<()> {
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        let is_there = Command::new("cargo").args([tool, "--version"]).output().is_ok_and(|out| out.status.success());
        if !is_there {
            run(Command::new("rustup").args(["component", "add", component]))?;
        }
    }
    if !debian::provide_nats_server() {
        println!(
            "   there is no nats-server and none could be installed: the tests of several machines pass without it"
        );
    }
    cargo(&["fetch", "--quiet", "--locked"])
}

/// What the linter is told.
const LINTS: [&str; 2] = ["--deny", "warnings"];

fn lint(packages: &[&str]) -> Result<()> {
    cargo(&[&["clippy", "--quiet", "--all-targets"], packages, &["--"], &LINTS].concat())
}

/// The linter wants cores, and the page's tools wait for the network and the disk.
fn lint_beside_the_page() -> Result<bool> {
    thread::scope(|scope| {
        let page = scope.spawn(web::check);
        lint(&["--workspace"])?;
        page.join().expect("no panic")
    })
}

/// Documents the workspace. Cargo calls the linter in place of the compiler, as `cargo clippy` did, so that it finds
/// what was checked then and checks no crate again.
fn document() -> Result<()> {
    let mut command = Command::new("cargo");
    command.args(["doc", "--quiet", "--workspace", "--no-deps", "--document-private-items"]);
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let linter = Path::new(sysroot.trim()).join("bin").join(format!("clippy-driver{}", std::env::consts::EXE_SUFFIX));
    if linter.exists() {
        // The form in which `cargo clippy` hands on what it is told.
        let told: String = LINTS.iter().map(|word| format!("{word}__CLIPPY_HACKERY__")).collect();
        command.env("RUSTC_WORKSPACE_WRAPPER", linter).env("CLIPPY_ARGS", told);
    }
    run(command.env("RUSTDOCFLAGS", "-D warnings"))
}

/// The search must visit the same nodes with all instructions that this CPU has.
fn compare_signatures() -> Result<()> {
    // It was built with the tests, and compares them itself.
    let text = output(&mut Command::new(target_folder()?.join("debug/examples/signature")))?;
    println!("   {} nodes with all instructions", text.trim());
    Ok(())
}
