//! Any mind as a program of the founding document's world: positions in, square numbers out.

use std::io::{self, BufRead, Write};

use rules::Game;
use search::Control;

use crate::{Allowance, Mind, WorldMind};

/// Lets a mind answer positions, one FEN a line, with `from,to`, until the input ends.
///
/// A position that makes no sense, or one in which the mind has no answer, is answered `0,0`, which forfeits.
pub fn speak_world(
    mut mind: Box<dyn Mind>,
    allowance: &Allowance,
    input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let mut is_new_run = true;
    for line in input.split(b'\n') {
        let line = line?;
        let fen = String::from_utf8_lossy(&line);
        if fen.trim().is_empty() {
            continue;
        }
        let answer = match fen.trim().parse() {
            Ok(position) => {
                let game = Game::new(position);
                let readied = if std::mem::take(&mut is_new_run) { mind.new_game(&position) } else { Ok(()) };
                let choice = readied.and_then(|()| mind.choose(&game, allowance, &Control::new(), &mut ()));
                WorldMind::answer(&position, choice.ok().and_then(|choice| choice.mv()))
            }
            Err(_) => WorldMind::answer(&rules::Position::initial(), None),
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}
