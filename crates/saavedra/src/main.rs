//! One binary, one subcommand per job. This crate is glue: it reads the command line, calls a library, and prints.
//!
//! Exit codes are 0 for fine, 1 for failed, 2 for wrong usage; an error is one line on standard error.

mod doctor;
mod failure;
mod fen;
mod perft;
mod progress;
mod see;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

/// Chess in one binary.
#[derive(Parser)]
#[command(name = "saavedra", version, about, arg_required_else_help = true, subcommand_required = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Doctor(doctor::Arguments),
    Perft(perft::Arguments),
    See(see::Arguments),
}

fn main() -> ExitCode {
    let result = match Arguments::try_parse() {
        Ok(arguments) => match arguments.command {
            Command::Doctor(arguments) => doctor::run(&arguments),
            Command::Perft(arguments) => perft::run(&arguments),
            Command::See(arguments) => see::run(&arguments),
        },
        Err(error) => Failure::from_clap(error),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
