//! What a board cannot take is refused with a reason, and changes nothing.

use crate::support::{BEGINNINGS, START};
use saavedra_classic::{Board, BoardError, BoardKind, StandardSetup, Task, UciMove};

/// What the board of a kind says about a FEN.
fn refusal(kind: BoardKind, fen: &str) -> String {
    kind.perft(fen, 0).expect_err("the position is refused").to_string()
}

#[test]
fn bad_fen_is_explained_by_every_board_in_the_same_words() {
    let cases = [
        ("", "FEN has 1 field,"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "FEN field 2 (turn)"),
        ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "unexpected '9' in rank 6"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "black has no king"),
        ("4k3/8/8/8/8/8/8/4K2R b K - 0 1 extra", "FEN has 7 fields"),
        ("4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1", "the side not to move is in check"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en passant on e6 is impossible"),
        ("PP2k3/8/8/8/8/8/8/4K3 b - - 0 1", "a pawn stands on a8; a pawn stands on b8"),
        ("4k3/QQQQQQQQ/QQQQ4/8/8/8/8/4K3 w - - 0 1", "white has more pieces than promotions can explain"),
    ];
    for (fen, reason) in cases {
        for kind in BoardKind::ALL {
            assert!(refusal(kind, fen).contains(reason), "{kind}: {fen}: {}", refusal(kind, fen));
            assert_eq!(refusal(kind, fen), refusal(BoardKind::Bitboard, fen));
        }
    }
}

#[test]
fn the_castling_rights_of_chess960_are_refused_and_named() {
    let cases = [
        ("1r2k3/8/8/8/8/8/8/4K2R b Kb - 0 1", "castle with b8 belongs to Chess960"),
        ("6kr/8/8/8/8/8/8/RK6 w Ak - 0 1", "castle with a1, h8 belongs to Chess960"),
        ("4k3/8/8/8/8/8/8/2R1K1R1 w CG - 0 1", "castle with c1, g1 belongs to Chess960"),
    ];
    for (fen, reason) in cases {
        for kind in BoardKind::ALL {
            assert!(matches!(kind.perft(fen, 1), Err(BoardError::Chess960(_))), "{kind}: {fen}");
            assert!(refusal(kind, fen).contains(reason), "{}", refusal(kind, fen));
        }
    }
    // The same pieces without the rights are standard chess, and so are standard rights in the letters of Chess960.
    assert!("6kr/8/8/8/8/8/8/RK6 w - - 0 1".parse::<StandardSetup>().is_ok());
    assert!("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1".parse::<StandardSetup>().is_ok());
}

/// Hands every move that can be written to a board, and expects that just the legal ones are made.
struct TryEverything(&'static str);

impl Task for TryEverything {
    type Output = usize;

    fn run<B: Board>(self) -> usize {
        let mut board = B::from_fen(self.0).expect("the position is legal");
        let before = board.clone();
        let legal = board.legal_moves();
        assert_eq!(board, before, "listing the moves changes nothing");
        for from in rules::Square::ALL {
            for to in rules::Square::ALL {
                for promotion in [None].into_iter().chain(rules::Role::ALL.map(Some)) {
                    let mv = UciMove { from, to, promotion };
                    match board.make(mv) {
                        Ok(()) => {
                            assert!(legal.contains(&mv), "{mv} was made in {}", self.0);
                            assert_ne!(board, before);
                            assert_eq!(board.last_move().map(|played| played.mv), Some(mv));
                            assert_eq!(board.unmake(), Some(mv));
                        }
                        Err(error) => {
                            assert!(!legal.contains(&mv), "{mv} was refused in {}", self.0);
                            assert_eq!(error.to_string(), format!("{mv} is not a legal move here"));
                        }
                    }
                    assert_eq!(board, before, "{mv} left a trace in {}", self.0);
                }
            }
        }
        legal.len()
    }
}

#[test]
fn of_all_moves_that_can_be_written_just_the_legal_ones_are_made() {
    for fen in [BEGINNINGS[1], BEGINNINGS[8], BEGINNINGS[10], BEGINNINGS[12]] {
        let expected = BoardKind::Bitboard.perft(fen, 1).expect("the position is legal");
        for kind in BoardKind::ALL {
            assert_eq!(kind.run(TryEverything(fen)) as u64, expected, "{kind}: {fen}");
        }
    }
}

#[test]
fn taking_back_where_nothing_was_made_does_nothing() {
    struct TakeBack;
    impl Task for TakeBack {
        type Output = ();
        fn run<B: Board>(self) {
            let mut board = B::from_fen(START).expect("the position is legal");
            let before = board.clone();
            assert_eq!((board.last_move(), board.unmake()), (None, None));
            assert_eq!(board, before);
            assert_eq!(board.fen(), START);
        }
    }
    for kind in BoardKind::ALL {
        kind.run(TakeBack);
    }
}

#[test]
fn kinds_are_known_by_name_and_others_are_not() {
    for kind in BoardKind::ALL {
        assert_eq!(kind.name().parse(), Ok(kind));
        assert_eq!(kind.to_string(), kind.name());
        assert!(!kind.description().is_empty());
    }
    assert_eq!(
        "0x88".parse::<BoardKind>().expect_err("there is none").to_string(),
        "there is no board called \"0x88\": choose among bitboard, mailbox, packed, movemap, movemap-rights, \
         movemap-lines, movemap-both"
    );
}

#[test]
fn texts_that_are_no_moves_are_refused() {
    for text in ["", "e2", "e2e9", "e2e4k", "e2e4qq", "e7e8Q", "é2e4", "e2 e4"] {
        let error = text.parse::<UciMove>().expect_err("this is no move").to_string();
        assert!(error.contains("is not a UCI move: expected something like e2e4 or e7e8q"), "{error}");
    }
}
