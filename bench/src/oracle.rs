//! A UCI engine as the judge of moves: what a player can expect after a move, by the engine's own win/draw/loss model.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use anyhow::{Context, Result};
use programs::CommandLine;
use rules::{Move, Position};
use search::Bound;
use uci::Message;

use crate::engine::Engine;

/// Megabytes of hash.
const HASH: usize = 64;

/// What the engine says of a position.
#[derive(Clone, Debug)]
pub struct Opinion {
    /// The points the player to move can expect, 0 to 1.
    pub expected: f64,
    /// The move the engine would play.
    pub best: Option<Move>,
}

/// An engine that is asked about positions, each question from an empty table. Answers are kept in a file: a line for
/// each, with FEN, move or `-`, nodes, thousandths of wins, draws and losses, and the best move.
pub struct Oracle {
    engine: Engine,
    answers: HashMap<(String, String, u64), (f64, String)>,
    file: File,
}

impl Oracle {
    /// Starts the engine and reads what it said before.
    pub fn start(command: &CommandLine, file: &Path) -> Result<Oracle> {
        let mut engine = Engine::start(command, 1, HASH)?;
        engine.set_option("UCI_ShowWDL", "true")?;
        let mut answers = HashMap::new();
        if let Ok(known) = File::open(file) {
            for line in BufReader::new(known).lines() {
                let line = line?;
                let [fen, mv, nodes, win, draw, _, best] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
                let expected = (win.parse::<f64>()? + draw.parse::<f64>()? / 2.0) / 1000.0;
                answers.insert((fen.to_owned(), mv.to_owned(), nodes.parse()?), (expected, best.to_owned()));
            }
        }
        let open = OpenOptions::new().create(true).append(true).open(file);
        let file = open.with_context(|| format!("cannot write {}", file.display()))?;
        Ok(Oracle { engine, answers, file })
    }

    /// What the player to move can expect, with the best move or with one that is given.
    pub fn ask(&mut self, position: &Position, mv: Option<Move>, nodes: u64) -> Result<Opinion> {
        let key = (position.to_string(), mv.map_or("-".to_owned(), |mv| position.uci(mv)), nodes);
        let (expected, best) = match self.answers.get(&key) {
            Some(known) => known.clone(),
            None => {
                let (wdl, best) = self.search(&key)?;
                let [win, draw, loss] = wdl;
                let (fen, mv, nodes) = &key;
                writeln!(self.file, "{fen}\t{mv}\t{nodes}\t{win}\t{draw}\t{loss}\t{best}")?;
                let answer = (f64::from(2 * win + draw) / 2000.0, best);
                self.answers.insert(key, answer.clone());
                answer
            }
        };
        Ok(Opinion { expected, best: position.parse_uci(&best).ok() })
    }

    fn search(&mut self, (fen, mv, nodes): &(String, String, u64)) -> Result<([u32; 3], String)> {
        let only = if mv == "-" { String::new() } else { format!(" searchmoves {mv}") };
        let (mut wdl, mut best) = (None, String::new());
        self.engine.ask(fen, &format!("go nodes {nodes}{only}"), |message| match message {
            Message::Info(info) if info.bound == Bound::Exact => wdl = info.wdl.or(wdl),
            Message::BestMove { best: mv, .. } => best = mv.clone().unwrap_or_default(),
            _ => {}
        })?;
        Ok((wdl.with_context(|| format!("no win/draw/loss for {fen}"))?, best))
    }
}
