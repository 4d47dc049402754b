//! `cargo xtask soak`: for hours, everything that must not break, and one report of what was done and what broke.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::{cargo, output, target_folder};

/// Opponents, by the command that starts them. Those that are not installed are left out.
const OPPONENTS: [(&str, &[&str]); 6] = [
    ("stockfish", &[]),
    ("ethereal-chess", &[]),
    ("fairy-stockfish", &[]),
    ("toga2", &[]),
    ("glaurung", &[]),
    ("gnuchess", &["--uci"]),
];

/// Where Debian puts them; it is not always in the path.
const GAMES_FOLDER: &str = "/usr/games";

/// How fast games are played.
const TIME_CONTROL: &str = "0.25+0.0025";

/// How many games are played against an opponent before the next one's turn comes.
const GAMES: usize = 40;

/// What an engine that misbehaves does (`crates/arena/examples/unruly_player.rs`).
const UNRULY: [&str; 7] = ["exit", "mute", "crash", "hang", "flood", "illegal", "late"];

/// A part of the soak.
struct Part {
    name: &'static str,
    /// Its part of the time.
    share: f64,
    work: fn(&Soak, Duration) -> Result<String>,
}

const PARTS: [Part; 6] = [
    Part { name: "games with clocks", share: 0.60, work: Soak::games },
    Part { name: "events that are killed", share: 0.08, work: Soak::kills },
    Part { name: "engines that misbehave", share: 0.04, work: Soak::unruly },
    Part { name: "the server under load", share: 0.08, work: Soak::server },
    Part { name: "boards that must agree", share: 0.08, work: Soak::boards },
    Part { name: "random input", share: 0.12, work: Soak::fuzz },
];

/// Where things are.
struct Soak {
    saavedra: String,
    unruly: String,
    folder: PathBuf,
}

/// Runs every part for its share of the time. What breaks in one does not stop the others.
pub(crate) fn run_for(words: &[&str]) -> Result<()> {
    let hours: f64 = match words {
        [] => 1.0,
        ["--hours", number] => number.parse().with_context(|| format!("{number:?} is not a number of hours"))?,
        _ => bail!("cargo xtask soak [--hours N]"),
    };
    ensure!(hours > 0.0 && hours <= 1000.0, "{hours} hours cannot be");
    cargo(&["build", "--release", "--package", "saavedra", "--package", "fuzz"])?;
    cargo(&["build", "--release", "--package", "saavedra-arena", "--example", "unruly_player"])?;
    cargo(&["build", "--release", "--package", "saavedra-serve", "--example", "load"])?;
    let target = target_folder()?;
    let release = |name: &str| target.join("release").join(name).to_string_lossy().into_owned();
    let folder = target.join("soak");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let soak = Soak { saavedra: release("saavedra"), unruly: release("examples/unruly_player"), folder };
    let path = soak.folder.join("report.md");
    let mut report = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
    writeln!(report, "# Soak of {hours} hours\n\n{}\n", output(Command::new(&soak.saavedra).arg("--version"))?.trim())?;
    writeln!(report, "| part | seconds | what happened |\n|---|---:|---|")?;
    let mut broken = Vec::new();
    for Part { name, share, work } in PARTS {
        println!("== {name}");
        let started = Instant::now();
        let time = Duration::from_secs_f64(3600.0 * hours * share);
        let told = work(&soak, time).unwrap_or_else(|error| {
            broken.push(name);
            format!("**broken**: {error:#}")
        });
        println!("   {told}");
        writeln!(report, "| {name} | {} | {} |", started.elapsed().as_secs(), told.replace('\n', " "))?;
    }
    println!("== the report is {}", path.display());
    ensure!(broken.is_empty(), "broken: {}", broken.join(", "));
    Ok(())
}

impl Soak {
    /// Plays against other engines, each in turn. Either side may lose on time; nothing else may go wrong for us.
    fn games(&self, time: Duration) -> Result<String> {
        let opponents: Vec<String> = OPPONENTS.iter().filter_map(|&(name, words)| installed(name, words)).collect();
        ensure!(!opponents.is_empty(), "no opponent is installed (stockfish, ethereal-chess, toga2, …)");
        let ends = Instant::now() + time;
        let (mut games, mut ours, mut theirs, mut round) = (0, Tally::default(), Tally::default(), 0_usize);
        while Instant::now() < ends {
            let opponent = &opponents[round % opponents.len()];
            let played = self.play(&[
                &format!("Saavedra=uci,Hash=16:{}", self.saavedra),
                &format!("Opponent=uci,Hash=16:{opponent}"),
                "--time",
                TIME_CONTROL,
                "--games",
                &GAMES.to_string(),
                "--seed",
                &round.to_string(),
                "--no-journal",
            ])?;
            games += played.len();
            for game in &played {
                if loser(game) == Some("Saavedra") { ours.add(game) } else { theirs.add(game) }
            }
            round += 1;
        }
        ensure!(ours.others.is_empty(), "our engine failed: {}", ours.others.join("; "));
        Ok(format!(
            "{games} games at {TIME_CONTROL} against {} engines; lost on time: {} by us, {} by them; other faults of theirs: {}",
            opponents.len(),
            ours.on_time,
            theirs.on_time,
            theirs.others.len()
        ))
    }

