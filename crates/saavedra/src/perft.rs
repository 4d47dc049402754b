//! `saavedra perft`: the tree of legal moves, counted.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rules::{Counters, Move, Perft, Position, Progress};
use serde::Serialize;

use crate::failure::Failure;

/// Count the leaves of the tree of legal moves.
#[derive(Args)]
#[command(after_help = "Example: saavedra perft 5 --divide --fen \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"")]
pub(crate) struct Arguments {
    /// How many moves deep.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    /// The position, as FEN (Chess960 too); the start position if not given.
    #[arg(long, value_name = "FEN", value_parser = parse_fen)]
    fen: Option<Position>,
    /// Show the count below each move.
    #[arg(long)]
    divide: bool,
    /// Count captures, checks, mates and so on among the last moves.
    #[arg(long)]
    counters: bool,
    /// How many threads to use.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Remember counts in a table of this many mebibytes; no use with --counters.
    #[arg(long, value_name = "MB", default_value_t = 0, conflicts_with = "counters")]
    hash: u32,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

fn parse_fen(text: &str) -> Result<Position, rules::FenError> {
    text.trim().parse()
}

/// What is printed, by a person's eye or a program's.
#[derive(Serialize)]
struct Report {
    fen: String,
    depth: u32,
    #[serde(flatten)]
    totals: Totals,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveReport>>,
    seconds: f64,
    nodes_per_second: f64,
}

#[derive(Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    totals: Totals,
}

#[derive(Clone, Copy, Serialize)]
struct Totals {
    nodes: u64,
    #[serde(flatten)]
    kinds: Option<Kinds>,
}

#[derive(Clone, Copy, Serialize)]
struct Kinds {
    captures: u64,
    en_passant: u64,
    castles: u64,
    promotions: u64,
    checks: u64,
    discovered_checks: u64,
    double_checks: u64,
    checkmates: u64,
    stalemates: u64,
}

impl From<u64> for Totals {
    fn from(nodes: u64) -> Totals {
        Totals { nodes, kinds: None }
    }
}

impl From<Counters> for Totals {
    fn from(counters: Counters) -> Totals {
        let Counters {
            nodes,
            captures,
            en_passant,
            castles,
            promotions,
            checks,
            discovered_checks,
            double_checks,
            checkmates,
            stalemates,
        } = counters;
        let kinds = Kinds {
            captures,
            en_passant,
            castles,
            promotions,
            checks,
            discovered_checks,
            double_checks,
            checkmates,
            stalemates,
        };
        Totals { nodes, kinds: Some(kinds) }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let position = arguments.fen.unwrap_or_default();
    let bar = progress_bar();
    let show = |progress: Progress| {
        bar.set_length(progress.total as u64);
        bar.inc(1);
    };
    let perft =
        Perft::new().threads(arguments.threads.into()).hash_bytes((arguments.hash as usize) << 20).watched_by(&show);

    let started = Instant::now();
    let (totals, moves) = measure(arguments, &perft, &position)?;
    let elapsed = started.elapsed();
    bar.finish_and_clear();

    let report = Report {
        fen: position.to_string(),
        depth: arguments.depth,
        totals,
        moves: arguments
            .divide
            .then(|| moves.into_iter().map(|(mv, totals)| MoveReport { mv: position.uci(mv), totals }).collect()),
        seconds: elapsed.as_secs_f64(),
        nodes_per_second: totals.nodes as f64 / elapsed.as_secs_f64().max(1e-9),
    };
    let mut out = io::stdout().lock();
    if arguments.json {
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        print(&mut out, &report)?;
    }
    Ok(out.flush()?)
}

/// The totals of the tree, and of the part below each move.
fn measure(arguments: &Arguments, perft: &Perft, position: &Position) -> anyhow::Result<(Totals, Vec<(Move, Totals)>)> {
    let depth = arguments.depth;
    if arguments.counters {
        let moves = perft.divide_counters(position, depth);
        let mut sum = Counters { nodes: u64::from(depth == 0), ..Counters::default() };
        for (_, counters) in &moves {
            sum += *counters;
        }
        Ok((sum.into(), moves.into_iter().map(|(mv, counters)| (mv, counters.into())).collect()))
    } else {
        let moves = perft.divide(position, depth).context("try a smaller --hash")?;
        let sum = moves.iter().map(|(_, count)| count).sum::<u64>() + u64::from(depth == 0);
        Ok((sum.into(), moves.into_iter().map(|(mv, count)| (mv, count.into())).collect()))
    }
}

/// A bar on a terminal, and nothing in a pipe.
fn progress_bar() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {percent:>3} %, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    // Short runs end before the bar is drawn for the first time.
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5)).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

fn print(out: &mut impl Write, report: &Report) -> io::Result<()> {
    for MoveReport { mv, totals } in report.moves.iter().flatten() {
        write!(out, "{mv}: {}", totals.nodes)?;
        if let Some(kinds) = totals.kinds {
            for (name, count) in names(kinds).into_iter().filter(|(_, count)| *count > 0) {
                write!(out, ", {name} {count}")?;
            }
        }
        writeln!(out)?;
    }
    if report.moves.is_some() {
        writeln!(out)?;
    }
    writeln!(out, "{:<17} {:>17}", "nodes", grouped(report.totals.nodes))?;
    for (name, count) in report.totals.kinds.map(names).into_iter().flatten() {
        writeln!(out, "{name:<17} {:>17}", grouped(count))?;
    }
    writeln!(out, "{:<17} {:>17.3}", "seconds", report.seconds)?;
    writeln!(out, "{:<17} {:>17.1}", "million nodes/s", report.nodes_per_second / 1e6)
}

fn names(kinds: Kinds) -> [(&'static str, u64); 9] {
    [
        ("captures", kinds.captures),
        ("en passant", kinds.en_passant),
        ("castles", kinds.castles),
        ("promotions", kinds.promotions),
        ("checks", kinds.checks),
        ("discovered checks", kinds.discovered_checks),
        ("double checks", kinds.double_checks),
        ("checkmates", kinds.checkmates),
        ("stalemates", kinds.stalemates),
    ]
}

/// A number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
