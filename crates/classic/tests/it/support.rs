//! What several tests need: positions that are known to be hard.

pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
pub(crate) const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
pub(crate) const POSITION_3: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
pub(crate) const POSITION_4: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
pub(crate) const POSITION_5: &str = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";
pub(crate) const POSITION_6: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

/// Where random games begin: each has something that goes wrong easily.
pub(crate) const BEGINNINGS: [&str; 14] = [
    START,
    KIWIPETE,
    POSITION_3,
    POSITION_4,
    POSITION_5,
    POSITION_6,
    // The position that the document of the packed board mentions.
    "rn3k1r/p1Bp2p1/5ppn/6N1/3pQ3/8/PP2PPPP/4KB1R w K - 4 21",
    // Castling on all sides, with rooks that can take each other.
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 3 17",
    // Kings on their squares without any right to castle.
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b - - 12 40",
    // En passant at once, also where it would expose the king.
    "8/8/8/1Ppp3r/RK3p1k/8/4P1P1/8 w - c6 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    // Promotions, with and without captures.
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    // Few pieces, so that positions come again.
    "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1",
];
