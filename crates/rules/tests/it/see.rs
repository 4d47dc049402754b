//! Exchanges keep their promises on any legal move, and give the well-known answers.

use saavedra_rules::see::{Lookup, SeeContext, Values, exhaustive, swap};
use saavedra_rules::{Color, Move, MoveKind, Position, Role};
use testkit::Variants;

const TUNED: Values = Values::new(92, 311, 337, 506, 931);
static TUNED_LOOKUP: Lookup = Lookup::new(TUNED);

/// Every legal move of random walks.
fn for_each_move(mut visit: impl FnMut(&Position, &SeeContext, Move)) {
    testkit::random_walks(8, 60, Variants::Standard, |position| {
        let context = SeeContext::new(position);
        position.legal_moves().iter().for_each(|&mv| visit(position, &context, mv));
    });
}

/// All values of a move, by every method.
fn all(context: &SeeContext, mv: Move) -> [i32; 3] {
    let values = Values::default();
    [
        exhaustive::value(context.position(), mv, &values),
        swap::value(context, mv, &values),
        Lookup::ROUND.value(context, mv),
    ]
}

#[test]
fn every_method_answers_every_kind_of_move() {
    let mut seen = [0; 4];
    for_each_move(|_, context, mv| {
        let [exhaustive, ..] = all(context, mv);
        match mv.kind() {
            MoveKind::Normal => seen[0] += 1,
            MoveKind::Promotion(_) => seen[1] += 1,
            MoveKind::EnPassant => seen[2] += 1,
            MoveKind::Castle => {
                seen[3] += 1;
                assert_eq!(exhaustive, 0);
                assert_eq!(all(context, mv), [0; 3]);
            }
        }
    });
    assert!(seen.iter().all(|&count| count > 10), "the walks hold moves of every kind: {seen:?}");
}

#[test]
fn the_threshold_test_agrees_with_the_value() {
    for_each_move(|position, context, mv| {
        for values in [Values::default(), TUNED] {
            let value = swap::value(context, mv, &values);
            for threshold in [value - 1, value, value + 1, -500, -100, 0, 1, 100, 900] {
                let is_at_least = swap::is_at_least(context, mv, threshold, &values);
                assert_eq!(is_at_least, value >= threshold, "{position} {mv} {value} {threshold}");
            }
        }
    });
}

/// Swap takes the first of several pieces of a role, and which is the first depends on how one looks at the board: only
/// there may it differ, and the look-up where it follows the captures. The exhaustive search holds without exception.
#[test]
fn colors_and_sides_do_not_matter() {
    for_each_move(|position, context, mv| {
        let here = all(context, mv);
        for (other, other_move) in testkit::symmetric_moves(position, mv) {
            let there = all(&SeeContext::new(&other), other_move);
            assert_eq!(here[0], there[0], "{position} {mv}");
            if here != there {
                let next = position.play_unchecked(mv);
                let attackers = next.attackers(mv.to());
                let more_than_one =
                    |role| Color::ALL.map(|color| (attackers & next.pieces(role, color)).more_than_one());
                assert!(Role::ALL.into_iter().flat_map(more_than_one).any(|several| several), "{position} {mv}");
            }
        }
    });
}

#[test]
fn the_exchanges_of_the_founding_document_have_their_values_from_all_sides() {
    for (fen, san, expected) in testkit::FOUNDING_EXCHANGES {
        let position: Position = fen.parse().expect(fen);
        let mv = position.parse_san(san).expect(san);
        for (position, mv) in testkit::symmetric_moves(&position, mv) {
            assert_eq!(all(&SeeContext::new(&position), mv), [expected; 3], "{position} {mv}");
        }
    }
}

