//! Positions a second of UCI engines on the same positions, taking turns. Arguments: the command lines of the engines,
//! each perhaps with a number of threads before it, as in `2*target/release/saavedra`.
//!
//! The figure of a round is all nodes by all time of one pass through the positions of `saavedra bench`; the median of
//! the rounds counts, as a ratio to the first engine.

use anyhow::{Context, Result, bail};
use bench::engine::Engine;
use programs::CommandLine;
use uci::Message;

const ROUNDS: usize = 5;
const MILLISECONDS: u64 = 200;
/// Every how many of the positions is used.
const STEP: usize = 3;
/// Megabytes.
const HASH: usize = 16;

struct Contestant {
    name: String,
    threads: usize,
    command: CommandLine,
    rates: Vec<f64>,
}

fn main() -> Result<()> {
    programs::end_with_us();
    let mut contestants = std::env::args().skip(1).map(|text| contestant(&text)).collect::<Result<Vec<_>>>()?;
    if contestants.is_empty() {
        bail!("name the engines to compare, for example target/release/saavedra 2*target/release/saavedra stockfish");
    }
    for round in 1..=ROUNDS {
        for contestant in &mut contestants {
            let rate = rate(contestant).with_context(|| format!("while asking {}", contestant.name))?;
            contestant.rates.push(rate);
        }
        eprintln!("round {round} of {ROUNDS}");
    }
    let medians: Vec<f64> = contestants.iter_mut().map(|contestant| median(&mut contestant.rates)).collect();
    for (contestant, rate) in contestants.iter().zip(&medians) {
        println!("{:40} {:8.3} million a second {:6.2}", contestant.name, rate / 1e6, rate / medians[0]);
    }
    Ok(())
}

fn contestant(text: &str) -> Result<Contestant> {
    let (threads, command) = match text.split_once('*') {
        Some((threads, command)) => (threads.parse().with_context(|| format!("{threads} threads"))?, command),
        None => (1, text),
    };
    Ok(Contestant { name: text.to_owned(), threads, command: command.parse()?, rates: Vec::new() })
}

/// Nodes a second over the positions.
fn rate(contestant: &Contestant) -> Result<f64> {
    let mut engine = Engine::start(&contestant.command, contestant.threads, HASH)?;
    let (mut nodes, mut milliseconds) = (0, 0);
    for fen in search::bench::POSITIONS.into_iter().step_by(STEP) {
        let mut last = (0, 0);
        engine.ask(fen, &format!("go movetime {MILLISECONDS}"), |message| {
            if let Message::Info(info) = message
                && let (Some(nodes), Some(time)) = (info.nodes, info.time)
            {
                last = (nodes, time);
            }
        })?;
        nodes += last.0;
        milliseconds += last.1;
    }
    engine.end();
    Ok(nodes as f64 * 1000.0 / (milliseconds.max(1)) as f64)
}

fn median(rates: &mut [f64]) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}
