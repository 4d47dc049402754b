//! `saavedra play`: a game against an engine, on the terminal or over a pipe.

mod command;
mod controller;
mod dialogue;
mod engine_thread;
mod opponent;
mod screen;
mod terminal_game;
mod text;

use std::io::{self, BufReader, IsTerminal};
use std::time::Duration;

use clap::Args;
use game::TimeControl;
use minds::Limits;
use rules::{Game, Position};
use search::Strength;

use crate::failure::Failure;
use crate::fen;
use crate::numbers::whole;
use crate::seconds::parse_seconds_or_zero;
use command::Side;
use controller::Controller;
use terminal_game::GameOptions;
use text::Pieces;

pub(crate) use dialogue::read_line;
pub(crate) use text::diagram;

/// Play a game on the terminal.
#[derive(Args)]
#[command(after_help = "\
Moves are typed as e4, Nf3 or e7e8q; \"help\" lists the other commands. Without a terminal, or with --plain, the game is
played line by line.

Example: saavedra play --side black --time 5m+3s")]
pub(crate) struct Arguments {
    /// The side you play.
    #[arg(long, value_enum, default_value = "white")]
    side: Side,
    /// Whom you play against: random, capture, minimax, alphabeta, search, or a program, like uci:stockfish.
    #[arg(long, value_name = "ENGINE", alias = "mind", default_value = "search")]
    engine: String,
    /// Play against the search held back to a rating.
    #[arg(long, value_name = "RATING", value_parser = opponent::parse_rating, conflicts_with = "engine")]
    elo: Option<Strength>,
    /// The clocks: a time for the game and seconds per move, like 5m+3s or 90s+0.5s; without it there are none.
    #[arg(long, value_name = "TIME", value_parser = TimeControl::parse_explicit)]
    time: Option<TimeControl>,
    /// Seconds the engine may think about a move in a game without clocks.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds_or_zero, default_value = "1", conflicts_with = "time")]
    think: Duration,
    /// Positions the engine may look at for a move in a game without clocks, instead of a time.
    #[arg(long, value_name = "N", conflicts_with_all = ["time", "think"], value_parser = whole::<u64>)]
    nodes: Option<u64>,
    /// The position to begin from.
    #[arg(long, value_name = "FEN", value_parser = fen::parse)]
    fen: Option<Position>,
    /// Moves that are already played, like "e4 e5 Nf3".
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// Your name in the game score.
    #[arg(long, value_name = "NAME", default_value = "You")]
    name: String,
    /// How pieces are drawn on the full screen.
    #[arg(long, value_enum, default_value = "unicode")]
    pieces: Pieces,
    /// Play line by line even on a terminal.
    #[arg(long)]
    plain: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let limits = match arguments.nodes {
        Some(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
        None => Limits { move_time: Some(arguments.think), ..Limits::default() },
    };
    let options = GameOptions {
        start: start(arguments)?,
        you: arguments.side.color(),
        your_name: arguments.name.clone(),
        time: arguments.time,
        limits,
    };
    let opponent =
        arguments.elo.map_or_else(|| arguments.engine.clone(), |strength| opponent::rated(strength).to_string());
    let controller = Controller::new(options, opponent::build(&opponent).map_err(Failure::Usage)?);
    // A terminal that calls itself dumb can neither place the cursor nor clear the screen.
    let is_dumb = std::env::var_os("TERM").is_some_and(|kind| kind == "dumb");
    let is_screen = io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb;
    if is_screen && !arguments.plain {
        return Ok(screen::run(controller, arguments.pieces)?);
    }
    programs::end_with_us();
    Ok(dialogue::run(controller, &mut BufReader::new(io::stdin()), &mut io::stdout().lock())?)
}

/// The game as it begins: a position, and moves that are already played.
fn start(arguments: &Arguments) -> Result<Game, Failure> {
    let mut game = Game::new(arguments.fen.unwrap_or_else(Position::initial));
    for word in arguments.moves.split_whitespace() {
        // Move numbers are skipped.
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
