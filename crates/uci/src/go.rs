//! The `go` command: what to search for and when to stop.

use std::fmt;

use crate::words::{Words, abridged};

/// What comes after `go`. Everything may be given together; what is not given does not limit the search.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Go {
    /// The moves to choose from; none stands for all.
    pub search_moves: Vec<String>,
    /// Search on the opponent's time: the last move of the position is the one that is expected.
    pub ponder: bool,
    /// White's clock in milliseconds. It may have run out.
    pub white_time: Option<i64>,
    /// Black's clock in milliseconds.
    pub black_time: Option<i64>,
    /// What White's clock gains with every move, in milliseconds.
    pub white_increment: Option<i64>,
    /// What Black's clock gains with every move, in milliseconds.
    pub black_increment: Option<i64>,
    /// Moves until the clocks gain time.
    pub moves_to_go: Option<u64>,
    /// The last depth to search.
    pub depth: Option<u64>,
    /// Positions to look at.
    pub nodes: Option<u64>,
    /// Look for a mate in so many moves.
    pub mate: Option<u64>,
    /// Time for this move in milliseconds.
    pub move_time: Option<i64>,
    /// Do not answer before `stop`.
    pub infinite: bool,
    /// Instead of searching, count the positions after so many plies. No part of the protocol, but widely understood.
    pub perft: Option<u64>,
}

const KEYWORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

impl Go {
    pub(crate) fn read(words: &mut Words) -> Go {
        let mut go = Go::default();
        while let Some(word) = words.next() {
            let name = format!("go {word}");
            match word {
                "searchmoves" => go.search_moves.extend(words.until(is_keyword)),
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "wtime" => go.white_time = words.number(&name, is_keyword),
                "btime" => go.black_time = words.number(&name, is_keyword),
                "winc" => go.white_increment = words.number(&name, is_keyword),
                "binc" => go.black_increment = words.number(&name, is_keyword),
                "movestogo" => go.moves_to_go = words.number(&name, is_keyword),
                "depth" => go.depth = words.number(&name, is_keyword),
                "nodes" => go.nodes = words.number(&name, is_keyword),
                "mate" => go.mate = words.number(&name, is_keyword),
                "movetime" => go.move_time = words.number(&name, is_keyword),
                "perft" => go.perft = words.number(&name, is_keyword),
                _ => words.complain(format!("go knows no {:?}", abridged(word))),
            }
        }
        go
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn write<N: fmt::Display>(f: &mut fmt::Formatter<'_>, name: &str, number: Option<N>) -> fmt::Result {
            number.map_or(Ok(()), |number| write!(f, " {name} {number}"))
        }
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        write(f, "wtime", self.white_time)?;
        write(f, "btime", self.black_time)?;
        write(f, "winc", self.white_increment)?;
        write(f, "binc", self.black_increment)?;
        write(f, "movestogo", self.moves_to_go)?;
        write(f, "depth", self.depth)?;
        write(f, "nodes", self.nodes)?;
        write(f, "mate", self.mate)?;
        write(f, "movetime", self.move_time)?;
        write(f, "perft", self.perft)?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        // Last, because some engines take everything that follows for moves.
        if !self.search_moves.is_empty() {
            write!(f, " searchmoves {}", self.search_moves.join(" "))?;
        }
        Ok(())
    }
}
