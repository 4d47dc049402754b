//! What stands where, and what it attacks.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rules::{Bitboard, Color, Role, Square, attacks};

use super::PyBoard;
use crate::convert::{ColorArgument, MaskArgument, RoleArgument, SquareArgument, is_white, role_number};
use crate::piece::PyPiece;
use crate::square_set::PySquareSet;

impl PyBoard {
    /// The line on which a piece must stay because of its king; all squares if there is none.
    fn pin_line(&self, color: Color, square: Square) -> Bitboard {
        let Some(king) = self.state.king(color).filter(|&king| king != square) else { return Bitboard::ALL };
        let line = attacks::line(king, square);
        if line.is_empty() {
            return Bitboard::ALL;
        }
        // The first piece that the king sees beyond the square, if nothing stands between the king and the square.
        let occupied = self.state.occupied();
        let is_straight = attacks::rook(king, Bitboard::EMPTY).contains(square);
        let sees = |occupied| if is_straight { attacks::rook(king, occupied) } else { attacks::bishop(king, occupied) };
        let role = if is_straight { Role::Rook } else { Role::Bishop };
        let sliders = (self.state.role(role) | self.state.role(Role::Queen)) & self.state.color(!color);
        let is_seen = !attacks::between(king, square).intersects(occupied);
        let beyond = (sees(occupied.without(square)) & line & sliders)
            .into_iter()
            .any(|slider| attacks::between(king, slider).contains(square));
        if is_seen && beyond { line } else { Bitboard::ALL }
    }

    fn attacks_from(&self, square: Square) -> Bitboard {
        let attacked = |piece: rules::Piece| attacks::of(piece.role, piece.color, square, self.state.occupied());
        self.state.piece_at(square).map_or(Bitboard::EMPTY, attacked)
    }
}

#[pymethods]
impl PyBoard {
    /// The player to move: `True` is White.
    #[getter]
    fn turn(&self) -> bool {
        is_white(self.state.turn())
    }

    /// Both players' pawns, as a mask.
    #[getter]
    fn pawns(&self) -> u64 {
        self.state.role(Role::Pawn).0
    }

    /// Both players' knights, as a mask.
    #[getter]
    fn knights(&self) -> u64 {
        self.state.role(Role::Knight).0
    }

    /// Both players' bishops, as a mask.
    #[getter]
    fn bishops(&self) -> u64 {
        self.state.role(Role::Bishop).0
    }

    /// Both players' rooks, as a mask.
    #[getter]
    fn rooks(&self) -> u64 {
        self.state.role(Role::Rook).0
    }

    /// Both players' queens, as a mask.
    #[getter]
    fn queens(&self) -> u64 {
        self.state.role(Role::Queen).0
    }

    /// Both players' kings, as a mask.
    #[getter]
    fn kings(&self) -> u64 {
        self.state.role(Role::King).0
    }

    /// All squares with a piece, as a mask.
    #[getter]
    fn occupied(&self) -> u64 {
        self.state.occupied().0
    }

    /// The squares of Black's and of White's pieces, as masks: index with a color.
    #[getter]
    fn occupied_co(&self) -> [u64; 2] {
        [self.state.color(Color::Black).0, self.state.color(Color::White).0]
    }

    /// The piece on a square.
    fn piece_at(&self, py: Python<'_>, square: SquareArgument) -> PyResult<Option<Py<PyPiece>>> {
        self.state.piece_at(square.0).map(|piece| PyPiece::of(py, piece)).transpose()
    }

    /// The type of the piece on a square.
    fn piece_type_at(&self, square: SquareArgument) -> Option<u8> {
        self.state.piece_at(square.0).map(|piece| role_number(piece.role))
    }

    /// The color of the piece on a square.
    fn color_at(&self, square: SquareArgument) -> Option<bool> {
        self.state.piece_at(square.0).map(|piece| is_white(piece.color))
    }

    /// How many pieces there are.
    fn piece_count(&self) -> u32 {
        self.state.occupied().count()
    }

