//! The random numbers of the position key.

use rules::{Color, Square};

use super::cells::{Cell, Content};
use crate::random::number;

static PIECES: [[u64; Cell::COUNT]; Content::CODES] = {
    let mut table = [[0; Cell::COUNT]; Content::CODES];
    let mut index = 0;
    while index < Content::CODES * Cell::COUNT {
        table[index / Cell::COUNT][index % Cell::COUNT] = number(index as u64);
        index += 1;
    }
    table
};

static CASTLING: [u64; 16] = {
    let mut table = [0; 16];
    let mut index = 0;
    while index < table.len() {
        table[index] = number(10_000 + index as u64);
        index += 1;
    }
    table
};

const WHITE_TO_MOVE: u64 = number(11_000);

#[inline]
pub(super) fn piece(content: Content, cell: Cell) -> u64 {
    PIECES[content.index()][cell.index()]
}

#[inline]
pub(super) fn castling(permission: u8) -> u64 {
    CASTLING[usize::from(permission & 15)]
}

/// The number of the en-passant square is the one an empty cell would have: no piece needs it.
#[inline]
pub(super) fn en_passant(square: Option<Square>) -> u64 {
    square.map_or(0, |square| piece(Content::EMPTY, Cell::of(square)))
}

/// Only White's turn has a number: two players need one bit.
#[inline]
pub(super) fn side(turn: Color) -> u64 {
    match turn {
        Color::White => WHITE_TO_MOVE,
        Color::Black => 0,
    }
}
