//! The game as a conversation, line by line: for pipes, for plain terminals, and for tests.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use game::clock_text;
use rules::Color;

use super::controller::{Controller, Reaction};
use super::text;

/// A line may be so long; what is beyond is not read.
const LONGEST_LINE: usize = 1000;

/// How often clocks are checked while the engine thinks.
const POLL: Duration = Duration::from_millis(100);

/// Plays until the person leaves or the input ends.
pub(crate) fn run(mut controller: Controller, input: &mut impl BufRead, out: &mut impl Write) -> io::Result<()> {
    let game = &controller.game;
    writeln!(out, "You have {}. \"help\" lists the commands.\n", game.you())?;
    writeln!(out, "{}\n", text::board(game))?;
    wait_for_engine(&mut controller, out)?;
    loop {
        print_state(&controller, out)?;
        out.flush()?;
        let Some(line) = read_line(input)? else { return Ok(()) };
        let seen = |controller: &Controller| (controller.game.ticket(), controller.game.orientation());
        let before = seen(&controller);
        match controller.execute(&line) {
            Ok(Reaction::Quit) => return Ok(()),
            Ok(Reaction::Show(answer)) => writeln!(out, "{answer}")?,
            Ok(Reaction::Done) => {}
            Err(complaint) => writeln!(out, "{complaint}")?,
        }
        let is_another = seen(&controller) != before;
        if is_another && (controller.game.is_your_turn() || controller.game.session().is_over()) {
            writeln!(out, "{}\n", text::board(&controller.game))?;
        }
        wait_for_engine(&mut controller, out)?;
    }
}

/// Waits while the engine thinks, and prints its move or its hint.
fn wait_for_engine(controller: &mut Controller, out: &mut impl Write) -> io::Result<()> {
    controller.update();
    while controller.is_busy() {
        let plies = controller.game.game().moves().len();
        let has_hint = controller.game.hint().is_some();
        controller.handle_event(POLL);
        let game = &controller.game;
        if game.game().moves().len() > plies {
            let position = &game.game().positions()[plies];
            let san = position.san(game.game().moves()[plies]);
            let number = position.fullmove_number();
            let dots = if position.turn() == Color::White { "." } else { "..." };
            write!(out, "{} plays {number}{dots} {san}", game.name(position.turn()))?;
            if let Some(engine_line) = game.engine_line() {
                write!(out, "  ({} at depth {}: {})", engine_line.score, engine_line.depth, engine_line.line)?;
            }
            writeln!(out, "\n\n{}\n", text::board(game))?;
        }
        if let Some(hint) = game.hint().filter(|_| !has_hint) {
            writeln!(out, "the search would play {}", game.position().san(hint))?;
        }
        controller.update();
    }
    Ok(())
}

fn print_state(controller: &Controller, out: &mut impl Write) -> io::Result<()> {
    let game = &controller.game;
    let now = Instant::now();
    write!(out, "{}", text::status(game))?;
    let clock = |color| game.session().remaining(color, now).map(|left| format!("{color} {}", clock_text(left)));
    if let (Some(white), Some(black)) = (clock(Color::White), clock(Color::Black)) {
        write!(out, "  ({white}, {black})")?;
    }
    writeln!(out)
}

/// The next line, or nothing at the end. Bytes that are not UTF-8 are replaced, and what is too long is cut off.
pub(crate) fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
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
