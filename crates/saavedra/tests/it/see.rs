//! `saavedra see`, as a user meets it.

use crate::common::{complaint, printed};

const GUARDED_PAWN: &str = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1";
const STUCK_BISHOP: &str = "4k3/8/8/5b2/4B3/3p4/3Q4/4K3 w - - 0 1";

#[test]
fn an_exchange_is_drawn_and_told_step_by_step() {
    let text = printed(&["see", GUARDED_PAWN, "Nxe5"]);
    for line in [
        "5  .  .  .  . [p] .  .  . ",
        "3  P  .  . >N  .  .  P  . ",
        "2  .  P  P  . (R) .  B  P ",
        "  by white: rook e2",
        "  by black: knight d7, bishop f6",
        "  h8 looks through f6",
        "  d7e5   black knight  takes the knight   -200",
        "improved look-up              -200",
    ] {
        assert!(text.lines().any(|printed| printed == line), "{line:?} is missing in\n{text}");
    }
    assert!(!text.contains("differs"), "{text}");
    assert_eq!(text, printed(&["see", GUARDED_PAWN, "d3e5"]), "both notations are understood");
}

#[test]
fn it_says_so_when_methods_differ() {
    let text = printed(&["see", STUCK_BISHOP, "Qxd3"]);
    assert!(text.contains("table of 1,575 entries        -600  differs from the truth"), "{text}");
    let pinned = printed(&["see", "4k3/4r3/8/3p4/8/4N3/8/4K3 w - - 0 1", "Ke2"]);
    assert!(pinned.contains("all legal captures searched     +0"), "{pinned}");
}

#[test]
fn the_starting_position_has_a_name_and_castling_is_written_as_the_king_moves() {
    assert!(printed(&["see", "startpos", "e4"]).contains("e2e4   white pawn    takes nothing"));
    let text = printed(&["see", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O"]);
    assert!(text.contains("e1g1   white king") && !text.contains("e1h1"), "{text}");
}

#[test]
fn pins_are_named() {
    // The knight could take the queen back, if there were no rook on e1.
    let text = printed(&["see", "4k3/8/4n3/8/3p4/8/8/3QR2K w - - 0 1", "Qxd4"]);
    assert!(text.contains("e6 is pinned by e1") && text.contains("all legal captures searched   +100"), "{text}");
}

#[test]
fn json_holds_the_same() {
    let text = printed(&["see", STUCK_BISHOP, "Qxd3", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text).expect("one JSON object");
    assert_eq!(json["verdicts"]["oracle"], 100);
    assert_eq!(json["verdicts"]["table"], -600);
    assert_eq!((json["agree"].as_bool(), json["square"].as_str()), (Some(false), Some("d3")));
    assert_eq!(json["best_line"][0]["takes"], "pawn");
}

#[test]
fn values_belong_to_the_caller() {
    let text = printed(&["see", GUARDED_PAWN, "Nxe5", "--values", "100,320,330,500,900"]);
    assert!(text.contains("all legal captures searched   -220"), "{text}");
    assert!(text.contains("table of 1,575 entries           -  cannot be built for these values"), "{text}");
}

#[test]
fn castling_and_promotion_are_exchanges_too() {
    assert!(
        printed(&["see", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "O-O"]).contains("improved look-up                +0")
    );
    let text = printed(&["see", "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "exd8=Q"]);
    assert!(text.contains("all legal captures searched  +1400"), "{text}");
}

#[test]
fn wrong_usage_is_one_line_and_exit_code_two() {
    assert_eq!(
        complaint(&["see", GUARDED_PAWN, "Nxe6"], 2),
        "saavedra: Nxe6 is not a legal move here (--help shows how)"
    );
    assert!(complaint(&["see", GUARDED_PAWN, "what"], 2).contains("\"what\" is not a move"));
    assert!(complaint(&["see", "8/8 w - -", "Nxe6"], 2).contains("has 2 ranks, expected eight"));
    assert!(complaint(&["see", GUARDED_PAWN], 2).contains("<MOVE>"));
    assert!(complaint(&["see", GUARDED_PAWN, "Nxe5", "--values", "1,2,3"], 2).contains("five numbers, found 3"));
    assert!(complaint(&["see", GUARDED_PAWN, "Nxe5", "--values", "0,1,1,1,1"], 2).contains("between 1 and 5000"));
}
