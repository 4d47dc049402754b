//! `saavedra review`: rates every move of the games in a file, with reasons.
//!
//! A large file takes long. The output always has all games of the input, those reviewed so far with their review and
//! the others unchanged. Reviewing the output again continues where the last run stopped.

mod print;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use records::AtomicFile;
use records::pgn::{self, GameTree};
use records::polyglot::Book;
use records::source;
use review::{Effort, Reviewer, annotate, is_reviewed};

use crate::failure::Failure;
use crate::interrupt;
use crate::progress::Bar;
use crate::seconds::parse_seconds;

/// Review the games of a PGN file: rate every move and give reasons.
///
/// A move is criticised only if its loss stands up to a second and a third search with many times the nodes. Reasons can
/// be checked on the board. See docs/review.md.
#[derive(Args)]
#[command(after_help = "Example: saavedra review games.pgn --effort deep --out reviewed.pgn\n\n\
                        An interrupted run writes the games it has not reviewed unchanged; review its output to continue.\n\
                        Exit code 0: all games were reviewed; 1: some were not, and a message says which.")]
pub(crate) struct Arguments {
    /// The games; plain, or compressed with gzip, Zstandard or ZIP.
    #[arg(value_name = "FILE.pgn")]
    file: PathBuf,
    /// How much to search.
    #[arg(long, value_name = "EFFORT", value_enum, default_value_t = EffortName::Normal)]
    effort: EffortName,
    /// Nodes for the first search of each position, instead of an effort; the same number gives the same review.
    #[arg(long, value_name = "N", conflicts_with = "effort", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Time for each game, such as 10s or 2m, instead of an effort.
    #[arg(long, value_name = "TIME", conflicts_with_all = ["effort", "nodes"], value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Threads.
    #[arg(long, value_name = "N", default_value_t = default_threads(), value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Report where games leave this Polyglot book.
    #[arg(long, value_name = "FILE.bin")]
    book: Option<PathBuf>,
    /// Write the reviewed games to this file, which may be the input.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print one JSON object for each game.
    #[arg(long)]
    json: bool,
    /// Review games again that were reviewed before.
    #[arg(long)]
    again: bool,
    /// The transposition table of each thread in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
}

/// How much to search.
#[derive(Clone, Copy, ValueEnum)]
enum EffortName {
    /// A first impression.
    Quick,
    /// The default.
    Normal,
    /// Five times as much.
    Deep,
}

fn default_threads() -> u16 {
    std::thread::available_parallelism().map_or(1, |threads| threads.get().min(1024) as u16)
}

impl Arguments {
    fn effort(&self) -> Effort {
        match (self.nodes, self.time, self.effort) {
            (Some(nodes), _, _) => Effort::Nodes(nodes),
            (None, Some(time), _) => Effort::Time(time),
            (None, None, EffortName::Quick) => Effort::QUICK,
            (None, None, EffortName::Normal) => Effort::NORMAL,
            (None, None, EffortName::Deep) => Effort::DEEP,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let stream = source::open(&arguments.file).map_err(anyhow::Error::from)?;
    let mut reviewer = Reviewer::new(arguments.effort());
    reviewer
        .set_hash(arguments.hash as usize)
        .and_then(|()| reviewer.set_threads(arguments.threads.into()))
        .map_err(|error| Failure::Failed(anyhow!("{error}")))?;
    if let Some(path) = &arguments.book {
        let mut book = Book::open(path).with_context(|| format!("cannot use {}", path.display()))?;
        // A read error ends the book.
        reviewer.set_book(move |position| {
            let moves = book.moves(position).map_or(Vec::new(), |moves| moves.0);
            moves.iter().map(|candidate| candidate.mv).collect()
        });
    }
    let mut session = Session {
        arguments,
        reviewer,
        stop: interrupt::flag(),
        bar: Bar::new("{bar:30} {pos}/{len} {wide_msg}"),
        out: arguments.out.as_deref().map(Output::create).transpose()?,
        reviewed: 0,
        left: 0,
        spoiled: 0,
    };
    let mut games = pgn::games(stream);
    let mut number = 0;
    loop {
        let game = games.next_game().with_context(|| format!("cannot read {}", arguments.file.display()))?;
        let Some((tree, problem)) = game else { break };
        number += 1;
        match problem {
            None => session.game(number, tree)?,
            Some(problem) => {
                session.spoiled += 1;
                let line = format!("saavedra: {}: {problem}; the game is skipped", arguments.file.display());
                session.bar.aside(|| writeln!(io::stderr(), "{line}"))?;
            }
        }
    }
    session.finish(number)
}

/// A run through a file.
struct Session<'a> {
    arguments: &'a Arguments,
    reviewer: Reviewer,
    stop: Arc<AtomicBool>,
    bar: Bar,
    out: Option<Output>,
    reviewed: usize,
    /// Games that were not reached before the run was interrupted.
    left: usize,
    spoiled: usize,
}

impl Session<'_> {
    /// Reviews a game, unless there is nothing to do or no time, and writes it down.
    fn game(&mut self, number: usize, mut tree: GameTree) -> Result<(), Failure> {
        let game = tree.game();
        let is_wanted = !game.moves().is_empty() && (self.arguments.again || !is_reviewed(&tree));
        if is_wanted {
            self.bar.say(format!("positions of game {number}"));
            let bar = &self.bar;
            let review = match self.stop.load(Ordering::Relaxed) {
                true => None,
                false => self.reviewer.review(&game, &self.stop, &mut |step| bar.set(step.done, step.total)).ok(),
            };
            match review {
                Some(review) => {
                    annotate(&mut tree, &review);
                    self.reviewed += 1;
                    let json = self.arguments.json;
                    let told = self.bar.aside(|| print::review(&mut io::stdout().lock(), number, &tree, &review, json));
                    match told {
                        // The reader of the output is gone, but the file is still wanted.
                        Err(error) if error.kind() == io::ErrorKind::BrokenPipe && self.out.is_some() => {}
                        told => told?,
                    }
                }
                None => self.left += 1,
            }
        }
        self.out.as_mut().map_or(Ok(()), |out| out.write(&tree))
    }

    fn finish(self, number: usize) -> Result<(), Failure> {
        drop(self.bar);
        let file = self.arguments.file.display();
        if let Some(out) = self.out {
            out.keep()?;
        }
        if number == 0 {
            return Err(Failure::Failed(anyhow!("{file} holds no game")));
        }
        if self.left > 0 {
            let done = format!("stopped when {} games had been reviewed", self.reviewed);
            return Err(Failure::Failed(match &self.arguments.out {
                Some(out) => {
                    anyhow!("{done}; {} are left: review {} to continue", self.left, out.display())
                }
                None => anyhow!("{done}; {} are left", self.left),
            }));
        }
        if self.spoiled > 0 { Err(Failure::Told) } else { Ok(()) }
    }
}

/// The file of reviewed games, which appears under its name once it is whole.
struct Output {
    path: PathBuf,
    file: AtomicFile,
    is_first: bool,
}

impl Output {
    fn create(path: &Path) -> Result<Output, Failure> {
        let file = AtomicFile::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Output { path: path.to_owned(), file, is_first: true })
    }

    fn write(&mut self, tree: &GameTree) -> Result<(), Failure> {
        let between = if self.is_first { "" } else { "\n" };
        self.is_first = false;
        let written = self.file.write_all(format!("{between}{tree}").as_bytes());
        Ok(written.with_context(|| format!("cannot write {}", self.path.display()))?)
    }

    fn keep(self) -> Result<(), Failure> {
        Ok(self.file.commit().with_context(|| format!("cannot write {}", self.path.display()))?)
    }
}
