//! `saavedra review`: rates every move of games, with reasons.

mod input;
mod journal;
mod print;
mod puzzles;
mod results;
mod session;
mod summary;
mod worker_pool;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use review::Effort;
use syzygy::Syzygy;

use crate::failure::Failure;
use crate::numbers::{mebibytes, within};
use crate::seconds::parse_seconds;
use session::Session;
use worker_pool::ReviewerOptions;

/// Review games: rate every move and give reasons.
///
/// A move is criticised only if its loss stands up to a second and a third search with many times the nodes. Reasons
/// can be checked on the board. See docs/review.md.
#[derive(Args)]
#[command(after_help = "Example: saavedra review games.pgn --effort deep --out reviewed.pgn\n\n\
                        An interrupted run keeps what it has done in FILE.partial, beside the first file that it writes; run the \
                        same command again to continue.\n\
                        Exit code 0: all games were reviewed; 1: some were not, and a message says which.")]
pub(crate) struct Arguments {
    /// PGN files, plain or compressed with gzip, Zstandard or ZIP; folders of them; or - for standard input.
    #[arg(value_name = "FILE.pgn", required = true)]
    files: Vec<PathBuf>,
    /// How much to search.
    #[arg(long, value_name = "EFFORT", value_enum, default_value_t = EffortName::Normal)]
    effort: EffortName,
    /// Nodes for the first search of each position, instead of an effort; the same number gives the same review.
    #[arg(long, value_name = "N", conflicts_with = "effort", value_parser = within::<u64>(1..))]
    nodes: Option<u64>,
    /// Time for each game, such as 10s or 2m, instead of an effort.
    #[arg(long, value_name = "TIME", conflicts_with_all = ["effort", "nodes"], value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Threads.
    #[arg(long, value_name = "N", default_value_t = default_threads(), value_parser = within::<u16>(1..=1024))]
    threads: u16,
    /// Report where games leave this Polyglot book.
    #[arg(long, value_name = "FILE.bin")]
    book: Option<PathBuf>,
    /// Ask the Syzygy tablebases in this folder about endgames.
    #[arg(long, value_name = "FOLDER")]
    tablebase: Option<String>,
    /// Write the reviewed games to this file, which may be an input.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Make puzzles of the mistakes: CSV with the columns of lichess's puzzle database, or PGN.
    #[arg(long, value_name = "FILE.csv")]
    puzzles: Option<PathBuf>,
    /// Sum up the games of this player, whose name begins so: accuracy by phase, openings, typical mistakes.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Write that summary to this file instead of printing it: Markdown, a page (.html) or JSON (.json).
    #[arg(long, value_name = "FILE.md", requires = "player")]
    summary: Option<PathBuf>,
    /// Print one JSON object for each game.
    #[arg(long)]
    json: bool,
    /// Review games again that were reviewed before, as --player and --puzzles do.
    #[arg(long)]
    again: bool,
    /// The transposition table of each thread in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 32, value_parser = mebibytes::<u32>(1..=1_048_576))]
    hash: u32,
}

/// How much to search.
#[derive(Clone, Copy, ValueEnum)]
enum EffortName {
    /// A first impression.
    Quick,
    /// The default.
    Normal,
    /// Five times as much.
    Deep,
}

fn default_threads() -> u16 {
    std::thread::available_parallelism().map_or(1, |threads| threads.get().min(1024) as u16)
}

impl Arguments {
    fn effort(&self) -> Effort {
        match (self.nodes, self.time, self.effort) {
            (Some(nodes), _, _) => Effort::Nodes(nodes),
            (None, Some(time), _) => Effort::Time(time),
            (None, None, EffortName::Quick) => Effort::Quick,
            (None, None, EffortName::Normal) => Effort::Normal,
            (None, None, EffortName::Deep) => Effort::Deep,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let files = input::files(&arguments.files)?;
    let tablebase = arguments.tablebase.as_deref().map(Syzygy::open).transpose();
    let options = ReviewerOptions {
        effort: arguments.effort(),
        hash: arguments.hash as usize,
        book: arguments.book.clone(),
        tablebase: tablebase.map_err(|error| Failure::Failed(error.into()))?.map(Arc::new),
        makes_puzzles: arguments.puzzles.is_some(),
    };
    // One is made at once, and every file is opened once, so that a wrong name costs no time.
    options.reviewer(1)?;
    for path in files.iter().filter(|path| !input::is_standard(path)) {
        input::open(path)?;
    }
    Session::new(arguments)?.run(&files, &options)
}
