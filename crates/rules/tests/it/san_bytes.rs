//! The quick reader of algebraic notation and the patient one agree.

use saavedra_rules::Position;
use testkit::{Random, Variants, random_walks};

#[test]
fn every_legal_move_is_read_as_it_is_written() {
    random_walks(61, 200, Variants::All, |position| {
        for &mv in &position.legal_moves() {
            let san = position.san(mv);
            assert_eq!(position.read_standard_san(san.as_bytes()), Some(mv), "{san} in {position}");
        }
    });
}

#[test]
fn what_the_quick_reader_takes_the_patient_one_takes_alike() {
    let mut random = Random::new(62);
    let mut taken = 0;
    random_walks(63, 200, Variants::All, |position: &Position| {
        for _ in 0..60 {
            let piece = *random.pick(&["", "N", "B", "R", "Q", "K", "P"]);
            let origin = *random.pick(&["", "", "", "a", "e", "1", "8", "e4", "x", "dx", "3x", "e1x"]);
            let file = *random.pick(&["a", "b", "c", "d", "e", "f", "g", "h"]);
            let rank = *random.pick(&["1", "2", "3", "4", "5", "6", "7", "8"]);
            let end = *random.pick(&["", "", "", "", "=Q", "=N", "=K", "Q", "+"]);
            let text = format!("{piece}{origin}{file}{rank}{end}");
            if let Some(mv) = position.read_standard_san(text.as_bytes()) {
                assert_eq!(position.parse_san(&text).as_ref(), Ok(&mv), "{text} in {position}");
                assert!(position.is_legal(mv));
                taken += 1;
            } else if let Ok(mv) = position.parse_san(&text) {
                let is_standard = position.san(mv).trim_end_matches(['+', '#']) == text;
                assert!(!is_standard, "{text} in {position}");
            }
        }
    });
    assert!(taken > 10_000, "{taken}");
}
