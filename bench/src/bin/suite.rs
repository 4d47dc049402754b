//! Solves a test suite: EPD lines with `bm` (the best moves) or `am` (moves to avoid). Arguments: the file, seconds a
//! position (1 unless told).

use std::time::Duration;

use anyhow::{Context, Result};
use rules::{Game, Move, Position};
use search::{Control, Limits, PieceSquare, Searcher};

fn main() -> Result<()> {
    let file = std::env::args().nth(1).context("name a file with EPD lines")?;
    let seconds: f64 = std::env::args().nth(2).map_or(Ok(1.0), |text| text.parse()).context("seconds a position")?;
    let limits = Limits { move_time: Some(Duration::from_secs_f64(seconds)), ..Limits::default() };
    let mut searcher = Searcher::new(PieceSquare::new());
    searcher.options.move_overhead = Duration::ZERO;
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {file}"))?;
    let (mut solved, mut total) = (0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let problem = Problem::read(line).with_context(|| format!("cannot understand {line}"))?;
        searcher.clear();
        let answer = searcher.search(&Game::new(problem.position), &limits, &Control::new(), &mut ());
        total += 1;
        if answer.best.is_some_and(|mv| problem.is_solved_by(mv)) {
            solved += 1;
        } else {
            let played = answer.best.map_or_else(String::new, |mv| problem.position.san(mv));
            println!("{played:8} {line}");
        }
    }
    println!("{solved} of {total} solved, {:.1} %", 100.0 * f64::from(solved) / f64::from(total.max(1)));
    Ok(())
}

struct Problem {
    position: Position,
    best: Vec<Move>,
    avoid: Vec<Move>,
}

impl Problem {
    fn read(line: &str) -> Result<Problem> {
        let words: Vec<&str> = line.split_whitespace().take(4).collect();
        let position: Position = words.join(" ").parse()?;
        let operations = line.splitn(5, char::is_whitespace).nth(4).unwrap_or_default();
        let moves = |code: &str| -> Result<Vec<Move>> {
            let operands = operations.split(';').find_map(|operation| operation.trim().strip_prefix(code));
            let texts = operands.unwrap_or_default().split_whitespace();
            Ok(texts.map(|text| position.parse_san(text)).collect::<Result<_, _>>()?)
        };
        Ok(Problem { best: moves("bm ")?, avoid: moves("am ")?, position })
    }

    fn is_solved_by(&self, mv: Move) -> bool {
        (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
    }
}
