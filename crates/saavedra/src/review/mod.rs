//! `saavedra review`: rates every move of games, with reasons.

mod input;
mod output;
mod print;
mod puzzles;
mod summary;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use records::pgn::{self, GameTree};
use records::polyglot::Book;
use records::source::Source;
use review::{Effort, Review, Reviewer, annotate, is_reviewed};
use syzygy::Syzygy;

use crate::failure::Failure;
use crate::interrupt;
use crate::progress::Bar;
use crate::seconds::parse_seconds;
use output::Output;
use puzzles::Puzzles;
use summary::Summary;

/// Review games: rate every move and give reasons.
///
/// A move is criticised only if its loss stands up to a second and a third search with many times the nodes. Reasons
/// can be checked on the board. See docs/review.md.
#[derive(Args)]
#[command(after_help = "Example: saavedra review games.pgn --effort deep --out reviewed.pgn\n\n\
                        An interrupted run keeps its games in FILE.partial; run the same command again to continue.\n\
                        Exit code 0: all games were reviewed; 1: some were not, and a message says which.")]
pub(crate) struct Arguments {
    /// PGN files, plain or compressed with gzip, Zstandard or ZIP; folders of them; or - for standard input.
    #[arg(value_name = "FILE.pgn", required = true)]
    files: Vec<PathBuf>,
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
    /// Ask the Syzygy tablebases in this folder about endgames.
    #[arg(long, value_name = "FOLDER")]
    tablebase: Option<String>,
    /// Write the reviewed games to this file, which may be an input.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Make puzzles of the mistakes: CSV with the columns of lichess's puzzle database, or PGN.
    #[arg(long, value_name = "FILE.csv")]
    puzzles: Option<PathBuf>,
    /// Sum up the games of this player, whose name begins so: accuracy by phase, openings, typical mistakes.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Write that summary to this file instead of printing it: Markdown, a page (.html) or JSON (.json).
    #[arg(long, value_name = "FILE.md", requires = "player")]
    summary: Option<PathBuf>,
    /// Print one JSON object for each game.
    #[arg(long)]
    json: bool,
    /// Review games again that were reviewed before, as --player and --puzzles do.
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
            (None, None, EffortName::Quick) => Effort::Quick,
            (None, None, EffortName::Normal) => Effort::Normal,
            (None, None, EffortName::Deep) => Effort::Deep,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let files = input::files(&arguments.files)?;
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
    if let Some(folder) = &arguments.tablebase {
        reviewer.set_tablebase(Arc::new(Syzygy::open(folder).map_err(|error| Failure::Failed(error.into()))?));
    }
    // Every file is opened once before anything is reviewed, so that a wrong name costs no time.
    for path in files.iter().filter(|path| !input::is_standard(path)) {
        input::open(path)?;
    }
    let mut session = Session {
        arguments,
        reviewer,
        stop: interrupt::flag(),
        bar: Bar::new("{bar:30} {pos}/{len} {wide_msg}"),
        out: arguments.out.as_deref().map(Output::create).transpose()?,
        puzzles: arguments.puzzles.as_deref().map(Puzzles::create).transpose()?,
        summary: arguments.player.as_deref().map(Summary::new),
        games: 0,
        reviewed: 0,
        spoiled: 0,
    };
    for path in &files {
        session.file(&input::name(path), input::open(path)?)?;
    }
    session.finish()
}

/// A run through the games.
struct Session<'a> {
    arguments: &'a Arguments,
    reviewer: Reviewer,
    stop: Arc<AtomicBool>,
    bar: Bar,
    out: Option<Output>,
    puzzles: Option<Puzzles>,
    summary: Option<Summary>,
    games: usize,
    reviewed: usize,
    spoiled: usize,
}

impl Session<'_> {
    /// Reviews the games of a file, until the run is interrupted.
    fn file(&mut self, name: &str, stream: Source) -> Result<(), Failure> {
        let mut games = pgn::games(stream);
        while !self.is_stopped() {
            let game = games.next_game().with_context(|| format!("cannot read {name}"))?;
            let Some((tree, problem)) = game else { break };
            self.games += 1;
            if let Some(problem) = problem {
                self.spoiled += 1;
                let good = match tree.mainline().count() {
                    0 => "the game is skipped",
                    _ => "the moves before it are reviewed",
                };
                self.bar.aside(|| writeln!(io::stderr(), "saavedra: {name}: {problem}; {good}"))?;
            }
            self.game(tree)?;
        }
        Ok(())
    }

    /// Whether games that were reviewed before are reviewed again: a summary and puzzles are made of reviews, and of an
    /// earlier one only the words are left.
    fn does_again(&self) -> bool {
        self.arguments.again || self.summary.is_some() || self.puzzles.is_some()
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Reviews a game, unless there is nothing to do, and writes it down.
    fn game(&mut self, mut tree: GameTree) -> Result<(), Failure> {
        let game = tree.game();
        if !self.does_again()
            && let Some(earlier) = self.out.as_mut().and_then(|out| out.earlier(&tree))
        {
            tree = earlier;
        }
        let is_wanted = !game.moves().is_empty() && (self.does_again() || !is_reviewed(&tree));
        if is_wanted {
            self.bar.say(format!("of game {}", self.games));
            let bar = &self.bar;
            let Ok(review) = self.reviewer.review(&game, &self.stop, &mut |step| bar.set(step.done, step.total)) else {
                return Ok(());
            };
            self.reviewed += 1;
            annotate(&mut tree, &review);
            self.print(&tree, &review)?;
            if let Some(puzzles) = &mut self.puzzles
                && let Ok(found) = self.reviewer.puzzles(&game, &review, &self.stop)
            {
                puzzles.add(&tree, &review, &found)?;
            }
            if let Some(summary) = &mut self.summary {
                summary.add(&tree, &review);
            }
        }
        self.out.as_mut().map_or(Ok(()), |out| out.write(&tree))
    }

    fn print(&self, tree: &GameTree, review: &Review) -> Result<(), Failure> {
        let json = self.arguments.json;
        let printed = self.bar.aside(|| print::review(&mut io::stdout().lock(), self.games, tree, review, json));
        match printed {
            // The reader of the output is gone, but the files are still wanted.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && self.out.is_some() => Ok(()),
            printed => Ok(printed?),
        }
    }

    fn finish(self) -> Result<(), Failure> {
        let is_stopped = self.is_stopped();
        drop(self.bar);
        if is_stopped {
            let done = format!("stopped when {} games had been reviewed", self.reviewed);
            return Err(Failure::Failed(match &self.out {
                Some(out) => {
                    anyhow!("{done}; they are in {}: run the same command again to continue", out.partial().display())
                }
                None => anyhow!("{done}"),
            }));
        }
        if self.games == 0 {
            return Err(Failure::Failed(anyhow!("{} holds no game", input::name(&self.arguments.files[0]))));
        }
        if let Some(out) = self.out {
            out.keep()?;
        }
        if let Some(summary) = &self.summary {
            summary.write(self.arguments.summary.as_deref())?;
        }
        if self.spoiled > 0 { Err(Failure::Told) } else { Ok(()) }
    }
}
