//! The mailbox: a board of 120 cells with a rim, and a list of where the pieces are.
//!
//! # Why it was done so
//!
//! The obvious board is an array of 64 squares, and the obvious trouble with it is the edge: a knight on `h4` that goes
//! "two right, one up" in an array arrives on `b6`. Asking every step whether it stays on the board is slow. The
//! mailbox lays the board into a frame, ten cells wide and twelve high, and writes "rim" into the frame:
//!
//! ```text
//!   110  ·   ·   ·   ·   ·   ·   ·   ·  119
//!   100  ·   ·   ·   ·   ·   ·   ·   ·  109
//!    90  a8  b8  c8  d8  e8  f8  g8  h8  99       a step north is +10, east +1,
//!    80  a7  b7  c7  d7  e7  f7  g7  h7  89       north-east +11; a knight's jump
//!     ⋮                                   ⋮       north-north-east is +21
//!    20  a1  b1  c1  d1  e1  f1  g1  h1  29
//!    10  ·   ·   ·   ·   ·   ·   ·   ·   19
//!     0  ·   ·   ·   ·   ·   ·   ·   ·   9
//! ```
//!
//! Now a step is one addition, and a step off the board finds the rim in the cell, just as it would find a
//! piece there: the look at the cell, which has to be made anyway, answers both questions. The frame is two cells deep
//! above and below because a knight jumps two; left and right one column serves both sides, since stepping off one
//! edge comes out at the other.
//!
//! The second idea is the **piece list**. To find White's knights in the array one has to look at all squares, most of
//! which are empty. So the board also keeps, for each kind of piece, the list of its squares: the piece with the number
//! `p` keeps its squares in `list[10 * p ..]`, `count[p]` of them. Ten places are enough for anything that eight
//! promotions can bring about. A piece that is captured changes places with the last of its kind, and the count is
//! shortened by one: nothing has to be moved up.
//!
//! The third is the **position key**: a random number for each piece on each square, for the castling permission, for
//! the en-passant square and for the player to move, all combined by exclusive or. Since a number taken twice vanishes,
//! the key of the next position costs a handful of operations, and comparing two positions costs one.
//!
//! Making a move changes the one board in place. What cannot be worked out backwards (the move, the key, the en-passant
//! square, the fifty-move count and the castling permission) goes to the [history](UndoRecord), and taking back reads
//! it from there.
//!
//! # What it costs
//!
//! The same fact is kept four times: in the cells, in the lists, in the counts, and in the key and the material. Every
//! line of code that moves a piece must keep all of them alike, and if it fails the bug shows much later and elsewhere.
//! Hence the [board check](Mailbox::check), to be called after every step while debugging. It recomputes everything
//! from the cells and reports whatever differs.
//!
//! Taking a capture back restores everything but the order within the list: the piece comes back at the end. Nothing
//! depends on the order, except that moves may come out in another one than before, which has puzzled many a debugger.
//!
//! Moves are generated without asking whether they leave the king in check. Each is made, the king's cell is examined,
//! and the move is taken back if it was illegal: nearly all the work for an illegal move is done before it is known to
//! be one. And a sliding piece walks its rays cell by cell.
//!
//! # What the bitboard does instead
//!
//! It keeps sets of squares: one number holds all knights, so it is board, list and count at once and nothing can
//! disagree. The edge is a mask. Rays are looked up instead of walked. Pins and checks are worked out once per
//! position, so that only legal moves are generated. See [`crate::bitboard`].
//!
//! # What we made of the document
//!
//! * Its keys are 32 bits, the natural size in a browser; ours are 64, since with 32 a collision is to be expected
//!   after some eighty thousand positions.
//! * "The en-passant square is part of the position" is taken at its word: it is set and enters the key after every
//!   double step of a pawn, even if no pawn can use it. By the rules of the game two such positions may be the same
//!   although their keys differ; the other boards of this crate follow the rules.
//! * The moves of all plies are in one array, `start[ply]` says where each ply's begin. The original's array has a
//!   fixed length; ours grows.
//! * The document gives no values for material and no formula for the score of a move. The values are those of another
//!   founding document; the score puts captures first, the biggest victim and then the smallest attacker.
//! * Its check asks whether the side is valid. Here the type sees to that, so the check asks more: whether the side is
//!   the one whose turn it must be after this many moves.

mod attacks;
mod cells;
mod check;
mod generate;
mod inspect;
mod keys;
mod make;
mod moves;
mod watch;

use std::ops::ControlFlow;

use rules::{Bitboard, Color, Piece, Role, Setup, Square};

use crate::standard::{CASTLES, rook_home};
use crate::{Board, IllegalMove, PlayedMove, StandardSetup, UciMove};

