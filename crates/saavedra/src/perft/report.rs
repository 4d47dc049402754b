//! What a perft prints, for a person's eye or a program's.

use std::io::{self, Write};
use std::time::Duration;

use rules::{Counters, PerftError, Position};
use serde::Serialize;

use crate::color::{STRONG, paint};
use crate::numbers::grouped;

/// What was counted below each move.
pub(super) enum Answer {
    Leaves(Vec<(String, u64)>),
    ByKind(Vec<(String, Counters)>),
}

/// The answer to one perft.
#[derive(Serialize)]
pub(super) struct Report {
    fen: String,
    depth: u32,
    #[serde(flatten)]
    totals: Totals,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveReport>>,
    seconds: f64,
    nodes_per_second: f64,
}

/// The part of the tree below one move.
#[derive(Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    totals: Totals,
}

/// The leaves, and what the moves to them are if that was asked for.
#[derive(Clone, Copy, Serialize)]
struct Totals {
    nodes: u64,
    #[serde(flatten)]
    kinds: Option<Kinds>,
}

/// The [`Counters`] without the leaves, in a form that can be written as JSON.
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

impl Totals {
    fn leaves(nodes: u64) -> Totals {
        Totals { nodes, kinds: None }
    }

    fn by_kind(counters: Counters) -> Totals {
        let kinds = Kinds {
            captures: counters.captures,
            en_passant: counters.en_passant,
            castles: counters.castles,
            promotions: counters.promotions,
            checks: counters.checks,
            discovered_checks: counters.discovered_checks,
            double_checks: counters.double_checks,
            checkmates: counters.checkmates,
            stalemates: counters.stalemates,
        };
        Totals { nodes: counters.nodes, kinds: Some(kinds) }
    }

    /// All but the leaves, as a person reads them.
    fn kinds(&self) -> Vec<(&'static str, u64)> {
        let Some(kinds) = &self.kinds else { return Vec::new() };
        vec![
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
}

impl Report {
    pub(super) fn new(position: &Position, depth: u32, answer: Answer, elapsed: Duration) -> anyhow::Result<Report> {
        // At depth zero there is no move, and the position itself is the leaf.
        let itself = u64::from(depth == 0);
        let (totals, moves) = match answer {
            Answer::Leaves(moves) => {
                let sum = moves.iter().try_fold(itself, |sum, (_, leaves)| sum.checked_add(*leaves));
                let sum = sum.ok_or(PerftError::TooManyLeaves)?;
                (Totals::leaves(sum), lines(moves, Totals::leaves))
            }
            Answer::ByKind(moves) => {
                let mut sum = Counters { nodes: itself, ..Counters::default() };
                for (_, counters) in &moves {
                    sum += *counters;
                }
                if sum.nodes == u64::MAX {
                    return Err(PerftError::TooManyLeaves.into());
                }
                (Totals::by_kind(sum), lines(moves, Totals::by_kind))
            }
        };
        let seconds = elapsed.as_secs_f64();
        let nodes_per_second = totals.nodes as f64 / seconds.max(1e-9);
        Ok(Report { fen: position.to_string(), depth, totals, moves: Some(moves), seconds, nodes_per_second })
    }

    /// Forgets the single moves if only the sum was asked for.
    pub(super) fn without_moves_unless(self, divide: bool) -> Report {
        Report { moves: self.moves.filter(|_| divide), ..self }
    }

    pub(super) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        for MoveReport { mv, totals } in self.moves.iter().flatten() {
            write!(out, "{}: {}", paint(STRONG, mv), totals.nodes)?;
            for (name, count) in totals.kinds().into_iter().filter(|(_, count)| *count > 0) {
                write!(out, ", {name} {count}")?;
            }
            writeln!(out)?;
        }
        if self.moves.is_some() {
            writeln!(out)?;
        }
        let nodes = format!("{:>17}", grouped(self.totals.nodes));
        writeln!(out, "{:<17} {}", "nodes", paint(STRONG, nodes))?;
        for (name, count) in self.totals.kinds() {
            writeln!(out, "{name:<17} {:>17}", grouped(count))?;
        }
        writeln!(out, "{:<17} {:>17.3}", "seconds", self.seconds)?;
        writeln!(out, "{:<17} {:>17.1}", "million nodes/s", self.nodes_per_second / 1e6)
    }
}

fn lines<T>(moves: Vec<(String, T)>, totals: fn(T) -> Totals) -> Vec<MoveReport> {
    moves.into_iter().map(|(mv, counted)| MoveReport { mv, totals: totals(counted) }).collect()
}
