//! Prints centipawns and mates as a protocol and as a person write them: `cargo run --example scores`.

use saavedra_interface::Score;

fn main() {
    for score in [Score::new(35), Score::new(-250), Score::DRAW, Score::mate_in(3), Score::mated_in(2)] {
        let uci = score.to_uci();
        println!("{:<10} {}", uci.to_string(), uci.in_pawns("#", "#-"));
    }
}
