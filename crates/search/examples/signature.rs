//! Prints the signature of a shallow bench, by the network that is compiled in and by a random one, for comparing
//! builds.

use std::sync::Arc;

use nnue::{Architecture, Network};
use saavedra_search::{AnyEvaluator, bench};

fn main() {
    let architecture = Architecture::new(64).expect("the width is valid");
    let network = Arc::new(Network::random(1, architecture));
    let [own, random] = [AnyEvaluator::default(), network.into()].map(|evaluator| bench::run(evaluator, 6).nodes);
    println!("{own} + {random}");
}
