//! Every board sorts the moves to the leaves into the same classes.

use crate::support::{KIWIPETE, POSITION_3, POSITION_4, START};
use saavedra_classic::{Counters, Kind};

/// In the order of the fields: nodes, captures, en passant, castles, promotions, checks, discovered checks, double
/// checks, checkmates, stalemates.
fn counters(numbers: [u64; 10]) -> Counters {
    Counters {
        nodes: numbers[0],
        captures: numbers[1],
        en_passant: numbers[2],
        castles: numbers[3],
        promotions: numbers[4],
        checks: numbers[5],
        discovered_checks: numbers[6],
        double_checks: numbers[7],
        checkmates: numbers[8],
        stalemates: numbers[9],
    }
}

fn sorts(kind: Kind, fen: &str, depth: u32, numbers: [u64; 10]) {
    assert_eq!(kind.counters(fen, depth), Ok(counters(numbers)), "{kind}: {fen} depth {depth}");
}

#[test]
fn all_boards_reach_the_counts_of_the_founding_document_to_depth_four() {
    for kind in Kind::ALL {
        sorts(kind, START, 1, [20, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        sorts(kind, START, 2, [400, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        sorts(kind, START, 3, [8_902, 34, 0, 0, 0, 12, 0, 0, 0, 0]);
        sorts(kind, START, 4, [197_281, 1_576, 0, 0, 0, 469, 0, 0, 8, 0]);
    }
}

#[test]
fn the_faster_boards_reach_the_counts_of_the_founding_document_at_depth_five() {
    for kind in [Kind::Bitboard, Kind::Mailbox, Kind::Packed] {
        sorts(kind, START, 5, [4_865_609, 82_719, 258, 0, 0, 27_351, 6, 0, 347, 0]);
    }
}

#[test]
fn all_boards_tell_special_moves_apart() {
    for kind in Kind::ALL {
        sorts(kind, KIWIPETE, 3, [97_862, 17_102, 45, 3_162, 0, 993, 0, 0, 1, 0]);
        sorts(kind, POSITION_4, 3, [9_467, 1_021, 4, 0, 120, 38, 2, 0, 22, 0]);
        sorts(kind, POSITION_3, 4, [43_238, 3_348, 123, 0, 0, 1_680, 106, 0, 17, 0]);
    }
}

#[test]
fn all_boards_agree_on_double_checks_stalemates_and_castling_with_check() {
    let positions = [
        ("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 3),
        ("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 4),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 3),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 3),
        ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 2),
        ("8/8/8/1Ppp3r/RK3p1k/8/4P1P1/8 w - c6 0 1", 3),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 3),
    ];
    let mut total = Counters::default();
    for (fen, depth) in positions {
        let expected = Kind::Bitboard.counters(fen, depth).expect("the position is legal");
        for kind in Kind::ALL {
            assert_eq!(kind.counters(fen, depth), Ok(expected), "{kind}: {fen} depth {depth}");
        }
        total += expected;
    }
    // The comparison means something only if there was something to compare.
    let Counters { discovered_checks, double_checks, checkmates, stalemates, castles, promotions, .. } = total;
    for count in [discovered_checks, double_checks, checkmates, stalemates, castles, promotions] {
        assert!(count > 0, "{total:?}");
    }
}
