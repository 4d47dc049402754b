//! The packed board: sixty-four cells of four bits, and one word of history for each move.
//!
//! # Why it was done so
//!
//! Thirteen things can be on a square, and four bits can tell sixteen apart. So a whole board fits into 32 bytes, half
//! a cache line: small enough to be copied, compared or sent over a wire without a thought. The kind of piece is in the
//! upper three bits and the team in the lowest, so that `nibble & 1` answers "whose is it?" and `nibble >> 1` "what is
//! it?". Squares are numbered in the order in which a board is printed, and in which FEN lists it:
//!
//! ```text
//!    0  1  2  3  4  5  6  7     a8 … h8
//!    8  9 10 11 12 13 14 15
//!    ⋮
//!   56 57 58 59 60 61 62 63     a1 … h1
//! ```
//!
//! A move takes 20 bits ([layout](Move)), and its type says all that is special about it. With the captured piece and
//! eight flags about castling it becomes the 32-bit [history word](HistoryWord). The history is a stack of such words,
//! and the top one carries everything that the cells do not show:
//!
//! * whose turn it is: not the team that moved last,
//! * what may be taken en passant: the pawn, if the last move was a double push,
//! * who may castle: the flags.
//!
//! So the state of the game is 32 bytes and one word, and taking a move back is putting the pieces back and popping
//! the stack. Nothing is kept twice, and nothing can disagree.
//!
//! # What it costs
//!
//! Nothing is kept twice, so everything must be found out again. Reading a cell is a shift and a mask, writing one a
//! read, two masks and a write. Where the king is, is written nowhere: it has to be searched. (A word of sixteen
//! nibbles can be searched at once by the trick of subtracting one from each and looking where it borrows; in the same
//! way one finds a team's pieces without looking at empty cells. That is a bitboard trying to get out.) As in the
//! [mailbox](crate::mailbox), moves are generated without regard to checks, made, examined and taken back; and rays are
//! walked step by step, with a table that tells how many steps there are to the edge.
//!
//! The document's program needed 1,045 seconds for the 119,060,324 leaves at depth six. That is the price of a script
//! engine and of other decisions, not of the encoding, as the same encoding here shows.
//!
//! # What the bitboard does instead
//!
//! It spends more memory, a word for each kind of piece, and gets sets for it: the nibbles of one square are spread
//! over several words, each of which can be asked about all squares at once. See [`crate::bitboard`].
//!
//! # What we made of the document
//!
//! * It speaks of sixty cells; there are sixty-four. Its starting position has rooks where pawns should be and twelve
//!   rows; we keep to the bit patterns. Its count at depth seven is wrong, as it suspects itself.
//! * It does not say in which order cells lie in memory. Here cell 0 is in the lowest bits of the first of four words.
//! * The flags are called `wc`, `wcm`, `wckc`, `wcqc` and so on, without explanation. We read: has castled, king has
//!   moved, may castle king side, may castle queen side. A history word holds the flags that are true after its move,
//!   so the top word is always the present.
//! * How en passant is known it does not say; the type "double push" is of use for nothing else, so it must be this.
//!   A board that was set up begins with a word of its own: the double push that its en-passant square tells of, or a
//!   move of nothing by the team that is not to move.
//! * It has no position key. Ours is computed from the four words when it is asked for, which suits a board that keeps
//!   nothing twice. En passant is part of it only if a pawn may legally do so, as in the rules of repetition.
//! * It has no move counters; they are counted from the history.

mod cells;
mod generate;
mod inspect;
mod rays;
mod words;

use std::ops::ControlFlow;

use rules::{Bitboard, CastlingSide, Color, Role, Setup, Square};

use crate::random::number;
use crate::standard::{CASTLES, rook_home};
use crate::{Board, IllegalMove, PlayedMove, StandardSetup, UciMove};
use cells::{Cells, square_of};
use rays::PAWN;

pub use cells::{Nibble, number_of};
pub use words::{HistoryWord, Move, MoveType, flag};

/// The packed board.
#[derive(Clone, PartialEq, Debug)]
pub struct Packed {
    cells: Cells,
    /// The words of the moves made.
    history: Vec<HistoryWord>,
    /// The word below them all, for the position the board was set up with.
    first: HistoryWord,
    /// What the position the board was set up with said.
    first_clock: u16,
    first_number: u16,
}

/// The number of the square on which a player's king starts.
const fn king_home(color: Color) -> u8 {
    match color {
        Color::White => number_of(Square::E1),
        Color::Black => number_of(Square::E8),
    }
}

/// For each square, the flags that remain when something leaves or enters it.
static REMAINING: [u32; 64] = {
    let mut table = [flag::ALL; 64];
    table[number_of(Square::A1) as usize] -= flag::WHITE_QUEEN_SIDE;
    table[number_of(Square::H1) as usize] -= flag::WHITE_KING_SIDE;
    table[number_of(Square::E1) as usize] -= flag::WHITE_QUEEN_SIDE + flag::WHITE_KING_SIDE;
    table[number_of(Square::A8) as usize] -= flag::BLACK_QUEEN_SIDE;
    table[number_of(Square::H8) as usize] -= flag::BLACK_KING_SIDE;
    table[number_of(Square::E8) as usize] -= flag::BLACK_QUEEN_SIDE + flag::BLACK_KING_SIDE;
    table
};

