//! `cargo xtask test`: all that must hold before a change lands.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::jobs::{self, Job};
use crate::packages::Packages;
use crate::{cargo, deny, output, package, run, tidy, web};

/// Everything, from an empty clone on.
pub(crate) fn test() -> Result<()> {
    let mut steps = Steps::default();
    steps.run("set up", set_up)?;
    steps.run("format", || cargo(&["fmt", "--all", "--check"]))?;
    steps.run("tidy", tidy::run)?;
    steps.run("licences and sources", deny::run)?;
    let has_page = steps.run("page", web::check)?;
    steps.run("lint", || lint(&["--workspace"]))?;
    steps.run("document", document)?;
    steps.run("package", package::run)?;
    if testkit::data_file("perft").is_none() {
        println!("== no test data in SAAVEDRA_DATA or ../shared/data: the tests that want some pass without it");
    }
    let mut programs = steps.run("build the tests", || jobs::test_programs(&["--workspace"]))?;
    programs.push(Job::cargo("documentation tests", &["test", "--quiet", "--workspace", "--doc"]));
    programs.push(Job::cargo("fuzz", &["run", "--quiet", "--package", "fuzz", "--", "all", "20"]));
    if has_page {
        programs.extend(steps.run("build for the page", web::tests)?);
    }
    steps.run("build for other CPUs", || {
        programs.extend(test_programs_with_magics()?);
        for cpu in other_cpus() {
            programs.extend(test_programs_for(cpu)?);
        }
        Ok(())
    })?;
    // What was built last is the largest, and takes longest.
    programs.reverse();
    let slowest = steps.run("test", || jobs::run(programs))?;
    steps.run("compare signatures", compare_signatures)?;
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
    let mut programs = steps.run("build the tests", || jobs::test_programs(&options))?;
    if packages.iter().any(|package| package.starts_with("saavedra")) {
        let libraries: Vec<&str> = (packages.iter())
            .filter(|package| package.starts_with("saavedra-"))
            .flat_map(|package| ["--package", package])
            .collect();
        programs.push(Job::cargo("documentation tests", &[&["test", "--quiet", "--doc"], &libraries[..]].concat()));
    }
    let slowest = steps.run("test", || jobs::run(programs))?;
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
    cargo(&["fetch", "--quiet", "--locked"])
}

fn lint(packages: &[&str]) -> Result<()> {
    cargo(&[&["clippy", "--quiet", "--all-targets"], packages, &["--", "--deny", "warnings"]].concat())
}

fn document() -> Result<()> {
    let mut command = Command::new("cargo");
    command.args(["doc", "--quiet", "--workspace", "--no-deps", "--document-private-items"]);
    run(command.env("RUSTDOCFLAGS", "-C target-cpu=native -D warnings"))
}

/// CPUs whose builds take other paths through the move generator than this machine's own does.
fn other_cpus() -> Vec<&'static str> {
    let mut cpus = vec![];
    if cfg!(target_arch = "x86_64") {
        cpus.push("x86-64");
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx512f") {
            cpus.push("x86-64-v3");
        }
    }
    cpus
}

/// The rules with sliders looked up by magic multiplication, and with serde.
fn test_programs_with_magics() -> Result<Vec<Job>> {
    let options = ["--package", "saavedra-rules", "--features", "magic,serde"];
    let programs = jobs::test_programs(&[&options[..], &["--lib", "--test", "it"]].concat())?;
    Ok(programs.into_iter().map(|job| job.labelled("magic")).collect())
}

/// The rules and the network, built for another CPU in a folder of its own so that the usual build stays.
fn test_programs_for(cpu: &str) -> Result<Vec<Job>> {
    let folder = format!("target/{cpu}");
    let options = ["--package", "saavedra-rules", "--package", "saavedra-nnue", "--target-dir", &folder];
    let programs = jobs::test_programs_for(cpu, &[&options[..], &["--lib", "--test", "it"]].concat())?;
    Ok(programs.into_iter().map(|job| job.labelled(cpu)).collect())
}

/// Every build of the search must visit the same nodes, whatever instructions it uses.
fn compare_signatures() -> Result<()> {
    let signature = |folder: &str, cpu: &str, features: &str| {
        let mut command = Command::new("cargo");
        command.args(["run", "--quiet", "--package", "saavedra-engine", "--example", "signature"]);
        command.args(["--target-dir", folder, "--features", features]);
        output(command.env("RUSTFLAGS", format!("-C target-cpu={cpu}"))).map(|text| text.trim().to_owned())
    };
    let ours = signature("target", "native", "")?;
    let mut others = vec![("native, with magics", signature("target", "native", "rules/magic")?)];
    for cpu in other_cpus() {
        others.push((cpu, signature(&format!("target/{cpu}"), cpu, "")?));
    }
    for (build, other) in others {
        ensure!(other == ours, "the search visits {ours} nodes, but {other} when built for {build}");
    }
    println!("   {ours} nodes in every build");
    Ok(())
}
