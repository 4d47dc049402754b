//! Examines a move generator that does not know en passant: `cargo run --example no_en_passant`.

use saavedra_doctor::rules::{MoveKind, Perft};
use saavedra_doctor::{Divide, Examination, Patient, Question, Refusal};

struct NoEnPassant;

impl Patient for NoEnPassant {
    fn divide(&mut self, question: &Question) -> Result<Divide, Refusal> {
        let position = question.position();
        let mut divide = Divide::default();
        for (mv, count) in Perft::new().divide(&position, question.depth()).expect("no table is used") {
            if mv.kind() != MoveKind::EnPassant {
                divide.push(position.uci(mv), count);
            }
        }
        Ok(divide)
    }
}

fn main() {
    for finding in Examination::default().examine(&mut NoEnPassant).findings() {
        println!("{} in {}: missing {:?}", finding.rule(), finding.diagram(), finding.missing());
    }
}
