//! The board: letters on sixty-four squares, attacks by walking, moves by copying.

use super::{Bug, Step};

/// A position, and the mistake with which it is played.
#[derive(Clone, Debug)]
pub struct Board {
    pub(super) squares: [u8; 64],
    pub(super) white_to_move: bool,
    /// White short, white long, black short, black long.
    pub(super) rights: [bool; 4],
    pub(super) passed: Option<usize>,
    pub(super) bug: Option<Bug>,
}

pub(super) const EMPTY: u8 = b'.';
pub(super) const STRAIGHT: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
pub(super) const DIAGONAL: [(i32, i32); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
pub(super) const KNIGHT: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
/// The corners, in the order of the rights.
pub(super) const CORNERS: [usize; 4] = [7, 0, 63, 56];

/// The square some steps away, if that is on the board.
pub(super) fn walk(square: usize, (east, north): (i32, i32)) -> Option<usize> {
    let (file, rank) = (square as i32 % 8 + east, square as i32 / 8 + north);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((8 * rank + file) as usize)
}

impl Board {
    /// Reads a FEN; `None` if it is not one.
    pub fn from_fen(fen: &str, bug: Option<Bug>) -> Option<Board> {
        let mut fields = fen.split_whitespace();
        let mut squares = [EMPTY; 64];
        for (row, line) in fields.next()?.split('/').enumerate() {
            let mut file = 0;
            for letter in line.bytes() {
                if letter.is_ascii_digit() {
                    file += usize::from(letter - b'0');
                } else {
                    *squares.get_mut((7_usize.checked_sub(row)?) * 8 + file)? = letter;
                    file += 1;
                }
            }
        }
        let white_to_move = fields.next()? == "w";
        let castling = fields.next()?;
        let rights = ['K', 'Q', 'k', 'q'].map(|letter| castling.contains(letter));
        let passed = match fields.next()?.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(usize::from(rank - b'1') * 8 + usize::from(file - b'a')),
            _ => None,
        };
        Some(Board { squares, white_to_move, rights, passed, bug })
    }

    pub(super) fn has(&self, bug: Bug) -> bool {
        self.bug == Some(bug)
    }

    pub(super) fn is_own(&self, square: usize) -> bool {
        let piece = self.squares[square];
        piece != EMPTY && piece.is_ascii_uppercase() == self.white_to_move
    }

    pub(super) fn is_enemy(&self, square: usize) -> bool {
        self.squares[square] != EMPTY && !self.is_own(square)
    }

    /// A piece of one side as it is written.
    pub(super) fn piece(letter: u8, white: bool) -> u8 {
        if white { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
    }

    pub(super) fn king(&self, white: bool) -> usize {
        self.squares.iter().position(|&piece| piece == Board::piece(b'k', white)).unwrap_or(0)
    }

    /// The squares of one side's pieces that attack a square.
    pub(super) fn attackers(&self, square: usize, by_white: bool) -> Vec<usize> {
        let mut found = Vec::new();
        let is = |at: usize, letter: u8| self.squares[at] == Board::piece(letter, by_white);
        for step in KNIGHT {
            found.extend(walk(square, step).filter(|&at| is(at, b'n')));
        }
        let behind = if by_white { -1 } else { 1 };
        for east in [-1, 1] {
            found.extend(walk(square, (east, behind)).filter(|&at| is(at, b'p')));
        }
        for (steps, slider) in [(STRAIGHT, b'r'), (DIAGONAL, b'b')] {
            for step in steps {
                found.extend(walk(square, step).filter(|&at| is(at, b'k')));
                let mut at = square;
                while let Some(next) = walk(at, step) {
                    at = next;
                    if self.squares[at] != EMPTY {
                        found.extend((is(at, slider) || is(at, b'q')).then_some(at));
                        break;
                    }
                }
            }
        }
        found
    }

    pub(super) fn is_attacked(&self, square: usize) -> bool {
        !self.attackers(square, !self.white_to_move).is_empty()
    }

    /// The pieces that give check to the player to move.
    pub(super) fn checkers(&self) -> Vec<usize> {
        self.attackers(self.king(self.white_to_move), !self.white_to_move)
    }

    /// The board after a move.
    pub fn make(&self, step: &Step) -> Board {
        let mut next = self.clone();
        let white = self.white_to_move;
        let piece = self.squares[step.from];
        let is_pawn = piece.eq_ignore_ascii_case(&b'p');
        next.squares[step.from] = EMPTY;
        next.squares[step.to] = match step.promotion {
            Some(_) if self.has(Bug::AlwaysQueen) => Board::piece(b'q', white),
            Some(letter) => Board::piece(letter, white),
            None => piece,
        };
        if is_pawn
            && step.from % 8 != step.to % 8
            && self.squares[step.to] == EMPTY
            && !self.has(Bug::EnPassantVictimStays)
        {
            next.squares[step.from / 8 * 8 + step.to % 8] = EMPTY;
        }
        if step.is_castling && !self.has(Bug::CastlingLeavesRook) {
            let (corner, target) =
                if step.to > step.from { (step.to + 1, step.to - 1) } else { (step.to - 2, step.to + 1) };
            next.squares[target] = next.squares[corner];
            next.squares[corner] = EMPTY;
        }
        next.passed = (is_pawn && step.from.abs_diff(step.to) == 16 && !self.has(Bug::EnPassantNotSet))
            .then_some(step.from.midpoint(step.to));
        if self.has(Bug::EnPassantNotCleared) {
            next.passed = next.passed.or(self.passed);
        }
        self.end_rights(step, &mut next);
        next.white_to_move = !white;
        next
    }

    fn end_rights(&self, step: &Step, next: &mut Board) {
        let own = if self.white_to_move { 0..2 } else { 2..4 };
        if self.squares[step.from].eq_ignore_ascii_case(&b'k') && !self.has(Bug::KingMoveKeepsRights) {
            next.rights[own.clone()].fill(false);
            if self.has(Bug::KingMoveEndsAllRights) {
                next.rights.fill(false);
            }
        }
        for (index, corner) in CORNERS.into_iter().enumerate() {
            let keeps_moved = self.has(Bug::RookMoveKeepsRight) || self.has(Bug::RookMoveKeepsRightBlindly);
            let keeps_taken = self.has(Bug::RookCaptureKeepsRight) || self.has(Bug::RookCaptureKeepsRightBlindly);
            if step.from == corner && !keeps_moved
                || step.to == corner && self.squares[step.to] != EMPTY && !keeps_taken
            {
                next.rights[index] = false;
            }
        }
    }

    /// The leaf count below each move.
    pub fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let mut board = self.clone();
        self.moves().iter().map(|step| (step.to_string(), board.count_below(step, depth))).collect()
    }

    fn count(&self, depth: u32) -> u64 {
        let moves = self.moves();
        if depth <= 1 {
            return moves.len() as u64;
        }
        let mut board = self.clone();
        moves.iter().map(|step| board.count_below(step, depth)).sum()
    }

    /// Makes a move, counts, and takes it back.
    fn count_below(&mut self, step: &Step, depth: u32) -> u64 {
        if depth <= 1 {
            return 1;
        }
        let next = self.make(step);
        let count = next.count(depth - 1);
        if self.has(Bug::RightsNotRestored) {
            self.rights = next.rights;
        }
        if self.has(Bug::CaptureNotRestored) && self.is_enemy(step.to) {
            self.squares[step.to] = EMPTY;
        }
        count
    }
}
