//! Games at rest: whatever a file holds, it is read or refused with a reason, and what was read is written and read
//! again alike.

use ::records::epd::Epd;
use ::records::pgn::{self, Flaw, GameTree};

use super::assert_is_a_reason;

pub(crate) const PGN_SEEDS: &[&str] = &[
    "[Event \"a\"]\n[FEN \"r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1\"]\n\n1. exd6 e.p. {[%clk 0:01:02] [%eval -0.3,5]} O-O 1-0\n",
    "1. e4! $1 (1. d4 d5 (1... -- 2. c4) 2. c4) 1... e5 ; so\n2. Nf3 {a\nb} Nc6 1/2-1/2\n\n1.c4 e5 *\n",
    "\u{feff}%x\r\n[White \"A \\\"B\\\" \\\\\"]\r\n\r\n1.e2e4 0000 2. Z0 0-0 e8=Q+ e8(Q)!? +- *\r\n[Event \"b\"]\r\n",
    "[Variant \"Chess960\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\"]\n1. O-O {x} (1. e4 {y} ({z} 1. d4)) *",
];

pub(crate) const EPD_SEEDS: &[&str] = &[
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - pv Bb5 a6; ce -12; hmvc 2; fmvn 3; c0 \"a\" \"b\";",
    "8/2P5/8/8/3r4/8/2K5/k7 w - - 7 30;am c8=Q;x y z",
];

/// However the bytes are cut into pieces, the same games are found; each is written and read back as it was.
pub(crate) fn pgn(data: &[u8]) {
    let mut games = pgn::games(data);
    let mut found = Vec::new();
    while let Some((tree, problem)) = games.next_game().expect("memory can be read") {
        if let Some(problem) = &problem {
            assert_is_a_reason(&problem.to_string());
        }
        // A variant that is not ours is spoiled again by its tag.
        if !problem.as_ref().is_some_and(|problem| matches!(problem.flaw, Flaw::Variant(_))) {
            assert_reads_back(&tree);
        }
        found.push((tree, problem));
    }
    let mut again = pgn::games(Drip(data));
    for game in found {
        assert!(again.next_game().expect("memory can be read") == Some(game), "pieces make a difference");
    }
    assert!(again.next_game().expect("memory can be read").is_none());
}

fn assert_reads_back(tree: &GameTree) {
    let text = tree.to_string();
    let mut games = pgn::games(text.as_bytes());
    match games.next() {
        Some(Ok(read)) => assert!(read == *tree, "{:?}\nis not\n{text:?}", read.to_string()),
        other => panic!("{other:?}\ninstead of\n{tree}"),
    }
    assert!(games.next().is_none(), "one game is one game:\n{text}");
}

/// Gives out one byte at a time.
struct Drip<'a>(&'a [u8]);

impl std::io::Read for Drip<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = buffer.len().min(1);
        self.0.read(&mut buffer[..count])
    }
}

/// Any line is refused with a reason, or read, written and read again alike.
pub(crate) fn epd(data: &[u8]) {
    let line = String::from_utf8_lossy(data);
    match line.parse::<Epd>() {
        Err(error) => assert_is_a_reason(&error.to_string()),
        Ok(epd) => {
            let written = epd.to_string();
            assert!(!written.contains(['\n', '\r']), "{written:?}");
            assert_eq!(written.parse(), Ok(epd));
        }
    }
}
