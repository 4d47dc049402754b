//! The rules of chess: positions, legal moves, notation, draws and perft, without dependencies.
//!
//! # A tour
//!
//! A [`Position`] is always legal and never changes; playing a move gives the next one.
//!
//! ```
//! use saavedra_rules::{Color, Position, Role, Square};
//!
//! let start = Position::initial();
//! assert_eq!(start.legal_moves().len(), 20);
//! assert_eq!(start.piece_at(Square::E1), Some(Role::King.of(Color::White)));
//!
//! let next = start.play(start.parse_san("e4")?)?;
//! assert_eq!(next.turn(), Color::Black);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Text from outside is read into a [`Setup`], where anything goes, and becomes a position only if it can be played. If
//! it cannot, every reason is given at once:
//!
//! ```
//! use saavedra_rules::Position;
//!
//! let error = "4k3/8/8/8/8/8/8/4K2P w K - 0 1".parse::<Position>().expect_err("not a chess position");
//! assert_eq!(
//!     error.to_string(),
//!     "illegal position: a pawn stands on h1; white may not castle with h1: there is no white rook"
//! );
//! ```
//!
//! A position draws itself when it is debugged. Here White mates by castling, and the notation knows:
//!
//! ```
//! use saavedra_rules::Position;
//!
//! let position: Position = "2R1R3/8/8/8/3k4/8/8/R3K3 w Q - 0 1".parse()?;
//! assert_eq!(
//!     format!("{position:?}"),
//!     ". . R . R . . .\n\
//!      . . . . . . . .\n\
//!      . . . . . . . .\n\
//!      . . . . . . . .\n\
//!      . . . k . . . .\n\
//!      . . . . . . . .\n\
//!      . . . . . . . .\n\
//!      R . . . K . . .\n\
//!      2R1R3/8/8/8/3k4/8/8/R3K3 w Q - 0 1"
//! );
//! let mv = position.parse_uci("e1c1")?;
//! assert_eq!(position.san(mv), "O-O-O#");
//! assert!(position.play(mv)?.is_checkmate());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Game`] remembers how its position came about, and so knows the draws that a position alone cannot see:
//!
//! ```
//! use saavedra_rules::{DrawReason, Game};
//!
//! let mut game = Game::default();
//! for san in "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8".split(' ') {
//!     let mv = game.position().parse_san(san)?;
//!     game.play(mv)?;
//! }
//! assert_eq!(game.claimable_draw(), Some(DrawReason::ThreefoldRepetition));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Sets of squares are [`Bitboard`]s, and [`attacks`] says what a piece attacks. Together they answer questions like
//! "which white pieces are attacked by a pawn?":
//!
//! ```
//! use saavedra_rules::{attacks, Bitboard, Color, Position, Role, Square};
//!
//! let position: Position = "4k3/8/3p4/2N1N3/8/8/8/4K3 w - - 0 1".parse()?;
//! let by_pawns = position
//!     .pieces(Role::Pawn, Color::Black)
//!     .into_iter()
//!     .fold(Bitboard::EMPTY, |all, pawn| all | attacks::pawn(Color::Black, pawn));
//! assert_eq!(position.by_color(Color::White) & by_pawns, Square::C5.bitboard() | Square::E5.bitboard());
//! # Ok::<(), saavedra_rules::FenError>(())
//! ```
//!
//! Chess960 needs no switch: [`CastlingRights`] are the rooks that may still castle, wherever they stand.
//!
//! # For engines
//!
//! * [`Position`] is 128 bytes and copies; [`play_unchecked`](Position::play_unchecked) skips the check of legality.
//! * [`Move`] has 16 bits, and `Option<Move>` too. [`is_legal`](Position::is_legal) checks a move from a table without
//!   generating the others.
//! * [`captures`](Position::captures), [`quiets`](Position::quiets) and [`evasions`](Position::evasions) generate parts.
//! * Keys for the whole [position](Position::key), the [pawns](Position::pawn_key), each player's
//!   [other pieces](Position::non_pawn_key) and [minor pieces](Position::minor_key) are kept up to date.
//! * [`see`] says what a capture is worth once everybody has taken back, by a look-up.
//! * An [`Observer`] hears which pieces a move removes and places, so that an evaluation can follow along.
//!
//! # Speed
//!
//! The generator is fully legal and tells its moves to a visitor; [`Perft`] counts the last ply in eight directions at
//! once, with vector instructions where the build has them. Build with `-C target-cpu=native`, or at least `x86-64-v3`.

pub mod attacks;
mod bitboard;
mod board;
mod castling;
mod checks;
mod color;
mod fen;
mod game;
mod keys;
mod lanes;
mod legal_moves;
mod movegen;
mod moves;
mod observer;
mod perft;
mod piece;
mod play;
mod position;
mod san;
mod san_bytes;
pub mod see;
mod setup;
mod side;
mod square;
mod uci;

pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingRights, Wing};
pub use checks::Pin;
pub use color::{ByColor, Color};
pub use fen::FenError;
pub use game::{DrawReason, Game, Outcome};
pub use lanes::VECTOR_INSTRUCTIONS;
pub use moves::{IntoMoves, Move, MoveKind, MoveList};
pub use observer::Observer;
pub use perft::{Counters, Perft, PerftError, Progress};
pub use piece::{Piece, Role};
pub use play::IllegalMove;
pub use position::Position;
pub use san::SanError;
pub use setup::{IllegalSetup, Problem, Setup};
pub use square::{File, ParseSquareError, Rank, Square};
pub use uci::UciError;
