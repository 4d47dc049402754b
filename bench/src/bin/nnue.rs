//! How long a network takes to judge a position, for each kernel of this CPU: a move played, the position judged, the
//! move taken back, as a search does it. The best of many interleaved rounds.

use std::sync::Arc;

use bench::best_times;
use nnue::{Accumulators, Architecture, Kernel, Network};
use rules::{Move, Position};

const ROUNDS: usize = 25;
const WIDTHS: [usize; 4] = [64, 256, 512, 1024];

fn main() {
    let kernels = Kernel::available();
    println!("nanoseconds for a move and its judgement, best of {ROUNDS} interleaved rounds\n");
    print!("{:>6}", "width");
    kernels.iter().for_each(|kernel| print!("{:>12}", kernel.name()));
    println!();
    let children = children();
    for width in WIDTHS {
        let network = Arc::new(Network::random(1, Architecture::new(width).expect("the widths are valid")));
        let mut followers: Vec<Accumulators> =
            kernels.iter().map(|&kernel| Accumulators::with_kernel(Arc::clone(&network), kernel)).collect();
        let mut work: Vec<_> = followers.iter_mut().map(|accumulators| || judge(accumulators, &children)).collect();
        let mut work: Vec<&mut dyn FnMut() -> (usize, i64)> = work.iter_mut().map(|work| work as _).collect();
        let (count, _) = work[0]();
        print!("{width:>6}");
        for time in best_times(ROUNDS, &mut work) {
            print!("{:>12.1}", time.as_secs_f64() * 1e9 / count as f64);
        }
        println!();
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
