//! What an engine tells while it searches.

use std::fmt;

use interface::{Bound, UciScore};

use crate::words::{Words, abridged, one_line};

/// An `info` line. What is not told is `None` or empty.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Info {
    /// The depth searched, in plies.
    pub depth: Option<u32>,
    /// The deepest ply looked at.
    pub selective_depth: Option<u32>,
    /// The rank of the line, from 1.
    pub multi_pv: Option<u32>,
    /// What the line is worth to the player to move.
    pub score: Option<UciScore>,
    /// Whether the truth may be higher or lower than the score.
    pub bound: Bound,
    /// The chances to win, draw and lose, in thousandths.
    pub wdl: Option<[u32; 3]>,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// Positions a second.
    pub nps: Option<u64>,
    /// How full the table is, in thousandths.
    pub hash_full: Option<u32>,
    /// Positions found in tablebases.
    pub tablebase_hits: Option<u64>,
    /// Positions found in Shredder's own tablebases.
    pub shredder_hits: Option<u64>,
    /// Time since the search began, in milliseconds.
    pub time: Option<u64>,
    /// The load of the processor, in thousandths.
    pub cpu_load: Option<u32>,
    /// The move that is being looked at.
    pub current_move: Option<String>,
    /// The number of that move among those of the root, from 1.
    pub current_move_number: Option<u32>,
    /// The line.
    pub pv: Vec<String>,
    /// A move and the line that refutes it.
    pub refutation: Vec<String>,
    /// The line a thread is looking at.
    pub current_line: Option<CurrentLine>,
    /// Text for people.
    pub string: Option<String>,
}

/// The line a thread is looking at.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CurrentLine {
    /// The thread, from 1, if told.
    pub thread: Option<u32>,
    /// The moves.
    pub moves: Vec<String>,
}

const KEYWORDS: [&str; 20] = [
    "depth",
    "seldepth",
    "multipv",
    "score",
    "lowerbound",
    "upperbound",
    "wdl",
    "nodes",
    "nps",
    "hashfull",
    "tbhits",
    "sbhits",
    "time",
    "cpuload",
    "currmove",
    "currmovenumber",
    "pv",
    "refutation",
    "currline",
    "string",
];

fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

impl Info {
    /// A line of text for people.
    pub fn text(text: impl Into<String>) -> Info {
        Info { string: Some(text.into()), ..Info::default() }
    }

    pub(crate) fn read(words: &mut Words) -> Info {
        let mut info = Info::default();
        while let Some(word) = words.next() {
            let name = format!("info {word}");
            match word {
                "depth" => info.depth = words.number(&name, is_keyword),
                "seldepth" => info.selective_depth = words.number(&name, is_keyword),
                "multipv" => info.multi_pv = words.number(&name, is_keyword),
                "score" => (info.score, info.bound) = read_score(words),
                "wdl" => info.wdl = read_wdl(words),
                "nodes" => info.nodes = words.number(&name, is_keyword),
                "nps" => info.nps = words.number(&name, is_keyword),
                "hashfull" => info.hash_full = words.number(&name, is_keyword),
                "tbhits" => info.tablebase_hits = words.number(&name, is_keyword),
                "sbhits" => info.shredder_hits = words.number(&name, is_keyword),
                "time" => info.time = words.number(&name, is_keyword),
                "cpuload" => info.cpu_load = words.number(&name, is_keyword),
                "currmove" => info.current_move = words.next_unless(is_keyword).map(str::to_owned),
                "currmovenumber" => info.current_move_number = words.number(&name, is_keyword),
                "pv" => info.pv = words.until(is_keyword),
                "refutation" => info.refutation = words.until(is_keyword),
                "currline" => info.current_line = Some(CurrentLine::read(words)),
                "string" => info.string = Some(words.text().to_owned()),
                _ => words.complain(format!("info knows no {:?}", abridged(word))),
            }
        }
        info
    }
}

fn read_wdl(words: &mut Words) -> Option<[u32; 3]> {
    let mut next = || words.number("info wdl", is_keyword);
    Some([next()?, next()?, next()?])
}

/// Reads what follows the word `score`: a number, and whether it is a bound.
fn read_score(words: &mut Words) -> (Option<UciScore>, Bound) {
    let (mut score, mut bound) = (None, Bound::Exact);
    while let Some(word) = words.peek() {
        let opens = |word: &str| is_keyword(word) || word == "cp" || word == "mate";
        match word {
            "cp" | "mate" => {
                words.next();
                let number = words.number(&format!("info score {word}"), opens);
                score = number.map(if word == "cp" { UciScore::Centipawns } else { UciScore::mate });
            }
            "lowerbound" | "upperbound" => {
                words.next();
                bound = if word == "lowerbound" { Bound::Lower } else { Bound::Upper };
            }
            _ => break,
        }
    }
    if score.is_none() {
        words.complain("info score wants cp or mate and a whole number");
        // Without a score there is nothing that could be a bound.
        bound = Bound::Exact;
    }
    (score, bound)
}

impl CurrentLine {
    fn read(words: &mut Words) -> CurrentLine {
        let thread = words.peek().and_then(|word| word.parse().ok());
        if thread.is_some() {
            words.next();
        }
        CurrentLine { thread, moves: words.until(is_keyword) }
    }
}

impl fmt::Display for CurrentLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let thread = self.thread.map(|thread| thread.to_string());
        let words: Vec<&str> = thread.iter().chain(&self.moves).map(String::as_str).collect();
        f.write_str(&words.join(" "))
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn write<T: fmt::Display>(f: &mut fmt::Formatter<'_>, name: &str, value: Option<T>) -> fmt::Result {
            value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
        }
        let joined = |moves: &[String]| (!moves.is_empty()).then(|| moves.join(" "));
        f.write_str("info")?;
        write(f, "depth", self.depth)?;
        write(f, "seldepth", self.selective_depth)?;
        write(f, "multipv", self.multi_pv)?;
        write(f, "score", self.score)?;
        match self.bound {
            Bound::Lower if self.score.is_some() => f.write_str(" lowerbound")?,
            Bound::Upper if self.score.is_some() => f.write_str(" upperbound")?,
            _ => {}
        }
        write(f, "wdl", self.wdl.map(|[win, draw, loss]| format!("{win} {draw} {loss}")))?;
        write(f, "nodes", self.nodes)?;
        write(f, "nps", self.nps)?;
        write(f, "hashfull", self.hash_full)?;
        write(f, "tbhits", self.tablebase_hits)?;
        write(f, "sbhits", self.shredder_hits)?;
        write(f, "time", self.time)?;
        write(f, "cpuload", self.cpu_load)?;
        write(f, "currmove", self.current_move.as_ref())?;
        write(f, "currmovenumber", self.current_move_number)?;
        write(f, "pv", joined(&self.pv))?;
        write(f, "refutation", joined(&self.refutation))?;
        write(f, "currline", self.current_line.as_ref())?;
        write(f, "string", self.string.as_deref().map(one_line))
    }
}
