#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod bench;
mod board;
mod color;
mod completions;
mod config;
mod contest;
mod data;
mod datagen;
mod doctor;
mod evolve;
mod failure;
mod fen;
mod forge;
#[cfg(feature = "nats")]
mod hub;
#[cfg(not(feature = "nats"))]
#[path = "without_hub.rs"]
mod hub;
mod interrupt;
mod licenses;
mod log;
mod man;
mod minds;
mod net;
mod numbers;
mod perft;
mod play;
mod practice;
mod progress;
mod recipe;
mod review;
mod seconds;
mod see;
mod serve;
mod train;
mod tree;
mod uci_check;
mod version;

use std::env;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use config::Config;
use failure::Failure;

/// Chess in one binary. Without a command it is a UCI engine.
#[derive(Parser)]
#[command(name = "saavedra", version, max_term_width = 120, about, after_help = "Example: saavedra play --elo 1200")]
struct Arguments {
    /// Log to standard error: error, warn, info, debug, trace, or parts such as arena=debug; as the variable RUST_LOG
    /// does.
    #[arg(long, global = true, value_name = "FILTER", help_heading = "Global options", display_order = 1000)]
    log: Option<String>,
    /// When output has colors. On a terminal it has, unless the variable NO_COLOR is set.
    #[arg(
        long, global = true, value_name = "WHEN", value_enum, default_value_t = color::When::Auto,
        help_heading = "Global options", display_order = 1001
    )]
    color: color::When,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Bench(bench::Arguments),
    Board(board::Arguments),
    Completions(completions::Arguments),
    Config(config::Arguments),
    Data(data::Arguments),
    Datagen(datagen::Arguments),
    Doctor(doctor::Arguments),
    Evolve(evolve::Arguments),
    Forge(forge::Arguments),
    #[cfg(feature = "nats")]
    Hub(hub::Arguments),
    Licenses(licenses::Arguments),
    Man(man::Arguments),
    Match(contest::Match),
    Minds(minds::Arguments),
    Net(net::Arguments),
    Perft(perft::Arguments),
    Play(play::Arguments),
    Practice(practice::Arguments),
    Rate(contest::Rate),
    Review(review::Arguments),
    See(see::Arguments),
    Serve(serve::Arguments),
    Sprt(contest::SequentialTest),
    Tournament(contest::Tournament),
    Train(train::Arguments),
    Tree(tree::Arguments),
    Tune(contest::tune::Tune),
    /// Speak UCI on standard input and output, as without a command.
    #[command(after_help = "Example: (echo go depth 10; sleep 1) | saavedra uci\n         \
                            saavedra uci --mind minimax")]
    Uci(minds::Player),
    UciCheck(uci_check::Arguments),
    #[cfg(feature = "nats")]
    Worker(hub::Worker),
    World(minds::World),
}

fn main() -> ExitCode {
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn start() -> Result<(), Failure> {
    if config::is_engine(env::args_os()) {
        return Arguments::try_parse().map_or_else(Failure::from_clap, run);
    }
    let config = Config::read()?;
    let command = config.apply(Arguments::command())?;
    let parsed = command.try_get_matches().and_then(|matches| Arguments::from_arg_matches(&matches));
    let is_files_fault = || !config.is_empty() && Arguments::try_parse().is_ok();
    parsed.map_or_else(
        |error| {
            Failure::from_clap(error).map_err(|failure| if is_files_fault() { config.blame(failure) } else { failure })
        },
        run,
    )
}

fn run(arguments: Arguments) -> Result<(), Failure> {
    log::start(arguments.log.as_deref())?;
    arguments.color.apply();
    match arguments.command.unwrap_or(Command::Uci(minds::Player::default())) {
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Board(arguments) => board::run(&arguments),
        Command::Config(arguments) => config::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments, Arguments::command()),
        Command::Data(arguments) => data::run(&arguments),
        Command::Datagen(arguments) => datagen::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Evolve(arguments) => evolve::run(&arguments),
        Command::Forge(arguments) => forge::run(&arguments),
        #[cfg(feature = "nats")]
        Command::Hub(arguments) => hub::run(&arguments),
        Command::Licenses(arguments) => licenses::run(&arguments),
        Command::Man(arguments) => man::run(&arguments, Arguments::command()),
        Command::Match(arguments) => contest::run_match(&arguments),
        Command::Minds(arguments) => minds::run(&arguments),
        Command::Net(arguments) => net::run(&arguments),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Practice(arguments) => practice::run(&arguments),
        Command::Rate(arguments) => contest::run_rate(&arguments),
        Command::Review(arguments) => review::run(&arguments),
        Command::See(arguments) => see::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Sprt(arguments) => contest::run_sprt(&arguments),
        Command::Tournament(arguments) => contest::run_tournament(&arguments),
        Command::Train(arguments) => train::run(&arguments),
        Command::Tree(arguments) => tree::run(&arguments),
        Command::Tune(arguments) => contest::tune::run(&arguments),
        Command::Uci(player) => minds::speak_uci(&player),
        Command::UciCheck(arguments) => uci_check::run(&arguments),
        #[cfg(feature = "nats")]
        Command::Worker(arguments) => hub::run_worker(&arguments),
        Command::World(arguments) => minds::speak_world(&arguments),
    }
}
