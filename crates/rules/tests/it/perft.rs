//! The move generator counts what other generators count. These run in every build, for whatever CPU.

use rules::{Perft, PerftError, Position, Setup};
use saavedra_rules as rules;
use testkit::{KnownPerft, data_file, known_perfts, parse_perft_file, start_position_counters};

/// Leaf counts above this are left to the tests that are run on demand.
const MOST_LEAVES: u64 = 200_000_000;

/// The position, which need not be reachable in a game.
fn position(perft: &KnownPerft) -> Position {
    let setup: Setup = perft.fen.parse().unwrap_or_else(|error| panic!("{}: {error}", perft.name));
    setup.playable_position().unwrap_or_else(|error| panic!("{}: {error}", perft.name))
}

fn check(perft: &KnownPerft, most_leaves: u64) {
    let position = position(perft);
    for &(depth, count) in perft.counts.iter().filter(|&&(_, count)| count <= most_leaves) {
        let counted = Perft::new().threads(2).count(&position, depth).expect("no table is asked for");
        assert_eq!(counted, count, "{} at depth {depth}: {}", perft.name, perft.fen);
    }
}

#[test]
fn the_well_known_positions_have_their_well_known_counts() {
    for perft in known_perfts() {
        check(&perft, MOST_LEAVES);
    }
}

#[test]
fn the_counters_of_the_start_position_agree_with_the_founding_document() {
    let position = Position::initial();
    for (depth, expected) in (1..).zip(start_position_counters()).take(5) {
        assert_eq!(Perft::new().threads(2).counters(&position, depth), Ok(expected), "depth {depth}");
    }
}

#[test]
fn the_counters_of_other_positions_agree_with_published_figures() {
    let counters = |fen: &str, depth| {
        let position: Position = fen.parse().expect("the position is legal");
        Perft::new().threads(2).counters(&position, depth).expect("no table is asked for")
    };
    let kiwipete = counters("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 4);
    assert_eq!((kiwipete.nodes, kiwipete.captures, kiwipete.en_passant), (4_085_603, 757_163, 1_929));
    assert_eq!((kiwipete.castles, kiwipete.promotions, kiwipete.checks), (128_013, 15_172, 25_523));
    assert_eq!((kiwipete.discovered_checks, kiwipete.double_checks, kiwipete.checkmates), (42, 6, 43));
    let ending = counters("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", 6);
    assert_eq!((ending.nodes, ending.captures, ending.en_passant), (11_030_083, 940_350, 33_325));
    assert_eq!((ending.castles, ending.promotions, ending.checks), (0, 7_552, 452_473));
    assert_eq!((ending.discovered_checks, ending.double_checks, ending.checkmates), (26_067, 0, 2_733));
}

#[test]
fn a_stalemating_move_is_counted_as_one() {
    let position: Position = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1".parse().expect("legal");
    let counters = Perft::new().counters(&position, 1).expect("no table is asked for");
    let stalemates =
        position.legal_moves().iter().filter(|&&mv| position.play(mv).expect("a legal move").is_stalemate()).count();
    assert_eq!(counters.stalemates, stalemates as u64);
    assert!(counters.stalemates > 0 && counters.checkmates > 0);
}

#[test]
fn threads_tables_and_division_do_not_change_the_count() {
    for perft in known_perfts() {
        let position = position(&perft);
        let (depth, count) = *perft.counts.iter().rev().find(|(_, count)| *count < 5_000_000).expect("a small depth");
        for threads in [1, 3] {
            for hash_bytes in [0, 1, 1 << 20] {
                let run = Perft::new().threads(threads).hash_bytes(hash_bytes);
                assert_eq!(run.count(&position, depth), Ok(count), "{} with {threads} threads", perft.name);
                let divided = run.divide(&position, depth).expect("a megabyte is to be had");
                assert_eq!(divided.iter().map(|(_, count)| count).sum::<u64>(), count);
                assert_eq!(divided.len(), position.legal_moves().len());
            }
        }
    }
}

#[test]
fn threads_and_tables_do_not_change_the_counters() {
    for perft in known_perfts() {
        let position = position(&perft);
        let (depth, count) = *perft.counts.iter().rev().find(|(_, count)| *count < 300_000).expect("a small depth");
        let plain = Perft::new().divide_counters(&position, depth);
        assert_eq!(Perft::new().counters(&position, depth).map(|counters| counters.nodes), Ok(count));
        for (threads, hash_bytes) in [(1, 1), (1, 1 << 20), (3, 1 << 12), (3, 1 << 24)] {
            let run = Perft::new().threads(threads).hash_bytes(hash_bytes);
            assert_eq!(run.divide_counters(&position, depth), plain, "{} with {hash_bytes} bytes", perft.name);
        }
    }
    let expected = start_position_counters()[4];
    assert_eq!(Perft::new().threads(2).hash_bytes(1 << 20).counters(&Position::initial(), 5), Ok(expected));
}

#[test]
fn depth_zero_is_the_position_itself() {
    let position = Position::initial();
    assert_eq!(Perft::new().count(&position, 0), Ok(1));
    assert_eq!(Perft::new().counters(&position, 0).map(|counters| counters.nodes), Ok(1));
    assert_eq!(Perft::new().divide_counters(&position, 0), Ok(vec![]));
    assert_eq!(Perft::new().divide(&position, 0), Ok(vec![]));
}

#[test]
fn a_table_that_cannot_be_had_is_an_error() {
    let error = Perft::new().hash_bytes(usize::MAX / 4).count(&Position::initial(), 3).expect_err("too large");
    assert!(error.to_string().starts_with("cannot get"), "{error}");
}

#[test]
fn more_leaves_than_can_be_counted_are_an_error() {
    let position: Position = "7k/8/8/p1p1p1p1/P1P1P1P1/8/8/K7 w - - 0 1".parse().expect("legal");
    let perft = Perft::new().hash_bytes(1 << 22);
    assert_eq!(perft.count(&position, 16), Ok(350_792_044_729));
    assert_eq!(perft.count(&position, 28), Err(PerftError::TooManyLeaves));
    assert_eq!(perft.counters(&position, 16).map(|counters| counters.nodes), Ok(350_792_044_729));
    assert_eq!(perft.counters(&position, 28), Err(PerftError::TooManyLeaves));
    assert_eq!(perft.count(&position, 100), Err(PerftError::TooManyLeaves));
}

#[test]
fn watchers_hear_of_every_unit_of_work() {
    let heard = std::sync::Mutex::new(Vec::new());
    let watcher = |progress| heard.lock().expect("no panic").push(progress);
    let count = Perft::new().threads(2).watched_by(&watcher).count(&Position::initial(), 4);
    assert_eq!(count, Ok(197_281));
    let mut done: Vec<usize> = heard.into_inner().expect("no panic").iter().map(|progress| progress.done).collect();
    done.sort_unstable();
    assert_eq!(done, (1..=400).collect::<Vec<_>>());
}

/// Counts of a data file, where there is one.
pub(crate) fn check_file(name: &str, most_leaves: u64) {
    let Some(file) = data_file(name) else {
        return eprintln!("{name} is not there: passed over");
    };
    let text = std::fs::read_to_string(file).expect("the file can be read");
    let perfts = parse_perft_file(&text);
    assert!(!perfts.is_empty());
    for perft in perfts {
        check(&perft, most_leaves);
    }
}

#[test]
fn the_chess960_starts_have_their_counts_to_depth_four() {
    check_file("perft/chess960.perft", 1_000_000);
}

#[test]
fn the_tricky_positions_have_their_counts() {
    check_file("perft/tricky.perft", 50_000_000);
}
