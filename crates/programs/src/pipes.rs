//! The three pipes: lines out of a program with the time at which they came, complaints, and lines into it.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::ChildStdin;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::program::OutputLine;

/// How many lines wait to be read before the program has to wait itself.
pub const LINES_AHEAD: usize = 1024;

/// How many lines of error output are kept, and how much of each.
const COMPLAINTS: usize = 20;
const LONGEST_COMPLAINT: usize = 1024;

/// What comes out of a program.
pub(crate) enum Output {
    Line(OutputLine),
    TooLong,
}

/// Hands on lines until the program closes its output or the receiver is gone.
pub(crate) fn read_lines(output: impl Read, longest: usize, sender: &SyncSender<Output>) {
    let mut output = BufReader::new(output);
    while let Ok(Some(piece)) = read_piece(&mut output, longest) {
        let said = match piece {
            Piece::Line(text) => Output::Line(OutputLine { text, at: Instant::now() }),
            Piece::Start(_) => Output::TooLong,
        };
        let is_cut = matches!(said, Output::TooLong);
        // A line without end must be told now, not when it ends.
        if sender.send(said).is_err() || (is_cut && skip_line(&mut output).is_err()) {
            return;
        }
    }
}

/// The last lines of error output.
#[derive(Clone, Default)]
pub(crate) struct Complaints(Arc<Mutex<VecDeque<String>>>);

impl Complaints {
    /// Reads error output to its end, so that the program never waits for us, and keeps the last lines.
    pub(crate) fn read(&self, errors: impl Read) {
        let mut errors = BufReader::new(errors);
        while let Ok(Some(Piece::Line(text) | Piece::Start(text))) = read_piece(&mut errors, LONGEST_COMPLAINT) {
            let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if !text.trim().is_empty() {
                if lines.len() == COMPLAINTS {
                    lines.pop_front();
                }
                lines.push_back(text);
            }
        }
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// What is read at a time.
#[derive(PartialEq, Eq, Debug)]
enum Piece {
    /// A line without its end.
    Line(String),
    /// The start of a line that is too long; its rest can be read next.
    Start(String),
}

/// Reads a line, which need not end if it is the last one.
fn read_piece(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Piece>> {
    let mut line = Vec::new();
    // The end of the line, of one or two bytes, does not count.
    if input.by_ref().take(longest as u64 + 2).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    let is_ended = line.pop_if(|last| *last == b'\n').is_some();
    if is_ended {
        line.pop_if(|last| *last == b'\r');
    }
    let text = String::from_utf8_lossy(&line).into_owned();
    Ok(Some(if is_ended || line.len() <= longest { Piece::Line(text) } else { Piece::Start(text) }))
}

/// A line was longer than lines may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLong;

/// Reads a line of an input, without its end; none at the end of the input. A line of more bytes than the longest is
/// read to its end and thrown away, so that an endless one does not fill the memory.
pub fn read_line(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Result<String, TooLong>>> {
    Ok(match read_piece(input, longest)? {
        None => None,
        Some(Piece::Line(text)) => Some(Ok(text)),
        Some(Piece::Start(_)) => {
            skip_line(input)?;
            Some(Err(TooLong))
        }
    })
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let (length, end) = match available.iter().position(|&byte| byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (available.len(), available.is_empty()),
        };
        input.consume(length);
        if end {
            return Ok(());
        }
    }
}

/// Makes writing to a full pipe return instead of waiting, where that can be done.
pub(crate) fn never_wait(input: &ChildStdin) -> io::Result<()> {
    #[cfg(unix)]
    {
        use nix::fcntl::{FcntlArg, OFlag, fcntl};
        // The flag belongs to our end of the pipe: the program still waits for its input.
        fcntl(input, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    }
    let _ = input;
    Ok(())
}

/// Writes all bytes, as fast as the program reads them, until the deadline. Where pipes always wait, so do we.
pub(crate) fn write(input: &mut ChildStdin, mut bytes: &[u8], deadline: Instant) -> io::Result<()> {
    while !bytes.is_empty() {
        match input.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => wait_for_room(input, deadline)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(unix)]
fn wait_for_room(input: &ChildStdin, deadline: Instant) -> io::Result<()> {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd;
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    // Half a millisecond must not become none, which would be a busy wait.
    let timeout = PollTimeout::try_from(left.as_millis() + 1).unwrap_or(PollTimeout::MAX);
    match poll(&mut [PollFd::new(input.as_fd(), PollFlags::POLLOUT)], timeout) {
        Ok(_) | Err(nix::Error::EINTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn wait_for_room(_input: &ChildStdin, _deadline: Instant) -> io::Result<()> {
    Err(io::ErrorKind::TimedOut.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str, longest: usize) -> Vec<Piece> {
        let mut input = BufReader::with_capacity(3, text.as_bytes());
        std::iter::from_fn(|| {
            let piece = read_piece(&mut input, longest).expect("memory can be read");
            if let Some(Piece::Start(_)) = piece {
                skip_line(&mut input).expect("memory can be read");
            }
            piece
        })
        .collect()
    }

    #[test]
    fn lines_end_with_or_without_a_carriage_return_and_the_last_one_need_not_end() {
        let expected = ["a", "", " b ", "c"].map(|text| Piece::Line(text.to_owned()));
        assert_eq!(pieces("a\r\n\n b \nc", 10), expected);
    }

    #[test]
    fn a_line_that_is_too_long_is_left_out_and_the_next_is_read() {
        let mut input = BufReader::with_capacity(3, "one\nmuch too long\ntwo".as_bytes());
        let mut next = || read_line(&mut input, 5).expect("memory can be read");
        assert_eq!([next(), next()], [Some(Ok("one".to_owned())), Some(Err(TooLong))]);
        assert_eq!([next(), next()], [Some(Ok("two".to_owned())), None]);
    }

    #[test]
    fn a_line_of_the_longest_length_is_whole_and_a_longer_one_is_cut_once() {
        let line = |text: &str| Piece::Line(text.to_owned());
        let start = |text: &str| Piece::Start(text.to_owned());
        let text = "1234\r\n1234567\n1234567890123\nx\n123456789";
        assert_eq!(pieces(text, 4), [line("1234"), start("123456"), start("123456"), line("x"), start("123456")]);
    }
}
