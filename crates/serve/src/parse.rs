//! Reads the positions, moves and games that requests name.

use rules::{Game, Move, Position};

use crate::error::{ApiError, ErrorCode};

/// No FEN is longer than this.
const LONGEST_FEN: usize = 256;

/// No move is longer than this in any notation.
const LONGEST_MOVE: usize = 32;

/// Reads a legal position.
pub(crate) fn position(fen: &str) -> Result<Position, ApiError> {
    if fen.len() > LONGEST_FEN {
        return Err(ApiError::new(ErrorCode::IllegalPosition, format!("a FEN has at most {LONGEST_FEN} letters")));
    }
    Ok(fen.trim().parse::<Position>()?)
}

/// Reads a legal move, in UCI or algebraic notation.
pub(crate) fn mv(position: &Position, text: &str) -> Result<Move, ApiError> {
    if text.len() > LONGEST_MOVE {
        return Err(ApiError::illegal_move(format_args!("a move has at most {LONGEST_MOVE} letters")));
    }
    position.parse_san(text.trim()).map_err(ApiError::illegal_move)
}

/// Reads a game: its start, which is the starting position unless a FEN is given, and the moves from there.
pub(crate) fn game(fen: Option<&str>, moves: Option<&[String]>, max_moves: usize) -> Result<Game, ApiError> {
    let start = fen.map_or(Ok(Position::initial()), position)?;
    let mut game = Game::new(start);
    let moves = moves.unwrap_or_default();
    if moves.len() > max_moves {
        return Err(ApiError::new(ErrorCode::TooLarge, format!("a game has at most {max_moves} moves here")));
    }
    for (index, text) in moves.iter().enumerate() {
        let mv = mv(game.position(), text)
            .map_err(|error| ApiError { message: format!("move {}: {}", index + 1, error.message), ..error })?;
        game.play(mv).map_err(ApiError::illegal_move)?;
    }
    Ok(game)
}
