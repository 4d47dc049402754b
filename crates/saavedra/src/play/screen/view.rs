//! The picture of a game: a function of it, of what the player is typing or holding, and of the time.

use std::time::Instant;

use game::clock_text;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color as Paint, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};
use rules::Color;

use super::super::terminal_game::TerminalGame;
use super::super::text::{self, Pieces};
use super::board::{self, BoardPlace};
use super::input::Input;

/// The least and the most columns for what stands beside the board.
const NARROWEST: u16 = 24;
const WIDEST: u16 = 44;

/// Rows below the board: how things stand, what was answered, and what is being typed.
const FOOT: u16 = 3;

/// Where things are on the screen, for the mouse.
pub(super) struct Layout {
    pub(super) board: Option<BoardPlace>,
}

pub(super) fn draw(frame: &mut Frame, game: &TerminalGame, input: &Input, pieces: Pieces, now: Instant) -> Layout {
    let area = frame.area();
    let above_foot = Rect { height: area.height.saturating_sub(FOOT), ..area };
    let beside = Rect { width: area.width.saturating_sub(NARROWEST + 2), ..above_foot };
    // Where there is no room for both, the board comes first.
    let board = BoardPlace::fit(beside, game.orientation()).or_else(|| BoardPlace::fit(above_foot, game.orientation()));
    let (width, height) = board.map_or((0, above_foot.height), |board| (board.width(), board.height()));
    if let Some(board) = board {
        board::draw(frame.buffer_mut(), board, game, input, pieces);
    }
    let left = area.x + width + 2;
    let panel = Rect::new(left, area.y, area.right().saturating_sub(left).min(WIDEST), height);
    let has_panel = panel.width >= NARROWEST;
    if has_panel {
        draw_panel(frame, panel, game, now);
    }
    let top = area.y + height.min(above_foot.height);
    let foot = Rect { y: top, height: area.bottom().saturating_sub(top), ..area };
    let clocks = if has_panel { String::new() } else { clocks(game, now) };
    draw_foot(frame, foot, game, input, &clocks);
    if let Some(sheet) = input.sheet() {
        draw_sheet(frame, above_foot, sheet);
    }
    Layout { board }
}

/// The players with their clocks above and below, and between them what the engine thinks and the moves.
fn draw_panel(frame: &mut Frame, area: Rect, game: &TerminalGame, now: Instant) {
    let near = game.orientation();
    let row = |y| Rect { y, height: 1, ..area };
    frame.render_widget(player(game, !near, area.width, now), row(area.y));
    let last = row(area.bottom().saturating_sub(2));
    if area.height < 3 {
        return;
    }
    frame.render_widget(player(game, near, area.width, now), last);
    let middle = Rect { y: area.y + 2, height: last.y.saturating_sub(area.y + 3), ..area };
    let thought_height = thought_height(game, middle);
    if let Some(engine_line) = game.engine_line() {
        let place = Rect { height: thought_height.saturating_sub(1), ..middle };
        let score = Span::styled(engine_line.score.clone(), Style::new().add_modifier(Modifier::BOLD));
        let text = vec![
            Line::from(vec![score, Span::raw(format!("  depth {}", engine_line.depth))]),
            Line::from(engine_line.line.clone()),
        ];
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), place);
    }
    let place = Rect { y: middle.y + thought_height, height: middle.height - thought_height, ..middle };
    let lines = moves(game);
    // The last moves are the ones to see.
    let hidden = lines.len().saturating_sub(place.height.into());
    frame.render_widget(Paragraph::new(lines[hidden..].to_vec()), place);
}

/// Rows for what the engine thinks, an empty one below it included.
fn thought_height(game: &TerminalGame, area: Rect) -> u16 {
    if game.engine_line().is_some() { 5.min(area.height) } else { 0 }
}

