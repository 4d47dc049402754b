//! Which moves there are, and what a move does.

use pyo3::prelude::*;
use rules::{Bitboard, CastlingSide, Color, Move, MoveKind, Role, Square};

use super::{PyBoard, text};
use crate::convert::{ColorArgument, MaskArgument, RoleArgument, SquareArgument, or_all};
use crate::moves::{self, PyMove};

impl PyBoard {
    fn pseudo_legal(&self, from_mask: Option<MaskArgument>, to_mask: Option<MaskArgument>) -> Vec<Move> {
        self.state.loose().pseudo_legal(self.chess960, or_all(from_mask), or_all(to_mask))
    }

    fn all_legal(&self, from_mask: Option<MaskArgument>, to_mask: Option<MaskArgument>) -> Vec<Move> {
        self.state.legal_moves(self.chess960, or_all(from_mask), or_all(to_mask))
    }

    /// An iterator over those of some moves that are wanted.
    fn iterate<'py>(
        &self,
        py: Python<'py>,
        mut moves: Vec<Move>,
        wanted: impl Fn(&Move) -> bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        moves.retain(wanted);
        Ok(self.list(py, &moves)?.try_iter()?.into_any())
    }

    fn takes(&self, mv: PyMove) -> bool {
        let is_theirs = self.state.color(!self.state.turn()).contains(mv.to);
        is_theirs || self.takes_en_passant(mv)
    }

    fn takes_en_passant(&self, mv: PyMove) -> bool {
        let is_pawn = self.state.role(Role::Pawn).contains(mv.from);
        is_pawn
            && self.state.passed() == Some(mv.to)
            && mv.from.file() != mv.to.file()
            && !self.state.occupied().contains(mv.to)
    }

    /// The side on which a move castles, in either spelling.
    fn castles(&self, mv: PyMove) -> Option<CastlingSide> {
        let is_king = self.state.pieces(Role::King, self.state.turn()).contains(mv.from);
        let takes_rook = self.state.pieces(Role::Rook, self.state.turn()).contains(mv.to);
        let is_leap = mv.from.rank() == mv.to.rank() && mv.from.index().abs_diff(mv.to.index()) > 1;
        (is_king && (is_leap || takes_rook)).then(|| CastlingSide::of(mv.from, mv.to))
    }

    fn is_of_pawn(&self, mv: PyMove) -> bool {
        self.state.role(Role::Pawn).contains(mv.from)
    }

    fn rights_on(&self, color: Color, side: CastlingSide) -> bool {
        let rights = self.state.clean_castling(self.chess960) & color.back_rank().squares();
        let king = match self.chess960 {
            true => self.state.king(color),
            false => Some(Square::new(rules::File::E, color.back_rank())),
        };
        king.is_some_and(|king| rights.into_iter().any(|rook| CastlingSide::of(king, rook) == side))
    }
}

