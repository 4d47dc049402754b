//! Numbers that stand for positions: Zobrist keys, kept up to date move by move.
//!
//! Every piece on every square has a random number, and a key is the exclusive or of those that apply. [`Keys`]
//! keeps the parts that are costly to recompute and listens to moves like any other [`Observer`]; what is left of the
//! position (turn, castling, en passant) is added when the whole key is asked for.

use crate::board::Board;
use crate::{Bitboard, Color, Observer, Piece, Role, Square};

/// A number that looks random, from its place in the sequence. The generator of Steele, Lea and Flood (2014).
pub(crate) const fn splitmix64(index: u64) -> u64 {
    let mut z = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// One number per square for each kind of piece.
static PIECES: [[[u64; 64]; 6]; 2] = {
    let mut table = [[[0; 64]; 6]; 2];
    let mut index = 0;
    while index < 2 * 6 * 64 {
        table[index / 384][index / 64 % 6][index % 64] = splitmix64(1 + index as u64);
        index += 1;
    }
    table
};

pub(crate) const BLACK_TO_MOVE: u64 = splitmix64(1_000);

/// For each player and each set of files with rooks that may castle: the numbers of those rooks together.
static CASTLING: [[u64; 256]; 2] = {
    let mut table = [[0; 256]; 2];
    let mut index = 0;
    while index < 2 * 256 {
        let (color, files) = (index / 256, index % 256);
        let mut file = 0;
        while file < 8 {
            if files >> file & 1 == 1 {
                table[color][files] ^= splitmix64(2_000 + 8 * color as u64 + file);
            }
            file += 1;
        }
        index += 1;
    }
    table
};

static EN_PASSANT: [u64; 8] = {
    let mut table = [0; 8];
    let mut file = 0;
    while file < 8 {
        table[file] = splitmix64(3_000 + file as u64);
        file += 1;
    }
    table
};

/// The number of a piece on a square.
#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    PIECES[piece.color as usize][piece.role as usize][square.index()]
}

/// The numbers of the rooks that may castle, together.
#[inline]
pub(crate) fn castling(rooks: Bitboard) -> u64 {
    CASTLING[0][(rooks.0 & 0xff) as usize] ^ CASTLING[1][(rooks.0 >> 56) as usize]
}

/// The number of an en-passant square.
#[inline]
pub(crate) fn en_passant(square: Square) -> u64 {
    EN_PASSANT[square.file().index()]
}

/// The parts of a position's key that depend on where the pieces stand.
///
/// They are updated all at once, each masked by whether the piece belongs to it: branches on the role of a piece could
/// not be predicted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Keys([u64; PARTS]);

const PARTS: usize = 5;
const PAWNS: usize = 0;
const NON_PAWNS: usize = 1;
const MINORS: usize = 3;

/// For each piece, the parts it belongs to.
static MASKS: [[[u64; PARTS]; 6]; 2] = {
    let mut masks = [[[0; PARTS]; 6]; 2];
    let mut index = 0;
    while index < 12 {
        let (color, role) = (index / 6, Role::ALL[index % 6]);
        let mask = &mut masks[color][index % 6];
        match role {
            Role::Pawn => mask[PAWNS] = !0,
            _ => mask[NON_PAWNS + color] = !0,
        }
        if matches!(role, Role::Knight | Role::Bishop) {
            mask[MINORS + color] = !0;
        }
        index += 1;
    }
    masks
};

impl Keys {
    /// The keys of a board, from scratch.
    pub(crate) fn of(board: &Board) -> Keys {
        let mut keys = Keys::default();
        for square in board.occupied() {
            if let Some(piece) = board.piece_at(square) {
                keys.toggle(piece, square);
            }
        }
        keys
    }

    #[inline]
    pub(crate) fn pawns(&self) -> u64 {
        self.0[PAWNS]
    }

    #[inline]
    pub(crate) fn non_pawns(&self, color: Color) -> u64 {
        self.0[NON_PAWNS + color as usize]
    }

    #[inline]
    pub(crate) fn minors(&self, color: Color) -> u64 {
        self.0[MINORS + color as usize]
    }

    /// The key of the whole position.
    #[inline]
    pub(crate) fn position(&self, board: &Board) -> u64 {
        let en_passant = board.en_passant.map_or(0, en_passant);
        let turn = match board.turn {
            Color::White => 0,
            Color::Black => BLACK_TO_MOVE,
        };
        let pieces = self.pawns() ^ self.non_pawns(Color::White) ^ self.non_pawns(Color::Black);
        pieces ^ castling(board.castling.rooks()) ^ en_passant ^ turn
    }

    /// What a move of a piece changes in the key of the position, castling rights and en passant apart.
    #[inline]
    pub(crate) fn change(piece: Piece, captured: Option<Role>, from: Square, to: Square) -> u64 {
        let ours = &PIECES[piece.color as usize][piece.role as usize];
        let theirs = captured.map_or(0, |role| PIECES[!piece.color as usize][role as usize][to.index()]);
        ours[from.index()] ^ ours[to.index()] ^ theirs ^ BLACK_TO_MOVE
    }

    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let number = self::piece(piece, square);
        let mask = &MASKS[piece.color as usize][piece.role as usize];
        self.0 = std::array::from_fn(|part| self.0[part] ^ number & mask[part]);
    }
}

impl Observer for Keys {
    #[inline(always)]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, square);
    }

    #[inline(always)]
    fn placed(&mut self, piece: Piece, square: Square) {
        self.toggle(piece, square);
    }
}