use watch::Watcher;

pub use cells::{Cell, Content};
pub use check::{CheckFailed, Inconsistency};
pub use moves::Move;

/// What a castling permission is made of.
pub mod permission {
    use rules::{CastlingSide, Color};

    /// White may castle king side.
    pub const WHITE_KING_SIDE: u8 = 1;
    /// White may castle queen side.
    pub const WHITE_QUEEN_SIDE: u8 = 2;
    /// Black may castle king side.
    pub const BLACK_KING_SIDE: u8 = 4;
    /// Black may castle queen side.
    pub const BLACK_QUEEN_SIDE: u8 = 8;

    /// The bit of a right.
    pub const fn bit(color: Color, side: CastlingSide) -> u8 {
        match (color, side) {
            (Color::White, CastlingSide::KingSide) => WHITE_KING_SIDE,
            (Color::White, CastlingSide::QueenSide) => WHITE_QUEEN_SIDE,
            (Color::Black, CastlingSide::KingSide) => BLACK_KING_SIDE,
            (Color::Black, CastlingSide::QueenSide) => BLACK_QUEEN_SIDE,
        }
    }
}

/// What is written down before a move is made, to take it back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UndoRecord {
    /// The move.
    pub mv: Move,
    /// The position key before it.
    pub key: u64,
    /// The en-passant square before it.
    pub en_passant: Option<Square>,
    /// The fifty-move count before it.
    pub fifty: u16,
    /// The castling permission before it.
    pub castling: u8,
}

/// The places in the piece list for each kind of piece.
const PLACES: usize = 10;

/// The mailbox board.
#[derive(Clone, Debug)]
pub struct Mailbox {
    cells: [Content; Cell::COUNT],
    /// The squares of the piece with the number `p` are `list[10 * p]` and the following, `count[p]` of them.
    list: [Cell; PLACES * Content::CODES],
    count: [u8; Content::CODES],
    material: [i32; 2],
    turn: Color,
    castling: u8,
    en_passant: Option<Square>,
    fifty: u16,
    key: u64,
    history: Vec<UndoRecord>,
    /// The moves of all plies, each ply's beginning at `start[ply]`.
    moves: Vec<Move>,
    /// A score for each move.
    scores: Vec<i32>,
    /// One entry more than there are plies with moves.
    start: Vec<usize>,
    /// What the position the board was set up with said, which the document does not keep.
    first_turn: Color,
    first_number: u16,
}

/// Boards are equal if everything is, but for the order within the piece lists and what lies beyond their ends: taking
/// a capture back does not restore that, and it means nothing.
impl PartialEq for Mailbox {
    fn eq(&self, other: &Mailbox) -> bool {
        let Mailbox { cells, list: _, count, material, turn, castling, en_passant, fifty, key, .. } = self;
        let Mailbox { history, moves, scores, start, first_turn, first_number, .. } = self;
        let sorted_list = |board: &Mailbox, content: usize| {
            let mut used = board.list[PLACES * content..][..usize::from(count[content])].to_vec();
            used.sort_unstable();
            used
        };
        *cells == other.cells
            && *count == other.count
            && (0..Content::CODES).all(|content| sorted_list(self, content) == sorted_list(other, content))
            && *material == other.material
            && (turn, castling, en_passant) == (&other.turn, &other.castling, &other.en_passant)
            && (fifty, key) == (&other.fifty, &other.key)
            && *history == other.history
            && (moves, scores, start) == (&other.moves, &other.scores, &other.start)
            && (first_turn, first_number) == (&other.first_turn, &other.first_number)
    }
}

/// What a piece counts in the material balance.
const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 325,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

impl Mailbox {
    /// How many moves have been made and not taken back.
    pub fn ply(&self) -> usize {
        self.history.len()
    }

    /// What a cell holds.
    pub fn content(&self, cell: Cell) -> Content {
        self.cells[cell.index()]
    }

    /// The part of the piece list that is in use for a piece, in the order in which the board keeps it.
    pub fn squares_of(&self, piece: Piece) -> &[Cell] {
        let content = Content::of(piece);
        &self.list[PLACES * content.index()..][..usize::from(self.count[content.index()])]
    }

    /// A player's material.
    pub fn material(&self, color: Color) -> i32 {
        self.material[color as usize]
    }

    /// The castling permission, a sum of [bits](permission).
    pub fn castling_permission(&self) -> u8 {
        self.castling
    }

    /// What was written down about the moves made so far.
    pub fn history(&self) -> &[UndoRecord] {
        &self.history
    }

