//! The founding document to the letter: its numbers, and what its code makes of mates.

use std::collections::HashSet;

use minds::rules::{Color, Game, Move, Piece, Position, Role, Square};
use minds::{Allowance, Control, Mind, TreeMind, founding};
use saavedra_minds as minds;

/// Read from the document by a program; see the first lines of the file.
const NUMBERS: &str = include_str!("../data/founding_numbers.txt");

fn role(name: &str) -> Role {
    let names = ["pawn", "knight", "bishop", "rook", "queen", "king"];
    Role::ALL[names.iter().position(|known| *known == name).expect("a piece")]
}

#[test]
fn every_number_is_that_of_the_document() {
    let mut checked = HashSet::new();
    for line in NUMBERS.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |text: &str| text.parse::<i32>().expect("a number");
        match words[..] {
            ["castled", bonus] => assert_eq!(founding::CASTLED, number(bonus)),
            ["material", piece, worth] => {
                assert_eq!(founding::MATERIAL[role(piece) as usize], number(worth), "{piece}")
            }
            [color, piece, ref table @ ..] => {
                let color = if color == "white" { Color::White } else { Color::Black };
                let piece = Piece { color, role: role(piece) };
                assert_eq!(table.len(), 64, "{line}");
                for (square, places) in Square::ALL.into_iter().zip(table) {
                    let expected = founding::MATERIAL[piece.role as usize] + number(places);
                    assert_eq!(founding::value(piece, square), expected, "{piece:?} on {square}");
                    checked.insert((piece.index(), square));
                }
            }
            _ => panic!("{line}"),
        }
    }
    assert_eq!(checked.len(), 12 * 64);
    assert_eq!(founding::MATERIAL[Role::King as usize], 0, "the document gives a king no value");
}

/// The arithmetic of the document's code: 32 bits, in which the least number is its own opposite.
mod in_32_bits {
    use super::*;

    pub(super) fn evaluate(position: &Position) -> i32 {
        let worth = |square| {
            let piece = position.piece_at(square)?;
            Some(founding::value(piece, square) * if piece.color == position.turn() { 1 } else { -1 })
        };
        Square::ALL.into_iter().filter_map(worth).sum()
    }

    pub(super) fn minimax(position: &Position, depth: usize) -> i32 {
        if depth == 0 {
            return evaluate(position);
        }
        let values = position.legal_moves().into_iter().map(|mv| minimax(&position.play_unchecked(mv), depth - 1));
        values.map(i32::wrapping_neg).max().unwrap_or(i32::MIN)
    }

    pub(super) fn alpha_beta(position: &Position, mut alpha: i32, beta: i32, depth: usize) -> i32 {
        if depth == 0 {
            return evaluate(position);
        }
        for mv in position.legal_moves() {
            let value = alpha_beta(&position.play_unchecked(mv), -beta, -alpha, depth - 1).wrapping_neg();
            if value >= beta {
                return beta;
            }
            alpha = alpha.max(value);
        }
        alpha
    }

    /// What each move is worth to the document's minds, which look so many plies below it.
    pub(super) fn values(position: &Position, method: &str, depth: usize) -> Vec<(Move, i32)> {
        let value = |mv| {
            let next = position.play_unchecked(mv);
            match method {
                "minimax" => minimax(&next, depth).wrapping_neg(),
                _ => alpha_beta(&next, i32::MIN + 1, i32::MAX - 1, depth).wrapping_neg(),
            }
        };
        position.legal_moves().into_iter().map(|mv| (mv, value(mv))).collect()
    }

    /// The move that the document's minds play: the first of the best, which is worth more than the least number.
    pub(super) fn choice(position: &Position, method: &str, depth: usize) -> Option<Move> {
        let (mut best, mut most) = (None, i32::MIN);
        for (mv, value) in values(position, method, depth) {
            if value > most {
                (best, most) = (Some(mv), value);
            }
        }
        best
    }
}

fn position(fen: &str) -> Position {
    fen.parse().expect("a legal position")
}

fn ours(mut mind: TreeMind, position: &Position) -> Move {
    let choice = mind.choose(&Game::new(*position), &Allowance::default(), &Control::new(), &mut ());
    choice.expect("a choice").mv().expect("a move")
}

#[test]
fn the_documents_minimax_avoids_mate_and_its_alpha_beta_gives_it() {
    let mate = position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    let mates = |mv: Move| mate.play(mv).expect("a legal move").is_checkmate();
    assert!(!mates(in_32_bits::choice(&mate, "minimax", 2).expect("a move")));
    assert!(mates(in_32_bits::choice(&mate, "alphabeta", 4).expect("a move")));
    assert!(mates(ours(TreeMind::minimax(), &mate)) && mates(ours(TreeMind::alpha_beta(), &mate)));
    // To the document's minimax a move that mates is the worst there is, and no other is.
    let several = position("k7/8/1K6/8/8/8/1p6/bB5R w - - 0 1");
    let mating: Vec<_> =
        several.legal_moves().into_iter().filter(|&mv| several.play_unchecked(mv).is_checkmate()).collect();
    assert!(!mating.is_empty());
    for (mv, value) in in_32_bits::values(&several, "minimax", 2) {
        assert_eq!(value == i32::MIN, mating.contains(&mv), "{mv}");
    }
}

#[test]
fn the_documents_alpha_beta_takes_a_stalemate_for_a_win_and_a_late_mate_for_an_early_one() {
    let stalemate = position("7k/8/8/8/8/8/Q7/K7 w - - 0 1");
    let stalemates = |mv: Move| stalemate.play(mv).expect("a legal move").is_stalemate();
    assert!(stalemates(in_32_bits::choice(&stalemate, "alphabeta", 4).expect("a move")));
    assert!(!stalemates(in_32_bits::choice(&stalemate, "minimax", 2).expect("a move")));
    assert!(!stalemates(ours(TreeMind::alpha_beta(), &stalemate)));

    let near = position("k7/8/1K6/8/8/8/8/7R w - - 0 1");
    let values = in_32_bits::values(&near, "alphabeta", 4);
    let (now, later): (Vec<_>, Vec<_>) = values.iter().partition(|(mv, _)| near.play_unchecked(*mv).is_checkmate());
    assert!(now.iter().all(|(_, value)| *value == i32::MAX) && !now.is_empty());
    assert!(later.iter().any(|(_, value)| *value == i32::MAX), "a mate in two is worth as much as one in one");
}

#[test]
fn without_mates_in_sight_the_document_and_we_choose_the_same_moves() {
    let mut compared = 0;
    testkit::random_walks(71, 6, testkit::Variants::Standard, |position| {
        let skips = position.fullmove_number() % 8 != 1 || position.legal_moves().is_empty();
        // The bonus is ours alone, so neither player may castle.
        if skips || !position.setup().castling.is_empty() || has_end_within(position, 2) {
            return;
        }
        for method in ["minimax", "alphabeta"] {
            let mind = if method == "minimax" { TreeMind::minimax() } else { TreeMind::alpha_beta().with_depth(2) };
            assert_eq!(in_32_bits::choice(position, method, 2), Some(ours(mind, position)), "{method} in {position}");
        }
        compared += 1;
    });
    assert!(compared > 10, "{compared}");
}

/// Whether some line ends by mate or stalemate so many plies from here.
fn has_end_within(position: &Position, depth: usize) -> bool {
    let next: Vec<Position> = position.legal_moves().into_iter().map(|mv| position.play_unchecked(mv)).collect();
    next.iter().any(|next| !next.has_legal_moves() || depth > 1 && has_end_within(next, depth - 1))
}
