//! Every board counts the trees that every move generator is measured by.

mod support;

use saavedra_classic::Kind;
use support::{KIWIPETE, POSITION_3, POSITION_4, POSITION_5, POSITION_6, START};

/// Positions with their leaf counts at depths one, two, three and so on.
const FULL: [(&str, &[u64]); 6] = [
    (START, &[20, 400, 8_902, 197_281, 4_865_609]),
    (KIWIPETE, &[48, 2_039, 97_862, 4_085_603]),
    (POSITION_3, &[14, 191, 2_812, 43_238, 674_624]),
    (POSITION_4, &[6, 264, 9_467, 422_333]),
    (POSITION_5, &[44, 1_486, 62_379, 2_103_487]),
    (POSITION_6, &[46, 2_079, 89_890, 3_894_594]),
];

/// Positions that each try one rule, with a depth and the leaf count there.
const RULES: [(&str, &str, u32, u64); 14] = [
    ("en passant would expose the king", "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1_134_888),
    ("en passant would open a diagonal", "8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1", 6, 1_015_133),
    ("en passant gives check", "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1_440_467),
    ("castling king side gives check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661_072),
    ("castling queen side gives check", "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803_711),
    ("rights are lost with rooks", "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1_274_206),
    ("castling through check", "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1_720_476),
    ("promoting out of check", "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 5, 266_199),
    ("discovered check", "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1_004_658),
    ("promoting with check", "4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217_342),
    ("underpromotion", "8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92_683),
    ("stalemating oneself", "K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2_217),
    ("stalemate and mate", "8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567_584),
    ("double check", "8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23_527),
];

fn counts_everything(kind: Kind, spared: usize) {
    for (fen, counts) in FULL {
        for (depth, &expected) in (1..).zip(&counts[..counts.len() - spared]) {
            assert_eq!(kind.perft(fen, depth).expect("the position is legal"), expected, "{kind}: {fen} depth {depth}");
        }
    }
    for (rule, fen, depth, expected) in RULES {
        assert_eq!(kind.perft(fen, depth).expect("the position is legal"), expected, "{kind}: {rule}");
    }
}

#[test]
fn the_bitboard_counts_the_standard_positions() {
    counts_everything(Kind::Bitboard, 0);
}

#[test]
fn the_mailbox_counts_the_standard_positions() {
    counts_everything(Kind::Mailbox, 0);
}

#[test]
fn the_packed_board_counts_the_standard_positions() {
    counts_everything(Kind::Packed, 0);
}

#[test]
fn move_maps_with_both_wishes_count_the_standard_positions() {
    counts_everything(Kind::MovemapAsWished, 0);
}

#[test]
fn the_original_move_maps_count_the_standard_positions() {
    counts_everything(Kind::Movemap, 1);
}

#[test]
fn each_wish_for_the_move_maps_changes_no_count() {
    for kind in [Kind::MovemapWithRights, Kind::MovemapWithLines] {
        for (fen, counts) in FULL {
            assert_eq!(kind.perft(fen, 3).expect("the position is legal"), counts[2], "{kind}: {fen}");
        }
    }
}

#[test]
#[ignore = "takes minutes: every board to the depth in which the founding document boasts of its speed"]
fn all_boards_count_depth_six_of_the_start_position() {
    for kind in Kind::ALL {
        assert_eq!(kind.perft(START, 6), Ok(119_060_324), "{kind}");
    }
}

#[test]
fn divide_adds_up_to_perft_and_names_every_move() {
    for kind in Kind::ALL {
        let parts = kind.divide(KIWIPETE, 3).expect("the position is legal");
        assert_eq!(parts.len(), 48, "{kind}");
        assert_eq!(parts.iter().map(|(_, count)| count).sum::<u64>(), 97_862, "{kind}");
        let castling = parts.iter().find(|(mv, _)| mv.to_string() == "e1g1");
        assert_eq!(castling.map(|&(_, count)| count), Some(2_059), "{kind}");
        assert_eq!(parts, Kind::Bitboard.divide(KIWIPETE, 3).expect("the position is legal"), "{kind}");
    }
}

#[test]
fn the_tree_of_depth_zero_is_the_position_itself() {
    for kind in Kind::ALL {
        assert_eq!(kind.perft(START, 0), Ok(1), "{kind}");
        assert_eq!(kind.divide(START, 0), Ok(Vec::new()), "{kind}");
        assert_eq!(kind.counters(START, 0).map(|counters| counters.nodes), Ok(1), "{kind}");
    }
}
