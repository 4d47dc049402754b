//! The game on the whole terminal: keys and the mouse in, pictures of the game out.

mod board;
mod input;
mod view;

use std::io::{self, stdout};
use std::panic;
use std::thread;
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::crossterm::{cursor, execute};

use super::controller::Controller;
use super::text::Pieces;
use input::{Input, Step};

/// How often clocks and thoughts are redrawn while no key is pressed.
const TICK: Duration = Duration::from_millis(50);

/// Plays until the player leaves.
pub(crate) fn run(mut controller: Controller, pieces: Pieces) -> io::Result<()> {
    let _screen = Screen::enter()?;
    let mut terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
    let mut input = Input::default();
    loop {
        controller.update();
        while controller.handle_event(Duration::ZERO) {
            controller.update();
        }
        let mut layout = None;
        terminal.draw(|frame| layout = Some(view::draw(frame, &controller.game, &input, pieces, Instant::now())))?;
        if event::poll(TICK)?
            && input.handle(&event::read()?, layout.as_ref().and_then(|layout| layout.board), &mut controller)
                == Step::Leave
        {
            return Ok(());
        }
    }
}

/// The terminal while it is ours. However we leave, it is given back as it was.
struct Screen;

impl Screen {
    fn enter() -> io::Result<Screen> {
        let screen = Screen;
        let ours = thread::current().id();
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // A mind that breaks down on its own thread is told as a fault, and the screen stays.
            if thread::current().id() == ours {
                leave();
                tell(info);
            }
        }));
        // If there is another handler already, quitting is up to that.
        programs::on_interrupt(|_| {
            leave();
            programs::exit_interrupted();
        });
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // In a panic the hook has done it already, and the message stands on the screen.
        if !thread::panicking() {
            leave();
            // The hook in place gives way to the one every program begins with.
            drop(panic::take_hook());
        }
    }
}

/// Gives the terminal back. What cannot be undone cannot be helped.
fn leave() {
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, cursor::Show);
    let _ = disable_raw_mode();
}

#[cfg(test)]
mod tests;
