//! The screen as it is drawn, and what keys and the mouse do to it.

use std::time::Instant;

use minds::{Limits, RandomMind};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use rules::{Color, Game, Square};

use super::super::controller::Controller;
use super::super::terminal_game::GameOptions;
use super::super::text::Pieces;
use super::board::BoardPlace;
use super::input::{Input, Step};
use super::view;

/// A controller, a input and a screen of some size.
struct Seat {
    controller: Controller,
    input: Input,
    terminal: Terminal<TestBackend>,
    board: Option<BoardPlace>,
}

impl Seat {
    fn new(fen: &str, you: Color, (width, height): (u16, u16)) -> Seat {
        let options = GameOptions {
            start: Game::new(fen.parse().expect("a position")),
            you,
            your_name: "Anna".to_owned(),
            time: Some("5m+3s".parse().expect("a time control")),
            limits: Limits::default(),
        };
        let terminal = Terminal::new(TestBackend::new(width, height)).expect("a screen that cannot fail");
        let controller = Controller::new(options, Box::new(RandomMind::new(0)));
        Seat { controller, input: Input::default(), terminal, board: None }
    }

    /// Draws and reads the screen.
    fn look(&mut self, pieces: Pieces) -> Vec<String> {
        let (game, input) = (&self.controller.game, &self.input);
        let mut board = None;
        let draw = self.terminal.draw(|frame| board = view::draw(frame, game, input, pieces, Instant::now()).board);
        draw.expect("a screen that cannot fail");
        self.board = board;
        let buffer: &Buffer = self.terminal.backend().buffer();
        let row = |y| (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        (0..buffer.area.height).map(|y| row(y).trim_end().to_owned()).collect()
    }

    fn press(&mut self, code: KeyCode) -> Step {
        let key = Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
        self.input.handle(&key, self.board, &mut self.controller)
    }

    fn write(&mut self, text: &str) {
        for letter in text.chars() {
            self.press(KeyCode::Char(letter));
        }
    }

    /// Clicks on the middle of a square.
    fn click(&mut self, square: Square) {
        self.look(Pieces::Letters);
        let board = self.board.expect("there is a board");
        let buffer = self.terminal.backend().buffer().area;
        let is_there = |&(x, y): &(u16, u16)| board.square_at(x, y) == Some(square);
        let (column, row) = (0..buffer.width)
            .flat_map(|x| (0..buffer.height).map(move |y| (x, y)))
            .find(is_there)
            .expect("every square is on the screen");
        let kind = MouseEventKind::Down(MouseButton::Left);
        let mouse = Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
        self.input.handle(&mouse, self.board, &mut self.controller);
    }

    fn moves(&self) -> String {
        records::pgn::movetext(self.controller.game.game()).join(" ")
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const PROMOTION: &str = "8/4P3/8/8/8/1k6/8/1K6 w - - 0 1";

#[test]
fn the_board_is_drawn_from_both_sides() {
    let mut seat = Seat::new(START, Color::White, (60, 12));
    let rows = seat.look(Pieces::Letters);
    assert!(rows[0].starts_with("8 r n b q k b n r "), "{rows:#?}");
    assert!(rows[7].starts_with("1 R N B Q K B N R "), "{rows:#?}");
    assert_eq!(rows[8], "  a b c d e f g h");
    let mut seat = Seat::new(START, Color::Black, (60, 12));
    let rows = seat.look(Pieces::Letters);
    assert!(rows[0].starts_with("1 R N B K Q B N R "), "{rows:#?}");
    assert!(rows[7].starts_with("8 r n b k q b n r "), "{rows:#?}");
    assert_eq!(rows[8], "  h g f e d c b a");
}

#[test]
fn larger_screens_have_larger_squares_and_tiny_ones_do_not_break() {
    let mut seat = Seat::new(START, Color::White, (80, 24));
    let rows = seat.look(Pieces::Unicode);
    assert!(rows[0].starts_with("8  ♜   ♞   ♝   ♛   ♚   ♝   ♞   ♜ "), "{rows:#?}");
    assert!(rows[14].starts_with("1  ♜   ♞   ♝   ♛   ♚   ♝   ♞   ♜"), "{rows:#?}");
    for size in [(1, 1), (2, 3), (17, 9), (18, 12), (25, 200), (400, 5), (300, 100)] {
        let mut seat = Seat::new(START, Color::White, size);
        seat.write("help");
        seat.press(KeyCode::Enter);
        seat.look(Pieces::Unicode);
    }
}

#[test]
fn clocks_names_moves_and_what_is_typed_are_shown() {
    let mut seat = Seat::new(START, Color::White, (80, 24));
    seat.write("Nf3");
    assert!(seat.look(Pieces::Letters).contains(&"> Nf3".to_owned()));
    seat.press(KeyCode::Enter);
    let rows = seat.look(Pieces::Letters).join("\n");
    for shown in ["○ Anna", "▸● random", "5:0", "  1. Nf3", "black to move: random"] {
        assert!(rows.contains(shown), "{shown:?} is missing in\n{rows}");
    }
    seat.write("Nf3");
    seat.press(KeyCode::Enter);
    assert!(seat.look(Pieces::Letters).contains(&"it is random's turn".to_owned()));
}

#[test]
fn a_narrow_screen_has_the_clocks_and_whole_messages_below_the_board() {
    let mut seat = Seat::new(START, Color::White, (40, 24));
    seat.write("e9");
    seat.press(KeyCode::Enter);
    let rows = seat.look(Pieces::Letters);
    assert!(rows.iter().any(|row| row.contains("○ 5:00  ● 5:00") || row.contains("○ 4:59")), "{rows:#?}");
    let message = rows.join(" ");
    assert!(message.contains("\"e9\" is not a move: expected something like Nf3, exd5 or O-O"), "{rows:#?}");
    assert!(rows.iter().any(|row| row.starts_with("> a move")), "{rows:#?}");
}

#[test]
fn the_last_move_is_marked() {
    let mut seat = Seat::new(START, Color::White, (60, 12));
    seat.write("e4");
    seat.press(KeyCode::Enter);
    seat.look(Pieces::Letters);
    let paint = |seat: &Seat, file: u16, row: u16| seat.terminal.backend().buffer()[(2 + 2 * file, row)].bg;
    // The pawn went from e2 to e4; c2 and c4 have the same colors of squares.
    assert_ne!(paint(&seat, 4, 6), paint(&seat, 2, 6));
    assert_ne!(paint(&seat, 4, 4), paint(&seat, 2, 4));
    assert_eq!(paint(&seat, 4, 5), paint(&seat, 2, 5));
}

#[test]
fn the_tab_key_goes_through_what_the_line_may_become() {
    let mut seat = Seat::new(START, Color::White, (80, 24));
    seat.write("N");
    let mut offered = Vec::new();
    for _ in 0..5 {
        seat.press(KeyCode::Tab);
        offered.push(seat.input.input().to_owned());
    }
    assert_eq!(offered, ["Na3", "Nc3", "Nf3", "Nh3", "Na3"]);
    seat.press(KeyCode::Esc);
    assert_eq!(seat.input.input(), "");
}

#[test]
fn pieces_are_moved_by_mouse_and_by_cursor() {
    let mut seat = Seat::new(START, Color::White, (80, 24));
    seat.click(Square::G1);
    assert_eq!(seat.input.selected(), Some(Square::G1));
    let targets = seat.look(Pieces::Letters).join("").matches('·').count();
    assert_eq!(targets, 2, "the squares the knight may go to have a dot");
    seat.click(Square::F3);
    assert_eq!(seat.moves(), "1. Nf3");

    let mut seat = Seat::new(START, Color::White, (80, 24));
    // The cursor begins on the king.
    for code in [KeyCode::Up, KeyCode::Up, KeyCode::Enter, KeyCode::Up, KeyCode::Up, KeyCode::Enter] {
        assert_eq!(seat.press(code), Step::Stay);
    }
    assert_eq!(seat.moves(), "1. e4");
}

#[test]
fn a_promotion_asks_for_the_piece() {
    let mut seat = Seat::new(PROMOTION, Color::White, (80, 24));
    seat.click(Square::E7);
    seat.click(Square::E8);
    assert_eq!(seat.moves(), "");
    assert!(seat.look(Pieces::Letters).contains(&"promote to? q, r, b or n, and Enter".to_owned()));
    seat.write("r");
    seat.press(KeyCode::Enter);
    assert_eq!(seat.moves(), "1. e8=R");
}

#[test]
fn leaving_is_a_word_or_a_key_away() {
    let mut seat = Seat::new(START, Color::White, (80, 24));
    let key = Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
    assert_eq!(seat.input.handle(&key, None, &mut seat.controller), Step::Leave);
    seat.write("quit");
    assert_eq!(seat.press(KeyCode::Enter), Step::Leave);
}
