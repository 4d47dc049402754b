//! `saavedra evolve`: the training loop of self-play, training, match and promotion.

mod options;
mod report;
mod reporter;

use std::fs::File;
use std::path::PathBuf;

use anyhow::Context;
use arena::TimeControl;
use arena::event::core_count;
use arena::selfplay::SelfPlaySettings;
use clap::Args;
use evolve::{ClockTest, Contest, Folder, Ledger, OnCpu, OnGpu};
use minds::EvaluationSpec;
use train::parse_positions;

use crate::datagen::{Play, parse_evaluation};
use crate::failure::Failure;
use crate::interrupt;
use crate::numbers::{whole, within};
use options::Options;
use reporter::Terminal;

const HELP: &str = "\
An attempt plays games with the champion, trains a network on them, verifies its inference, plays a match at fixed nodes,
and promotes the network if an SPRT finds it stronger. FOLDER holds the attempts (games, networks, checkpoints,
journals), the ledger and the champion.
Run the same command again to resume an interrupted run.
Exit code 0: all attempts finished, promoted or not; 1: it failed or was interrupted; 2: wrong usage.
Examples: saavedra evolve nets --positions 1e7 --train \"width=256 epochs=8\"
          saavedra evolve nets --attempts 5 --nodes 1000 --train \"from=champion epochs=3 rate=1e-4\"
          saavedra evolve nets --gpu --minutes 60 --nodes 1000 --positions 5e7
          saavedra evolve nets --test --book book.epd --threads 14
          saavedra evolve nets --report > ledger.md
          saavedra evolve nets --report --json | jq .verdict";

/// Run the training loop: self-play, training, match, promotion, and a ledger of all attempts.
#[derive(Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The folder of the run; it is created if it does not exist.
    folder: PathBuf,
    /// Stop when the folder holds this many attempts (default: finish the attempt that was begun, or make one more).
    #[arg(long, value_name = "N", conflicts_with = "gpu", value_parser = whole::<u32>)]
    attempts: Option<u32>,
    /// Positions of self-play for each attempt, such as 5e7; 0 trains on --data, or on a GPU on --samples, alone
    /// (default: 10 million, on a GPU 50 million).
    #[arg(long, value_name = "N", value_parser = parse_positions)]
    positions: Option<u64>,
    /// Also train on the games of this many earlier attempts.
    #[arg(long, value_name = "N", default_value_t = 3, conflicts_with = "gpu", value_parser = whole::<u32>)]
    reuse: u32,
    /// Also train on these files of packed games.
    #[arg(long, value_name = "FILE", conflicts_with = "gpu")]
    data: Vec<PathBuf>,
    #[command(flatten)]
    play: Play,
    /// Training recipe: options of saavedra train as key=value in quotes; on the CPU also device and threads.
    #[arg(long, value_name = "RECIPE", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    train: String,
    /// Games of the match that measures a new network.
    #[arg(long, value_name = "N", default_value_t = 400, conflicts_with = "gpu", value_parser = whole::<u64>)]
    games: u64,
    /// Most games of the SPRT; with 0 the match decides, but not on a GPU.
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = whole::<u64>)]
    sprt_games: u64,
    /// Hypotheses of the SPRT, in Elo.
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,10", value_parser = parse_hypotheses, allow_hyphen_values = true)]
    sprt: (f64, f64),
    /// Nodes per move in matches (default: 5000, on a GPU 10000).
    #[arg(long, value_name = "N", value_parser = within::<u64>(1..))]
    match_nodes: Option<u64>,
    /// Opening book of matches on the CPU: EPD, FEN or PGN (default: eight random plies).
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// The first champion, or "none" for piece-square tables (default: the built-in network).
    #[arg(long, value_name = "FILE", value_parser = parse_evaluation)]
    first: Option<EvaluationSpec>,
    /// Games to play at once (default: one per core).
    #[arg(long, value_name = "N", value_parser = within::<u16>(1..=1024), conflicts_with = "gpu")]
    threads: Option<u16>,
    /// Only test the networks that passed the gate on a GPU: an SPRT with clocks for each. Needs no GPU.
    #[arg(long, conflicts_with_all = ["gpu", "attempts", "abandon"])]
    test: bool,
    /// Time control of these tests: seconds and increment.
    #[arg(long, value_name = "TIME", default_value = "1+0.01")]
    test_time: TimeControl,
    /// Abandon the attempt that was begun, with a line in the ledger. Its games stay for later attempts.
    #[arg(long, conflicts_with = "gpu")]
    abandon: bool,
    /// Print the ledger as a table, draw it as ledger.svg in the folder, and exit.
    #[arg(long)]
    report: bool,
    /// Print one line of JSON per attempt, as in the ledger, and nothing else.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    gpu: Options,
}

