//! Every board sorts the moves to the leaves into the same classes.

use crate::support::{KIWIPETE, POSITION_3, POSITION_4, START};
use saavedra_classic::{BoardKind, Counters, Detail, Division};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

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

fn sorts(kind: BoardKind, fen: &str, depth: u32, numbers: [u64; 10]) {
    assert_eq!(kind.counters(fen, depth), Ok(counters(numbers)), "{kind}: {fen} depth {depth}");
}

#[test]
fn all_boards_reach_the_counts_of_the_founding_document_to_depth_four() {
    for kind in BoardKind::ALL {
        sorts(kind, START, 1, [20, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        sorts(kind, START, 2, [400, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        sorts(kind, START, 3, [8_902, 34, 0, 0, 0, 12, 0, 0, 0, 0]);
        sorts(kind, START, 4, [197_281, 1_576, 0, 0, 0, 469, 0, 0, 8, 0]);
    }
}

#[test]
fn the_faster_boards_reach_the_counts_of_the_founding_document_at_depth_five() {
    for kind in [BoardKind::Bitboard, BoardKind::Mailbox, BoardKind::Packed, BoardKind::MovemapAsWished] {
        sorts(kind, START, 5, [4_865_609, 82_719, 258, 0, 0, 27_351, 6, 0, 347, 0]);
    }
}

#[test]
fn all_boards_tell_special_moves_apart() {
    for kind in BoardKind::ALL {
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
        let expected = BoardKind::Bitboard.counters(fen, depth).expect("the position is legal");
        for kind in BoardKind::ALL {
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

#[test]
fn the_example_of_the_packed_boards_document_is_counted_by_all_boards() {
    let fen = "rn3k1r/p1Bp2p1/5ppn/6N1/3pQ3/8/PP2PPPP/4KB1R w K - 4 21";
    for kind in BoardKind::ALL {
        let nodes = [1, 2, 3].map(|depth| kind.counters(fen, depth).map(|counters| counters.nodes));
        assert_eq!(nodes, [Ok(46), Ok(695), Ok(29_809)], "{kind}");
    }
}

#[test]
fn boards_sort_the_moves_of_random_positions_alike() {
    let mut compared = 0;
    testkit::random_walks(91, 12, testkit::Variants::Standard, |position| {
        if position.fullmove_number() % 6 != 1 {
            return;
        }
        let fen = position.to_string();
        let expected = rules::Perft::new().counters(position, 2).expect("no table is asked for");
        for kind in BoardKind::ALL {
            assert_eq!(kind.counters(&fen, 2), Ok(expected), "{kind}: {fen}");
        }
        compared += 1;
    });
    assert!(compared > 30, "{compared}");
}

#[test]
fn threads_change_no_count_and_no_board_is_left_out() {
    for fen in [START, KIWIPETE, POSITION_3] {
        for kind in BoardKind::ALL {
            for depth in 0..=3 {
                let run = |detail, threads| Division::new(kind, detail).threads(threads).run_fen(fen, depth);
                let kinds = run(Detail::Kinds, 1).expect("a legal position").expect("it is not stopped");
                assert_eq!(run(Detail::Kinds, 3), Ok(Some(kinds.clone())), "{kind}: {fen} depth {depth}");
                let leaves = run(Detail::Leaves, 3).expect("a legal position").expect("it is not stopped");
                assert_eq!(kind.divide(fen, depth), Ok(leaves.iter().map(|(mv, c)| (*mv, c.nodes)).collect()));
                let mut sum = Counters { nodes: u64::from(depth == 0), ..Counters::default() };
                kinds.iter().for_each(|(_, counters)| sum += *counters);
                assert_eq!(kind.counters(fen, depth), Ok(sum), "{kind}: {fen} depth {depth}");
            }
        }
    }
}

#[test]
fn a_division_tells_how_far_it_is_and_ends_when_it_is_told() {
    let (done, calls) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let watch = |progress: rules::PerftProgress| {
        calls.fetch_add(1, Ordering::Relaxed);
        done.fetch_max(progress.done, Ordering::Relaxed);
        assert!(progress.done <= progress.total && progress.total == 400);
        ControlFlow::Continue(())
    };
    let counted = Division::new(BoardKind::Packed, Detail::Leaves).watched_by(&watch).run_fen(START, 5);
    assert!(matches!(counted, Ok(Some(_))));
    assert_eq!(done.into_inner(), 400);
    assert!(calls.into_inner() > 8_000, "asked at least for every tree two moves deep");
    let stop = |_| ControlFlow::Break(());
    let stopped = Division::new(BoardKind::Movemap, Detail::Kinds).threads(2).watched_by(&stop).run_fen(START, 30);
    assert_eq!(stopped, Ok(None));
}
