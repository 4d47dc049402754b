//! Moves and boards in notation: FEN, SAN, UCI.

use pyo3::prelude::*;
use rules::{Bitboard, CastlingSide, Move, MoveKind, Role, SanError, Square};

use super::PyBoard;
use super::text::{EnPassant, fen};
use crate::errors::{AmbiguousMoveError, IllegalMoveError, InvalidMoveError};
use crate::moves::{self, PyMove};
use crate::state::State;

/// What people write for passing the turn.
const PASSES: [&str; 4] = ["--", "Z0", "0000", "@@@@"];

impl PyBoard {
    /// A legal move in algebraic notation.
    fn write_san(&self, state: &State, mv: Move) -> String {
        match state {
            State::Legal { position, .. } => position.san(mv),
            State::Loose(_) => self.write_with(state, mv, false),
        }
    }

    /// A legal move with as much of its square as it takes, or with all of it if `is_long`.
    fn write_with(&self, state: &State, mv: Move, is_long: bool) -> String {
        let (from, to) = (mv.from(), mv.to());
        let role = state.piece_at(from).map_or(Role::Pawn, |piece| piece.role);
        let is_capture = mv.kind() == MoveKind::EnPassant || state.color(!state.turn()).contains(to);
        let mut text = match (mv.kind(), CastlingSide::of(from, to)) {
            (MoveKind::Castle, CastlingSide::KingSide) => "O-O".to_owned(),
            (MoveKind::Castle, CastlingSide::QueenSide) => "O-O-O".to_owned(),
            _ => {
                let letter = if role == Role::Pawn { String::new() } else { role.upper_letter().to_string() };
                let origin = match (is_long, role) {
                    (true, _) => from.to_string(),
                    (false, Role::Pawn) if is_capture => from.file().to_string(),
                    (false, Role::Pawn) => String::new(),
                    (false, _) => self.distinguish(state, mv, role),
                };
                let sign = if is_capture {
                    "x"
                } else if is_long {
                    "-"
                } else {
                    ""
                };
                let promotion = mv.promotion_role().map_or(String::new(), |role| format!("={}", role.upper_letter()));
                format!("{letter}{origin}{sign}{to}{promotion}")
            }
        };
        let next = state.play(mv, self.chess960);
        if !next.checkers(next.turn()).is_empty() {
            text.push(if next.has_legal_moves(self.chess960) { '+' } else { '#' });
        }
        text
    }

    /// What must be said of a piece's square so that no other of its role can be meant.
    fn distinguish(&self, state: &State, mv: Move, role: Role) -> String {
        let from = mv.from();
        let rivals: Bitboard = state
            .legal_moves(self.chess960, state.pieces(role, state.turn()).without(from), mv.to().bitboard())
            .into_iter()
            .filter(|rival| rival.kind() == MoveKind::Normal)
            .map(Move::from)
            .collect();
        if rivals.is_empty() {
            String::new()
        } else if !rivals.intersects(from.file().squares()) {
            from.file().to_string()
        } else if !rivals.intersects(from.rank().squares()) {
            from.rank().to_string()
        } else {
            from.to_string()
        }
    }

    /// A legal move as SAN, a merely pseudo-legal one as UCI.
    pub(crate) fn san_or_uci(&self, mv: Move) -> String {
        match self.state.resolve(PyMove::of(mv, true), self.chess960) {
            Some(mv) => self.write_san(&self.state, mv),
            None => PyMove::of(mv, self.chess960).text(),
        }
    }

    /// Reads a move in algebraic notation.
    fn read_san(&self, san: &str) -> PyResult<Option<Move>> {
        if PASSES.contains(&san) {
            return Ok(None);
        }
        let is_odd = |letter: char| letter.is_whitespace() || letter.is_control();
        if san.contains(is_odd) {
            return Err(InvalidMoveError::new_err(format!("invalid san: {san:?} contains white space")));
        }
        let State::Legal { position, .. } = &*self.state else { return self.read_san_slowly(san).map(Some) };
        position.parse_san(san).map(Some).map_err(|error| match error {
            SanError::Syntax(_) => InvalidMoveError::new_err(format!("invalid san: {error}")),
            SanError::Ambiguous(..) => AmbiguousMoveError::new_err(format!(
                "ambiguous san: {error} in {}",
                self.fen_of(EnPassant::Legal, false)
            )),
            _ => IllegalMoveError::new_err(format!("illegal san: {san:?} in {}", self.fen_of(EnPassant::Legal, false))),
        })
    }

