//! Changing a board by hand. Whatever results is accepted; `status()` tells what is wrong with it.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rules::{Bitboard, Color, Position, Setup, SetupProblem, Square};

use super::{PyBoard, text};
use crate::convert::{ColorArgument, Count, MaskArgument, SquareArgument};
use crate::piece::PyPiece;
use crate::state::State;

/// The highest number of a move, and of half-moves without a capture, that a FEN may have here.
const MOST_MOVES: u64 = u16::MAX as u64;

impl PyBoard {
    /// Changes a part of the board and keeps its history, so that `pop` leads back to before the change.
    fn change(&mut self, change: impl FnOnce(&mut Setup)) {
        let mut setup = self.state.setup();
        change(&mut setup);
        *self.state = State::of(setup, self.chess960);
    }
}

#[pymethods]
impl PyBoard {
    #[setter]
    fn set_turn(&mut self, color: ColorArgument) {
        self.change(|setup| setup.turn = color.0);
    }

    /// The rooks that may castle, as a mask, as it was set. See `clean_castling_rights()`.
    #[getter]
    fn castling_rights(&self) -> u64 {
        self.state.castling().0
    }

    #[setter]
    fn set_castling_rights(&mut self, rooks: MaskArgument) {
        self.change(|setup| setup.castling = rooks.0);
    }

    /// The square that a pawn has just passed, whether or not it can be taken there.
    #[getter]
    fn ep_square(&self) -> Option<usize> {
        self.state.passed().map(Square::index)
    }

    #[setter]
    fn set_ep_square(&mut self, square: Option<SquareArgument>) {
        self.change(|setup| setup.en_passant = square.map(|square| square.0));
    }

