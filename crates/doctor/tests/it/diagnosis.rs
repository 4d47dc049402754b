//! Every mistake that the broken generator can make is called by its name.

use rules::Role;
use std::collections::HashSet;

use saavedra_doctor::{Divide, Examination, Patient, Question, Refusal, Report, Rule, Thoroughness};
use testkit::broken::{Board, Bug};

/// A program that only understands positions.
struct Plain(Option<Bug>);

impl Patient for Plain {
    fn divide(&mut self, question: &Question) -> Result<Divide, Refusal> {
        answer(self.0, question)
    }
}

/// A program that can be told moves, as UCI engines can.
struct Playing(Option<Bug>);

impl Patient for Playing {
    fn divide(&mut self, question: &Question) -> Result<Divide, Refusal> {
        answer(self.0, question)
    }

    fn divide_after(&mut self, question: &Question) -> Option<Result<Divide, Refusal>> {
        Some(answer(self.0, question))
    }
}

fn answer(bug: Option<Bug>, question: &Question) -> Result<Divide, Refusal> {
    let mut board = Board::from_fen(&question.fen(), bug).expect("questions are legal positions");
    for text in question.moves() {
        let step = board.moves().into_iter().find(|step| step.to_string() == text).expect("the path was listed");
        board = board.make(&step);
    }
    let mut divide = Divide::default();
    for (mv, count) in board.divide(question.depth()) {
        divide.push(mv, count);
    }
    Ok(divide)
}

/// What each mistake should be called; where a program that can be told moves tells more, both names.
fn expected(bug: Bug) -> (Rule, Rule) {
    let rule = match bug {
        Bug::CastlesOutOfCheck => Rule::CastlingOutOfCheck,
        Bug::CastlesThroughCheck => Rule::CastlingThroughCheck,
        Bug::CastlesIntoCheck => Rule::CastlingIntoCheck,
        Bug::CastlesOverKnight => Rule::CastlingBlocked,
        Bug::CastlesWithoutRight => Rule::CastlingWithoutRight,
        Bug::NoCastling => Rule::CastlingMissing,
        Bug::CastlingFearsForRook => Rule::CastlingRookAttacked,
        Bug::KingMoveKeepsRights => Rule::RightKeptAfterKingMove,
        Bug::RookMoveKeepsRight | Bug::RookMoveKeepsRightBlindly => Rule::RightKeptAfterRookMove,
        Bug::RookCaptureKeepsRight | Bug::RookCaptureKeepsRightBlindly => Rule::RightKeptAfterRookCapture,
        Bug::KingMoveEndsAllRights => Rule::RightLost,
        Bug::CastlingLeavesRook => Rule::CastlingRookNotMoved,
        Bug::NoEnPassant => Rule::EnPassantMissing,
        Bug::NoEnPassantEvasion => Rule::EnPassantEvasionMissing,
        Bug::EnPassantIgnoresRank => Rule::EnPassantDiscoveredOnRank,
        Bug::EnPassantIgnoresDiagonal => Rule::EnPassantDiscoveredOnDiagonal,
        Bug::EnPassantIgnoresCheck => Rule::EnPassantIgnoresCheck,
        Bug::EnPassantNotSet => Rule::EnPassantSquareNotSet,
        Bug::EnPassantNotCleared => Rule::EnPassantSquareNotCleared,
        Bug::EnPassantVictimStays => Rule::EnPassantVictimStays,
        Bug::DoublePushJumps => Rule::DoublePushBlocked,
        Bug::DoublePushAnywhere => Rule::DoublePushNotFromHome,
        Bug::NoDoublePush => Rule::DoublePushMissing,
        Bug::PawnPushTakes => Rule::PawnPushBlocked,
        Bug::PawnTakesNothing => Rule::PawnTakesNothing,
        Bug::PawnStepsBack => Rule::PawnBackwards,
        Bug::NoPromotion => Rule::PromotionMissing,
        Bug::NoUnderpromotion => Rule::UnderpromotionMissing,
        Bug::NoCapturePromotion => Rule::CapturePromotionMissing,
        Bug::PromotionWithoutLetter => Rule::PromotionOmitted,
        Bug::PromotesToKing => Rule::PromotionImpossible,
        Bug::AlwaysQueen => Rule::PromotedPieceWrong,
        Bug::KingIgnoresKnights => Rule::KingIntoCheck,
        Bug::KingStepsBack => Rule::KingBackAlongRay,
        Bug::KingTakesProtected => Rule::KingTakesProtected,
        Bug::KingsTouch => Rule::KingsTouch,
        Bug::IgnoresCheck => Rule::CheckIgnored,
        Bug::IgnoresDoubleCheck => Rule::DoubleCheckIgnored,
        Bug::NoCheckerCapture => Rule::CheckerCaptureMissing,
        Bug::NoBlock => Rule::BlockMissing,
        Bug::IgnoresPins => Rule::PinnedPiece,
        Bug::IgnoresPawnPins => Rule::PinnedPawn,
        Bug::PinnedFrozen => Rule::PinnedAlongLineMissing,
        Bug::KnightsWrap | Bug::PawnsWrap => Rule::EdgeWrap,
        Bug::SlidersJump => Rule::SliderJumps,
        Bug::KnightsTakeOwn => Rule::OwnCapture,
        Bug::MovesEnemyKnights => Rule::NotOwnPiece,
        Bug::KnightMoveForgotten => Rule::MoveMissing(Role::Knight),
        Bug::KingListedTwice => Rule::MoveTwice,
        Bug::BishopStepsAhead => Rule::ImpossibleStep(Role::Bishop),
        Bug::RightsNotRestored | Bug::CaptureNotRestored => return (Rule::MakeOrUndo, Rule::UndoMove),
    };
    (rule, rule)
}

