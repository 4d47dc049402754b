//! Unpacks a release somewhere else and uses it there: on old and new CPUs, and in a root that has nothing but it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::iter;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::{BUILDS, FOLDER, Release, debian_check};
use crate::{output, run};

/// CPUs that a program for x86-64 must run on: one of 2008, without AVX and BMI, and all that the emulator can.
const CPUS: [&str; 2] = ["Nehalem", "max"];

/// An emulator that needs no library, as Debian's package qemu-user-static has it.
const STATIC_EMULATOR: &str = "/usr/bin/qemu-x86_64-static";

/// How deep the known positions are counted.
const MOST_LEAVES: u64 = 1_000_000;

/// What was tried, and what could not be: a release that was only built must not look like one that was used.
#[derive(Default)]
pub(super) struct Findings {
    /// The signature of the first release that was run. All others have to search the same.
    signature: Option<String>,
    /// Each release, and what was done with it.
    releases: Vec<(&'static str, &'static str)>,
    skipped: Vec<String>,
}

impl Findings {
    /// Tells what was run, what was only built, and what was left out.
    pub(super) fn print(&self) {
        println!("== checked");
        for (release, how) in &self.releases {
            println!("   {release}: {how}");
        }
        for skipped in &self.skipped {
            println!("   skipped: {skipped}");
        }
    }

    pub(super) fn skip(&mut self, what: String) {
        println!("   skipped: {what}");
        self.skipped.push(what);
    }
}

/// Uses what was packed.
pub(super) fn unpack_and_use(release: &Release, findings: &mut Findings) -> Result<()> {
    let place = Path::new(FOLDER).join("check");
    fs::create_dir_all(&place)?;
    let archive = Path::new(FOLDER).join(release.archive_file());
    if release.target.is_windows() {
        run(Command::new("unzip").arg("-q").arg(&archive).arg("-d").arg(&place))?;
    } else {
        run(Command::new("tar").arg("--extract").arg("--file").arg(&archive).arg("--directory").arg(&place))?;
    }
    let unpacked = Unpacked { release, binary: place.join(release.name()).join(release.target.binary()) };
    let how = match release.target.command(&unpacked.binary) {
        Some(_) => {
            unpacked.use_it(findings)?;
            if release.target.is_of_this_machine() { "run here" } else { "run by an emulator" }
        }
        None => "built, and not run: nothing here can run it",
    };
    println!("   {how}");
    findings.releases.push((release.target.name, how));
    debian_check::install_and_purge(release, findings)?;
    Ok(fs::remove_dir_all(place)?)
}

struct Unpacked<'a> {
    release: &'a Release,
    binary: PathBuf,
}

impl Unpacked<'_> {
    fn command(&self) -> Result<Command> {
        self.release.target.command(&self.binary).context("it can be run here")
    }

    fn use_it(&self, findings: &mut Findings) -> Result<()> {
        let found = bench(&mut self.command()?)?;
        let expected = findings.signature.get_or_insert(found.clone());
        ensure!(found == *expected, "{} searches {found}, another release {expected}", self.release.target.name);
        println!("   {found}");
        let counted = self.count()?;
        println!("   perft: {counted} positions counted right");
        self.check_uci()?;
        if !self.release.target.is_of_this_machine() && !self.release.target.is_windows() {
            self.compare_kernels()?;
        }
        if self.release.target.triple.starts_with("x86_64") && self.release.target.triple.contains("linux") {
            self.try_cpus(&found, findings)?;
        }
        if self.release.target.is_static {
            self.use_in_empty_root(&found, findings)?;
        }
        Ok(())
    }

    /// Counts the positions that every move generator is tested with.
    fn count(&self) -> Result<usize> {
        let table = testkit::known_perfts();
        for known in &table {
            let Some(&(depth, leaves)) = known.counts.iter().rfind(|(_, leaves)| *leaves <= MOST_LEAVES) else {
                continue;
            };
            let said = output(self.command()?.args(["perft", &depth.to_string(), "--json", "--fen", &known.fen]))?;
            let said: serde_json::Value = serde_json::from_str(&said).context("perft --json prints JSON")?;
            ensure!(said["nodes"] == leaves, "{}: {leaves} leaves at depth {depth}, it says {said}", known.name);
        }
        Ok(table.len())
    }

    /// Lets it check itself as an engine. An engine that an emulator runs is put behind a script, because a check of
    /// its name wants an engine without arguments.
    fn check_uci(&self) -> Result<()> {
        let engine = self.command()?;
        let mut check = self.command()?;
        check.arg("uci-check").arg("--timeout").arg("600");
        if engine.get_args().next().is_none() || self.release.target.is_windows() {
            check.arg(&self.binary);
        } else {
            check.arg(script(&engine, &self.binary.with_file_name("engine.sh"))?);
        }
        let said = output(&mut check)?;
        let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
        ensure!(last.contains(": 36 of 36"), "uci-check says {said}");
        println!("   uci-check: {last}");
        Ok(())
    }

    /// Compares what is written for this kind of CPU with its portable twins, on that CPU.
    fn compare_kernels(&self) -> Result<()> {
        let target = self.release.target;
        let mut test = Command::new("cargo");
        test.args([
            "test",
            "--quiet",
            "--locked",
            "--lib",
            "--package",
            "saavedra-nnue",
            "--package",
            "saavedra-rules",
        ]);
        let folder = Path::new(BUILDS).join(target.name);
        target.prepare(&mut test, &folder)?;
        test.args(["--target", target.triple, "--target-dir"]).arg(folder);
        let emulator = target.command(Path::new("")).context("it can be run here")?;
        let words: Vec<String> = iter::once(emulator.get_program())
            .chain(emulator.get_args())
            .map(|word| word.to_string_lossy().into_owned())
            .filter(|word| !word.is_empty())
            .collect();
        let runner = format!("CARGO_TARGET_{}_RUNNER", target.triple.to_uppercase().replace('-', "_"));
        output(test.env(runner, words.join(" ")))?;
        println!(
            "   the tests of rules and network pass there, those of vector instructions and their twins among them"
        );
        Ok(())
    }

    fn try_cpus(&self, signature: &str, findings: &mut Findings) -> Result<()> {
        if Command::new("qemu-x86_64").arg("--version").output().is_err() {
            findings.skip("there is no qemu-x86_64 to try other CPUs".to_owned());
            return Ok(());
        }
        for cpu in CPUS {
            let mut command = Command::new("qemu-x86_64");
            let there = bench(command.args(["-cpu", cpu]).arg(&self.binary))?;
            ensure!(there == signature, "{there} on the CPU {cpu}, {signature} here");
            println!("   the same on the CPU {cpu}");
        }
        Ok(())
    }

    /// Uses it where there is nothing else, no library, no shell, no folder for temporary files: on this CPU, and on
    /// others if there is an emulator that needs nothing either.
    fn use_in_empty_root(&self, signature: &str, findings: &mut Findings) -> Result<()> {
        let root = self.binary.parent().context("the program is in a folder")?;
        let here = EmptyRoot { root, cpu: None };
        if !here.command(&["--version"]).output().is_ok_and(|output| output.status.success()) {
            findings.skip("this system does not let us change the root".to_owned());
            return Ok(());
        }
        here.use_it(signature)?;
        println!("   bench, perft, match, play and serve in a root that has nothing else");
        if !Path::new(STATIC_EMULATOR).exists() {
            findings.skip(format!("there is no {STATIC_EMULATOR} to try other CPUs in an empty root"));
            return Ok(());
        }
        fs::copy(STATIC_EMULATOR, root.join("emulator"))?;
        for cpu in CPUS {
            EmptyRoot { root, cpu: Some(cpu) }.use_it(signature)?;
            println!("   the same in that root on the CPU {cpu}");
        }
        Ok(())
    }
}

