//! A fixed amount of work: how many positions the search looks at is its signature, how fast is the machine's.

use std::fmt;
use std::time::{Duration, Instant};

use crate::{AnyEvaluator, Control, Limits, Request, Searcher, nodes_per_second};
use rules::Game;

/// How deep to search unless told otherwise.
pub const DEPTH: usize = 12;

/// How much work it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bench {
    /// Positions looked at: the same on every machine, until the search changes.
    pub nodes: u64,
    /// The time it took.
    pub time: Duration,
}

impl Bench {
    /// Positions a second.
    pub fn nodes_per_second(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

impl fmt::Display for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Seconds: {:.3}", self.time.as_secs_f64())?;
        writeln!(f, "Nodes per second: {}", self.nodes_per_second())?;
        writeln!(f, "Bench: {}", self.nodes)?;
        // What fishtest and OpenBench look for, in the last line.
        write!(f, "{} nodes {} nps", self.nodes, self.nodes_per_second())
    }
}

/// Searches all positions to a depth, on one thread, each with an empty table of 16 MiB.
pub fn run(evaluator: AnyEvaluator, depth: usize) -> Bench {
    let control = Control::new();
    run_until_stopped(evaluator, depth, &control).expect("nothing stops it")
}

/// Like [`run`], but nothing if it was stopped.
pub fn run_until_stopped(evaluator: AnyEvaluator, depth: usize, control: &Control) -> Option<Bench> {
    let (started, mut nodes) = (Instant::now(), 0);
    let mut searcher = Searcher::new(evaluator);
    for fen in POSITIONS {
        let game = Game::new(fen.parse().expect("the positions are legal"));
        searcher.clear();
        nodes += searcher.search(&Request::new(&game, Limits::depth(depth)), control, &mut ()).stats.nodes;
        if control.is_stopped() {
            return None;
        }
    }
    Some(Bench { nodes, time: started.elapsed() })
}

/// Openings, middlegames, endgames, studies, and Chess960.
pub const POSITIONS: [&str; 46] = [
    // Openings: the start, an Open Game, a Sicilian, a French, a Caro-Kann, a Queen's Gambit, an Indian, a Gruenfeld.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "rnbqk1nr/ppp2ppp/4p3/3pP3/1b1P4/2N5/PPP2PPP/R1BQKBNR b KQkq - 0 4",
    "rn1qkbnr/pp2pppp/2p5/5b2/3PN3/8/PPP2PPP/R1BQKBNR w KQkq - 1 5",
    "rnbq1rk1/ppp1bppp/4pn2/3p4/2PP4/2N1PN2/PP3PPP/R1BQKB1R w KQ - 1 6",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 3 6",
    "rnbqk2r/ppp1ppbp/6p1/8/3PP3/2P5/P4PPP/R1BQKBNR w KQkq - 1 7",
    // Closed and open middlegames.
    "r1bq1rk1/pp1n1ppp/2pbpn2/3p4/2PP4/2NBPN2/PPQ2PPP/R1B2RK1 w - - 4 9",
    "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NP3/1BN1B3/PPP1QPPP/R4RK1 w - - 4 12",
    "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 9",
    "r4rk1/pp1qbppp/2n1bn2/3p4/3N4/2N1B1P1/PPQ1PPBP/R4RK1 b - - 5 13",
    "rnbqr1k1/pp3pbp/3p1np1/2pP4/4P3/2N2N2/PP2BPPP/R1BQ1RK1 w - - 3 10",
    "r2qr1k1/pb1nbppp/1p2pn2/2p5/2PP4/1P1B1N2/PB1NQPPP/R4RK1 w - - 2 13",
    "2rq1rk1/pb2bppp/1pn1pn2/8/2BP4/P1N2N2/1P2QPPP/R1BR2K1 w - - 1 14",
    "3r1rk1/p3qppp/2bb4/2p5/3p4/1P2P3/PBQN1PPP/2R2RK1 w - - 0 18",
    // Attacks and combinations.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1b1k2r/ppppnppp/2n2q2/2b5/3NP3/2P1B3/PP3PPP/RN1QKB1R w KQkq - 0 1",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "r2q1rk1/pp2ppbp/2n3p1/3p4/3P1Bb1/2PB1N2/PP1Q1PPP/R4RK1 b - - 2 11",
    "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "r1b2rk1/ppp1qppp/2np4/2b1p1N1/2B1P1nP/2NP4/PPP2PP1/R1BQK2R w KQ - 0 9",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - 0 1",
    // Promotions, checks and pins.
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    // Endgames with rooks, with minor pieces, with queens, with pawns.
    "8/5pk1/6p1/R7/5P1P/r5P1/6K1/8 b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "1r4k1/5pp1/7p/1P6/8/6P1/5P1P/1R4K1 w - - 0 1",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 1",
    "8/pp3k2/2p1bp2/4p1p1/2P1P1Pp/1P1B1K1P/P7/8 w - - 0 1",
    "4k3/2n2p2/1p2p1p1/p2pP1P1/P2P1N2/1P3K2/8/8 w - - 0 1",
    "6k1/5p1p/6p1/8/3Q4/q5PP/5P2/6K1 w - - 0 1",
    "8/8/1p1k4/p2p2p1/P2P2P1/1P1K4/8/8 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/1k6/1P6/2K5/8/8/p7/2R5 w - - 0 1",
    "8/8/8/8/8/1p2k3/8/K1N5 w - - 0 1",
    "8/5p2/8/4k3/8/1NN5/3K4/8 w - - 0 1",
    // Saavedra's own: White promotes to a rook and wins.
    "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1",
    // Hardly any moves, and a great many.
    "8/8/8/8/6k1/6p1/6K1/8 w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    // Chess960: a start, a middlegame, and a rook beside its king.
    "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1",
    "nrk1brnb/pp1ppppp/8/2p5/3P4/1N1Q1N2/1PP1PPPP/1RK1BR1B w FBfb - 0 10",
    "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w DBdb - 0 1",
];

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Position;

    #[test]
    fn the_positions_are_legal_and_different() {
        let mut positions: Vec<Position> = Vec::new();
        for fen in POSITIONS {
            let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert!(position.has_legal_moves(), "{fen}");
            assert!(!positions.contains(&position), "{fen}");
            positions.push(position);
        }
    }

    #[cfg(feature = "net")]
    #[test]
    fn the_signature_repeats() {
        let nodes = || run(AnyEvaluator::default(), 3).nodes;
        assert_eq!(nodes(), nodes());
    }
}