fn pieces(fen: &str) -> usize {
    fen.split(' ').next().unwrap_or_default().chars().filter(|letter| letter.is_ascii_alphabetic()).count()
}

fn summary(report: &Report) -> String {
    let lines = report.findings().iter().map(|finding| {
        format!(
            "{:?} in {} after {:?}: missing {:?}, extra {:?}, count {:?} ({})",
            finding.rule(),
            finding.diagram(),
            finding.path(),
            finding.missing(),
            finding.extra(),
            finding.wrong_count(),
            finding.case()
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_generator_without_mistakes_is_healthy_in_every_position_at_full_depth() {
    let report = Examination::default().examine(&mut Plain(None));
    assert!(report.is_healthy(), "{}", summary(&report));
    assert!(report.shallow().is_empty());
    assert_eq!(report.positions(), saavedra_doctor::cases().len());
    assert_eq!(report.deepest(), 5);
}

#[test]
fn each_mistake_is_called_by_its_name_from_counts_alone() {
    check_all(|bug| (Examination::default().examine(&mut Plain(Some(bug))), expected(bug).0));
}

#[test]
fn each_mistake_is_called_by_its_name_in_a_program_that_can_be_told_moves() {
    check_all(|bug| (Examination::default().examine(&mut Playing(Some(bug))), expected(bug).1));
}

fn check_all(examine: impl Fn(Bug) -> (Report, Rule)) {
    let mut wrong = Vec::new();
    for &bug in Bug::ALL {
        let (report, rule) = examine(bug);
        if report.findings().iter().map(|finding| finding.rule()).ne([rule]) {
            wrong.push(format!("{bug:?} was taken for {}", summary(&report)));
            continue;
        }
        let fen = report.findings()[0].diagram().to_string();
        if pieces(&fen) > 5 {
            wrong.push(format!("{bug:?} is not small: {}", summary(&report)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn all_faults_lists_each_broken_rule_once() {
    let report = Examination::default()
        .depth(2)
        .thoroughness(Thoroughness::AllFaults)
        .examine(&mut Plain(Some(Bug::IgnoresPins)));
    let rules: Vec<Rule> = report.findings().iter().map(|finding| finding.rule()).collect();
    assert!(rules.contains(&Rule::PinnedPiece) && rules.contains(&Rule::PinnedPawn), "{}", summary(&report));
    let unique: HashSet<Rule> = rules.iter().copied().collect();
    assert_eq!(rules.len(), unique.len(), "{rules:?}");
}
