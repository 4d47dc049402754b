//! The ledger for people: a line for each attempt, a table, and a picture.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use arena::plot::{Chart, Curve, CurvePoint};
use evolve::{AttemptVerdict, Ledger, LedgerEntry, MatchOutcome, Steps};

use crate::failure::Failure;
use crate::numbers::{grouped, hms};
use crate::train::print_json;

/// An attempt, and how strong its network is by the sum of all matches before.
struct Row<'a> {
    entry: &'a LedgerEntry,
    /// Above the first champion.
    total: Option<f64>,
}

/// Adds up the matches of champions. Errors add up, too: only the last step is measured, the rest is a guess.
fn rows(ledger: &Ledger) -> Vec<Row<'_>> {
    let mut champion = Some(0.0);
    let mut rows = Vec::new();
    // The line of a test with clocks says again what the line before it said.
    let is_said_again = |place: usize, entry: &LedgerEntry| {
        entry.verdict == AttemptVerdict::Passed
            && ledger.entries[place + 1..].iter().any(|later| later.attempt == entry.attempt)
    };
    for (place, entry) in ledger.entries.iter().enumerate() {
        if is_said_again(place, entry) {
            continue;
        }
        let total = champion.zip(measured(entry).and_then(|outcome| outcome.elo)).map(|(before, elo)| before + elo);
        if entry.verdict == AttemptVerdict::Promoted {
            champion = total;
        }
        rows.push(Row { entry, total });
    }
    rows
}

/// The games that measure a network: those of the match or, if there were none, of the test, which ends when it is
/// ahead. With clocks the test does, because fixed nodes say little of them.
fn measured(entry: &LedgerEntry) -> Option<&MatchOutcome> {
    let Steps { matched, tested, .. } = &entry.steps;
    if entry.plan.contest.time.is_some() { tested.as_ref() } else { None }.or(matched.as_ref()).or(tested.as_ref())
}

fn elo(outcome: &MatchOutcome) -> String {
    match (outcome.elo, outcome.error) {
        (Some(elo), Some(error)) => format!("{elo:+.1} ± {error:.1}"),
        (Some(elo), None) => format!("{elo:+.1}"),
        (None, _) => "not measurable".to_owned(),
    }
}

/// What a number of the training's report says, in words; nothing if there is none.
fn told(entry: &LedgerEntry, name: &str, words: impl Fn(f64) -> String) -> Option<String> {
    entry.steps.trained.as_ref()?.report[name].as_f64().map(words)
}

/// How many positions a network was trained on.
fn samples(entry: &LedgerEntry) -> Option<u64> {
    entry.steps.trained.as_ref()?.report["samples"].as_u64()
}

/// Prints what became of an attempt, in a line.
pub(super) fn tell(entry: &LedgerEntry, is_json: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if is_json {
        serde_json::to_writer(&mut out, entry)?;
        writeln!(out)?;
        return out.flush();
    }
    let strength = measured(entry).map_or_else(String::new, |outcome| format!(", Elo {}", elo(outcome)));
    let reason = entry.reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
    writeln!(out, "attempt {}{strength}: {}{reason}", entry.attempt, entry.verdict.word())?;
    out.flush()
}