    /// All pieces by square, of the squares of a mask.
    #[pyo3(signature = (*, mask = MaskArgument(Bitboard::ALL)))]
    fn piece_map<'py>(&self, py: Python<'py>, mask: MaskArgument) -> PyResult<Bound<'py, PyDict>> {
        let map = PyDict::new(py);
        for square in self.state.occupied() & mask.0 {
            if let Some(piece) = self.state.piece_at(square) {
                map.set_item(square.index(), PyPiece::of(py, piece)?)?;
            }
        }
        Ok(map)
    }

    /// The squares of a player's pieces of a type.
    fn pieces(&self, piece_type: RoleArgument, color: ColorArgument) -> PySquareSet {
        PySquareSet::of(self.state.pieces(piece_type.0, color.0))
    }

    /// The squares of a player's pieces of a type, as a mask.
    fn pieces_mask(&self, piece_type: RoleArgument, color: ColorArgument) -> u64 {
        self.state.pieces(piece_type.0, color.0).0
    }

    /// The square of a player's king; `None` if there is none or several.
    fn king(&self, color: ColorArgument) -> Option<usize> {
        self.state.king(color.0).map(Square::index)
    }

    /// The squares that the piece on a square attacks.
    fn attacks(&self, square: SquareArgument) -> PySquareSet {
        PySquareSet::of(self.attacks_from(square.0))
    }

    /// The squares that the piece on a square attacks, as a mask.
    fn attacks_mask(&self, square: SquareArgument) -> u64 {
        self.attacks_from(square.0).0
    }

    /// The pieces of a player that attack a square; `occupied` overrides what blocks sliders.
    #[pyo3(signature = (color, square, occupied = None))]
    fn attackers_mask(&self, color: ColorArgument, square: SquareArgument, occupied: Option<MaskArgument>) -> u64 {
        match occupied {
            None => self.state.attackers(color.0, square.0).0,
            Some(occupied) => self.state.loose().attackers(color.0, square.0, occupied.0).0,
        }
    }

    /// The pieces of a player that attack a square, as a set.
    #[pyo3(signature = (color, square, occupied = None))]
    fn attackers(&self, color: ColorArgument, square: SquareArgument, occupied: Option<MaskArgument>) -> PySquareSet {
        PySquareSet { mask: self.attackers_mask(color, square, occupied) }
    }

    /// Whether a player attacks a square.
    #[pyo3(signature = (color, square, occupied = None))]
    fn is_attacked_by(&self, color: ColorArgument, square: SquareArgument, occupied: Option<MaskArgument>) -> bool {
        self.attackers_mask(color, square, occupied) != 0
    }

    /// The line on which the piece on a square must stay because of its king; all squares if it is not pinned.
    fn pin(&self, color: ColorArgument, square: SquareArgument) -> PySquareSet {
        PySquareSet::of(self.pin_line(color.0, square.0))
    }

    /// The same as `pin`, as a mask.
    fn pin_mask(&self, color: ColorArgument, square: SquareArgument) -> u64 {
        self.pin_line(color.0, square.0).0
    }

    /// Whether a piece on this square would be pinned to the king of a player.
    fn is_pinned(&self, color: ColorArgument, square: SquareArgument) -> bool {
        self.pin_line(color.0, square.0) != Bitboard::ALL
    }

    /// The pieces that give check, as a set.
    fn checkers(&self) -> PySquareSet {
        PySquareSet::of(self.state.checkers(self.state.turn()))
    }

    /// The pieces that give check, as a mask.
    fn checkers_mask(&self) -> u64 {
        self.state.checkers(self.state.turn()).0
    }

    /// Whether the player to move is in check.
    fn is_check(&self) -> bool {
        !self.state.checkers(self.state.turn()).is_empty()
    }

    /// Whether the player who is not to move is in check, which no legal position is.
    fn was_into_check(&self) -> bool {
        !self.state.checkers(!self.state.turn()).is_empty()
    }
}
