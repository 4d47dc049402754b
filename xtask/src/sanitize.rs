//! Sanitizers on what threads share: the transposition table, its memory, and the threads of a search.
//!
//! They need a nightly toolchain with the sources of the standard library: a library that was built without them hides
//! its locks and joins from the thread sanitizer, which then sees races where there are none.

use std::process::Command;

use anyhow::{Context, Result, bail};

/// What can be looked for.
const KINDS: [&str; 4] = ["address", "thread", "memory", "miri"];

/// The interpreter stops at `madvise`, so it pretends to run where the table does without. That needs no such machine.
const MIRI_TARGET: &str = "x86_64-pc-windows-gnu";

/// Runs the tests under the kinds asked for, all if none is.
pub(crate) fn run(kinds: &[&str]) -> Result<()> {
    if let Some(unknown) = kinds.iter().find(|kind| !KINDS.contains(kind)) {
        bail!("there is no sanitizer {unknown:?} (there are {})", KINDS.join(", "));
    }
    require(&["rust-src", "miri"])?;
    for kind in if kinds.is_empty() { &KINDS } else { kinds } {
        println!("== {kind}");
        crate::run(&mut if *kind == "miri" { miri() } else { sanitizer(kind)? })?;
    }
    Ok(())
}

/// Says what to install if the nightly toolchain or a component of it is missing.
fn require(components: &[&str]) -> Result<()> {
    let list = ["component", "list", "--toolchain", "nightly", "--installed"];
    let installed = Command::new("rustup").args(list).output().context("cannot start rustup")?.stdout;
    let installed = String::from_utf8_lossy(&installed);
    if !components.iter().all(|component| installed.lines().any(|line| line.starts_with(component))) {
        bail!("first install the toolchain: rustup toolchain install nightly --component {}", components.join(","));
    }
    Ok(())
}

/// The tests with a sanitizer in them and in the standard library. The address sanitizer also looks for leaks.
fn sanitizer(kind: &str) -> Result<Command> {
    let mut command = nightly();
    command.args(["test", "--release", "-Zbuild-std", "--target", &crate::host()?]);
    command.args(["--package", "saavedra-search", "--lib", "--test", "it"]);
    command.args(["--", "--skip", "search::", "--skip", "strength::"]);
    command.env("RUSTFLAGS", format!("-Zsanitizer={kind}"));
    // A table that cannot be had is refused: the sanitizers must not take the question for a crime.
    for options in ["ASAN_OPTIONS", "TSAN_OPTIONS", "MSAN_OPTIONS"] {
        command.env(options, "allocator_may_return_null=1");
    }
    Ok(command)
}

/// The tests of the table, step by step, with every access to memory checked against its bounds and its type. That is
/// so slow that a search, or threads at work on the table, would take many minutes: the other sanitizers see those.
fn miri() -> Command {
    let mut command = nightly();
    command.args(["miri", "test", "--target", MIRI_TARGET]);
    command.args([
        "--package",
        "saavedra-search",
        "--lib",
        "tt::tests",
        "--",
        "--skip",
        "threads",
        "--skip",
        "any_word",
    ]);
    // The processor at hand is not the one that is imitated. Isolated programs have no clock. Who may borrow what is
    // not followed: every look at the table borrows all of it, and following that takes a minute a test.
    command.env("RUSTFLAGS", "").env("MIRIFLAGS", "-Zmiri-disable-isolation -Zmiri-disable-stacked-borrows");
    command
}

/// Cargo of the nightly toolchain, with a folder of its own for what it builds.
fn nightly() -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo"]).env("CARGO_TARGET_DIR", "target/sanitize");
    command
}