/// Where the rook goes from and to when a king castles.
const fn rook_squares(king_to: u8, side: CastlingSide) -> (u8, u8) {
    match side {
        CastlingSide::KingSide => (king_to + 1, king_to - 1),
        CastlingSide::QueenSide => (king_to - 2, king_to + 1),
    }
}

/// Where the pawn stands that a move takes en passant: in the row it leaves and the column it reaches.
const fn taken_in_passing(mv: Move) -> u8 {
    mv.from() & 0b111_000 | mv.to() & 0b000_111
}

impl Packed {
    /// The four words of cells, cell 0 in the lowest bits of the first.
    pub fn words(&self) -> [u64; 4] {
        self.cells.words()
    }

    /// The history word of the last move, or of the position the board was set up with.
    #[inline]
    pub fn top(&self) -> HistoryWord {
        self.history.last().copied().unwrap_or(self.first)
    }

    /// The flags that hold now.
    #[inline]
    pub fn flags(&self) -> u32 {
        self.top().flags()
    }

    /// The team that did not move last.
    #[inline]
    fn side(&self) -> Color {
        !self.top().mv().piece().team()
    }

    /// The square that the last move passed by a double push.
    #[inline]
    fn passed(&self) -> Option<u8> {
        let mv = self.top().mv();
        (mv.kind() == MoveType::DoublePush).then(|| (mv.from() + mv.to()) / 2)
    }

    /// The cells change as the move says. What was taken is told.
    #[inline]
    fn change_cells(cells: &mut Cells, mv: Move) -> Nibble {
        let (from, to, kind) = (mv.from(), mv.to(), mv.kind());
        let mut captured = cells.at(to);
        if kind.is_en_passant() {
            captured = cells.at(taken_in_passing(mv));
            cells.set(taken_in_passing(mv), Nibble::EMPTY);
        }
        cells.set(from, Nibble::EMPTY);
        cells.set(to, kind.promotion().map_or(mv.piece(), |role| Nibble::of(role.of(mv.piece().team()))));
        if let Some(side) = kind.side() {
            let (rook_from, rook_to) = rook_squares(to, side);
            cells.set(rook_to, cells.at(rook_from));
            cells.set(rook_from, Nibble::EMPTY);
        }
        captured
    }

    #[inline]
    fn push(&mut self, mv: Move) {
        let us = mv.piece().team();
        let mut flags = self.flags() & REMAINING[usize::from(mv.from())] & REMAINING[usize::from(mv.to())];
        if mv.piece().is(Role::King, us) {
            flags |= flag::king_moved(us);
            if mv.kind().side().is_some() {
                flags |= flag::castled(us);
            }
        }
        let captured = Packed::change_cells(&mut self.cells, mv);
        self.history.push(HistoryWord::new(mv, captured, flags));
    }

    #[inline]
    fn pop(&mut self) -> Option<Move> {
        let word = self.history.pop()?;
        let mv = word.mv();
        let (from, to, kind) = (mv.from(), mv.to(), mv.kind());
        if let Some(side) = kind.side() {
            let (rook_from, rook_to) = rook_squares(to, side);
            self.cells.set(rook_from, self.cells.at(rook_to));
            self.cells.set(rook_to, Nibble::EMPTY);
        }
        self.cells.set(from, mv.piece());
        if kind.is_en_passant() {
            self.cells.set(to, Nibble::EMPTY);
            self.cells.set(taken_in_passing(mv), word.captured());
        } else {
            self.cells.set(to, word.captured());
        }
        Some(mv)
    }

    fn king_number(&self, color: Color) -> u8 {
        self.cells.king(color).expect("both players always have a king")
    }

    /// Makes a pseudo-legal move. If it leaves the own king in check it is taken back at once, and the answer is false.
    #[inline]
    fn try_push(&mut self, mv: Move) -> bool {
        let us = mv.piece().team();
        self.push(mv);
        let is_legal = !self.cells.is_attacked(self.king_number(us), !us);
        if !is_legal {
            self.pop();
        }
        is_legal
    }

    /// The square passed by a double push, if a pawn may legally take there.
    fn usable_passed(&self) -> Option<u8> {
        let (us, to) = (self.side(), self.passed()?);
        // A pawn attacks the square from where a pawn of the other team on it would attack.
        PAWN[!us as usize][usize::from(to)]
            .numbers()
            .iter()
            .filter(|&&from| self.cells.at(from).is(Role::Pawn, us))
            .any(|&from| {
                let mut after = self.cells;
                Packed::change_cells(&mut after, Move::new(from, to, MoveType::en_passant(us), self.cells.at(from)));
                after.king(us).is_some_and(|king| !after.is_attacked(king, !us))
            })
            .then_some(to)
    }

