//! Writing packed games: block by block, so that an interruption costs the last block at most.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use super::block::{BLOCK_HEADER, Blocks, FILE_HEADER, Found, Header, MOST_CONTENTS, file_header};
use super::{Counts, PackedError, PackedGame};

/// How long the contents of a block become before it is written.
const ENOUGH: usize = 1 << 16;

/// Writes games to a file or a stream.
///
/// Games are collected and written a block at a time, each with one call. [`flush`](Writer::flush) writes what has been
/// collected, and dropping the writer tries to. If a block cannot be written, its games are kept and can be tried
/// again: a reader steps over the piece that may have been written.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
    /// The contents of the block, behind room for its header.
    block: Vec<u8>,
    games: u32,
    positions: u32,
}

impl Writer<File> {
    /// Makes a file, in place of any of that name.
    pub fn create(path: impl AsRef<Path>) -> Result<Writer<File>, PackedError> {
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        lock(&file)?;
        file.set_len(0)?;
        Ok(Writer::new(file)?)
    }

    /// Goes on with a file, or makes it. What an interruption left of a block at the end is cut off.
    ///
    /// The whole file is read to see where its last sound block ends. While it is written, no other program may append.
    pub fn append(path: impl AsRef<Path>) -> Result<Writer<File>, PackedError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        lock(&file)?;
        let mut blocks = Blocks::new(BufReader::with_capacity(1 << 17, &file))?;
        while blocks.next()?.is_some() {}
        let end = blocks.sound_end();
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        if end < FILE_HEADER as u64 { Ok(Writer::new(file)?) } else { Ok(Writer::behind_header(file)) }
    }

    /// Goes on with a file, or makes it, so that in the end it has the bytes of a file that was written at once: a last
    /// block that still has room is taken up again. Also says how much there is already.
    ///
    /// As with [`append`](Writer::append), what an interruption left at the end is cut off, and no other program may
    /// write. Damage before the end is an error here, because the number of games it has cost is unknown.
    pub fn resume(path: impl AsRef<Path>) -> Result<(Writer<File>, Counts), PackedError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        lock(&file)?;
        let mut blocks = Blocks::new(BufReader::with_capacity(1 << 17, &file))?;
        let (mut counts, mut unfilled) = (Counts::default(), None);
        while let Some(found) = blocks.next()? {
            match found {
                Found::Damage { offset, bytes } => return Err(PackedError::Damaged { offset, bytes }),
                Found::Block { offset, header, contents } => {
                    counts.games += u64::from(header.games);
                    counts.positions += u64::from(header.positions);
                    unfilled = (contents.len() < ENOUGH).then(|| (offset, header, contents.to_vec()));
                }
            }
        }
        let end = blocks.sound_end();
        file.set_len(end)?;
        if end < FILE_HEADER as u64 {
            file.rewind()?;
            return Ok((Writer::new(file)?, counts));
        }
        file.seek(SeekFrom::Start(unfilled.as_ref().map_or(end, |&(offset, ..)| offset)))?;
        let mut writer = Writer::behind_header(file);
        if let Some((_, header, contents)) = unfilled {
            // It stays on the disk until the longer block is written in its place.
            writer.block.extend_from_slice(&contents);
            (writer.games, writer.positions) = (header.games, header.positions);
        }
        Ok((writer, counts))
    }

    /// Puts what has been collected on the disk, and goes on filling the same block: the bytes of the file do not
    /// depend on how often it was saved.
    pub fn save(&mut self) -> io::Result<()> {
        if self.games > 0 {
            let start = self.out.stream_position()?;
            self.seal();
            let written = self.out.write_all(&self.block);
            self.out.seek(SeekFrom::Start(start))?;
            written?;
        }
        self.out.sync_data()
    }

    /// Writes what has been collected, and returns when it is on the disk.
    pub fn sync(&mut self) -> io::Result<()> {
        self.flush()?;
        self.out.sync_data()
    }
}

/// Locks the file, so that no other program cuts or writes it. Where files cannot be locked, that is left to the user.
fn lock(file: &File) -> Result<(), PackedError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(PackedError::InUse),
        Err(TryLockError::Error(_)) | Ok(()) => Ok(()),
    }
}

impl<W: Write> Writer<W> {
    /// Writes games to a stream, from the header of a file on.
    pub fn new(mut out: W) -> io::Result<Writer<W>> {
        out.write_all(&file_header())?;
        Ok(Writer::behind_header(out))
    }

    fn behind_header(out: W) -> Writer<W> {
        Writer { out, block: vec![0; BLOCK_HEADER], games: 0, positions: 0 }
    }

    /// Adds a game. If that fails, because those before it cannot be written or because it is too long, it is not
    /// taken.
    pub fn write(&mut self, game: &PackedGame) -> Result<(), PackedError> {
        let size = game.packed_size();
        if size > MOST_CONTENTS {
            return Err(PackedError::TooLong(game.plies().len()));
        }
        let contents = self.block.len() - BLOCK_HEADER;
        if contents >= ENOUGH || contents + size > MOST_CONTENTS {
            self.flush()?;
        }
        game.pack(&mut self.block);
        self.games += 1;
        self.positions += game.plies().len() as u32;
        Ok(())
    }

    /// Fills in the header of the block.
    fn seal(&mut self) {
        let header = Header::of(&self.block[BLOCK_HEADER..], self.games, self.positions);
        self.block[..BLOCK_HEADER].copy_from_slice(&header.bytes());
    }

    /// Writes the games that have been collected.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.games > 0 {
            self.seal();
            self.out.write_all(&self.block)?;
            self.block.truncate(BLOCK_HEADER);
            (self.games, self.positions) = (0, 0);
        }
        self.out.flush()
    }
}

impl<W: Write> Drop for Writer<W> {
    fn drop(&mut self) {
        // To know whether it worked, call flush.
        let _ = self.flush();
    }
}
