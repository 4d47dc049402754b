//! One position at one depth: is it right, and if not, where exactly is it wrong?

use rules::Move;

use crate::after::judge_after;
use crate::compare::Comparison;
use crate::flaw::recognise;
use crate::judge::judge;
use crate::{Diagram, Divide, Finding, Patient, Question, Refusal, Rule, WrongCount};

/// The way down to a fault.
struct Descent<'a> {
    patient: &'a mut dyn Patient,
    /// Where the program starts from a FEN.
    root: Diagram,
    /// The moves it must make itself from there.
    path: Vec<Move>,
    /// The position after those moves.
    here: Diagram,
    depth: u32,
    /// What was seen when the path began: the rule if the counts gave it away.
    suspicion: Option<Rule>,
}

/// Asks for the divide and, where it is wrong, descends to the move list that is. A program that fails on the way down
/// does not hide the fault that was seen before.
pub(crate) fn probe(patient: &mut dyn Patient, diagram: &Diagram, depth: u32) -> Result<Option<Finding>, Refusal> {
    let said = patient.divide(&Question::new(diagram.clone(), depth))?;
    let comparison = Comparison::new(diagram.position(), depth, &said);
    if comparison.is_clean() {
        return Ok(None);
    }
    let descent =
        Descent { patient, root: diagram.clone(), path: Vec::new(), here: diagram.clone(), depth, suspicion: None };
    Ok(Some(descent.follow(said, comparison)))
}

impl Descent<'_> {
    fn follow(mut self, mut said: Divide, mut comparison: Comparison) -> Finding {
        loop {
            let Some(wrong) = comparison.counts.first().copied().filter(|_| !comparison.lists_differ()) else {
                return self.conclude(&comparison);
            };
            if self.depth == 1 {
                return self.conclude(&comparison);
            }
            let next = self.here.after(wrong.mv);
            let depth = self.depth - 1;

            // The simplest explanation is tried first: the fault shows without any move of the program.
            let Ok(fresh) = self.patient.divide(&Question::new(next.clone(), depth)) else {
                return self.spoilt(Rule::WrongCount, wrong);
            };
            let fresh_comparison = Comparison::new(next.position(), depth, &fresh);
            if !fresh_comparison.is_clean() {
                (self.root, self.path, self.here, self.depth) = (next.clone(), Vec::new(), next, depth);
                self.suspicion = None;
                (said, comparison) = (fresh, fresh_comparison);
                continue;
            }

            if self.path.is_empty() {
                self.suspicion = recognise(&self.root, self.depth, &said);
            }
            let mut path = self.path.clone();
            path.push(wrong.mv);
            let question = Question::after(self.root.clone(), path.clone(), depth);
            let Some(own) = self.patient.divide_after(&question) else {
                let rule = self.suspicion.unwrap_or(Rule::MakeOrUndo);
                return self.spoilt(rule, wrong);
            };
            let Ok(own) = own else {
                let rule = self.suspicion.unwrap_or(Rule::WrongCount);
                return self.spoilt(rule, wrong);
            };
            let own_comparison = Comparison::new(next.position(), depth, &own);
            if own_comparison.is_clean() {
                let rule = self.suspicion.unwrap_or(Rule::UndoMove);
                return self.spoilt(rule, wrong);
            }
            (self.path, self.here, self.depth) = (path, next, depth);
            (said, comparison) = (own, own_comparison);
        }
    }

    /// The lists differ here.
    fn conclude(self, comparison: &Comparison) -> Finding {
        let position = self.here.position();
        let rule = if self.path.is_empty() {
            judge(&self.here, comparison)
        } else {
            self.suspicion.unwrap_or_else(|| judge_after(&self.root, &self.path, comparison))
        };
        let uci = |mv: &Move| position.uci(*mv);
        let twice = comparison.twice.iter().map(uci);
        Finding {
            rule,
            depth: self.path.len() as u32 + 1,
            missing: comparison.missing.iter().map(uci).collect(),
            extra: comparison.extra.iter().cloned().chain(twice).collect(),
            count: comparison.counts.first().copied().filter(|_| !comparison.lists_differ()),
            expected: position.legal_moves().iter().map(uci).collect(),
            seen_in: self.root.clone(),
            diagram: self.root,
            path: self.path,
            case: String::new(),
        }
    }

    /// The lists agree wherever one can look, and yet the count below a move is wrong.
    fn spoilt(self, rule: Rule, wrong: WrongCount) -> Finding {
        let next = self.here.after(wrong.mv);
        Finding {
            rule,
            depth: self.path.len() as u32 + self.depth,
            missing: Vec::new(),
            extra: Vec::new(),
            // Where the program was told moves, the wrong count belongs to the position after them.
            count: self.path.is_empty().then_some(wrong),
            expected: next.position().legal_moves().iter().map(|&mv| next.position().uci(mv)).collect(),
            seen_in: self.root.clone(),
            diagram: self.root,
            path: self.path.into_iter().chain([wrong.mv]).collect(),
            case: String::new(),
        }
    }
}