/// How many positions an attempt on the CPU plays if nothing is said, and a generation on a GPU.
const CPU_POSITIONS: u64 = 10_000_000;
const GPU_POSITIONS: u64 = 50_000_000;

/// Nodes of a search on a GPU, if nothing is said.
const GPU_NODES: u64 = 1_000;

/// Nodes per move in matches, if nothing is said. With fewer nodes on a GPU, results differ from those with clocks.
const CPU_MATCH_NODES: u64 = 5_000;
const GPU_MATCH_NODES: u64 = 10_000;

fn parse_hypotheses(text: &str) -> Result<(f64, f64), String> {
    let read = |text: &str| text.trim().parse::<f64>().ok();
    let hypotheses = text.split_once(',').and_then(|(elo0, elo1)| read(elo0).zip(read(elo1)));
    hypotheses.ok_or_else(|| "expected two numbers of Elo, like 0,10".to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.report {
        return report::print(&Ledger::open(&arguments.folder)?, &arguments.folder, arguments.json);
    }
    if let Some(book) = &arguments.book {
        // It is needed after hours of play and training, when it is too late to find it missing.
        File::open(book).with_context(|| format!("cannot read {}", book.display()))?;
    }
    let folder = Folder::open(&arguments.folder)?;
    let mut ledger = Ledger::open(folder.path())?;
    let command = std::env::args().collect::<Vec<_>>().join(" ");
    if arguments.abandon {
        return Ok(OnCpu::abandon(&folder, &mut ledger, command)?);
    }
    let (stop, terminal) = (interrupt::flag(), Terminal { is_json: arguments.json });
    if arguments.test {
        let threads = arguments.threads.map_or_else(core_count, usize::from);
        return Ok(arguments.clock_test(threads, command).run(&folder, &mut ledger, &stop, &terminal)?);
    }
    if arguments.gpu.gpu {
        return Ok(arguments.on_gpu(command)?.run(&folder, ledger, &stop, &terminal)?);
    }
    let run = OnCpu {
        folder: &folder,
        first: arguments.first.clone(),
        positions: arguments.positions.unwrap_or(CPU_POSITIONS),
        reuse: arguments.reuse,
        data: &arguments.data,
        play: arguments.play.settings(),
        train: &arguments.train,
        contest: arguments.contest(),
        threads: arguments.threads.map_or_else(core_count, usize::from),
        command,
        stop: &stop,
    };
    let attempts = arguments.attempts.unwrap_or(ledger.concluded() + 1);
    Ok(run.run(&mut ledger, attempts, &terminal)?)
}

impl Arguments {
    fn contest(&self) -> Contest {
        Contest {
            games: self.games,
            sprt_games: self.sprt_games,
            nodes: self.match_nodes.unwrap_or(CPU_MATCH_NODES),
            time: None,
            elo0: self.sprt.0,
            elo1: self.sprt.1,
            seed: self.play.seed,
            book: self.book.as_ref().map(|book| book.display().to_string()),
        }
    }

    /// The test with clocks of networks that passed the gate of a GPU.
    fn clock_test(&self, threads: usize, command: String) -> ClockTest {
        let contest = Contest { games: 0, time: Some(self.test_time), ..self.contest() };
        ClockTest { contest, threads, first: self.first.clone(), command }
    }

    fn on_gpu(&self, command: String) -> Result<OnGpu, Failure> {
        let options = &self.gpu;
        Ok(OnGpu {
            minutes: options.minutes.unwrap_or_default(),
            generations: options.generations,
            positions: self.positions.unwrap_or(GPU_POSITIONS),
            play: SelfPlaySettings { nodes: self.play.nodes.unwrap_or(GPU_NODES), ..self.play.settings() },
            first: self.first.clone(),
            player: options.player.clone(),
            candidates: options.candidates(&self.train)?,
            match_nodes: self.match_nodes.unwrap_or(GPU_MATCH_NODES),
            match_pairs: usize::from(options.match_pairs),
            clocks: options.test_threads.map(|threads| self.clock_test(threads.into(), command.clone())),
            keep_samples: options.keep_samples,
            samples: options.samples.clone(),
            write_games: options.write_games.clone(),
            most_games: options.most_games,
            time_table: options.time_table,
            command,
        })
    }
}
