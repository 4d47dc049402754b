//! The minds that are written with nothing but position services, compared with those of this crate.

use classic::services::{Move as Choice, Services};
use rules::{Game, Position, UciMove};
use saavedra_minds::{Allowance, Control, Mind as _, TreeMind};

#[path = "../../../classic/examples/minds/minds.rs"]
mod example;

use example::Mind;

const POSITIONS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",
    "7k/8/8/8/8/8/Q7/K7 w - - 0 1",
];

/// What a mind of this crate plays in a position that was set up.
fn ours(mut mind: TreeMind, position: &Position) -> (u8, u8) {
    let choice = mind.choose(&Game::new(*position), &Allowance::default(), &Control::new(), &mut ());
    let mv = choice.expect("a choice").mv().expect("a move");
    let written: UciMove = position.uci(mv).parse().expect("a move");
    (written.from.index() as u8, written.to.index() as u8)
}

fn theirs(mut mind: Mind, position: &Position) -> (u8, u8) {
    let mut world = Services::read_fen(&position.to_string()).expect("a legal position");
    let Choice { from, to, .. } = mind.choose(&mut world).expect("a move");
    (from, to)
}

#[test]
fn minimax_and_alpha_beta_on_services_choose_the_moves_of_the_built_in_minds() {
    for fen in POSITIONS {
        let position: Position = fen.parse().expect("a legal position");
        assert_eq!(theirs(Mind::Minimax(2), &position), ours(TreeMind::minimax(), &position), "{fen}");
        let alpha_beta = TreeMind::alpha_beta().with_depth(3);
        assert_eq!(theirs(Mind::AlphaBeta(3), &position), ours(alpha_beta, &position), "{fen}");
    }
    let start = Position::initial();
    assert_eq!(theirs(Mind::AlphaBeta(4), &start), ours(TreeMind::alpha_beta(), &start));
}

#[test]
fn they_choose_alike_in_random_games() {
    let mut compared = 0;
    testkit::random_walks(81, 6, testkit::Variants::Standard, |position| {
        if position.fullmove_number() % 8 != 1 || position.legal_moves().is_empty() {
            return;
        }
        assert_eq!(theirs(Mind::Minimax(2), position), ours(TreeMind::minimax(), position), "{position}");
        let alpha_beta = TreeMind::alpha_beta().with_depth(2);
        assert_eq!(theirs(Mind::AlphaBeta(2), position), ours(alpha_beta, position), "{position}");
        compared += 1;
    });
    assert!(compared > 20, "{compared}");
}

#[test]
fn random_and_capture_on_services_play_legal_moves_and_captures() {
    let kiwipete = POSITIONS[1].parse::<Position>().expect("a legal position");
    let mut world = Services::read_fen(POSITIONS[1]).expect("a legal position");
    for name in ["random", "capture"] {
        let mut mind = Mind::named(name).expect("a mind");
        for _ in 0..100 {
            let Choice { from, to, .. } = mind.choose(&mut world).expect("a move");
            let wanted = |mv: &&rules::Move| {
                let written: UciMove = kiwipete.uci(**mv).parse().expect("a move");
                (written.from.index() as u8, written.to.index() as u8) == (from, to)
            };
            let moves = if name == "capture" { kiwipete.captures() } else { kiwipete.legal_moves() };
            assert!(moves.iter().any(|mv| wanted(&mv)), "{name} plays {from},{to}");
        }
    }
    assert!(Mind::named("chess").is_none());
}
