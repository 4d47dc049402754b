//! Move maps: eight by eight integers, and pieces that are nothing but sets of steps.
//!
//! # Why it was done so
//!
//! This is the board that someone writes who starts from the game and not from the machine, and everything can be seen
//! on it. The board is a table of eight rows and eight columns. A *move map* is a pair of numbers, so many files over
//! and so many ranks up; a piece is a set of maps. A knight has eight and applies each of them once, a bishop has four
//! and applies each until it leaves the board or meets something. Two functions that differ in one loop make the moves
//! of all pieces but the pawn. Adding a piece that leaps like a knight and slides like a rook would take a line.
//!
//! The second idea is that the maps can be read backwards. Is the king in check? Let it *pretend*: if the king, moving
//! like a knight, could take a knight, then that knight could take the king. The same maps that make the moves answer
//! the question, for one type of piece after the other.
//!
//! The third is that there is only one board. A move is a [sequence of seven integers](Sequence) that holds all that is
//! needed to apply it and to revert it, so nothing is ever copied.
//!
//! # What it costs
//!
//! Each step asks whether it is still on the board. Each position asks all 64 squares whether they hold a piece to
//! move. Above all, each move is applied, examined and reverted before it is even put on the list: the examination
//! looks from the king along eight lines as a queen, along four as a rook and four as a bishop, so that every line is
//! walked twice, and then as knight, pawn and king. The author measured that it takes up to 70 % of the time. And
//! `moved[8][8]`, a flag for each square that says whether what stands there has moved, is carried along with every
//! move although it matters for twenty-two squares at most.
//!
//! # What its author wished for
//!
//! Castling rights instead of `moved`, and a faster way to examine moves. Both are here, as the two parameters of
//! [`MoveMap`], so that each can be had without the other and it can be measured what each of them gains:
//!
//! | | examine by [`Pretend`] | examine by [`Lines`] |
//! |---|---|---|
//! | remember with [`Moved`] | [`Original`] | [`WithLines`] |
//! | remember with [`Rights`] | [`WithRights`] | [`AsWished`] |
//!
//! Counting the tree of the start position, the rights make the board a tenth faster, the examination by lines almost
//! three times as fast, both together a little more than three times. So the author's measurement was right, since a
//! program that spends 70 % of its time on one thing can become at most 3.3 times as fast by not doing it; and it shows
//! which of the two wishes was worth having. Nor does the gain come from examining faster. A first attempt looked along
//! each line once and skipped the moves of pieces that stand on no line with the king, and gained less than a third.
//! The rest came from finding the shields first, after which hardly any move needs to be examined at all.
//!
//! # What the bitboard does instead
//!
//! It goes one step further in the direction of [`Lines`]: it works out which pieces are pinned and where a check can
//! be parried, and then generates only moves that are legal, a whole set of target squares at a time. And its maps are
//! tables by square, so that the edge need not be asked for. See [`crate::bitboard`].
//!
//! # What we made of the document
//!
//! * It says that `moved` is one by default and zero for pieces out of place, so one means *has not moved*. We keep the
//!   numbers and say so.
//! * The numbers of piece types, colours and types of moves are not given, nor is the numbering of squares: see
//!   [`Value`] and [`Sequence`].
//! * A promotion has no place for the pawn's own flag. It is not needed: a pawn that promotes has moved.
//! * How en passant is known is not said. Here it is seen from the last move made, or from the position that was set
//!   up.
//! * It has no position key; ours is computed from the squares when asked for. The flags of `moved` enter it as the
//!   castling rights that follow from them, and en passant only if a pawn may legally do so, as in the rules of
//!   repetition.

mod generate;
mod grid;
mod inspect;
mod key;
mod legality;
mod memory;
mod sequence;

use std::marker::PhantomData;
use std::ops::ControlFlow;

use rules::{Bitboard, ByColor, Color, Role, Setup, Square};

use crate::standard::{CASTLES, rook_home};
use crate::{Board, IllegalMove, PlayedMove, StandardSetup, UciMove};
use grid::{Grid, pawn_captures, pawn_direction};
use memory::may_castle;

