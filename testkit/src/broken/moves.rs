//! The moves: first where pieces can go, then whether the king survives it, with every mistake in its place.

use std::fmt;

use super::board::{CORNERS, DIAGONAL, EMPTY, KNIGHT, STRAIGHT, walk};
use super::{Board, Bug};

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) promotion: Option<u8>,
    pub(super) is_castling: bool,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in [self.from, self.to] {
            write!(f, "{}{}", char::from(b'a' + (square % 8) as u8), square / 8 + 1)?;
        }
        self.promotion.map_or(Ok(()), |letter| write!(f, "{}", char::from(letter)))
    }
}

impl Board {
    /// The moves that this generator believes to be legal.
    pub fn moves(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        for from in 0..64 {
            let piece = self.squares[from].to_ascii_lowercase();
            let is_mine = self.is_own(from) || self.has(Bug::MovesEnemyKnights) && piece == b'n';
            if !is_mine {
                continue;
            }
            match piece {
                b'p' => self.pawn_moves(from, &mut steps),
                b'n' => self.knight_moves(from, &mut steps),
                b'b' => self.slides(from, &DIAGONAL, &mut steps),
                b'r' => self.slides(from, &STRAIGHT, &mut steps),
                b'q' => {
                    self.slides(from, &STRAIGHT, &mut steps);
                    self.slides(from, &DIAGONAL, &mut steps);
                }
                _ => self.king_moves(from, &mut steps),
            }
            if piece == b'b' && self.has(Bug::BishopStepsAhead) {
                self.try_target(from, walk(from, (0, 1)), &mut steps);
            }
        }
        steps.retain(|step| self.survives(step));
        steps
    }

    fn try_target(&self, from: usize, to: Option<usize>, steps: &mut Vec<Step>) {
        let Some(to) = to else { return };
        let takes_own = self.has(Bug::KnightsTakeOwn)
            && self.squares[from].eq_ignore_ascii_case(&b'n')
            && !self.squares[to].eq_ignore_ascii_case(&b'k');
        if !self.is_own(to) || takes_own {
            steps.push(Step { from, to, promotion: None, is_castling: false });
        }
    }

    fn knight_moves(&self, from: usize, steps: &mut Vec<Step>) {
        for (east, north) in KNIGHT {
            if self.has(Bug::KnightMoveForgotten) && (east, north) == (-2, 1) {
                continue;
            }
            let wrapped = from as i32 + 8 * north + east;
            let to = walk(from, (east, north))
                .or((self.has(Bug::KnightsWrap) && (0..64).contains(&wrapped)).then_some(wrapped as usize));
            self.try_target(from, to, steps);
        }
    }

    fn slides(&self, from: usize, directions: &[(i32, i32)], steps: &mut Vec<Step>) {
        for &direction in directions {
            let mut at = from;
            while let Some(next) = walk(at, direction) {
                at = next;
                self.try_target(from, Some(at), steps);
                if self.squares[at] != EMPTY && !self.has(Bug::SlidersJump) {
                    break;
                }
            }
        }
    }

    fn king_moves(&self, from: usize, steps: &mut Vec<Step>) {
        for direction in STRAIGHT.into_iter().chain(DIAGONAL) {
            self.try_target(from, walk(from, direction), steps);
            if self.has(Bug::KingListedTwice) && direction == (0, 1) {
                self.try_target(from, walk(from, direction), steps);
            }
        }
        self.castlings(from, steps);
    }

    fn castlings(&self, from: usize, steps: &mut Vec<Step>) {
        let home = if self.white_to_move { 4 } else { 60 };
        if from != home || self.has(Bug::NoCastling) || self.is_attacked(from) && !self.has(Bug::CastlesOutOfCheck) {
            return;
        }
        let trusts = self.has(Bug::RookMoveKeepsRightBlindly) || self.has(Bug::RookCaptureKeepsRightBlindly);
        for index in if self.white_to_move { [0, 1] } else { [2, 3] } {
            let is_short = index % 2 == 0;
            let has_right = self.rights[index] || self.has(Bug::CastlesWithoutRight);
            let has_rook = self.squares[CORNERS[index]] == Board::piece(b'r', self.white_to_move);
            let between = if is_short { home + 1..home + 3 } else { home - 3..home };
            let is_free = between
                .clone()
                .skip(usize::from(!is_short && self.has(Bug::CastlesOverKnight)))
                .all(|square| self.squares[square] == EMPTY);
            let (passes, ends) = if is_short { (home + 1, home + 2) } else { (home - 1, home - 2) };
            let is_safe = (!self.is_attacked(passes) || self.has(Bug::CastlesThroughCheck))
                && (!self.is_attacked(ends) || self.has(Bug::CastlesIntoCheck));
            let fears = self.has(Bug::CastlingFearsForRook)
                && (self.is_attacked(CORNERS[index]) || !is_short && self.is_attacked(home - 3));
            if has_right && (has_rook || trusts) && is_free && is_safe && !fears {
                steps.push(Step { from, to: ends, promotion: None, is_castling: true });
            }
        }
    }

