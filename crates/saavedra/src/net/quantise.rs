//! `saavedra net quantise`: from float weights to a network that plays.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use train::Exported;

use crate::failure::Failure;

/// Quantise float weights to a network, as every training does at its end.
///
/// Pairs are sorted so that the engine can skip more of them. With a reference, the output is scaled so that the root
/// mean square of the evaluations of fixed positions is the reference's.
#[derive(Args)]
#[command(after_help = "Example: saavedra net quantise 003.trunk 003.nnue --reference champion.nnue")]
pub(crate) struct Arguments {
    /// The float weights (.trunk), or a network to scale and sort; - is the standard input.
    #[arg(value_name = "FILE")]
    floats: PathBuf,
    /// The network to write, which must not exist.
    out: PathBuf,
    /// A network whose evaluation scale the new one gets.
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let floats = evolve::float_network(&arguments.floats)?;
    let reference = arguments.reference.as_deref().map(|file| evolve::network(Some(file))).transpose()?;
    let exported = train::export(&floats, reference.as_deref()).map_err(anyhow::Error::from)?;
    let Exported { network, scale, active_groups } = exported;
    super::write_new(&arguments.out, &network.write())?;
    let groups = evolve::active_groups(active_groups);
    Ok(writeln!(io::stdout(), "{}, evaluation scale {scale:.4}{groups}", network.architecture())?)
}