    /// Reads a move on a board that is not legal, by writing all of its moves.
    fn read_san_slowly(&self, san: &str) -> PyResult<Move> {
        let plain =
            |text: &str| text.trim_end_matches(['+', '#', '!', '?']).replace(['x', '-', '='], "").replace('0', "O");
        let wanted = plain(san);
        let moves = self.state.legal_moves(self.chess960, Bitboard::ALL, Bitboard::ALL);
        let mut found = moves.into_iter().filter(|&mv| {
            [false, true].into_iter().any(|is_long| plain(&self.write_with(&self.state, mv, is_long)) == wanted)
        });
        found.next().ok_or_else(|| {
            IllegalMoveError::new_err(format!("illegal san: {san:?} in {}", self.fen_of(EnPassant::Legal, false)))
        })
    }

    fn read_uci(&self, uci: &str) -> PyResult<Option<Move>> {
        let mv = PyMove::parse(uci)?;
        if mv.is_null() { Ok(None) } else { self.legal(mv).map(Some) }
    }

    fn shown(&self, py: Python<'_>, mv: Option<Move>) -> PyResult<Py<PyMove>> {
        match mv {
            Some(mv) => moves::to_python(py, mv, self.chess960),
            None => Ok(moves::interned(py)?[0].clone_ref(py)),
        }
    }

    fn push_read(&mut self, py: Python<'_>, mv: Option<Move>) -> PyResult<Py<PyMove>> {
        self.play(mv.map_or(PyMove::NULL, |mv| PyMove::of(mv, true)))?;
        self.shown(py, mv)
    }
}

#[pymethods]
impl PyBoard {
    /// The FEN of the board. `en_passant` says when that square is written: `legal`, `fen` or `xfen`.
    #[pyo3(signature = (*, shredder = false, en_passant = "legal"))]
    fn fen(&self, shredder: bool, en_passant: &str) -> PyResult<String> {
        Ok(self.fen_of(EnPassant::parse(en_passant)?, shredder))
    }

    /// The FEN of the board with castling rights as the files of the rooks.
    #[pyo3(signature = (*, en_passant = "legal"))]
    fn shredder_fen(&self, en_passant: &str) -> PyResult<String> {
        Ok(self.fen_of(EnPassant::parse(en_passant)?, true))
    }

    /// The first field of the FEN: the pieces.
    pub(crate) fn board_fen(&self) -> String {
        let text = fen(&self.state, self.chess960, EnPassant::Fen, false);
        text.split(' ').next().unwrap_or_default().to_owned()
    }

    /// The castling field of the FEN.
    fn castling_xfen(&self) -> String {
        let text = fen(&self.state, self.chess960, EnPassant::Fen, false);
        text.split(' ').nth(2).unwrap_or_default().to_owned()
    }

    /// The castling field of the FEN, as files.
    fn castling_shredder_fen(&self) -> String {
        let text = fen(&self.state, self.chess960, EnPassant::Fen, true);
        text.split(' ').nth(2).unwrap_or_default().to_owned()
    }

    /// A legal move in standard algebraic notation.
    fn san(&self, r#move: &Bound<'_, PyMove>) -> PyResult<String> {
        let mv = *r#move.get();
        if mv.is_null() {
            return Ok("--".to_owned());
        }
        Ok(self.write_san(&self.state, self.legal(mv)?))
    }

    /// A legal move in long algebraic notation.
    fn lan(&self, r#move: &Bound<'_, PyMove>) -> PyResult<String> {
        let mv = *r#move.get();
        if mv.is_null() {
            return Ok("--".to_owned());
        }
        Ok(self.write_with(&self.state, self.legal(mv)?, true))
    }