    /// Half-moves since the last capture or pawn move.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        self.state.halfmove_clock()
    }

    #[setter]
    fn set_halfmove_clock(&mut self, clock: Count<MOST_MOVES>) {
        self.change(|setup| setup.halfmove_clock = clock.0 as u16);
    }

    /// The number of the move, counted from one.
    #[getter]
    fn fullmove_number(&self) -> u16 {
        self.state.fullmove_number()
    }

    #[setter]
    fn set_fullmove_number(&mut self, number: Count<MOST_MOVES>) {
        self.change(|setup| setup.fullmove_number = number.0 as u16);
    }

    /// Puts a piece on a square, or `None` to empty it. The history is forgotten.
    #[pyo3(signature = (square, piece, promoted = false))]
    fn set_piece_at(&mut self, square: SquareArgument, piece: Option<&Bound<'_, PyPiece>>, promoted: bool) {
        // Which pieces were pawns once matters in no game of this package.
        let _ = promoted;
        let mut setup = self.state.setup();
        setup.pieces[square.0.index()] = piece.map(|piece| piece.get().0);
        self.set_up(setup);
    }

    /// Empties a square and returns what stood there. The history is forgotten.
    fn remove_piece_at(&mut self, py: Python<'_>, square: SquareArgument) -> PyResult<Option<Py<PyPiece>>> {
        let mut setup = self.state.setup();
        let removed = setup.pieces[square.0.index()].take();
        self.set_up(setup);
        removed.map(|piece| PyPiece::of(py, piece)).transpose()
    }

    /// Replaces all pieces by those of a dictionary from squares to pieces. The history is forgotten.
    fn set_piece_map(&mut self, pieces: &Bound<'_, PyDict>) -> PyResult<()> {
        let mut setup = self.state.setup();
        setup.pieces = [None; 64];
        for (square, piece) in pieces {
            let square: SquareArgument = square.extract()?;
            setup.pieces[square.0.index()] = Some(piece.cast::<PyPiece>()?.get().0);
        }
        self.set_up(setup);
        Ok(())
    }

    /// Replaces all pieces by those of the first field of a FEN. The history is forgotten.
    fn set_board_fen(&mut self, fen: &str) -> PyResult<()> {
        if fen.contains(char::is_whitespace) {
            return Err(PyValueError::new_err(format!("expected the first field of a FEN, got {fen:?}")));
        }
        let pieces = text::parse(fen)?.pieces;
        let setup = Setup { pieces, ..self.state.setup() };
        self.set_up(setup);
        Ok(())
    }

    /// Sets the castling rights by the third field of a FEN: `KQkq`, files, or `-`.
    fn set_castling_fen(&mut self, castling_fen: &str) -> PyResult<()> {
        let board_fen = self.board_fen();
        let castling = text::parse(&format!("{board_fen} w {castling_fen} - 0 1"))?.castling;
        self.clear_history();
        self.change(|setup| setup.castling = castling);
        Ok(())
    }

    /// Sets the board by a FEN. The history is forgotten.
    pub(crate) fn set_fen(&mut self, fen: &str) -> PyResult<()> {
        let setup = text::parse(fen)?;
        self.set_up(setup);
        Ok(())
    }

    /// Sets up the start of a game.
    fn reset(&mut self) {
        self.clear_history();
        *self.state = State::from(Position::initial());
    }

    /// Sets up the pieces as at the start of a game, and leaves turn and rights as they are.
    fn reset_board(&mut self) {
        let setup = Setup { pieces: Setup::initial().pieces, ..self.state.setup() };
        self.set_up(setup);
    }

    /// Empties the board, with White to move and no rights.
    fn clear(&mut self) {
        self.set_up(Setup::empty());
    }

    /// Removes all pieces, and leaves turn and rights as they are.
    fn clear_board(&mut self) {
        let setup = Setup { pieces: [None; 64], ..self.state.setup() };
        self.set_up(setup);
    }

    /// Sets up the start of a game of Chess960 by its number, 0 to 959: 518 is the usual one.
    fn set_chess960_pos(&mut self, scharnagl: i128) -> PyResult<()> {
        let number = u16::try_from(scharnagl).ok();
        let position = number
            .and_then(Position::chess960)
            .ok_or_else(|| PyValueError::new_err(format!("Chess960 has positions 0 to 959, not {scharnagl}")))?;
        self.chess960 = true;
        self.clear_history();
        *self.state = State::from(position);
        Ok(())
    }

    /// The number of the Chess960 position on the board; `None` if it is not the start of a game.
    #[pyo3(signature = (*, ignore_turn = false, ignore_castling = false, ignore_counters = true))]
    fn chess960_pos(&self, ignore_turn: bool, ignore_castling: bool, ignore_counters: bool) -> Option<u16> {
        let ours = self.state.setup();
        let is_start = (ignore_turn || ours.turn == Color::White)
            && (ignore_counters || (ours.halfmove_clock == 0 && ours.fullmove_number == 1));
        (0..960).filter(|_| is_start).find(|&number| {
            let castling = self.state.clean_castling(true);
            Setup::double_chess960(number, number)
                .is_some_and(|start| start.pieces == ours.pieces && (ignore_castling || castling == start.castling))
        })
    }

    /// Swaps colors and ranks, so that the position is the same for the other player.
    fn apply_mirror(&mut self) {
        let setup = self.state.setup().flipped();
        self.set_up(setup);
    }

    /// Rearranges the squares by a function from masks to masks. Castling rights go along, en passant is dropped
    /// unless its square stays on its rank.
    fn apply_transform(&mut self, f: &Bound<'_, PyAny>) -> PyResult<()> {
        let map = |mask: Bitboard| -> PyResult<Bitboard> { Ok(f.call1((mask.0,))?.extract::<MaskArgument>()?.0) };
        let before = self.state.setup();
        let mut after = Setup { pieces: [None; 64], castling: map(before.castling)?, en_passant: None, ..before };
        for color in Color::ALL {
            for role in rules::Role::ALL {
                for square in map(self.state.pieces(role, color))? {
                    after.pieces[square.index()] = Some(role.of(color));
                }
            }
        }
        if let Some(square) = before.en_passant {
            after.en_passant = map(square.bitboard())?.first();
        }
        self.set_up(after);
        Ok(())
    }

    /// What is wrong with the board, as the bits of `Status`.
    fn _status(&self) -> u32 {
        let loose = self.state.loose();
        let count = |role, color| loose.setup.squares(role, color).count();
        let mut status = 0;
        let mut add = |is_wrong: bool, flag: u32| status |= if is_wrong { flag } else { 0 };
        let (kings, pawns) = (rules::Role::King, rules::Role::Pawn);
        let (white, black) = (Color::White, Color::Black);
        add(loose.occupied().is_empty(), 2048);
        add(count(kings, white) == 0, 1);
        add(count(kings, black) == 0, 2);
        add(count(kings, white) + count(kings, black) > 2, 4);
        add(count(pawns, white) > 8, 8);
        add(count(pawns, black) > 8, 16);
        let problems = loose.problems();
        add(problems.iter().any(|problem| matches!(problem, SetupProblem::PawnOnBackRank(_))), 32);
        add(loose.color(white).count() > 16, 64);
        add(loose.color(black).count() > 16, 128);
        add(loose.clean_castling(self.chess960) != loose.setup.castling, 256);
        add(loose.valid_en_passant() != loose.setup.en_passant, 512);
        add(!self.state.checkers(!self.state.turn()).is_empty(), 1024);
        let checkers = self.state.checkers(self.state.turn());
        add(checkers.count() > 2, 1 << 15);
        add(problems.iter().any(|problem| matches!(problem, SetupProblem::ImpossibleCheckers(_))), 1 << 16);
        status
    }

    /// Whether the position can be reached and played, as far as anyone can tell.
    fn is_valid(&self) -> bool {
        self._status() == 0
    }
}
