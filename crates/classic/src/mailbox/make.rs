//! Making a move and taking it back, and the three things that happen to a piece on the way.

use rules::{CastlingSide, Color, File, Role, Square};

use super::cells::{Cell, Content, forward};
use super::watch::{KeyNumber, ListChange, Watcher};
use super::{Mailbox, Move, PLACES, UndoRecord, keys, permission, value};

/// For each cell, the castling permission that is left when something leaves or enters it.
const REMAINING: [u8; Cell::COUNT] = {
    let mut table = [15; Cell::COUNT];
    let mut index = 0;
    while index < 2 {
        let color = Color::ALL[index];
        let (king_side, queen_side) =
            (permission::bit(color, CastlingSide::KingSide), permission::bit(color, CastlingSide::QueenSide));
        let rank = color.back_rank();
        table[Cell::of(Square::new(File::A, rank)).index()] = 15 - queen_side;
        table[Cell::of(Square::new(File::E, rank)).index()] = 15 - queen_side - king_side;
        table[Cell::of(Square::new(File::H, rank)).index()] = 15 - king_side;
        index += 1;
    }
    table
};

/// Where the rook goes from and to when a king castles.
fn rook_cells(king_to: Cell, side: CastlingSide) -> (Cell, Cell) {
    match side {
        CastlingSide::KingSide => (king_to.step(1), king_to.step(-1)),
        CastlingSide::QueenSide => (king_to.step(-2), king_to.step(1)),
    }
}

impl Mailbox {
    /// Puts a piece on an empty cell.
    #[inline]
    pub(super) fn add_piece(&mut self, cell: Cell, piece: Content, watcher: &mut impl Watcher) {
        self.key ^= keys::piece(piece, cell);
        watcher.put_in(KeyNumber::Piece(piece, cell));
        self.cells[cell.index()] = piece;
        let place = PLACES * piece.index() + usize::from(self.count[piece.index()]);
        self.list[place] = cell;
        self.count[piece.index()] += 1;
        watcher.listed(piece, ListChange::Added { place, cell });
        self.count_material(piece, 1);
    }

    /// Takes a piece off the board. In its list it changes places with the last of its kind, which is then forgotten.
    #[inline]
    pub(super) fn clear_piece(&mut self, cell: Cell, watcher: &mut impl Watcher) {
        let piece = self.cells[cell.index()];
        self.key ^= keys::piece(piece, cell);
        watcher.taken_out(KeyNumber::Piece(piece, cell));
        self.cells[cell.index()] = Content::EMPTY;
        self.count_material(piece, -1);
        let place = self.place_in_list(piece, cell);
        self.count[piece.index()] -= 1;
        let last_place = PLACES * piece.index() + usize::from(self.count[piece.index()]);
        watcher.listed(piece, ListChange::Removed { place, cell, last_place, last_cell: self.list[last_place] });
        self.list.swap(place, last_place);
    }

    /// Moves a piece to an empty cell. In its list it stays where it is.
    #[inline]
    pub(super) fn move_piece(&mut self, from: Cell, to: Cell, watcher: &mut impl Watcher) {
        let piece = self.cells[from.index()];
        self.key ^= keys::piece(piece, from) ^ keys::piece(piece, to);
        watcher.taken_out(KeyNumber::Piece(piece, from));
        watcher.put_in(KeyNumber::Piece(piece, to));
        self.cells[from.index()] = Content::EMPTY;
        self.cells[to.index()] = piece;
        let place = self.place_in_list(piece, from);
        self.list[place] = to;
        watcher.listed(piece, ListChange::Moved { place, from, to });
    }

    #[inline]
    fn place_in_list(&self, piece: Content, cell: Cell) -> usize {
        let first = PLACES * piece.index();
        let used = &self.list[first..first + usize::from(self.count[piece.index()])];
        first + used.iter().position(|&listed| listed == cell).expect("every piece on the board is in its list")
    }

    #[inline]
    fn count_material(&mut self, content: Content, sign: i32) {
        let color = if content.belongs_to(Color::White) { Color::White } else { Color::Black };
        self.material[color as usize] += sign * value(content.role_or_pawn());
    }

