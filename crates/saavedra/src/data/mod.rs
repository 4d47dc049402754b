//! `saavedra data`: what is in files of packed games, whether it can be trusted, and new files made of them.

mod arrange;
mod exchange;
mod inspect;

use std::cell::Cell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::{Args, Subcommand};
use records::AtomicFile;
use records::packed::{PackedError, PackedGame, Reader, Writer};
use records::source::{Source, input_name, open_input};

use crate::failure::Failure;
use crate::numbers::counted;

/// Look at packed games, check them, shuffle, sample or merge them, and exchange them with other programs.
#[derive(Args)]
#[command(after_help = "Example: saavedra data info games.svd")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Info(inspect::Info),
    Check(inspect::Check),
    Shuffle(arrange::Shuffle),
    Sample(arrange::Sample),
    Merge(arrange::Merge),
    Export(exchange::Export),
    Import(exchange::Import),
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::Info(arguments) => arguments.run(),
        Command::Check(arguments) => arguments.run(),
        Command::Shuffle(arguments) => arguments.run(),
        Command::Sample(arguments) => arguments.run(),
        Command::Merge(arguments) => arguments.run(),
        Command::Export(arguments) => arguments.run(),
        Command::Import(arguments) => arguments.run(),
    }
}

/// Where games come from, and where they go.
#[derive(Args)]
struct Files {
    /// Files of games, plain or compressed; - is the standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file to write, which must not exist.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Leave out what is damaged instead of giving up.
    #[arg(long)]
    skip_damage: bool,
    /// What was left out when the files were read last.
    #[arg(skip)]
    left_out: Cell<LeftOut>,
}

/// What is said of damage that ends a command.
const DAMAGE_ADVICE: &str = " (--skip-damage leaves it out)";

/// How much of some files was left out.
#[derive(Clone, Copy, Default)]
struct LeftOut {
    places: u64,
    bytes: u64,
}

impl LeftOut {
    fn add(&mut self, error: &PackedError) {
        self.places += 1;
        self.bytes += if let PackedError::Damaged { bytes, .. } = error { *bytes } else { 0 };
    }
}

impl Files {
    /// Visits every game of every file in turn.
    fn visit(&self, mut visit: impl FnMut(PackedGame) -> Result<(), Failure>) -> Result<(), Failure> {
        let mut left_out = LeftOut::default();
        for path in &self.files {
            let name = input_name(path);
            let complain = |error: PackedError| {
                let advice = if matches!(error, PackedError::Io(_)) { "" } else { DAMAGE_ADVICE };
                Failure::Failed(anyhow!("{name}: {error}{advice}"))
            };
            let mut reader = open(path)?;
            for game in reader.by_ref() {
                match game {
                    Ok(game) => visit(game)?,
                    Err(error) if self.skip_damage && !matches!(error, PackedError::Io(_)) => left_out.add(&error),
                    Err(error) => return Err(complain(error)),
                }
            }
            let bytes = reader.torn_tail();
            if bytes > 0 && !self.skip_damage {
                return Err(Failure::Failed(anyhow!("{name}: {}{DAMAGE_ADVICE}", torn(bytes))));
            }
            if bytes > 0 {
                left_out.add(&PackedError::Damaged { offset: 0, bytes });
            }
        }
        self.left_out.set(left_out);
        Ok(())
    }

    /// Writes packed games.
    fn write(&self, fill: impl FnOnce(&mut Writer<&mut AtomicFile>) -> Result<(), Failure>) -> Result<(), Failure> {
        self.create(|file| {
            let cannot = || format!("cannot write {}", self.out.display());
            let mut writer = Writer::new(file).with_context(cannot)?;
            fill(&mut writer)?;
            Ok(writer.flush().with_context(cannot)?)
        })
    }

    /// Writes the output, which appears under its name when it is whole.
    fn create(&self, fill: impl FnOnce(&mut AtomicFile) -> Result<(), Failure>) -> Result<(), Failure> {
        if self.out.exists() {
            return Err(Failure::Usage(format!("{} exists already", self.out.display())));
        }
        let cannot = || format!("cannot write {}", self.out.display());
        let mut file = AtomicFile::create(&self.out).with_context(cannot)?;
        fill(&mut file)?;
        file.commit().with_context(cannot)?;
        let LeftOut { places, bytes } = self.left_out.get();
        if places > 0 {
            let (places, bytes) = (counted(places, "damaged place"), counted(bytes, "byte"));
            let _ = writeln!(io::stderr(), "saavedra: left out {places}, {bytes} in all");
        }
        Ok(())
    }
}

/// Opens a file of packed games, or the standard input.
fn open(path: &Path) -> Result<Reader<Source>, Failure> {
    let source = open_input(path).map_err(anyhow::Error::from)?;
    Ok(Reader::new(source).with_context(|| format!("cannot read {}", input_name(path)))?)
}

/// What is said of a file that was not written to its end.
fn torn(bytes: u64) -> String {
    format!("the last {} are a block that was not written to its end", counted(bytes, "byte"))
}

/// The same path with something behind it.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}
