//! Exchanges whose value is known, and the same exchange seen from elsewhere.

use rules::{Move, MoveKind, Position, Setup, Square};

/// Exchanges about which the founding document has a rule: a position, a move, and what it wins.
pub const FOUNDING_EXCHANGES: [(&str, &str, i32); 10] = [
    // A rook pins a knight or a bishop. The pinned side's queen would be lost to the rook.
    ("3qk3/4n3/8/3pR3/2P5/8/8/4K3 w - - 0 1", "cxd5", 100),
    ("3qk3/4n3/8/3pR3/8/2N5/8/4K3 w - - 0 1", "Nxd5", 100),
    ("3qk3/8/4b3/3pR3/2P5/8/8/4K3 w - - 0 1", "cxd5", 100),
    ("3qk3/8/4b3/3pR3/8/2N5/8/4K3 w - - 0 1", "Nxd5", 100),
    // A queen behind a rook, a queen behind a bishop, and a bishop behind a pawn.
    ("4r1k1/8/3b4/4p3/8/5N2/4R3/4Q1K1 w - - 0 1", "Nxe5", 100),
    ("4k3/8/3p4/4p3/5n2/8/1B6/Q3K3 w - - 0 1", "Bxe5", -100),
    ("6k1/8/3p4/4p3/3P4/2B5/8/6K1 w - - 0 1", "dxe5", 100),
    // Case I: both players have a queen, and a bishop stands behind one of them.
    ("4q1k1/8/4r3/4p3/8/2Q2N2/1B6/6K1 w - - 0 1", "Nxe5", 100),
    // Case II: only one player has a queen. What stands behind it keeps the enemy king away.
    ("8/8/2nk4/4p3/8/2Q2N2/1B6/6K1 w - - 0 1", "Nxe5", 100),
    // Rooks of both colors in one line.
    ("4k3/8/8/1p1r1R2/P7/8/8/6K1 w - - 0 1", "axb5", 100),
];

/// A move in a position, and the same with colors exchanged, in a mirror, and both.
///
/// There is no mirror for a position with castling rights.
pub fn symmetric_moves(position: &Position, mv: Move) -> Vec<(Position, Move)> {
    let mut moves = vec![(position.setup(), mv)];
    moves.push((moves[0].0.flipped(), rebuilt(mv, Square::flip_rank)));
    if position.castling_rights().rooks().is_empty() {
        moves.extend_from_within(..);
        moves[2..]
            .iter_mut()
            .for_each(|(setup, mv)| (*setup, *mv) = (mirrored(setup), rebuilt(*mv, Square::flip_file)));
    }
    moves.into_iter().map(|(setup, mv)| (setup.position().expect("legal from all sides"), mv)).collect()
}

fn mirrored(setup: &Setup) -> Setup {
    let mut mirrored = setup.clone();
    for square in Square::ALL {
        mirrored.pieces[square.flip_file().index()] = setup.pieces[square.index()];
    }
    mirrored.en_passant = setup.en_passant.map(Square::flip_file);
    mirrored
}

fn rebuilt(mv: Move, change: impl Fn(Square) -> Square) -> Move {
    let (from, to) = (change(mv.from()), change(mv.to()));
    match mv.kind() {
        MoveKind::Normal => Move::normal(from, to),
        MoveKind::Promotion(role) => Move::promotion(from, to, role),
        MoveKind::EnPassant => Move::en_passant(from, to),
        MoveKind::Castle => Move::castle(from, to),
    }
}
