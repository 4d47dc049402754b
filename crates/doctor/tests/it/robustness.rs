//! Whatever a patient says, the doctor has an answer: properties over random positions and random lies.

use rules::{Perft, Position};
use saavedra_doctor::{Case, Diagram, Divide, Examination, Patient, Question, Refusal, Rule};
use testkit::{Random, Variants, random_walks};

fn truth(question: &Question) -> Divide {
    let position = question.position();
    let mut divide = Divide::default();
    for (mv, count) in Perft::new().divide(&position, question.depth()).expect("no table is used") {
        divide.push(position.uci(mv), count);
    }
    divide
}

/// A patient that tells the truth except in one position.
struct Liar {
    position: Position,
    lie: String,
}

impl Patient for Liar {
    fn divide(&mut self, question: &Question) -> Result<Divide, Refusal> {
        let mut divide = truth(question);
        if question.position().is_repetition_of(&self.position) {
            divide.push(self.lie.clone(), 1);
        }
        Ok(divide)
    }
}

/// Text that may be a move, and may be anything.
fn any_move(random: &mut Random) -> String {
    let square = |random: &mut Random| rules::Square::ALL[random.below(64)].to_string();
    let tail = ["", "", "", "", "q", "k", "x", "é", "qq"];
    format!("{}{}{}", square(random), square(random), random.pick(&tail))
}

#[test]
fn any_move_that_is_not_legal_is_found_and_blamed_on_some_rule() {
    let mut random = Random::new(7);
    let mut found = 0;
    random_walks(7, 40, Variants::Standard, |position| {
        let lie = any_move(&mut random);
        let is_legal = position.parse_uci(&lie).is_ok();
        let diagram = Diagram::new(position.setup()).expect("the walk is legal");
        let examination = Examination::default().cases(vec![Case::new("lie", diagram, 1)]);
        let report = examination.examine(&mut Liar { position: *position, lie: lie.clone() });
        let finding = &report.findings()[0];
        assert_eq!(finding.extra(), std::slice::from_ref(&lie), "{position}");
        assert_eq!(finding.rule() == Rule::MoveTwice, is_legal, "{lie} in {position}: {}", finding.rule());
        found += 1;
    });
    assert!(found > 1000, "{found}");
}

/// A patient that forgets one move in one position.
struct Forgetful {
    position: Position,
    forgotten: usize,
}

impl Patient for Forgetful {
    fn divide(&mut self, question: &Question) -> Result<Divide, Refusal> {
        let mut divide = Divide::default();
        for (index, (mv, count)) in truth(question).entries().iter().enumerate() {
            if index != self.forgotten || !question.position().is_repetition_of(&self.position) {
                divide.push(mv.clone(), *count);
            }
        }
        Ok(divide)
    }
}

#[test]
fn any_legal_move_that_is_forgotten_is_found() {
    let mut random = Random::new(8);
    random_walks(8, 40, Variants::Standard, |position| {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        let forgotten = random.below(moves.len());
        let diagram = Diagram::new(position.setup()).expect("the walk is legal");
        let examination = Examination::default().cases(vec![Case::new("gap", diagram, 1)]);
        let report = examination.examine(&mut Forgetful { position: *position, forgotten });
        assert_eq!(report.findings()[0].missing(), [position.uci(moves[forgotten])], "{position}");
    });
}

#[test]
fn a_diagram_follows_every_legal_move_and_agrees_with_the_rules() {
    random_walks(9, 60, Variants::Standard, |position| {
        let diagram = Diagram::new(position.setup()).expect("the walk is legal");
        for mv in position.legal_moves() {
            let next = diagram.after(mv);
            assert!(next.position().is_repetition_of(&position.play(mv).expect("a legal move")), "{position} {mv}");
        }
    });
}

/// A patient that knows the start position, counts wrongly below it, and falls silent when asked why.
struct Sulking;

impl Patient for Sulking {
    fn divide(&mut self, question: &Question) -> Result<Divide, Refusal> {
        if !question.position().is_repetition_of(&Position::initial()) {
            return Err(Refusal::TooSlow);
        }
        if question.depth() == 1 {
            return Ok(truth(question));
        }
        let mut divide = Divide::default();
        for (mv, count) in truth(question).entries() {
            divide.push(mv.clone(), count + 1);
        }
        Ok(divide)
    }
}

#[test]
fn a_fault_is_not_forgotten_when_the_patient_falls_silent_on_the_way_down() {
    let start = Diagram::new(Position::initial().setup()).expect("the start is legal");
    let report = Examination::default().cases(vec![Case::new("start", start, 2)]).examine(&mut Sulking);
    assert_eq!(report.findings()[0].rule(), Rule::WrongCount);
    assert_eq!(report.findings()[0].wrong_count(), Some(("a2a3".to_owned(), 20, 21)));
}

#[test]
fn a_patient_that_never_answers_is_given_up() {
    struct Mute(u32);
    impl Patient for Mute {
        fn divide(&mut self, _: &Question) -> Result<Divide, Refusal> {
            self.0 += 1;
            Err(Refusal::TooSlow)
        }
    }
    let mut mute = Mute(0);
    let report = Examination::default().examine(&mut mute);
    assert!(!report.is_healthy() && report.positions() == 0);
    assert_eq!(mute.0, 3, "three silences are enough");
}
