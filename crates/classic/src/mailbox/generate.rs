//! Generating moves into the one array that holds those of all plies.
//!
//! The moves are pseudo-legal: whether they leave the king in check is found out by making them. Only castling is
//! examined here, since no later look could tell that the king has passed an attacked square.

use rules::{CastlingSide, Color, Rank, Role, Square};

use super::cells::{ALL_STEPS, Cell, Content, DIAGONAL_STEPS, KNIGHT_STEPS, STRAIGHT_STEPS, forward};
use super::{Mailbox, Move, PLACES, permission};

impl Mailbox {
    /// Generates the moves of the player to move; they are then the [moves of this ply](Mailbox::moves_of).
    pub fn generate(&mut self) {
        self.forget_moves();
        for role in Role::ALL {
            self.generate_role(self.turn, role);
        }
        let ply = self.ply();
        self.start[ply + 1] = self.moves.len();
    }

    /// Generates the moves of the player to move, one kind of piece after the other, until one of them turns out to be
    /// legal.
    pub(super) fn finds_legal_move(&mut self) -> bool {
        let first = self.start[self.ply()];
        let mut is_found = false;
        for role in Role::ALL {
            self.forget_moves();
            self.generate_role(self.turn, role);
            // Making a move needs to know where the next ply's moves begin.
            let (ply, end) = (self.ply(), self.moves.len());
            self.start[ply + 1] = end;
            is_found = (first..end).any(|index| self.is_legal(self.moves[index]));
            if is_found {
                break;
            }
        }
        self.forget_moves();
        is_found
    }

    #[inline]
    fn generate_role(&mut self, us: Color, role: Role) {
        match role {
            Role::Pawn => self.generate_pawns(us),
            Role::Knight => self.generate_steps(us, role, &KNIGHT_STEPS),
            Role::Bishop => self.generate_rays(us, role, &DIAGONAL_STEPS),
            Role::Rook => self.generate_rays(us, role, &STRAIGHT_STEPS),
            Role::Queen => self.generate_rays(us, role, &ALL_STEPS),
            Role::King => {
                self.generate_steps(us, role, &ALL_STEPS);
                CastlingSide::ALL.into_iter().for_each(|side| self.generate_castling(us, side));
            }
        }
    }

    /// Empties the part of the array that belongs to this ply.
    pub(super) fn forget_moves(&mut self) {
        let ply = self.ply();
        let first = self.start[ply];
        self.moves.truncate(first);
        self.scores.truncate(first);
        self.start[ply + 1] = first;
    }

    #[inline]
    fn add_move(&mut self, mv: Move, score: i32) {
        self.moves.push(mv);
        self.scores.push(score);
    }

    #[inline]
    fn add_capture_or_quiet(&mut self, role: Role, from: Cell, to: Cell) {
        let captured = self.cells[to.index()];
        let score = if captured == Content::EMPTY { 0 } else { capture_score(captured.role_or_pawn(), role) };
        self.add_move(Move::new(from, to, captured), score);
    }

    fn generate_pawns(&mut self, us: Color) {
        let ahead = forward(us);
        let pawn = Content::of(Role::Pawn.of(us));
        for place in 0..usize::from(self.count[pawn.index()]) {
            let from = self.list[PLACES * pawn.index() + place];
            let to = from.step(ahead);
            if self.cells[to.index()] == Content::EMPTY {
                self.add_pawn_move(us, Move::new(from, to, Content::EMPTY), 0);
                let twice = to.step(ahead);
                if from.index() / 10 == second_row(us) && self.cells[twice.index()] == Content::EMPTY {
                    self.add_move(Move::new(from, twice, Content::EMPTY).with(Move::PAWN_START), 0);
                }
            }
            for to in [to.step(-1), to.step(1)] {
                let captured = self.cells[to.index()];
                if captured.belongs_to(!us) {
                    let score = capture_score(captured.role_or_pawn(), Role::Pawn);
                    self.add_pawn_move(us, Move::new(from, to, captured), score);
                } else if captured == Content::EMPTY && self.en_passant.map(Cell::of) == Some(to) {
                    let mv = Move::new(from, to, Content::EMPTY).with(Move::EN_PASSANT);
                    self.add_move(mv, capture_score(Role::Pawn, Role::Pawn));
                }
            }
        }
    }

    /// Adds a pawn's move, four times if it reaches the last rank.
    #[inline]
    fn add_pawn_move(&mut self, us: Color, mv: Move, score: i32) {
        if mv.from().index() / 10 == second_row(!us) {
            for role in Role::PROMOTIONS {
                self.add_move(mv.promoting_to(Content::of(role.of(us))), score + super::value(role));
            }
        } else {
            self.add_move(mv, score);
        }
    }

    fn generate_steps(&mut self, us: Color, role: Role, steps: &[i8]) {
        let piece = Content::of(role.of(us));
        for place in 0..usize::from(self.count[piece.index()]) {
            let from = self.list[PLACES * piece.index() + place];
            for &step in steps {
                let to = from.step(step);
                let target = self.cells[to.index()];
                if target == Content::EMPTY || target.belongs_to(!us) {
                    self.add_capture_or_quiet(role, from, to);
                }
            }
        }
    }

    fn generate_rays(&mut self, us: Color, role: Role, steps: &[i8]) {
        let piece = Content::of(role.of(us));
        for place in 0..usize::from(self.count[piece.index()]) {
            let from = self.list[PLACES * piece.index() + place];
            for &step in steps {
                let mut to = from.step(step);
                while self.cells[to.index()] == Content::EMPTY {
                    self.add_move(Move::new(from, to, Content::EMPTY), 0);
                    to = to.step(step);
                }
                if self.cells[to.index()].belongs_to(!us) {
                    self.add_capture_or_quiet(role, from, to);
                }
            }
        }
    }

    /// The king must have the permission and an empty way to the rook, and neither its own square nor the one it
    /// passes may be attacked. The square it reaches is examined like that of any other move.
    fn generate_castling(&mut self, us: Color, side: CastlingSide) {
        if self.castling & permission::bit(us, side) == 0 {
            return;
        }
        let king = Cell::of(Square::new(rules::File::E, us.back_rank()));
        let (between, step): (&[i8], i8) = match side {
            CastlingSide::KingSide => (&[1, 2], 1),
            CastlingSide::QueenSide => (&[-1, -2, -3], -1),
        };
        let is_free = between.iter().all(|&offset| self.cells[king.step(offset).index()] == Content::EMPTY);
        if is_free && !self.is_attacked(king, !us) && !self.is_attacked(king.step(step), !us) {
            self.add_move(Move::new(king, king.step(2 * step), Content::EMPTY).with(Move::CASTLE), 0);
        }
    }
}

/// The row of cells on which a player's pawns start.
const fn second_row(color: Color) -> usize {
    2 + color.relative(Rank::Second) as usize
}

/// The bigger the victim the better, and among equals the smaller the attacker.
const fn capture_score(victim: Role, attacker: Role) -> i32 {
    1_000 + 10 * (victim as i32) - attacker as i32
}
