//! Bytes to tokens: the part of the reader that looks at every byte of a file.
//!
//! One buffer is filled again and again. A token always lies in it in one piece, so nothing is copied; the buffer grows
//! for a long comment, up to a limit beyond which the token is dropped and said to be too long.

use std::io::{self, Read};
use std::ops::Range;

/// What the buffer holds at first.
const BUFFER: usize = 1 << 16;

/// The longest token, in bytes.
pub(super) const LONGEST_TOKEN: usize = 1 << 20;

/// What may be read without the end of a game. A stream that never ends and has no games must not keep us for ever.
pub(super) const LONGEST_GAME: u64 = 256 << 20;

/// The longest word; no move is written with more letters.
const LONGEST_WORD: usize = 64;

/// The longest of the brackets that may follow a move as a part of it: `(e.p.)`.
const LONGEST_SUFFIX: usize = 6;

/// A piece of a PGN file. The text of the last one is [`Lexer::text`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A tag pair; the text is all between its brackets.
    Tag,
    /// A move, a move number, a result, or something that is none of these.
    Word,
    /// A comment; the text is all between its braces, or up to the end of its line.
    Comment,
    /// `$1` or `!`.
    Nag(u8),
    OpenVariation,
    CloseVariation,
    /// Something longer than the limit, which was passed over.
    TooLong,
    /// A comment that the file ends in.
    Unclosed,
    /// The end of the file.
    End,
}

/// Where a bracket opens a tag: anywhere among tags, but at the start of a line among moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Context {
    Tags,
    Moves,
}

pub(super) struct Lexer<R> {
    source: R,
    buffer: Vec<u8>,
    /// What has been read and not yet looked at lies from here …
    position: usize,
    /// … to here.
    end: usize,
    is_exhausted: bool,
    text: Range<usize>,
    /// Line ends that were counted, up to a place in the buffer.
    lines: u64,
    counted: usize,
    /// Line ends since the token before the last.
    line_ends: u32,
    /// Nothing has been looked at yet.
    is_at_start: bool,
    /// How many bytes were read since the last game.
    read: u64,
}

impl<R: Read> Lexer<R> {
    pub(super) fn new(source: R) -> Lexer<R> {
        Lexer {
            source,
            buffer: vec![0; BUFFER],
            position: 0,
            end: 0,
            is_exhausted: false,
            text: 0..0,
            lines: 0,
            counted: 0,
            line_ends: 0,
            is_at_start: true,
            read: 0,
        }
    }

    /// The text of the last token, until the next one is asked for.
    #[inline]
    pub(super) fn text(&self) -> &[u8] {
        &self.buffer[self.text.clone()]
    }

    /// What the buffer holds behind the last token, or from it on if it is still to be used.
    pub(super) fn unread(&self, last: Option<Token>) -> &[u8] {
        let from = match last {
            None => self.position,
            // Its text begins behind the bracket.
            Some(Token::Tag) => self.text.start - 1,
            Some(_) => self.text.start,
        };
        &self.buffer[from..self.end]
    }

    /// The number of the line that the last token is on.
    pub(super) fn line(&mut self) -> u64 {
        self.count_lines(self.text.start);
        self.lines + 1
    }

    /// Counts every line once, and only when the number is asked for or the buffer is filled again.
    fn count_lines(&mut self, end: usize) {
        if let Some(lines) = self.buffer.get(self.counted..end) {
            self.lines += lines.iter().filter(|&&byte| byte == b'\n').count() as u64;
            self.counted = end;
        }
    }

    /// Whether an empty line comes before the last token.
    pub(super) fn follows_empty_line(&self) -> bool {
        self.line_ends >= 2
    }

    /// The next token.
    #[inline]
    pub(super) fn next(&mut self, context: Context) -> io::Result<Token> {
        self.line_ends = 0;
        if std::mem::take(&mut self.is_at_start) {
            self.begin()?;
        }
        loop {
            let Some(&byte) = self.buffer[..self.end].get(self.position) else {
                if self.fill()? {
                    continue;
                }
                self.text = self.position..self.position;
                return Ok(Token::End);
            };
            match CLASSES[usize::from(byte)] {
                Class::Space => {
                    self.position += 1;
                    self.line_ends += u32::from(byte == b'\n');
                }
                Class::Word => return self.word(),
                Class::Special => {
                    if let Some(token) = self.special(byte, context)? {
                        return Ok(token);
                    }
                }
            }
        }
    }

    /// The start of the file is the start of a line, behind the mark that some programs put before UTF-8.
    #[cold]
    fn begin(&mut self) -> io::Result<()> {
        self.line_ends = 1;
        let is_marked = self.peek(0)? == Some(0xef) && self.peek(1)? == Some(0xbb) && self.peek(2)? == Some(0xbf);
        self.position += if is_marked { 3 } else { 0 };
        Ok(())
    }

