//! Checks of the exercises about the packed board.

use rules::Square;
use saavedra_classic::Board;
use saavedra_classic::packed::{Nibble, Packed, number_of};

use super::{Answers, Cases, walk};

pub(super) fn nibbles<A: Answers>(cases: &mut Cases) {
    walk(4, |board: &mut Packed, _| {
        let pieces = board.setup().pieces;
        for square in Square::ALL {
            let answer = A::nibble_at(board.words(), number_of(square));
            let truth = pieces[square.index()].map_or(Nibble::EMPTY, Nibble::of);
            cases.expect(|| format!("{square} in {}", board.fen()), answer, truth.bits());
        }
    });
}

pub(super) fn moves<A: Answers>(cases: &mut Cases) {
    walk(20, |board: &mut Packed, mv| {
        board.make(mv).expect("a legal move");
        let packed = board.top().mv();
        board.unmake();
        let answer = A::packed_move(packed.from(), packed.to(), packed.kind() as u8, packed.piece().bits());
        cases.expect(|| format!("{mv} in {}", board.fen()), answer, packed.bits());
    });
}

pub(super) fn passed<A: Answers>(cases: &mut Cases) {
    walk(20, |board: &mut Packed, mv| {
        board.make(mv).expect("a legal move");
        let (top, truth) = (board.top().bits(), board.setup().en_passant.map(number_of));
        board.unmake();
        cases.expect(|| format!("{mv} in {}, word {top:#034b}", board.fen()), A::passed_square(top), truth);
    });
}
