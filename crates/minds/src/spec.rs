//! Minds by name: one way to write any mind on a command line.
//!
//! ```
//! use saavedra_minds::MindSpec;
//!
//! let spec: MindSpec = "search:nodes=5000".parse()?;
//! assert_eq!(spec.to_string(), "search:nodes=5000");
//! assert_eq!("minimaks".parse::<MindSpec>().expect_err("a slip").to_string(),
//!     "there is no mind \"minimaks\" (did you mean \"minimax\"?)");
//! # Ok::<(), saavedra_minds::SpecError>(())
//! ```

mod settings;

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use programs::{BadCommandLine, CommandLine};
use search::{AnyEvaluator, Limits, PieceSquare, Strength};
use uci::suggest;

use crate::{
    CaptureMind, CecpMind, DilutedMind, Fault, FaultKind, LineMind, Mind, RandomMind, SearchMind, TreeMind, UciMind,
    cached_network,
};
use settings::SpecText;

/// A mind as it is written: parse it, print it, build it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MindSpec {
    /// Plays any legal move.
    Random {
        /// The seed of its random moves, if not that of the game.
        seed: Option<u64>,
    },
    /// Plays any capture, or any legal move.
    Capture {
        /// The seed of its random moves, if not that of the game.
        seed: Option<u64>,
    },
    /// Looks at every line.
    Minimax(TreeSpec),
    /// Looks at every line that matters.
    AlphaBeta(TreeSpec),
    /// Thinks with the whole search.
    Search(SearchSpec),
    /// An outside program.
    Program(ProgramSpec),
    /// A player that the program which holds a match provides itself, by its name: `function:mine`.
    Function(String),
}

/// The settings of a mind that looks ahead a fixed number of plies.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TreeSpec {
    /// Plies below each of its moves, if not the default.
    pub depth: Option<usize>,
    /// Which of several equal moves it plays.
    pub ties: Ties,
    /// The seed of random ties, if not that of the game.
    pub seed: Option<u64>,
}

/// Which of several equal moves a mind plays.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Ties {
    /// The first, as the rules list them.
    #[default]
    First,
    /// Any, at random.
    Random,
}

/// How the search is limited, besides the limits of each move.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SearchSpec {
    /// The last depth.
    pub depth: Option<usize>,
    /// Positions to look at.
    pub nodes: Option<u64>,
    /// Milliseconds for a move.
    pub time: Option<u64>,
    /// The size of its table in MiB.
    pub hash: Option<usize>,
    /// How many threads it searches with.
    pub threads: Option<usize>,
    /// The rating it is held back to. Its mistakes follow from the seed of the game.
    pub elo: Option<u32>,
    /// How many of 100 moves are random instead, by the seed of the game.
    pub random: Option<u32>,
    /// The evaluation, if not the network that is compiled in.
    pub net: Option<EvaluationSpec>,
}

/// The evaluation of the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvaluationSpec {
    /// Material and piece-square tables: `net=none`.
    PieceSquare,
    /// The network in a file. The path has no comma.
    File(String),
}

impl EvaluationSpec {
    /// The evaluation. A network that cannot be read is told in a line.
    pub fn evaluator(&self) -> Result<AnyEvaluator, crate::LoadError> {
        Ok(match self {
            EvaluationSpec::PieceSquare => AnyEvaluator::PieceSquare(PieceSquare::new()),
            EvaluationSpec::File(path) => cached_network(Path::new(path))?.into(),
        })
    }
}

/// As after `net=`: a path, or `none`.
impl From<&str> for EvaluationSpec {
    fn from(text: &str) -> EvaluationSpec {
        if text == "none" { EvaluationSpec::PieceSquare } else { EvaluationSpec::File(text.to_owned()) }
    }
}

impl fmt::Display for EvaluationSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EvaluationSpec::PieceSquare => "none",
            EvaluationSpec::File(path) => path,
        })
    }
}

/// The protocol of an outside program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The protocol of xboard, version 2.
    Cecp,
    /// FEN in, two square numbers out.
    World,
    /// One line asks, one line answers.
    Line,
}

/// An outside program, how to start it and how to speak with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramSpec {
    /// Its protocol.
    pub protocol: Protocol,
    /// Options to set, by name and value. Only UCI has any.
    pub options: Vec<(String, String)>,
    /// How it is started, as written.
    pub command: String,
}

