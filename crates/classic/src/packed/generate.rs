//! Generating moves: pseudo-legal ones, to be made and examined.

use rules::{CastlingSide, Color, Role};

use super::cells::Nibble;
use super::rays::{DIRECTIONS, KING, KNIGHT, PAWN, ROOM};
use super::words::{Move, MoveType, flag};
use super::{Packed, king_home};

/// The moves of one position.
pub(super) struct List {
    moves: [Move; 256],
    len: usize,
}

impl List {
    fn new() -> List {
        List { moves: [Move::new(0, 0, MoveType::Quiet, Nibble::EMPTY); 256], len: 0 }
    }

    #[inline]
    fn push(&mut self, mv: Move) {
        self.moves[self.len] = mv;
        self.len += 1;
    }

    #[inline]
    pub(super) fn moves(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl Packed {
    /// All moves that obey the rules but for leaving the own king in check.
    pub(super) fn pseudo_legal(&self) -> List {
        let mut list = List::new();
        let us = self.side();
        for from in self.cells.of_team(us) {
            self.moves_from(us, from, &mut list);
        }
        list
    }

    /// Generates the moves of one piece after the other until one of them turns out to be legal.
    pub(super) fn finds_legal_move(&mut self) -> bool {
        let us = self.side();
        let mut list = List::new();
        let cells = self.cells;
        cells.of_team(us).any(|from| {
            list.len = 0;
            self.moves_from(us, from, &mut list);
            list.moves().iter().any(|&mv| {
                let is_legal = self.try_push(mv);
                if is_legal {
                    self.pop();
                }
                is_legal
            })
        })
    }

    #[inline]
    fn moves_from(&self, us: Color, from: u8, list: &mut List) {
        let piece = self.cells.at(from);
        let index = usize::from(from);
        match piece.role() {
            Some(Role::Pawn) => self.pawn_moves(us, from, piece, list),
            Some(Role::Knight) => self.step_moves(us, from, piece, KNIGHT[index].numbers(), list),
            Some(Role::Bishop) => self.ray_moves(us, from, piece, 4..8, list),
            Some(Role::Rook) => self.ray_moves(us, from, piece, 0..4, list),
            Some(Role::Queen) => self.ray_moves(us, from, piece, 0..8, list),
            Some(Role::King) => {
                self.step_moves(us, from, piece, KING[index].numbers(), list);
                self.castling_moves(us, piece, list);
            }
            None => {}
        }
    }

    #[inline]
    fn step_moves(&self, us: Color, from: u8, piece: Nibble, targets: &[u8], list: &mut List) {
        for &to in targets {
            let target = self.cells.at(to);
            if target == Nibble::EMPTY {
                list.push(Move::new(from, to, MoveType::Quiet, piece));
            } else if target.team() != us {
                list.push(Move::new(from, to, MoveType::Capture, piece));
            }
        }
    }

    #[inline]
    fn ray_moves(&self, us: Color, from: u8, piece: Nibble, directions: std::ops::Range<usize>, list: &mut List) {
        for direction in directions {
            let mut to = from;
            for _ in 0..ROOM[usize::from(from)][direction] {
                to = to.wrapping_add_signed(DIRECTIONS[direction]);
                let target = self.cells.at(to);
                if target == Nibble::EMPTY {
                    list.push(Move::new(from, to, MoveType::Quiet, piece));
                    continue;
                }
                if target.team() != us {
                    list.push(Move::new(from, to, MoveType::Capture, piece));
                }
                break;
            }
        }
    }

    fn pawn_moves(&self, us: Color, from: u8, piece: Nibble, list: &mut List) {
        // Row 1 is the seventh rank, row 6 the second.
        let (ahead, first_row, last_row) = match us {
            Color::White => (-8, 6, 1),
            Color::Black => (8, 1, 6),
        };
        let promotes = from >> 3 == last_row;
        let to = from.wrapping_add_signed(ahead);
        if self.cells.at(to) == Nibble::EMPTY {
            if promotes {
                for (quiet, _) in MoveType::PROMOTIONS {
                    list.push(Move::new(from, to, quiet, piece));
                }
            } else {
                list.push(Move::new(from, to, MoveType::Quiet, piece));
            }
            let twice = to.wrapping_add_signed(ahead);
            if from >> 3 == first_row && self.cells.at(twice) == Nibble::EMPTY {
                list.push(Move::new(from, twice, MoveType::DoublePush, piece));
            }
        }
        for &to in PAWN[us as usize][usize::from(from)].numbers() {
            let target = self.cells.at(to);
            if target == Nibble::EMPTY {
                if self.passed() == Some(to) {
                    list.push(Move::new(from, to, MoveType::en_passant(us), piece));
                }
            } else if target.team() != us {
                if promotes {
                    for (_, capture) in MoveType::PROMOTIONS {
                        list.push(Move::new(from, to, capture, piece));
                    }
                } else {
                    list.push(Move::new(from, to, MoveType::Capture, piece));
                }
            }
        }
    }

    /// The king must have the right and an empty way to the rook, and neither its own square nor the one it passes may
    /// be attacked. The square it reaches is examined like that of any other move.
    fn castling_moves(&self, us: Color, king: Nibble, list: &mut List) {
        let from = king_home(us);
        for side in CastlingSide::ALL {
            if self.flags() & flag::may_castle(us, side) == 0 {
                continue;
            }
            let (kind, between, to): (_, &[u8], _) = match side {
                CastlingSide::KingSide => (MoveType::CastleKingSide, &[from + 1, from + 2], from + 2),
                CastlingSide::QueenSide => (MoveType::CastleQueenSide, &[from - 1, from - 2, from - 3], from - 2),
            };
            let is_free = between.iter().all(|&number| self.cells.at(number) == Nibble::EMPTY);
            if is_free && !self.cells.is_attacked(from, !us) && !self.cells.is_attacked(between[0], !us) {
                list.push(Move::new(from, to, kind, king));
            }
        }
    }
}
