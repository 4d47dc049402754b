//! Tablebases beside pyrrhic-rs.
//!
//! * `FOLDER [ROUNDS [TABLE...]]` looks up the same positions by both, in turns, and prints the ratio of best times.
//! * `agree FOLDER EVERY [TABLE...]` compares results on all positions of all tables, or of some, and distances on one
//!   of `EVERY` of them.
//! * `sample FOLDER EVERY [TABLE...]` prints one of `EVERY` positions with our result and distance, for others to
//!   compare.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use bench::best_times;
use bench::syzygy::{Theirs, may_allow_en_passant, names, positions, same_distances};
use rules::Position;
use search::{Tablebase, TablebaseResult};
use syzygy::Syzygy;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<usize>().with_context(|| format!("{text:?} is not a number"));
    match words[..] {
        ["agree", folder, every, ref tables @ ..] => agree(folder, number(every)?, tables),
        ["sample", folder, every, ref tables @ ..] => sample(folder, number(every)?, tables),
        [folder] => time(folder, 10, &[]),
        [folder, rounds, ref tables @ ..] => time(folder, number(rounds)?, tables),
        _ => bail!("name a folder with tables"),
    }
}

fn time(folder: &str, rounds: usize, tables: &[&str]) -> Result<()> {
    let (ours, theirs) = (Syzygy::open(folder)?, Theirs::open(folder)?);
    println!("{:8} {:>9} {:>9} {:>9} {:>6}", "table", "positions", "ours ns", "theirs ns", "ratio");
    let mut sums = [0.0; 2];
    let names = chosen(folder, tables)?;
    for name in &names {
        let mut some = Vec::new();
        // About as many of three pieces as of four.
        let every = if name.len() == "KPvK".len() { 13 } else { 997 };
        positions(name, every, &mut |position| some.push(*position));
        let sum = |result: &dyn Fn(&Position) -> Option<TablebaseResult>| {
            some.iter().filter(|position| result(position) == Some(TablebaseResult::Win)).count()
        };
        let times = best_times(
            rounds,
            &mut [&mut || sum(&|position| ours.result(position)), &mut || sum(&|position| theirs.result(position))],
        );
        let [our_time, their_time] = [0, 1].map(|at| times[at].as_secs_f64() * 1e9 / some.len() as f64);
        sums[0] += our_time;
        sums[1] += their_time;
        println!("{name:8} {:>9} {our_time:>9.1} {their_time:>9.1} {:>6.2}", some.len(), their_time / our_time);
    }
    let means = sums.map(|sum| sum / names.len() as f64);
    println!("{:8} {:>9} {:>9.1} {:>9.1} {:>6.2}", "mean", "", means[0], means[1], means[1] / means[0]);
    Ok(())
}

/// The tables that were asked for, or all.
fn chosen(folder: &str, tables: &[&str]) -> Result<Vec<String>> {
    let mut names = names(Path::new(folder))?;
    names.retain(|name| tables.is_empty() || tables.contains(&name.as_str()));
    Ok(names)
}

fn agree(folder: &str, every: usize, tables: &[&str]) -> Result<()> {
    let (ours, theirs) = (Syzygy::open(folder)?, Theirs::open(folder)?);
    let mut total = [0_u64; 3];
    for name in chosen(folder, tables)? {
        let started = Instant::now();
        let (mut results, mut distances, mut en_passant) = (0_u64, 0_u64, 0_u64);
        let mut wrong = Vec::new();
        positions(&name, 1, &mut |position| {
            results += 1;
            en_passant += u64::from(position.en_passant().is_some());
            if ours.result(position) != theirs.result(position) {
                wrong.push(position.to_string());
            }
            let is_chosen = results % every as u64 == 0 || (position.en_passant().is_some() && en_passant % 10 == 0);
            if is_chosen && !may_allow_en_passant(position) {
                distances += 1;
                if !same_distances(&ours, &theirs, position) {
                    wrong.push(format!("{position} (distance)"));
                }
            }
        });
        println!(
            "{name:8} {results} results, {en_passant} with en passant, {distances} distances, {:.0?}",
            started.elapsed()
        );
        ensure!(wrong.is_empty(), "{} differ, first {:?}", wrong.len(), wrong[0]);
        total = [total[0] + results, total[1] + en_passant, total[2] + distances];
    }
    println!(
        "agree on {} results, {} of them with en passant, and on {} distances of moves",
        total[0], total[1], total[2]
    );
    Ok(())
}

fn sample(folder: &str, every: usize, tables: &[&str]) -> Result<()> {
    let ours = Syzygy::open(folder)?;
    for name in chosen(folder, tables)? {
        let mut count = 0;
        positions(&name, every, &mut |position| {
            count += 1;
            // Half of them with colors exchanged.
            let flipped = position.setup().flipped().position();
            let position = if count % 2 == 0 { flipped.as_ref().unwrap_or(position) } else { position };
            println!("{position};{:?};{:?}", ours.result(position), ours.distance(position));
        });
    }
    Ok(())
}
