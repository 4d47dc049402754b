//! What is told of each position, as bytes for numpy.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use records::packed::PackedBoard;
use rules::{Bitboard, CastlingSide, Color, Move, Position, Role};

use super::{BLOCK, Core, flip, policy};

/// The planes of a position: twelve of pieces, and what the pieces do not tell.
const PLANES: usize = 18;

impl Core {
    /// So many bytes for each position, which are zero at first, filled without the interpreter lock. Ctrl-C stops it.
    pub(super) fn fill<'py>(
        &self,
        py: Python<'py>,
        size: usize,
        write: impl Fn(&Position, &mut [u8]) + Sync,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let positions = &self.positions[..];
        let bytes = size.checked_mul(positions.len()).ok_or_else(|| PyValueError::new_err("too many positions"))?;
        PyByteArray::new_with(py, bytes, |target| {
            for (positions, target) in positions.chunks(BLOCK).zip(target.chunks_mut(BLOCK * size)) {
                py.check_signals()?;
                py.detach(|| {
                    for (position, target) in positions.iter().zip(target.chunks_exact_mut(size)) {
                        write(position, target);
                    }
                });
            }
            Ok(())
        })
    }
}

/// The pieces from the side that looks: its own first, and its first rank at the bottom.
fn pieces(position: &Position, relative: bool) -> impl Iterator<Item = Bitboard> + '_ {
    let is_flipped = flip(position, relative) != 0;
    let colors = if is_flipped { [Color::Black, Color::White] } else { [Color::White, Color::Black] };
    colors.into_iter().flat_map(move |color| {
        Role::ALL.into_iter().map(move |role| {
            let pieces = position.pieces(role, color);
            if is_flipped { pieces.flip_ranks() } else { pieces }
        })
    })
}

/// The rights to castle as four bits: White's to the king's side, to the queen's side, then Black's.
fn castling(position: &Position) -> u8 {
    let mut bits = 0;
    for (index, color) in Color::ALL.into_iter().enumerate() {
        for (side, wing) in [CastlingSide::KingSide, CastlingSide::QueenSide].into_iter().enumerate() {
            let has = position.castling_rights().rook(color, wing, position.king(color)).is_some();
            bits |= u8::from(has) << (2 * index + side);
        }
    }
    bits
}

/// Writes ones of a type into planes.
fn planes<const N: usize>(position: &Position, relative: bool, one: [u8; N], target: &mut [u8]) {
    let cells = target.as_chunks_mut::<N>().0;
    let mut set = |plane: usize, squares: Bitboard| {
        for square in squares {
            cells[64 * plane + square.index()] = one;
        }
    };
    for (plane, squares) in pieces(position, relative).enumerate() {
        set(plane, squares);
    }
    let is_flipped = flip(position, relative) != 0;
    if position.turn() == Color::White || relative {
        set(12, Bitboard::ALL);
    }
    let rights = castling(position);
    let rights = if is_flipped { rights >> 2 | (rights & 3) << 2 } else { rights };
    for right in 0..4 {
        if rights >> right & 1 == 1 {
            set(13 + right, Bitboard::ALL);
        }
    }
    if let Some(square) = position.en_passant() {
        let squares = Bitboard::from(square);
        set(17, if is_flipped { squares.flip_ranks() } else { squares });
    }
}

#[pymethods]
impl Core {
    fn packed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        self.fill(py, PackedBoard::SIZE, |position, target| {
            target.copy_from_slice(PackedBoard::new(position).bytes());
        })
    }

    fn bitboards<'py>(&self, py: Python<'py>, relative: bool) -> PyResult<Bound<'py, PyByteArray>> {
        self.fill(py, 8 * 12, |position, target| {
            for (target, squares) in target.as_chunks_mut::<8>().0.iter_mut().zip(pieces(position, relative)) {
                *target = squares.0.to_ne_bytes();
            }
        })
    }

    fn planes<'py>(&self, py: Python<'py>, is_float: bool, relative: bool) -> PyResult<Bound<'py, PyByteArray>> {
        if is_float {
            let one = 1.0_f32.to_ne_bytes();
            return self.fill(py, 4 * 64 * PLANES, |position, target| planes(position, relative, one, target));
        }
        self.fill(py, 64 * PLANES, |position, target| planes(position, relative, [1], target))
    }

    fn legal_masks<'py>(&self, py: Python<'py>, relative: bool) -> PyResult<Bound<'py, PyByteArray>> {
        let chess960 = self.chess960;
        self.fill(py, policy::POLICY_SIZE, |position, target| policy::mask(position, chess960, relative, target))
    }

    fn turns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        self.fill(py, 1, |position, target| target[0] = u8::from(position.turn() == Color::White))
    }

    fn castling<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        self.fill(py, 1, |position, target| target[0] = castling(position))
    }

    fn en_passant<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        self.fill(py, 1, |position, target| {
            target[0] = position.en_passant().map_or(-1, |square| square.index() as i8).to_ne_bytes()[0];
        })
    }

    fn counters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        self.fill(py, 4, |position, target| {
            target[..2].copy_from_slice(&position.halfmove_clock().to_ne_bytes());
            target[2..].copy_from_slice(&position.fullmove_number().to_ne_bytes());
        })
    }

    fn zobrist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        self.fill(py, 8, |position, target| target.copy_from_slice(&position.key().to_ne_bytes()))
    }

    fn legal_move_counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        self.fill(py, 2, |position, target| {
            target.copy_from_slice(&(position.legal_move_count() as u16).to_ne_bytes());
        })
    }

    fn checks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        self.fill(py, 1, |position, target| {
            let king = position.king(position.turn());
            let attackers = position.attackers(king) & position.by_color(!position.turn());
            target[0] = u8::from(!attackers.is_empty());
        })
    }

    /// The legal moves of all positions one behind the other, and where those of each end.
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyByteArray>, Bound<'py, PyByteArray>)> {
        let (mut moves, mut ends) = (Vec::new(), vec![0_i64]);
        for positions in self.positions.chunks(BLOCK) {
            py.check_signals()?;
            py.detach(|| {
                for position in positions {
                    moves.extend(position.legal_moves().iter().map(|mv| mv.bits()));
                    ends.push(moves.len() as i64);
                }
            });
        }
        let moves = crate::columns::bytes(py, &moves, u16::to_ne_bytes)?;
        Ok((moves, crate::columns::bytes(py, &ends, i64::to_ne_bytes)?))
    }

    /// What one move of each position wins, if both players capture on its square as long as it pays.
    fn see<'py>(&self, py: Python<'py>, moves: Vec<u16>) -> PyResult<Bound<'py, PyByteArray>> {
        if moves.len() != self.positions.len() {
            let (given, wanted) = (moves.len(), self.positions.len());
            return Err(PyValueError::new_err(format!("{given} moves for {wanted} positions")));
        }
        let values = py.detach(|| {
            self.positions
                .iter()
                .zip(&moves)
                .enumerate()
                .map(|(row, (position, &bits))| {
                    let legal = Move::from_bits(bits).filter(|&mv| position.is_legal(mv));
                    legal.map(|mv| position.see(mv)).ok_or((row, bits))
                })
                .collect::<Result<Vec<i32>, _>>()
        });
        let values = values.map_err(|(row, bits)| {
            let mv = Move::from_bits(bits).map_or_else(|| format!("{bits:#06x}"), |mv| mv.to_string());
            PyValueError::new_err(format!("{mv} is not a legal move of position {row}"))
        })?;
        crate::columns::bytes(py, &values, i32::to_ne_bytes)
    }
}
