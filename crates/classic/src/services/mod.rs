//! Position services: what a founding document's world offers to the minds that live in it, over the
//! [mailbox board](crate::mailbox).
//!
//! The document's author did not write a board. The world came with one, and a mind was written with a handful of
//! services: read a position, ask what stands on a square and who may still castle, list the moves that the pieces
//! could make, remove those that leave the king in check, make a move and take it back. That is all that random movers,
//! minimax and alpha-beta need, and it is all there is here. Squares and pieces are small numbers, as in the document:
//!
//! | number | square | | code | white | black |
//! |---|---|---|---|---|---|
//! | 0, 1, … 7 | a1, b1, … h1 | | 1, 7 | king | king |
//! | 8 | a2 | | 2, 8 | queen | queen |
//! | … | … | | 3, 9 | rook | rook |
//! | 63 | h8 | | 4, 10 | bishop | bishop |
//! | | | | 5, 11 | knight | knight |
//! | | | | 6, 12 | pawn | pawn |
//!
//! Code 0 is an empty square. The castling mask is the sum of 1 for a1, 2 for h1, 4 for a8 and 8 for h8, the rooks with
//! which a player may still castle. (The document names the four bits in this order, but not their numbers.)
//!
//! ```
//! use saavedra_classic::services::Services;
//!
//! let mut world = Services::read_fen("4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1")?;
//! assert_eq!((world.piece(4), world.piece(60), world.piece(0)), (1, 7, 0));
//! assert_eq!(world.castle_mask(), 2);
//!
//! let mut captures = world.pseudo_legal_captures();
//! world.remove_illegal(&mut captures);
//! assert_eq!(captures[0].to_string(), "28,35");
//!
//! let undo = world.make_move(captures[0])?;
//! assert_eq!((world.piece(35), undo.captured), (6, 12));
//! world.unmake_move(captures[0], undo)?;
//! assert_eq!(world.fen(), "4k3/8/8/3p4/4P3/8/8/4K2R w K - 0 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`ServicesSession`] answers the same questions as lines of text, for minds in any language: `saavedra world
//! --services`. `examples/minds` has the document's four minds written with nothing else.

mod moves;
mod session;

use rules::{CastlingSide, Color, Piece, Role, Square};

use crate::mailbox::{self, Cell, Mailbox, permission};
use crate::{Board, BoardError};

pub use moves::{BadMove, Move};
pub use session::ServicesSession;

/// What stands on an empty square.
pub const EMPTY: u8 = 0;

/// The most moves that can be made and not taken back. No game is as long.
pub const MOST_MOVES: usize = 8_192;

/// A position that a mind may ask and change.
#[derive(Clone, Debug)]
pub struct Services {
    board: Mailbox,
}

/// What a move destroys, to be handed back when it is taken back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UndoInfo {
    /// The code of the piece that was taken, [`EMPTY`] if none was.
    pub captured: u8,
    /// The castling mask before the move.
    pub castle_mask: u8,
    /// The square that a pawn had passed before the move, and on which it could be taken.
    pub passed: Option<u8>,
    /// The moves since the last capture or pawn move, before the move.
    pub clock: u16,
}

/// The code of a piece: King, queen, rook, bishop, knight, pawn are 1 to 6 for White and 7 to 12 for Black.
pub const fn code(piece: Piece) -> u8 {
    let kind = match piece.role {
        Role::King => 1,
        Role::Queen => 2,
        Role::Rook => 3,
        Role::Bishop => 4,
        Role::Knight => 5,
        Role::Pawn => 6,
    };
    match piece.color {
        Color::White => kind,
        Color::Black => kind + 6,
    }
}

/// The mask of a castling permission of the mailbox, whose document has the bits in another order.
fn mask(castling: u8) -> u8 {
    let corners = [
        (Color::White, CastlingSide::QueenSide),
        (Color::White, CastlingSide::KingSide),
        (Color::Black, CastlingSide::QueenSide),
        (Color::Black, CastlingSide::KingSide),
    ];
    let held = |(color, side)| castling & permission::bit(color, side) != 0;
    (0..).zip(corners).map(|(bit, corner)| u8::from(held(corner)) << bit).sum()
}

impl Services {
    /// The position that a FEN describes.
    pub fn read_fen(fen: &str) -> Result<Services, BoardError> {
        Mailbox::from_fen(fen).map(|board| Services { board })
    }

    /// The position as FEN.
    pub fn fen(&self) -> String {
        self.board.fen()
    }