    /// The moves generated for a ply, if it is one that has been reached: `moves[start[ply]..start[ply + 1]]`.
    pub fn moves_of(&self, ply: usize) -> Option<&[Move]> {
        self.moves.get(*self.start.get(ply)?..*self.start.get(ply + 1)?)
    }

    /// The scores of the moves generated for a ply.
    pub fn scores_of(&self, ply: usize) -> Option<&[i32]> {
        self.scores.get(*self.start.get(ply)?..*self.start.get(ply + 1)?)
    }

    fn king_cell(&self, color: Color) -> Cell {
        self.list[PLACES * Content::of(Role::King.of(color)).index()]
    }

    /// Makes a move if it is legal, with all that happens told.
    fn make_watched(&mut self, mv: UciMove, watcher: &mut impl Watcher) -> Result<(), IllegalMove> {
        self.generate();
        let found = self.moves_of(self.ply()).and_then(|moves| moves.iter().copied().find(|own| own.plain() == mv));
        self.forget_moves();
        match found {
            Some(own) if self.make_move_watched(own, watcher) => Ok(()),
            _ => Err(IllegalMove(mv)),
        }
    }

    /// The key, from scratch.
    fn computed_key(&self) -> u64 {
        let squares = Square::ALL.into_iter().map(Cell::of);
        let pieces = squares
            .filter(|cell| self.cells[cell.index()].piece().is_some())
            .fold(0, |key, cell| key ^ keys::piece(self.cells[cell.index()], cell));
        pieces ^ keys::side(self.turn) ^ keys::castling(self.castling) ^ keys::en_passant(self.en_passant)
    }
}

impl Board for Mailbox {
    fn from_standard(start: &StandardSetup) -> Mailbox {
        let setup = start.setup();
        let castling = CASTLES
            .into_iter()
            .filter(|&(color, side)| start.may_castle(color, side))
            .fold(0, |bits, (color, side)| bits | permission::bit(color, side));
        let mut board = Mailbox {
            cells: cells::BARE,
            list: [Cell::of(Square::A1); PLACES * Content::CODES],
            count: [0; Content::CODES],
            material: [0; 2],
            turn: setup.turn,
            castling,
            en_passant: setup.en_passant,
            fifty: setup.halfmove_clock,
            key: keys::side(setup.turn) ^ keys::castling(castling) ^ keys::en_passant(setup.en_passant),
            history: Vec::new(),
            moves: Vec::new(),
            scores: Vec::new(),
            start: vec![0, 0],
            first_turn: setup.turn,
            first_number: setup.fullmove_number,
        };
        for square in Square::ALL {
            if let Some(piece) = setup.pieces[square.index()] {
                board.add_piece(Cell::of(square), Content::of(piece), &mut ());
            }
        }
        board
    }

    fn setup(&self) -> Setup {
        let plies = self.history.len() + self.first_turn as usize;
        let rooks = CASTLES.into_iter().filter(|&(color, side)| self.castling & permission::bit(color, side) != 0);
        Setup {
            pieces: std::array::from_fn(|index| self.content(Cell::of(Square::ALL[index])).piece()),
            turn: self.turn,
            castling: rooks.map(|(color, side)| rook_home(color, side)).collect(),
            en_passant: self.en_passant,
            halfmove_clock: self.fifty,
            fullmove_number: self.first_number.saturating_add(u16::try_from(plies / 2).unwrap_or(u16::MAX)),
        }
    }

    fn turn(&self) -> Color {
        self.turn
    }

    fn king(&self, color: Color) -> Square {
        self.king_cell(color).inner_square()
    }

    fn attackers(&self, square: Square, by: Color) -> Bitboard {
        self.attackers_of(Cell::of(square), by)
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn last_move(&self) -> Option<PlayedMove> {
        self.history.last().map(|record| record.mv.played())
    }

    fn make(&mut self, mv: UciMove) -> Result<(), IllegalMove> {
        self.make_watched(mv, &mut ())
    }

    fn unmake(&mut self) -> Option<UciMove> {
        let mv = self.history.last()?.mv;
        self.take_back();
        Some(mv.plain())
    }

    fn visit_moves(&mut self, mut visit: impl FnMut(&mut Self) -> ControlFlow<()>) -> ControlFlow<()> {
        self.generate();
        let ply = self.ply();
        let mut flow = ControlFlow::Continue(());
        for index in self.start[ply]..self.start[ply + 1] {
            if self.make_move(self.moves[index]) {
                flow = visit(self);
                self.take_back();
                if flow.is_break() {
                    break;
                }
            }
        }
        self.forget_moves();
        flow
    }

    fn is_check(&self) -> bool {
        self.is_attacked(self.king_cell(self.turn), !self.turn)
    }

    fn has_legal_move(&mut self) -> bool {
        self.finds_legal_move()
    }
}
