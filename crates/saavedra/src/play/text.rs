//! The board, the moves and the news as plain text.

use minds::MindKind;
use rules::{CastlingSide, Color, File, Move, MoveKind, Piece, Position, Rank, Role, Square};

use super::terminal_game::TerminalGame;

/// How pieces are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Pieces {
    /// ♚ ♛ ♜ ♝ ♞ ♟
    Unicode,
    /// K Q R B N P, and small letters for Black
    Letters,
}

/// The filled symbol of a role, which shows the owner by its color.
pub(crate) fn symbol(role: Role) -> char {
    match role {
        Role::Pawn => '♟',
        Role::Knight => '♞',
        Role::Bishop => '♝',
        Role::Rook => '♜',
        Role::Queen => '♛',
        Role::King => '♚',
    }
}

/// The files from left to right and the ranks from top to bottom, as a player sees them.
pub(crate) fn axes(orientation: Color) -> (Vec<File>, Vec<Rank>) {
    let (mut files, mut ranks) = (File::ALL.to_vec(), Rank::ALL.to_vec());
    match orientation {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    (files, ranks)
}

/// Where a move begins and ends on the board; when castling, for the king.
pub(crate) fn ends(mv: Move) -> [Square; 2] {
    let (from, to) = (mv.from(), mv.to());
    match mv.kind() {
        MoveKind::Castle => [from, Square::new(CastlingSide::of(from, to).king_file(), from.rank())],
        _ => [from, to],
    }
}

/// The board of a game with letters, the last move in brackets.
pub(crate) fn board(game: &TerminalGame) -> String {
    diagram(game.position(), game.orientation(), game.game().moves().last().copied())
}

/// A position with letters as a player sees it, the last move in brackets.
pub(crate) fn diagram(position: &Position, orientation: Color, last: Option<Move>) -> String {
    let last = last.map(ends);
    let (files, ranks) = axes(orientation);
    let mut text = String::new();
    for rank in ranks {
        text.push(rank.digit());
        text.push(' ');
        for &file in &files {
            let square = Square::new(file, rank);
            let letter = position.piece_at(square).map_or('.', Piece::letter);
            let is_marked = last.is_some_and(|ends| ends.contains(&square));
            text.extend(if is_marked { ['[', letter, ']'] } else { [' ', letter, ' '] });
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text.push(' ');
    text.extend(files.iter().flat_map(|file| [' ', ' ', file.letter()]));
    text
}

/// The legal moves in short notation.
pub(crate) fn legal_moves(position: &Position) -> String {
    let mut moves: Vec<String> = position.san_moves().into_iter().map(|(_, name)| name).collect();
    moves.sort();
    if moves.is_empty() { "there is no legal move".to_owned() } else { moves.join(" ") }
}

/// The engines there are, one on a line.
pub(crate) fn engines() -> String {
    let lines: Vec<String> = MindKind::ALL.iter().map(|kind| format!("{:<15}{}", kind.form, kind.about)).collect();
    lines.join("\n")
}

/// A line of moves in short notation, with numbers, as far as it is legal.
pub(crate) fn line(position: &Position, moves: &[Move]) -> String {
    let mut game = rules::Game::new(*position);
    for &mv in moves {
        if game.play(mv).is_err() {
            break;
        }
    }
    records::pgn::movetext(&game).join(" ")
}

/// One line on the state of the game: who is to move, or how it ended.
pub(crate) fn status(game: &TerminalGame) -> String {
    let session = game.session();
    if let Some(result) = session.result() {
        return format!("{} ({})", result.ending.score(), result.reason);
    }
    if let Some(fault) = session.fault() {
        return format!("{fault}; \"engine NAME\" plays on against another engine");
    }
    let turn = session.turn();
    let check = if session.position().is_check() { ", in check" } else { "" };
    let offer = if session.draw_offer().is_some() { "; a draw is offered" } else { "" };
    let claim = match session.game().claimable_draw() {
        Some(reason) if game.is_your_turn() => format!("; a draw can be claimed: {reason}"),
        _ => String::new(),
    };
    format!("{turn} to move: {}{check}{offer}{claim}", game.name(turn))
}