    /// The code of what stands on a square; [`EMPTY`] for what is no square.
    pub fn piece(&self, square: u8) -> u8 {
        let square = Square::from_index(square.into());
        square.and_then(|square| self.board.content(Cell::of(square)).piece()).map_or(EMPTY, code)
    }

    /// The codes of all squares.
    pub fn pieces(&self) -> [u8; 64] {
        std::array::from_fn(|square| self.piece(square as u8))
    }

    /// Whether White is to move.
    pub fn white_to_move(&self) -> bool {
        self.board.turn() == Color::White
    }

    /// The rooks with which castling is still allowed, as a sum of bits.
    pub fn castle_mask(&self) -> u8 {
        mask(self.board.castling_permission())
    }

    /// Whether the player to move is in check.
    pub fn in_check(&self) -> bool {
        self.board.is_check()
    }

    /// All moves by the rules of how pieces move. Some of them may leave the own king in check.
    ///
    /// They come in the order in which the rest of Saavedra lists moves, so that a mind that takes the first of several
    /// equal moves takes the same one here.
    pub fn pseudo_legal_moves(&mut self) -> Vec<Move> {
        self.listed(|_| true)
    }

    /// The pseudo-legal moves that take something, en passant included.
    pub fn pseudo_legal_captures(&mut self) -> Vec<Move> {
        self.listed(|mv| mv.is_en_passant() || mv.captured() != mailbox::Content::EMPTY)
    }

    /// Removes the moves that are not legal: those that leave the own king in check, and those that are no moves here
    /// at all.
    pub fn remove_illegal(&mut self, moves: &mut Vec<Move>) {
        moves.retain(|&mv| self.find(mv).is_ok_and(|own| self.board.is_legal(own)));
    }

    /// All legal moves.
    pub fn legal_moves(&mut self) -> Vec<Move> {
        let mut moves = self.pseudo_legal_moves();
        self.remove_illegal(&mut moves);
        moves
    }

    /// Makes a legal move and tells what it needs to be taken back.
    pub fn make_move(&mut self, mv: Move) -> Result<UndoInfo, BadMove> {
        if self.board.ply() >= MOST_MOVES {
            return Err(BadMove::TooMany);
        }
        let own = self.find(mv)?;
        if !self.board.make_move(own) {
            return Err(BadMove::LeavesKingInCheck(mv));
        }
        Ok(self.last_undo().unwrap_or_else(|| unreachable!("a move was made")).1)
    }

    /// Takes back the last move. It must be the one that is named, with its own undo information.
    pub fn unmake_move(&mut self, mv: Move, undo: UndoInfo) -> Result<(), BadMove> {
        match self.last_undo() {
            Some(last) if last == (mv, undo) => {
                self.board.take_back();
                Ok(())
            }
            _ => Err(BadMove::NotTheLast(mv)),
        }
    }

    /// The last move that was made and not taken back, with its undo information.
    pub fn last_undo(&self) -> Option<(Move, UndoInfo)> {
        let record = self.board.history().last()?;
        let captured = match record.mv.is_en_passant() {
            true => Some(Role::Pawn.of(self.board.turn())),
            false => record.mv.captured().piece(),
        };
        let undo = UndoInfo {
            captured: captured.map_or(EMPTY, code),
            castle_mask: mask(record.castling),
            passed: record.en_passant.map(|square| square.index() as u8),
            clock: record.fifty,
        };
        Some((Move::of(record.mv), undo))
    }

    /// The pseudo-legal moves as the mailbox has them. Those of a position on the way stay in its array of all plies.
    fn generated(&mut self) -> &[mailbox::Move] {
        let ply = self.board.ply();
        if self.board.moves_of(ply).is_none_or(<[_]>::is_empty) {
            self.board.generate();
        }
        self.board.moves_of(ply).unwrap_or_default()
    }

    /// Some of the pseudo-legal moves, in order.
    fn listed(&mut self, wanted: impl Fn(mailbox::Move) -> bool) -> Vec<Move> {
        let mut moves: Vec<_> = self.generated().iter().copied().filter(|&mv| wanted(mv)).collect();
        let role = |mv: mailbox::Move| self.board.content(mv.from()).piece().map_or(Role::Pawn, |piece| piece.role);
        moves.sort_unstable_by_key(|&mv| moves::rank(mv, role(mv)));
        moves.into_iter().map(Move::of).collect()
    }

    fn find(&mut self, mv: Move) -> Result<mailbox::Move, BadMove> {
        let found = self.generated().iter().copied().find(|&own| Move::of(own) == mv);
        found.ok_or(BadMove::NotAMove(mv))
    }
}
