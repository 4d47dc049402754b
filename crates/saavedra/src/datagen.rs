//! `saavedra datagen`: self-play games to train on.

use std::io::{self, Write};
use std::path::PathBuf;

use arena::event::{Venue, core_count};
use arena::selfplay::{Goal, SelfPlay, SelfPlayProgress, SelfPlaySettings, fingerprint};
use clap::Args;
use minds::EvaluationSpec;
use search::AnyEvaluator;
use serde::Serialize;

use crate::failure::Failure;
use crate::hub::Via;
use crate::interrupt;
use crate::numbers::{counted, grouped, hms, mebibytes, whole, within};
use crate::progress::Bar;

const HELP: &str = "\
Run the same command again to resume an interrupted run. FILE.json records the settings; a file is never continued with
other settings. The file is the same, byte for byte, for any number of threads.
Exit code 0: the file holds enough games; 1: it failed or was interrupted; 2: wrong usage.
Examples: saavedra datagen first.svd --positions 1e7
          saavedra datagen second.svd --positions 1e7 --nodes 1000 --net first.nnue --seed 2";

/// Generate training data: self-play games with the score of every move.
#[derive(Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The file of packed games to write, or to continue.
    file: PathBuf,
    /// Play until the file holds this many positions, such as 1e7.
    #[arg(long, value_name = "N", required_unless_present = "games", conflicts_with = "games", value_parser = train::parse_positions)]
    positions: Option<u64>,
    /// Play until the file holds this many games.
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    games: Option<u64>,
    /// Games to play at once (default: one per core).
    #[arg(long, value_name = "N", value_parser = within::<u16>(1..=1024))]
    threads: Option<u16>,
    /// The network, or "none" for piece-square tables (default: the built-in network).
    #[arg(long, value_name = "FILE", value_parser = parse_evaluation)]
    net: Option<EvaluationSpec>,
    #[command(flatten)]
    play: Play,
    #[command(flatten)]
    via: Via,
    /// Print one JSON object at the end.
    #[arg(long)]
    json: bool,
}

/// Positions after which a search begins no new depth, if nothing else is said.
const NODES: u64 = 500;

/// How games are played.
#[derive(Args, Clone)]
pub(crate) struct Play {
    /// Seed of the random moves: the same seed gives the same games.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>)]
    pub(crate) seed: u64,
    /// Soft node limit: a search starts no new depth after this many nodes (default: 500, on a GPU 1000).
    #[arg(long, value_name = "N", value_parser = within::<u64>(1..=1_000_000_000))]
    pub(crate) nodes: Option<u64>,
    /// Hard node limit: a search stops at once after this many nodes (default: 8 times --nodes).
    #[arg(long, value_name = "N", value_parser = within::<u64>(1..))]
    hard_nodes: Option<u64>,
    /// Transposition table of each thread in MiB; it is cleared before every game.
    #[arg(long, value_name = "MIB", default_value_t = 2, value_parser = mebibytes::<u16>(1..=1024))]
    hash: u16,
    /// Random plies at the start of a game; half of the games get one more.
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = within::<u8>(0..=60))]
    random_plies: u8,
    /// Random moves that lose this much or more by static exchange evaluation are not played; a queen is 1000.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 1000, value_parser = within::<i32>(1..))]
    random_loss: i32,
    /// Start over if either side is further ahead than this after the random plies.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 1000, value_parser = within::<i32>(100..))]
    most_lead: i32,
    /// Adjudicate a win at this score, ...
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 1500, value_parser = within::<i32>(1..))]
    win_score: i32,
    /// ... held for this many plies in a row.
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = within::<u16>(1..))]
    win_plies: u16,
    /// Adjudicate a draw at this score or less, ...
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 8, value_parser = within::<i32>(0..))]
    draw_score: i32,
    /// ... held for this many plies in a row, ...
    #[arg(long, value_name = "PLIES", default_value_t = 10, value_parser = within::<u16>(1..))]
    draw_plies: u16,
    /// ... but not before this ply.
    #[arg(long, value_name = "PLY", default_value_t = 70, value_parser = whole::<u16>)]
    draw_from: u16,
}

