//! Deeper counts. One build runs them: they meet the same kinds of positions as `perft` does, only more of them, while
//! the instructions that another build uses are proved by all look-ups one by one and by the counts of `perft`.

use rules::{Perft, Position};
use saavedra_rules as rules;
use testkit::start_position_counters;

use crate::perft::check_file;

#[test]
fn the_counters_of_the_start_position_agree_at_depth_six() {
    let expected = start_position_counters()[5];
    assert_eq!(Perft::new().threads(2).counters(&Position::initial(), 6), Ok(expected));
}

#[test]
#[ignore = "takes a minute or two"]
fn the_counters_of_the_start_position_agree_at_depth_seven() {
    let expected = start_position_counters()[6];
    assert_eq!(Perft::new().threads(2).counters(&Position::initial(), 7), Ok(expected));
    assert_eq!(Perft::new().threads(2).count(&Position::initial(), 7), Ok(3_195_901_860));
}

#[test]
fn the_chess960_starts_have_their_counts_to_depth_five() {
    check_file("perft/chess960.perft", 10_000_000);
}

#[test]
#[ignore = "takes ten minutes"]
fn the_chess960_starts_have_their_counts_to_depth_six() {
    check_file("perft/chess960.perft", u64::MAX);
}
