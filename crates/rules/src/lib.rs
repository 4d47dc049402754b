#![doc = include_str!("../README.md")]

pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod checks;
mod color;
mod fen;
mod game;
#[doc(hidden)]
pub mod huge_pages;
mod instructions;
mod key_terms;
mod keys;
mod lanes;
mod legal_moves;
mod movegen;
mod moves;
mod observer;
mod perft;
mod piece;
mod piece_moves;
mod play;
mod position;
mod san;
mod san_bytes;
pub mod see;
#[cfg(feature = "serde")]
mod serde;
mod setup;
mod side;
mod square;
mod uci;

pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingRights, CastlingSide};
pub use checks::Pin;
pub use color::{ByColor, Color};
pub use fen::FenError;
pub use game::{DrawReason, Game, Outcome};
pub use instructions::Instructions;
pub use key_terms::KeyTerm;
pub use moves::{IntoMoves, Move, MoveKind, MoveList};
pub use observer::Observer;
pub use perft::{Counters, Perft, PerftError, PerftProgress};
pub use piece::{Piece, Role};
pub use piece_moves::{PieceMoves, PieceMovesIter};
pub use play::IllegalMove;
pub use position::Position;
pub use san::SanError;
pub use setup::{IllegalSetup, Setup, SetupProblem};
pub use square::{File, ParseSquareError, Rank, Square};
pub use uci::{UciError, UciMove};
