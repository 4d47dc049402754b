//! One game as training data: how it started, and each move with a score.

use rules::{IllegalMove, Move, Position};
use thiserror::Error;

use super::board::{PackedBoard, PackedBoardError};
use crate::GameResult;

/// A move that was played, and what the position before it was thought to be worth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The score of the position before the move, from White's point of view.
    pub score: i16,
}

/// A finished game with a score for every position in which a move was played. All its moves are legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedGame {
    start: Position,
    plies: Vec<Ply>,
    result: GameResult,
}

/// One position of a game, with what was played, what it was thought to be worth, and what became of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The position.
    pub position: Position,
    /// The move that was played.
    pub mv: Move,
    /// The score, from White's point of view.
    pub score: i16,
    /// How the game ended.
    pub result: GameResult,
    /// How many moves of the game were played before.
    pub ply: usize,
}

impl Moment {
    /// The moment as a training record, which forgets the move.
    pub fn sample(&self) -> PackedBoard {
        PackedBoard::new(&self.position).with_score(self.score).with_result(self.result)
    }
}

/// Why bytes are not a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GameError {
    /// The bytes end before the game does.
    #[error("the game has no end")]
    Unfinished,
    /// The start is not a position.
    #[error("the start of the game: {0}")]
    Start(PackedBoardError),
    /// The result is missing.
    #[error("the game has no result")]
    NoResult,
    /// A number that stands for no move.
    #[error("ply {ply}: {bits:#06x} is not a move")]
    NotAMove {
        /// How many moves were played before.
        ply: usize,
        /// The number.
        bits: u16,
    },
    /// A move that cannot be played.
    #[error("ply {ply}: {error}")]
    Illegal {
        /// How many moves were played before.
        ply: usize,
        /// The move.
        error: IllegalMove,
    },
}

impl From<PackedBoardError> for GameError {
    fn from(error: PackedBoardError) -> GameError {
        GameError::Start(error)
    }
}

/// How many bytes a move with its score takes, and the end of a game as well.
pub(super) const PLY: usize = 4;

impl PackedGame {
    /// A game, if its moves are legal.
    pub fn new(start: Position, plies: Vec<Ply>, result: GameResult) -> Result<PackedGame, IllegalMove> {
        let mut position = start;
        for ply in &plies {
            position = position.play(ply.mv)?;
        }
        Ok(PackedGame { start, plies, result })
    }

    /// A game whose moves were just replayed.
    pub(super) fn replayed(start: Position, plies: Vec<Ply>, result: GameResult) -> PackedGame {
        PackedGame { start, plies, result }
    }

    /// The position in which the game began.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves with their scores.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// How the game ended.
    pub fn result(&self) -> GameResult {
        self.result
    }

    /// Every position in which a move was played.
    pub fn moments(&self) -> impl Iterator<Item = Moment> + '_ {
        let mut next = self.start;
        self.plies.iter().enumerate().map(move |(ply, &Ply { mv, score })| {
            let position = next;
            next = position.play_unchecked(mv);
            Moment { position, mv, score, result: self.result, ply }
        })
    }

    /// How many bytes the game takes in a block.
    pub fn packed_size(&self) -> usize {
        PackedBoard::SIZE + PLY * (self.plies.len() + 1)
    }

    /// Adds the game to a block.
    pub fn pack(&self, block: &mut Vec<u8>) {
        block.extend_from_slice(PackedBoard::new(&self.start).with_result(self.result).bytes());
        for ply in &self.plies {
            block.extend_from_slice(&ply.mv.bits().to_le_bytes());
            block.extend_from_slice(&ply.score.to_le_bytes());
        }
        block.extend_from_slice(&[0; PLY]);
    }

    /// Reads the game at the beginning of some bytes, and checks that it is one.
    pub fn unpack(bytes: &[u8]) -> Result<PackedGame, GameError> {
        let (bytes, _) = split(bytes)?;
        let mut plies = Vec::with_capacity(bytes.len() / PLY);
        let (start, result) = replay(bytes, |moment| plies.push(Ply { mv: moment.mv, score: moment.score }))?;
        Ok(PackedGame { start, plies, result })
    }
}

/// The bytes of the first game, its end included, and those behind it.
pub(super) fn split(bytes: &[u8]) -> Result<(&[u8], &[u8]), GameError> {
    let moves = bytes.get(PackedBoard::SIZE..).ok_or(GameError::Unfinished)?;
    let end = moves.chunks_exact(PLY).position(|ply| ply[..2] == [0; 2]).ok_or(GameError::Unfinished)?;
    Ok(bytes.split_at(PackedBoard::SIZE + PLY * (end + 1)))
}

/// Replays the bytes of one game as [`split`] found them. The visitor sees the moments before an illegal move, too.
pub(super) fn replay(bytes: &[u8], mut visit: impl FnMut(Moment)) -> Result<(Position, GameResult), GameError> {
    let (board, plies) = bytes.split_first_chunk().ok_or(GameError::Unfinished)?;
    let board = PackedBoard::from_bytes(*board);
    let start = board.position()?;
    let result = board.result().ok_or(GameError::NoResult)?;
    let mut position = start;
    for (ply, word) in plies[..plies.len().saturating_sub(PLY)].chunks_exact(PLY).enumerate() {
        let bits = u16::from_le_bytes([word[0], word[1]]);
        let mv = Move::from_bits(bits).ok_or(GameError::NotAMove { ply, bits })?;
        let next = position.play(mv).map_err(|error| GameError::Illegal { ply, error })?;
        visit(Moment { position, mv, score: i16::from_le_bytes([word[2], word[3]]), result, ply });
        position = next;
    }
    Ok((start, result))
}
