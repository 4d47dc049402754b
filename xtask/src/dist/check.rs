//! Unpacks a release somewhere else and uses it there: on old and new CPUs, and in a root that has nothing but it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::{FOLDER, Release};
use crate::{output, run};

/// CPUs that a program for x86-64 must run on: one of 2008, without AVX and BMI, and all that the emulator can.
const CPUS: [&str; 2] = ["Nehalem", "max"];

/// How deep the known positions are counted.
const MOST_LEAVES: u64 = 1_000_000;

/// Uses what was packed. All releases search the same: the signature is that of the first one that was run.
pub(super) fn unpack_and_use(release: &Release, signature: &mut Option<String>) -> Result<()> {
    let place = Path::new(FOLDER).join("check");
    fs::create_dir_all(&place)?;
    let archive = Path::new(FOLDER).join(release.archive_file());
    if release.target.is_windows() {
        run(Command::new("unzip").arg("-q").arg(&archive).arg("-d").arg(&place))?;
    } else {
        run(Command::new("tar").arg("--extract").arg("--file").arg(&archive).arg("--directory").arg(&place))?;
    }
    let unpacked = Unpacked { release, binary: place.join(release.name()).join(release.target.binary()) };
    match release.target.command(&unpacked.binary) {
        Some(_) => unpacked.use_it(signature)?,
        None => println!("   built, and not run: nothing here can run it"),
    }
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

    fn use_it(&self, signature: &mut Option<String>) -> Result<()> {
        let found = bench(&mut self.command()?)?;
        let expected = signature.get_or_insert(found.clone());
        ensure!(found == *expected, "{} searches {found}, another release {expected}", self.release.target.name);
        println!("   {found}");
        let counted = self.count()?;
        println!("   perft: {counted} positions counted right");
        self.check_uci()?;
        if self.release.target.triple.starts_with("x86_64") && self.release.target.triple.contains("linux") {
            self.try_cpus(&found)?;
        }
        if self.release.target.is_static {
            self.use_in_empty_root()?;
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

    /// Lets it check itself as an engine.
    fn check_uci(&self) -> Result<()> {
        let engine = self.command()?;
        let mut check = self.command()?;
        check.arg("uci-check").arg("--timeout").arg("600");
        let said = output(check.arg(engine.get_program()).args(engine.get_args()))?;
        let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
        println!("   uci-check: {last}");
        Ok(())
    }

    fn try_cpus(&self, signature: &str) -> Result<()> {
        if Command::new("qemu-x86_64").arg("--version").output().is_err() {
            println!("   skipped: there is no qemu-x86_64 to try other CPUs");
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

    /// Uses it where there is nothing else: no library, no shell, no folder for temporary files.
    fn use_in_empty_root(&self) -> Result<()> {
        let root = self.binary.parent().context("the program is in a folder")?;
        let inside = |arguments: &[&str]| {
            let mut command = Command::new("unshare");
            command.arg("--map-root-user").arg("--root").arg(root).args(["--wd", "/", "/saavedra"]).args(arguments);
            command.env_clear();
            command
        };
        if !inside(&["--version"]).output().is_ok_and(|output| output.status.success()) {
            println!("   skipped: this system does not let us change the root");
            return Ok(());
        }
        let leaves = output(&mut inside(&["perft", "4"]))?;
        ensure!(leaves.contains("197,281"), "perft 4 in an empty root says {leaves}");
        let games = ["match", "random", "capture", "--time", "depth=1", "--pairs", "5", "--no-journal"];
        let games = output(&mut inside(&games))?;
        ensure!(games.contains("Games: 10,"), "a match in an empty root says {games}");
        let mut play = inside(&["play", "--engine", "random"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        play.stdin.take().context("it has an input")?.write_all(b"e4\nresign\n")?;
        let game = String::from_utf8(play.wait_with_output()?.stdout)?;
        ensure!(game.contains("0-1 (white resigned)"), "a game in an empty root says {game}");
        let mut serve = inside(&["serve", "--memory", "--port", "0"]).stdout(Stdio::piped()).spawn()?;
        let page = first_page(serve.stdout.take().context("it has an output")?);
        serve.kill()?;
        serve.wait()?;
        ensure!(page?.contains("<title>Saavedra"), "the server in an empty root shows no page");
        println!("   perft, match, play and serve in a root that has nothing else");
        Ok(())
    }
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
