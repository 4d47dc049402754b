//! What people ask to see of a position.

use std::fmt::Write;

use lessons::Explanation;
use rules::see::Values;
use rules::{Color, File, Game, Move, MoveKind, Piece, Position, Rank, Square};

/// The board, and what cannot be seen on it.
pub(crate) fn board(game: &Game) -> String {
    let position = game.position();
    let mut text = String::from("\n");
    for rank in Rank::ALL.into_iter().rev() {
        text.push(rank.digit());
        for file in File::ALL {
            let letter = position.piece_at(Square::new(file, rank)).map_or('.', Piece::letter);
            text.extend([' ', letter]);
        }
        text.push('\n');
    }
    text.push_str("  a b c d e f g h\n\n");
    let checkers: Vec<String> = position.checkers().into_iter().map(|square| square.to_string()).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "Fen: {position}");
    let _ = writeln!(text, "Key: {:016X}", position.key());
    let _ = writeln!(text, "Checkers: {}", if checkers.is_empty() { "none".to_owned() } else { checkers.join(" ") });
    match (game.outcome(), game.claimable_draw()) {
        (Some(outcome), _) => _ = writeln!(text, "Over: {outcome}"),
        (None, Some(draw)) => _ = writeln!(text, "A draw may be claimed: {draw}"),
        (None, None) => {}
    }
    text
}

/// The static evaluation, and below each piece what it adds, all in pawns from White's side.
pub(crate) fn evaluation(position: &Position, for_player_to_move: i32, contributions: &[(Square, i32)]) -> String {
    let pawns = |value: i32| {
        let sign = if position.turn() == Color::White { 1.0 } else { -1.0 };
        sign * f64::from(value) / 100.0
    };
    let mut text = String::from("\n");
    for rank in Rank::ALL.into_iter().rev() {
        let (mut pieces, mut values) = (rank.digit().to_string(), String::from(" "));
        for square in File::ALL.map(|file| Square::new(file, rank)) {
            let letter = position.piece_at(square).map_or('.', Piece::letter);
            let value = contributions.iter().find(|(place, _)| *place == square);
            // Writing to a string cannot fail.
            let _ = write!(pieces, "{letter:>5}  ");
            let _ = write!(values, "{:>7}", value.map_or(String::new(), |&(_, value)| format!("{:+.2}", pawns(value))));
        }
        let _ = writeln!(text, "{}\n{}", pieces.trim_end(), values.trim_end());
    }
    let files: String = File::ALL.map(|file| format!("{:>5}  ", file.letter())).concat();
    let _ = writeln!(text, " {}\n", files.trim_end());
    let _ = write!(text, "Evaluation: {:+.2} pawns for White, without looking ahead", pawns(for_player_to_move));
    text
}

/// What a move wins by captures on its square.
pub(crate) fn exchange(position: &Position, mv: Move) -> String {
    let told = Explanation::new(position, mv, &Values::default());
    let line: Vec<String> = told
        .best_line
        .iter()
        .map(|step| match step.mv.kind() {
            MoveKind::Castle => position.uci(step.mv),
            _ => step.mv.to_string(),
        })
        .collect();
    let verdict = match told.exhaustive {
        0 => "wins and loses nothing".to_owned(),
        value if value > 0 => format!("wins {value} centipawns"),
        value => format!("loses {} centipawns", -value),
    };
    format!("{} {verdict} on {}: {}", position.san(mv), told.square, line.join(" "))
}

/// A legal move as people or engines write it.
pub(crate) fn read_move(position: &Position, text: &str) -> Result<Move, String> {
    position.parse_uci(text).or_else(|_| position.parse_san(text)).map_err(|error| error.to_string())
}
