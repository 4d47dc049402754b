//! `saavedra tree`: how minimax, alpha-beta and the full search find a move, node by node.

use std::io::{self, Write};
use std::sync::Arc;

use clap::Args;
use review::{Bounds, Method, Outlook, Trace, TraceNode, VisitKind, trace};
use rules::{Color, Game, Position};
use search::{Control, Score};

use crate::color::{FAINT, STRONG, of_sign, out, paint};
use crate::failure::Failure;
use crate::interrupt;
use crate::numbers::{grouped, within};
use crate::{fen, progress};

/// Show how searches find a move: side by side in numbers, or one of them as a tree.
///
/// The searches are the real ones, watched. Without --method all of them are compared; with it, the tree is drawn from
/// the root downwards, with the reason why each node was over.
#[derive(Args)]
#[command(
    after_help = "Example: saavedra tree \"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1\" \
                        --depth 2 --method alphabeta"
)]
pub(crate) struct Arguments {
    /// The position as FEN, or startpos, which is the default.
    #[arg(value_name = "FEN", value_parser = fen::parse)]
    position: Option<Position>,
    /// How many plies to look ahead.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = within::<u16>(1..=30))]
    depth: u16,
    /// Who searches: minimax, alphabeta-unordered, alphabeta or full.
    #[arg(long, value_name = "METHOD")]
    method: Option<Method>,
    /// The most nodes of the tree that are shown.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = within::<u32>(1..=100_000))]
    show: u32,
    /// End a search after so many nodes.
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = within::<u64>(1..=20_000_000))]
    nodes: u64,
    /// Print JSON, one object for each search.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let game = Game::new(arguments.position.unwrap_or_else(Position::initial));
    let bounds = Bounds {
        depth: usize::from(arguments.depth),
        most_searched: arguments.nodes,
        most_shown: arguments.show as usize,
    };
    let stop = interrupt::flag();
    let methods = arguments.method.map_or(Method::ALL.to_vec(), |method| vec![method]);
    let bar = progress::Bar::new("{spinner} {wide_msg}");
    let traces: Vec<Trace> = methods
        .into_iter()
        .map(|method| {
            bar.say(method.to_string());
            trace(&game, method, &bounds, &Control::sharing(Arc::clone(&stop)))
        })
        .collect();
    drop(bar);
    let mut out = out();
    if arguments.json {
        for trace in &traces {
            serde_json::to_writer(&mut out, trace)?;
            writeln!(out)?;
        }
    } else if let (Some(_), [trace]) = (arguments.method, &traces[..]) {
        draw(&mut out, trace)?;
    } else {
        compare(&mut out, &traces)?;
    }
    Ok(out.flush()?)
}

/// The searches in numbers, one a line.
fn compare(out: &mut impl Write, traces: &[Trace]) -> io::Result<()> {
    let header = format!(
        "{:<20}{:>12}{:>12}{:>10}{:>13}  {:>7}  best line",
        "", "nodes", "evaluated", "cut off", "never tried", "score"
    );
    writeln!(out, "{}", paint(STRONG, header))?;
    for trace in traces {
        let totals = &trace.totals;
        let quiet = ["all_moves", "horizon", "mate", "stalemate", "draw", "stopped"];
        let cut: u64 = totals.endings.iter().filter(|(name, _)| !quiet.contains(name)).map(|(_, count)| count).sum();
        let score = trace.score.map_or("-".to_owned(), |score| score.to_string());
        let sign = match trace.score {
            Some(Outlook::Centipawns(number) | Outlook::Mate(number)) => number,
            Some(Outlook::Over(_)) | None => 0,
        };
        let score = paint(of_sign(&sign), format_args!("{score:>7}"));
        let unfinished = if trace.is_complete { "" } else { " (ended early)" };
        writeln!(
            out,
            "{:<20}{:>12}{:>12}{:>10}{:>13}  {score}  {}{unfinished}",
            trace.method.to_string(),
            grouped(totals.nodes),
            grouped(totals.evaluations),
            grouped(cut),
            grouped(totals.never_tried),
            trace.best
        )?;
    }
    Ok(())
}

/// The tree, the children of a node below it and further in.
fn draw(out: &mut impl Write, trace: &Trace) -> io::Result<()> {
    let mut children = vec![Vec::new(); trace.nodes.len()];
    for (index, node) in trace.nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent].push(index);
        }
    }
    // What is still to be drawn, the next last.
    let mut waiting = if trace.nodes.is_empty() { Vec::new() } else { vec![(0, 0)] };
    while let Some((index, level)) = waiting.pop() {
        let node = &trace.nodes[index];
        writeln!(out, "{:indent$}{}", "", words(node), indent = 2 * level)?;
        if node.hidden > 0 {
            writeln!(out, "{:indent$}({} more below)", "", grouped(node.hidden), indent = 2 * level + 2)?;
        }
        waiting.extend(children[index].iter().rev().map(|&child| (child, level + 1)));
    }
    let totals = &trace.totals;
    writeln!(
        out,
        "\n{} nodes, {} evaluated, {} shown",
        grouped(totals.nodes),
        grouped(totals.evaluations),
        trace.shown
    )?;
    for (title, counts) in [("nodes over by", &totals.endings), ("moves skipped by", &totals.skips)] {
        let list: Vec<String> = counts.iter().map(|(name, &count)| format!("{name} {}", grouped(count))).collect();
        if !list.is_empty() {
            writeln!(out, "{title}: {}", list.join(", "))?;
        }
    }
    writeln!(out, "legal moves never tried: {}", grouped(totals.never_tried))
}

/// A score for the player to move, as in the comparison. The moves to a mate are counted from the root for both
/// players, so that a node and the one above it tell the same number with opposite signs.
fn worth(score: Score) -> String {
    if !score.is_mate() {
        return Outlook::of(score, Color::White).to_string();
    }
    let moves = (Score::MATE.value() - score.value().abs() + 1) / 2;
    Outlook::Mate(score.value().signum() * moves).to_string()
}

fn words(node: &TraceNode) -> String {
    let name = match (&node.san, node.kind) {
        (Some(san), _) if node.is_again => format!("{san} again"),
        (Some(san), _) => san.clone(),
        (None, VisitKind::Pass) => "pass".to_owned(),
        (None, VisitKind::Verification) => "another look".to_owned(),
        (None, _) => "root".to_owned(),
    };
    // No score lies beyond a mate that is on the board: such an end is as good as none.
    let end = |bound: Option<Score>| {
        let bound = bound.filter(|bound| bound.value().abs() < Score::MATE.value());
        bound.map_or("open".to_owned(), worth)
    };
    let depth = node.depth.map_or("captures".to_owned(), |depth| format!("depth {depth}"));
    let value = paint(of_sign(&node.score.value()), worth(node.score));
    let bounds = paint(FAINT, format_args!("{depth} [{}, {}]", end(node.alpha), end(node.beta)));
    let mut text = format!("{}  {bounds} {value} {}", paint(STRONG, name), node.ending);
    if !node.skipped.is_empty() {
        let skipped: Vec<String> = node.skipped.iter().map(|mv| format!("{} {}", mv.san, mv.why)).collect();
        text += &format!(", skipped {}", skipped.join(", "));
    }
    if node.never_tried > 0 {
        text += &format!(", {} never tried", node.never_tried);
    }
    text
}
