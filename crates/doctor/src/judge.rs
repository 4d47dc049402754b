//! Which rule a wrong list of moves breaks: each move is asked what makes it legal or illegal.

use rules::{Bitboard, CastlingSide, Color, File, Move, MoveKind, Position, Rank, Role, Square, attacks};

use crate::compare::Comparison;
use crate::{Diagram, Rule};

/// The rule that most of the wrong moves break; of several, the one found first. Illegal moves tell more than missing
/// ones: a pawn that promotes without a letter misses four moves, but the one it makes shows why.
pub(crate) fn judge(diagram: &Diagram, comparison: &Comparison) -> Rule {
    let extra = comparison.extra.iter().map(|text| judge_extra(diagram, text));
    let missing = comparison.missing.iter().map(|&mv| judge_missing(diagram.position(), mv, &comparison.missing));
    let rules: Vec<Rule> = if comparison.extra.is_empty() { missing.collect() } else { extra.collect() };
    let votes = |rule: &Rule| rules.iter().filter(|other| *other == rule).count();
    let mut best: Option<Rule> = None;
    for rule in &rules {
        if best.is_none_or(|best| votes(rule) > votes(&best)) {
            best = Some(*rule);
        }
    }
    best.unwrap_or(if comparison.twice.is_empty() { Rule::WrongLeafCount } else { Rule::MoveTwice })
}

/// A move as the program wrote it.
pub(crate) struct Written {
    pub(crate) from: Square,
    pub(crate) to: Square,
    pub(crate) suffix: Option<char>,
}

impl Written {
    pub(crate) fn parse(text: &str) -> Option<Written> {
        let from = text.get(0..2)?.parse().ok()?;
        let to = text.get(2..4)?.parse().ok()?;
        let mut rest = text.get(4..)?.chars();
        let suffix = rest.next();
        rest.next().is_none().then_some(Written { from, to, suffix })
    }
}

/// Why a move that the program named is not legal.
pub(crate) fn judge_extra(diagram: &Diagram, text: &str) -> Rule {
    let position = diagram.position();
    let us = position.turn();
    let Some(mv) = Written::parse(text) else { return Rule::NotOwnPiece };
    let Some(role) = position.role_at(mv.from).filter(|_| position.color_at(mv.from) == Some(us)) else {
        return Rule::NotOwnPiece;
    };
    if let Some(rule) = judge_promotion(us, role, &mv) {
        return rule;
    }
    if role == Role::King
        && let Some(rook) = castling_rook(position, &mv)
    {
        return judge_castling(position, rook);
    }
    if position.color_at(mv.to) == Some(us) {
        return Rule::OwnCapture;
    }
    let occupied = position.occupied();
    if role == Role::Pawn {
        if let Some(rule) = judge_pawn_step(diagram, &mv) {
            return rule;
        }
    } else if !attacks::of(role, us, mv.from, occupied).contains(mv.to) {
        return if attacks::of(role, us, mv.from, Bitboard::EMPTY).contains(mv.to) {
            Rule::SliderJumps
        } else if wraps(role, us, &mv) {
            Rule::EdgeWrap
        } else {
            Rule::ImpossibleStep(role)
        };
    }
    if role == Role::King { judge_king_step(position, &mv) } else { judge_exposure(diagram, role, &mv) }
}

/// What is wrong with the letter at the end of the move, or with its absence.
fn judge_promotion(us: Color, role: Role, mv: &Written) -> Option<Rule> {
    let reaches_end = role == Role::Pawn && mv.to.rank() == us.relative(Rank::Eighth);
    match mv.suffix {
        None => reaches_end.then_some(Rule::PromotionOmitted),
        Some('q' | 'r' | 'b' | 'n') if reaches_end => None,
        Some(_) => Some(Rule::PromotionImpossible),
    }
}

/// The square of the rook, if this king move is meant to castle.
pub(crate) fn castling_rook(position: &Position, mv: &Written) -> Option<Square> {
    let us = position.turn();
    let home = Square::new(File::E, us.back_rank());
    if mv.from != home || mv.to.rank() != home.rank() {
        return None;
    }
    let own_rook = position.role_at(mv.to) == Some(Role::Rook) && position.color_at(mv.to) == Some(us);
    match mv.to.file() {
        File::G => Some(Square::new(File::H, home.rank())),
        File::C => Some(Square::new(File::A, home.rank())),
        File::H | File::A if own_rook => Some(mv.to),
        _ => None,
    }
}

fn judge_castling(position: &Position, rook: Square) -> Rule {
    let us = position.turn();
    let king = position.king(us);
    let side = CastlingSide::of(king, rook);
    if !position.castling_rights().rooks_of(us).contains(rook) {
        return Rule::CastlingWithoutRight;
    }
    if attacks::rook(king, position.occupied()) & rook.bitboard() == Bitboard::EMPTY {
        return Rule::CastlingBlocked;
    }
    let is_attacked = |file| !attackers(position, Square::new(file, king.rank()), position.occupied()).is_empty();
    if position.is_check() {
        Rule::CastlingOutOfCheck
    } else if is_attacked(side.rook_file()) {
        Rule::CastlingThroughCheck
    } else {
        Rule::CastlingIntoCheck
    }
}