/// Prints the table, or the lines as they are, and draws the picture beside the ledger.
pub(super) fn print(ledger: &Ledger, folder: &Path, is_json: bool) -> Result<(), Failure> {
    let rows = rows(ledger);
    let is_on_gpu = rows.iter().any(|row| row.entry.gpu.is_some());
    let axes = if rows.is_empty() { &[] } else { &Axis::ALL[..if is_on_gpu { 3 } else { 1 }] };
    for axis in axes {
        let path = folder.join(axis.file());
        let svg = chart(&rows, *axis).to_svg();
        records::write_atomically(&path, svg).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if is_json {
        return ledger.entries.iter().try_for_each(print_json);
    }
    let mut out = io::stdout().lock();
    let [more_names, more_lines] = if is_on_gpu {
        [
            " generation | all positions | GPU minutes | scale | groups | nodes/s | Elo at fixed nodes | Elo with clocks |",
            "---|---:|---:|---:|---:|---:|---:|---:|",
        ]
    } else {
        ["", ""]
    };
    writeln!(
        out,
        "| attempt | new positions | nodes | samples | network | training | validation loss | games | Elo | sum | test | verdict | time |{more_names}"
    )?;
    writeln!(out, "|---:|---:|---:|---:|---|---|---:|---:|---:|---:|---|---|---:|{more_lines}")?;
    for Row { entry, total } in &rows {
        let steps = &entry.steps;
        let none = || "–".to_owned();
        let loss = steps.trained.as_ref().and_then(|trained| trained.report["held_out_loss"].as_f64());
        let test = steps.tested.as_ref().map_or_else(none, |test| {
            let llr = test.llr.map_or_else(none, |llr| format!("{llr:.2}"));
            format!("LLR {llr} after {}", grouped(test.games))
        });
        let verdict = match &entry.reason {
            Some(reason) => format!("{}: {}", entry.verdict.word(), reason.replace('|', "\\|").replace('\n', " ")),
            None => entry.verdict.word().to_owned(),
        };
        let more = match &entry.gpu {
            Some(gpu) => format!(
                " {}, {} | {} | {:.1} | {} | {} | {} | {} | {} |",
                gpu.generation,
                gpu.candidate.replace('|', "\\|"),
                grouped(gpu.all_positions),
                gpu.all_minutes,
                told(entry, "scale", |scale| format!("{scale:.4}")).unwrap_or_else(none),
                told(entry, "active_groups", |share| format!("{:.1} %", 100.0 * share)).unwrap_or_else(none),
                told(entry, "nodes_per_second", |speed| grouped(speed as u64)).unwrap_or_else(none),
                steps.matched.as_ref().map_or_else(none, elo),
                steps.tested.as_ref().map_or_else(none, elo)
            ),
            None if is_on_gpu => " – |".repeat(8),
            None => String::new(),
        };
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {test} | {verdict} | {} |{more}",
            entry.attempt,
            steps.generated.as_ref().map_or_else(none, |games| grouped(games.positions)),
            entry.plan.play.nodes,
            samples(entry).map_or_else(none, grouped),
            steps.trained.as_ref().map_or_else(none, |trained| trained.architecture.clone()),
            if entry.plan.train.is_empty() { "defaults" } else { &entry.plan.train },
            loss.map_or_else(none, |loss| format!("{loss:.6}")),
            measured(entry).map_or_else(none, |outcome| grouped(outcome.games)),
            measured(entry).map_or_else(none, elo),
            total.map_or_else(none, |total| format!("{total:+.0}")),
            hms(steps.seconds())
        )?;
    }
    Ok(out.flush()?)
}

/// What Elo is drawn against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Axis {
    /// The positions that an attempt learned from.
    Samples,
    /// All positions that a run on a GPU has played.
    Positions,
    /// The minutes that its GPU was busy.
    Minutes,
}

impl Axis {
    const ALL: [Axis; 3] = [Axis::Samples, Axis::Positions, Axis::Minutes];

    fn file(self) -> &'static str {
        match self {
            Axis::Samples => "ledger.svg",
            Axis::Positions => "ledger-positions.svg",
            Axis::Minutes => "ledger-minutes.svg",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Axis::Samples => "million positions learned from",
            Axis::Positions => "million positions played on the GPU",
            Axis::Minutes => "minutes of the GPU",
        }
    }

    fn of(self, entry: &LedgerEntry) -> Option<f64> {
        match self {
            Axis::Samples => Some(samples(entry)? as f64 / 1e6),
            Axis::Positions => Some(entry.gpu.as_ref()?.all_positions as f64 / 1e6),
            Axis::Minutes => Some(entry.gpu.as_ref()?.all_minutes),
        }
    }
}

/// Elo against what it took: champions joined by a line, the others on their own.
fn chart(rows: &[Row], axis: Axis) -> Chart {
    let point =
        |row: &Row| Some(CurvePoint { x: axis.of(row.entry)?, y: row.total?, error: measured(row.entry)?.error });
    let of = |verdict: AttemptVerdict| rows.iter().filter(move |row| row.entry.verdict == verdict).filter_map(point);
    let gap = CurvePoint { x: f64::NAN, y: f64::NAN, error: None };
    let champions = Curve { name: "promoted".to_owned(), points: of(AttemptVerdict::Promoted).collect() };
    let others = Curve {
        name: "rejected".to_owned(),
        points: of(AttemptVerdict::Rejected).flat_map(|point| [point, gap]).collect(),
    };
    Chart {
        title: "Networks".to_owned(),
        x_label: axis.label().to_owned(),
        y_label: "Elo above the first champion".to_owned(),
        curves: vec![champions, others],
    }
}
