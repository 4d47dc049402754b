//! Openings: every book we know is read, broken ones are named, and every pair of games gets its own.

use std::collections::HashSet;

use rules::Position;
use saavedra_records::openings::{Opening, Openings, OpeningsError, Order};
use testkit::data_file;

fn from_text(text: &str) -> Result<Openings, OpeningsError> {
    Openings::from_text("book", text.as_bytes(), None)
}

fn reason(text: &str) -> String {
    from_text(text).expect_err("a broken book").to_string()
}

fn fens(openings: &Openings, pairs: std::ops::Range<u64>) -> Vec<String> {
    pairs.map(|pair| openings.opening(1, pair).end().to_string()).collect()
}

#[test]
fn positions_are_read_as_fen_and_as_epd() {
    let openings = from_text(
        "\u{feff}\r\n4k3/8/8/8/8/8/8/R3K3 w Q - 5 9\r\n\n4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"a 1\";\n\
         1rkr4/8/8/8/8/8/8/1RKR4 b DBdb - 3 7; c0 \"x\";\n4k3/8/8/8/8/8/8/4KR2   b - -",
    )
    .expect("a book");
    assert_eq!(openings.count(), Some(4));
    assert_eq!(
        fens(&openings, 0..5),
        [
            "4k3/8/8/8/8/8/8/R3K3 w Q - 5 9",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "1rkr4/8/8/8/8/8/8/1RKR4 b KQkq - 3 7",
            "4k3/8/8/8/8/8/8/4KR2 b - - 0 1",
            "4k3/8/8/8/8/8/8/R3K3 w Q - 5 9",
        ]
    );
}

#[test]
fn games_are_read_without_their_variations_and_cut_where_asked() {
    let text = "[Event \"?\"]\n\n1. e4 (1. d4 d5) e5 2. Nf3 *\n\n\
                [FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. O-O-O Kf7 1-0\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    assert_eq!(reason(text), "book, line 9: the game is over before it begins");
    let openings = Openings::from_text("book", text.as_bytes(), Some(2)).expect("a book");
    let moves = |pair| {
        let Opening { start, moves } = openings.opening(0, pair);
        (start.to_string(), moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    };
    assert_eq!(moves(0), (Position::initial().to_string(), "e2e4 e7e5".to_owned()));
    assert_eq!(moves(1), ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1".to_owned(), "e1a1 e8f7".to_owned()));
    assert_eq!(moves(2).1, "f2f3 e7e5");
    assert_eq!(from_text("1.e4 e5").expect("a book without tags").opening(0, 0).moves.len(), 2);
}

#[test]
fn a_broken_book_is_one_line_that_names_file_line_and_reason() {
    assert_eq!(
        reason("4k3/8/8/8/8/8/8/R3K3 w Q -\n4k3/8/8/8/8/8/8/R3K3 x Q -\n"),
        "book, line 2: FEN field 2 (turn) is \"x\", expected w or b"
    );
    assert_eq!(reason("4k3/8/8/8/8/8/8/8 w - - 0 1"), "book, line 1: illegal position: white has no king");
    assert_eq!(reason("\n4k3/8/8/8"), "book, line 2: FEN has 1 field, expected four to six separated by single spaces");
    assert_eq!(reason("[Event \"?\"]\n\n1. e4 Ke7 *\n"), "book, game 1, line 3: Ke7 is not a legal move here");
    assert_eq!(reason("\n\nhello"), "book, line 3: expected positions as FEN or EPD, one a line, or games as PGN");
    assert_eq!(reason(" \n\r\n"), "book holds no openings");
    assert_eq!(reason(""), "book holds no openings");
    assert_eq!(
        reason(&format!("4k3/8/8/8/8/8/8/R3K3 w Q - {}", "x".repeat(70_000))),
        "book, line 1: the line is too long"
    );
    let error = Openings::read("no/such/book.epd").expect_err("there is none").to_string();
    assert!(error.starts_with("cannot read no/such/book.epd: ") && error.lines().count() == 1, "{error}");
    let error = Openings::from_text("book", &b"\xff\xfe\0\0"[..], None).expect_err("no text").to_string();
    assert_eq!(error.lines().count(), 1);
}

#[test]
fn a_random_order_takes_every_opening_once_and_depends_on_the_seed() {
    let lines: String = (1..=50).map(|number| format!("4k3/8/8/8/8/8/8/R3K3 w Q - 0 {number}\n")).collect();
    let openings = from_text(&lines).expect("a book").in_order(Order::Random);
    let lap = |seed, first: u64| -> Vec<u16> {
        (first..first + 50).map(|pair| openings.opening(seed, pair).start.fullmove_number()).collect()
    };
    for first in [0, 50, 5_000_000_000] {
        assert_eq!(lap(3, first).into_iter().collect::<HashSet<_>>().len(), 50);
    }
    assert_ne!(lap(3, 0), lap(3, 50));
    assert_ne!(lap(3, 0), lap(4, 0));
    assert_eq!(lap(3, 0), lap(3, 0));
}

#[test]
fn random_openings_repeat_by_seed_leave_a_game_and_even_material() {
    let openings = Openings::random_plies(8);
    assert_eq!(openings.count(), None);
    let mut ends = HashSet::new();
    for pair in 0..300 {
        let opening = openings.opening(5, pair);
        assert_eq!(opening, openings.opening(5, pair));
        assert_eq!(opening.moves.len(), 8);
        let end = opening.moves.iter().fold(opening.start, |position, &mv| position.play(mv).expect("a legal move"));
        assert_eq!(end, opening.end());
        assert!(end.has_legal_moves());
        let pawns = |color| end.pieces(rules::Role::Pawn, color).count();
        assert_eq!(pawns(rules::Color::White), pawns(rules::Color::Black));
        ends.insert(end.key());
    }
    assert!(ends.len() > 290);
    assert_ne!(openings.opening(5, 0), openings.opening(6, 0));
    assert!(Openings::random_plies(400).opening(1, 1).end().has_legal_moves());
    assert_eq!(Openings::random_plies(0).opening(1, 1), Openings::start_position().opening(9, 9));
}

#[test]
fn the_books_that_people_play_with_are_read_as_they_come() {
    for (file, count, plies) in [
        ("books/UHO_4060_v4.epd.zip", 241_670, 0),
        ("books/FRC_openings.epd.zip", 960, 0),
        ("books/endgames.epd.zip", 157_846, 0),
        ("books/8moves_v3.pgn.zip", 34_700, 16),
    ] {
        let Some(path) = data_file(file) else { continue };
        let openings = Openings::read(path).expect("a good book").in_order(Order::Random);
        assert_eq!(openings.count(), Some(count), "{file}");
        for pair in 0..500 {
            let opening = openings.opening(1, pair);
            assert_eq!(opening.moves.len(), plies);
            assert!(opening.end().has_legal_moves());
        }
    }
}
