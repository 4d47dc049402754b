//! The positions a doctor asks about: one or more for each rule, from the simple to the tangled.
//!
//! The order matters. The first case that fails gives the fault its name, so how pieces move comes before how kings are
//! protected, and both come before castling: a program that does not see knights should hear about knights, not about
//! castling through check.

use crate::Diagram;

/// A position to ask about, and how deep.
#[derive(Clone, Debug)]
pub struct Case {
    pub(crate) name: String,
    pub(crate) diagram: Diagram,
    pub(crate) depth: u32,
}

impl Case {
    /// A case of your own.
    pub fn new(name: impl Into<String>, diagram: Diagram, depth: u32) -> Case {
        Case { name: name.into(), diagram, depth }
    }

    /// What is suspicious about it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The position.
    pub fn diagram(&self) -> &Diagram {
        &self.diagram
    }

    /// How deep it is examined.
    pub fn depth(&self) -> u32 {
        self.depth
    }
}

/// All cases, each followed by its mirror image for the other side, in the order in which they are asked.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for &(name, fen, depth) in TRAPS.iter().chain(CLASSICS) {
        let diagram: Diagram = fen.parse().expect("the cases are legal positions");
        let mirrored = Diagram::new(diagram.setup().flipped()).expect("the mirror image of a legal position");
        cases.push(Case::new(name, diagram, depth));
        cases.push(Case::new(format!("{name}, colors swapped"), mirrored, depth));
    }
    cases
}

/// Name, position, and depth.
type Row = (&'static str, &'static str, u32);

