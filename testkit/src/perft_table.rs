//! Perft counts that other programs agree on.

use rules::Counters;

/// A position and its leaf counts from depth one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownPerft {
    /// What the position is called.
    pub name: String,
    /// The position.
    pub fen: String,
    /// Pairs of depth and leaf count.
    pub counts: Vec<(u32, u64)>,
}

/// Name, position, and counts from depth one. The first six are the positions every generator is tested with; the rest
/// are traps, most of them for one rule each.
const TABLE: &[(&str, &str, &[u64])] = &[
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324],
    ),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862, 4_085_603, 193_690_690],
    ),
    ("rook ending", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624, 11_030_083]),
    (
        "promotions and checks",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9_467, 422_333, 15_833_292],
    ),
    (
        "pawn on the seventh",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1_486, 62_379, 2_103_487, 89_941_194],
    ),
    (
        "middle game",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2_079, 89_890, 3_894_594, 164_075_551],
    ),
    // The fastest public generator forgets that taking the rook on a1 ends the right to castle with it.
    ("rook taken at home", "4k3/8/8/8/8/8/Rb6/R3K3 b Q - 0 1", &[14, 243, 3_200, 71_194]),
    ("illegal en passant on a rank", "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", &[18, 92, 1_670, 10_138, 185_429, 1_134_888]),
    (
        "illegal en passant on a diagonal",
        "8/8/4k3/8/2p5/8/B2P1K2/8 w - - 0 1",
        &[13, 102, 1_284, 10_375, 138_886, 1_038_514],
    ),
    ("en passant gives check", "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", &[15, 126, 1_928, 13_931, 206_379, 1_440_467]),
    ("short castling gives check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", &[15, 66, 1_198, 6_399, 120_330, 661_072]),
    ("long castling gives check", "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", &[16, 71, 1_286, 7_418, 141_077, 803_711]),
    ("castling rights lost", "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", &[26, 1_141, 27_826, 1_274_206]),
    ("castling prevented", "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", &[44, 1_494, 50_509, 1_720_476]),
    ("promotion out of check", "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", &[11, 133, 1_442, 19_174, 266_199, 3_821_001]),
    ("discovered check", "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", &[29, 165, 5_160, 31_961, 1_004_658]),
    ("promotion gives check", "4k3/1P6/8/8/8/8/K7/8 w - - 0 1", &[9, 40, 472, 2_661, 38_983, 217_342]),
    ("underpromotion gives check", "8/P1k5/K7/8/8/8/8/8 w - - 0 1", &[6, 27, 273, 1_329, 18_135, 92_683]),
    ("stalemate", "K1k5/8/P7/8/8/8/8/8 w - - 0 1", &[2, 6, 13, 63, 382, 2_217]),
    ("stalemate and checkmate", "8/k1P5/8/1K6/8/8/8/8 w - - 0 1", &[10, 25, 268, 926, 10_857, 43_261, 567_584]),
    ("double check", "8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", &[37, 183, 6_559, 23_527]),
    ("en passant under an unrelated pin", "1b1k4/8/8/1rPpK3/8/8/8/8 w - d6 0 1", &[5, 100, 555]),
    (
        "Chess960 start 0",
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
        &[20, 400, 9_006, 201_143, 4_975_808],
    ),
    (
        "Chess960 start 777",
        "rnkrbbqn/pppppppp/8/8/8/8/PPPPPPPP/RNKRBBQN w DAda - 0 1",
        &[19, 361, 7_769, 166_562, 4_006_311],
    ),
    (
        "double Chess960",
        "nbbrkrqn/pppppppp/8/8/8/8/PPPPPPPP/QRKNBRBN w FBfd - 0 1",
        &[19, 342, 7_376, 150_763, 3_657_140],
    ),
    ("Chess960 castling in all ways", "1rk1r3/8/8/8/8/8/8/R2K2R1 w GAeb - 0 1", &[23, 507, 11_145, 258_611, 6_066_434]),
    // Chess960: the rook shields the king from the queen in the corner until it castles away.
    ("pinned castling rook", "4k3/8/8/8/8/8/8/qR1K4 w B - 0 1", &[7, 126, 1_558, 34_815]),
];

/// The positions that every generator is tested with.
pub fn known_perfts() -> Vec<KnownPerft> {
    TABLE
        .iter()
        .map(|&(name, fen, counts)| KnownPerft {
            name: name.to_owned(),
            fen: fen.to_owned(),
            counts: (1..).zip(counts.iter().copied()).collect(),
        })
        .collect()
}

/// Reads a file of blocks: `id NAME`, `epd FEN`, then lines of `perft DEPTH COUNT`. Other lines are passed over.
pub fn parse_perft_file(text: &str) -> Vec<KnownPerft> {
    let mut perfts: Vec<KnownPerft> = Vec::new();
    for line in text.lines() {
        match (line.split_once(' '), perfts.last_mut()) {
            (Some(("id", name)), _) => {
                perfts.push(KnownPerft { name: name.to_owned(), fen: String::new(), counts: Vec::new() });
            }
            (Some(("epd", fen)), Some(perft)) => perft.fen = fen.trim().to_owned(),
            (Some(("perft", numbers)), Some(perft)) => {
                if let Some((depth, count)) = numbers.trim().split_once(' ')
                    && let (Ok(depth), Ok(count)) = (depth.parse(), count.parse())
                {
                    perft.counts.push((depth, count));
                }
            }
            _ => {}
        }
    }
    perfts
}

/// What the founding document and the chess programming community report for the start position, by depth from one.
pub fn start_position_counters() -> Vec<Counters> {
    let row = |nodes, captures, en_passant, castles, checks, discovered_checks, double_checks, checkmates| Counters {
        nodes,
        captures,
        en_passant,
        castles,
        promotions: 0,
        checks,
        discovered_checks,
        double_checks,
        checkmates,
        stalemates: 0,
    };
    vec![
        row(20, 0, 0, 0, 0, 0, 0, 0),
        row(400, 0, 0, 0, 0, 0, 0, 0),
        row(8_902, 34, 0, 0, 12, 0, 0, 0),
        row(197_281, 1_576, 0, 0, 469, 0, 0, 8),
        row(4_865_609, 82_719, 258, 0, 27_351, 6, 0, 347),
        row(119_060_324, 2_812_008, 5_248, 0, 809_099, 329, 46, 10_828),
        row(3_195_901_860, 108_329_926, 319_617, 883_453, 33_103_848, 18_026, 1_628, 435_767),
    ]
}
