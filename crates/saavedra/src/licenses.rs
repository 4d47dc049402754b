//! `saavedra licenses`: the licences of what the program is made of.

use std::io::{self, Write};

use clap::Args;

use crate::failure::Failure;

/// Written by `cargo xtask licenses`.
const THIRD_PARTY: &str = include_str!("../THIRD-PARTY.txt");

/// Show the licences of the program and of the packages it is made with.
#[derive(Args)]
#[command(after_help = "Example: saavedra licenses | less")]
pub(crate) struct Arguments;

pub(crate) fn run(_: &Arguments) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "Saavedra is licensed under {}, at your choice.\n", env!("CARGO_PKG_LICENSE"))?;
    out.write_all(THIRD_PARTY.as_bytes())?;
    Ok(out.flush()?)
}
