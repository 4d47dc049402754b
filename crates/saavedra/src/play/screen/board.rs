//! The picture of the board, and which square lies where on it.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position as Cell, Rect};
use ratatui::style::{Color as Paint, Modifier, Style};
use rules::{Bitboard, Color, Role, Square};

use super::super::terminal_game::TerminalGame;
use super::super::text::{self, Pieces};
use super::input::Input;

/// The sizes a square may have in columns and rows, the largest first. Cells are about twice as high as they are wide.
const SIZES: [(u16, u16); 4] = [(8, 4), (6, 3), (4, 2), (2, 1)];

/// Controller for the digits of the ranks on the left, and for the letters of the files below.
const LEFT: u16 = 2;
const BELOW: u16 = 1;

/// Where the board is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BoardPlace {
    /// The squares, without the coordinates.
    squares: Rect,
    orientation: Color,
}

impl BoardPlace {
    /// The largest board that fits into the upper left corner, if any does.
    pub(super) fn fit(area: Rect, orientation: Color) -> Option<BoardPlace> {
        let fits = |&(width, height): &(u16, u16)| 8 * width + LEFT <= area.width && 8 * height + BELOW <= area.height;
        let (width, height) = SIZES.into_iter().find(fits)?;
        let squares = Rect::new(area.x + LEFT, area.y, 8 * width, 8 * height);
        Some(BoardPlace { squares, orientation })
    }

    /// The columns the board takes, coordinates included.
    pub(super) fn width(self) -> u16 {
        self.squares.width + LEFT
    }

    /// The rows the board takes, coordinates included.
    pub(super) fn height(self) -> u16 {
        self.squares.height + BELOW
    }

    /// The square at a place on the screen.
    pub(super) fn square_at(self, column: u16, row: u16) -> Option<Square> {
        if !self.squares.contains(Cell::new(column, row)) {
            return None;
        }
        let (files, ranks) = text::axes(self.orientation);
        let file = files[usize::from((column - self.squares.x) / (self.squares.width / 8))];
        let rank = ranks[usize::from((row - self.squares.y) / (self.squares.height / 8))];
        Some(Square::new(file, rank))
    }

    /// The cells of each square, from the upper left to the lower right.
    fn cells(self) -> impl Iterator<Item = (Square, Rect)> {
        let (width, height) = (self.squares.width / 8, self.squares.height / 8);
        (0..64).filter_map(move |index| {
            let (column, row) = (self.squares.x + index % 8 * width, self.squares.y + index / 8 * height);
            Some((self.square_at(column, row)?, Rect::new(column, row, width, height)))
        })
    }
}

/// Draws the board with what is worth seeing on it.
pub(super) fn draw(buffer: &mut Buffer, place: BoardPlace, game: &TerminalGame, input: &Input, pieces: Pieces) {
    let position = game.position();
    let targets = input.selected().map_or(Bitboard::EMPTY, |from| input.targets(position, from));
    for (square, cells) in place.cells() {
        let style = Style::new().bg(background(game, input, square));
        buffer.set_style(cells, style);
        let content = position.piece_at(square).map(|piece| {
            let letter = match pieces {
                Pieces::Letters => piece.letter(),
                Pieces::Unicode => text::symbol(piece.role),
            };
            let paint = if piece.color == Color::White { WHITE } else { BLACK };
            (letter, style.fg(paint).add_modifier(Modifier::BOLD))
        });
        let content = content.or(targets.contains(square).then_some(('·', style.fg(BLACK))));
        let (letter, style) = content.unwrap_or((' ', style));
        for row in cells.rows() {
            buffer.set_string(row.x, row.y, " ".repeat(row.width.into()), style);
        }
        let (column, row) = (cells.x + (cells.width - 1) / 2, cells.y + (cells.height - 1) / 2);
        buffer.set_string(column, row, letter.to_string(), style);
        let dim = Style::new().add_modifier(Modifier::DIM);
        if cells.x == place.squares.x {
            buffer.set_string(cells.x - LEFT, row, square.rank().digit().to_string(), dim);
        }
        if cells.bottom() == place.squares.bottom() {
            buffer.set_string(column, cells.bottom(), square.file().letter().to_string(), dim);
        }
    }
}

const WHITE: Paint = Paint::Indexed(231);
const BLACK: Paint = Paint::Indexed(16);

/// The color of a square: the most urgent thing that can be said about it.
fn background(game: &TerminalGame, input: &Input, square: Square) -> Paint {
    let position = game.position();
    let is_light = (square.file().index() + square.rank().index()) % 2 == 1;
    let shade = |light: u8, dark: u8| Paint::Indexed(if is_light { light } else { dark });
    let is_last = game.game().moves().last().is_some_and(|&mv| text::ends(mv).contains(&square));
    let is_hint = game.hint().is_some_and(|mv| text::ends(mv).contains(&square));
    let is_king_in_check = position.is_check() && position.piece_at(square) == Some(Role::King.of(position.turn()));
    if input.selected() == Some(square) || input.cursor() == Some(square) {
        shade(117, 75)
    } else if is_king_in_check {
        shade(174, 167)
    } else if is_hint {
        shade(114, 71)
    } else if is_last {
        shade(186, 143)
    } else {
        shade(180, 137)
    }
}