#[rustfmt::skip]
const TRAPS: &[Row] = &[
    // How the pieces move.
    ("knights at the edges", "4k3/8/N6N/8/8/N6N/8/4K3 w - - 0 1", 3),
    ("kings at the edges", "8/8/8/7k/K7/8/8/8 w - - 0 1", 3),
    ("kings in the corners", "7k/8/8/8/8/8/8/K7 w - - 0 1", 3),
    ("sliders at the edges", "4k3/8/8/B6R/8/8/7Q/4K3 w - - 0 1", 2),
    ("a queen among pieces", "4k3/8/1p1p1p2/8/1P1Q1P2/8/1n1P1n2/4K3 w - - 0 1", 2),
    ("pawns at the edges", "4k3/n7/8/7P/P6n/8/8/4K3 w - - 0 1", 2),
    ("pawns that are blocked", "4k3/8/7p/7P/2p5/n5P1/P1P1P3/4K3 w - - 0 1", 3),
    ("a pawn with much to take", "4k3/8/8/2ppp3/3P4/8/8/4K3 w - - 0 1", 3),
    ("a pawn that may take nothing", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", 3),
    // Where the king may go.
    ("opposition", "8/8/8/3k4/8/3K4/8/8 w - - 0 1", 3),
    ("a king beside a rook's line", "4k3/8/8/7r/4K3/8/8/8 w - - 0 1", 3),
    ("a king beside a bishop's line", "4k3/8/8/8/4K3/1b6/8/8 w - - 0 1", 3),
    ("a king beside a queen's line", "4k3/8/8/q7/8/4K3/8/8 w - - 0 1", 2),
    ("a king near a knight", "4k3/8/8/8/2n1K3/8/8/8 w - - 0 1", 3),
    ("a king below pawns", "4k3/8/3p1p2/8/4K3/8/8/8 w - - 0 1", 3),
    ("a pawn protected by a knight", "4k3/8/8/8/5n2/8/4p3/4K3 w - - 0 1", 2),
    ("a knight protected by a rook", "4k3/4r3/8/8/8/8/4n3/4K3 w - - 0 1", 2),
    ("a knight protected by a bishop", "4k3/8/8/1b6/8/8/4n3/4K3 w - - 0 1", 2),
    ("a knight protected by a pawn", "4k3/8/8/8/8/3p4/4n3/4K3 w - - 0 1", 2),
    ("a knight protected by the king", "8/8/8/8/8/3k4/4n3/4K3 w - - 0 1", 2),
    ("a step back from a rook", "4k3/8/8/8/r3K3/8/8/8 w - - 0 1", 2),
    ("a step back from a bishop", "4k3/8/8/8/4K3/8/8/1b6 w - - 0 1", 2),
    // Check.
    ("check by a rook", "4k3/8/8/8/r3K3/8/1N6/7R w - - 0 1", 2),
    ("check by a bishop", "4k3/8/8/8/4K3/2N5/8/1b1R4 w - - 0 1", 2),
    ("check by a queen", "4k3/8/8/8/q3K3/8/1N6/7R w - - 0 1", 2),
    ("check by a knight", "4k3/8/8/8/4K3/2n5/1P6/R7 w - - 0 1", 2),
    ("check by a pawn", "4k3/8/8/3p4/4K3/2N5/8/8 w - - 0 1", 2),
    ("double push into the line of check", "4k3/8/8/8/r6K/8/4P3/8 w - - 0 1", 2),
    ("double check", "4k3/8/8/8/4r3/8/2n4Q/4K3 w - - 0 1", 2),
    ("double check by two lines", "4k3/8/8/b7/4r3/8/7Q/R3K3 w - - 0 1", 2),
    // Pins.
    ("a knight pinned on a file", "4k3/4r3/8/8/8/4N3/8/4K3 w - - 0 1", 2),
    ("a rook pinned on a file", "4k3/4r3/8/8/8/4R3/8/4K3 w - - 0 1", 2),
    ("a bishop pinned on a file", "4k3/4r3/8/8/8/4B3/8/4K3 w - - 0 1", 2),
    ("a bishop pinned on a rank", "4k3/8/8/8/r2BK3/8/8/8 w - - 0 1", 2),
    ("a bishop pinned on a diagonal", "4k3/8/8/b7/8/2B5/8/4K3 w - - 0 1", 2),
    ("a rook pinned on a diagonal", "4k3/8/8/b7/8/2R5/8/4K3 w - - 0 1", 2),
    ("a queen pinned on a diagonal", "4k3/8/8/b7/8/2Q5/8/4K3 w - - 0 1", 2),
    ("a queen pinned by a queen", "4k3/4q3/8/8/8/4Q3/8/4K3 w - - 0 1", 2),
    ("a pawn pinned on a file", "4k3/4r3/8/8/8/3p4/4P3/4K3 w - - 0 1", 2),
    ("a pawn pinned on a rank", "4k3/8/8/8/r2PK3/8/8/8 w - - 0 1", 2),
    ("a pawn pinned on a diagonal", "4k3/8/8/8/7b/8/5P2/4K3 w - - 0 1", 2),
    ("a pawn that takes what pins it", "4k3/8/8/8/8/6b1/5P2/4K3 w - - 0 1", 2),
    ("a pinned piece cannot end a check", "4k3/4r3/8/8/8/4N3/8/r3K3 w - - 0 1", 2),
    // Promotion.
    ("promotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", 3),
    ("promotion by capture", "1n5k/P7/8/8/8/8/8/K7 w - - 0 1", 3),
    ("promotion only by capture", "nbn5/1P5k/8/8/8/8/8/K7 w - - 0 1", 2),
    ("promotion at the edge", "6n1/7P/8/8/k7/8/8/K7 w - - 0 1", 2),
    ("promotion out of check", "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 2),
    ("a pinned pawn promotes", "3r4/2P4k/1K6/8/8/8/8/8 w - - 0 1", 2),
    ("promotions everywhere", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 3),
    // En passant.
    ("en passant to the left", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", 4),
    ("en passant to the right", "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1", 3),
    ("en passant on the a-file", "4k3/8/8/pP6/8/8/8/4K3 w - a6 0 1", 3),
    ("en passant on the h-file", "4k3/8/8/6Pp/8/8/8/4K3 w - h6 0 1", 3),
    ("en passant across the edge", "4k3/8/8/p7/7P/8/8/4K3 w - a6 0 1", 2),
    ("en passant across the other edge", "4k3/8/P7/7p/8/8/8/4K3 w - h6 0 1", 2),
    ("en passant by two pawns", "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", 3),
    ("en passant after a double push", "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", 4),
    ("en passant takes two pawns off a rank", "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", 2),
    ("en passant takes two pawns off a rank, other side", "8/8/8/q2Pp2K/8/8/8/4k3 w - e6 0 1", 2),
    ("en passant opens a diagonal", "b3k3/8/8/3pP3/8/8/6K1/8 w - d6 0 1", 2),
    ("en passant by a pawn pinned on a file", "4k3/4r3/8/3pP3/8/8/8/4K3 w - d6 0 1", 2),
    ("en passant by a pawn pinned on a diagonal", "7k/6b1/8/3pP3/3K4/8/8/8 w - d6 0 1", 2),
    ("en passant out of check", "4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1", 2),
    ("en passant while another piece gives check", "4b2k/8/8/3pP3/K7/8/8/8 w - d6 0 1", 2),
    ("illegal en passant on a rank, a move ahead", "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 3),
    ("illegal en passant on a diagonal, a move ahead", "8/8/4k3/8/2p5/8/B2P1K2/8 w - - 0 1", 3),
    // Castling.
    ("castling", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 3),
    ("castling on both sides", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 3),
    ("castling with half of the rights", "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", 3),
    ("castling with the other half", "r3k2r/8/8/8/8/8/8/R3K2R w Qk - 0 1", 2),
    ("no castling any more", "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", 2),
    ("castling blocked by knights", "4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", 2),
    ("castling blocked by bishops", "4k3/8/8/8/8/8/8/R1B1KB1R w KQ - 0 1", 2),
    ("castling blocked by the queen", "4k3/8/8/8/8/8/8/R2QK2R w KQ - 0 1", 2),
    ("castling blocked beside the rook", "4k3/8/8/8/8/8/8/Rn2K3 w Q - 0 1", 2),
    ("castling out of check", "4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1", 2),
    ("castling out of check by a knight", "4k3/8/8/8/8/5n2/8/R3K2R w KQ - 0 1", 2),
    ("castling through check, short", "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", 2),
    ("castling through check, long", "3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 2),
    ("castling into check, short", "4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", 2),
    ("castling into check, long", "2r1k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 2),
    ("castling past a pawn", "4k3/8/8/8/8/8/4p3/R3K2R w KQ - 0 1", 2),
    ("castling past a pawn at the side", "4k3/8/8/8/8/8/6p1/R3K2R w KQ - 0 1", 2),
    ("castling to a square a pawn attacks", "4k3/8/8/8/8/8/1p5p/R3K2R w KQ - 0 1", 2),
    ("castling past a knight", "4k3/8/8/8/8/4n3/8/R3K2R w KQ - 0 1", 2),
    ("castling past a bishop", "4k3/8/8/8/8/b6b/8/R3K2R w KQ - 0 1", 2),
    ("castling past the king", "8/8/8/8/8/8/6k1/4K2R w K - 0 1", 2),
    ("castling while the square beside the rook is attacked", "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", 2),
    ("castling while the rook is attacked", "r3k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1", 2),
    ("castling gives check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", 3),
    // Rights that end.
    ("a bishop takes the rook that would castle", "r3k2r/8/8/3B4/8/8/8/4K3 w kq - 0 1", 3),
    ("a knight takes the rook that would castle", "r3k2r/8/1N4N1/8/8/8/8/4K3 w kq - 0 1", 2),
    ("another rook comes to the corner", "4k3/8/8/8/8/8/Rb6/R3K3 b Q - 0 1", 4),
    ("the rook takes a rook", "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1", 3),
    ("king and rook go and come back, short", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", 5),
    ("king and rook go and come back, long", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", 5),
];

/// The positions that every generator is tested with.
const CLASSICS: &[Row] = &[
    ("start position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
    ("rook ending", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
    ("promotions and checks", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4),
    ("pawn on the seventh", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3),
    ("middle game", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_a_legal_position_that_can_be_counted_quickly() {
        for case in cases() {
            let position = case.diagram().position();
            let leaves = rules::Perft::new().count(position, case.depth()).expect("no table is used");
            assert!(leaves > 0 && leaves < 5_000_000, "{}: {leaves}", case.name());
            assert_eq!(case.diagram().to_string().parse::<Diagram>().as_ref(), Ok(case.diagram()), "{}", case.name());
        }
    }

    #[test]
    fn cases_keep_an_en_passant_square_that_the_rules_would_drop() {
        let case = cases().into_iter().find(|case| case.name() == "en passant takes two pawns off a rank");
        let case = case.expect("the case is there");
        assert!(case.diagram().position().en_passant().is_none());
        assert!(case.diagram().to_string().contains(" d6 "), "{}", case.diagram());
    }
}
