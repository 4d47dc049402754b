//! `saavedra net round`: from the weights of a training to a network that plays.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use train::Exported;

use crate::failure::Failure;

/// Make a network of a trunk, the weights of a training that are not rounded.
///
/// Every export of a training is made like this. Pairs are put into the order that the engine computes fastest; with a
/// reference, the output is multiplied by a factor, so that the root mean square of evaluations over fixed positions is
/// the same for both.
#[derive(Args)]
#[command(
    after_help = "What is read may be a network, too, whose weights are rounded already.\nExample: saavedra net round 003.trunk 003.nnue --reference champion.nnue"
)]
pub(crate) struct Arguments {
    /// The trunk, or a network.
    trunk: PathBuf,
    /// The network to write, which must not exist.
    out: PathBuf,
    /// A network to whose measure the new one is brought.
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let trunk = evolve::trunk(&arguments.trunk)?;
    let reference = arguments.reference.as_deref().map(|file| evolve::network(Some(file))).transpose()?;
    let exported = train::export(&trunk, reference.as_deref()).map_err(anyhow::Error::from)?;
    let Exported { network, scale, active_groups } = exported;
    super::write_new(&arguments.out, &network.write())?;
    let groups = evolve::active_groups(active_groups);
    Ok(writeln!(io::stdout(), "{}, output times {scale:.4}{groups}", network.architecture())?)
}