fn player(game: &TerminalGame, color: Color, width: u16, now: Instant) -> Line<'static> {
    let mark = if color == Color::White { '○' } else { '●' };
    let is_to_move = !game.session().is_over() && game.position().turn() == color;
    let arrow = if is_to_move { '▸' } else { ' ' };
    let clock = game.session().remaining(color, now).map_or_else(String::new, clock_text);
    let room = usize::from(width).saturating_sub(clock.len() + 6);
    let name: String = game.name(color).chars().take(room).collect();
    let text = format!("{arrow}{mark} {name:<room$}  {clock}");
    let style = Style::new();
    Line::styled(text, if is_to_move { style.add_modifier(Modifier::BOLD) } else { style })
}

/// The moves of the game, both players' side by side.
fn moves(game: &TerminalGame) -> Vec<Line<'static>> {
    let mut lines: Vec<String> = Vec::new();
    for word in records::pgn::movetext(game.game()) {
        if let Some(number) = word.strip_suffix("...") {
            lines.push(format!("{number:>3}. {:<9}", "…"));
        } else if let Some(number) = word.strip_suffix('.') {
            lines.push(format!("{number:>3}. "));
        } else if let Some(line) = lines.last_mut() {
            line.push_str(&format!("{word:<9}"));
        }
    }
    lines.into_iter().map(Line::from).collect()
}

/// The clocks in a few columns, where there is no room for them beside the board.
fn clocks(game: &TerminalGame, now: Instant) -> String {
    let clock = |color, mark| {
        game.session().remaining(color, now).map(|remaining| format!("  {mark} {}", clock_text(remaining)))
    };
    [clock(Color::White, '○'), clock(Color::Black, '●')].into_iter().flatten().collect()
}

fn draw_foot(frame: &mut Frame, area: Rect, game: &TerminalGame, input: &Input, clocks: &str) {
    let important = Style::new().add_modifier(Modifier::BOLD);
    let hint = game.hint().map(|mv| format!("the search would play {}", game.position().san(mv)));
    let notice = if input.notice().is_empty() { hint.unwrap_or_default() } else { input.notice().to_owned() };
    let prompt = if input.input().is_empty() {
        Line::from(vec![
            Span::raw("> "),
            Span::styled("a move or a command; help lists them", Style::new().add_modifier(Modifier::DIM)),
        ])
    } else {
        Line::from(format!("> {}", input.input()))
    };
    let status = format!("{}{clocks}", text::status(game));
    let status = Line::styled(status, if game.session().is_over() { important } else { Style::new() });
    // A long message takes the rows that are free below the board, if there are any.
    let rows = rows_of(&notice, area.width).clamp(1, area.height.saturating_sub(2).max(1));
    let notice = Paragraph::new(Line::styled(notice, Style::new().fg(Paint::Yellow))).wrap(Wrap { trim: true });
    let mut draw = |widget: Paragraph, y: u16, height: u16| {
        frame.render_widget(widget, Rect { y, height, ..area }.intersection(frame.area()));
    };
    draw(Paragraph::new(status), area.y, 1);
    draw(notice, area.y + 1, rows);
    draw(Paragraph::new(prompt), area.y + 1 + rows, 1);
    let column = area.x + 2 + input.input().chars().count() as u16;
    let row = area.y + 1 + rows;
    if row < frame.area().bottom() {
        frame.set_cursor_position((column.min(frame.area().right().saturating_sub(1)), row));
    }
}

/// The rows of a text that is wrapped between words.
fn rows_of(text: &str, width: u16) -> u16 {
    let (mut rows, mut column) = (1, 0);
    for word in text.split_whitespace() {
        let length = word.chars().count() as u16;
        if column > 0 && column + 1 + length > width {
            (rows, column) = (rows + 1, length);
        } else {
            column += length + u16::from(column > 0);
        }
    }
    rows
}

/// A text over the board.
fn draw_sheet(frame: &mut Frame, area: Rect, sheet: &str) {
    let widest = sheet.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let size = |length: usize, most: u16| u16::try_from(length + 2).unwrap_or(u16::MAX).min(most);
    let (width, height) = (size(widest, area.width), size(sheet.lines().count(), area.height));
    let place = Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(sheet).block(Block::bordered()).wrap(Wrap { trim: false }), place);
}