    /// A comment on the rest of the line of the last token, if one comes next.
    pub(super) fn comment_on_this_line(&mut self) -> io::Result<bool> {
        loop {
            match self.peek(0)? {
                Some(b' ' | b'\t') => self.position += 1,
                Some(b'{') => return Ok(self.comment(b'}')? == Token::Comment),
                _ => return Ok(false),
            }
        }
    }

    #[inline]
    fn word(&mut self) -> io::Result<Token> {
        let mut length;
        loop {
            let window = &self.buffer[self.position..self.end];
            length = 1;
            while length < window.len() && matches!(CLASSES[usize::from(window[length])], Class::Word) {
                length += 1;
            }
            // More is read only where the word may go on, so that a stream of lines is asked for no line too many.
            let is_cut = match window.get(length) {
                None => length <= LONGEST_WORD,
                Some(b'(') => window.len() < length + LONGEST_SUFFIX,
                Some(_) => false,
            };
            if !is_cut || !self.fill()? {
                break;
            }
        }
        if length > LONGEST_WORD {
            self.text = self.position..self.position;
            self.skip_to(|byte| !matches!(CLASSES[usize::from(byte)], Class::Word))?;
            return Ok(Token::TooLong);
        }
        // Older files write e8(Q) and exd6(e.p.).
        let window = &self.buffer[self.position..self.end];
        let bracketed = [&b"(Q)"[..], b"(R)", b"(B)", b"(N)", b"(e.p.)", b"(ep)"];
        if window.get(length) == Some(&b'(')
            && let Some(suffix) = bracketed.into_iter().find(|suffix| window[length..].starts_with(suffix))
        {
            length += suffix.len();
        }
        self.text = self.position..self.position + length;
        self.position += length;
        Ok(Token::Word)
    }

    /// What begins with a byte that is no part of a word; nothing if it means nothing.
    fn special(&mut self, byte: u8, context: Context) -> io::Result<Option<Token>> {
        let token = match byte {
            b'{' => self.comment(b'}')?,
            b';' => self.comment(b'\n')?,
            b'(' => self.sign(Token::OpenVariation),
            b')' => self.sign(Token::CloseVariation),
            b'*' => self.sign(Token::Word),
            b'!' | b'?' => self.mark()?,
            b'$' => return self.nag(),
            b'[' if context == Context::Tags || self.line_ends > 0 => return self.tag(),
            b'%' if self.line_ends > 0 => {
                // An escaped line. The line end is left for the next token to see.
                self.skip_to(|byte| byte == b'\n')?;
                return Ok(None);
            }
            _ => {
                self.position += 1;
                return Ok(None);
            }
        };
        Ok(Some(token))
    }

    fn sign(&mut self, token: Token) -> Token {
        self.text = self.position..self.position + 1;
        self.position += 1;
        token
    }

    /// `!?` and its like.
    fn mark(&mut self) -> io::Result<Token> {
        let nag = match (self.peek(0)?, self.peek(1)?) {
            (Some(b'!'), Some(b'!')) => 3,
            (Some(b'?'), Some(b'?')) => 4,
            (Some(b'!'), Some(b'?')) => 5,
            (Some(b'?'), Some(b'!')) => 6,
            (Some(b'!'), _) => 1,
            _ => 2,
        };
        self.text = self.position..self.position;
        while matches!(self.peek(0)?, Some(b'!' | b'?')) {
            self.position += 1;
        }
        Ok(Token::Nag(nag))
    }

    /// `$` and a number; a number that no glyph has is passed over.
    fn nag(&mut self) -> io::Result<Option<Token>> {
        self.text = self.position..self.position;
        self.position += 1;
        let mut number = None;
        while let Some(digit @ b'0'..=b'9') = self.peek(0)? {
            number = Some((number.unwrap_or(0_u32) * 10 + u32::from(digit - b'0')).min(1_000));
            self.position += 1;
        }
        Ok(number.and_then(|number| u8::try_from(number).ok()).map(Token::Nag))
    }

    /// A tag pair, which ends with a quotation mark and a bracket, or with its line.
    fn tag(&mut self) -> io::Result<Option<Token>> {
        let Some(length) = self.find(b'\n')? else {
            // Nothing of value is that long, and the game can do without.
            self.skip_to(|byte| byte == b'\n')?;
            return Ok(None);
        };
        let line = &self.buffer[self.position..self.position + length];
        let end = tag_end(line).unwrap_or(length);
        self.text = self.position + 1..self.position + end;
        self.position += (end + 1).min(length);
        Ok(Some(Token::Tag))
    }