/// Why a text names no mind.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// No mind has this name.
    #[error("there is no mind {0:?} ({hint})", hint = hint(.0, &NAMES))]
    UnknownMind(String),
    /// The mind has no such setting.
    #[error("the mind {mind} has no setting {setting:?} ({})", hint(setting, known))]
    UnknownSetting {
        /// The mind.
        mind: &'static str,
        /// The setting.
        setting: String,
        /// The settings it has.
        known: &'static [&'static str],
    },
    /// A setting has a value that makes no sense.
    #[error("{setting}={value}: expected {expected}")]
    BadValue {
        /// The setting.
        setting: String,
        /// The value.
        value: String,
        /// What would make sense.
        expected: &'static str,
    },
    /// A setting is not written as a name and a value.
    #[error("{0:?} is not a setting: expected a name, =, and a value")]
    NoValue(String),
    /// A path was cut in two by a comma: what came after it.
    #[error("a comma ends a setting, and {0:?} after it is none: expected a path without commas")]
    CommaInPath(String),
    /// The command line of an outside program makes no sense.
    #[error("{0}: expected a program to start after the colon")]
    BadCommandLine(BadCommandLine),
    /// Only UCI programs have options.
    #[error("only uci has options, {0} has none")]
    NoOptions(&'static str),
}

impl Protocol {
    const ALL: [Protocol; 4] = [Protocol::Uci, Protocol::Cecp, Protocol::World, Protocol::Line];

    /// The word that opens the name of such a mind.
    pub fn word(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Cecp => "cecp",
            Protocol::World => "world",
            Protocol::Line => "line",
        }
    }
}

/// A kind of mind, for people to choose from.
#[derive(Clone, Copy, Debug)]
pub struct MindKind {
    /// How it is written.
    pub form: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Whether it is an outside program.
    pub is_outside: bool,
}

impl MindKind {
    /// Every kind of mind there is.
    pub const ALL: [MindKind; 9] = {
        const fn ours(form: &'static str, about: &'static str) -> MindKind {
            MindKind { form, about, is_outside: false }
        }
        const fn outside(form: &'static str, about: &'static str) -> MindKind {
            MindKind { form, about, is_outside: true }
        }
        [
            ours("random", "plays any legal move; seed=N repeats its random moves"),
            ours("capture", "plays any capture, or any legal move; seed=N repeats its random moves"),
            ours("minimax", "looks at every line, 2 plies below its move; depth=N, ties=random, seed=N"),
            ours(
                "alphabeta",
                "leaves out lines that cannot matter, 4 plies below its move; depth=N, ties=random, seed=N",
            ),
            ours(
                "search",
                "thinks with the whole search; nodes=N, depth=N, time=MS, hash=MIB, threads=N, elo=N, random=%, net=FILE",
            ),
            outside("uci:PROGRAM", "an engine that speaks UCI; options as in uci,Hash=64,Threads=2:PROGRAM"),
            outside("cecp:PROGRAM", "an engine that speaks xboard's protocol, version 2"),
            outside("world:PROGRAM", "reads a FEN, answers from,to as square numbers 0 to 63; 0,0 forfeits"),
            outside("line:PROGRAM", "reads \"fen FEN moves MOVES time MS\", answers with one of the moves"),
        ]
    };
}

/// What opens the name of a function.
const FUNCTION: &str = "function";

const NAMES: [&str; 9] = ["random", "capture", "minimax", "alphabeta", "search", "uci", "cecp", "world", "line"];

impl FromStr for MindSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<MindSpec, SpecError> {
        let text = text.trim();
        let (head, rest) = text.split_once(':').unwrap_or((text, ""));
        let (name, options) = head.split_once(',').unwrap_or((head, ""));
        if let Some(protocol) = Protocol::ALL.into_iter().find(|protocol| protocol.word() == name) {
            return ProgramSpec::read(protocol, options, rest).map(MindSpec::Program);
        }
        // With or without a colon: what follows the name is a list of settings.
        let list = [options, rest].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(",");
        match name {
            "random" => settings::read_seed("random", &list).map(|seed| MindSpec::Random { seed }),
            "capture" => settings::read_seed("capture", &list).map(|seed| MindSpec::Capture { seed }),
            "minimax" => TreeSpec::read("minimax", &list).map(MindSpec::Minimax),
            "alphabeta" => TreeSpec::read("alphabeta", &list).map(MindSpec::AlphaBeta),
            "search" => SearchSpec::read(&list).map(MindSpec::Search),
            FUNCTION => Ok(MindSpec::Function(rest.to_owned())),
            _ => Err(SpecError::UnknownMind(name.to_owned())),
        }
    }
}

