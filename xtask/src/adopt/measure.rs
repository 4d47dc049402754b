//! What is measured of a network: the signature of the bench, speed, the win/draw/loss model, levels, a league.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use interface::grouped;

use super::{Engine, NETWORK, blocks};

/// Where the win/draw/loss model stands, and where the levels do.
const MODEL: &str = "crates/search/src/wdl.rs";
const LEVELS: &str = "crates/search/src/strength.rs";

/// Games that the win/draw/loss model is fitted to, and positions a move in them.
const WDL_GAMES: u32 = 2_000;
const WDL_NODES: u32 = 5_000;

/// Pairs of games of each level against the one below it.
const LEVEL_PAIRS: u32 = 20;

/// Who meets in the league: minds of ours, and programs that take part where they are installed.
const OURS: [&str; 9] = [
    "random",
    "capture",
    "minimax",
    "alphabeta",
    "elo 800=search:elo=800",
    "elo 1400=search:elo=1400",
    "elo 2000=search:elo=2000",
    "elo 2600=search:elo=2600",
    "Saavedra tables=search:net=none",
];
const OTHERS: [(&str, &str); 6] = [
    ("glaurung", "Glaurung=uci,Hash=16,Threads=1:glaurung"),
    ("toga2", "Toga II=uci,Hash=16:toga2"),
    ("gnuchess", "GNU Chess=uci,Hash=16:gnuchess --uci"),
    ("phalanx", "Phalanx=cecp:phalanx"),
    ("ethereal-chess", "Ethereal=uci,Hash=16:ethereal-chess"),
    ("stockfish", "Stockfish=uci,Hash=16:stockfish"),
];

pub(super) fn run(step: &str, engine: &Engine) -> Result<()> {
    match step {
        "bench" => bench(engine),
        "speed" => speed(engine),
        "wdl" => wdl(engine),
        "levels" => levels(engine),
        _ => league(engine),
    }
}

/// The signature of the search, and what the network is.
fn bench(engine: &Engine) -> Result<()> {
    blocks::write("signature", &signature(engine)?)?;
    let network = engine.network(Path::new(NETWORK))?;
    let text = |name: &str| network[name].as_str().unwrap_or_default().to_owned();
    let bytes = grouped(network["bytes"].as_u64().unwrap_or_default());
    blocks::write("network", &format!("{}, {bytes} bytes, checksum {}", text("architecture"), text("checksum")))
}

fn signature(engine: &Engine) -> Result<String> {
    let report = engine.json(&["bench", "--json"])?;
    Ok(grouped(report["nodes"].as_u64().context("the bench counted no nodes")?))
}

/// Says which engine a table was measured with: later ones may play otherwise.
fn measured_with(engine: &Engine) -> Result<String> {
    Ok(format!("Measured with the engine of signature {}.", signature(engine)?))
}

/// Positions a second, beside two threads and beside Stockfish where it is installed.
fn speed(engine: &Engine) -> Result<()> {
    let program = engine.program.display().to_string();
    let mut engines = vec![program.clone(), format!("2*{program}")];
    engines.extend(is_installed("stockfish").then(|| "stockfish".to_owned()));
    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "--release", "--package", "bench", "--bin", "nps", "--"]).args(engines);
    let text = crate::output(&mut command)?.replace(&program, "saavedra");
    let mut table = String::from("| | million nodes a second | ratio |\n|---|---:|---:|\n");
    for line in text.lines() {
        // The name of the engine, then as in "2.350 million a second 1.00".
        let (rest, ratio) = line.rsplit_once(' ').context("the speed has another form than expected")?;
        let (rest, _) = rest.split_once(" million").context("the speed has another form than expected")?;
        let (name, speed) = rest.rsplit_once(' ').context("the speed has another form than expected")?;
        table += &format!("| `{}` | {speed} | {ratio} |\n", name.trim_end());
    }
    blocks::write("speed", &format!("{}\n\n{table}", measured_with(engine)?))
}

