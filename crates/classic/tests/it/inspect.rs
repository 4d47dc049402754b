//! A look into the boards' memory tells the truth: about keys, fields, changes and flipped bits.

use std::collections::BTreeSet;

use crate::support::{BEGINNINGS, START};
use rules::{Position, Square};
use saavedra_classic::inspect::{
    BoardRecord, BoardStep, CellKind, InspectError, InspectRequest, Inspection, KeyWay, Layout, StepSelection,
};
use saavedra_classic::{BoardKind, StandardSetup, UciMove};
use testkit::Random;

fn setup(fen: &str) -> StandardSetup {
    fen.parse().expect("the position is legal")
}

fn moves(texts: &[&str]) -> Vec<UciMove> {
    texts.iter().map(|text| text.parse().expect("a move")).collect()
}

fn inspect(kind: BoardKind, fen: &str, texts: &[&str]) -> Inspection {
    kind.inspect(&InspectRequest::new(&setup(fen), &moves(texts))).expect("the moves are legal")
}

fn word(digits: &str) -> u64 {
    u64::from_str_radix(digits, 16).expect("hexadecimal digits")
}

/// A random game from one of the beginnings: the moves, and the positions before and after each.
fn random_game(random: &mut Random, fen: &str) -> (Vec<UciMove>, Vec<Position>) {
    let mut positions = vec![fen.parse::<Position>().expect("legal")];
    let mut played = Vec::new();
    while played.len() < 60 {
        let position = positions[positions.len() - 1];
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = *random.pick(&legal);
        played.push(position.uci(mv).parse().expect("a move"));
        positions.push(position.play(mv).expect("legal"));
    }
    (played, positions)
}

