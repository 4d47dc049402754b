//! The 32 bytes of a position that the trainer bullet learns from.

use rules::{Color, Role};

use super::board::PackedBoard;
use crate::GameResult;

impl PackedBoard {
    /// The position as bullet's files have it, one behind the other: from the side of the player to move, who is turned
    /// to play up the board. Castling, en passant and the clocks are left out; without a result it counts as a draw.
    ///
    /// | bytes | what |
    /// |---|---|
    /// | 0–7 | the occupied squares |
    /// | 8–23 | four bits for each: pawn 0 to king 5, and 8 more for the opponent's |
    /// | 24–25 | the score |
    /// | 26 | the result: 0 lost, 1 drawn, 2 won |
    /// | 27, 28 | the king's square; the opponent's, turned the other way |
    /// | 29–31 | zero |
    pub fn to_bullet(&self) -> [u8; PackedBoard::SIZE] {
        let turn = self.turn();
        let flip = if turn == Color::Black { 56 } else { 0 };
        let mut pieces: Vec<_> = self.pieces().map(|(square, piece)| (square.index() ^ flip, piece)).collect();
        pieces.sort_by_key(|&(square, _)| square);
        let mut bytes = [0; PackedBoard::SIZE];
        let mut occupied = 0_u64;
        for (index, &(square, piece)) in pieces.iter().enumerate() {
            let is_own = piece.color == turn;
            occupied |= 1 << square;
            bytes[8 + index / 2] |= (piece.role as u8 | u8::from(!is_own) << 3) << (4 * (index % 2));
            if piece.role == Role::King {
                let (at, turned) = if is_own { (27, square) } else { (28, square ^ 56) };
                bytes[at] = turned as u8;
            }
        }
        bytes[..8].copy_from_slice(&occupied.to_le_bytes());
        let score = if turn == Color::White { self.score() } else { self.score().saturating_neg() };
        bytes[24..26].copy_from_slice(&score.to_le_bytes());
        bytes[26] = match self.result().unwrap_or(GameResult::Draw).winner() {
            Some(winner) => 2 * u8::from(winner == turn),
            None => 1,
        };
        bytes
    }
}