impl Play {
    /// The settings, with their own seed.
    pub(crate) fn settings(&self) -> SelfPlaySettings {
        let nodes = self.nodes.unwrap_or(NODES);
        SelfPlaySettings {
            seed: self.seed,
            nodes,
            hard_nodes: self.hard_nodes.unwrap_or(8 * nodes),
            hash: usize::from(self.hash),
            random_plies: usize::from(self.random_plies),
            random_loss: self.random_loss,
            most_lead: self.most_lead,
            win_score: self.win_score,
            win_plies: usize::from(self.win_plies),
            draw_score: self.draw_score,
            draw_plies: usize::from(self.draw_plies),
            draw_from: usize::from(self.draw_from),
        }
    }
}

/// A network's file, or none.
#[allow(clippy::unnecessary_wraps, reason = "clap expects a parser that may fail")]
pub(crate) fn parse_evaluation(text: &str) -> Result<EvaluationSpec, String> {
    Ok(EvaluationSpec::from(text))
}

/// What was made.
#[derive(Serialize)]
struct Report<'a> {
    file: String,
    games: u64,
    positions: u64,
    new_games: u64,
    new_positions: u64,
    seconds: f64,
    positions_per_second: f64,
    /// How many games were played at once, if they were played here.
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<usize>,
    network: String,
    settings: &'a SelfPlaySettings,
    is_complete: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let stop = interrupt::flag();
    let evaluator = match &arguments.net {
        Some(net) => net.evaluator().map_err(anyhow::Error::from)?,
        None => AnyEvaluator::default(),
    };
    let goal = match (arguments.games, arguments.positions) {
        (Some(games), _) => Goal::Games(games),
        (None, positions) => Goal::Positions(positions.unwrap_or(0)),
    };
    let settings = arguments.play.settings();
    let threads = arguments.threads.map_or_else(core_count, usize::from);
    let job = SelfPlay { path: &arguments.file, settings: &settings, evaluator: &evaluator, goal, threads };
    let progress = match arguments.via.make(&job, arguments.net.as_ref(), &stop, &mut show(goal)) {
        Some(progress) => progress?,
        None => job.run(&stop, &mut show(goal)).map_err(anyhow::Error::from)?,
    };
    let report = Report {
        file: arguments.file.display().to_string(),
        games: progress.done.games,
        positions: progress.done.positions,
        new_games: progress.done.games - progress.before.games,
        new_positions: progress.done.positions - progress.before.positions,
        seconds: progress.time.as_secs_f64(),
        positions_per_second: progress.speed(),
        threads: (arguments.via.venue() == Venue::Here).then_some(threads),
        network: fingerprint(&evaluator),
        settings: &settings,
        is_complete: progress.is_complete,
    };
    report.print(arguments.json)?;
    if progress.is_complete {
        Ok(())
    } else {
        Err(Failure::Failed(anyhow::anyhow!("interrupted after whole games; run the same command to resume")))
    }
}

/// Shows how far the games have come.
pub(crate) fn show(goal: Goal) -> impl FnMut(&SelfPlayProgress) {
    let bar = Bar::new("{bar:30} {percent:>3} % {wide_msg}");
    move |progress| {
        let (done, total) = match goal {
            Goal::Games(games) => (progress.done.games, games),
            Goal::Positions(positions) => (progress.done.positions, positions),
        };
        bar.set(done as usize, total as usize);
        let left = progress.left(goal).map_or_else(String::new, |left| format!(", {} left", hms(left.as_secs_f64())));
        bar.say(format!(
            "{}, {}, {} a second{left}",
            counted(progress.done.games, "game"),
            counted(progress.done.positions, "position"),
            grouped(progress.speed() as u64)
        ));
    }
}

impl Report<'_> {
    fn print(&self, is_json: bool) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        if is_json {
            serde_json::to_writer(&mut out, self)?;
            writeln!(out)?;
        } else {
            let Report { file, games, positions, new_positions, .. } = self;
            writeln!(out, "{file}: {}, {}", counted(*games, "game"), counted(*positions, "position"))?;
            writeln!(
                out,
                "{} new positions in {}: {} a second{}",
                grouped(*new_positions),
                hms(self.seconds),
                grouped(self.positions_per_second as u64),
                self.threads.map_or(String::new(), |threads| format!(" with {}", counted(threads as u64, "thread"))),
            )?;
        }
        Ok(out.flush()?)
    }
}
