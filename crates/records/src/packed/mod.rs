//! Packed games: training data at four bytes a position, checked by sums and recoverable after an interruption.
//!
//! ```
//! use saavedra_records::GameResult;
//! use saavedra_records::packed::{PackedGame, Ply, Reader, Writer};
//! use saavedra_records::rules::Position;
//!
//! let start = Position::initial();
//! let mv = start.parse_san("e4")?;
//! let game = PackedGame::new(start, vec![Ply { mv, score: 23 }], GameResult::Draw)?;
//!
//! let mut file = Vec::new();
//! let mut writer = Writer::new(&mut file)?;
//! writer.write(&game)?;
//! drop(writer);
//!
//! let mut reader = Reader::new(&file[..])?;
//! assert_eq!(reader.next().transpose()?, Some(game));
//! assert!(reader.next().is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The format, byte by byte
//!
//! All numbers are little-endian. Squares are counted from a1 = 0, b1 = 1 to h8 = 63. Scores are seen from White's
//! side; their unit is up to the writer.
//!
//! A **board** takes 32 bytes. It is the start of a game in a file, and a training record on its own.
//!
//! | bytes | what |
//! |---|---|
//! | 0–7 | the occupied squares: bit *n* for square *n* |
//! | 8–23 | a code of four bits for each occupied square, from a1 on; codes that are not needed are zero |
//! | 24 | bit 0: Black is to move; bits 1–3: zero; bits 4–7: the en passant file, a = 1 to h = 8, or zero |
//! | 25 | the result of the game: 0 not known, 1 Black won, 2 draw, 3 White won |
//! | 26–27 | the half-move clock |
//! | 28–29 | the number of the move, from 1 |
//! | 30–31 | the score, signed; zero at the start of a game, where the first move has it |
//!
//! The **codes** are pawn 0, knight 1, bishop 2, rook 3, queen 4, king 5, and 6 for a rook that may still castle, which
//! is all that Chess960 needs; 8 is added for Black's. Codes fill the lower half of byte 8, then its upper half, then
//! byte 9, and so on.
//!
//! A **game** is a board with a result, then four bytes for each move, then four bytes of zero:
//!
//! | bytes | what |
//! |---|---|
//! | 0–1 | the move, never zero: bits 0–5 from, bits 6–11 to, bits 12–13 promotion, bits 14–15 kind |
//! | 2–3 | the score of the position before the move, signed |
//!
//! A promotion is to a knight 0, bishop 1, rook 2 or queen 3. The kind is ordinary 0, promotion 1, en passant 2 or
//! castling 3, which goes from the king's square to the rook's.
//!
//! A **block** holds whole games, one behind the other, at most 262,144 bytes of them:
//!
//! | bytes | what |
//! |---|---|
//! | 0–7 | `f5`, `SvdBlk`, a line feed |
//! | 8–11 | how many bytes of games follow the header |
//! | 12–15 | how many games they are |
//! | 16–19 | how many moves they have together |
//! | 20–23 | CRC-32 (that of zlib and PNG) of the games |
//! | 24–27 | CRC-32 of bytes 0–23 |
//! | 28– | the games |
//!
//! A **file** begins with `SvdGam`, a carriage return and a line feed, then the version of the format, 1, in four
//! bytes. Blocks follow. Bytes that belong to no sound block are stepped over to the next place where one begins, and
//! reported; at the end of a file they are what an interruption has left, and [`Writer::append`] cuts them off. Files
//! joined end to end are a file.

mod block;
mod board;
mod bullet;
mod game;
mod reader;
mod viriformat;
mod writer;

use std::io;

use interface::{counted, grouped};
use thiserror::Error;

pub use board::{PackedBoard, PackedBoardError};
pub use game::{GameError, Moment, PackedGame, Ply};
pub use reader::{Counts, Positions, Reader};
pub use viriformat::ViriformatError;
pub use writer::Writer;

/// What is wrong with a file of packed games. After an error other than the first three, the reader goes on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PackedError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file holds something else.
    #[error("not a file of packed games")]
    NotPacked,
    /// The file was written by a newer version of this program.
    #[error("packed games of version {0}, expected 1")]
    Version(u32),
    /// Another program is writing the file.
    #[error("the file is being written by another program")]
    InUse,
    /// A game that does not fit into a block.
    #[error("a game of {0} moves is too long to be packed")]
    TooLong(usize),
    /// Bytes between sound blocks that are none.
    #[error("{} at {} are damaged", counted(*bytes, "byte"), grouped(*offset))]
    Damaged {
        /// Where they begin.
        offset: u64,
        /// How many they are.
        bytes: u64,
    },
    /// More than half of a file that is to be learned from.
    #[error("{} of {} are damaged", grouped(*damaged), counted(*bytes, "byte"))]
    MostlyDamaged {
        /// How many bytes are damaged.
        damaged: u64,
        /// How many there are.
        bytes: u64,
    },
    /// A game that cannot have been played, although it is as it was written.
    #[error("the game at {} cannot have been played: {error}", grouped(*offset))]
    Game {
        /// Where it begins.
        offset: u64,
        /// What is wrong with it.
        error: GameError,
    },
    /// A block whose header counts other games than there are, although it is as it was written.
    #[error("the block at {} does not hold the games it counts", grouped(*offset))]
    Miscounted {
        /// Where it begins.
        offset: u64,
    },
}
