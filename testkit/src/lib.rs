//! What the tests of several crates share: random walks that repeat, perft counts and exchanges that are known, a move
//! generator that can be broken on purpose, tablebases that are made up, and a way to find data files that may or may
//! not be there.

pub mod broken;
mod exchanges;
mod perft_table;
pub mod tables;

use std::path::PathBuf;

use rules::Position;

pub use random::Random;

pub use exchanges::{FOUNDING_EXCHANGES, symmetric_moves};
pub use perft_table::{KnownPerft, known_perfts, parse_perft_file, start_position_counters};

/// Positions to start from: ordinary ones, and some where castling, en passant, promotion or pins are at hand.
const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
];

/// Plays random games and shows every position of each, the end included.
///
/// Of every four games one is Chess960 and one is double Chess960, unless only standard chess is asked for.
pub fn random_walks(seed: u64, games: usize, variants: Variants, mut visit: impl FnMut(&Position)) {
    let mut random = Random::new(seed);
    for game in 0..games {
        let number = |random: &mut Random| random.below(960) as u16;
        let start = match (game % 4, variants) {
            (1, Variants::All) => Position::chess960(number(&mut random)),
            (3, Variants::All) => Position::double_chess960(number(&mut random), number(&mut random)),
            _ => random.pick(&STARTS).parse().ok(),
        };
        let mut position = start.expect("the starts are legal");
        for _ in 0..200 {
            visit(&position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play_unchecked(*random.pick(&moves));
        }
    }
}

/// Which games a walk may start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variants {
    /// Standard chess, Chess960 and double Chess960.
    All,
    /// Standard chess only.
    Standard,
}

/// A file of the optional test data: in the folder that `SAAVEDRA_DATA` names, or else in `shared/data` beside the
/// workspace. Tests that want one say so and pass when it is not there.
pub fn data_file(name: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os("SAAVEDRA_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"),
    };
    let file = folder.join(name);
    file.exists().then_some(file)
}