impl fmt::Display for MindSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MindSpec::Random { seed } => SpecText::new("random").with("seed", *seed).fmt(f),
            MindSpec::Capture { seed } => SpecText::new("capture").with("seed", *seed).fmt(f),
            MindSpec::Minimax(tree) => tree.settings("minimax").fmt(f),
            MindSpec::AlphaBeta(tree) => tree.settings("alphabeta").fmt(f),
            MindSpec::Search(search) => search.settings().fmt(f),
            MindSpec::Program(program) => {
                f.write_str(program.protocol.word())?;
                program.options.iter().try_for_each(|(name, value)| write!(f, ",{name}={value}"))?;
                write!(f, ":{}", program.command)
            }
            MindSpec::Function(name) => write!(f, "{FUNCTION}:{name}"),
        }
    }
}

impl MindSpec {
    /// The mind. Its random choices follow from the seed, unless it has a seed of its own.
    ///
    /// An outside program is not started before its first game.
    pub fn build(&self, seed: u64) -> Result<Box<dyn Mind>, Fault> {
        Ok(match self {
            MindSpec::Random { seed: own } => Box::new(RandomMind::new(own.unwrap_or(seed))),
            MindSpec::Capture { seed: own } => Box::new(CaptureMind::new(own.unwrap_or(seed))),
            MindSpec::Minimax(tree) => Box::new(tree.build(TreeMind::minimax(), seed)),
            MindSpec::AlphaBeta(tree) => Box::new(tree.build(TreeMind::alpha_beta(), seed)),
            MindSpec::Search(search) => search.build(seed)?,
            MindSpec::Program(program) => program.build()?,
            MindSpec::Function(name) => {
                let reason = "it is a function of the program that held its match".to_owned();
                return Err(Fault::new(name, FaultKind::DidNotStart { reason }));
            }
        })
    }
}

impl TreeSpec {
    fn build(&self, mind: TreeMind, seed: u64) -> TreeMind {
        let mind = match self.depth {
            Some(depth) => mind.with_depth(depth),
            None => mind,
        };
        match self.ties {
            Ties::First => mind,
            Ties::Random => mind.with_random_ties(self.seed.unwrap_or(seed)),
        }
    }
}

impl SearchSpec {
    fn build(&self, seed: u64) -> Result<Box<dyn Mind>, Fault> {
        let move_time = self.time.map(Duration::from_millis);
        let limits = Limits { depth: self.depth, nodes: self.nodes, move_time, ..Limits::default() };
        let mut mind = SearchMind::new(limits);
        let did_not_start = |reason: String| Fault::new("search", FaultKind::DidNotStart { reason });
        if let Some(judge) = &self.net {
            mind.set_evaluator(judge.evaluator().map_err(|error| did_not_start(error.to_string()))?);
        }
        if let Some(mebibytes) = self.hash {
            /// Many minds may think at once, and memory that is promised but not there ends the process.
            const MOST: usize = 1024;
            if mebibytes > MOST {
                return Err(did_not_start(format!("hash={mebibytes} is more than the {MOST} MiB a mind may have")));
            }
            mind.set_hash(mebibytes).map_err(|error| did_not_start(error.to_string()))?;
        }
        if let Some(count) = self.threads {
            mind.set_threads(count);
        }
        let mind = match self.elo {
            Some(elo) => mind.with_strength(Strength::of_elo(elo), seed),
            None => mind,
        };
        Ok(match self.random {
            Some(percent) => Box::new(DilutedMind::new(mind, percent, seed)),
            None => Box::new(mind),
        })
    }
}

impl ProgramSpec {
    fn read(protocol: Protocol, options: &str, command: &str) -> Result<ProgramSpec, SpecError> {
        let options = settings::read_pairs(options)?;
        if protocol != Protocol::Uci && !options.is_empty() {
            return Err(SpecError::NoOptions(protocol.word()));
        }
        let command = command.trim().to_owned();
        command.parse::<CommandLine>().map_err(SpecError::BadCommandLine)?;
        Ok(ProgramSpec { protocol, options, command })
    }

    fn build(&self) -> Result<Box<dyn Mind>, Fault> {
        let did_not_start = |error: BadCommandLine| {
            Fault::new(self.protocol.word(), FaultKind::DidNotStart { reason: error.to_string() })
        };
        let command = self.command.parse().map_err(did_not_start)?;
        Ok(match self.protocol {
            Protocol::Uci => {
                let mind = UciMind::new(command);
                Box::new(self.options.iter().fold(mind, |mind, (name, value)| mind.with_option(name, value)))
            }
            Protocol::Cecp => Box::new(CecpMind::new(command)),
            Protocol::World => Box::new(LineMind::world(command)),
            Protocol::Line => Box::new(LineMind::new(command)),
        })
    }
}

/// What was perhaps meant, or what there is.
fn hint(word: &str, known: &[&str]) -> String {
    match suggest(word, known.iter().copied()) {
        Some(close) => format!("did you mean {close:?}?"),
        None => format!("there are {}", known.join(", ")),
    }
}
