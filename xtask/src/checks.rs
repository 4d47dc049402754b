//! `cargo xtask test`: all that must hold before a change lands.

use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Result, ensure};

use crate::{cargo, run, tidy, web};

pub(crate) fn test() -> Result<()> {
    step("set up", set_up)?;
    step("format", || cargo(&["fmt", "--all", "--check"]))?;
    step("tidy", tidy::run)?;
    let has_page = step("page", web::check)?;
    step("lint", || cargo(&["clippy", "--quiet", "--workspace", "--all-targets", "--", "--deny", "warnings"]))?;
    step("document", || {
        let mut command = Command::new("cargo");
        command.args(["doc", "--quiet", "--workspace", "--no-deps", "--document-private-items"]);
        run(command.env("RUSTDOCFLAGS", "-C target-cpu=native -D warnings"))
    })?;
    if testkit::data_file("perft").is_none() {
        println!("== no test data in SAAVEDRA_DATA or ../shared/data: the tests that want some pass without it");
    }
    step("test", || cargo(&["test", "--quiet", "--workspace"]))?;
    step("test the magic look-up", || {
        let options = ["test", "--quiet", "--package", "saavedra-rules", "--features", "magic"];
        run(Command::new("cargo").args(options).args(["--lib", "--test", "it"]))
    })?;
    for cpu in other_cpus() {
        step(&format!("test for {cpu}"), || test_for(cpu))?;
    }
    if has_page {
        step("test the page", web::test)?;
    }
    step("compare signatures", compare_signatures)?;
    step("fuzz", || cargo(&["run", "--quiet", "--package", "fuzz", "--", "all", "20"]))
}

/// Runs one step and says how long it took.
fn step<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("== {name}");
    let started = Instant::now();
    let outcome = work()?;
    println!("== {name}: done in {:.0} s", started.elapsed().as_secs_f64());
    Ok(outcome)
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

/// The rules and the network, tested as built for another CPU, in a folder of its own so that the usual build stays.
fn test_for(cpu: &str) -> Result<()> {
    let target = format!("target/{cpu}");
    let test = |options: &[&str]| {
        let mut command = Command::new("cargo");
        command.args(["test", "--quiet", "--target-dir", &target, "--lib"]).args(options);
        run(command.env("RUSTFLAGS", format!("-C target-cpu={cpu}")))
    };
    test(&["--package", "saavedra-rules", "--test", "it"])?;
    test(&["--package", "saavedra-nnue", "--test", "it"])
}

/// Every build of the search must visit the same nodes, whatever instructions it uses.
fn compare_signatures() -> Result<()> {
    let signature = |target: &str, cpu: &str, features: &str| -> Result<String> {
        let output = Command::new("cargo")
            .args(["run", "--quiet", "--package", "saavedra-engine", "--example", "signature"])
            .args(["--target-dir", target, "--features", features])
            .env("RUSTFLAGS", format!("-C target-cpu={cpu}"))
            .stderr(Stdio::inherit())
            .output()?;
        ensure!(output.status.success(), "the signature for {cpu} cannot be had");
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
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
