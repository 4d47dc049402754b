//! Solves a test suite: EPD lines with `bm` (the best moves) or `am` (moves to avoid). Arguments: the file, and what
//! there is for each position: seconds (1 unless told), or nodes, as in `nodes=100000`, which gives the same result on
//! every machine.

use std::time::Duration;

use anyhow::{Context, Result};
use bench::tactics::is_solved;
use records::epd::Epd;
use rules::Game;
use search::{AnyEvaluator, Control, Limits, Options, Request, Searcher};

fn main() -> Result<()> {
    let file = std::env::args().nth(1).context("name a file with EPD lines")?;
    let limits = limits(std::env::args().nth(2).as_deref().unwrap_or("1"))?;
    let mut searcher = Searcher::new(AnyEvaluator::default());
    let options = Options { move_overhead: Duration::ZERO, ..Options::default() };
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {file}"))?;
    let (mut solved, mut total) = (0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let problem: Epd = line.parse().with_context(|| format!("cannot understand {line}"))?;
        searcher.clear();
        let game = Game::new(*problem.position());
        let request = Request::new(&game, limits.clone()).with_options(options.clone());
        let answer = searcher.search(&request, &Control::new(), &mut ());
        total += 1;
        if answer.best.is_some_and(|mv| is_solved(&problem, mv)) {
            solved += 1;
        } else {
            let played = answer.best.map_or_else(String::new, |mv| problem.position().san(mv));
            println!("{played:8} {line}");
        }
    }
    println!("{solved} of {total} solved, {:.1} %", 100.0 * f64::from(solved) / f64::from(total.max(1)));
    Ok(())
}

fn limits(text: &str) -> Result<Limits> {
    Ok(match text.strip_prefix("nodes=") {
        Some(nodes) => Limits { nodes: Some(nodes.parse().context("nodes a position")?), ..Limits::default() },
        None => {
            let seconds = Duration::try_from_secs_f64(text.parse().context("seconds a position")?)?;
            Limits { move_time: Some(seconds), ..Limits::default() }
        }
    })
}
