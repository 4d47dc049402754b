//! `saavedra net export`: the numbers of a network as a table for other programs.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nnue::{ACTIVATION_UNIT, FEATURES, Head, Network, OUTPUT_UNIT, Tail};
use rules::{Role, Square};

use crate::failure::Failure;

/// Print numbers of a network as CSV.
///
/// Each line starts with what the numbers belong to. Squares are as the player sees them, with the own king on the
/// files e to h.
#[derive(Args)]
#[command(after_help = "Example: saavedra net export my.nnue --part output-weights --real > output.csv")]
pub(crate) struct Arguments {
    /// The network; - is the standard input (default: the built-in network).
    file: Option<PathBuf>,
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
    /// In a pairwise network, a line for each output bucket, neuron and side, with a number for each product.
    SecondWeights,
    /// In a pairwise network, a line for each output bucket.
    SecondBiases,
    /// In a pairwise network, a line for each output bucket and neuron.
    ThirdWeights,
    /// In a pairwise network, a line for each output bucket.
    ThirdBiases,
}

/// Numbers to be printed.
struct CsvRows {
    /// What stands for 1.
    unit: f64,
    /// What the numbers belong to, and the numbers.
    rows: Vec<(String, Vec<i32>)>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let network = super::network(arguments.file.as_deref())?;
    let mut out = BufWriter::new(io::stdout().lock());
    let CsvRows { unit, rows } = table(&network, arguments.part)?;
    for (labels, numbers) in rows {
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

/// The numbers of a part, in rows.
fn table(network: &Network, part: Part) -> Result<CsvRows, Failure> {
    let parameters = network.parameters();
    let hidden = network.architecture().hidden();
    let activation = f64::from(ACTIVATION_UNIT);
    let table = match (part, &parameters.tail) {
        (Part::FeatureWeights, _) => table_of(activation, &parameters.feature_weights, hidden, feature_label),
        (Part::FeatureBiases, _) => table_of(activation, &parameters.feature_biases, hidden, |_| "bias".to_owned()),
        (Part::OutputWeights, Tail::Straight { output_weights, .. }) => {
            let label = |row: usize| format!("{},{}", row / 2, side(row));
            table_of(f64::from(OUTPUT_UNIT), output_weights, hidden, label)
        }
        (Part::OutputBiases, Tail::Straight { output_biases, .. }) => {
            table_of(activation * f64::from(OUTPUT_UNIT), output_biases, 1, |bucket| bucket.to_string())
        }
        (part, Tail::Pairwise(heads)) => head_table(heads, hidden, part),
        (_, Tail::Straight { .. }) => return Err(Failure::Usage("a straight network has no such layer".to_owned())),
    };
    Ok(table)
}

/// The numbers of a part of all heads.
fn head_table(heads: &[Head], hidden: usize, part: Part) -> CsvRows {
    let weight = f64::from(Head::WEIGHT_UNIT);
    let bucket = |bucket: usize| bucket.to_string();
    match part {
        Part::SecondWeights => {
            let numbers: Vec<i8> = heads.iter().flat_map(|head| head.second_weights.iter().copied()).collect();
            let label = |row: usize| format!("{},{},{}", row / 2 / Head::SECOND, row / 2 % Head::SECOND, side(row));
            table_of(f64::from(Head::SECOND_UNIT), &numbers, hidden / 2, label)
        }
        Part::SecondBiases => {
            let numbers: Vec<i32> = heads.iter().flat_map(|head| head.second_biases).collect();
            table_of(Head::SECOND_BIAS_UNIT, &numbers, Head::SECOND, bucket)
        }
        Part::ThirdWeights => {
            let numbers: Vec<i16> = heads.iter().flat_map(|head| head.third_weights).flatten().collect();
            let label = |row: usize| format!("{},{}", row / Head::THIRD, row % Head::THIRD);
            table_of(weight, &numbers, Head::SECOND, label)
        }
        Part::ThirdBiases => {
            let numbers: Vec<i32> = heads.iter().flat_map(|head| head.third_biases).collect();
            table_of(Head::THIRD_BIAS_UNIT, &numbers, Head::THIRD, bucket)
        }
        Part::OutputBiases => {
            let numbers: Vec<i32> = heads.iter().map(|head| head.output_bias).collect();
            table_of(Head::OUTPUT_BIAS_UNIT, &numbers, 1, bucket)
        }
        _ => {
            let numbers: Vec<i16> = heads.iter().flat_map(|head| head.output_weights).collect();
            table_of(weight, &numbers, Head::THIRD, bucket)
        }
    }
}

/// Numbers in rows of some width, each with what it belongs to.
fn table_of<N: Copy + Into<i32>>(unit: f64, numbers: &[N], width: usize, label: impl Fn(usize) -> String) -> CsvRows {
    let rows = numbers.chunks(width).enumerate();
    let rows = rows.map(|(index, row)| (label(index), row.iter().map(|&number| number.into()).collect())).collect();
    CsvRows { unit, rows }
}

/// Whose numbers are in a row, where rows alternate.
fn side(row: usize) -> &'static str {
    if row.is_multiple_of(2) { "own" } else { "their" }
}

/// King bucket, owner, role and square of a feature.
fn feature_label(index: usize) -> String {
    let (bucket, feature) = (index / FEATURES, index % FEATURES);
    let owner = if feature < FEATURES / 2 { "own" } else { "their" };
    let (role, square) = (Role::ALL[feature / 64 % Role::COUNT], Square::ALL[feature % 64]);
    format!("{bucket},{owner},{role},{square}")
}
