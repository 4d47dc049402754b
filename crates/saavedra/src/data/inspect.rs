//! What is in files of games, and whether it is as it was written.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use records::GameResult;
use records::packed::{PackedError, PackedGame};
use records::source::input_name;
use serde::Serialize;
use train::{DataSet, Filter};

use super::{open, torn};
use crate::failure::Failure;
use crate::numbers::{counted, grouped};

/// Show what is in files of packed games.
#[derive(Args)]
#[command(after_help = "Example: saavedra data info games.svd --json")]
pub(super) struct Info {
    /// Files of packed games, plain or compressed; - is the standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Check that every game is whole and legal, and list what is not.
#[derive(Args)]
#[command(
    after_help = "Exit code 0: everything is sound; 1: something is damaged.\nExample: saavedra data check games.svd"
)]
pub(super) struct Check {
    /// Files of packed games, plain or compressed; - is the standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// How many plies the bars of the histogram are wide.
const BAR: usize = 40;

/// What is in the files, all together.
#[derive(Serialize, Default)]
struct Report {
    files: usize,
    bytes: u64,
    games: u64,
    positions: u64,
    white_wins: u64,
    draws: u64,
    black_wins: u64,
    /// Games by their length: fewer than 40 plies, fewer than 80, ...
    lengths: Vec<u64>,
    /// Of scores that are no mates.
    mean_absolute_score: f64,
    #[serde(skip)]
    scores: u64,
    #[serde(skip)]
    sum: u64,
    /// Positions that are learned from if nothing else is asked for.
    kept_positions: u64,
    /// Places that are damaged.
    damage: u64,
}

impl Info {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut report = Report::default();
        for path in &self.files {
            report.files += 1;
            let mut reader = open(path)?;
            for game in reader.by_ref() {
                match game {
                    Ok(game) => report.add(&game),
                    Err(error @ PackedError::Io(_)) => return Err(anyhow::Error::from(error).into()),
                    Err(_) => report.damage += 1,
                }
            }
            report.damage += u64::from(reader.torn_tail() > 0);
            report.bytes += reader.length();
        }
        report.mean_absolute_score = report.sum as f64 / report.scores.max(1) as f64;
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut out, &report)?;
            writeln!(out)?;
        } else {
            report.print(&mut out)?;
        }
        Ok(out.flush()?)
    }
}

impl Report {
    fn add(&mut self, game: &PackedGame) {
        let filter = Filter::default();
        let plies = game.plies();
        self.games += 1;
        self.positions += plies.len() as u64;
        match game.result() {
            GameResult::WhiteWins => self.white_wins += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::BlackWins => self.black_wins += 1,
        }
        let bar = plies.len() / BAR;
        self.lengths.resize(self.lengths.len().max(bar + 1), 0);
        self.lengths[bar] += 1;
        for score in plies.iter().map(|ply| ply.score.unsigned_abs()).filter(|&score| score <= filter.most_score) {
            self.scores += 1;
            self.sum += u64::from(score);
        }
        let mut data = DataSet::new(filter, 0.0, 1);
        data.add_game(game);
        self.kept_positions += data.samples().len() as u64;
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let per_game = self.positions as f64 / self.games.max(1) as f64;
        writeln!(out, "games      {}, {per_game:.1} positions each", grouped(self.games))?;
        let per_position = self.bytes as f64 / self.positions.max(1) as f64;
        writeln!(out, "positions  {}, {per_position:.2} bytes each", grouped(self.positions))?;
        writeln!(
            out,
            "results    {:.1} % won by White, {:.1} % drawn, {:.1} % won by Black",
            share(self.white_wins, self.games),
            share(self.draws, self.games),
            share(self.black_wins, self.games)
        )?;
        writeln!(out, "scores     {:.0} centipawns on average, for either side", self.mean_absolute_score)?;
        writeln!(
            out,
            "training   {} left by the default filters, {:.1} %",
            counted(self.kept_positions, "position"),
            share(self.kept_positions, self.positions)
        )?;
        if self.damage > 0 {
            writeln!(out, "damage     in {}; saavedra data check lists them", counted(self.damage, "place"))?;
        }
        writeln!(out, "plies")?;
        let most = self.lengths.iter().copied().max().unwrap_or(0);
        for (number, &games) in self.lengths.iter().enumerate() {
            let bar = "█".repeat((games * 50).div_ceil(most.max(1)) as usize);
            let line = format!("{:>5} to {:<5} {:>9} {bar}", number * BAR, number * BAR + BAR - 1, grouped(games));
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

impl Check {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut is_sound = true;
        let mut out = io::stdout().lock();
        for path in &self.files {
            let name = input_name(path);
            let (mut reader, mut damage) = (open(path)?, 0);
            for error in reader.by_ref().filter_map(Result::err) {
                damage += 1;
                writeln!(out, "{name}: {error}")?;
            }
            if reader.torn_tail() > 0 {
                damage += 1;
                writeln!(out, "{name}: {}", torn(reader.torn_tail()))?;
            }
            let counts = reader.counts();
            let verdict =
                if damage == 0 { "sound".to_owned() } else { format!("damaged in {}", counted(damage, "place")) };
            let (games, positions) = (counted(counts.games, "legal game"), counted(counts.positions, "position"));
            writeln!(out, "{name}: {games}, {positions}, {verdict}")?;
            is_sound &= damage == 0;
        }
        out.flush()?;
        if is_sound { Ok(()) } else { Err(Failure::Told) }
    }
}
