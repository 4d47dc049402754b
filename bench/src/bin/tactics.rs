//! Nodes to solution of UCI engines on test suites. Arguments: EPD files with `bm` or `am`, `nodes=N` (200,000 unless
//! told), `each` for a line of every problem, and the command lines of the engines. An engine that understands no limit
//! of nodes is given seconds for a problem, as in `ethereal@1`. The geometric mean is of the problems that an engine
//! and the first engine both solve.

use anyhow::{Context, Result, bail};
use bench::tactics::{Comparison, Solver};
use records::epd::Epd;

/// Nodes for a problem.
const NODES: u64 = 200_000;

fn main() -> Result<()> {
    programs::end_with_us();
    let (mut nodes, mut is_each_shown) = (NODES, false);
    let (mut problems, mut solvers) = (Vec::new(), Vec::new());
    for argument in std::env::args().skip(1) {
        if let Some(number) = argument.strip_prefix("nodes=") {
            nodes = number.parse().with_context(|| format!("{number} nodes"))?;
        } else if argument == "each" {
            is_each_shown = true;
        } else if argument.ends_with(".epd") {
            problems.extend(read(&argument)?);
        } else {
            solvers.push(Solver::read(&argument)?);
        }
    }
    if problems.is_empty() || solvers.is_empty() {
        bail!("name EPD files and engines, for example wac.epd target/release/saavedra stockfish");
    }
    println!("{} positions, {nodes} nodes each", problems.len());
    println!("{:40} {:>6} {:>6} {:>8} {:>8} {:>6}", "", "solved", "both", "nodes", "first's", "ratio");
    let mut solved: Vec<Vec<Option<u64>>> = Vec::new();
    for solver in &solvers {
        solved.push(solver.solve(&problems, nodes).with_context(|| format!("while asking {}", solver.name))?);
        let (first, own) = (&solved[0], &solved[solved.len() - 1]);
        let Comparison { solved: count, common, means: (own, others) } = Comparison::new(own, first);
        println!("{:40} {count:6} {common:6} {own:8.0} {others:8.0} {:6.2}", solver.name, own / others);
    }
    if is_each_shown {
        println!();
        for (number, problem) in problems.iter().enumerate() {
            let nodes = |of: &Vec<Option<u64>>| of[number].map_or("-".to_owned(), |nodes| nodes.to_string());
            let columns: Vec<String> = solved.iter().map(|of| format!("{:>9}", nodes(of))).collect();
            println!("{:12} {}", problem.text("id").unwrap_or("?"), columns.join(" "));
        }
    }
    Ok(())
}

fn read(file: &str) -> Result<Vec<Epd>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {file}"))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| line.parse().with_context(|| format!("cannot understand {line}"))).collect()
}
