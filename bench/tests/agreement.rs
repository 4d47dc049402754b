//! Two libraries by other authors agree with ours on every position of many random games: the same legal moves, the
//! same FEN, the same notation.

use rules::{Move, MoveKind, Position, Square};
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, EnPassantMode, Position as _};
use testkit::{Variants, random_walks};

fn sorted(mut moves: Vec<String>) -> Vec<String> {
    moves.sort_unstable();
    moves
}

/// Our moves as cozy-chess writes them: castling is the king taking its rook.
fn our_moves(position: &Position) -> Vec<String> {
    sorted(position.legal_moves().iter().map(Move::to_string).collect())
}

fn assert_cozy_agrees(position: &Position) {
    // That library refuses positions in which the fifty-move rule could have been claimed.
    if position.halfmove_clock() > 100 {
        return;
    }
    let fen = position.shredder_fen();
    let theirs = cozy_chess::Board::from_fen(&fen, true).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mut moves = Vec::new();
    theirs.generate_moves(|piece_moves| {
        moves.extend(piece_moves.into_iter().map(|mv| mv.to_string()));
        false
    });
    assert_eq!(our_moves(position), sorted(moves), "{fen}");
    assert_eq!(format!("{theirs:#}"), fen);
    assert_eq!(position.is_check(), !theirs.checkers().is_empty());
}

fn assert_shakmaty_agrees(position: &Position) {
    let fen = position.to_string();
    let theirs: shakmaty::Chess = fen
        .parse::<shakmaty::fen::Fen>()
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
        .into_position(CastlingMode::Chess960)
        .unwrap_or_else(|error| panic!("{fen}: {error}"));
    let moves = theirs.legal_moves();
    let uci = |mv: &shakmaty::Move| mv.to_uci(CastlingMode::Chess960).to_string();
    assert_eq!(our_moves(position), sorted(moves.iter().map(uci).collect()), "{fen}");
    assert_eq!(shakmaty::fen::Fen::from_position(&theirs, EnPassantMode::Legal).to_string(), fen);
    assert_eq!(position.is_check(), theirs.is_check());
    assert_eq!(position.is_insufficient_material(), theirs.is_insufficient_material(), "{fen}");
    for mv in &moves {
        let ours = position.parse_uci(&uci(mv)).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let san = SanPlus::from_move(theirs.clone(), *mv).to_string();
        assert_eq!(position.san(ours), san, "{fen}");
        assert_eq!(position.parse_san(&san), Ok(ours), "{fen}");
    }
}

/// Around three hundred thousand positions, half of them from Chess960.
#[test]
fn cozy_chess_agrees() {
    random_walks(0xC02, 1_600, Variants::All, assert_cozy_agrees);
}

/// Around a hundred and fifty thousand positions; notation makes each one slower.
#[test]
fn shakmaty_agrees() {
    random_walks(0x5AC, 800, Variants::All, assert_shakmaty_agrees);
}

#[test]
fn all_chess960_starts_agree() {
    for number in 0..960 {
        let position = Position::chess960(number).expect("960 exist");
        assert_cozy_agrees(&position);
        assert_shakmaty_agrees(&position);
        let theirs = cozy_chess::Board::chess960_startpos(u32::from(number));
        assert_eq!(format!("{theirs:#}"), position.shredder_fen());
        let double = Position::double_chess960(number, 959 - number).expect("960 exist");
        assert_cozy_agrees(&double);
    }
}

#[test]
fn castling_is_written_as_each_library_expects() {
    let position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().expect("legal");
    let castle = Move::castle(Square::E1, Square::H1);
    assert_eq!(castle.kind(), MoveKind::Castle);
    assert_eq!((castle.to_string(), position.uci(castle)), ("e1h1".into(), "e1g1".into()));
}
