//! Checks of the exercises about move maps. The truth comes from the bitboard, which knows no maps.

use rules::{Role, Square, attacks};
use saavedra_classic::Board;
use saavedra_classic::bitboard::BitboardBoard;
use saavedra_classic::movemap::{self, Map, Original};

use super::{Answers, Cases, walk};

/// The document's board, `squares[rank][file]`: ten times the type plus the colour.
pub(super) type Squares = [[i32; 8]; 8];

fn squares_of(board: &Original) -> Squares {
    std::array::from_fn(|rank| std::array::from_fn(|file| board.value_at(Square::ALL[8 * rank + file]).number().into()))
}

/// File and rank of a square, counted from 0.
fn place(square: Square) -> (i8, i8) {
    (square.file() as i8, square.rank() as i8)
}

/// The maps of every piece but the pawn, and whether they repeat.
fn maps_of(role: Role) -> Option<(&'static [Map], bool)> {
    Some(match role {
        Role::Pawn => return None,
        Role::Knight => (&movemap::KNIGHT, false),
        Role::Bishop => (&movemap::BISHOP, true),
        Role::Rook => (&movemap::ROOK, true),
        Role::Queen => (&movemap::QUEEN, true),
        Role::King => (&movemap::KING, false),
    })
}

pub(super) fn mapped<A: Answers>(cases: &mut Cases) {
    walk(10, |board: &mut Original, _| {
        let (squares, fen) = (squares_of(board), board.fen());
        let bitboard = BitboardBoard::from_fen(&fen).expect("a legal position");
        let position = bitboard.position();
        for start in position.occupied() {
            let Some(piece) = position.piece_at(start) else { continue };
            let Some((maps, repeats)) = maps_of(piece.role) else { continue };
            let reached = attacks::of(piece.role, piece.color, start, position.occupied());
            let truth: Vec<(i8, i8)> = (reached - position.by_color(piece.color)).into_iter().map(place).collect();
            let answer = A::mapped(&squares, place(start), maps, repeats).map(|places| sorted(&places));
            cases.expect(|| format!("{piece} on {start} in {fen}"), answer, sorted(&truth));
        }
    });
}

fn sorted(places: &[(i8, i8)]) -> Vec<(i8, i8)> {
    let mut places = places.to_vec();
    places.sort_unstable();
    places
}

pub(super) fn checks<A: Answers>(cases: &mut Cases) {
    walk(40, |board: &mut Original, _| {
        let fen = board.fen();
        let bitboard = BitboardBoard::from_fen(&fen).expect("a legal position");
        let answer = A::is_check(&squares_of(board), place(board.king(board.turn())));
        cases.expect(|| fen, answer, !bitboard.checkers().is_empty());
    });
}

pub(super) fn reverted<A: Answers>(cases: &mut Cases) {
    walk(40, |board: &mut Original, mv| {
        let (before, fen) = (squares_of(board), board.fen());
        board.make(mv).expect("a legal move");
        let sequence = board.sequences().last().expect("a move was made").integers();
        let answer = A::reverted(squares_of(board), sequence);
        board.unmake();
        cases.expect(|| format!("{mv} in {fen}, {sequence:?}"), answer, before);
    });
}