    fn comment(&mut self, closing: u8) -> io::Result<Token> {
        match self.find(closing)? {
            Some(length) => {
                self.text = self.position + 1..self.position + length;
                let is_closed = self.position + length < self.end;
                // The end of a line is left for the next token to see.
                self.position += length + usize::from(closing == b'}' && is_closed);
                Ok(if is_closed || closing == b'\n' { Token::Comment } else { Token::Unclosed })
            }
            None => {
                self.skip_to(|byte| byte == closing)?;
                self.position += usize::from(closing == b'}' && self.position < self.end);
                Ok(Token::TooLong)
            }
        }
    }

    /// How far ahead a byte is, or the end of the file; nothing if it is beyond the limit. The first byte is passed
    /// over.
    fn find(&mut self, wanted: u8) -> io::Result<Option<usize>> {
        let mut searched = 1;
        loop {
            let window = &self.buffer[self.position..self.end];
            if let Some(found) = window.get(searched..).and_then(|rest| find_byte(rest, wanted)) {
                return Ok(Some(searched + found));
            }
            searched = window.len().max(1);
            if searched >= LONGEST_TOKEN {
                self.text = self.position..self.position;
                return Ok(None);
            }
            if !self.fill()? {
                return Ok(Some(self.end - self.position));
            }
        }
    }

    /// Moves on to the first byte of a kind, or to the end of the file. The text begins where this began, as long as
    /// the buffer holds it.
    fn skip_to(&mut self, is_wanted: impl Fn(u8) -> bool) -> io::Result<()> {
        loop {
            let window = &self.buffer[self.position..self.end];
            if let Some(length) = window.iter().position(|&byte| is_wanted(byte)) {
                self.position += length;
                return Ok(());
            }
            self.position = self.end;
            if !self.fill()? {
                return Ok(());
            }
        }
    }

    fn peek(&mut self, ahead: usize) -> io::Result<Option<u8>> {
        while self.position + ahead >= self.end {
            if !self.fill()? {
                return Ok(None);
            }
        }
        Ok(Some(self.buffer[self.position + ahead]))
    }

    /// The bytes that the next game may take are counted from here.
    pub(super) fn begin_game(&mut self) {
        self.read = 0;
    }

    /// Reads more behind what is still to be looked at. False at the end of the file.
    #[cold]
    fn fill(&mut self) -> io::Result<bool> {
        if self.is_exhausted {
            return Ok(false);
        }
        self.count_lines(self.position);
        self.counted = 0;
        self.buffer.copy_within(self.position..self.end, 0);
        self.text = 0..0;
        self.end -= self.position;
        self.position = 0;
        if self.end == self.buffer.len() {
            self.buffer.resize(2 * self.end, 0);
        }
        loop {
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(count) => {
                    self.end += count;
                    self.read += count as u64;
                    if self.read > LONGEST_GAME {
                        let size = LONGEST_GAME >> 20;
                        return Err(io::Error::new(
                            io::ErrorKind::InvalidData,
                            format!("no game ends within {size} MiB"),
                        ));
                    }
                    self.is_exhausted = count == 0;
                    return Ok(count > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Where the bracket is that closes a tag: the first one behind a quotation mark that is not escaped.
fn tag_end(line: &[u8]) -> Option<usize> {
    let mut at = find_byte(line, b'"')? + 1;
    loop {
        at += find_byte(&line[at..], b'"')?;
        let escapes = line[..at].iter().rev().take_while(|&&byte| byte == b'\\').count();
        at += 1;
        if escapes % 2 == 0 {
            let blanks = line[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            if line.get(at + blanks) == Some(&b']') {
                return Some(at + blanks);
            }
        }
    }
}

/// Where a byte first occurs, looking at eight at a time: comments and tags are half of many files.
#[inline]
pub(super) fn find_byte(bytes: &[u8], wanted: u8) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, &word) in words.iter().enumerate() {
        // The lowest zero byte of the difference is the first match.
        let difference = u64::from_le_bytes(word) ^ (ONES * u64::from(wanted));
        let zeros = difference.wrapping_sub(ONES) & !difference & (ONES << 7);
        if zeros != 0 {
            return Some(8 * index + zeros.trailing_zeros() as usize / 8);
        }
    }
    let found = rest.iter().position(|&byte| byte == wanted);
    found.map(|index| 8 * words.len() + index)
}

#[derive(Clone, Copy)]
enum Class {
    Space,
    Word,
    Special,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Special; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => Class::Space,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => Class::Word,
            b'+' | b'-' | b'=' | b'#' | b'.' | b':' | b'/' | b'@' | b'_' | b',' | b'~' | b'\'' | b'&' => Class::Word,
            0x80..=0xff => Class::Word,
            _ => Class::Special,
        };
        byte += 1;
    }
    classes
};