/// Why a pawn cannot go there, if that is not a matter of its king.
fn judge_pawn_step(diagram: &Diagram, mv: &Written) -> Option<Rule> {
    let position = diagram.position();
    let us = position.turn();
    let north = |square: Square| square.relative_to(us).rank().index() as i32;
    let files = mv.to.file().index().abs_diff(mv.from.file().index());
    let is_free = |square: Square| !position.occupied().contains(square);
    match (files, north(mv.to) - north(mv.from)) {
        (0, 1) => (!is_free(mv.to)).then_some(Rule::PawnPushBlocked),
        (0, 2) if north(mv.from) != 1 => Some(Rule::DoublePushNotFromHome),
        (0, 2) => {
            let passed = Square::from_index(mv.from.index().midpoint(mv.to.index()))?;
            (!is_free(passed) || !is_free(mv.to)).then_some(Rule::DoublePushBlocked)
        }
        (1, 1) if is_free(mv.to) && diagram.passed_square() != Some(mv.to) => Some(Rule::PawnTakesNothing),
        (1, 1) => None,
        _ if wraps(Role::Pawn, us, mv) => Some(Rule::EdgeWrap),
        (0 | 1, i32::MIN..=-1) => Some(Rule::PawnBackwards),
        _ => Some(Rule::ImpossibleStep(Role::Pawn)),
    }
}

/// Whether the numbers of the squares differ as they do for this piece elsewhere on the board.
fn wraps(role: Role, us: Color, mv: &Written) -> bool {
    let difference = mv.to.index() as i32 - mv.from.index() as i32;
    let forward = if us == Color::White { 1 } else { -1 };
    let slides =
        |steps: &[i32]| steps.iter().any(|step| difference % step == 0 && (1..8).contains(&(difference / step).abs()));
    match role {
        Role::Pawn => matches!(difference * forward, 7 | 9),
        Role::Knight => matches!(difference.abs(), 6 | 10 | 15 | 17),
        Role::King => matches!(difference.abs(), 1 | 7 | 9),
        Role::Bishop => slides(&[7, 9]),
        Role::Rook => slides(&[1]),
        Role::Queen => slides(&[1, 7, 9]),
    }
}

fn judge_king_step(position: &Position, mv: &Written) -> Rule {
    let us = position.turn();
    let without_king = position.occupied().without(mv.from);
    let now = attackers(position, mv.to, position.occupied());
    if attacks::king(mv.to).contains(position.king(!us)) && now.count() <= 1 {
        Rule::KingsTouch
    } else if now.is_empty() && !attackers(position, mv.to, without_king).is_empty() {
        Rule::KingBackAlongRay
    } else if position.occupied().contains(mv.to) {
        Rule::KingTakesProtected
    } else {
        Rule::KingIntoCheck
    }
}

/// Why a move that a piece could make leaves its king attacked.
fn judge_exposure(diagram: &Diagram, role: Role, mv: &Written) -> Rule {
    let position = diagram.position();
    let king = position.king(position.turn());
    let is_en_passant = role == Role::Pawn && mv.from.file() != mv.to.file() && position.role_at(mv.to).is_none();
    if position.checkers().count() > 1 {
        return Rule::DoubleCheckIgnored;
    }
    let is_pinned = position.pinned().contains(mv.from);
    if is_en_passant && !is_pinned {
        let victim = Square::new(mv.to.file(), mv.from.rank());
        let after = position.occupied().without(mv.from).without(victim).with(mv.to);
        let new = (attackers(position, king, after) - position.checkers()).without(victim).first();
        return match new {
            Some(slider) if slider.rank() == king.rank() => Rule::EnPassantDiscoveredOnRank,
            Some(_) => Rule::EnPassantDiscoveredOnDiagonal,
            None => Rule::EnPassantIgnoresCheck,
        };
    }
    match role {
        _ if !is_pinned => Rule::CheckIgnored,
        Role::Pawn => Rule::PinnedPawn,
        _ => Rule::PinnedPiece,
    }
}

/// The enemy pieces that attack a square, if the occupied squares were these.
pub(crate) fn attackers(position: &Position, square: Square, occupied: Bitboard) -> Bitboard {
    let us = position.turn();
    Role::ALL
        .into_iter()
        .fold(Bitboard::EMPTY, |all, role| all | attacks::of(role, us, square, occupied) & position.pieces(role, !us))
}

/// Why a legal move may have been overlooked, given what else was.
pub(crate) fn judge_missing(position: &Position, mv: Move, missing: &[Move]) -> Rule {
    let role = position.role_at(mv.from()).unwrap_or(Role::Pawn);
    match mv.kind() {
        MoveKind::Castle => return judge_missing_castling(position, mv),
        MoveKind::EnPassant if position.is_check() => return Rule::EnPassantEvasionMissing,
        MoveKind::EnPassant => return Rule::EnPassantMissing,
        _ => {}
    }
    let checkers = position.checkers();
    if !checkers.is_empty() && role != Role::King {
        return if checkers.contains(mv.to()) { Rule::CheckerCaptureMissing } else { Rule::BlockMissing };
    }
    if position.pinned().contains(mv.from()) {
        return Rule::PinnedAlongLineMissing;
    }
    if mv.kind() != MoveKind::Normal {
        let queen_too = missing.contains(&Move::promotion(mv.from(), mv.to(), Role::Queen));
        return match (queen_too, position.is_capture(mv)) {
            (false, _) => Rule::UnderpromotionMissing,
            (true, true) => Rule::CapturePromotionMissing,
            (true, false) => Rule::PromotionMissing,
        };
    }
    let is_double_push = role == Role::Pawn && mv.from().index().abs_diff(mv.to().index()) == 16;
    if is_double_push { Rule::DoublePushMissing } else { Rule::MoveMissing(role) }
}

fn judge_missing_castling(position: &Position, mv: Move) -> Rule {
    let rook = mv.to();
    let is_attacked = |square| !attackers(position, square, position.occupied()).is_empty();
    let passed_by_rook_only = (rook.file() == File::A).then(|| Square::new(File::B, rook.rank()));
    if is_attacked(rook) || passed_by_rook_only.is_some_and(is_attacked) {
        Rule::CastlingRookAttacked
    } else {
        Rule::CastlingMissing
    }
}
