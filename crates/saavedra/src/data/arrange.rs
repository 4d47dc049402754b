//! New files of games from old ones: shuffled, sampled or merged. All moves are checked on the way.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use random::Random;
use records::packed::{PackedGame, Reader, Writer};
use records::source::is_standard_input;

use super::{Files, beside};
use crate::failure::Failure;
use crate::numbers::{mebibytes, whole, within};

/// Put games into a random order.
///
/// Input larger than --memory is first split at random into temporary files beside the output.
#[derive(Args)]
#[command(after_help = "Example: saavedra data shuffle old.svd new.svd --out all.svd")]
pub(super) struct Shuffle {
    #[command(flatten)]
    files: Files,
    /// Seed of the order.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>)]
    seed: u64,
    /// Memory for the games, roughly.
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = mebibytes::<u64>(1..=1 << 20))]
    memory: u64,
}

/// Files that are open at once.
const MOST_HEAPS: u64 = 512;

impl Shuffle {
    pub(super) fn run(&self) -> Result<(), Failure> {
        // A game takes about twice as much memory as room on the disk. How much comes from the standard input, or is in
        // a compressed file, is not known before.
        let size = |path: &PathBuf| match fs::metadata(path) {
            Ok(metadata) if Reader::open(path).is_ok() => metadata.len(),
            _ => u64::MAX / 2,
        };
        let sizes = self.files.files.iter().map(size).fold(0, u64::saturating_add);
        let heaps = sizes.saturating_mul(2).div_ceil(self.memory << 20).clamp(1, MOST_HEAPS);
        let mut random = Random::new(self.seed);
        self.files.write(|writer| {
            if heaps == 1 {
                let mut games = Vec::new();
                self.files.visit(|game| {
                    games.push(game);
                    Ok(())
                })?;
                return write_shuffled(games, &mut random, writer);
            }
            let heaps = Heaps((0..heaps).map(|number| beside(&self.files.out, &format!("heap{number}"))).collect());
            heaps.deal(&self.files, &mut random)?;
            for path in &heaps.0 {
                let games = Reader::open(path).map_err(anyhow::Error::from)?.collect::<Result<Vec<_>, _>>();
                write_shuffled(games.map_err(anyhow::Error::from)?, &mut random, writer)?;
            }
            Ok(())
        })
    }
}

fn write_shuffled(
    mut games: Vec<PackedGame>,
    random: &mut Random,
    writer: &mut Writer<impl Write>,
) -> Result<(), Failure> {
    random.shuffle(&mut games);
    games.iter().try_for_each(|game| add(writer, game))
}

fn add(writer: &mut Writer<impl Write>, game: &PackedGame) -> Result<(), Failure> {
    Ok(writer.write(game).context("cannot write the games")?)
}

/// Files for a while, each with a part of the games.
struct Heaps(Vec<PathBuf>);

impl Heaps {
    /// Gives every game to a random heap, and shuffles each heap afterwards: together that is a shuffle of all.
    fn deal(&self, files: &Files, random: &mut Random) -> Result<(), Failure> {
        let create = |path: &PathBuf| Writer::create(path).with_context(|| format!("cannot write {}", path.display()));
        let mut writers = self.0.iter().map(create).collect::<Result<Vec<_>, _>>()?;
        files.visit(|game| {
            let heap = random.below(writers.len());
            add(&mut writers[heap], &game)
        })?;
        for mut writer in writers {
            writer.flush().context("cannot write the games")?;
        }
        Ok(())
    }
}

impl Drop for Heaps {
    fn drop(&mut self) {
        for path in &self.0 {
            let _ = fs::remove_file(path);
        }
    }
}

/// Take some of the games.
#[derive(Args)]
#[command(after_help = "Example: saavedra data sample games.svd --games 1000 --out few.svd")]
pub(super) struct Sample {
    #[command(flatten)]
    files: Files,
    /// Take every k-th game.
    #[arg(long, value_name = "K", required_unless_present = "games", conflicts_with = "games", value_parser = within::<u64>(1..))]
    every: Option<u64>,
    /// Take this many games at random, in their order.
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    games: Option<u64>,
    /// Seed of the choice.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>)]
    seed: u64,
}

impl Sample {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut number = 0;
        let (mut total, mut wanted) = (0, self.games.unwrap_or(0));
        if self.games.is_some() {
            if self.files.files.iter().any(|path| is_standard_input(path)) {
                let text =
                    "--games reads the games twice, which the standard input does not allow: write them to a file";
                return Err(Failure::Usage(text.to_owned()));
            }
            self.files.visit(|_| {
                total += 1;
                Ok(())
            })?;
        }
        let mut random = Random::new(self.seed);
        self.files.write(|writer| {
            self.files.visit(|game| {
                let is_taken = match self.every {
                    Some(every) => number % every == 0,
                    // As likely as there are games wanted among those that are left.
                    None => random.below((total - number) as usize) < wanted as usize,
                };
                number += 1;
                if is_taken {
                    wanted = wanted.saturating_sub(1);
                    add(writer, &game)?;
                }
                Ok(())
            })
        })
    }
}

/// Merge files into one.
#[derive(Args)]
#[command(after_help = "Example: saavedra data merge monday.svd tuesday.svd --out both.svd")]
pub(super) struct Merge {
    #[command(flatten)]
    files: Files,
}

impl Merge {
    pub(super) fn run(&self) -> Result<(), Failure> {
        self.files.write(|writer| self.files.visit(|game| add(writer, &game)))
    }
}
