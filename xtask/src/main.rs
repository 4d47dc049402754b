//! `cargo xtask`: everything one does with this workspace besides writing it.

mod adopt;
mod checks;
mod debian;
mod deny;
mod dist;
mod jobs;
mod links;
mod magics;
mod package;
mod packages;
mod python;
mod sanitize;
mod soak;
mod tidy;
mod web;

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

const HELP: &str = "\
cargo xtask COMMAND

  play [OPTIONS]    build, and open the board in the browser (the options of saavedra serve)
  play --terminal [OPTIONS]
                    build, and play on the terminal (the options of saavedra play)
  web               build the page of saavedra serve (needs Node)
  web test          check the page, and use it in a real browser (part of test)
  test              set up, then format, lint, document, tidy and test everything; tells how long each step took
  test --changed    lint and test only the packages that differ from main, and those that depend on them
  python [OPTIONS]  build the Python package and test it in a virtual environment (part of test; options of pytest)
  licenses          write the licences of what the binary is made of, for saavedra licenses
  tidy              check the rules of the house: layers, file sizes, lints, links of the docs
  bench perft       perft beside cozy-chess, as ratios
  bench see         exchanges by look-up beside the swap-off and the truth
  bench nps ENGINE...
                    positions a second of UCI engines; 2*ENGINE searches with two threads
  bench suite FILE [SECONDS | nodes=N]
                    solve the problems of an EPD file, one second each
  bench tactics FILE.epd... ENGINE... [nodes=N] [each]
                    nodes to solution of UCI engines, beside the first; a line of each problem
  bench pgn [FILE]  read games beside pgn-reader and python-chess; without a file, games are made up
  bench syzygy FOLDER
                    look up tablebases beside pyrrhic-rs, as ratios; `agree FOLDER` compares all answers
  bench review FILE.pgn... [effort=quick|normal|deep] [oracle=ENGINE]
                    review games, and let Stockfish check every criticised move and every blunder
  bench wdl FILE    fit the win/draw/loss model to games of saavedra datagen
  bench python      lists of moves in Python beside python-chess, bulletchess and rust_chess
  bench nnue        how long a network takes to judge a position, by width and kernel
  fuzz [TARGET] [SECONDS] [SEED]
                    feed random and mutated input to the parsers and the rules (all targets, 60 s)
  fuzz --guided TARGET [LIBFUZZER OPTIONS]
                    the same, guided by coverage (needs a C++ compiler); the corpus is kept in target/corpus
  sanitize [KIND]   run the tests of the search's table and threads under sanitizers: address, thread, memory, miri
                    (all, some minutes; needs a nightly toolchain with rust-src and miri)
  soak [--hours N]  games against other engines, kills, engines that misbehave, the server under load, boards that must
                    agree and random input, for N hours (1 unless told), and a report in target/soak/report.md
  adopt [FILE] [--only STEPS] [--skip STEPS]
                    make a network the engine's own, or measure the present one again; STEPS, with commas between, are
                    verify, copy, bench, speed, wdl, levels, league
  dist [TARGET]... [--check]
                    build releases for this kind of machine, for those that are named, or for all: archives, Debian
                    packages, lists of contents and checksums in target/dist; --check unpacks and uses them, by qemu
                    and wine where they are installed. Targets: x86_64-unknown-linux-gnu, x86_64-linux-static (needs
                    no library, knows no GPU), aarch64-unknown-linux-gnu, x86_64-pc-windows-gnu, aarch64-apple-darwin
  magics            find the factors of the magic look-up and print them
";

