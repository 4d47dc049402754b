//! `saavedra net info`: the header of a network, and what its numbers are like.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use nnue::{FORMAT_VERSION, Head, KingBuckets, Layers, MOST_OUTPUT_WEIGHT, Network, Parameters, Tail};
use records::source::input_name;
use rules::Position;
use serde::Serialize;

use crate::failure::Failure;
use crate::numbers::grouped;

/// Describe networks: architecture, description, and statistics of their weights.
#[derive(Args)]
#[command(after_help = "Example: saavedra net info my.nnue --json")]
pub(crate) struct Arguments {
    /// Networks; - is the standard input (default: the built-in network).
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object for each network.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut files: Vec<Option<&Path>> = arguments.files.iter().map(|path| Some(path.as_path())).collect();
    if files.is_empty() {
        files.push(None);
    }
    let mut out = io::stdout().lock();
    for (number, &file) in files.iter().enumerate() {
        let report = Report::new(&*super::network(file)?);
        if arguments.json {
            serde_json::to_writer(&mut out, &report)?;
            writeln!(out)?;
            continue;
        }
        if let Some(file) = file.filter(|_| files.len() > 1) {
            writeln!(out, "{}{}:", if number == 0 { "" } else { "\n" }, input_name(file))?;
        }
        report.print(&mut out)?;
    }
    Ok(out.flush()?)
}

#[derive(Serialize)]
struct Report {
    description: String,
    architecture: String,
    hidden: usize,
    layers: String,
    king_buckets: usize,
    king_bucket_table: Vec<u8>,
    output_buckets: usize,
    format: u16,
    bytes: usize,
    checksum: String,
    /// Its evaluation of the starting position.
    start_position: i32,
    parts: Vec<Part>,
}

/// Statistics of the weights of one kind.
#[derive(Serialize)]
struct Part {
    name: &'static str,
    count: usize,
    least: i32,
    greatest: i32,
    mean: f64,
    deviation: f64,
    /// The share that is zero.
    zeros: f64,
    /// How many are clipped, either way.
    at_limit: usize,
}

impl Report {
    fn new(network: &Network) -> Report {
        let architecture = network.architecture();
        let bytes = network.write();
        Report {
            description: network.description().to_owned(),
            architecture: architecture.to_string(),
            hidden: architecture.hidden(),
            layers: architecture.layers().to_string(),
            king_buckets: architecture.king_buckets().count(),
            king_bucket_table: architecture.king_buckets().table().to_vec(),
            output_buckets: architecture.output_buckets(),
            format: FORMAT_VERSION,
            checksum: format!("{:016x}", nnue::checksum(&bytes[..bytes.len() - 8])),
            bytes: bytes.len(),
            start_position: network.evaluate(&Position::initial()),
            parts: parts(&network.parameters()),
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let description = if self.description.is_empty() { "none" } else { &self.description };
        writeln!(out, "Description:    {}", description.replace('\n', "\n                "))?;
        writeln!(out, "Architecture:   {}", self.architecture)?;
        let is_pairwise = self.layers == Layers::Pairwise.to_string();
        let activation = if is_pairwise { "CReLU, multiplied in pairs" } else { "SCReLU" };
        writeln!(out, "Accumulators:   {} neurons for each side, {activation}", self.hidden)?;
        writeln!(out, "King buckets:   {}", self.king_buckets)?;
        if self.king_bucket_table != KingBuckets::ONE.table() {
            for row in self.king_bucket_table.chunks(8).rev() {
                let right_half: String = row[4..].iter().map(|bucket| format!("{bucket:>3}")).collect();
                writeln!(out, "               {right_half}")?;
            }
        }
        writeln!(out, "Output buckets: {}", self.output_buckets)?;
        writeln!(
            out,
            "Format:         version {}, {} bytes, checksum {}",
            self.format,
            grouped(self.bytes as u64),
            self.checksum
        )?;
        writeln!(out, "Start position: {:+} centipawns\n", self.start_position)?;
        let [count, least, greatest, mean] = ["count", "least", "greatest", "mean"];
        writeln!(out, "{:<16}{count:>9}{least:>11}{greatest:>11}{mean:>13}    deviation   zeros  at limit", "")?;
        for part in &self.parts {
            writeln!(
                out,
                "{:<16}{:>9}{:>11}{:>11}{:>13.2}{:>13.2}{:>7.1}%{:>10}",
                part.name,
                part.count,
                part.least,
                part.greatest,
                part.mean,
                part.deviation,
                100.0 * part.zeros,
                part.at_limit
            )?;
        }
        Ok(())
    }
}

/// Statistics of all weights.
fn parts(parameters: &Parameters) -> Vec<Part> {
    let Parameters { feature_weights, feature_biases, tail } = parameters;
    let mut parts = vec![
        Part::new("feature weights", feature_weights, i16::MAX),
        Part::new("feature biases", feature_biases, i16::MAX),
    ];
    match tail {
        Tail::Straight { output_weights, output_biases } => parts.extend([
            Part::new("output weights", output_weights, MOST_OUTPUT_WEIGHT),
            Part::new("output biases", output_biases, i16::MAX),
        ]),
        Tail::Pairwise(heads) => parts.extend([
            Part::new("second weights", heads.iter().flat_map(|head| &head.second_weights), i8::MAX),
            Part::new("second biases", heads.iter().flat_map(|head| &head.second_biases), Head::MOST_BIAS),
            Part::new(
                "third weights",
                heads.iter().flat_map(|head| head.third_weights.as_flattened()),
                Head::MOST_THIRD_WEIGHT,
            ),
            Part::new("third biases", heads.iter().flat_map(|head| &head.third_biases), Head::MOST_BIAS),
            Part::new("output weights", heads.iter().flat_map(|head| &head.output_weights), Head::MOST_OUTPUT_WEIGHT),
            Part::new("output biases", heads.iter().map(|head| &head.output_bias), Head::MOST_BIAS),
        ]),
    }
    parts
}

impl Part {
    fn new<'a, N: Copy + Into<i32> + 'a>(
        name: &'static str,
        numbers: impl IntoIterator<Item = &'a N>,
        limit: impl Into<i32>,
    ) -> Part {
        let (numbers, limit): (Vec<i32>, i32) =
            (numbers.into_iter().map(|&number| number.into()).collect(), limit.into());
        let count = numbers.len();
        let share = |sum: f64| sum / count.max(1) as f64;
        let mean = share(numbers.iter().map(|&number| f64::from(number)).sum());
        let variance = share(numbers.iter().map(|&number| (f64::from(number) - mean).powi(2)).sum());
        Part {
            name,
            count,
            least: numbers.iter().copied().min().unwrap_or_default(),
            greatest: numbers.iter().copied().max().unwrap_or_default(),
            mean,
            deviation: variance.sqrt(),
            zeros: share(numbers.iter().filter(|&&number| number == 0).count() as f64),
            at_limit: numbers.iter().filter(|number| number.unsigned_abs() >= limit.unsigned_abs()).count(),
        }
    }
}