pub use grid::{BISHOP, KING, KNIGHT, Map, QUEEN, ROOK, Value};
pub use legality::{Legality, Lines, Pretend, View};
pub use memory::{CastlingMemory, Moved, Rights};
pub use sequence::{MoveType, Sequence};

/// The board as the document has it.
pub type Original = MoveMap<Moved, Pretend>;
/// The board with the first wish granted: castling rights.
pub type WithRights = MoveMap<Rights, Pretend>;
/// The board with the second wish granted: a faster examination of moves.
pub type WithLines = MoveMap<Moved, Lines>;
/// The board with both wishes granted.
pub type AsWished = MoveMap<Rights, Lines>;

/// The board of move maps, with a way to remember what has moved and a way to examine moves.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveMap<M, L> {
    grid: Grid,
    kings: ByColor<Square>,
    memory: M,
    turn: Color,
    /// Moves since the last capture or pawn move.
    clock: u16,
    played: Vec<Played>,
    start: Start,
    legality: PhantomData<L>,
}

/// A move that was made, with the count of reversible moves before it, which the seven integers have no room for.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Played {
    mv: Sequence,
    clock: u16,
}

/// What the position the board was set up with said, as far as it is needed later.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Start {
    passed: Option<Square>,
    turn: Color,
    number: u16,
}

impl<M: CastlingMemory, L: Legality> MoveMap<M, L> {
    /// What stands on a square, as the board's integer.
    pub fn value_at(&self, square: Square) -> Value {
        self.grid.at(square)
    }

    /// What the board remembers about moves.
    pub fn memory(&self) -> &M {
        &self.memory
    }

    /// The moves made and not taken back.
    pub fn sequences(&self) -> impl Iterator<Item = Sequence> {
        self.played.iter().map(|played| played.mv)
    }

    /// The square that a pawn has just passed by going two squares.
    fn passed(&self) -> Option<Square> {
        let Some(Played { mv, .. }) = self.played.last() else { return self.start.passed };
        let (start, end) = (mv.start(), mv.end());
        let is_double = mv.kind() == MoveType::Normal
            && self.grid.at(end) == Value::of(Role::Pawn.of(!self.turn))
            && (end.rank() as i8 - start.rank() as i8).abs() == 2;
        if is_double { start.offset(0, pawn_direction(!self.turn)) } else { None }
    }

    /// Makes a move. It need not be legal, but must be reverted then.
    fn apply(&mut self, mv: Sequence) {
        let (start, end) = (mv.start(), mv.end());
        let mover = self.grid.at(start);
        let is_irreversible = mover == Value::of(Role::Pawn.of(self.turn)) || mv.captured() != Value::EMPTY;
        self.played.push(Played { mv, clock: self.clock });
        self.clock = if is_irreversible { 0 } else { self.clock.saturating_add(1) };
        self.grid.set(start, Value::EMPTY);
        self.grid.set(end, mv.promotion_role().map_or(mover, |role| Value::of(role.of(self.turn))));
        match mv.kind() {
            MoveType::Normal | MoveType::Promotion => {}
            MoveType::Castle => {
                let (rook_start, rook_end) = mv.rook();
                self.grid.set(rook_end, self.grid.at(rook_start));
                self.grid.set(rook_start, Value::EMPTY);
            }
            MoveType::EnPassant => self.grid.set(mv.captured_square(), Value::EMPTY),
        }
        if start == self.kings[self.turn] {
            self.kings[self.turn] = end;
        }
        self.memory.apply(&mv);
        self.turn = !self.turn;
    }

    /// Takes the last move back.
    fn revert(&mut self) -> Option<Sequence> {
        let Played { mv, clock } = self.played.pop()?;
        let (start, end) = (mv.start(), mv.end());
        self.turn = !self.turn;
        self.clock = clock;
        self.memory.revert(&mv);
        if end == self.kings[self.turn] {
            self.kings[self.turn] = start;
        }
        let pawn = |color: Color| Value::of(Role::Pawn.of(color));
        match mv.kind() {
            MoveType::Normal => self.grid.set(start, self.grid.at(end)),
            MoveType::Promotion => self.grid.set(start, pawn(self.turn)),
            MoveType::EnPassant => {
                self.grid.set(start, pawn(self.turn));
                self.grid.set(mv.captured_square(), pawn(!self.turn));
            }
            MoveType::Castle => {
                let (rook_start, rook_end) = mv.rook();
                self.grid.set(rook_start, self.grid.at(rook_end));
                self.grid.set(rook_end, Value::EMPTY);
                self.grid.set(start, self.grid.at(end));
            }
        }
        self.grid.set(end, mv.captured());
        Some(mv)
    }

