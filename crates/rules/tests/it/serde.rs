//! With the feature `serde`, what is printed as text is serialised as that text.

use saavedra_rules::{Position, Square, UciMove};

#[test]
fn positions_squares_and_moves_are_texts() {
    let fen = "\"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9\"";
    let position: Position = serde_json::from_str(fen).expect("a legal position");
    assert_eq!(serde_json::to_string(&position).expect("text"), fen);
    let pair: (Square, UciMove) = serde_json::from_str("[\"e4\",\"a7a8q\"]").expect("a square and a move");
    assert_eq!(serde_json::to_string(&pair).expect("text"), "[\"e4\",\"a7a8q\"]");
    let error = serde_json::from_str::<Position>("\"8/8/8/8/8/8/8/8 w - - 0 1\"").expect_err("no kings");
    assert!(error.to_string().contains("king"), "{error}");
    assert!(serde_json::from_str::<Square>("7").expect_err("no text").to_string().contains("a square such as e4"));
}
