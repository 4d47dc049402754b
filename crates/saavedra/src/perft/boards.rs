//! Perft on the classic boards, alone or side by side.

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::anyhow;
use classic::{BoardKind, Detail, Division};
use rules::{PerftProgress, Position};
use serde::Serialize;

use super::Arguments;
use super::report::Answer;
use crate::failure::Failure;
use crate::numbers::grouped;
use crate::progress::Bar;

/// Counts on a board of one kind.
pub(super) fn count(kind: BoardKind, position: &Position, arguments: &Arguments, bar: &Bar) -> Result<Answer, Failure> {
    let shown = AtomicUsize::new(0);
    // The bar is drawn when a part is finished; the division asks more often.
    let show = |progress: PerftProgress| {
        if shown.swap(progress.done, Ordering::Relaxed) != progress.done {
            bar.set(progress.done, progress.total);
        }
        ControlFlow::Continue(())
    };
    let detail = if arguments.counters { Detail::Kinds } else { Detail::Leaves };
    let division = Division::new(kind, detail).threads(arguments.threads.into()).watched_by(&show);
    let moves = division.run_fen(&position.to_string(), arguments.depth);
    let moves = moves.map_err(|error| Failure::Usage(error.to_string()))?.unwrap_or_default();
    let moves = moves.into_iter().map(|(mv, counters)| (mv.to_string(), counters));
    Ok(match detail {
        Detail::Leaves => Answer::Leaves(moves.map(|(mv, counters)| (mv, counters.nodes)).collect()),
        Detail::Kinds => Answer::ByKind(moves.collect()),
    })
}

/// One board's part in a comparison.
#[derive(Serialize)]
struct Row {
    board: &'static str,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    times_slower_than_bitboard: f64,
}

/// The best of this many runs counts.
const ROUNDS: usize = 3;

/// Counts on all boards in turn and prints their counts and speeds; boards that disagree are a failure.
pub(super) fn compare(
    position: &Position,
    arguments: &Arguments,
    bar: &Bar,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let depth = arguments.depth;
    let fen = position.to_string();
    let mut nodes = [0; BoardKind::ALL.len()];
    let mut seconds = [f64::INFINITY; BoardKind::ALL.len()];
    for round in 0..ROUNDS {
        for (index, kind) in BoardKind::ALL.into_iter().enumerate() {
            let started = Instant::now();
            nodes[index] = kind.perft(&fen, depth).map_err(|error| Failure::Usage(error.to_string()))?;
            seconds[index] = seconds[index].min(started.elapsed().as_secs_f64().max(1e-9));
            bar.set(round * BoardKind::ALL.len() + index + 1, ROUNDS * BoardKind::ALL.len());
        }
    }
    let rows: Vec<Row> = BoardKind::ALL
        .into_iter()
        .enumerate()
        .map(|(index, kind)| Row {
            board: kind.name(),
            nodes: nodes[index],
            seconds: seconds[index],
            nodes_per_second: nodes[index] as f64 / seconds[index],
            times_slower_than_bitboard: seconds[index] / seconds[0],
        })
        .collect();
    if arguments.json {
        serde_json::to_writer(&mut *out, &serde_json::json!({ "fen": fen, "depth": depth, "boards": rows }))?;
        writeln!(out)?;
    } else {
        let title = ["board", "nodes", "seconds", "million/s", "times slower"];
        writeln!(out, "{:<15} {:>17} {:>10} {:>10} {:>13}", title[0], title[1], title[2], title[3], title[4])?;
        for row in &rows {
            let Row { board, seconds, times_slower_than_bitboard: slower, .. } = row;
            let (nodes, speed) = (grouped(row.nodes), row.nodes_per_second / 1e6);
            writeln!(out, "{board:<15} {nodes:>17} {seconds:>10.4} {speed:>10.1} {slower:>13.1}")?;
        }
    }
    out.flush()?;
    match rows.iter().find(|row| row.nodes != rows[0].nodes) {
        None => Ok(()),
        Some(row) => Err(anyhow!("the {} board disagrees with the bitboard", row.board).into()),
    }
}
