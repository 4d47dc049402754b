//! Reads a file of games with every move checked: by our reader, by pgn-reader with shakmaty, and by python-chess, in
//! turns. Argument: the file, packed or not; without one, games are made up.

use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use bench::{best_times, see};
use pgn_reader::{RawTag, SanPlus};
use records::pgn::{self, Eval, Evaluation, GameTree, NodeId, Reader, Visitor};
use records::source;
use rules::{Game, Move, Position};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _};
use testkit::Random;

/// Every reader reads about as many bytes in all, in rounds.
const BYTES: usize = 200_000_000;

/// Python is given the first games only, as many as this holds.
const PYTHON_BYTES: usize = 1 << 20;

fn main() -> Result<()> {
    let text = match std::env::args().nth(1) {
        Some(file) => {
            let mut text = Vec::new();
            source::open(file.as_ref())?.read_to_end(&mut text)?;
            text
        }
        None => made_up_games(),
    };
    let size = text.len() as f64 / 1e6;
    let mut ours = Tally::default();
    let mut theirs = Tally::default();
    let times = best_times(
        (BYTES / text.len().max(1)).clamp(7, 200),
        &mut [&mut || ours = read_ours(&text), &mut || theirs = read_theirs(&text)],
    );
    println!("{size:.1} MB, {} games, {} moves ({} games spoiled)", ours.games, ours.moves, ours.spoiled);
    ensure!(
        (ours.games, ours.moves) == (theirs.games, theirs.moves) || ours.spoiled + theirs.spoiled > 0,
        "pgn-reader finds {} games and {} moves",
        theirs.games,
        theirs.moves
    );
    let speed = |time: Duration| size / time.as_secs_f64();
    let (mine, other) = (speed(times[0]), speed(times[1]));
    println!("{:<24}{mine:>9.1} MB/s", "saavedra");
    println!("{:<24}{other:>9.1} MB/s  saavedra is {:.2} times as fast", "pgn-reader + shakmaty", mine / other);
    match python_speed(&text) {
        Ok(python) => {
            println!("{:<24}{python:>9.2} MB/s  saavedra is {:.0} times as fast", "python-chess", mine / python);
        }
        Err(error) => println!("python-chess             not measured: {error:#}"),
    }
    Ok(())
}

#[derive(Default)]
struct Tally {
    games: u64,
    moves: u64,
    spoiled: u64,
}

impl Visitor for Tally {
    fn played(&mut self, _mv: Move, _before: &Position, _after: &Position) {
        self.moves += 1;
    }

    // pgn-reader's own example passes over variations, and so that both do the same, we do here.
    fn begin_variation(&mut self) -> pgn::Interest {
        pgn::Interest::Skip
    }
}

fn read_ours(text: &[u8]) -> Tally {
    let mut tally = Tally::default();
    let mut reader = Reader::new(text);
    while let Some(report) = reader.read_game(&mut tally).expect("memory can be read") {
        tally.games += 1;
        tally.spoiled += u64::from(report.problem.is_some());
    }
    tally
}

fn read_theirs(text: &[u8]) -> Tally {
    let mut tally = Tally::default();
    let mut reader = pgn_reader::Reader::new(text);
    while reader.read_game(&mut tally).expect("memory can be read").is_some() {
        tally.games += 1;
    }
    tally
}

impl pgn_reader::Visitor for Tally {
    type Tags = Option<Chess>;
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Option<Chess>> {
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, tags: &mut Option<Chess>, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            *tags =
                Fen::from_ascii(value.as_bytes()).ok().and_then(|fen| fen.into_position(CastlingMode::Chess960).ok());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Option<Chess>) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(tags.unwrap_or_default())
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(position) {
            Ok(mv) => {
                position.play_unchecked(mv);
                self.moves += 1;
                ControlFlow::Continue(())
            }
            Err(_) => {
                self.spoiled += 1;
                ControlFlow::Break(())
            }
        }
    }

    fn end_game(&mut self, _position: Chess) {}
}

/// Lets python-chess read the first games, three times, and returns the best of its speeds in MB/s.
fn python_speed(text: &[u8]) -> Result<f64> {
    const SCRIPT: &str = "\
import sys, io, time
import chess.pgn
text = sys.stdin.buffer.read().decode('utf-8', 'replace')
class Check(chess.pgn.BaseVisitor):
    def begin_variation(self):
        return chess.pgn.SKIP
    def result(self):
        return True
best = 1e9
for _ in range(3):
    stream = io.StringIO(text)
    begun = time.perf_counter()
    while chess.pgn.read_game(stream, Visitor=Check):
        pass
    best = min(best, time.perf_counter() - begun)
print(best)
";
    let cut = text[..text.len().min(PYTHON_BYTES)].windows(8).rposition(|bytes| bytes == b"\n[Event ");
    let part = if text.len() <= PYTHON_BYTES { text } else { &text[..cut.context("no game ends early enough")? + 1] };
    let mut python = Command::new("python3")
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("there is no python3")?;
    python.stdin.take().context("no pipe")?.write_all(part).context("python3 has no module chess")?;
    let output = python.wait_with_output()?;
    let seconds: f64 = String::from_utf8(output.stdout)?.trim().parse().context("python3 has no module chess")?;
    Ok(part.len() as f64 / 1e6 / seconds)
}

/// Games as a server gives them out: sensible moves, half of the games with clocks and evaluations.
fn made_up_games() -> Vec<u8> {
    const GAMES: u64 = 4_000;
    let openings = testkit::data_file("books/8moves_v3.pgn.zip").and_then(|file| source::open(&file).ok());
    let mut openings = openings.map(|file| pgn::games(file).filter_map(Result::ok));
    let begun = Instant::now();
    let mut text = Vec::new();
    for seed in 0..GAMES {
        let opening = openings.as_mut().and_then(Iterator::next).map_or_else(Game::default, |tree| tree.game());
        let mut random = Random::new(seed);
        let mut tree = GameTree::from(&see::games::play_on(opening, &mut random));
        for (name, value) in [("Event", "Rated game"), ("Site", "https://example.org/a1b2c3d4"), ("Date", "2026.11.15")]
        {
            tree.tags.set(name, value);
        }
        tree.tags.set("White", &format!("player{}", seed % 997));
        tree.tags.set("Black", &format!("player{}", seed % 991));
        for (name, value) in [("WhiteElo", "1834"), ("BlackElo", "1799"), ("ECO", "B12"), ("TimeControl", "300+3")] {
            tree.tags.set(name, value);
        }
        if seed % 2 == 0 {
            annotate(&mut tree, &mut random);
        }
        writeln!(text, "{tree}").expect("memory can be written");
    }
    eprintln!("{GAMES} games made up in {:.1} s", begun.elapsed().as_secs_f64());
    text
}

fn annotate(tree: &mut GameTree, random: &mut Random) {
    let nodes: Vec<NodeId> = tree.mainline().collect();
    let mut clocks = [Duration::from_secs(300); 2];
    for (ply, id) in nodes.into_iter().enumerate() {
        let clock = &mut clocks[ply % 2];
        *clock = clock.saturating_sub(Duration::from_secs(random.below(6) as u64));
        let node = tree.node_mut(id);
        node.clock = Some(*clock);
        let score = Evaluation::Centipawns(random.below(200) as i32 - 100);
        node.eval = Some(Eval { score, depth: None });
    }
}
