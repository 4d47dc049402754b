//! The whole examination: all cases, deeper and deeper, as far as the patient's time allows.

use std::collections::HashSet;

use crate::compare::truth;
use crate::probe::probe;
use crate::shrink::{shrink, shrink_crash};
use crate::{Case, Diagram, Divide, Finding, Patient, Question, Refusal, Rule, Unanswered, cases};

/// How an examination is done.
#[derive(Clone, Debug)]
pub struct Examination {
    cases: Vec<Case>,
    depth: u32,
    thoroughness: Thoroughness,
}

/// When an examination ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Thoroughness {
    /// With the first broken rule: one fault often causes others, so mend it and come again.
    FirstFault,
    /// After the last case, with each broken rule reported once.
    AllFaults,
}

/// How far an examination has come.
#[derive(Clone, Copy, Debug)]
pub struct ExaminationProgress<'a> {
    /// Questions about cases that were asked so far.
    pub done: usize,
    /// How many there are at most.
    pub total: usize,
    /// The case in hand.
    pub case: &'a str,
    /// Its depth.
    pub depth: u32,
}

/// What came out of an examination.
#[derive(Clone, Debug, Default)]
pub struct Report {
    findings: Vec<Finding>,
    unanswered: Vec<Unanswered>,
    shallow: Vec<Shallow>,
    positions: usize,
    questions: u64,
    leaves: u64,
    deepest: u32,
}

/// A case that could not be examined as deep as was wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shallow {
    /// The name of the case.
    pub case: String,
    /// How deep the answers went.
    pub reached: u32,
    /// How deep they should have gone.
    pub wanted: u32,
}

impl Report {
    /// Broken rules.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Questions without an answer.
    pub fn unanswered(&self) -> &[Unanswered] {
        &self.unanswered
    }

    /// Cases that were examined less deep than wanted, because the patient is slow.
    pub fn shallow(&self) -> &[Shallow] {
        &self.shallow
    }

    /// How many cases got at least one right answer.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// How many questions the patient answered.
    pub fn questions(&self) -> u64 {
        self.questions
    }

    /// How many leaves the patient counted in its answers.
    pub fn leaves(&self) -> u64 {
        self.leaves
    }

    /// The greatest depth that was answered.
    pub fn deepest(&self) -> u32 {
        self.deepest
    }

    /// Whether everything that was asked was answered, and answered rightly.
    pub fn is_healthy(&self) -> bool {
        self.findings.is_empty() && self.unanswered.is_empty()
    }
}

impl Default for Examination {
    fn default() -> Examination {
        Examination { cases: cases(), depth: u32::MAX, thoroughness: Thoroughness::FirstFault }
    }
}

/// A patient that dies or hangs again and again is given up after this many times.
const MOST_UNANSWERED: usize = 3;

impl Examination {
    /// Goes no deeper than this, whatever the cases want.
    #[must_use]
    pub fn depth(self, depth: u32) -> Examination {
        Examination { depth: depth.max(1), ..self }
    }

    /// Ends with the first fault, or goes on.
    #[must_use]
    pub fn thoroughness(self, thoroughness: Thoroughness) -> Examination {
        Examination { thoroughness, ..self }
    }

    /// Asks about these cases only.
    #[must_use]
    pub fn cases(self, cases: Vec<Case>) -> Examination {
        Examination { cases, ..self }
    }

    /// Examines a patient.
    pub fn examine(&self, patient: &mut dyn Patient) -> Report {
        self.examine_watched(patient, &mut |_| ())
    }

    /// Examines a patient and tells how far it has come.
    pub fn examine_watched(&self, patient: &mut dyn Patient, watch: &mut dyn FnMut(ExaminationProgress)) -> Report {
        let wanted = |case: &Case| case.depth.min(self.depth);
        let deepest = self.cases.iter().map(wanted).max().unwrap_or(0);
        let total = self.cases.iter().map(|case| wanted(case) as usize).sum();
        let mut course = Course {
            patient: Counting { patient, questions: 0, leaves: 0 },
            report: Report::default(),
            ceiling: u64::MAX,
            largest: 0,
            reached: vec![0; self.cases.len()],
            closed: HashSet::new(),
        };
        let mut done = 0;
        'examination: for depth in 1..=deepest {
            for (index, case) in self.cases.iter().enumerate() {
                if wanted(case) < depth {
                    continue;
                }
                watch(ExaminationProgress { done, total, case: &case.name, depth });
                done += 1;
                if course.closed.contains(&index) {
                    continue;
                }
                course.visit(index, case, depth);
                let is_found = !course.report.findings.is_empty() && self.thoroughness == Thoroughness::FirstFault;
                let is_gone =
                    course.report.unanswered.iter().any(|question| matches!(question.refusal, Refusal::Gone(_)));
                if is_found || is_gone || course.report.unanswered.len() >= MOST_UNANSWERED {
                    break 'examination;
                }
            }
        }
        course.finish(&self.cases, wanted)
    }
}

