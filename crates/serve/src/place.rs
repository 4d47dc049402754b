//! How a request names a position: where it starts, and the moves from there.

use rules::{Game, Move, Position};

use crate::refusal::{Code, Refusal};

/// No FEN is longer than this.
const LONGEST_FEN: usize = 256;

/// No move is longer than this, however it is written.
const LONGEST_MOVE: usize = 32;

/// Reads a position that can be played.
pub(crate) fn position(fen: &str) -> Result<Position, Refusal> {
    if fen.len() > LONGEST_FEN {
        return Err(Refusal::new(Code::IllegalPosition, format!("a FEN has at most {LONGEST_FEN} letters")));
    }
    Ok(fen.trim().parse::<Position>()?)
}

/// Reads a legal move, in UCI or algebraic notation.
pub(crate) fn mv(position: &Position, text: &str) -> Result<Move, Refusal> {
    if text.len() > LONGEST_MOVE {
        return Err(Refusal::illegal_move(format_args!("a move has at most {LONGEST_MOVE} letters")));
    }
    position.parse_san(text.trim()).map_err(Refusal::illegal_move)
}

/// The game that a request tells: the initial position unless it says otherwise, and the moves from there.
pub(crate) fn game(fen: Option<&str>, moves: Option<&[String]>, most_moves: usize) -> Result<Game, Refusal> {
    let start = fen.map_or(Ok(Position::initial()), position)?;
    let mut game = Game::new(start);
    let moves = moves.unwrap_or_default();
    if moves.len() > most_moves {
        return Err(Refusal::new(Code::TooLarge, format!("a game has at most {most_moves} moves here")));
    }
    for (index, text) in moves.iter().enumerate() {
        let mv = mv(game.position(), text)
            .map_err(|refusal| Refusal { message: format!("move {}: {}", index + 1, refusal.message), ..refusal })?;
        game.play(mv).map_err(Refusal::illegal_move)?;
    }
    Ok(game)
}
