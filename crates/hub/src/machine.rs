//! What a machine is worth: the signature of its search, which must be ours, and how fast it is with all cores busy.

use std::thread;

use search::{AnyEvaluator, bench};

/// How deep the positions of the bench are searched: enough to measure, and over in seconds.
const DEPTH: usize = 9;

/// What a machine is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reference {
    /// How many positions the bench looks at, the same wherever the search is the same.
    pub signature: u64,
    /// Nodes a second of one core, while so many work.
    pub speed: u64,
}

impl Reference {
    /// Measures this machine with so many cores at once, as they will work later.
    pub fn measure(cores: usize) -> Reference {
        let measured = thread::scope(|scope| {
            let run = || bench::run(AnyEvaluator::default(), DEPTH);
            let threads: Vec<_> = (0..cores.max(1)).map(|_| scope.spawn(run)).collect();
            threads.into_iter().map(|thread| thread.join().expect("a bench does not panic")).collect::<Vec<_>>()
        });
        let total: u64 = measured.iter().map(bench::Bench::nodes_per_second).sum();
        Reference { signature: measured[0].nodes, speed: (total / measured.len() as u64).max(1) }
    }
}
