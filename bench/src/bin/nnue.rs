//! How long a network takes to judge a position, for each kernel of this CPU: a move played, the position judged, the
//! move taken back, as a search does it. The best of many interleaved rounds.

use std::sync::Arc;

use bench::best_times;
use nnue::{Accumulators, Architecture, Kernel, Layers, Network, Parameters};
use rules::{Move, Position};

const ROUNDS: usize = 25;
const WIDTHS: [usize; 4] = [64, 256, 512, 1024];

/// Where accumulators of pairwise networks start, so that one in five groups of products has something in it, as in
/// trained networks.
const PAIRWISE_BIAS: i16 = -28;

fn main() {
    let kernels = Kernel::available();
    println!("nanoseconds for a move and its judgement, best of {ROUNDS} interleaved rounds\n");
    print!("{:>14}", "width");
    kernels.iter().for_each(|kernel| print!("{:>12}", kernel.name()));
    println!();
    let children = children();
    let all = [Layers::Straight, Layers::Pairwise].into_iter().flat_map(|layers| WIDTHS.map(|width| (width, layers)));
    for (width, layers) in all {
        let architecture = Architecture::new(width).expect("the widths are valid");
        let Ok(architecture) = architecture.with_layers(layers) else { continue };
        let network = Arc::new(network(architecture));
        let mut followers: Vec<Accumulators> =
            kernels.iter().map(|&kernel| Accumulators::with_kernel(Arc::clone(&network), kernel)).collect();
        let mut work: Vec<_> = followers.iter_mut().map(|accumulators| || judge(accumulators, &children)).collect();
        let mut work: Vec<&mut dyn FnMut() -> (usize, i64)> = work.iter_mut().map(|work| work as _).collect();
        let (count, _) = work[0]();
        print!("{width:>5} {layers}");
        for time in best_times(ROUNDS, &mut work) {
            print!("{:>12.1}", time.as_secs_f64() * 1e9 / count as f64);
        }
        println!();
    }
}

/// A network at random.
fn network(architecture: Architecture) -> Network {
    let network = Network::random(1, architecture);
    match architecture.layers() {
        Layers::Straight => network,
        Layers::Pairwise => {
            let feature_biases = vec![PAIRWISE_BIAS; architecture.hidden()];
            let parameters = Parameters { feature_biases, ..network.parameters() };
            Network::new(architecture, "sparse", &parameters).expect("only the biases are others")
        }
    }
}

/// Positions of random games, each with its legal moves and where they lead.
fn children() -> Vec<(Position, Vec<(Move, Position)>)> {
    let mut all = Vec::new();
    testkit::random_walks(1, 4, testkit::Variants::Standard, |position| {
        let moves = position.legal_moves();
        all.push((*position, moves.iter().map(|&mv| (mv, position.play_unchecked(mv))).collect()));
    });
    all
}

/// Judges all children; how many there were, and the sum of what was said.
fn judge(accumulators: &mut Accumulators, children: &[(Position, Vec<(Move, Position)>)]) -> (usize, i64) {
    let (mut count, mut sum) = (0, 0);
    for (position, children) in children {
        accumulators.reset(position);
        for (mv, child) in children {
            position.play_unchecked_observed(*mv, accumulators.push());
            sum += i64::from(accumulators.evaluate(child));
            accumulators.pop();
        }
        count += children.len();
    }
    (count, sum)
}
