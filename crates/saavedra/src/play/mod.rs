//! `saavedra play`: a game against a mind, on the terminal or over a pipe.

mod clock;
mod command;
mod dialogue;
mod opponent;
mod room;
mod screen;
mod session;
mod text;
mod thinker;

use std::io::{self, BufReader, IsTerminal};
use std::time::Duration;

use clap::Args;
use engine::strength::Strength;
use minds::Limits;
use rules::{Game, Position};

use crate::failure::Failure;
use crate::fen;
use clock::TimeControl;
use command::Side;
use room::Room;
use session::Settings;
use text::Pieces;

/// Play a game on the terminal.
#[derive(Args)]
#[command(after_help = "\
Moves are typed as e4, Nf3 or e7e8q; \"help\" lists the other commands. Without a terminal, or with --plain, the game is
a conversation line by line.

Example: saavedra play --color black --time 5+3")]
pub(crate) struct Arguments {
    /// The colour you play.
    #[arg(long, value_enum, default_value = "white")]
    color: Side,
    /// Whom you play against: random, capture, minimax, alphabeta, search, or a program, like uci:stockfish.
    #[arg(long, value_name = "MIND", default_value = "search")]
    mind: String,
    /// Play against the search held back to a rating.
    #[arg(long, value_name = "RATING", value_parser = opponent::parse_rating, conflicts_with = "mind")]
    elo: Option<Strength>,
    /// Minutes for the game and seconds per move, like 5+3; without it there are no clocks.
    #[arg(long, value_name = "M+S")]
    time: Option<TimeControl>,
    /// Seconds the mind may think about a move in a game without clocks.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "1", conflicts_with = "time")]
    think: Duration,
    /// Positions the mind may look at for a move in a game without clocks, instead of a time.
    #[arg(long, value_name = "N", conflicts_with_all = ["time", "think"])]
    nodes: Option<u64>,
    /// The position to begin from.
    #[arg(long, value_name = "FEN", value_parser = fen::parse)]
    fen: Option<Position>,
    /// Moves that are already played, like "e4 e5 Nf3".
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// Your name in the game's record.
    #[arg(long, value_name = "NAME", default_value = "You")]
    name: String,
    /// How pieces are drawn on the full screen.
    #[arg(long, value_enum, default_value = "unicode")]
    pieces: Pieces,
    /// Talk line by line even on a terminal.
    #[arg(long)]
    plain: bool,
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected a number of seconds up to a day".to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let pace = match arguments.nodes {
        Some(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
        None => Limits { move_time: Some(arguments.think), ..Limits::default() },
    };
    let settings = Settings {
        start: start(arguments)?,
        you: arguments.color.color(),
        your_name: arguments.name.clone(),
        time: arguments.time,
        pace,
    };
    let opponent = arguments.elo.map_or_else(|| arguments.mind.clone(), opponent::rated);
    let room = Room::new(settings, opponent::summon(&opponent).map_err(Failure::Usage)?);
    let is_screen = io::stdin().is_terminal() && io::stdout().is_terminal();
    if is_screen && !arguments.plain {
        return Ok(screen::run(room, arguments.pieces)?);
    }
    programs::end_with_us();
    Ok(dialogue::run(room, &mut BufReader::new(io::stdin()), &mut io::stdout().lock())?)
}

/// The game as it stands before anybody sits down.
fn start(arguments: &Arguments) -> Result<Game, Failure> {
    let mut game = Game::new(arguments.fen.unwrap_or_else(Position::initial));
    for word in arguments.moves.split_whitespace() {
        // Numbers of moves are for the reader.
        let san = word.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        let san = if word.contains('.') { san } else { word };
        if san.is_empty() {
            continue;
        }
        let mv = game.position().parse_san(san);
        let mv = mv.map_err(|error| Failure::Usage(format!("in --moves: {error}")))?;
        game.play(mv).map_err(|error| Failure::Usage(format!("in --moves: {error}")))?;
    }
    Ok(game)
}
