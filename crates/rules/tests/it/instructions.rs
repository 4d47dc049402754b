//! Whatever instructions are used, the answers are the same.

use saavedra_rules::see::{Lookup, SeeContext};
use saavedra_rules::{Bitboard, Color, Instructions, Move, Perft, Position};
use testkit::Variants;

/// All that is computed with the instructions in use.
#[derive(PartialEq, Eq, Debug)]
struct Answers {
    moves: Vec<Move>,
    attacked: [Bitboard; 2],
    exchanges: Vec<i32>,
    leaves: u64,
}

impl Answers {
    fn about(position: &Position) -> Answers {
        let moves: Vec<Move> = position.legal_moves().iter().copied().collect();
        assert_eq!(position.legal_move_count(), moves.len(), "{position}");
        assert!(moves.iter().all(|&mv| position.is_legal(mv)), "{position}");
        let context = SeeContext::new(position);
        Answers {
            attacked: Color::ALL.map(|color| position.attacked_by(color)),
            exchanges: moves.iter().map(|&mv| Lookup::ROUND.value(&context, mv)).collect(),
            leaves: Perft::new().count(position, 2).expect("there are few leaves"),
            moves,
        }
    }
}

/// The one test that sets the limit, because it holds for the whole program. Other tests may then run with fewer
/// instructions, which changes none of their answers.
#[test]
fn all_instructions_of_this_cpu_give_the_same_answers() {
    let mut positions = Vec::new();
    for variants in [Variants::Standard, Variants::All] {
        testkit::random_walks(6, 60, variants, |position| positions.push(*position));
    }
    let answers = |instructions: Instructions| -> Vec<Answers> {
        Instructions::limit_to(instructions);
        assert_eq!(Instructions::in_use(), instructions);
        positions.iter().map(Answers::about).collect()
    };
    let [baseline, others @ ..] = &Instructions::of_this_cpu()[..] else { panic!("every CPU has the baseline") };
    let expected = answers(*baseline);
    for &instructions in others {
        for ((found, expected), position) in answers(instructions).iter().zip(&expected).zip(&positions) {
            assert_eq!(found, expected, "{instructions}: {position}");
        }
    }
}