/// A folder that is all that a program can see.
struct EmptyRoot<'a> {
    root: &'a Path,
    /// The CPU, if it is not the one at hand.
    cpu: Option<&'a str>,
}

impl EmptyRoot<'_> {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("unshare");
        command.arg("--map-root-user").arg("--root").arg(self.root).args(["--wd", "/"]);
        if let Some(cpu) = self.cpu {
            command.args(["/emulator", "-cpu", cpu]);
        }
        command.arg("/saavedra").args(arguments).env_clear();
        command
    }

    fn use_it(&self, signature: &str) -> Result<()> {
        let found = bench(&mut self.command(&[]))?;
        ensure!(found == signature, "{found} in an empty root, {signature} outside");
        let leaves = output(&mut self.command(&["perft", "4"]))?;
        ensure!(leaves.contains("197,281"), "perft 4 in an empty root says {leaves}");
        let games = ["match", "random", "capture", "--time", "depth=1", "--pairs", "5", "--no-journal"];
        let games = output(&mut self.command(&games))?;
        ensure!(games.contains("Games: 10,"), "a match in an empty root says {games}");
        let mut play = self.command(&["play", "--engine", "random"]);
        let mut play = play.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        play.stdin.take().context("it has an input")?.write_all(b"e4\nresign\n")?;
        let game = String::from_utf8(play.wait_with_output()?.stdout)?;
        ensure!(game.contains("0-1 (white resigned)"), "a game in an empty root says {game}");
        let mut serve = self.command(&["serve", "--memory", "--port", "0"]).stdout(Stdio::piped()).spawn()?;
        let page = first_page(serve.stdout.take().context("it has an output")?);
        serve.kill()?;
        serve.wait()?;
        ensure!(page?.contains("<title>Saavedra"), "the server in an empty root shows no page");
        Ok(())
    }
}

/// Writes a script that runs a command with what the script is given.
fn script(command: &Command, file: &Path) -> Result<PathBuf> {
    let words = iter::once(command.get_program()).chain(command.get_args());
    let quoted: Vec<String> = words.map(|word| format!("'{}'", word.to_string_lossy())).collect();
    let file = std::path::absolute(file)?;
    fs::write(&file, format!("#!/bin/sh\nexec {} \"$@\"\n", quoted.join(" ")))?;
    output(Command::new("chmod").arg("+x").arg(&file))?;
    Ok(file)
}

/// The signature of a short search.
fn bench(command: &mut Command) -> Result<String> {
    let said = output(command.args(["bench", "6"]))?;
    let line = said.lines().find(|line| line.starts_with("Bench: ")).context("there is no signature")?;
    Ok(line.to_owned())
}

/// The page of a server that has just said where it is.
fn first_page(said: impl Read) -> Result<String> {
    let mut line = String::new();
    BufReader::new(said).read_line(&mut line)?;
    let address = line.split("http://").nth(1).context("the server says where it is")?;
    let address = address.trim().trim_end_matches('/');
    let mut stream = TcpStream::connect(address)?;
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut page = Vec::new();
    stream.read_to_end(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