    fn pawn_moves(&self, from: usize, steps: &mut Vec<Step>) {
        let forward = if self.white_to_move { 1 } else { -1 };
        let home = if self.white_to_move { 1 } else { 6 };
        let is_free = |to: usize| self.squares[to] == EMPTY;
        let once = walk(from, (0, forward));
        if let Some(to) = once.filter(|&to| is_free(to) || self.has(Bug::PawnPushTakes) && self.is_enemy(to)) {
            self.pawn_step(from, to, steps);
        }
        let may_double = (from / 8 == home || self.has(Bug::DoublePushAnywhere)) && !self.has(Bug::NoDoublePush);
        let way_is_free = once.is_some_and(is_free) || self.has(Bug::DoublePushJumps);
        let twice = walk(from, (0, 2 * forward)).filter(|&to| is_free(to) && (1..7).contains(&(to / 8)));
        if let Some(to) = twice.filter(|_| may_double && way_is_free) {
            self.pawn_step(from, to, steps);
        }
        for east in [-1, 1] {
            let wrapped = from as i32 + 8 * forward + east;
            let to = walk(from, (east, forward))
                .or((self.has(Bug::PawnsWrap) && (8..56).contains(&wrapped)).then_some(wrapped as usize));
            let Some(to) = to else { continue };
            let passed_here = self.passed == Some(to)
                && !self.has(Bug::NoEnPassant)
                // A square that was not forgotten in time is of no use to its own side.
                && (to / 8 == 5) == self.white_to_move;
            let takes_nothing = self.has(Bug::PawnTakesNothing) && is_free(to);
            if self.is_enemy(to) || passed_here && is_free(to) || takes_nothing {
                self.pawn_step(from, to, steps);
            }
        }
        if self.has(Bug::PawnStepsBack)
            && let Some(to) = walk(from, (0, -forward)).filter(|&to| is_free(to) && (1..7).contains(&(to / 8)))
        {
            self.pawn_step(from, to, steps);
        }
    }

    fn pawn_step(&self, from: usize, to: usize, steps: &mut Vec<Step>) {
        let step = |promotion| Step { from, to, promotion, is_castling: false };
        if (1..7).contains(&(to / 8)) || self.has(Bug::PromotionWithoutLetter) {
            steps.push(step(None));
            return;
        }
        let is_capture = from % 8 != to % 8;
        if self.has(Bug::NoPromotion) || self.has(Bug::NoCapturePromotion) && is_capture {
            return;
        }
        let letters: &[u8] = match self.bug {
            Some(Bug::NoUnderpromotion) => b"q",
            Some(Bug::PromotesToKing) => b"qrbnk",
            _ => b"qrbn",
        };
        steps.extend(letters.iter().map(|&letter| step(Some(letter))));
    }

    /// Whether the king is safe after a move, as far as this generator looks.
    fn survives(&self, step: &Step) -> bool {
        let white = self.white_to_move;
        let after = self.make(step);
        let king = after.king(white);
        let threats = after.attackers(king, !white);
        let piece = self.squares[step.from].to_ascii_lowercase();
        let checkers = self.checkers();
        let is_en_passant = piece == b'p' && step.from % 8 != step.to % 8 && self.squares[step.to] == EMPTY;
        let is_new = |square: &usize| !checkers.contains(square);
        let Some(bug) = self.bug else { return threats.is_empty() };
        let is_forgiven = match bug {
            Bug::KingIgnoresKnights if piece == b'k' => {
                threats.iter().all(|&square| self.squares[square].eq_ignore_ascii_case(&b'n'))
            }
            Bug::KingStepsBack if piece == b'k' => !self.is_attacked(step.to),
            Bug::KingTakesProtected => piece == b'k' && self.is_enemy(step.to),
            Bug::KingsTouch => threats.iter().all(|&square| self.squares[square].eq_ignore_ascii_case(&b'k')),
            Bug::IgnoresCheck => piece != b'k' && !threats.iter().any(is_new),
            Bug::IgnoresDoubleCheck if checkers.len() > 1 && piece != b'k' => !threats.contains(&checkers[0]),
            Bug::IgnoresPins => piece != b'k' && checkers.is_empty(),
            Bug::IgnoresPawnPins => piece == b'p' && checkers.is_empty() && !is_en_passant,
            Bug::EnPassantIgnoresRank if is_en_passant => threats.iter().all(|at| is_new(at) && at / 8 == king / 8),
            Bug::EnPassantIgnoresDiagonal if is_en_passant => {
                threats.iter().all(|at| is_new(at) && at / 8 != king / 8 && at % 8 != king % 8)
            }
            Bug::EnPassantIgnoresCheck if is_en_passant => !threats.iter().any(is_new),
            Bug::CastlesIntoCheck => step.is_castling,
            _ => false,
        };
        let is_refused = match bug {
            Bug::NoEnPassantEvasion => is_en_passant && !checkers.is_empty(),
            Bug::NoCheckerCapture => piece != b'k' && checkers.contains(&step.to),
            Bug::NoBlock => piece != b'k' && !checkers.is_empty() && !checkers.contains(&step.to) && !is_en_passant,
            Bug::PinnedFrozen if piece != b'k' && checkers.is_empty() => {
                let mut without = self.clone();
                without.squares[step.from] = EMPTY;
                !without.checkers().is_empty()
            }
            _ => false,
        };
        !is_refused && (threats.is_empty() || is_forgiven)
    }
}