/// An examination under way.
struct Course<'a> {
    patient: Counting<'a>,
    report: Report,
    /// The fewest leaves that the patient could not count in time.
    ceiling: u64,
    /// The most leaves that it could.
    largest: u64,
    /// How deep each case was answered.
    reached: Vec<u32>,
    /// Cases that need not be asked any deeper.
    closed: HashSet<usize>,
}

impl Course<'_> {
    fn visit(&mut self, index: usize, case: &Case, depth: u32) {
        let leaves = truth(case.diagram.position(), depth).iter().map(|(_, count)| count).sum();
        if leaves >= self.ceiling {
            self.closed.insert(index);
            return;
        }
        match probe(&mut self.patient, &case.diagram, depth) {
            Ok(None) => {
                self.largest = self.largest.max(leaves);
                self.reached[index] = depth;
            }
            Ok(Some(finding)) => {
                self.closed.insert(index);
                if self.report.findings.iter().all(|known| known.rule != finding.rule) {
                    let finding = root_cause(&mut self.patient, finding);
                    let finding = Finding { case: case.name.clone(), ..finding };
                    self.report.findings.push(shrink(&mut self.patient, finding));
                }
            }
            // A patient that is merely slow has not yet counted anything as large.
            Err(Refusal::TooSlow) if depth > 1 && leaves > self.largest => {
                self.ceiling = leaves;
                self.closed.insert(index);
            }
            Err(refusal) => {
                self.closed.insert(index);
                let is_crash = matches!(refusal, Refusal::Died(_));
                let diagram = if is_crash && self.reached.iter().any(|&depth| depth > 0) {
                    shrink_crash(&mut self.patient, case.diagram.clone(), depth)
                } else {
                    case.diagram.clone()
                };
                self.report.unanswered.push(Unanswered { refusal, case: case.name.clone(), diagram, depth });
            }
        }
    }

    fn finish(self, cases: &[Case], wanted: impl Fn(&Case) -> u32) -> Report {
        let mut report = self.report;
        report.positions = self.reached.iter().filter(|&&depth| depth > 0).count();
        report.deepest = self.reached.iter().copied().max().unwrap_or(0);
        (report.questions, report.leaves) = (self.patient.questions, self.patient.leaves);
        // After a fault the depths say nothing about the patient's speed.
        if report.is_healthy() {
            report.shallow = cases
                .iter()
                .zip(self.reached)
                .filter(|(case, reached)| *reached < wanted(case))
                .map(|(case, reached)| Shallow { case: case.name.clone(), reached, wanted: wanted(case) })
                .collect();
        }
        report
    }
}

/// A simple position in which the deeper cause of a fault would show, if that is the cause.
///
/// A program whose pawn taken en passant stays on the board also believes that this pawn still protects the king. What
/// is seen first is the king; what is to be mended is the pawn.
fn root_cause(patient: &mut dyn Patient, finding: Finding) -> Finding {
    let is_symptom = matches!(
        finding.rule,
        Rule::EnPassantDiscoveredOnRank | Rule::EnPassantDiscoveredOnDiagonal | Rule::EnPassantEvasionMissing
    );
    if !is_symptom {
        return finding;
    }
    let plain: Diagram = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1".parse().expect("a legal position");
    let cause = probe(patient, &plain, 2).ok().flatten();
    cause.filter(|cause| cause.rule == Rule::EnPassantVictimStays).unwrap_or(finding)
}

/// A patient whose answers are counted.
struct Counting<'a> {
    patient: &'a mut dyn Patient,
    questions: u64,
    leaves: u64,
}

impl Counting<'_> {
    fn note(&mut self, answer: Result<Divide, Refusal>) -> Result<Divide, Refusal> {
        if let Ok(divide) = &answer {
            self.questions += 1;
            self.leaves = self.leaves.saturating_add(divide.total());
        }
        answer
    }
}

impl Patient for Counting<'_> {
    fn divide(&mut self, question: &Question) -> Result<Divide, Refusal> {
        let answer = self.patient.divide(question);
        self.note(answer)
    }

    fn divide_after(&mut self, question: &Question) -> Option<Result<Divide, Refusal>> {
        let answer = self.patient.divide_after(question)?;
        Some(self.note(answer))
    }
}
