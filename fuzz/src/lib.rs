//! What must hold for any input whatever: nothing panics, what is accepted is consistent.
//!
//! Each target takes bytes and panics if a promise is broken. Two drivers feed them: `fuzz` makes and mutates input
//! without looking inside, quickly enough to run in every test; `guided` lets libFuzzer follow the code's branches.

mod network;
mod notation;
mod records;
mod syzygy;
mod uci_loop;

use ::uci::{Command, Message};
use classic::BoardKind;
use rules::{Game, Move, Position, Setup};

/// Where games start whose moves are read: castling of both kinds, promotions, en passant and ambiguity are at hand.
const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
    "1rkr4/8/8/8/8/8/8/1RKR4 w DBdb - 0 1",
    "1k6/8/8/8/Q6Q/8/8/3K3Q w - - 0 1",
];

/// A promise to be tested with arbitrary bytes.
pub struct Target {
    /// What it is called on the command line.
    pub name: &'static str,
    /// Panics if the promise is broken.
    pub test: fn(&[u8]),
    /// Inputs to start from.
    pub seeds: &'static [&'static str],
}

/// All targets.
pub const TARGETS: [Target; 14] = [
    Target {
        name: "fen",
        test: fen,
        seeds: &[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1",
            "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        ],
    },
    Target {
        name: "san",
        test: san,
        seeds: &[
            "\u{0}e4 e5 Nf3 Nc6 Bb5 a6 O-O",
            "\u{1}Nxe4 axb8=Q 0-0-0 R1a3+",
            "\u{2}exd6e.p. O-O-O 0-0",
            "\u{3}O-O e2-e4!?",
            "\u{4}Qh4e4",
        ],
    },
    Target {
        name: "uci",
        test: uci,
        seeds: &["\u{0}e2e4 e7e5 g1f3 b8c6 f1b5", "\u{1}a7b8n", "\u{2}e1g1 e8a8", "\u{3}c1d1 c1b1"],
    },
    Target { name: "play", test: play, seeds: &["\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}"] },
    Target { name: "boards", test: boards, seeds: &["\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}"] },
    Target {
        name: "uci_line",
        test: uci_line,
        seeds: &[
            "joho go searchmoves e2e4 d2d4 wtime -5 btime 99999999999999999999 ponder depth 3 infinite",
            "setoption name Clear Hash value <empty>",
            "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 e7e5",
            "info depth 3 seldepth 5 multipv 1 score cp -12 lowerbound wdl 1 998 1 nodes 5 time 0 pv e2e4 e7e5 string a",
            "option name Hash type spin default 16 min 1 max 1024",
            "option name Style type combo default Solid var Solid var Very Wild",
            "bestmove e2e4 ponder (none)",
        ],
    },
    Target { name: "pgn", test: notation::pgn, seeds: notation::PGN_SEEDS },
    Target { name: "epd", test: notation::epd, seeds: notation::EPD_SEEDS },
    Target { name: "network", test: network::test, seeds: network::SEEDS },
    Target { name: "uci_loop", test: uci_loop::test, seeds: uci_loop::SEEDS },
    Target { name: "openings", test: records::openings, seeds: records::OPENINGS_SEEDS },
    Target { name: "packed", test: records::packed, seeds: records::PACKED_SEEDS },
    Target { name: "polyglot", test: records::polyglot, seeds: records::POLYGLOT_SEEDS },
    Target { name: "syzygy", test: syzygy::test, seeds: syzygy::SEEDS },
];

/// Any text as FEN is either refused with a one-line reason, or read, written and read again alike.
fn fen(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match text.parse::<Setup>() {
        Err(error) => assert_is_a_reason(&error.to_string()),
        Ok(setup) => {
            match setup.position() {
                Err(error) => assert!(!error.problems().is_empty()),
                Ok(position) => {
                    assert_eq!(position.to_string().parse(), Ok(position));
                    assert_eq!(position.shredder_fen().parse(), Ok(position));
                    assert_eq!(setup.playable_position(), Ok(position));
                }
            }
            if let Ok(position) = setup.playable_position() {
                assert_consistent(&position);
            }
        }
    }
}

/// Any words as moves, in either notation, are refused with a reason or are legal.
fn san(data: &[u8]) {
    read_moves(data, |position, word| position.parse_san(word).map_err(|error| error.to_string()));
}

fn uci(data: &[u8]) {
    read_moves(data, |position, word| position.parse_uci(word).map_err(|error| error.to_string()));
}

/// Any line, read as either side of the protocol, prints as one line that means the same.
fn uci_line(data: &[u8]) {
    let line = String::from_utf8_lossy(data);
    let assert_is_line = |printed: &str| assert!(!printed.contains(['\n', '\r']), "{printed:?}");
    if let Some(reading) = Command::read(&line) {
        let printed = reading.value.to_string();
        assert_is_line(&printed);
        assert_eq!(Command::read(&printed).map(|again| again.value), Some(reading.value));
        reading.complaints.iter().for_each(|complaint| assert_is_a_reason(complaint));
    }
    if let Some(reading) = Message::read(&line) {
        let printed = reading.value.to_string();
        assert_is_line(&printed);
        assert_eq!(Message::read(&printed).map(|again| again.value), Some(reading.value));
        reading.complaints.iter().for_each(|complaint| assert_is_a_reason(complaint));
    }
}

/// The first byte chooses where the game starts.
fn read_moves(data: &[u8], read: impl Fn(&Position, &str) -> Result<Move, String>) {
    let Some((&first, rest)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    let start = STARTS[usize::from(first) % STARTS.len()];
    let mut game = Game::new(start.parse().expect("the starts are legal"));
    for word in text.split(' ') {
        match read(game.position(), word) {
            Err(reason) => assert_is_a_reason(&reason),
            Ok(mv) => {
                assert!(game.position().legal_moves().contains(&mv));
                game.play(mv).expect("what was read is legal");
            }
        }
    }
}

/// A game chosen by the bytes: legal exactly if playable, keys kept up to date, a copy stays as it was.
fn play(data: &[u8]) {
    let Some((&[high, low], rest)) = data.split_first_chunk::<2>() else { return };
    let number = u16::from_be_bytes([high, low]) % 1_920;
    let Some(mut position) = Position::double_chess960(number % 960, if number < 960 { number } else { 959 }) else {
        return;
    };
    for chunk in rest.chunks(2).take(300) {
        let moves = position.legal_moves();
        let before = position;
        // Two bytes may also be a move word themselves, legal or not.
        if let (&[high, low], 0) = (chunk, chunk[0] % 8)
            && let Some(mv) = Move::from_bits(u16::from_be_bytes([high, low]))
        {
            assert_eq!(position.is_legal(mv), moves.contains(&mv));
            assert_eq!(position.play(mv).is_ok(), moves.contains(&mv));
        }
        let Some(&mv) = moves.get(usize::from(chunk[0]) % moves.len().max(1)) else { return };
        position = before.play(mv).expect("a legal move");
        assert_consistent(&position);
        assert!(before.legal_moves() == moves, "playing does not change the position played from");
    }
}

/// The boards of the founding documents count the same moves two plies deep wherever a game leads.
fn boards(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    // The boards know no Chess960.
    let starts = [STARTS[0], STARTS[1], STARTS[2], STARTS[4]];
    let mut position: Position = starts[usize::from(first) % starts.len()].parse().expect("the starts are legal");
    for &byte in rest.iter().take(100) {
        let fen = position.to_string();
        let [expected, counts @ ..] = BoardKind::WITNESSES.map(|kind| kind.perft(&fen, 2).expect("a legal position"));
        assert!(counts.iter().all(|&count| count == expected), "{fen}: {expected} and {counts:?}");
        let moves = position.legal_moves();
        let Some(&mv) = moves.get(usize::from(byte) % moves.len().max(1)) else { return };
        position = position.play_unchecked(mv);
    }
}

fn assert_consistent(position: &Position) {
    let setup = position.setup();
    let again = setup.playable_position().expect("a position is legal");
    assert!(again == *position, "keys and rights are what they would be from scratch");
    assert_eq!((again.key(), again.pawn_key()), (position.key(), position.pawn_key()));
    assert_eq!(position.legal_move_count(), position.legal_moves().len());
    for mv in &position.legal_moves() {
        assert!(position.is_legal(*mv));
        assert_eq!(position.gives_check(*mv), position.play_unchecked(*mv).is_check());
    }
}

/// A reason is one line.
fn assert_is_a_reason(reason: &str) {
    assert_eq!(reason.lines().count(), 1, "{reason:?}");
}
