//! `saavedra net export`: the numbers of a network as a table for other programs.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nnue::{ACTIVATION_UNIT, FEATURES, Network, OUTPUT_UNIT};
use rules::{Role, Square};

use crate::failure::Failure;

/// Print numbers of a network as CSV.
///
/// Each line starts with what the numbers belong to. Squares are as the player sees them, with the own king on the files e
/// to h.
#[derive(Args)]
#[command(after_help = "Example: saavedra net export my.nnue --part output-weights --real > output.csv")]
pub(crate) struct Arguments {
    /// The network.
    file: PathBuf,
    /// Which numbers.
    #[arg(long, value_enum, default_value_t = Part::FeatureWeights)]
    part: Part,
    /// Print what the numbers stand for, instead of the whole numbers in the file.
    #[arg(long)]
    real: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Part {
    /// A line for each feature, with a number for each neuron.
    FeatureWeights,
    /// One line, with a number for each neuron.
    FeatureBiases,
    /// A line for each output bucket and each side's neurons.
    OutputWeights,
    /// A line for each output bucket.
    OutputBiases,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let network = engine::load_network(&arguments.file).map_err(anyhow::Error::from)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let unit = match arguments.part {
        Part::FeatureWeights | Part::FeatureBiases => f64::from(ACTIVATION_UNIT),
        Part::OutputWeights => f64::from(OUTPUT_UNIT),
        Part::OutputBiases => f64::from(ACTIVATION_UNIT) * f64::from(OUTPUT_UNIT),
    };
    for (labels, numbers) in rows(&network, arguments.part) {
        write!(out, "{labels}")?;
        for number in numbers {
            match arguments.real {
                true => write!(out, ",{:.6}", f64::from(number) / unit)?,
                false => write!(out, ",{number}")?,
            }
        }
        writeln!(out)?;
    }
    Ok(out.flush()?)
}

/// The lines: what the numbers belong to, and the numbers.
fn rows(network: &Network, part: Part) -> Vec<(String, Vec<i16>)> {
    let parameters = network.parameters();
    let hidden = network.architecture().hidden();
    let in_rows = |numbers: Vec<i16>, width: usize, label: fn(usize) -> String| {
        numbers.chunks(width).enumerate().map(|(index, row)| (label(index), row.to_vec())).collect()
    };
    match part {
        Part::FeatureWeights => in_rows(parameters.feature_weights, hidden, feature_label),
        Part::FeatureBiases => in_rows(parameters.feature_biases, hidden, |_| "bias".to_owned()),
        Part::OutputWeights => in_rows(parameters.output_weights, hidden, |index| {
            format!("{},{}", index / 2, if index % 2 == 0 { "own" } else { "their" })
        }),
        Part::OutputBiases => in_rows(parameters.output_biases, 1, |index| index.to_string()),
    }
}

/// King bucket, owner, role and square of a feature.
fn feature_label(index: usize) -> String {
    let (bucket, feature) = (index / FEATURES, index % FEATURES);
    let owner = if feature < FEATURES / 2 { "own" } else { "their" };
    let (role, square) = (Role::ALL[feature / 64 % Role::COUNT], Square::ALL[feature % 64]);
    format!("{bucket},{owner},{role},{square}")
}
