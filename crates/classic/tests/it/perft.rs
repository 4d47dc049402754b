//! Every board counts the trees that every move generator is measured by.

use crate::support::{KIWIPETE, START};
use saavedra_classic::BoardKind;
use testkit::known_perfts;

/// Counts every well-known position to the deepest depth that has no more leaves than this.
fn counts_everything(kind: BoardKind, most_leaves: u64) {
    let mut counted = 0;
    for perft in known_perfts() {
        // Some are Chess960, or cannot come about in a game: these boards refuse them.
        if kind.perft(&perft.fen, 0).is_err() {
            continue;
        }
        let feasible = perft.counts.iter().rev().find(|(_, count)| *count <= most_leaves);
        let &(depth, expected) = feasible.expect("one move deep is always feasible");
        assert_eq!(kind.perft(&perft.fen, depth), Ok(expected), "{kind}: {} at depth {depth}", perft.name);
        counted += 1;
    }
    assert!(counted >= 20, "only {counted} positions were counted");
}

#[test]
fn the_bitboard_counts_the_standard_positions() {
    counts_everything(BoardKind::Bitboard, 5_000_000);
}

#[test]
fn the_mailbox_counts_the_standard_positions() {
    counts_everything(BoardKind::Mailbox, 5_000_000);
}

#[test]
fn the_packed_board_counts_the_standard_positions() {
    counts_everything(BoardKind::Packed, 5_000_000);
}

#[test]
fn move_maps_with_both_wishes_count_the_standard_positions() {
    counts_everything(BoardKind::MovemapAsWished, 5_000_000);
}

#[test]
fn the_original_move_maps_count_the_standard_positions() {
    counts_everything(BoardKind::Movemap, 1_000_000);
}

#[test]
fn each_wish_for_the_move_maps_changes_no_count() {
    for kind in [BoardKind::MovemapWithRights, BoardKind::MovemapWithLines] {
        counts_everything(kind, 500_000);
    }
}

#[test]
#[ignore = "takes minutes: every board to the depth in which the founding document boasts of its speed"]
fn all_boards_count_depth_six_of_the_start_position() {
    for kind in BoardKind::ALL {
        assert_eq!(kind.perft(START, 6), Ok(119_060_324), "{kind}");
    }
}

#[test]
fn divide_adds_up_to_perft_and_names_every_move() {
    for kind in BoardKind::ALL {
        let parts = kind.divide(KIWIPETE, 3).expect("the position is legal");
        assert_eq!(parts.len(), 48, "{kind}");
        assert_eq!(parts.iter().map(|(_, count)| count).sum::<u64>(), 97_862, "{kind}");
        let castling = parts.iter().find(|(mv, _)| mv.to_string() == "e1g1");
        assert_eq!(castling.map(|&(_, count)| count), Some(2_059), "{kind}");
        assert_eq!(parts, BoardKind::Bitboard.divide(KIWIPETE, 3).expect("the position is legal"), "{kind}");
    }
}

#[test]
fn the_tree_of_depth_zero_is_the_position_itself() {
    for kind in BoardKind::ALL {
        assert_eq!(kind.perft(START, 0), Ok(1), "{kind}");
        assert_eq!(kind.divide(START, 0), Ok(Vec::new()), "{kind}");
        assert_eq!(kind.counters(START, 0).map(|counters| counters.nodes), Ok(1), "{kind}");
    }
}