    /// Kills an event again and again, and compares it with one that was left alone.
    fn kills(&self, time: Duration) -> Result<String> {
        let ends = Instant::now() + time;
        let (mut events, mut kills) = (0_u32, 0_u32);
        while events == 0 || Instant::now() < ends {
            let seed = events.to_string();
            let files = ["alone", "killed"].map(|name| self.folder.join(format!("{name}.pgn")));
            let journal = self.folder.join("killed.journal");
            let _ = std::fs::remove_file(&journal);
            let arguments = |pgn: &Path, journal: &[&str]| {
                let pgn = pgn.to_string_lossy().into_owned();
                let event =
                    ["match", "search:nodes=2000", "search:nodes=1000", "--games", "40", "--time", "nodes=2000"];
                let words = [&event[..], &["--seed", &seed, "--pgn", &pgn], journal].concat();
                words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>()
            };
            output(Command::new(&self.saavedra).args(arguments(&files[0], &["--no-journal"])))?;
            let name = journal.to_string_lossy().into_owned();
            // Longer each time, or it would never come to its end.
            for pause in (1..).map(|step| Duration::from_millis(40 * step)) {
                let mut killed = Command::new(&self.saavedra);
                killed.args(arguments(&files[1], &["--journal", &name])).stdout(Stdio::null()).stderr(Stdio::null());
                let mut child = killed.spawn().with_context(|| format!("cannot start {}", self.saavedra))?;
                thread::sleep(pause);
                if let Some(status) = child.try_wait()? {
                    ensure!(status.success(), "a resumed event failed: {status}");
                    break;
                }
                child.kill()?;
                child.wait()?;
                kills += 1;
            }
            let [alone, killed] = files.map(|file| std::fs::read_to_string(file).map(|games| without_dates(&games)));
            ensure!(alone? == killed?, "the games of seed {seed} differ from those of an event that was not killed");
            events += 1;
        }
        Ok(format!("{events} events of 40 games with {kills} kills: the same games as without"))
    }

    /// Plays against engines that misbehave: every game ends, and we lose none.
    fn unruly(&self, time: Duration) -> Result<String> {
        let ends = Instant::now() + time;
        let (mut games, mut round) = (0, 0_usize);
        while round < UNRULY.len() || Instant::now() < ends {
            let behaviour = UNRULY[round % UNRULY.len()];
            let played = self.play(&[
                "search:nodes=500",
                &format!("Unruly=uci:{} {behaviour}", self.unruly),
                "--time",
                "0.2+0.01",
                "--games",
                "4",
                "--no-journal",
            ])?;
            let lost = played.iter().filter(|game| loser(game).is_some_and(|loser| loser != "Unruly")).count();
            ensure!(lost == 0, "lost {lost} games against an engine that does this: {behaviour}");
            games += played.len();
            round += 1;
        }
        Ok(format!("{games} games against {} kinds of misbehaviour, none lost", UNRULY.len()))
    }

    fn server(&self, time: Duration) -> Result<String> {
        let seconds = time.as_secs().max(10).to_string();
        let load = ["run", "--quiet", "--release", "--package", "saavedra-serve", "--example", "load", "--", &seconds];
        let told = output(Command::new("cargo").args(load))?;
        Ok(told
            .lines()
            .rev()
            .take(4)
            .map(str::trim)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect::<Vec<_>>()
            .join("; "))
    }

    fn boards(&self, time: Duration) -> Result<String> {
        let seconds = time.as_secs().max(1).to_string();
        self.fuzz_target("boards", &seconds)
    }

    fn fuzz(&self, time: Duration) -> Result<String> {
        let seconds = time.as_secs().max(13).to_string();
        self.fuzz_target("all", &seconds)
    }

    fn fuzz_target(&self, target: &str, seconds: &str) -> Result<String> {
        let seed = std::process::id().to_string();
        let command = ["run", "--quiet", "--release", "--package", "fuzz", "--", target, seconds, &seed];
        let told = output(Command::new("cargo").args(command))?;
        Ok(format!("seed {seed}: {}", told.lines().map(str::trim).collect::<Vec<_>>().join("; ")))
    }

    /// Plays a match and returns its games.
    fn play(&self, arguments: &[&str]) -> Result<Vec<Value>> {
        let told = output(Command::new(&self.saavedra).arg("match").args(arguments).arg("--json"))?;
        let read = |line: &str| serde_json::from_str(line).with_context(|| format!("the match said {line:?}"));
        let mut games = told.lines().map(read).collect::<Result<Vec<Value>>>()?;
        let summary = games.pop().context("the match said nothing")?;
        ensure!(summary["finish"] == "over" && summary["games"] == games.len(), "the match ended with {summary}");
        Ok(games)
    }
}

/// Who lost a game.
fn loser(game: &Value) -> Option<&str> {
    match game["result"].as_str() {
        Some("1-0") => game["black"].as_str(),
        Some("0-1") => game["white"].as_str(),
        _ => None,
    }
}

/// What went wrong for a player.
#[derive(Default)]
struct Tally {
    on_time: u64,
    others: Vec<String>,
}

impl Tally {
    /// Counts a game that the player lost by doing what a player may not do.
    fn add(&mut self, game: &Value) {
        match game["reason"].as_str() {
            Some("out-of-time") => self.on_time += 1,
            Some("forfeited" | "illegal-move" | "wrong-claim" | "did-not-start" | "crashed" | "refused") => {
                self.others.push(game.to_string());
            }
            _ => {}
        }
    }
}

/// The command line of an opponent, if it is there.
fn installed(name: &str, words: &[&str]) -> Option<String> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
    folders.push(GAMES_FOLDER.into());
    let file = folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file())?;
    Some([&[&*file.to_string_lossy()], words].concat().join(" "))
}

/// Games without what differs from run to run.
fn without_dates(games: &str) -> String {
    let is_same = |line: &&str| !["[Date", "[UTCDate", "[UTCTime", "[Event"].iter().any(|tag| line.starts_with(tag));
    games.lines().filter(is_same).collect::<Vec<_>>().join("\n")
}
