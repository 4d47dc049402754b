//! The game as a conversation, line by line: for pipes, for plain terminals, and for tests.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use rules::Color;

use super::room::{Reaction, Room};
use super::{clock, text};

/// A line may be so long; what is beyond is not read.
const LONGEST_LINE: usize = 1000;

/// How often clocks are looked at while a mind thinks.
const GLANCE: Duration = Duration::from_millis(100);

/// Plays until the player leaves or says nothing more.
pub(crate) fn run(mut room: Room, input: &mut impl BufRead, out: &mut impl Write) -> io::Result<()> {
    let session = &room.session;
    writeln!(out, "You have {}. \"help\" lists the commands.\n", session.you())?;
    writeln!(out, "{}\n", text::board(session))?;
    wait_for_mind(&mut room, out)?;
    loop {
        tell_state(&room, out)?;
        out.flush()?;
        let Some(line) = read_line(input)? else { return Ok(()) };
        let seen = |room: &Room| (room.session.ticket(), room.session.orientation());
        let before = seen(&room);
        match room.obey(&line) {
            Ok(Reaction::Quit) => return Ok(()),
            Ok(Reaction::Show(answer)) => writeln!(out, "{answer}")?,
            Ok(Reaction::Done) => {}
            Err(complaint) => writeln!(out, "{complaint}")?,
        }
        let is_another = seen(&room) != before;
        if is_another && (room.session.is_your_turn() || room.session.end().is_some()) {
            writeln!(out, "{}\n", text::board(&room.session))?;
        }
        wait_for_mind(&mut room, out)?;
    }
}

/// Waits while a mind thinks, and tells what came of it.
fn wait_for_mind(room: &mut Room, out: &mut impl Write) -> io::Result<()> {
    room.keep_busy();
    while room.is_busy() {
        let plies = room.session.game().moves().len();
        let has_hint = room.session.hint().is_some();
        room.listen(GLANCE);
        let session = &room.session;
        if session.game().moves().len() > plies {
            let position = &session.game().positions()[plies];
            let san = position.san(session.game().moves()[plies]);
            let number = position.fullmove_number();
            let dots = if position.turn() == Color::White { "." } else { "..." };
            write!(out, "{} plays {number}{dots} {san}", session.name(position.turn()))?;
            if let Some(thought) = session.thought() {
                write!(out, "  ({} at depth {}: {})", thought.score, thought.depth, thought.line)?;
            }
            writeln!(out, "\n\n{}\n", text::board(session))?;
        }
        if let Some(hint) = session.hint().filter(|_| !has_hint) {
            writeln!(out, "the search would play {}", session.position().san(hint))?;
        }
        room.keep_busy();
    }
    Ok(())
}

fn tell_state(room: &Room, out: &mut impl Write) -> io::Result<()> {
    let session = &room.session;
    let now = Instant::now();
    write!(out, "{}", text::status(session))?;
    let clock = |color| session.time_left(color, now).map(|left| format!("{color} {}", clock::show(left)));
    if let (Some(white), Some(black)) = (clock(Color::White), clock(Color::Black)) {
        write!(out, "  ({white}, {black})")?;
    }
    writeln!(out)
}

/// The next line, or nothing at the end. Bytes that are no text and what is too long are not the player's words.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut has_more = false;
    loop {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        if available.is_empty() {
            break;
        }
        has_more = true;
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        line.extend(&part[..part.len().min(LONGEST_LINE - line.len().min(LONGEST_LINE))]);
        let used = end.map_or(available.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    Ok(has_more.then(|| String::from_utf8_lossy(&line).into_owned()))
}
