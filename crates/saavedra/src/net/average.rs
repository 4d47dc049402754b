//! `saavedra net average`: the mean of several networks, in float weights.

use std::path::{Path, PathBuf};

use clap::Args;
use train::FloatNetwork;

use crate::failure::Failure;

/// Average the weights of networks of the same architecture.
///
/// For networks that were fine-tuned from the same weights, or for one of them and what it was fine-tuned from. The
/// mean of networks that were trained apart is worthless.
#[derive(Args)]
#[command(after_help = "Example: saavedra net average mean.trunk champion.nnue=0.3 003.trunk=0.7\n         \
                        saavedra net quantise mean.trunk mean.nnue --reference champion.nnue")]
pub(crate) struct Arguments {
    /// The float weights to write (.trunk), which must not exist.
    out: PathBuf,
    /// Float weights or networks, each with its share (default: equal shares); - is the standard input.
    #[arg(value_name = "FILE[=SHARE]", required = true, value_parser = parse_part)]
    parts: Vec<Part>,
}

/// A network, and how much of it goes into the mean.
#[derive(Clone, Debug)]
struct Part {
    file: PathBuf,
    share: f64,
}

fn parse_part(text: &str) -> Result<Part, String> {
    let Some((file, share)) = text.rsplit_once('=') else { return Ok(Part { file: text.into(), share: 1.0 }) };
    match share.parse() {
        Ok(share) if share > 0.0 && f64::is_finite(share) => Ok(Part { file: file.into(), share }),
        _ => Err("a share is a number above 0".to_owned()),
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let read = |part: &Part| Ok((evolve::float_network(&part.file)?, part.share));
    let networks = arguments.parts.iter().map(read).collect::<Result<Vec<_>, Failure>>()?;
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let parts = arguments.parts.iter().map(|part| format!("{} of {}", part.share, name(&part.file)));
    let description = format!("mean: {}", parts.collect::<Vec<_>>().join(", "));
    let mean = FloatNetwork::mean(&networks, description)
        .ok_or_else(|| Failure::Usage("the networks have different architectures".to_owned()))?;
    super::write_new(&arguments.out, &mean.write())
}