    /// Makes a move that was generated for this position. If it leaves the own king in check it is taken back at once,
    /// and the answer is false.
    #[inline]
    pub(crate) fn make_move(&mut self, mv: Move) -> bool {
        self.make_move_watched(mv, &mut ())
    }

    /// The same, with all that happens told.
    #[inline]
    pub(super) fn make_move_watched(&mut self, mv: Move, watcher: &mut impl Watcher) -> bool {
        let us = self.turn;
        let (from, to) = (mv.from(), mv.to());
        self.history.push(UndoRecord {
            mv,
            key: self.key,
            en_passant: self.en_passant,
            fifty: self.fifty,
            castling: self.castling,
        });

        self.key ^= keys::en_passant(self.en_passant) ^ keys::castling(self.castling);
        watcher.taken_out(KeyNumber::EnPassant(self.en_passant));
        watcher.taken_out(KeyNumber::Castling(self.castling));
        self.castling &= REMAINING[from.index()] & REMAINING[to.index()];
        self.en_passant = mv.is_pawn_start().then(|| from.step(forward(us)).inner_square());
        self.key ^= keys::en_passant(self.en_passant) ^ keys::castling(self.castling);
        watcher.put_in(KeyNumber::EnPassant(self.en_passant));
        watcher.put_in(KeyNumber::Castling(self.castling));

        self.fifty = self.fifty.saturating_add(1);
        if mv.is_en_passant() {
            self.clear_piece(to.step(-forward(us)), watcher);
        } else if mv.captured() != Content::EMPTY {
            self.clear_piece(to, watcher);
            self.fifty = 0;
        }
        if self.cells[from.index()] == Content::of(Role::Pawn.of(us)) {
            self.fifty = 0;
        }
        self.move_piece(from, to, watcher);
        if mv.promoted() != Content::EMPTY {
            self.clear_piece(to, watcher);
            self.add_piece(to, mv.promoted(), watcher);
        }
        if let Some(side) = mv.side() {
            let (rook_from, rook_to) = rook_cells(to, side);
            self.move_piece(rook_from, rook_to, watcher);
        }

        self.turn = !us;
        self.key ^= keys::side(us) ^ keys::side(!us);
        match us {
            Color::White => watcher.taken_out(KeyNumber::WhiteToMove),
            Color::Black => watcher.put_in(KeyNumber::WhiteToMove),
        }
        self.start.push(self.start[self.history.len()]);
        if self.is_attacked(self.king_cell(us), !us) {
            self.take_back();
            return false;
        }
        true
    }

    /// Whether a move that was generated for this position leaves the own king safe.
    pub(crate) fn is_legal(&mut self, mv: Move) -> bool {
        let is_legal = self.make_move(mv);
        if is_legal {
            self.take_back();
        }
        is_legal
    }

    /// Takes back the last move, if there is one.
    ///
    /// A piece that comes back goes to the end of its list, wherever it was before: the order within the lists is the
    /// one thing that is not restored.
    #[inline]
    pub(crate) fn take_back(&mut self) {
        let Some(record) = self.history.pop() else { return };
        self.start.pop();
        let mv = record.mv;
        let (from, to) = (mv.from(), mv.to());
        let us = !self.turn;
        self.turn = us;
        if let Some(side) = mv.side() {
            let (rook_from, rook_to) = rook_cells(to, side);
            self.move_piece(rook_to, rook_from, &mut ());
        }
        if mv.promoted() != Content::EMPTY {
            self.clear_piece(to, &mut ());
            self.add_piece(to, Content::of(Role::Pawn.of(us)), &mut ());
        }
        self.move_piece(to, from, &mut ());
        if mv.is_en_passant() {
            self.add_piece(to.step(-forward(us)), Content::of(Role::Pawn.of(!us)), &mut ());
        } else if mv.captured() != Content::EMPTY {
            self.add_piece(to, mv.captured(), &mut ());
        }
        self.key = record.key;
        self.en_passant = record.en_passant;
        self.fifty = record.fifty;
        self.castling = record.castling;
    }
}
