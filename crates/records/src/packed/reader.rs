//! Reading packed games: one block in memory at a time, damage reported and stepped over.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use std::vec;

use super::PackedError;
use super::block::{Blocks, Found};
use super::game::{Moment, PackedGame, Ply, replay, split};

/// The games of a file, one by one.
///
/// An error does not end the reading, unless the file itself cannot be read: what is damaged is told and left out, and
/// the games behind it follow. Games are replayed as they are read, so that all moves are known to be legal.
#[derive(Debug)]
pub struct Reader<R> {
    blocks: Blocks<R>,
    block: Option<Block>,
    counts: Counts,
    /// Whether the file could not be read on.
    is_over: bool,
}

/// How much has been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Games.
    pub games: u64,
    /// Positions in which a move was played.
    pub positions: u64,
}

/// The block that is being read.
#[derive(Debug)]
struct Block {
    offset: u64,
    contents: Vec<u8>,
    /// Where the next game begins.
    next: usize,
    /// How many games and positions are missing, by the word of the header; less than none if there are too many.
    games_left: i64,
    positions_left: i64,
}

impl Reader<BufReader<File>> {
    /// Opens a file.
    pub fn open(path: impl AsRef<Path>) -> Result<Reader<BufReader<File>>, PackedError> {
        Reader::new(BufReader::with_capacity(1 << 17, File::open(path)?))
    }
}

impl<R: Read> Reader<R> {
    /// Reads games from a stream.
    pub fn new(source: R) -> Result<Reader<R>, PackedError> {
        Ok(Reader { blocks: Blocks::new(source)?, block: None, counts: Counts::default(), is_over: false })
    }

    /// How many games and positions have been read.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Once all games have been read: how many bytes at the end belong to no complete block, because writing them was
    /// interrupted.
    pub fn torn_tail(&self) -> u64 {
        self.blocks.torn_tail()
    }

    /// How many bytes have been read: once all games have been, the length of the file, without what it is wrapped in.
    pub fn length(&self) -> u64 {
        self.blocks.length()
    }

    /// Every position of every game in which a move was played. Of a game with an illegal move there is none.
    pub fn positions(self) -> Positions<R> {
        Positions { reader: self, game: Vec::new().into_iter() }
    }

    /// Replays the next game, which is a game only if this returns one without an error.
    fn next_game<T>(&mut self, read: impl Fn(&[u8]) -> Result<T, super::GameError>) -> Option<Result<T, PackedError>> {
        loop {
            if self.is_over {
                return None;
            }
            let Some(block) = &mut self.block else {
                match self.blocks.next() {
                    Err(error) => {
                        self.is_over = true;
                        return Some(Err(error.into()));
                    }
                    Ok(None) => return None,
                    Ok(Some(Found::Damage { offset, bytes })) => {
                        return Some(Err(PackedError::Damaged { offset, bytes }));
                    }
                    Ok(Some(Found::Block { offset, header, contents })) => {
                        self.block = Some(Block {
                            offset,
                            contents: contents.to_vec(),
                            next: 0,
                            games_left: header.games.into(),
                            positions_left: header.positions.into(),
                        });
                    }
                }
                continue;
            };
            let rest = &block.contents[block.next..];
            if rest.is_empty() {
                let is_complete = (block.games_left, block.positions_left) == (0, 0);
                let offset = block.offset;
                self.block = None;
                if is_complete {
                    continue;
                }
                return Some(Err(PackedError::Miscounted { offset }));
            }
            let offset = block.offset + (super::block::BLOCK_HEADER + block.next) as u64;
            let game = match split(rest) {
                Err(error) => {
                    self.block = None;
                    return Some(Err(PackedError::Game { offset, error }));
                }
                Ok((game, _)) => game,
            };
            let positions = (game.len() - super::PackedBoard::SIZE) / super::game::PLY - 1;
            let result = read(game);
            block.next += game.len();
            block.games_left -= 1;
            block.positions_left -= positions as i64;
            if result.is_ok() {
                self.counts.games += 1;
                self.counts.positions += positions as u64;
            }
            return Some(result.map_err(|error| PackedError::Game { offset, error }));
        }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<PackedGame, PackedError>;

    fn next(&mut self) -> Option<Result<PackedGame, PackedError>> {
        self.next_game(PackedGame::unpack)
    }
}

/// The positions of all games of a file, one by one.
#[derive(Debug)]
pub struct Positions<R> {
    reader: Reader<R>,
    game: vec::IntoIter<Moment>,
}

impl<R> Positions<R> {
    /// The reader, to ask what has been read.
    pub fn reader(&self) -> &Reader<R> {
        &self.reader
    }
}

impl<R: Read> Iterator for Positions<R> {
    type Item = Result<Moment, PackedError>;

    fn next(&mut self) -> Option<Result<Moment, PackedError>> {
        loop {
            if let Some(moment) = self.game.next() {
                return Some(Ok(moment));
            }
            let moments = self.reader.next_game(|bytes| {
                let mut moments = Vec::with_capacity(bytes.len() / size_of::<Ply>());
                replay(bytes, |moment| moments.push(moment)).map(|_| moments)
            })?;
            match moments {
                Ok(moments) => self.game = moments.into_iter(),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