    /// The square passed by a pawn, if another may legally take it there.
    fn usable_passed(&self) -> Option<Square> {
        let (us, end) = (self.turn, self.passed()?);
        pawn_captures(!us)
            .into_iter()
            .filter_map(|(east, north)| end.offset(east, north))
            .filter(|&start| self.grid.at(start) == Value::of(Role::Pawn.of(us)))
            .any(|start| {
                let mut after = self.grid;
                after.set(start, Value::EMPTY);
                after.set(end, Value::of(Role::Pawn.of(us)));
                after.set(Sequence::en_passant(start, end).captured_square(), Value::EMPTY);
                after.attackers(self.kings[us], !us).is_empty()
            })
            .then_some(end)
    }
}

impl<M: CastlingMemory, L: Legality> Board for MoveMap<M, L> {
    fn from_standard(start: &StandardSetup) -> MoveMap<M, L> {
        let setup = start.setup();
        let mut grid = Grid::EMPTY;
        let mut kings = ByColor { white: Square::E1, black: Square::E8 };
        for square in Square::ALL {
            if let Some(piece) = setup.pieces[square.index()] {
                grid.set(square, Value::of(piece));
                if piece.role == Role::King {
                    kings[piece.color] = square;
                }
            }
        }
        MoveMap {
            grid,
            kings,
            memory: M::of(start),
            turn: setup.turn,
            played: Vec::new(),
            clock: setup.halfmove_clock,
            start: Start { passed: setup.en_passant, turn: setup.turn, number: setup.fullmove_number },
            legality: PhantomData,
        }
    }

    fn setup(&self) -> Setup {
        let rooks = CASTLES.into_iter().filter(|&(color, side)| may_castle(&self.memory, &self.grid, color, side));
        let moves = (self.played.len() + self.start.turn as usize) / 2;
        Setup {
            pieces: std::array::from_fn(|index| self.grid.at(Square::ALL[index]).piece()),
            turn: self.turn,
            castling: rooks.map(|(color, side)| rook_home(color, side)).collect(),
            en_passant: self.passed(),
            halfmove_clock: self.clock,
            fullmove_number: self.start.number.saturating_add(u16::try_from(moves).unwrap_or(u16::MAX)),
        }
    }

    fn turn(&self) -> Color {
        self.turn
    }

    fn king(&self, color: Color) -> Square {
        self.kings[color]
    }

    fn attackers(&self, square: Square, by: Color) -> Bitboard {
        self.grid.attackers(square, by)
    }

    fn key(&self) -> u64 {
        let mut key = 0;
        self.each_key_term(|term| key ^= term.number());
        key
    }

    fn last_move(&self) -> Option<PlayedMove> {
        self.played.last().map(|played| played.mv.played())
    }

    fn make(&mut self, mv: UciMove) -> Result<(), IllegalMove> {
        let found = self.find_all_valid_moves().into_iter().find(|own| own.plain() == mv);
        self.apply(found.ok_or(IllegalMove(mv))?);
        Ok(())
    }

    fn unmake(&mut self) -> Option<UciMove> {
        self.revert().map(|mv| mv.plain())
    }

    fn visit_moves(&mut self, mut visit: impl FnMut(&mut Self) -> ControlFlow<()>) -> ControlFlow<()> {
        for mv in self.find_all_valid_moves() {
            self.apply(mv);
            let flow = visit(self);
            self.revert();
            flow?;
        }
        ControlFlow::Continue(())
    }

    fn legal_move_count(&mut self) -> u64 {
        self.find_all_valid_moves().len() as u64
    }

    fn has_legal_move(&mut self) -> bool {
        self.finds_valid_move()
    }

    fn is_check(&self) -> bool {
        L::is_attacked(self, self.kings[self.turn], !self.turn)
    }
}
