//! Networks from files, or the one that is compiled in.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};
use nnue::Network;
use records::source::{input_name, is_standard_input, open_input};
use search::AnyEvaluator;
use train::FloatNetwork;

use crate::Failure;

/// The network of a file, or without one the network that is compiled in.
pub fn network(file: Option<&Path>) -> Result<Arc<Network>, Failure> {
    match file {
        Some(file) => Ok(minds::cached_network(file)?),
        None => Ok(AnyEvaluator::default().network().cloned().context("no network is compiled in")?),
    }
}

/// The float weights of a file or, of the file of a network, its quantised weights.
pub fn float_network(file: &Path) -> Result<FloatNetwork, Failure> {
    let bytes = read(file)?;
    if FloatNetwork::is_float_network(&bytes) {
        Ok(FloatNetwork::read(&bytes).with_context(|| format!("cannot read {}", input_name(file)))?)
    } else {
        Ok(FloatNetwork::of(&network_of(file, &bytes)?))
    }
}

/// A network from an input that can be read only once.
pub fn input_network(file: &Path) -> Result<Network, Failure> {
    network_of(file, &read(file)?)
}

fn network_of(file: &Path, bytes: &[u8]) -> Result<Network, Failure> {
    Ok(Network::read(bytes).map_err(|error| anyhow!("{}: {error}", input_name(file)))?)
}

/// A whole file, or the whole standard input.
fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let reading = || format!("cannot read {}", input_name(file));
    // A pipe might never end, unless it is the one that the user means.
    if !is_standard_input(file) && !fs::metadata(file).with_context(reading)?.is_file() {
        return Err(anyhow!("{} is not a file", file.display()).into());
    }
    let mut bytes = Vec::new();
    let source = open_input(file).map_err(anyhow::Error::from)?;
    source.take(MOST_BYTES).read_to_end(&mut bytes).with_context(reading)?;
    Ok(bytes)
}

/// More than the widest network has.
const MOST_BYTES: u64 = 1 << 30;

/// Where the float weights of a network lie: beside it.
pub fn float_path(network: &Path) -> PathBuf {
    network.with_extension("trunk")
}

/// The float weights beside the file of a network or, without them, its quantised weights.
pub(crate) fn float_network_of(network: &Path) -> Result<FloatNetwork, Failure> {
    let path = float_path(network);
    if path.exists() { float_network(&path) } else { float_network(network) }
}

/// The checksum of a network's file, as the ledger writes it.
pub(crate) fn checksum(network: &Network) -> String {
    format!("{:016x}", nnue::checksum(&network.write()))
}
