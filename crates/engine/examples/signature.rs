//! Prints the signature of a shallow bench, by the default evaluation and by a network, for comparing builds.

use std::sync::Arc;

use nnue::{Architecture, Network};
use saavedra_engine::bench;

fn main() {
    let architecture = Architecture::new(64).expect("the width is valid");
    let network = Arc::new(Network::random(1, architecture));
    println!("{} + {}", bench::run(6).nodes, bench::run_with(network.into(), 6).nodes);
}
