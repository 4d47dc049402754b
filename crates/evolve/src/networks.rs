//! Networks from files, or the one that is compiled in.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use nnue::Network;
use search::AnyEvaluator;

use crate::Failure;

/// The network of a file, or without one the network that is compiled in.
pub fn network(file: Option<&Path>) -> Result<Arc<Network>, Failure> {
    match file {
        Some(file) => Ok(minds::cached_network(file)?),
        None => Ok(AnyEvaluator::default().network().cloned().context("no network is compiled in")?),
    }
}

/// The checksum of a network's file, as the ledger writes it.
pub(crate) fn checksum(network: &Network) -> String {
    format!("{:016x}", nnue::checksum(&network.write()))
}