/// What must hold without exception: a move wins no more than it takes, and loses no more than what then stands on the
/// square, with what a pawn gains by taking it. More attackers need not be better (they may be pinned, or block), so
/// that nothing is said about those.
#[test]
fn a_move_wins_no_more_than_it_takes_and_risks_no_more_than_it_shows() {
    let values = Values::default();
    for_each_move(|position, context, mv| {
        let captured = position.captured(mv).map_or(0, |(role, _)| values.of(role));
        let gain = captured + mv.promotion_role().map_or(0, |role| values.promotion(role));
        let mover = mv.promotion_role().or(position.role_at(mv.from())).expect("a piece moves");
        let is_on_edge = [0, 7].contains(&mv.to().rank().index());
        let risk = values.of(mover) + if is_on_edge { values.promotion(Role::Queen) } else { 0 };
        for value in all(context, mv) {
            assert!((gain - risk..=gain).contains(&value), "{position} {mv} {value}");
        }
    });
}

#[test]
fn values_scale_with_their_scale() {
    const TWICE: Values = Values::new(200, 600, 600, 1000, 2000);
    static TWICE_LOOKUP: Lookup = Lookup::new(TWICE);
    for_each_move(|position, context, mv| {
        let twice = [
            exhaustive::value(position, mv, &TWICE),
            swap::value(context, mv, &TWICE),
            TWICE_LOOKUP.value(context, mv),
        ];
        assert_eq!(twice, all(context, mv).map(|value| 2 * value), "{position} {mv}");
    });
}

#[test]
fn the_look_up_seldom_disagrees_with_the_exhaustive_search_even_on_random_walks() {
    let (mut moves, mut wrong, mut wrong_when_tuned) = (0, 0, 0);
    for_each_move(|position, context, mv| {
        let [exhaustive, .., lookup] = all(context, mv);
        moves += 1;
        wrong += usize::from(lookup.signum() != exhaustive.signum());
        let tuned = exhaustive::value(position, mv, &TUNED);
        wrong_when_tuned += usize::from(TUNED_LOOKUP.value(context, mv).signum() != tuned.signum());
    });
    assert!(moves > 30_000);
    assert!(wrong * 2_000 < moves && wrong_when_tuned * 2_000 < moves, "{wrong} and {wrong_when_tuned} of {moves}");
}

#[test]
fn well_known_exchanges_have_their_well_known_values() {
    let cases = [
        // An undefended pawn.
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100),
        // A defended pawn, with x-rays on both sides.
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", -200),
        // An even trade, and a queen that should not start it.
        ("4k3/8/3p4/4n3/3P4/8/8/4K3 w - - 0 1", "dxe5", 200),
        ("4k3/8/3p4/4p3/8/8/4Q3/4K3 w - - 0 1", "Qxe5+", -900),
        // The king takes only what is not guarded.
        ("8/8/4k3/3p4/3K4/8/8/3R4 b - - 0 1", "Kf5", 0),
        ("4k3/8/8/8/8/2n5/3p4/2RK4 w - - 0 1", "Rxc3", 300),
        // En passant opens an exchange on the square behind the pawn.
        ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 0),
        // A promotion that is answered, and one that is not.
        ("2r1k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "bxc8=Q+", 1400),
        ("1r2k3/2P5/8/8/8/8/8/1R2K3 w - - 0 1", "c8=Q+", -100),
        // The recapturing pawn promotes.
        ("k7/6K1/8/8/8/8/3p4/4q2R w - - 0 1", "Rxe1", -400),
        // A quiet move to a square that a pawn guards.
        ("4k3/8/3p4/8/8/5N2/8/4K3 w - - 0 1", "Ne5", -300),
    ];
    for (fen, san, expected) in cases {
        let position: Position = fen.parse().expect(fen);
        let mv = position.parse_san(san).expect(san);
        let context = SeeContext::new(&position);
        let values = Values::default();
        assert_eq!(exhaustive::value(&position, mv, &values), expected, "exhaustive: {fen} {san}");
        assert_eq!(swap::value(&context, mv, &values), expected, "swap: {fen} {san}");
        assert_eq!(Lookup::ROUND.value(&context, mv), expected, "look-up: {fen} {san}");
    }
}