/// The stirring of the packed board's key, written once more: the last step of MurmurHash3 after a multiplication.
fn stirred(index: u64) -> u64 {
    let mut bits = index.wrapping_add(1).wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits = (bits ^ bits >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    bits = (bits ^ bits >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    bits ^ bits >> 33
}

/// The key that the story of a move ends with, worked out here.
fn told_key(kind: BoardKind, step: &BoardStep) -> u64 {
    let numbers = step.key.parts.iter().map(|part| word(&part.number));
    match kind {
        BoardKind::Packed => numbers.fold(0, |key, number| stirred(key ^ number)),
        _ => numbers.fold(word(&step.key.before), |key, number| key ^ number),
    }
}

#[test]
fn what_goes_into_the_key_adds_up_to_the_key_after_every_move_of_random_games() {
    let mut random = Random::new(2020);
    for (round, fen) in BEGINNINGS.iter().cycle().take(2 * BEGINNINGS.len()).enumerate() {
        let (played, positions) = random_game(&mut random, fen);
        for kind in BoardKind::WITNESSES {
            let found = kind.inspect(&InspectRequest::new(&setup(fen), &played)).expect("legal");
            assert_eq!(found.steps.len(), played.len());
            for (index, step) in found.steps.iter().enumerate() {
                assert_eq!(told_key(kind, step), word(&step.key.after), "{kind}, game {round}, {step:?}");
                let last = step.key.parts.last().expect("every move changes the key");
                assert_eq!(last.key, step.key.after, "{kind}: the running key ends where it should");
                let next = found.steps.get(index + 1).map_or(&found.memory.key, |next| &next.key.before);
                assert_eq!(&step.key.after, next, "{kind}: what a move leaves is what the next one finds");
                if kind == BoardKind::Bitboard {
                    assert_eq!(word(&step.key.after), positions[index + 1].key(), "the key of the rules");
                }
            }
            assert_eq!(found.complaints, Vec::<String>::new(), "{kind}: {fen}");
        }
    }
}

#[test]
fn what_was_in_the_key_leaves_it_and_nothing_else_does() {
    let mut random = Random::new(7);
    for fen in BEGINNINGS {
        let (played, _) = random_game(&mut random, fen);
        for kind in [BoardKind::Bitboard, BoardKind::Mailbox, BoardKind::Movemap] {
            let found = kind.inspect(&InspectRequest::new(&setup(fen), &played)).expect("legal");
            // What one move puts in and a later one takes out has the same name and the same number.
            let mut present = BTreeSet::new();
            for part in found.steps.iter().flat_map(|step| &step.key.parts) {
                let term = (part.what.clone(), part.number.clone());
                match part.way {
                    KeyWay::In => assert!(present.insert(term.clone()), "{kind}: {term:?} comes twice"),
                    KeyWay::Out => {
                        present.remove(&term);
                    }
                    KeyWay::Stirred => panic!("only the packed board stirs"),
                }
            }
        }
    }
}

/// Puts an integer together from its fields, after checking that they neither overlap nor leave a gap.
fn assembled(record: &BoardRecord) -> u32 {
    let mut covered = 0_u32;
    let mut integer = 0;
    for field in &record.fields {
        let (mask, shift) = (field.mask.expect("a mask"), field.shift.expect("a shift"));
        assert_eq!((covered & mask, mask.trailing_zeros()), (0, shift), "{record:?}");
        covered |= mask;
        integer |= field.value.parse::<u32>().expect("a number") << shift;
    }
    let bits = record.bits.expect("an integer has bits");
    assert_eq!(covered, u32::MAX >> (32 - bits), "{record:?}");
    integer
}

/// The squares whose piece changed, by a table that shows the board.
fn changed_squares(found: &Inspection) -> BTreeSet<String> {
    let boards = found.memory.tables.iter().filter(|table| match found.board {
        "bitboard" => true,
        _ => table.layout == Layout::Board,
    });
    let cells = boards.flat_map(|table| &table.rows).flat_map(|row| &row.cells);
    cells.filter(|cell| cell.was.is_some()).filter_map(|cell| cell.square.clone()).collect()
}

#[test]
fn four_boards_tell_of_the_same_changes_in_integers_that_are_made_of_their_fields() {
    let mut random = Random::new(99);
    for fen in BEGINNINGS {
        let (played, positions) = random_game(&mut random, fen);
        for length in 1..=played.len() {
            let (before, after) = (&positions[length - 1], &positions[length]);
            let expected: BTreeSet<String> = Square::ALL
                .into_iter()
                .filter(|&square| before.piece_at(square) != after.piece_at(square))
                .map(|square| square.to_string())
                .collect();
            for kind in BoardKind::WITNESSES {
                let start = setup(fen);
                let question =
                    InspectRequest { steps: StepSelection::Last, ..InspectRequest::new(&start, &played[..length]) };
                let found = kind.inspect(&question).expect("legal");
                assert_eq!(changed_squares(&found), expected, "{kind}: {:?} of {fen}", &played[..length]);
                let [step] = &found.steps[..] else { panic!("one move is told") };
                if kind != BoardKind::Movemap {
                    assert_eq!(Some(assembled(&step.mv)), step.mv.integer, "{kind}");
                }
                if let (BoardKind::Packed, Some(word)) = (kind, &step.history_after) {
                    assert_eq!(Some(assembled(word)), word.integer);
                }
            }
        }
    }
}

#[test]
fn the_mailbox_shows_the_swap_of_a_removal_and_what_lies_beyond_the_count() {
    let found = inspect(BoardKind::Mailbox, START, &["e2e4", "d7d5", "e4d5"]);
    let swap =
        "list[73], a black pawn, 64 d5, changes places with the last, list[77], 88 h7: count[7] goes from 8 to 7";
    assert_eq!(found.steps[2].notes, [swap, "list[14], a white pawn: 55 e4 becomes 64 d5"]);
    let pawns = &found.memory.tables[1].rows[6];
    assert_eq!((pawns.label.as_str(), pawns.note.as_ref().map(|note| note.value.as_str())), ("bP 70", Some("7")));
    let squares: Vec<&str> = pawns.cells[..8].iter().filter_map(|cell| cell.square.as_deref()).collect();
    assert_eq!(squares, ["a7", "b7", "c7", "h7", "e7", "f7", "g7", "d5"]);
    assert_eq!((pawns.cells[7].kind, pawns.cells[6].kind), (CellKind::Unused, CellKind::Used));
    let entry = found.steps[2].history_after.as_ref().expect("an entry");
    let names: Vec<&str> = entry.fields.iter().map(|field| field.name).collect();
    assert_eq!((entry.name.as_str(), names), ("history[2]", vec!["move", "key", "en passant", "fifty", "castling"]));
}

#[test]
fn castling_en_passant_and_promotion_are_told_in_the_words_of_each_document() {
    let value = |record: &BoardRecord, name: &str| {
        let field =
            record.fields.iter().find(|field| field.name == name).unwrap_or_else(|| panic!("{name} in {record:?}"));
        (field.value.clone(), field.meaning.clone())
    };
    let pair = |value: &str, meaning: &str| (value.to_owned(), meaning.to_owned());
    let last = |kind: BoardKind, fen: &str, mv: &str| inspect(kind, fen, &[mv]).steps.remove(0).mv;
    let castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!(value(&last(BoardKind::Packed, castle, "e1g1"), "move type"), pair("1", "castle (king side)"));
    assert_eq!(value(&last(BoardKind::Mailbox, castle, "e1g1"), "castle"), pair("1", "yes"));
    assert_eq!(value(&last(BoardKind::Movemap, castle, "e1c1"), "rookEnd"), pair("3", "d1"));
    assert_eq!(value(&last(BoardKind::Bitboard, castle, "e1c1"), "to"), pair("0", "a1, the rook's square"));
    let passing = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    assert_eq!(value(&last(BoardKind::Packed, passing, "e5d6"), "move type"), pair("5", "en passant (white)"));
    assert_eq!(value(&last(BoardKind::Mailbox, passing, "e5d6"), "en passant"), pair("1", "yes"));
    assert_eq!(value(&last(BoardKind::Movemap, passing, "e5d6"), "captured"), pair("35", "d5"));
    assert_eq!(value(&last(BoardKind::Bitboard, passing, "e5d6"), "kind"), pair("2", "en passant"));
    let promotion = "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(
        value(&last(BoardKind::Packed, promotion, "a7b8n"), "move type"),
        pair("12", "promotion capture (knight)")
    );
    assert_eq!(value(&last(BoardKind::Mailbox, promotion, "a7b8n"), "promoted"), pair("2", "white knight"));
    assert_eq!(value(&last(BoardKind::Movemap, promotion, "a7b8n"), "promotionType"), pair("2", "knight"));
    assert_eq!(value(&last(BoardKind::Bitboard, promotion, "a7b8n"), "promotion"), pair("0", "knight"));
    let word = inspect(BoardKind::Packed, castle, &["e1g1"]).steps.remove(0).history_after.expect("a word");
    assert_eq!(word.integer, Some(0b1010_0101 << 24 | 0b1111_0011_1110_0001_1100));
    assert_eq!(value(&word, "wc"), pair("1", "White has castled"));
}

#[test]
fn a_bit_is_flipped_where_one_asks_and_a_seed_says_which() {
    let start = setup(START);
    let flip = |kind: BoardKind, place, seed| {
        kind.inspect(&InspectRequest { corrupt: Some((place, seed)), ..InspectRequest::new(&start, &[]) })
    };
    for kind in BoardKind::WITNESSES {
        for seed in 0..200 {
            for place in ["e2", "any"] {
                let flipped = flip(kind, place, seed).expect("a bit").flip.expect("a flip");
                assert_eq!(flipped.complaints.is_empty(), flipped.silence.is_some());
                let [before, after] = [&flipped.before, &flipped.after].map(|bits| word_of_digits(bits));
                assert!(before ^ after == 1 << flipped.bit || flipped.place == "en_passant", "{flipped:?}");
                assert_eq!(flip(kind, place, seed).expect("a bit").flip, Some(flipped), "a seed decides");
            }
        }
        let error = flip(kind, "e9", 1).expect_err("there is no such square");
        assert!(matches!(error, InspectError::Place(_)) && error.to_string().contains("\"e9\" is nowhere"), "{error}");
    }
    let key = flip(BoardKind::Mailbox, "key", 3).expect("a place").flip.expect("a flip");
    assert_eq!((key.place.as_str(), key.complaints.len()), ("key", 1));
}

/// Few bits are written as such, many in hexadecimal digits.
fn word_of_digits(digits: &str) -> u64 {
    match digits.strip_prefix("0x") {
        Some(digits) => word(digits),
        None => u64::from_str_radix(digits, 2).expect("binary digits"),
    }
}

#[test]
fn moves_that_are_not_legal_and_boards_that_are_not_drawn_are_refused() {
    let start = setup(START);
    let refused = |kind: BoardKind, texts: &[&str]| {
        kind.inspect(&InspectRequest::new(&start, &moves(texts))).expect_err("a refusal").to_string()
    };
    for kind in BoardKind::WITNESSES {
        assert_eq!(refused(kind, &["e2e5"]), "e2e5 is not a legal move here");
    }
    assert!(refused(BoardKind::MovemapAsWished, &[]).contains("choose bitboard, mailbox, packed or movemap"));
}
