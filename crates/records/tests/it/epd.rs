//! Positions with operations, read and written.

use saavedra_records::epd::{Epd, Operand};
use saavedra_records::source;
use std::io::BufRead;
use testkit::{Random, Variants, random_walks};

fn read(line: &str) -> Epd {
    line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
}

#[test]
fn operations_hold_moves_numbers_and_texts() {
    let epd = read(
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5 d4; am Nxe5; ce 35; pv Bb5 a6 Ba4; \
         id \"a; b\"; c0 \"one\" \"two\"; hmvc 2; fmvn 3; draw_offer; Elo 1800;",
    );
    assert_eq!(epd.position().to_string(), "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    let sans: Vec<String> = epd.moves("bm").iter().map(|&mv| epd.position().san(mv)).collect();
    assert_eq!(sans, ["Bb5", "d4"]);
    assert_eq!((epd.moves("am").len(), epd.moves("pv").len()), (1, 3));
    assert_eq!((epd.number("ce"), epd.text("id"), epd.text("c0")), (Some(35), Some("a; b"), Some("one")));
    assert_eq!(epd.get("draw_offer"), Some(&Operand::Text(Vec::new())));
    assert_eq!(epd.text("Elo"), Some("1800"));
    assert_eq!(epd.operations().count(), 10);
    assert_eq!(read(&epd.to_string()), epd);
}

#[test]
fn lines_may_be_sloppy() {
    let fen = "8/2P5/8/8/3r4/8/2K5/k7 w - - 7 30";
    for line in
        [fen.to_owned(), format!("{fen} bm c8=R"), format!("  {fen};bm c8R!;"), format!("\u{feff}{fen} ;; id x")]
    {
        assert_eq!(read(&line).position().to_string(), fen, "{line}");
    }
    assert_eq!(read("8/2P5/8/8/3r4/8/2K5/k7 w - -").position().to_string(), "8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1");
}

#[test]
fn what_is_wrong_is_said() {
    let position = "8/2P5/8/8/3r4/8/2K5/k7 w - -";
    for (line, expected) in [
        ("".to_owned(), "expected a position and operations, found \"\""),
        ("8/8 w -".to_owned(), "expected a position and operations, found \"8/8 w -\""),
        ("8/8 w - - bm e4;".to_owned(), "\"8/8 w - -\" is not a position: "),
        (format!("{position} bm Qd4;"), "bm: Qd4 is not a legal move here"),
        (format!("{position} pv c8=Q Kb2;"), "pv: Kb2 is not a legal move here"),
        (format!("{position} ce high;"), "ce: \"high\" is not a whole number"),
        (format!("{position} id \"x;"), "a quotation mark is missing after \"x;\""),
        (format!("{position} \"x\" y;"), "expected the name of an operation, found \"\\\"x\\\"\""),
    ] {
        let error = line.parse::<Epd>().expect_err(&line).to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn what_is_written_reads_back_as_it_was() {
    let mut random = Random::new(5);
    random_walks(6, 40, Variants::All, |position| {
        let mut epd = Epd::new(*position);
        let sans: Vec<String> = position.legal_moves().into_iter().map(|mv| position.san(mv)).collect();
        if !sans.is_empty() {
            epd.set("bm", &[random.pick(&sans).as_str(), random.pick(&sans).as_str()]).expect("legal moves");
            epd.set("pv", &[random.pick(&sans).as_str()]).expect("a legal move");
        }
        epd.set("ce", &[&(random.below(2_000) as i64 - 1_000).to_string()]).expect("a number");
        epd.set("id", &["some \"text\"; and\nmore"]).expect("a text");
        let line = epd.to_string();
        assert!(!line.contains('\n'));
        assert_eq!(read(&line), epd, "{line}");
    });
}

#[test]
fn suites_and_books_are_read() {
    for name in ["suites/bratko-kopec.epd", "suites/wac-revised.epd", "books/endgames.epd.zip"] {
        let Some(file) = testkit::data_file(name) else {
            eprintln!("skipped: there is no {name}");
            continue;
        };
        let lines = source::open(&file).expect("the file can be opened").lines().map(|line| line.expect("a line"));
        let mut count = 0;
        for line in lines.filter(|line| !line.trim().is_empty()).take(5_000) {
            let epd = read(&line);
            assert_eq!(read(&epd.to_string()), epd);
            count += 1;
        }
        assert!(count > 20, "{name}");
    }
}
