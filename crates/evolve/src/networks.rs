//! Networks from files, or the one that is compiled in.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};
use nnue::Network;
use search::AnyEvaluator;
use train::Trunk;

use crate::Failure;

/// The network of a file, or without one the network that is compiled in.
pub fn network(file: Option<&Path>) -> Result<Arc<Network>, Failure> {
    match file {
        Some(file) => Ok(minds::cached_network(file)?),
        None => Ok(AnyEvaluator::default().network().cloned().context("no network is compiled in")?),
    }
}

/// The trunk of a file or, of the file of a network, its rounded weights.
pub fn trunk(file: &Path) -> Result<Trunk, Failure> {
    let reading = || format!("cannot read {}", file.display());
    if !fs::metadata(file).with_context(reading)?.is_file() {
        return Err(anyhow!("{} is not a file", file.display()).into());
    }
    let mut bytes = Vec::new();
    File::open(file).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes)).with_context(reading)?;
    if Trunk::is_trunk(&bytes) {
        Ok(Trunk::read(&bytes).with_context(reading)?)
    } else {
        Ok(Trunk::of(&*network(Some(file))?))
    }
}

/// More than the widest network has.
const MOST_BYTES: u64 = 1 << 30;

/// Where the trunk of a network lies: beside it.
pub fn trunk_path(network: &Path) -> PathBuf {
    network.with_extension("trunk")
}

/// The trunk beside the file of a network or, without one, the network's rounded weights.
pub(crate) fn trunk_of(network: &Path) -> Result<Trunk, Failure> {
    let path = trunk_path(network);
    if path.exists() { trunk(&path) } else { trunk(network) }
}

/// The checksum of a network's file, as the ledger writes it.
pub(crate) fn checksum(network: &Network) -> String {
    format!("{:016x}", nnue::checksum(&network.write()))
}
