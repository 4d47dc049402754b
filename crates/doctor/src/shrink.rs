//! From a wrong position to the smallest one that is wrong in the same way.

use rules::{Role, Square};

use crate::probe::probe;
use crate::{Diagram, Finding, Patient, Refusal};

/// How many diagrams may be tried. A board has at most thirty pieces to take off, and rarely needs three rounds.
const MOST_TRIALS: usize = 200;
/// A program that fails on the way is not tormented for ever: each hang costs as long as an answer may take.
const MOST_REFUSALS: usize = 5;
/// Each trial that ends in a crash costs a new start of the program.
const MOST_CRASHES: usize = 40;

/// Takes pieces off as long as the same rule stays broken.
pub(crate) fn shrink(patient: &mut dyn Patient, finding: Finding) -> Finding {
    let (rule, depth) = (finding.rule, finding.depth);
    let mut smallest = finding;
    let (mut trials, mut refusals) = (MOST_TRIALS, MOST_REFUSALS);
    while let Some(smaller) = smaller_than(&smallest.diagram).find_map(|diagram| {
        if trials == 0 || refusals == 0 {
            return None;
        }
        trials -= 1;
        let found = match probe(patient, &diagram, depth) {
            Ok(found) => found?,
            Err(_) => {
                refusals -= 1;
                return None;
            }
        };
        // A fault that moved to another position has not been made smaller in this one.
        (found.rule == rule && found.diagram == diagram && found.path.len() == smallest.path.len()).then_some(found)
    }) {
        smallest = Finding { case: smallest.case, seen_in: smallest.seen_in, ..smaller };
    }
    smallest
}

/// Takes pieces off as long as the program still dies.
pub(crate) fn shrink_crash(patient: &mut dyn Patient, mut diagram: Diagram, depth: u32) -> Diagram {
    let (mut trials, mut refusals) = (MOST_CRASHES, MOST_REFUSALS);
    while let Some(smaller) = smaller_than(&diagram).find(|diagram| {
        if trials == 0 || refusals == 0 {
            return false;
        }
        trials -= 1;
        match probe(patient, diagram, depth) {
            Ok(_) => false,
            Err(Refusal::Died(_)) => true,
            Err(_) => {
                refusals -= 1;
                false
            }
        }
    }) {
        diagram = smaller;
    }
    diagram
}

/// The diagrams with one thing less: a piece, a right to castle, the en-passant square.
fn smaller_than(diagram: &Diagram) -> impl Iterator<Item = Diagram> + use<> {
    let setup = diagram.setup().clone();
    let base = setup.clone();
    let without_piece = Square::ALL.into_iter().rev().filter_map(move |square| {
        let piece = base.pieces[square.index()].filter(|piece| piece.role != Role::King)?;
        let mut setup = base.clone();
        setup.pieces[square.index()] = None;
        setup.castling = setup.castling.without(square);
        let is_passed_pawn = piece.role == Role::Pawn
            && setup.en_passant.is_some_and(|passed| passed.index().abs_diff(square.index()) == 8);
        if is_passed_pawn {
            setup.en_passant = None;
        }
        Diagram::new(setup)
    });
    let base = setup.clone();
    let without_right = base.castling.into_iter().filter_map(move |rook| {
        let mut setup = base.clone();
        setup.castling = setup.castling.without(rook);
        Diagram::new(setup)
    });
    let without_passed = setup.en_passant.and_then(|_| {
        let mut setup = setup.clone();
        setup.en_passant = None;
        Diagram::new(setup)
    });
    without_piece.chain(without_right).chain(without_passed)
}