fn main() -> ExitCode {
    // Wherever it is called from, the work is done at the root of the workspace.
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    if let Err(error) = std::env::set_current_dir(root) {
        eprintln!("xtask: cannot enter {root}: {error}");
        return ExitCode::FAILURE;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["test"] => checks::test(),
        ["test", "--changed"] => checks::test_changed(),
        ["python", ref options @ ..] => python::test(options),
        ["bench", "python"] => python::bench(),
        ["licenses"] => deny::write_notices(),
        ["tidy"] => tidy::run(),
        ["web"] => web::build(),
        ["web", "test"] => web::check().and_then(|has_page| if has_page { web::test() } else { Ok(()) }),
        ["play", ref options @ ..] => play(options),
        [
            "bench",
            name @ ("perft" | "see" | "nps" | "suite" | "tactics" | "pgn" | "review" | "nnue" | "syzygy" | "wdl"),
            ref rest @ ..,
        ] => cargo(&[&["run", "--quiet", "--release", "--package", "bench", "--bin", name, "--"], rest].concat()),
        ["fuzz", "--guided", target, ref rest @ ..] => guided_fuzzing(target, rest),
        ["fuzz", ref rest @ ..] => cargo(&[&["run", "--quiet", "--release", "--package", "fuzz", "--"], rest].concat()),
        ["sanitize", ref kinds @ ..] => sanitize::run(kinds),
        ["soak", ref words @ ..] => soak::run_for(words),
        ["adopt", ref options @ ..] => adopt::run(options),
        ["dist", ref words @ ..] => dist::run_for(words),
        ["magics"] => {
            print!("{}", magics::report());
            Ok(())
        }
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        _ => {
            eprintln!("xtask: unknown command {:?} (cargo xtask help lists them)", words.join(" "));
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the page and the binary, with cargo telling how far it is, and opens the board in the browser. Where the page
/// cannot be built, or if asked to, it plays on the terminal.
fn play(options: &[&str]) -> Result<()> {
    const BINARY: [&str; 3] = ["--release", "--package", "saavedra"];
    let is_terminal = options.first() == Some(&"--terminal");
    let page = if is_terminal { Ok(()) } else { web::build() };
    cargo(&[&["build"], &BINARY[..]].concat())?;
    let command: &[&str] = match (is_terminal, &page) {
        (false, Ok(())) => &["serve", "--open"],
        (false, Err(error)) => {
            eprintln!("xtask: {error:#}\nxtask: so here is the board on the terminal");
            &["play"]
        }
        (true, _) => &["play"],
    };
    // Options of one board make no sense on the other.
    let options = match (is_terminal, page.is_ok()) {
        (true, _) => &options[1..],
        (false, true) => options,
        (false, false) => &[],
    };
    cargo(&[&["run", "--quiet"], &BINARY[..], &["--"], command, options].concat())
}

/// Runs libFuzzer. The flags make the compiler count which branches are taken; they work on stable Rust.
fn guided_fuzzing(target: &str, options: &[&str]) -> Result<()> {
    const FLAGS: [&str; 5] = [
        "-Cpasses=sancov-module",
        "-Cllvm-args=-sanitizer-coverage-level=4",
        "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
        "-Cllvm-args=-sanitizer-coverage-pc-table",
        "-Cllvm-args=-sanitizer-coverage-trace-compares",
    ];
    let corpus = format!("target/corpus/{target}");
    std::fs::create_dir_all(&corpus).with_context(|| format!("cannot create {corpus}"))?;
    // With the target named, the flags apply to the program alone and not to build scripts.
    let host = host()?;
    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "--release", "--target", &host, "--target-dir", "target/guided"]);
    command.args(["--package", "fuzz"]);
    command.args(["--features", "guided", "--bin", "guided", "--", &corpus]).args(options);
    run(command.env("RUSTFLAGS", FLAGS.join(" ")).env("FUZZ_TARGET", target))
}

/// The kind of machine this is, as the compiler calls it.
fn host() -> Result<String> {
    let host = Command::new("rustc").args(["--print", "host-tuple"]).output().context("cannot start rustc")?.stdout;
    Ok(String::from_utf8(host)?.trim().to_owned())
}

/// Runs cargo in the workspace.
fn cargo(arguments: &[&str]) -> Result<()> {
    run(Command::new("cargo").args(arguments))
}

fn run(command: &mut Command) -> Result<()> {
    let shown = format!("{command:?}").replace('"', "");
    let status = command.status().with_context(|| format!("cannot start {shown}"))?;
    if !status.success() {
        bail!("{shown} failed ({status})");
    }
    Ok(())
}

/// Runs a program, shows what it says on standard error, and returns what it prints.
fn output(command: &mut Command) -> Result<String> {
    let shown = format!("{command:?}").replace('"', "");
    let output = command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot start {shown}"))?;
    if !output.status.success() {
        bail!("{shown} failed ({})", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("{shown} did not print text"))
}

/// What cargo knows of the packages of the workspace.
fn metadata() -> Result<Value> {
    let text = output(Command::new("cargo").args(["metadata", "--format-version", "1", "--no-deps"]))?;
    serde_json::from_str(&text).context("cargo metadata did not print JSON")
}

/// Where cargo puts what it builds.
fn target_folder() -> Result<PathBuf> {
    let metadata = metadata()?;
    Ok(PathBuf::from(metadata["target_directory"].as_str().context("cargo metadata names no target folder")?))
}
