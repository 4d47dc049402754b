//! The table keeps its promises on any legal move, and what is explained adds up.

use rules::see::{SeeContext, Values, exhaustive, swap};
use rules::{Bitboard, Move, MoveKind, Position, Square, attacks};
use saavedra_lessons::{ExchangeTable, Explanation, Rules};
use testkit::Variants;

/// Every legal move of random walks.
fn for_each_move(mut visit: impl FnMut(&Position, &SeeContext, Move)) {
    testkit::random_walks(8, 60, Variants::Standard, |position| {
        let context = SeeContext::new(position);
        position.legal_moves().iter().for_each(|&mv| visit(position, &context, mv));
    });
}

#[test]
fn castling_opens_no_exchange() {
    let mut seen = 0;
    for_each_move(|_, context, mv| {
        if mv.kind() == MoveKind::Castle {
            seen += 1;
            assert_eq!(ExchangeTable::ROUND.value(context, mv), 0);
        }
    });
    assert!(seen > 10, "the walks hold {seen} castling moves");
}

#[test]
fn colors_and_sides_do_not_matter() {
    for_each_move(|position, context, mv| {
        let value = ExchangeTable::ROUND.value(context, mv);
        for (other, other_move) in testkit::symmetric_moves(position, mv) {
            assert_eq!(value, ExchangeTable::ROUND.value(&SeeContext::new(&other), other_move), "{position} {mv}");
        }
    });
}

#[test]
fn the_exchanges_of_the_founding_document_have_their_values_from_all_sides() {
    for (fen, san, expected) in testkit::FOUNDING_EXCHANGES {
        let position: Position = fen.parse().expect(fen);
        let mv = position.parse_san(san).expect(san);
        for (position, mv) in testkit::symmetric_moves(&position, mv) {
            assert_eq!(ExchangeTable::ROUND.value(&SeeContext::new(&position), mv), expected, "{position} {mv}");
        }
    }
}

/// The table counts where no rule applies. It must not overlook one that does.
#[test]
fn the_table_gives_the_answer_of_its_rules() {
    for_each_move(|position, context, mv| {
        let by_rules = ExchangeTable::ROUND.value_by(Rules::ALL, context, mv);
        assert_eq!(ExchangeTable::ROUND.value(context, mv), by_rules, "{position} {mv}");
    });
}

/// Each rule of the document has an exchange that it decides.
#[test]
fn every_rule_is_needed() {
    let all = Rules::ALL;
    let cases = [
        ("4r1k1/8/3b4/4p3/8/5N2/4R3/4Q1K1 w - - 0 1", "Nxe5", Rules { xrays: false, ..all }),
        ("4k3/8/8/1p1r1R2/P7/8/8/6K1 w - - 0 1", "axb5", Rules { hostile_fronts: false, ..all }),
        ("4q1k1/8/4r3/4p3/8/2Q2N2/1B6/6K1 w - - 0 1", "Nxe5", Rules { case_one: false, ..all }),
        ("8/8/2nk4/4p3/8/2Q2N2/1B6/6K1 w - - 0 1", "Nxe5", Rules { king_bar: false, ..all }),
        ("3qk3/4n3/8/3pR3/2P5/8/8/4K3 w - - 0 1", "cxd5", Rules { rook_pins: false, ..all }),
        ("4k3/8/2n5/1B2p3/6N1/8/8/4K3 w - - 0 1", "Nxe5", Rules { other_pins: false, ..all }),
    ];
    for (fen, san, without) in cases {
        let position: Position = fen.parse().expect(fen);
        let (context, mv) = (SeeContext::new(&position), position.parse_san(san).expect(san));
        let truth = exhaustive::value(&position, mv, &Values::default());
        assert_eq!(ExchangeTable::ROUND.value(&context, mv), truth, "{fen} {san}");
        assert_ne!(ExchangeTable::ROUND.value_by(without, &context, mv), truth, "{fen} {san}");
    }
}

/// A rook that attacks a square cannot pin a piece to a king beside that square: the document's clamp of the pinned
/// side's king in its pin rule never applies.
#[test]
fn no_rook_on_the_square_pins_to_a_king_beside_it() {
    for square in Square::ALL {
        for rook in attacks::rook(square, Bitboard::EMPTY) {
            for king in attacks::king(square) - attacks::between(square, rook) - rook.bitboard() {
                let is_aligned = attacks::rook(rook, square.bitboard()).contains(king);
                let room = attacks::between(rook, king) - square.bitboard();
                assert!(!is_aligned || room.is_empty(), "{square} {rook} {king}");
            }
        }
    }
}

/// A move wins no more than it takes, and loses no more than what then stands on the square, with what a pawn gains by
/// taking it.
#[test]
fn a_move_wins_no_more_than_it_takes_and_risks_no_more_than_it_shows() {
    let values = Values::default();
    for_each_move(|position, context, mv| {
        let captured = position.captured(mv).map_or(0, |(role, _)| values.of(role));
        let gain = captured + mv.promotion_role().map_or(0, |role| values.promotion(role));
        let mover = mv.promotion_role().or(position.role_at(mv.from())).expect("a piece moves");
        let value = ExchangeTable::ROUND.value(context, mv);
        assert!((gain - values.of(mover)..=gain).contains(&value), "{position} {mv} {value}");
    });
}

#[test]
fn values_scale_with_their_scale() {
    static TWICE: ExchangeTable = ExchangeTable::new(Values::new(200, 600, 600, 1000, 2000));
    for_each_move(|position, context, mv| {
        assert_eq!(TWICE.value(context, mv), 2 * ExchangeTable::ROUND.value(context, mv), "{position} {mv}");
    });
}

#[test]
fn the_table_seldom_disagrees_with_the_exhaustive_search_even_on_random_walks() {
    let (mut moves, mut wrong) = (0, 0);
    for_each_move(|position, context, mv| {
        moves += 1;
        let truth = exhaustive::value(position, mv, &Values::default());
        wrong += usize::from(ExchangeTable::ROUND.value(context, mv).signum() != truth.signum());
    });
    assert!(moves > 30_000 && wrong * 200 < moves, "{wrong} of {moves}");
}

#[test]
fn the_best_line_adds_up_to_the_exhaustive_value() {
    let mut count = 0;
    for_each_move(|position, context, mv| {
        count += 1;
        if count % 17 == 0 {
            let told = Explanation::new(position, mv, &Values::default());
            assert_eq!(told.best_line.last().map(|step| step.balance), Some(told.exhaustive), "{position} {mv}");
            assert_eq!(told.best_line[0].mv, mv);
            let values = Values::default();
            assert_eq!(told.exhaustive, exhaustive::value(position, mv, &values), "{position} {mv}");
            assert_eq!(told.swap, swap::value(context, mv, &values), "{position} {mv}");
            assert_eq!(told.table, Some(ExchangeTable::ROUND.value(context, mv)), "{position} {mv}");
        }
    });
}

/// The king that has moved is pinned to from where it stands now.
#[test]
fn pins_are_those_of_the_board_after_the_move() {
    let position: Position = "4k3/8/1b6/2B5/8/8/8/5RK1 w - - 0 1".parse().expect("a legal position");
    let told = Explanation::new(&position, position.parse_san("Kf2").expect("a legal move"), &Values::default());
    let pins: Vec<(Square, Square)> = told.pins.iter().map(|pin| (pin.pinned, pin.pinner)).collect();
    assert_eq!(pins, [(Square::C5, Square::B6)]);
}