/// Fits the win/draw/loss model to games of the engine against itself, and writes it into the source.
fn wdl(engine: &Engine) -> Result<()> {
    let games = folder(engine)?.join("wdl.svd");
    let (count, nodes) = (WDL_GAMES.to_string(), WDL_NODES.to_string());
    let games = games.display().to_string();
    // Openings that neither side has lost yet, as in a book.
    let openings = ["--random-loss", "50", "--most-lead", "150"];
    engine.output(
        &[&["datagen", &games, "--games", &count, "--nodes", &nodes, "--hash", "16"], &openings[..]].concat(),
    )?;
    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "--release", "--package", "bench", "--bin", "wdl", "--", &games]);
    let text = crate::output(&mut command)?;
    let mut lines = text.lines();
    let source = fs::read_to_string(MODEL).with_context(|| format!("cannot read {MODEL}"))?;
    let mut new = source.clone();
    for name in ["even: [", "slope: ["] {
        let line =
            lines.next().filter(|line| line.starts_with(name)).context("the fit has another form than expected")?;
        let old = new.lines().find(|line| line.trim_start().starts_with(name) && line.ends_with("],"));
        let old = old.with_context(|| format!("{MODEL} has no line {name}"))?.to_owned();
        new = new.replacen(&old, &format!("        {line}"), 1);
        println!("   {line}");
    }
    fs::write(MODEL, &new).with_context(|| format!("cannot write {MODEL}"))?;
    let fitted_to = lines.next().unwrap_or_default();
    let table: String = lines.map(|line| format!("{line}\n")).collect();
    let nodes = grouped(WDL_NODES.into());
    let text = format!(
        "Fitted to {fitted_to}, {nodes} nodes a move, after eight or nine random plies that lose no material and leave neither side far ahead:\n\n{table}"
    );
    blocks::write("wdl", &text)
}

/// Each level of weaker play against the one below it.
fn levels(engine: &Engine) -> Result<()> {
    let source = fs::read_to_string(LEVELS).with_context(|| format!("cannot read {LEVELS}"))?;
    let elo = |line: &str| line.trim().strip_prefix("level(")?.split(',').next()?.parse::<u32>().ok();
    let levels: Vec<u32> = source.lines().filter_map(elo).collect();
    ensure!(levels.len() > 1, "{LEVELS} has no table of levels");
    let (folder, pairs) = (folder(engine)?, LEVEL_PAIRS.to_string());
    let mut rows = String::from("| level | against | score | expected |\n|---:|---:|---:|---:|\n");
    for pair in levels.windows(2) {
        let (low, high) = (pair[0], pair[1]);
        let journal = folder.join(format!("level-{high}.journal")).display().to_string();
        let players = [format!("higher=search:elo={high}"), format!("lower=search:elo={low}")];
        let options = ["--pairs", &pairs, "--time", "move=10", "--seed", "1", "--journal", &journal, "--json"];
        let event = engine.json(&[&["match", &players[0], &players[1]], &options[..]].concat())?;
        let players = event["players"].as_array().context("the match names no players")?;
        let higher = players.iter().find(|player| player["name"] == "higher").context("the match lost a player")?;
        let score = higher["points"].as_f64().unwrap_or_default() / f64::from(2 * LEVEL_PAIRS);
        let expected = 1.0 / (1.0 + 10_f64.powf(-f64::from(high - low) / 400.0));
        rows += &format!("| {high} | {low} | {:.0} % | {:.0} % |\n", 100.0 * score, 100.0 * expected);
    }
    let games = 2 * LEVEL_PAIRS;
    let measured = measured_with(engine)?;
    blocks::write("levels", &format!("{games} games of each level against the one below it. {measured}\n\n{rows}"))
}

/// The engine among its weaker selves, the founding minds and the engines that are installed.
fn league(engine: &Engine) -> Result<()> {
    let ours = format!("Saavedra=uci,Hash=16:'{}'", engine.program.display());
    let mut players = OURS.to_vec();
    players.push(&ours);
    players.extend(OTHERS.iter().filter(|(program, _)| is_installed(program)).map(|&(_, player)| player));
    let journal = folder(engine)?.join("league.journal").display().to_string();
    let mut options = vec!["--pairs", "5", "--time", "0.5+0.005", "--seed", "1", "--journal", &journal];
    let book = testkit::data_file("books/UHO_4060_v4.epd.zip").map(|path| path.display().to_string());
    options.extend(book.iter().flat_map(|book| ["--openings", book]));
    let table = engine.output(&[&["tournament"], &players[..], &options].concat())?;
    blocks::write("league", &format!("{}\n\n```\n{}\n```\n", measured_with(engine)?, table.trim_end()))
}

/// Where the games of this network are kept.
fn folder(engine: &Engine) -> Result<PathBuf> {
    let network = engine.network(Path::new(NETWORK))?;
    let checksum = network["checksum"].as_str().context("the network has no checksum")?;
    let folder = PathBuf::from("target/adopt").join(checksum);
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

/// Whether a program is on the path.
fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
