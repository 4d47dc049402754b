//! Prints how right and how quick the exchange methods are. Arguments: seed, moves of a kind, rounds.

use bench::see::{Plan, measure};

fn main() {
    let number = |nth: usize| std::env::args().nth(nth).and_then(|text| text.parse::<usize>().ok());
    let default = Plan::default();
    println!(
        "{}",
        measure(&Plan {
            seed: number(1).map_or(default.seed, |seed| seed as u64),
            moves_of_a_kind: number(2).unwrap_or(default.moves_of_a_kind),
            rounds: number(3).unwrap_or(default.rounds),
        })
    );
}
