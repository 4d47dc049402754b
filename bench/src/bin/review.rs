//! Reviews games and lets another engine check them. Arguments: PGN files; `effort=quick`, `normal` or `deep`;
//! `oracle=COMMAND` (`stockfish` unless told); `nodes=N`, the oracle's nodes for a move (2,000,000 unless told);
//! `list`, to name every criticised move and every blunder that was overlooked; `precision`, to leave out the search
//! for blunders. The oracle's answers are kept in `target/review-oracle.tsv`.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use bench::oracle::Oracle;
use bench::review::{Blunder, Criticism, blunders, criticisms};
use records::pgn;
use review::{Effort, Judgement, Reviewer};

/// Nodes of the oracle for each of two moves that are compared.
const NODES: u64 = 2_000_000;

const ANSWERS: &str = "target/review-oracle.tsv";

fn main() -> Result<()> {
    programs::end_with_us();
    let (mut effort, mut oracle, mut files) = (Effort::Normal, "stockfish".to_owned(), Vec::new());
    let (mut nodes, mut lists, mut finds_blunders) = (NODES, false, true);
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("effort", "quick")) => effort = Effort::Quick,
            Some(("effort", "normal")) => effort = Effort::Normal,
            Some(("effort", "deep")) => effort = Effort::Deep,
            Some(("nodes", number)) => nodes = number.parse().with_context(|| format!("{number} nodes"))?,
            Some(("oracle", command)) => command.clone_into(&mut oracle),
            None if argument == "list" => lists = true,
            None if argument == "precision" => finds_blunders = false,
            None if argument.ends_with(".pgn") => files.push(argument),
            _ => bail!("{argument} is not understood"),
        }
    }
    if files.is_empty() {
        bail!("name PGN files");
    }
    let mut oracle = Oracle::start(&oracle.parse()?, Path::new(ANSWERS))?;
    println!(
        "{:24} {:>5} {:>6} {:>7} {:>12} {:>16} {:>16} {:>9} {:>10}",
        "", "games", "moves", "s/game", "inaccuracies", "mistakes", "blunders", "found", "criticised"
    );
    for file in files {
        let text = std::fs::read(&file).with_context(|| format!("cannot read {file}"))?;
        let mut tally = Tally::default();
        for game in pgn::games(&text[..]) {
            let game = game?.game();
            let mut reviewer = Reviewer::new(effort);
            reviewer.set_threads(std::thread::available_parallelism().map_or(1, |threads| threads.get()))?;
            let started = Instant::now();
            let review = reviewer.review(&game, &Arc::default(), &mut |_| {})?;
            tally.seconds += started.elapsed().as_secs_f64();
            tally.games += 1;
            tally.moves += review.moves.len();
            let told = criticisms(&mut oracle, &review, nodes)?;
            let missed = if finds_blunders { blunders(&mut oracle, &game, &review, nodes)? } else { Vec::new() };
            if lists {
                list(tally.games, &told, &missed);
            }
            tally.criticisms.extend(told);
            tally.blunders.extend(missed);
        }
        tally.print(&file);
    }
    Ok(())
}

/// All games of a file.
#[derive(Default)]
struct Tally {
    games: usize,
    moves: usize,
    seconds: f64,
    criticisms: Vec<Criticism>,
    blunders: Vec<Blunder>,
}

impl Tally {
    fn print(&self, file: &str) {
        let share = |is_it: &dyn Fn(&Criticism) -> bool| {
            let all: Vec<&Criticism> = self.criticisms.iter().filter(|criticism| is_it(criticism)).collect();
            let confirmed = all.iter().filter(|criticism| criticism.is_confirmed()).count();
            format!("{confirmed}/{} {:.0} %", all.len(), 100.0 * confirmed as f64 / all.len().max(1) as f64)
        };
        let by_loss = |criticism: &Criticism| Judgement::of_lost(criticism.lost);
        let blunders = self.blunders.len();
        let found = self.blunders.iter().filter(|blunder| blunder.judgement.is_serious()).count();
        let criticised = self.blunders.iter().filter(|blunder| blunder.judgement.is_error()).count();
        println!(
            "{:24} {:>5} {:>6} {:>7.1} {:>12} {:>16} {:>16} {:>9} {:>10}",
            file.rsplit('/').next().unwrap_or(file),
            self.games,
            self.moves,
            self.seconds / self.games.max(1) as f64,
            share(&|criticism| !criticism.judgement.is_serious()),
            share(&|criticism| criticism.judgement.is_serious() && by_loss(criticism) != Judgement::Blunder),
            share(&|criticism| criticism.judgement.is_serious() && by_loss(criticism) == Judgement::Blunder),
            format!("{found}/{blunders}"),
            format!("{criticised}/{blunders}"),
        );
        println!("  mistakes and blunders together: {}", share(&|criticism| criticism.judgement.is_serious()));
    }
}

/// Names the moves of a game about which the review and the oracle have something to say.
fn list(game: usize, criticisms: &[Criticism], blunders: &[Blunder]) {
    for told in criticisms {
        println!(
            "  {game:3} {} {:>8} (better {:>8}) lost {:.3} ({} -> {}), by the oracle {:+.3} ({:.3} -> {:.3})  {}, {}  {}",
            if told.is_confirmed() { "agreed " } else { "DOUBTED" },
            told.position.san(told.mv),
            told.position.san(told.best),
            told.lost,
            told.outlooks[0],
            told.outlooks[1],
            told.lost_by_oracle(),
            told.expected[0],
            told.expected[1],
            told.judgement.name(),
            told.reason,
            told.position
        );
    }
    for missed in blunders.iter().filter(|blunder| !blunder.judgement.is_serious()) {
        println!(
            "  {game:3} OVERLOOKED {:>8} lost {:.3} by the oracle, called {}, {}: lost {:.3} ({} -> {}), better {}  {}",
            missed.position.san(missed.mv),
            missed.lost,
            missed.judgement.name(),
            missed.reason,
            missed.lost_by_review,
            missed.outlooks[0],
            missed.outlooks[1],
            missed.best.map_or_else(|| "-".to_owned(), |best| missed.position.san(best)),
            missed.position
        );
    }
}
