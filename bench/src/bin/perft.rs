//! `cargo xtask bench perft`: our perft beside cozy-chess, built with the same flags.

use std::time::Duration;

use bench::best_times;
use rules::{Perft, Position};

const ROUNDS: usize = 7;
const POSITIONS: [(&str, &str, u32); 2] = [
    ("start position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
    ("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
];

fn main() {
    println!("{}", rules::Instructions::in_use());
    println!("best of {ROUNDS} interleaved rounds; million leaves a second\n");
    println!("{:<44} {:>9} {:>11} {:>7}", "", "Saavedra", "cozy-chess", "ratio");
    for (name, fen, depth) in POSITIONS {
        let ours: Position = fen.parse().expect("legal");
        let theirs: cozy_chess::Board = fen.parse().expect("legal");
        let one = Perft::new();
        let two = Perft::new().threads(2);
        let hashed = Perft::new().hash_bytes(1 << 30);
        let count = |perft: Perft, depth| perft.count(&ours, depth).expect("the memory is there");
        let leaves = count(one, depth);

        let row = |what: &str, leaves: u64, [ours, theirs]: [Duration; 2]| {
            let speed = |time: Duration| leaves as f64 / time.as_secs_f64() / 1e6;
            let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
            println!("{:<44} {:>9.1} {:>11.1} {ratio:>7.2}", format!("{name}, {what}"), speed(ours), speed(theirs));
        };

        let times = best_times(
            ROUNDS,
            &mut [&mut || count(one, depth), &mut || cozy_bulk(&theirs, depth), &mut || count(two, depth)],
        );
        row(&format!("depth {depth}, bulk"), leaves, [times[0], times[1]]);

        let walked = our_walk(&ours, depth - 1);
        assert_eq!(walked, cozy_walk(&theirs, depth - 1));
        let walks =
            best_times(ROUNDS, &mut [&mut || our_walk(&ours, depth - 1), &mut || cozy_walk(&theirs, depth - 1)]);
        row(&format!("depth {}, leaf by leaf", depth - 1), walked, [walks[0], walks[1]]);

        let deep = best_times(2, &mut [&mut || count(hashed, depth + 1), &mut || cozy_bulk(&theirs, depth + 1)]);
        row(&format!("depth {}, 1 GiB hash beside none", depth + 1), count(one, depth + 1), [deep[0], deep[1]]);
        println!(
            "{:<44} {:>9.1} {:>19}\n",
            format!("{name}, depth {depth}, two threads"),
            leaves as f64 / times[2].as_secs_f64() / 1e6,
            format!("{:.2} x one", times[0].as_secs_f64() / times[2].as_secs_f64())
        );
    }
}

/// Every leaf is reached through the public interface: a list of moves, a new position for each.
fn our_walk(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    position.legal_moves().iter().map(|&mv| our_walk(&position.play_unchecked(mv), depth - 1)).sum()
}

fn cozy_walk(board: &cozy_chess::Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut next = board.clone();
            next.play_unchecked(mv);
            leaves += cozy_walk(&next, depth - 1);
        }
        false
    });
    leaves
}

/// The last ply has a loop of its own: asking for the depth inside the loop costs that library a quarter.
fn cozy_bulk(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut leaves = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            leaves += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                leaves += cozy_bulk(&next, depth - 1);
            }
            false
        });
    }
    leaves
}
