//! Boards as text: FEN in its spellings, read leniently.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rules::{Bitboard, Move, MoveKind, Setup};

use super::PyBoard;
use crate::state::State;

/// The start of a game.
pub(crate) const STARTING_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// When the en-passant square is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum EnPassant {
    /// If a pawn can legally take there.
    Legal,
    /// After every double step.
    Fen,
    /// If a pawn stands ready to take, whatever becomes of the king.
    Xfen,
}

impl EnPassant {
    pub(crate) fn parse(text: &str) -> PyResult<EnPassant> {
        match text {
            "legal" => Ok(EnPassant::Legal),
            "fen" => Ok(EnPassant::Fen),
            "xfen" => Ok(EnPassant::Xfen),
            _ => Err(PyValueError::new_err(format!("en_passant is {text:?}, expected \"legal\", \"fen\" or \"xfen\""))),
        }
    }
}

/// Whether a pawn may take en passant: legally, or leaving its king aside.
pub(crate) fn has_en_passant(state: &State, chess960: bool, is_legal: bool) -> bool {
    let is_en_passant = |mv: &Move| mv.kind() == MoveKind::EnPassant;
    match state {
        State::Legal { position, .. } if is_legal => position.en_passant().is_some(),
        State::Legal { passed: None, .. } => false,
        _ => {
            let loose = state.loose();
            let moves = match is_legal {
                true => loose.legal(chess960, Bitboard::ALL, Bitboard::ALL),
                false => loose.pseudo_legal(chess960, Bitboard::ALL, Bitboard::ALL),
            };
            moves.iter().any(is_en_passant)
        }
    }
}

/// The FEN of a state, with castling rights as letters of files if `shredder`.
pub(crate) fn fen(state: &State, chess960: bool, en_passant: EnPassant, shredder: bool) -> String {
    let mut setup = state.setup();
    setup.castling = state.clean_castling(chess960);
    let is_shown = match en_passant {
        EnPassant::Fen => true,
        EnPassant::Legal => has_en_passant(state, chess960, true),
        EnPassant::Xfen => has_en_passant(state, chess960, false),
    };
    if !is_shown {
        setup.en_passant = None;
    }
    let text = setup.to_string();
    if !shredder {
        return text;
    }
    let mut fields: Vec<&str> = text.split(' ').collect();
    let files = shredder_castling(&setup);
    fields[2] = &files;
    fields.join(" ")
}

/// The castling rights as the files of the rooks: `HAha`.
fn shredder_castling(setup: &Setup) -> String {
    let mut letters = String::new();
    for color in rules::Color::ALL {
        let mut rooks: Vec<_> = (setup.castling & color.back_rank().squares()).into_iter().collect();
        rooks.reverse();
        for rook in rooks {
            let letter = rook.file().letter();
            letters.push(if color == rules::Color::White { letter.to_ascii_uppercase() } else { letter });
        }
    }
    if letters.is_empty() { "-".to_owned() } else { letters }
}

/// Reads a FEN. Fields at the end may be missing, and any white space separates them.
pub(crate) fn parse(fen: &str) -> PyResult<Setup> {
    const DEFAULTS: [&str; 6] = ["", "w", "-", "-", "0", "1"];
    let mut fields: Vec<&str> = fen.split_whitespace().collect();
    if fields.is_empty() {
        return Err(PyValueError::new_err("the FEN is empty"));
    }
    let given = fields.len();
    fields.extend(DEFAULTS.iter().skip(given));
    fields.join(" ").parse().map_err(|error| PyValueError::new_err(format!("{error}: {fen:?}")))
}

impl PyBoard {
    pub(crate) fn fen_of(&self, en_passant: EnPassant, shredder: bool) -> String {
        fen(&self.state, self.chess960, en_passant, shredder)
    }
}
