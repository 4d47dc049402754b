//! The position services say what the bitboard says, and survive whatever they are asked.

use crate::support::BEGINNINGS;
use rules::{Color, Position, Square, UciMove};
use saavedra_classic::services::{BadMove, EMPTY, MOST_MOVES, Move, Services, ServicesSession, code};
use testkit::Random;

fn world(fen: &str) -> Services {
    Services::read_fen(fen).expect("a legal position")
}

/// The moves of a position as the services write them, in the order of the rules.
fn written(position: &Position, moves: &rules::MoveList) -> Vec<Move> {
    let write = |mv: &rules::Move| {
        let mv: UciMove = position.uci(*mv).parse().expect("a move");
        let promote_to = mv.promotion.map_or(EMPTY, |role| code(role.of(position.turn())));
        Move { from: mv.from.index() as u8, to: mv.to.index() as u8, promote_to }
    };
    moves.iter().map(write).collect()
}

#[test]
fn pieces_and_masks_have_the_numbers_of_the_document() {
    let mut world = world("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let pieces = world.pieces();
    assert_eq!(pieces[..16], [3, 5, 4, 2, 1, 4, 5, 3, 6, 6, 6, 6, 6, 6, 6, 6]);
    assert_eq!(pieces[48..], [12, 12, 12, 12, 12, 12, 12, 12, 9, 11, 10, 8, 7, 10, 11, 9]);
    assert!(pieces[16..48].iter().all(|&code| code == EMPTY));
    assert_eq!((world.piece(64), world.piece(255)), (EMPTY, EMPTY), "what is no square is empty");
    assert_eq!(world.castle_mask(), 15);
    for (rights, mask) in [("Q", 1), ("K", 2), ("q", 4), ("k", 8), ("Kq", 6), ("-", 0)] {
        let fen = format!("r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1");
        assert_eq!(Services::read_fen(&fen).map(|world| world.castle_mask()), Ok(mask), "{rights}");
    }
    assert!(world.white_to_move() && !world.in_check());
    let undo = world.make_move("12,28".parse().expect("a move")).expect("a legal move");
    assert!(!world.white_to_move());
    assert_eq!((undo.captured, undo.castle_mask, undo.passed, undo.clock), (EMPTY, 15, None, 0));
}

#[test]
fn legal_moves_and_captures_are_the_bitboards_and_in_its_order() {
    let mut random = Random::new(17);
    let (mut seen, mut illegal) = (0, 0);
    for fen in BEGINNINGS {
        for _ in 0..6 {
            let mut position: Position = fen.parse().expect("a legal position");
            let mut world = world(fen);
            for _ in 0..60 {
                let legal = written(&position, &position.legal_moves());
                assert_eq!(world.legal_moves(), legal, "{position}");
                assert_eq!(world.in_check(), position.is_check(), "{position}");
                let pseudo_legal = world.pseudo_legal_moves();
                illegal += pseudo_legal.len() - legal.len();
                let mut captures = world.pseudo_legal_captures();
                assert!(captures.iter().all(|mv| pseudo_legal.contains(mv)), "{position}");
                world.remove_illegal(&mut captures);
                assert_eq!(captures, written(&position, &position.captures()), "{position}");
                for square in Square::ALL {
                    let expected = position.piece_at(square).map_or(EMPTY, code);
                    assert_eq!(world.piece(square.index() as u8), expected, "{square} in {position}");
                }
                assert_eq!(world.white_to_move(), position.turn() == Color::White);
                seen += 1;
                let moves = position.legal_moves();
                let Some(choice) = (!moves.is_empty()).then(|| random.below(moves.len())) else { break };
                world.make_move(legal[choice]).expect("a legal move");
                position = position.play(moves[choice]).expect("a legal move");
            }
        }
    }
    assert!(seen > 2_000 && illegal > 500, "{seen} positions, {illegal} moves removed");
}

#[test]
fn perft_on_nothing_but_the_services_is_right() {
    fn perft(world: &mut Services, depth: u32) -> u64 {
        let moves = world.legal_moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        let mut count = 0;
        for mv in moves {
            let undo = world.make_move(mv).expect("a legal move");
            count += perft(world, depth - 1);
            world.unmake_move(mv, undo).expect("the last move");
        }
        count
    }
    let mut counted = 0;
    for known in testkit::known_perfts() {
        let Ok(mut world) = Services::read_fen(&known.fen) else { continue };
        let before = world.fen();
        let feasible = known.counts.iter().rev().find(|(_, count)| *count <= 200_000);
        let &(depth, expected) = feasible.expect("one move deep is always feasible");
        if depth > 0 {
            assert_eq!(perft(&mut world, depth), expected, "{}", known.name);
            assert_eq!(world.fen(), before, "every move is taken back");
            counted += 1;
        }
    }
    assert!(counted >= 20, "{counted}");
}

#[test]
fn undo_information_tells_what_a_move_destroys() {
    // Black takes en passant, which has the pawn beside it captured.
    let mut world = world("4k3/8/8/8/3pP3/8/8/R3K2R b KQ e3 5 9");
    let mv: Move = "27,20".parse().expect("a move");
    let undo = world.make_move(mv).expect("a legal move");
    assert_eq!((undo.captured, undo.passed, undo.clock, undo.castle_mask), (6, Some(20), 5, 3));
    assert_eq!((world.piece(28), world.piece(20)), (EMPTY, 12));
    let other: Move = "4,5".parse().expect("a move");
    let second = world.make_move(other).expect("a legal move");
    assert_eq!(world.unmake_move(mv, undo), Err(BadMove::NotTheLast(mv)), "the last move goes first");
    assert_eq!(world.unmake_move(other, undo), Err(BadMove::NotTheLast(other)), "with its own information");
    world.unmake_move(other, second).expect("the last move");
    world.unmake_move(mv, undo).expect("the last move");
    assert_eq!(world.fen(), "4k3/8/8/8/3pP3/8/8/R3K2R b KQ e3 5 9");
    assert_eq!(world.unmake_move(mv, undo), Err(BadMove::NotTheLast(mv)), "nothing is left");
}

#[test]
fn moves_that_cannot_be_made_are_refused_and_change_nothing() {
    let fen = "4r2k/P7/8/8/8/8/4B3/4K3 w - - 0 1";
    let mut world = world(fen);
    for (text, expected) in [
        ("12,21", "12,21 leaves the king in check"),
        ("12,29", "12,29 is not a pseudo-legal move here"),
        ("48,56", "48,56 is not a pseudo-legal move here"),
        ("48,56,8", "48,56,8 is not a pseudo-legal move here"),
        ("48,56,6", "48,56,6 is not a pseudo-legal move here"),
        ("56,48", "56,48 is not a pseudo-legal move here"),
    ] {
        let mv: Move = text.parse().expect("it can be read");
        assert_eq!(world.make_move(mv).expect_err("refused").to_string(), expected);
        assert_eq!((world.fen(), mv.to_string()), (fen.to_owned(), text.to_owned()));
    }
    assert!(world.make_move("48,56,2".parse().expect("a move")).is_ok());
    for text in ["", "12", "12,", "64,1", "1,64", "-1,5", "1,2,0", "1,2,13", "1,2,3,4", "e2,e4", "999999999999,1"] {
        assert!(matches!(text.parse::<Move>(), Err(BadMove::Unreadable(_))), "{text}");
    }
}

#[test]
fn a_conversation_has_one_line_for_each_question() {
    let mut session = ServicesSession::new();
    let mut ask = |line: &str| session.answer(line).expect("an answer");
    assert!(ask("pieces").starts_with("ok 3 5 4 2 1 4 5 3 6 "));
    assert_eq!(ask("pieces").split(' ').count(), 65);
    assert_eq!(ask(" mask "), "ok 15");
    assert_eq!(ask("turn"), "ok white");
    assert_eq!(ask("captures"), "ok");
    assert_eq!(ask("legal").split(' ').count(), 21);
    assert_eq!(ask("remove-illegal 12,28 12,36 4,12"), "ok 12,28");
    assert_eq!(ask("make 12,28"), "ok captured 0 mask 15 passed - clock 0");
    assert_eq!(ask("piece 28"), "ok 6");
    assert_eq!(ask("check"), "ok no");
    assert_eq!(ask("fen"), "ok rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    assert_eq!(ask("unmake"), "ok");
    assert_eq!(ask("unmake"), "error there is no move to take back");
    assert_eq!(ask("piece 64"), "error \"64\" is not a square: expected a number from 0 to 63");
    assert_eq!(ask("mask 3"), "error mask stands alone");
    assert!(ask("make e2e4").starts_with("error \"e2e4\" is not a move: expected from,to"));
    assert!(ask("position 8/8/8/8/8/8/8/K7 w - - 0 1").starts_with("error illegal position: black has no king"));
    assert!(ask("").starts_with("error there is no question \"\": position FEN | fen"));
    assert_eq!(ask("turn"), "ok white", "an error changes nothing");
}

#[test]
fn nonsense_is_answered_and_moves_without_end_are_not_made() {
    let mut random = Random::new(23);
    let words =
        ["position", "fen", "make", "unmake", "0,0", "12,28", "52,36,99", "legal", "remove-illegal", "\u{fffd}"];
    let mut session = ServicesSession::new();
    for _ in 0..3_000 {
        let line: Vec<&str> = (0..random.below(4)).map(|_| *random.pick(&words)).collect();
        let answer = session.answer(&line.join(" ")).expect("an answer");
        assert!(answer.starts_with("ok") || answer.starts_with("error "), "{answer}");
        assert!(!answer.contains('\n'));
    }
    session.answer("position 4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    let circle = ["4,3", "60,59", "3,4", "59,60"];
    for made in 0..MOST_MOVES {
        let answer = session.answer(&format!("make {}", circle[made % 4])).expect("an answer");
        assert!(answer.starts_with("ok"), "{made}: {answer}");
    }
    let answer = session.answer("make 4,3").expect("an answer");
    assert_eq!(answer, format!("error at most {MOST_MOVES} moves can be made and not taken back"));
}
