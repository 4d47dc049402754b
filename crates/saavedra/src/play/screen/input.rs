//! What a player has in hand: the line being typed, the square under the cursor, the piece that was picked up.

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use rules::{Bitboard, Move, Position, Square};

use super::super::command;
use super::super::controller::{Controller, Reaction};
use super::super::text;
use super::board::BoardPlace;

/// Whether the player stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Stay,
    Leave,
}

/// A line may be so long.
const LONGEST_LINE: usize = 200;

#[derive(Clone, Default, Debug)]
pub(super) struct Input {
    input: String,
    /// What the tab key offers, and which of it is shown now.
    offers: Option<(Vec<String>, usize)>,
    cursor: Option<Square>,
    selected: Option<Square>,
    notice: String,
    /// A text that covers the board until a key is pressed.
    sheet: Option<String>,
}

impl Input {
    pub(super) fn input(&self) -> &str {
        &self.input
    }

    pub(super) fn cursor(&self) -> Option<Square> {
        self.cursor
    }

    pub(super) fn selected(&self) -> Option<Square> {
        self.selected
    }

    pub(super) fn notice(&self) -> &str {
        &self.notice
    }

    pub(super) fn sheet(&self) -> Option<&str> {
        self.sheet.as_deref()
    }

    /// Where the piece on a square may go.
    pub(super) fn targets(&self, position: &Position, from: Square) -> Bitboard {
        position.legal_moves().into_iter().filter(|mv| mv.from() == from).map(|mv| text::ends(mv)[1]).collect()
    }

    /// Takes in a key or the mouse.
    pub(super) fn handle(&mut self, event: &Event, board: Option<BoardPlace>, controller: &mut Controller) -> Step {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.press(key, controller),
            Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
                self.sheet = None;
                self.cursor = None;
                match board.and_then(|board| board.square_at(mouse.column, mouse.row)) {
                    Some(square) => self.touch(square, controller),
                    None => Step::Stay,
                }
            }
            _ => Step::Stay,
        }
    }

    fn press(&mut self, key: &KeyEvent, controller: &mut Controller) -> Step {
        let sheet = self.sheet.take();
        let offers = self.offers.take();
        let has_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd' | 'q') if has_control => return Step::Leave,
            KeyCode::Char(letter) if !has_control && self.input.len() < LONGEST_LINE => {
                self.cursor = None;
                self.input.push(letter);
            }
            KeyCode::Backspace => drop(self.input.pop()),
            KeyCode::Tab => self.complete(offers, controller.game.position()),
            KeyCode::Esc if sheet.is_none() => {
                self.input.clear();
                self.selected = None;
                self.cursor = None;
                self.notice.clear();
            }
            KeyCode::F(1) => return self.say("help", controller),
            KeyCode::Enter if self.input.trim().is_empty() => {
                if let Some(square) = self.cursor {
                    return self.touch(square, controller);
                }
            }
            KeyCode::Enter => {
                let line = std::mem::take(&mut self.input);
                return self.say(&line, controller);
            }
            KeyCode::Left => self.steer(-1, 0, controller),
            KeyCode::Right => self.steer(1, 0, controller),
            KeyCode::Up => self.steer(0, 1, controller),
            KeyCode::Down => self.steer(0, -1, controller),
            _ => {}
        }
        Step::Stay
    }

    /// Does what a line says and notes what comes of it.
    fn say(&mut self, line: &str, controller: &mut Controller) -> Step {
        self.selected = None;
        self.notice.clear();
        match controller.execute(line) {
            Ok(Reaction::Done) => {}
            Ok(Reaction::Quit) => return Step::Leave,
            Ok(Reaction::Show(text)) if text.contains('\n') => self.sheet = Some(text),
            Ok(Reaction::Show(text)) | Err(text) => self.notice = text,
        }
        Step::Stay
    }

    /// Fills in what the line may become, one after the other.
    fn complete(&mut self, offers: Option<(Vec<String>, usize)>, position: &Position) {
        let (words, next) = match offers {
            Some((words, shown)) => (words, shown + 1),
            None => (command::completions(&self.input, position), 0),
        };
        if let Some(word) = words.get(next % words.len().max(1)) {
            self.input.clone_from(word);
            let shown = next % words.len();
            self.offers = Some((words, shown));
        }
    }

    /// Moves the cursor one square on, as the player sees the board.
    fn steer(&mut self, right: i8, up: i8, controller: &Controller) {
        let game = &controller.game;
        let (right, up) = match game.orientation() {
            rules::Color::White => (right, up),
            rules::Color::Black => (-right, -up),
        };
        let here = self.cursor.or(self.selected);
        let next = match here {
            Some(square) => square.offset(right, up).unwrap_or(square),
            None => game.position().king(game.you()),
        };
        self.cursor = Some(next);
    }

    /// Picks a piece up, or puts the one that was picked up down.
    fn touch(&mut self, square: Square, controller: &mut Controller) -> Step {
        let position = controller.game.position();
        let moves: Vec<Move> = match self.selected {
            Some(from) => {
                let legal = position.legal_moves().into_iter();
                legal.filter(|mv| mv.from() == from && text::ends(*mv)[1] == square).collect()
            }
            None => Vec::new(),
        };
        self.notice.clear();
        match moves[..] {
            [mv] => {
                let line = position.san(mv);
                return self.say(&line, controller);
            }
            [mv, ..] => {
                self.selected = None;
                self.input = format!("{}{}", mv.from(), mv.to());
                self.notice = "promote to? q, r, b or n, and Enter".to_owned();
            }
            [] if self.selected == Some(square) => self.selected = None,
            [] => {
                let is_own = position.color_at(square) == Some(controller.game.you());
                self.selected = is_own.then_some(square);
            }
        }
        Step::Stay
    }
}
