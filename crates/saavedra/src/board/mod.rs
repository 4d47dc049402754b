//! `saavedra board`: the memory of the boards, as their authors drew it, and what moves do to it.

mod draw;

use std::io::{self, Write};

use clap::Args;
use classic::inspect::InspectRequest;
use classic::{BoardKind, StandardSetup, UciMove};
use rules::Position;

use crate::failure::Failure;
use crate::fen;
use crate::numbers::whole;

/// Show how boards keep a position in memory, and what each move does to it.
#[derive(Args)]
#[command(after_help = "Examples:
  saavedra board startpos e4 d5 exd5 --as mailbox
  saavedra board \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\" O-O --as packed,movemap
  saavedra board startpos --corrupt e2 --seed 7")]
pub(crate) struct Arguments {
    /// The position as FEN, or startpos. No Chess960: the classic boards castle from e1 and e8 with corner rooks only.
    #[arg(value_name = "FEN", default_value = "startpos")]
    start: String,
    /// Moves to play from there, like e2e4 or Nf3.
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,
    /// Which boards: mailbox, packed, movemap, bitboard, with commas between; all four if not given.
    #[arg(long = "as", value_name = "BOARDS", value_delimiter = ',')]
    boards: Vec<BoardKind>,
    /// Flip a bit in the end, and show what the check says: a square, a place such as `list[12]`, or any.
    #[arg(long, value_name = "PLACE")]
    corrupt: Option<String>,
    /// Which of the bits there.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "corrupt", value_parser = whole::<u64>)]
    seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// The order in which to read them.
const ALL: [BoardKind; 4] = [BoardKind::Mailbox, BoardKind::Packed, BoardKind::Movemap, BoardKind::Bitboard];

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let usage = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
    let setup = fen::parse_setup(&arguments.start).map_err(|error| usage(&error))?;
    let start = StandardSetup::try_from(setup).map_err(|error| usage(&error))?;
    let moves = read_moves(&start, &arguments.moves)?;
    let corrupt = arguments.corrupt.as_deref().map(|place| (place, arguments.seed));
    let question = InspectRequest { corrupt, ..InspectRequest::new(&start, &moves) };
    let kinds = if arguments.boards.is_empty() { &ALL[..] } else { &arguments.boards };
    let inspect =
        |kind: &BoardKind| kind.inspect(&question).map_err(|error| Failure::Usage(format!("{kind}: {error}")));
    let mut found = Vec::new();
    for kind in kinds {
        match inspect(kind) {
            Ok(inspection) => found.push(inspection),
            // A place may be one of some boards only; those are shown.
            Err(_) if arguments.boards.is_empty() && corrupt.is_some() => {}
            Err(error) => return Err(error),
        }
    }
    if found.is_empty() {
        inspect(&kinds[0])?;
    }

    let mut out = io::stdout().lock();
    if arguments.json {
        serde_json::to_writer(&mut out, &serde_json::json!({ "boards": found }))?;
        writeln!(out)?;
    } else {
        for (index, found) in found.iter().enumerate() {
            if index > 0 {
                writeln!(out)?;
            }
            draw::inspection(&mut out, found)?;
        }
    }
    Ok(out.flush()?)
}

/// Reads moves in either notation. Move numbers are skipped, so that a line of a game can be pasted.
fn read_moves(start: &StandardSetup, texts: &[String]) -> Result<Vec<UciMove>, Failure> {
    let mut position: Position = start.setup().position().map_err(|error| Failure::Usage(error.to_string()))?;
    let mut moves = Vec::new();
    for text in texts.iter().flat_map(|text| text.split_whitespace()) {
        let number = text.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(0);
        let text = if text[number..].starts_with('.') { text[number..].trim_start_matches('.') } else { text };
        if text.is_empty() {
            continue;
        }
        let mv = position.parse_san(text).map_err(|error| Failure::Usage(error.to_string()))?;
        let uci = position.uci(mv);
        moves.push(uci.parse().map_err(|_| Failure::Usage(format!("{uci} is no move of standard chess")))?);
        position = position.play_unchecked(mv);
    }
    Ok(moves)
}
