//! Any mind as a program of the founding document's world: positions in, square numbers out.

use std::io::{self, BufRead, Write};

use programs::{TooLong, read_line};
use rules::{Game, Position};
use search::Control;

use crate::{Allowance, Choice, Fault, GameEnd, Mind, world_answer};

/// No position needs a longer line.
const LONGEST_LINE: usize = 1024;

/// Lets a mind answer positions, one FEN a line, with `from,to`, until the input ends: this is one run.
///
/// The run begins with the first position and ends with the input or the output, and the mind is told of both. Every
/// line has an answer, so that no caller waits in vain: `0,0`, which forfeits, for a line that is no position, be it
/// blank, and for a position in which the mind has no answer; why it has none, `on_fault` is told.
pub fn speak_world(
    mut mind: Box<dyn Mind>,
    allowance: &Allowance,
    input: impl BufRead,
    output: impl Write,
    mut on_fault: impl FnMut(&Fault),
) -> io::Result<()> {
    let mut run = Run { mind: &mut *mind, allowance, has_begun: false, on_fault: &mut on_fault };
    let spoken = run.speak(input, output);
    if run.has_begun {
        // Whether the game has ended, and how, the world does not tell.
        mind.end_game(GameEnd::Unfinished);
    }
    spoken
}

struct Run<'a> {
    mind: &'a mut dyn Mind,
    allowance: &'a Allowance,
    has_begun: bool,
    on_fault: &'a mut dyn FnMut(&Fault),
}

impl Run<'_> {
    fn speak(&mut self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        while let Some(line) = read_line(&mut input, LONGEST_LINE)? {
            let position = match line {
                Ok(text) => text.trim().parse::<Position>().ok(),
                Err(TooLong) => None,
            };
            let choice = position.and_then(|position| self.act(&position));
            let answer = world_answer(&position.unwrap_or_default(), choice.and_then(Choice::mv));
            writeln!(output, "{answer}")?;
            output.flush()?;
        }
        Ok(())
    }

    /// What the mind does in a position, if it does anything.
    fn act(&mut self, position: &Position) -> Option<Choice> {
        let choice = self.choose(position);
        choice.map_err(|fault| (self.on_fault)(&fault)).ok()
    }

    fn choose(&mut self, position: &Position) -> Result<Choice, Fault> {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.mind.new_game(position)?;
        }
        self.mind.choose(&Game::new(*position), self.allowance, &Control::new(), &mut ())
    }
}
