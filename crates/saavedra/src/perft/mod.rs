//! `saavedra perft`: the tree of legal moves, counted, on the bitboard or on one of the classic boards.

mod boards;
mod report;

use std::io::Write;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use classic::BoardKind;
use rules::{Perft, PerftProgress, Position};

use crate::color;
use crate::failure::Failure;
use crate::fen;
use crate::numbers::{mebibytes, within};
use crate::progress::Bar;
use report::{Answer, Report};

/// Count the leaves of the tree of legal moves.
#[derive(Args)]
#[command(after_help = "Examples:
  saavedra perft 5 --divide --fen \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"
  saavedra perft 7 --threads 2 --hash 1024 --counters
  saavedra perft 5 --board mailbox --counters --threads 2
  saavedra perft 5 --compare")]
pub(crate) struct Arguments {
    /// How many moves deep.
    #[arg(value_parser = within::<u32>(0..=100))]
    depth: u32,
    /// The position, as FEN (Chess960 too); the start position if not given.
    #[arg(long, value_name = "FEN", value_parser = fen::parse)]
    fen: Option<Position>,
    /// Show the count below each move.
    #[arg(long)]
    divide: bool,
    /// Count captures, checks, mates and so on among the last moves.
    #[arg(long)]
    counters: bool,
    /// How many threads to use.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within::<u16>(1..=1024))]
    threads: u16,
    /// Remember counts in a table of this many mebibytes (the bitboard only).
    #[arg(long, value_name = "MIB", default_value_t = 0, value_parser = mebibytes::<u32>(0..))]
    hash: u32,
    /// Count on another board: mailbox, packed, movemap, movemap-rights, movemap-lines or movemap-both.
    #[arg(long, value_name = "NAME", default_value_t = BoardKind::Bitboard)]
    board: BoardKind,
    /// Count on all boards, and compare their counts and speeds.
    #[arg(long, conflicts_with_all = ["board", "divide", "counters", "threads", "hash"])]
    compare: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let position = arguments.fen.unwrap_or_default();
    let mut out = color::out();
    let bar = Bar::new("{wide_bar} {percent:>3} %, {eta} left");
    if arguments.compare {
        return boards::compare(&position, arguments, &bar, &mut out);
    }
    let started = Instant::now();
    let answer = match arguments.board {
        BoardKind::Bitboard => count_on_bitboard(arguments, &position, &bar)?,
        kind if arguments.hash > 0 => {
            return Err(Failure::Usage(format!("--hash needs the bitboard: the {kind} board has no table of counts")));
        }
        kind => boards::count(kind, &position, arguments, &bar)?,
    };
    let elapsed = started.elapsed();
    drop(bar);

    let report = Report::new(&position, arguments.depth, answer, elapsed)?.without_moves_unless(arguments.divide);
    if arguments.json {
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        report.print(&mut out)?;
    }
    Ok(out.flush()?)
}

fn count_on_bitboard(arguments: &Arguments, position: &Position, bar: &Bar) -> anyhow::Result<Answer> {
    let show = |progress: PerftProgress| bar.set(progress.done, progress.total);
    let perft =
        Perft::new().threads(arguments.threads.into()).hash_bytes((arguments.hash as usize) << 20).watched_by(&show);
    Ok(if arguments.counters {
        let moves = perft.divide_counters(position, arguments.depth).context("no count")?;
        Answer::ByKind(moves.into_iter().map(|(mv, counters)| (position.uci(mv), counters)).collect())
    } else {
        let moves = perft.divide(position, arguments.depth).context("no count")?;
        Answer::Leaves(moves.into_iter().map(|(mv, leaves)| (position.uci(mv), leaves)).collect())
    })
}
