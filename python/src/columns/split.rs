//! A stream cut into pieces of whole games, so that several threads can read them.
//!
//! A piece ends before an empty line and a tag `Event`. Whether a game begins there only a reader knows: the line may
//! stand in a comment. So each piece is read with the beginning of a game behind it. If the reader does not see that
//! game, the cut was wrong, and all from this piece on is read by one reader.

use std::io::{self, Cursor, Read};

/// How long a piece is, or a little longer.
const PIECE: usize = 1 << 18;

/// How far a cut is looked for. Files without tags `Event` are read by one thread.
const FURTHEST: usize = 1 << 24;

/// What a game begins with; put behind each piece.
pub(crate) const NEXT_GAME: &[u8] = b"[Event \"\"]\n";

/// Cuts a stream into pieces.
pub(crate) struct Splitter<R> {
    stream: R,
    /// What was read behind the last cut.
    rest: Vec<u8>,
    is_exhausted: bool,
}

/// What comes next in a stream.
pub(crate) enum Piece {
    /// Whole games, if the cut behind them is right.
    Games(Vec<u8>),
    /// The end of the stream, which needs no cut.
    Last(Vec<u8>),
    /// The beginning of something in which no cut was found.
    Uncut(Vec<u8>),
}

impl<R: Read> Splitter<R> {
    pub(crate) fn new(stream: R) -> Splitter<R> {
        Splitter { stream, rest: Vec::new(), is_exhausted: false }
    }

    /// All that has not been handed out.
    pub(crate) fn into_rest(self) -> impl Read {
        Cursor::new(self.rest).chain(self.stream)
    }

    /// Whether everything has been handed out.
    pub(crate) fn is_over(&self) -> bool {
        self.is_exhausted && self.rest.is_empty()
    }

    pub(crate) fn next(&mut self) -> io::Result<Piece> {
        let mut searched = 0;
        loop {
            self.fill(searched.max(PIECE) + PIECE / 4)?;
            // The last place where a game may begin, as far as has been read.
            if let Some(cut) = last_cut(&self.rest[searched.min(self.rest.len())..]) {
                let rest = self.rest.split_off(searched + cut);
                return Ok(Piece::Games(std::mem::replace(&mut self.rest, rest)));
            }
            if self.is_exhausted {
                return Ok(Piece::Last(std::mem::take(&mut self.rest)));
            }
            if self.rest.len() > FURTHEST {
                return Ok(Piece::Uncut(std::mem::take(&mut self.rest)));
            }
            // A cut may lie across the end of what has been read.
            searched = self.rest.len().saturating_sub(16);
        }
    }

    /// Reads until there are so many bytes, or the stream ends.
    fn fill(&mut self, bytes: usize) -> io::Result<()> {
        let missing = bytes.saturating_sub(self.rest.len());
        if missing > 0 && !self.is_exhausted {
            let read = self.stream.by_ref().take(missing as u64).read_to_end(&mut self.rest)?;
            self.is_exhausted = read < missing;
        }
        Ok(())
    }
}

/// Where the last tag `Event` behind an empty line begins, not counting the front.
fn last_cut(bytes: &[u8]) -> Option<usize> {
    const TAG: &[u8] = b"\n[Event ";
    let mut end = bytes.len();
    loop {
        let bracket = bytes[..end].iter().rposition(|&byte| byte == b'[')?;
        let line = bracket.checked_sub(1)?;
        let before = &bytes[..line];
        let is_empty_before = before.ends_with(b"\n") || before.ends_with(b"\n\r");
        if is_empty_before && bytes[line..].starts_with(TAG) {
            return Some(bracket);
        }
        end = bracket;
    }
}
