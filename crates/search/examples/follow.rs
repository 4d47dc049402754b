//! Follows a line of moves through a search, and tells why each of them was searched or not: which pruning hides a
//! sacrifice, and up to which depth.
//!
//! ```text
//! cargo run --release -p saavedra-search --example follow -- NODES FEN MOVE...
//! cargo run --release -p saavedra-search --example follow -- --analyse NODES FEN MOVE...
//! ```
//!
//! With `--analyse` checks are spared from pruning, as they are in a review.

use std::collections::BTreeMap;
use std::error::Error;

use rules::{Game, Move, Position};
use saavedra_search::{
    AnyEvaluator, Control, Limits, NodeEnd, Options, Request, Searcher, Skip, Visit, Watcher, rules,
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let spares_checks = arguments.first().is_some_and(|first| first == "--analyse");
    if spares_checks {
        arguments.remove(0);
    }
    let [nodes, fen, moves @ ..] = &arguments[..] else {
        return Err("the arguments are a number of nodes, a position as FEN, and the moves of a line".into());
    };
    let (root, limits) = (fen.parse::<Position>()?, Limits::nodes(nodes.parse()?));
    let (mut position, mut line) = (root, Vec::new());
    for text in moves {
        let mv = position.parse_san(text)?;
        line.push(mv);
        position = position.play(mv)?;
    }
    let mut follower = Follower::new(line);
    let game = Game::new(root);
    let options = Options { spares_checks, ..Options::default() };
    let request = Request::new(&game, limits).with_options(options);
    let answer =
        Searcher::new(AnyEvaluator::default()).search_watched(&request, &Control::new(), &mut (), &mut follower);
    for (text, fates) in moves.iter().zip(&follower.fates) {
        println!("{text}");
        for (fate, Tally { count, deepest }) in fates {
            println!("  {count:8}  {:30}  deepest {deepest}", fate.to_string());
        }
    }
    println!("{:?} {:?} at depth {}", answer.best.map(|mv| root.san(mv)), answer.line.score, answer.line.depth);
    Ok(())
}

/// What became of a move in one visit of the node where it could be played.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Searched,
    Skipped(Skip),
    /// The node was over before its turn.
    Ended(NodeEnd),
    /// It was left out with all quiet moves, after another was skipped for this reason; without a reason, quiet moves
    /// were not generated, or it was excluded while a singular move was verified.
    LeftOut(Option<Skip>),
}

impl std::fmt::Display for Fate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fate::Searched => write!(f, "searched"),
            Fate::Skipped(why) => write!(f, "skipped: {why:?}"),
            Fate::Ended(why) => write!(f, "node over: {why:?}"),
            Fate::LeftOut(Some(why)) => write!(f, "left out after another: {why:?}"),
            Fate::LeftOut(None) => write!(f, "not generated, or excluded"),
        }
    }
}

/// How often something happened, and at which depth at most; quiescence counts as zero.
#[derive(Default)]
struct Tally {
    count: u64,
    deepest: usize,
}

/// A visit of a node on the line.
struct OnLine {
    /// The move of the line that could be played there.
    mv: Move,
    depth: usize,
    fate: Option<Fate>,
    last_skip: Option<Skip>,
}

struct Follower {
    line: Vec<Move>,
    /// What became of each move of the line.
    fates: Vec<BTreeMap<Fate, Tally>>,
    /// The moves from the root to the current node.
    path: Vec<Option<Move>>,
    /// The visits that are not over; none for those off the line.
    visits: Vec<Option<OnLine>>,
}

impl Follower {
    fn new(line: Vec<Move>) -> Follower {
        let fates = line.iter().map(|_| BTreeMap::new()).collect();
        Follower { line, fates, path: Vec::new(), visits: Vec::new() }
    }

    /// The visit of the current node, if it is on the line.
    fn current(&mut self) -> Option<&mut OnLine> {
        self.visits.last_mut()?.as_mut()
    }
}

impl Watcher for Follower {
    fn plays(&mut self, mv: Option<Move>) {
        if let Some(visit) = self.current().filter(|visit| mv == Some(visit.mv)) {
            visit.fate = Some(Fate::Searched);
        }
        self.path.push(mv);
    }

    fn takes_back(&mut self) {
        self.path.pop();
    }

    fn enters(&mut self, visit: Visit) {
        let is_on_line = self.path.len() < self.line.len()
            && self.path.iter().zip(&self.line).all(|(&played, &mv)| played == Some(mv));
        let depth = visit.depth.unwrap_or(0);
        let on_line = || OnLine { mv: self.line[self.path.len()], depth, fate: None, last_skip: None };
        self.visits.push(is_on_line.then(on_line));
    }

    fn skips(&mut self, mv: Move, why: Skip) {
        if let Some(visit) = self.current() {
            if mv == visit.mv {
                visit.fate = Some(Fate::Skipped(why));
            }
            visit.last_skip = Some(why);
        }
    }

    fn leaves(&mut self, why: NodeEnd, _score: saavedra_search::Score) {
        if let Some(Some(visit)) = self.visits.pop() {
            let fate = visit.fate.unwrap_or(match why {
                NodeEnd::AllMoves => Fate::LeftOut(visit.last_skip),
                _ => Fate::Ended(why),
            });
            let tally = self.fates[self.path.len()].entry(fate).or_default();
            tally.count += 1;
            tally.deepest = tally.deepest.max(visit.depth);
        }
    }
}
