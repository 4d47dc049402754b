//! Three classic chess boards, complete and independent, beside the bitboard.
//!
//! A chess program begins with a decision: how is the board kept in memory? The field has settled on bitboards, and the
//! rest of this project uses one. But people have answered the question in other ways, each with a reason, and three of
//! those answers are built here from documents in which their authors described them:
//!
//! | board | the idea | the price |
//! |---|---|---|
//! | [`mailbox`] | a rim around the board ends every ray; lists say where the pieces are | everything is kept several times and must agree |
//! | [`packed`] | four bits a square, one word of history a move: the whole game state is tiny | everything must be found out again |
//! | [`movemap`] | a piece is a set of steps, and a king in check is found by pretending | every step is asked where the edge is, every move is tried out |
//! | [`bitboard`] | a set of squares is one machine word | one has to learn to think in sets |
//!
//! The module of each opens with a page that explains it. Read them in this order.
//!
//! The boards serve a purpose beside teaching. They share no code: each generates its moves, makes them, takes them
//! back and sees checks in its own way. A mistake would have to be made four times, in four different forms, to stay
//! unseen. So they are witnesses: whenever the moves of a position are in dispute, all four are asked, and the tests of
//! this crate ask them about a great many positions.
//!
//! # How fast they are
//!
//! The leaves of the tree of legal moves from the start, six moves deep, counted on one core of an AMD EPYC (Zen 4), the
//! best of three runs in turn. `saavedra perft 6 --compare` measures yours; the figures will differ, the ratios hardly:
//!
//! | board | seconds | million leaves a second | times slower than the bitboard |
//! |---|---|---|---|
//! | bitboard | 0.075 | 1,583 | 1 |
//! | mailbox | 4.34 | 27.4 | 58 |
//! | packed | 4.91 | 24.2 | 65 |
//! | movemap | 7.76 | 15.4 | 103 |
//! | movemap, with castling rights | 7.15 | 16.6 | 95 |
//! | movemap, with a faster examination of moves | 2.87 | 41.5 | 38 |
//! | movemap, with both | 2.70 | 44.0 | 36 |
//! | the packed board's document, in a browser | 1,045 | 0.11 | 14,000 |
//!
//! So of the wishes of the move maps' author, castling rights gain a tenth, and the faster legality check nearly a factor
//! of three: he had measured that the slow one takes 70 % of the time.
//!
//! Not all boards do the same work for a leaf.
//! The mailbox, the packed board and the original move maps learn that a move is legal by making it, so they make them
//! all; the bitboard, and the move maps with the faster examination, know most moves to be legal beforehand and only
//! count the last ones. That is why a board of plain integers, once it stops trying out every move, overtakes two
//! cleverer ones: a better question beats a better board.
//!
//! # How to use them
//!
//! What they have in common is the trait [`Board`]; [`Kind`] names them, so that a program can offer the choice:
//!
//! ```
//! use saavedra_classic::{Board, Kind, movemap};
//!
//! let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
//! for kind in Kind::ALL {
//!     assert_eq!(kind.perft(fen, 2)?, 2_039);
//! }
//!
//! let mut board = movemap::Original::from_fen(fen)?;
//! board.make("e1g1".parse()?)?;
//! assert_eq!(board.fen(), "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R4RK1 b kq - 1 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Only standard chess is known here: a position with the castling rights of Chess960 is [refused](BoardError).
//! Whether a FEN can be read and played at all is decided by the [`rules`] crate, so that everybody says the same about
//! bad input; from the moment on that a board is set up, it is on its own.

#![forbid(unsafe_code)]

pub mod bitboard;
mod board;
mod kind;
pub mod mailbox;
pub mod movemap;
pub mod packed;
mod plain;
mod random;
mod standard;

pub use board::Board;
pub use kind::{Kind, Task, UnknownKind};
pub use plain::{IllegalMove, ParsePlainMoveError, PlainMove, PlayedKind, PlayedMove};
pub use rules::Counters;
pub use standard::{BoardError, StandardSetup};