#[pymethods]
impl PyBoard {
    /// The legal moves from and to the squares of masks. Castling counts as going to the rook's square.
    #[pyo3(signature = (from_mask = None, to_mask = None))]
    fn generate_legal_moves<'py>(
        &self,
        py: Python<'py>,
        from_mask: Option<MaskArgument>,
        to_mask: Option<MaskArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.iterate(py, self.all_legal(from_mask, to_mask), |_| true)
    }

    /// The legal captures, en passant included.
    #[pyo3(signature = (from_mask = None, to_mask = None))]
    fn generate_legal_captures<'py>(
        &self,
        py: Python<'py>,
        from_mask: Option<MaskArgument>,
        to_mask: Option<MaskArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let is_capture = |mv: &Move| mv.kind() != MoveKind::Castle && self.takes(PyMove::of(*mv, true));
        self.iterate(py, self.all_legal(from_mask, to_mask), is_capture)
    }

    /// The legal moves that take en passant.
    #[pyo3(signature = (from_mask = None, to_mask = None))]
    fn generate_legal_ep<'py>(
        &self,
        py: Python<'py>,
        from_mask: Option<MaskArgument>,
        to_mask: Option<MaskArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.iterate(py, self.all_legal(from_mask, to_mask), |mv| mv.kind() == MoveKind::EnPassant)
    }

    /// The ways to castle: king from the first mask, rook from the second.
    #[pyo3(signature = (from_mask = None, to_mask = None))]
    fn generate_castling_moves<'py>(
        &self,
        py: Python<'py>,
        from_mask: Option<MaskArgument>,
        to_mask: Option<MaskArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.iterate(py, self.all_legal(from_mask, to_mask), |mv| mv.kind() == MoveKind::Castle)
    }

    /// The moves that are legal if the king's safety is left aside.
    #[pyo3(signature = (from_mask = None, to_mask = None))]
    fn generate_pseudo_legal_moves<'py>(
        &self,
        py: Python<'py>,
        from_mask: Option<MaskArgument>,
        to_mask: Option<MaskArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.iterate(py, self.pseudo_legal(from_mask, to_mask), |_| true)
    }

    /// The captures that are legal if the king's safety is left aside.
    #[pyo3(signature = (from_mask = None, to_mask = None))]
    fn generate_pseudo_legal_captures<'py>(
        &self,
        py: Python<'py>,
        from_mask: Option<MaskArgument>,
        to_mask: Option<MaskArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let is_capture = |mv: &Move| mv.kind() != MoveKind::Castle && self.takes(PyMove::of(*mv, true));
        self.iterate(py, self.pseudo_legal(from_mask, to_mask), is_capture)
    }

    /// The moves that take en passant if the king's safety is left aside.
    #[pyo3(signature = (from_mask = None, to_mask = None))]
    fn generate_pseudo_legal_ep<'py>(
        &self,
        py: Python<'py>,
        from_mask: Option<MaskArgument>,
        to_mask: Option<MaskArgument>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.iterate(py, self.pseudo_legal(from_mask, to_mask), |mv| mv.kind() == MoveKind::EnPassant)
    }

    /// Whether a move is legal.
    fn is_legal(&self, r#move: &Bound<'_, PyMove>) -> bool {
        self.state.resolve(*r#move.get(), self.chess960).is_some()
    }

    /// Whether a move is legal if the king's safety is left aside.
    fn is_pseudo_legal(&self, r#move: &Bound<'_, PyMove>) -> bool {
        self.state.resolve_pseudo_legal(*r#move.get(), self.chess960).is_some()
    }

    /// Whether a move leaves the king of the player who makes it in check.
    fn is_into_check(&self, r#move: &Bound<'_, PyMove>) -> bool {
        let mv = self.state.resolve_pseudo_legal(*r#move.get(), self.chess960);
        mv.is_some_and(|mv| !self.state.loose().is_safe(mv))
    }

    /// Whether a legal move gives check.
    fn gives_check(&self, r#move: &Bound<'_, PyMove>) -> PyResult<bool> {
        let mv = self.legal(*r#move.get())?;
        let next = self.state.play(mv, self.chess960);
        Ok(!next.checkers(next.turn()).is_empty())
    }

    /// The legal move from one square to another; a pawn that promotes becomes a queen unless told otherwise.
    #[pyo3(signature = (from_square, to_square, promotion = None))]
    fn find_move(
        &self,
        py: Python<'_>,
        from_square: SquareArgument,
        to_square: SquareArgument,
        promotion: Option<RoleArgument>,
    ) -> PyResult<Py<PyMove>> {
        let last_ranks = rules::Rank::First.squares() | rules::Rank::Eighth.squares();
        let is_promotion = self.state.role(Role::Pawn).contains(from_square.0) && last_ranks.contains(to_square.0);
        let promotion = promotion.map(|role| role.0).or(is_promotion.then_some(Role::Queen));
        let text = PyMove { from: from_square.0, to: to_square.0, promotion, ..PyMove::NULL };
        moves::to_python(py, self.legal(text)?, self.chess960)
    }

    /// Whether a move takes something.
    fn is_capture(&self, r#move: &Bound<'_, PyMove>) -> bool {
        self.takes(*r#move.get())
    }

    /// Whether a move takes en passant.
    fn is_en_passant(&self, r#move: &Bound<'_, PyMove>) -> bool {
        self.takes_en_passant(*r#move.get())
    }

    /// Whether a move castles.
    fn is_castling(&self, r#move: &Bound<'_, PyMove>) -> bool {
        self.castles(*r#move.get()).is_some()
    }

    /// Whether a move castles on the king's side.
    fn is_kingside_castling(&self, r#move: &Bound<'_, PyMove>) -> bool {
        self.castles(*r#move.get()) == Some(CastlingSide::KingSide)
    }

    /// Whether a move castles on the queen's side.
    fn is_queenside_castling(&self, r#move: &Bound<'_, PyMove>) -> bool {
        self.castles(*r#move.get()) == Some(CastlingSide::QueenSide)
    }

    /// Whether a move is a capture or a pawn move, which resets the half-move clock.
    fn is_zeroing(&self, r#move: &Bound<'_, PyMove>) -> bool {
        self.is_of_pawn(*r#move.get()) || self.takes(*r#move.get())
    }

    /// Whether no later position can be the same as one before the move: captures, pawn moves, castling rights that
    /// are given up, and a legal en-passant capture that is passed over.
    fn is_irreversible(&self, r#move: &Bound<'_, PyMove>) -> bool {
        let mv = *r#move.get();
        let rights = self.state.clean_castling(self.chess960);
        let touched = mv.from.bitboard() | mv.to.bitboard();
        let of_king = self.state.pieces(Role::King, self.state.turn()).contains(mv.from)
            && (rights & self.state.turn().back_rank().squares()) != Bitboard::EMPTY;
        let loses_rights = !mv.is_null() && (rights.intersects(touched) || of_king);
        self.is_of_pawn(mv) && !mv.is_null()
            || self.takes(mv) && !mv.is_null()
            || loses_rights
            || text::has_en_passant(&self.state, self.chess960, true)
    }

    /// Whether a pawn may legally take en passant.
    fn has_legal_en_passant(&self) -> bool {
        text::has_en_passant(&self.state, self.chess960, true)
    }

    /// Whether a pawn stands ready to take en passant.
    fn has_pseudo_legal_en_passant(&self) -> bool {
        text::has_en_passant(&self.state, self.chess960, false)
    }

    /// The rights to castle that mean something, as a mask of rooks.
    fn clean_castling_rights(&self) -> u64 {
        self.state.clean_castling(self.chess960).0
    }

    /// Whether a player may still castle.
    fn has_castling_rights(&self, color: ColorArgument) -> bool {
        self.state.clean_castling(self.chess960).intersects(color.0.back_rank().squares())
    }

    /// Whether a player may still castle on the king's side.
    fn has_kingside_castling_rights(&self, color: ColorArgument) -> bool {
        self.rights_on(color.0, CastlingSide::KingSide)
    }

    /// Whether a player may still castle on the queen's side.
    fn has_queenside_castling_rights(&self, color: ColorArgument) -> bool {
        self.rights_on(color.0, CastlingSide::QueenSide)
    }

    /// Whether some right to castle exists only in Chess960.
    fn has_chess960_castling_rights(&self) -> bool {
        let mut setup = self.state.setup();
        setup.castling = self.state.loose().clean_castling(true);
        !setup.chess960_rooks().is_empty()
    }
}
