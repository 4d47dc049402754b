//! The rules of chess.

pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod color;
pub mod exchange;
mod fen;
mod game;
mod keys;
mod lanes;
mod movegen;
mod moves;
mod perft;
mod piece;
mod position;
mod san;
mod setup;
mod side;
mod square;
mod uci;

pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingRights, Wing};
pub use color::{ByColor, Color};
pub use fen::FenError;
pub use game::{DrawReason, Game, Outcome};
pub use moves::{IntoMoves, Move, MoveKind, MoveList};
pub use perft::{Counters, HashUnavailable, Perft, Progress};
pub use piece::{Piece, Role};
pub use position::{IllegalMove, Observer, Position};
pub use san::SanError;
pub use setup::{IllegalSetup, Problem, Setup};
pub use square::{File, ParseSquareError, Rank, Square};
pub use uci::UciError;