    /// What the key is made of: rights, en passant and side in one word, then the cells.
    fn key_words(&self) -> [u64; 5] {
        let rights = self.flags() & flag::RIGHTS;
        let passed = self.usable_passed().map_or(64, u64::from);
        let [first, second, third, fourth] = self.words();
        [u64::from(rights) | passed << 8 | self.side() as u64, first, second, third, fourth]
    }

    /// Moves since the last capture or pawn move, from the history.
    fn clock(&self) -> u16 {
        let is_reversible =
            |word: &&HistoryWord| word.captured() == Nibble::EMPTY && word.mv().piece().role() != Some(Role::Pawn);
        let reversible = self.history.iter().rev().take_while(is_reversible).count();
        let reversible_plies = u16::try_from(reversible).unwrap_or(u16::MAX);
        if reversible == self.history.len() {
            self.first_clock.saturating_add(reversible_plies)
        } else {
            reversible_plies
        }
    }
}

/// The word at the bottom of the history: what the last move must have been, as far as the set-up tells.
fn first_word(start: &StandardSetup) -> HistoryWord {
    let setup = start.setup();
    let them = !setup.turn;
    let mv = match setup.en_passant.map(number_of) {
        Some(passed) => {
            let (from, to) = match them {
                Color::White => (passed + 8, passed - 8),
                Color::Black => (passed - 8, passed + 8),
            };
            Move::new(from, to, MoveType::DoublePush, Nibble::of(Role::Pawn.of(them)))
        }
        None => Move::new(0, 0, MoveType::Quiet, Nibble::nothing_of(them)),
    };
    let mut flags = 0;
    for (color, side) in CASTLES {
        if start.may_castle(color, side) {
            flags |= flag::may_castle(color, side);
        }
        let home = square_of(king_home(color));
        if setup.pieces[home.index()] != Some(Role::King.of(color)) {
            flags |= flag::king_moved(color);
        }
    }
    HistoryWord::new(mv, Nibble::EMPTY, flags)
}

impl Board for Packed {
    fn from_standard(start: &StandardSetup) -> Packed {
        let setup = start.setup();
        let mut cells = Cells::EMPTY;
        for square in Square::ALL {
            if let Some(piece) = setup.pieces[square.index()] {
                cells.set(number_of(square), Nibble::of(piece));
            }
        }
        Packed {
            cells,
            history: Vec::new(),
            first: first_word(start),
            first_clock: setup.halfmove_clock,
            first_number: setup.fullmove_number,
        }
    }

    fn setup(&self) -> Setup {
        let rooks = CASTLES.into_iter().filter(|&(color, side)| self.flags() & flag::may_castle(color, side) != 0);
        let first_turn = !self.first.mv().piece().team();
        let moves = (self.history.len() + first_turn as usize) / 2;
        Setup {
            pieces: std::array::from_fn(|index| self.cells.at(number_of(Square::ALL[index])).piece()),
            turn: self.side(),
            castling: rooks.map(|(color, side)| rook_home(color, side)).collect(),
            en_passant: self.passed().map(square_of),
            halfmove_clock: self.clock(),
            fullmove_number: self.first_number.saturating_add(u16::try_from(moves).unwrap_or(u16::MAX)),
        }
    }

    fn turn(&self) -> Color {
        self.side()
    }

    fn king(&self, color: Color) -> Square {
        square_of(self.king_number(color))
    }

    fn attackers(&self, square: Square, by: Color) -> Bitboard {
        self.cells.attackers(number_of(square), by)
    }

    fn key(&self) -> u64 {
        // Each word is stirred before the next is added, so that their order matters.
        self.key_words().into_iter().fold(0, |key, word| number(key ^ word))
    }

    fn last_move(&self) -> Option<PlayedMove> {
        self.history.last().map(|word| word.played())
    }

    fn make(&mut self, mv: UciMove) -> Result<(), IllegalMove> {
        let found = self.pseudo_legal().moves().iter().copied().find(|own| own.plain() == mv);
        match found {
            Some(own) if self.try_push(own) => Ok(()),
            _ => Err(IllegalMove(mv)),
        }
    }

    fn unmake(&mut self) -> Option<UciMove> {
        self.pop().map(Move::plain)
    }

    fn visit_moves(&mut self, mut visit: impl FnMut(&mut Self) -> ControlFlow<()>) -> ControlFlow<()> {
        let list = self.pseudo_legal();
        for &mv in list.moves() {
            if self.try_push(mv) {
                let flow = visit(self);
                self.pop();
                flow?;
            }
        }
        ControlFlow::Continue(())
    }

    fn is_check(&self) -> bool {
        let us = self.side();
        self.cells.is_attacked(self.king_number(us), !us)
    }

    fn has_legal_move(&mut self) -> bool {
        self.finds_legal_move()
    }
}