    /// Moves one after the other in algebraic notation with move numbers. The board stays as it is.
    fn variation_san(&self, variation: &Bound<'_, PyAny>) -> PyResult<String> {
        let mut state = State::clone(&self.state);
        let mut words = Vec::new();
        for item in variation.try_iter()? {
            let item = item?;
            let mv = *item.cast::<PyMove>()?.get();
            let number = state.fullmove_number();
            if crate::convert::is_white(state.turn()) {
                words.push(format!("{number}."));
            } else if words.is_empty() {
                words.push(format!("{number}..."));
            }
            let illegal = || {
                let fen = fen(&state, self.chess960, EnPassant::Legal, false);
                IllegalMoveError::new_err(format!("illegal move: {} in {fen}", mv.text()))
            };
            if mv.is_null() {
                words.push("--".to_owned());
                state = state.pass(self.chess960).ok_or_else(illegal)?;
            } else {
                let legal = state.resolve(mv, self.chess960).ok_or_else(illegal)?;
                words.push(self.write_san(&state, legal));
                state = state.play(legal, self.chess960);
            }
        }
        Ok(words.join(" "))
    }

    /// The legal move that a text means: `Nf3`, `exd5`, `O-O`, `e8=Q`.
    fn parse_san(&self, py: Python<'_>, san: &str) -> PyResult<Py<PyMove>> {
        self.shown(py, self.read_san(san)?)
    }

    /// Plays the move that a text means, and returns it.
    fn push_san(&mut self, py: Python<'_>, san: &str) -> PyResult<Py<PyMove>> {
        let mv = self.read_san(san)?;
        self.push_read(py, mv)
    }

    /// A move as UCI writes it: castling as the king's move, in Chess960 as the king taking its rook.
    #[pyo3(signature = (r#move, *, chess960 = None))]
    fn uci(&self, r#move: &Bound<'_, PyMove>, chess960: Option<bool>) -> String {
        let mv = *r#move.get();
        let legal = self.state.resolve(mv, self.chess960);
        legal.map_or(mv, |legal| PyMove::of(legal, chess960.unwrap_or(self.chess960))).text()
    }

    /// The legal move that a UCI text means, castling in either spelling.
    fn parse_uci(&self, py: Python<'_>, uci: &str) -> PyResult<Py<PyMove>> {
        self.shown(py, self.read_uci(uci)?)
    }

    /// Plays the move that a UCI text means, and returns it.
    fn push_uci(&mut self, py: Python<'_>, uci: &str) -> PyResult<Py<PyMove>> {
        let mv = self.read_uci(uci)?;
        self.push_read(py, mv)
    }

    /// A move as XBoard writes it: like UCI, but castling in Chess960 is `O-O` or `O-O-O`.
    #[pyo3(signature = (r#move, chess960 = None))]
    fn xboard(&self, r#move: &Bound<'_, PyMove>, chess960: Option<bool>) -> String {
        let mv = *r#move.get();
        if mv.is_null() {
            return "@@@@".to_owned();
        }
        let chess960 = chess960.unwrap_or(self.chess960);
        match self.state.resolve(mv, self.chess960) {
            Some(legal) if legal.kind() == MoveKind::Castle && chess960 => {
                let is_short = CastlingSide::of(legal.from(), legal.to()) == CastlingSide::KingSide;
                if is_short { "O-O".to_owned() } else { "O-O-O".to_owned() }
            }
            Some(legal) => PyMove::of(legal, chess960).text(),
            None => mv.text(),
        }
    }

    /// The legal move that a text of XBoard means: algebraic notation or UCI.
    fn parse_xboard(&self, py: Python<'_>, xboard: &str) -> PyResult<Py<PyMove>> {
        self.parse_san(py, xboard)
    }

    /// Plays the move that a text of XBoard means, and returns it.
    fn push_xboard(&mut self, py: Python<'_>, xboard: &str) -> PyResult<Py<PyMove>> {
        self.push_san(py, xboard)
    }

    /// The board as letters, with White below.
    fn __str__(&self) -> String {
        let letter = |square: Square| self.state.piece_at(square).map_or('.', rules::Piece::letter).to_string();
        let rank = |rank| rules::File::ALL.map(|file| letter(Square::new(file, rank))).join(" ");
        rules::Rank::ALL.into_iter().rev().map(rank).collect::<Vec<_>>().join("\n")
    }
}
