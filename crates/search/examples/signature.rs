//! Prints the signature of a shallow bench, by the network that is compiled in and by a random one. Fails unless it is
//! the same whatever instructions the program is limited to.

use std::process::ExitCode;
use std::sync::Arc;

use nnue::{Architecture, Network};
use saavedra_search::rules::Instructions;
use saavedra_search::{AnyEvaluator, bench};

fn main() -> ExitCode {
    let architecture = Architecture::new(64).expect("the width is valid");
    let network = Arc::new(Network::random(1, architecture));
    let signatures: Vec<(Instructions, String)> = (Instructions::ALL.into_iter())
        .map(|instructions| {
            Instructions::limit_to(instructions);
            // Evaluators choose their instructions when they are made.
            let evaluators = [AnyEvaluator::default(), Arc::clone(&network).into()];
            let [own, random] = evaluators.map(|evaluator| bench::run(evaluator, 6).nodes);
            (instructions, format!("{own} + {random}"))
        })
        .collect();
    if let Some((instructions, other)) = signatures.iter().find(|(_, signature)| *signature != signatures[0].1) {
        eprintln!("{} with {}, but {other} with {instructions}", signatures[0].1, signatures[0].0);
        return ExitCode::FAILURE;
    }
    println!("{}", signatures[0].1);
    ExitCode::SUCCESS
}
