//! Finding all valid moves. A move is examined as soon as it is created, and kept if it is legal.

use rules::{CastlingSide, Color, File, Rank, Role, Square};

use super::grid::{BISHOP, KING, KNIGHT, Map, QUEEN, ROOK, Value, pawn_captures, pawn_direction};
use super::memory::may_castle;
use super::{CastlingMemory, Legality, MoveMap, Sequence};

/// The stack of moves found so far, and what is known about the position they are found in.
struct Finder<'a, M, L: Legality> {
    board: &'a mut MoveMap<M, L>,
    view: L::View,
    found: Vec<Sequence>,
    wanted: Wanted,
}

/// When the search for moves ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    All,
    One,
}

impl<M: CastlingMemory, L: Legality> MoveMap<M, L> {
    /// All legal moves of the player to move.
    pub fn find_all_valid_moves(&mut self) -> Vec<Sequence> {
        let view = L::look(self);
        let found = Vec::with_capacity(48);
        Finder { board: self, view, found, wanted: Wanted::All }.find()
    }

    /// Whether there is a legal move: the search ends with the first. To try out one or two moves is faster than to
    /// look at the whole position first.
    pub(super) fn finds_valid_move(&mut self) -> bool {
        !Finder { board: self, view: L::UNSEEN, found: Vec::new(), wanted: Wanted::One }.find().is_empty()
    }
}

impl<M: CastlingMemory, L: Legality> Finder<'_, M, L> {
    fn find(mut self) -> Vec<Sequence> {
        let us = self.board.turn;
        for start in Square::ALL {
            let value = self.board.grid.at(start);
            if !value.belongs_to(us) {
                continue;
            }
            match value.piece().map(|piece| piece.role) {
                Some(Role::Pawn) => self.find_pawn_moves(us, start),
                Some(Role::Knight) => self.find_mapped_once(us, start, &KNIGHT),
                Some(Role::Bishop) => self.find_mapped_repeatedly(us, start, &BISHOP),
                Some(Role::Rook) => self.find_mapped_repeatedly(us, start, &ROOK),
                Some(Role::Queen) => self.find_mapped_repeatedly(us, start, &QUEEN),
                Some(Role::King) => {
                    self.find_mapped_once(us, start, &KING);
                    self.find_castles(us);
                }
                None => {}
            }
            if self.has_enough() {
                break;
            }
        }
        self.found
    }

    #[inline]
    fn has_enough(&self) -> bool {
        self.wanted == Wanted::One && !self.found.is_empty()
    }

    /// Adds a move to the stack if it is legal and another is wanted.
    #[inline]
    fn create(&mut self, mut mv: Sequence) {
        if self.has_enough() {
            return;
        }
        self.board.memory.note(&mut mv);
        if L::is_legal(self.board, &mv, self.view) {
            self.found.push(mv);
        }
    }

    fn find_mapped_once(&mut self, us: Color, start: Square, maps: &[Map]) {
        for &(east, north) in maps {
            let Some(end) = start.offset(east, north) else { continue };
            let target = self.board.grid.at(end);
            if !target.belongs_to(us) {
                self.create(Sequence::normal(start, end, target));
            }
        }
    }

    fn find_mapped_repeatedly(&mut self, us: Color, start: Square, maps: &[Map]) {
        for &(east, north) in maps {
            let mut next = start.offset(east, north);
            while let Some(end) = next {
                let target = self.board.grid.at(end);
                if !target.belongs_to(us) {
                    self.create(Sequence::normal(start, end, target));
                }
                next = if target == Value::EMPTY { end.offset(east, north) } else { None };
            }
        }
    }

    fn find_pawn_moves(&mut self, us: Color, start: Square) {
        let north = pawn_direction(us);
        if let Some(ahead) = start.offset(0, north).filter(|&ahead| self.is_empty(ahead)) {
            self.create_pawn_move(us, start, ahead);
            if self.board.memory.may_step_twice(start, us)
                && let Some(twice) = ahead.offset(0, north).filter(|&twice| self.is_empty(twice))
            {
                self.create(Sequence::normal(start, twice, Value::EMPTY));
            }
        }
        for (east, north) in pawn_captures(us) {
            let Some(end) = start.offset(east, north) else { continue };
            if self.board.grid.at(end).belongs_to(!us) {
                self.create_pawn_move(us, start, end);
            } else if self.board.passed() == Some(end) {
                self.create(Sequence::en_passant(start, end));
            }
        }
    }

    fn is_empty(&self, square: Square) -> bool {
        self.board.grid.at(square) == Value::EMPTY
    }

    /// A pawn's move by one square or its capture, four times if it reaches the last rank.
    fn create_pawn_move(&mut self, us: Color, start: Square, end: Square) {
        let captured = self.board.grid.at(end);
        if end.rank() == us.relative(Rank::Eighth) {
            for role in Role::PROMOTIONS {
                self.create(Sequence::promotion(start, end, captured, role));
            }
        } else {
            self.create(Sequence::normal(start, end, captured));
        }
    }

    /// The king castles neither out of check nor through it. That it does not castle into it, is examined like for any
    /// other move.
    fn find_castles(&mut self, us: Color) {
        for side in CastlingSide::ALL {
            if !may_castle(&self.board.memory, &self.board.grid, us, side) {
                continue;
            }
            let (between, passed): (&[File], File) = match side {
                CastlingSide::KingSide => (&[File::F, File::G], File::F),
                CastlingSide::QueenSide => (&[File::D, File::C, File::B], File::D),
            };
            let on = |file: File| Square::new(file, us.back_rank());
            if between.iter().all(|&file| self.is_empty(on(file)))
                && !L::is_attacked(self.board, on(File::E), !us)
                && !L::is_attacked(self.board, on(passed), !us)
            {
                self.create(Sequence::castle(us, side));
            }
        }
    }
}
