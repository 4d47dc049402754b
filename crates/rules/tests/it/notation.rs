//! FEN, SAN and UCI moves: exact on output, forgiving where real files stray, clear about what is wrong.

use rules::{CastlingSide, Color, FenError, Move, Position, Role, SanError, Setup, SetupProblem, Square, UciError};
use saavedra_rules as rules;

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn fen_error(fen: &str) -> String {
    match fen.parse::<Position>() {
        Ok(position) => panic!("{fen} was read as {position}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_fen_may_leave_its_counters_out() {
    let full = position("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(position("4k3/8/8/8/8/8/8/4K3 w - -"), full);
    assert_eq!(position("4k3/8/8/8/8/8/8/4K3 w - - 0"), full);
    assert_eq!(position("4k3/8/8/8/8/8/8/4K3 w - - 0 0"), full);
    assert_eq!(position("4k3/8/8/8/8/8/8/4K3 b - - 7 33").to_string(), "4k3/8/8/8/8/8/8/4K3 b - - 7 33");
}

#[test]
fn a_bad_fen_is_told_what_and_where() {
    let cases = [
        ("", "FEN has 1 field, expected four to six separated by single spaces"),
        ("4k3/8/8/8/8/8/8/4K3 w -", "FEN has 3 fields, expected four to six separated by single spaces"),
        ("4k3/8/8/8/8/8/8/4K3  w - - 0 1", "FEN has 7 fields, expected four to six separated by single spaces"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "FEN field 1 (pieces) has 7 ranks, expected eight"),
        ("4k3/8/8/7/8/8/8/4K3 w - - 0 1", "FEN field 1 (pieces): rank 5 has 7 squares, expected eight"),
        ("4k3/8/8/ppppppppp/8/8/8/4K3 w - - 0 1", "FEN field 1 (pieces): rank 5 has 9 squares, expected eight"),
        ("4k3/8/8/44/8/8/8/4K3 w - - 0 1", "FEN field 1 (pieces): unexpected '4' in rank 5"),
        ("4k3/8/8/9/8/8/8/4K3 w - - 0 1", "FEN field 1 (pieces): unexpected '9' in rank 5"),
        ("4k3/8/8/3é4/8/8/8/4K3 w - - 0 1", "FEN field 1 (pieces): unexpected 'é' in rank 5"),
        ("4k3/8/8/8/8/8/8/4K3 W - - 0 1", "FEN field 2 (turn) is \"W\", expected w or b"),
        (
            "4k3/8/8/8/8/8/8/4K3 w KX - 0 1",
            "FEN field 3 (castling) is \"KX\", expected - or letters like KQkq or HAha, none twice",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w KK - 0 1",
            "FEN field 3 (castling) is \"KK\", expected - or letters like KQkq or HAha, none twice",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w  - 0 1",
            "FEN field 3 (castling) is \"\", expected - or letters like KQkq or HAha, none twice",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "FEN field 4 (en passant) is \"e9\", expected - or a square like e3"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "FEN field 5 (half-move clock) is \"x\", expected a number up to 65535"),
        ("4k3/8/8/8/8/8/8/4K3 w - - +1 1", "FEN field 5 (half-move clock) is \"+1\", expected a number up to 65535"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 99999", "FEN field 6 (move number) is \"99999\", expected a number up to 65535"),
    ];
    for (fen, message) in cases {
        assert_eq!(fen_error(fen), message, "{fen}");
    }
}

#[test]
fn everything_that_is_wrong_with_a_position_is_reported_at_once() {
    let problems = |fen: &str| -> Vec<SetupProblem> {
        let setup: Setup = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        setup.position().expect_err(fen).problems().to_vec()
    };
    use Color::{Black, White};
    assert_eq!(problems("8/8/8/8/8/8/8/8 w - -"), [SetupProblem::MissingKing(White), SetupProblem::MissingKing(Black)]);
    assert_eq!(problems("kk6/8/8/8/8/8/8/7K w - -"), [SetupProblem::SeveralKings(Black)]);
    assert_eq!(problems("4k3/4R3/8/8/8/8/8/4K3 w - -"), [SetupProblem::OpponentInCheck]);
    assert_eq!(problems("kK6/8/8/8/8/8/8/8 w - -").first(), Some(&SetupProblem::OpponentInCheck));
    assert_eq!(
        problems("P3k2p/8/8/8/8/8/8/4K3 w - -"),
        [SetupProblem::PawnOnBackRank(Square::A8), SetupProblem::PawnOnBackRank(Square::H8)]
    );
    assert_eq!(problems("4k3/pppppppp/p7/8/8/8/8/4K3 w - -"), [SetupProblem::TooMuchMaterial(Black)]);
    assert_eq!(problems("4k3/8/8/8/NNN5/NN6/NN6/NNNNK3 w - -"), [SetupProblem::TooMuchMaterial(White)]);
    assert_eq!(problems("4k3/8/8/8/8/8/8/4K2R w Q -"), [SetupProblem::CastlingWithoutRook(White, Square::A1)]);
    assert_eq!(problems("r6r/4k3/8/8/8/8/8/4K3 w k -"), [SetupProblem::CastlingWithoutKing(Black)]);
    assert_eq!(
        problems("4k3/8/8/8/8/8/8/4K1RR w GH -"),
        [SetupProblem::CastlingTwiceOnOneSide(White, CastlingSide::KingSide)]
    );
    let mut off_rank = position("4k3/8/8/8/8/8/8/R3K3 w Q -").setup();
    off_rank.castling = Square::A4.bitboard();
    let errors = off_rank.position().expect_err("a4 is no corner");
    assert_eq!(errors.problems(), [SetupProblem::CastlingOffBackRank(Square::A4)]);
    assert_eq!(
        fen_error("8/8/8/8/8/8/8/P6p w KQkq e4"),
        "illegal position: white has no king; black has no king; a pawn stands on a1; a pawn stands on h1; \
         white may not castle with a1: there is no white rook; white may not castle with h1: there is no white rook; \
         white may not castle: the king is not on its back rank; \
         black may not castle with a8: there is no black rook; black may not castle with h8: there is no black rook; \
         black may not castle: the king is not on its back rank; \
         en passant on e4 is impossible: no pawn can just have passed it"
    );
}

#[test]
fn an_en_passant_square_must_have_been_passed() {
    for (fen, square) in [
        ("4k3/8/8/8/8/8/8/4K3 w - e6", Square::E6),
        ("4k3/8/8/4p3/8/8/8/4K3 w - e3", Square::E3),
        ("4k3/8/4n3/4p3/8/8/8/4K3 w - e6", Square::E6),
        ("4k3/4n3/8/4p3/8/8/8/4K3 w - e6", Square::E6),
        ("4k3/8/8/4P3/8/8/8/4K3 w - e6", Square::E6),
        ("4k3/8/8/8/4P3/8/8/4K3 w - e3", Square::E3),
    ] {
        let setup: Setup = fen.parse().expect("well written");
        let problems = setup.position().expect_err(fen).problems().to_vec();
        assert_eq!(problems, [SetupProblem::ImpossibleEnPassant(square)], "{fen}");
    }
}

#[test]
fn checks_must_have_been_given_by_one_move() {
    let is_impossible = |fen: &str| {
        let setup: Setup = fen.parse().expect("well written");
        let strict = setup.position();
        assert!(setup.playable_position().is_ok(), "{fen} can be played on");
        strict.is_err_and(|error| matches!(error.problems(), [SetupProblem::ImpossibleCheckers(_)]))
    };
    // Two knights; two rooks on one line; three pieces; a check that the double push did not give.
    assert!(is_impossible("4k3/8/8/8/8/3n1n2/8/4K3 w - -"));
    assert!(is_impossible("4r2k/8/8/8/4K3/8/8/4r3 w - -"));
    assert!(is_impossible("4r2k/8/8/b7/8/3n4/8/4K3 w - -"));
    assert!(is_impossible("1b1k4/8/8/1rPpK3/8/8/8/8 w - d6"));
    // A bishop and a rook can: the one moved away from the other's line. So can a double push, with the pawn itself or
    // with what stood behind it.
    assert!(!is_impossible("4r2k/8/8/8/1b6/8/8/4K3 w - -"));
    assert!(!is_impossible("7k/8/8/3p4/4K3/8/8/8 w - d6"));
    assert!(!is_impossible("8/8/8/6k1/2pP4/8/8/2B1K3 b - d3"));
}

#[test]
fn castling_letters_name_rooks() {
    // Two rooks on one side: K is the outer one, the letter of a file any.
    let inner = position("4k3/8/8/8/8/8/8/4K1RR w G - 0 1");
    let outer = position("4k3/8/8/8/8/8/8/4K1RR w K - 0 1");
    assert_eq!(inner.castling_rights().rooks(), Square::G1.bitboard());
    assert_eq!(outer.castling_rights().rooks(), Square::H1.bitboard());
    assert_eq!(inner.to_string(), "4k3/8/8/8/8/8/8/4K1RR w G - 0 1");
    assert_eq!(outer.to_string(), "4k3/8/8/8/8/8/8/4K1RR w K - 0 1");
    assert_eq!(outer.shredder_fen(), "4k3/8/8/8/8/8/8/4K1RR w H - 0 1");
    assert_eq!(Position::initial().shredder_fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    assert_eq!(position("r3k2r/8/8/8/8/8/8/R3K2R w qkQK -").to_string(), "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
}

#[test]
fn san_is_read_as_real_files_write_it() {
    let play = |fen: &str, san: &str| position(fen).parse_san(san).map(|mv| mv.to_string());
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for san in ["Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "Nf3+", "Nf3!?", "Nf3??", "g1f3", "g1-f3"] {
        assert_eq!(play(start, san), Ok("g1f3".into()), "{san}");
    }
    for san in ["e4", "Pe4", "e2e4", "e2-e4", "e4=", "e4!!"] {
        assert_eq!(play(start, san), Ok("e2e4".into()), "{san}");
    }
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
    for san in ["O-O", "0-0", "o-o", "OO", "O-O+", "0-0!", "e1g1", "e1-g1", "e1g1!", "e1h1+", " O-O "] {
        assert_eq!(play(castling, san), Ok("e1h1".into()), "{san}");
    }
    for san in ["O-O-O", "0-0-0", "o-o-o#", "OOO", "e1c1"] {
        assert_eq!(play(castling, san), Ok("e1a1".into()), "{san}");
    }
    let promotion = "3r3k/4P3/8/8/8/8/8/4K3 w - -";
    for san in ["e8=Q", "e8Q", "e8(Q)", "e8/Q", "e8=q", "e8q", "e8=(Q)", "e8=Q+ ", "e7e8q", "e7-e8=Q+"] {
        assert_eq!(play(promotion, san), Ok("e7e8q".into()), "{san}");
    }
    for san in ["exd8=N", "ed8N", "e7xd8=N", "e:d8=N", "exd8(N)", "e7d8n"] {
        assert_eq!(play(promotion, san), Ok("e7d8n".into()), "{san}");
    }
    let en_passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6";
    for san in
        ["exd6", "exd6e.p.", "exd6 e.p.", "exd6ep", "exd6+ e.p.", "exd6 (e.p.)", "exd6(ep)!", "ed6", "e5xd6", "e5d6"]
    {
        assert_eq!(play(en_passant, san), Ok("e5d6".into()), "{san}");
    }
    // A lower-case b is a file, an upper-case one a bishop.
    let bishops = "4k3/8/8/8/2p5/1P1B4/8/4K3 w - -";
    assert_eq!(play(bishops, "bxc4"), Ok("b3c4".into()));
    assert_eq!(play(bishops, "Bxc4"), Ok("d3c4".into()));
}

#[test]
fn san_says_as_little_as_tells_moves_apart() {
    let san = |fen: &str, uci: &str| {
        let position = position(fen);
        position.san(position.parse_uci(uci).unwrap_or_else(|error| panic!("{fen}: {error}")))
    };
    assert_eq!(san("4k3/8/8/8/8/4K3/8/R6R w - -", "a1d1"), "Rad1");
    assert_eq!(san("4k3/R7/8/8/8/8/8/R3K3 w - -", "a1a4"), "R1a4");
    assert_eq!(san("1k6/8/8/8/Q6Q/8/8/3K3Q w - -", "h4e4"), "Qh4e4");
    // A pinned rival needs no distinction.
    assert_eq!(san("4k3/4r3/8/8/4N3/8/8/1N2K3 w - -", "b1c3"), "Nc3");
    assert_eq!(san("7k/7p/8/8/5N2/8/8/1K4R1 w - -", "f4g6"), "Ng6+");
    assert_eq!(san("6rk/6pp/8/6N1/8/8/8/4K3 w - -", "g5f7"), "Nf7#");
    assert_eq!(san("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "e1g1"), "O-O");
    assert_eq!(san("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6"), "exd6");
}

#[test]
fn san_that_means_nothing_is_told_so() {
    let position = position("4k3/8/8/8/8/4K3/8/R6R w - -");
    let error = |san: &str| position.parse_san(san).expect_err(san);
    assert_eq!(error("Rd1").to_string(), "Rd1 is ambiguous: Rad1 or Rhd1");
    assert_eq!(error("Qd1"), SanError::Illegal("Qd1".into()));
    for san in
        ["", " ", "+", "x", "R", "Rd", "d", "9", "Rd9", "Ri1", "Zd1", "Rabc1", "--", "Z0", "O-O-O-O", "é4", "♘f3"]
    {
        assert_eq!(error(san), SanError::Syntax(san.into()), "{san}");
    }
    assert_eq!(error("Qd4\n").to_string(), "Qd4\\n is not a legal move here", "a reason is one line");
}

#[test]
fn san_signs_have_their_places() {
    let refused = |fen: &str, texts: &[&str]| {
        for text in texts {
            assert!(position(fen).parse_san(text).is_err(), "{text} in {fen}");
        }
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    refused(start, &["Nf3x", "xNf3", "N-f-3", "e4-", "Nf3ep", "Nf3 e.p.", "e4ep", "Nxxf3", "nf3", "e2e4q"]);
    let promotion = "3r3k/4P3/8/8/8/8/8/4K3 w - -";
    refused(promotion, &["e8", "e8Q)", "e8(Q", "e8=Q)", "e8x=Q", "e8=-Q", "e8Qep", "e8=K", "e8=P", "d8=Q"]);
    refused("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", &["O-Oe.p.", "O-O-", "O--O"]);
    // A pawn that takes is written with its file.
    refused("4k3/8/8/3p4/4P3/8/8/4K3 w - -", &["d5", "Pd5", "4d5", "xd5"]);
    refused("4k3/8/8/3pP3/8/8/8/4K3 w - d6", &["d6", "e6ep"]);
}

#[test]
fn uci_moves_are_read_strictly() {
    let position = position("r3k2r/P7/8/8/8/8/8/R3K2R w KQkq -");
    let error = |uci: &str| position.parse_uci(uci).expect_err(uci);
    for uci in ["", "e1", "e1g", "e1g1x", "e1g1qq", "E1G1", "a7b8k", "0000", "é1g1", "a7b8p"] {
        assert_eq!(error(uci), UciError::Syntax(uci.into()), "{uci}");
    }
    for uci in ["e1e1", "e8g8", "a7a8q", "a7b8", "e1f3"] {
        assert_eq!(error(uci), UciError::Illegal(uci.into()), "{uci}");
    }
}

#[test]
fn castling_has_two_spellings_and_a_step_is_a_step() {
    // The king on f1 may step to g1 or castle with h1: only the rook's square means castling.
    let position = position("4k3/8/8/8/8/8/8/5K1R w H -");
    assert_eq!(position.parse_uci("f1g1"), Ok(Move::normal(Square::F1, Square::G1)));
    assert_eq!(position.parse_uci("f1h1"), Ok(Move::castle(Square::F1, Square::H1)));
    assert_eq!(position.uci(Move::castle(Square::F1, Square::H1)), "f1h1");
    assert_eq!(position.san(Move::castle(Square::F1, Square::H1)), "O-O");
    // A king on g1 castles without moving; that is not written as g1g1.
    let position = self::position("4k3/8/8/8/8/8/8/6KR w H -");
    assert!(position.parse_uci("g1g1").is_err() && position.parse_san("g1g1").is_err());
    assert_eq!(position.parse_uci("g1h1"), Ok(Move::castle(Square::G1, Square::H1)));
}

#[test]
fn malformed_move_words_are_no_moves() {
    assert_eq!(Move::from_bits(0), None);
    let still = Square::E4 as u16 | (Square::E4 as u16) << 6;
    assert_eq!(Move::from_bits(still), None);
    // Promotion bits on a move that is none.
    assert_eq!(Move::from_bits(Move::normal(Square::E2, Square::E4).bits() | 1 << 12), None);
    let promotion = Move::promotion(Square::E7, Square::E8, Role::Knight);
    assert_eq!(Move::from_bits(promotion.bits()), Some(promotion));
    assert_eq!(FenError::Fields(1).to_string().lines().count(), 1);
}
