//! What must hold in every position, checked along random walks through standard chess, Chess960 and double Chess960.

use rules::{Bitboard, Color, Move, MoveKind, MoveList, Observer, Piece, PieceMoves, Position, Role, Setup, Square};
use saavedra_rules as rules;
use testkit::{Variants, random_walks};

const GAMES: usize = 300;

fn in_every_position(seed: u64, games: usize, visit: impl FnMut(&Position)) {
    random_walks(seed, games, Variants::All, visit);
}

#[test]
fn a_move_is_legal_exactly_if_it_is_listed() {
    in_every_position(1, 12, |position| {
        let listed = position.legal_moves();
        for bits in 0..=u16::MAX {
            if let Some(mv) = Move::from_bits(bits) {
                assert_eq!(position.is_legal(mv), listed.contains(&mv), "{mv:?} in {position}");
            }
        }
    });
}

#[test]
fn illegal_moves_are_refused() {
    let position = Position::initial();
    let mv = Move::normal(Square::E2, Square::E5);
    assert_eq!(position.play(mv).map_err(|error| error.to_string()), Err("e2e5 is not a legal move here".into()));
}

#[test]
fn after_every_move_the_position_is_what_its_fen_says() {
    in_every_position(2, GAMES, |position| {
        for mv in position.legal_moves() {
            let next = position.play(mv).expect("a legal move");
            let read: Position = next.to_string().parse().unwrap_or_else(|error| panic!("{mv:?}, {position}: {error}"));
            // The position read back has its keys from scratch, so this compares the incremental ones as well.
            assert!(read == next, "{mv:?} in {position} gives {next}");
            assert_eq!((read.key(), read.pawn_key()), (next.key(), next.pawn_key()));
            assert_eq!(next.shredder_fen().parse(), Ok(next));
        }
    });
}

#[test]
fn captures_and_quiet_moves_are_all_moves() {
    in_every_position(3, GAMES, |position| {
        let sorted = |mut moves: Vec<Move>| {
            moves.sort_unstable();
            moves
        };
        let all = position.legal_moves();
        let (captures, quiets) = (position.captures(), position.quiets());
        assert!(captures.iter().all(|&mv| position.is_capture(mv) && position.captured(mv).is_some()));
        assert!(quiets.iter().all(|&mv| !position.is_capture(mv) && position.captured(mv).is_none()));
        assert_eq!(sorted([&captures[..], &quiets[..]].concat()), sorted(all.to_vec()), "{position}");
        assert_eq!(position.legal_move_count(), all.len(), "{position}");
        assert_eq!(position.has_legal_moves(), !all.is_empty());
        let mut checks = MoveList::new();
        position.add_quiet_checks(&mut checks);
        let give_check = quiets.iter().copied().filter(|&mv| position.gives_check(mv));
        assert_eq!(sorted(checks.to_vec()), sorted(give_check.collect()), "{position}");
        assert_eq!(&position.evasions()[..], if position.is_check() { &all[..] } else { &[] });
    });
}

#[test]
fn check_is_foreseen() {
    in_every_position(4, GAMES, |position| {
        for mv in position.legal_moves() {
            let next = position.play(mv).expect("a legal move");
            assert_eq!(position.checkers_after(mv), next.checkers(), "{mv:?} in {position}");
            assert_eq!(position.gives_check(mv), next.is_check());
        }
    });
}

/// A board that knows only what it is told.
#[derive(Default)]
struct Follower(std::collections::BTreeMap<Square, Piece>);

impl Observer for Follower {
    fn removed(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0.remove(&square), Some(piece));
    }

    fn placed(&mut self, piece: Piece, square: Square) {
        assert_eq!(self.0.insert(square, piece), None);
    }
}

#[test]
fn an_observer_hears_everything() {
    let pieces = |position: &Position| {
        position.occupied().into_iter().filter_map(|square| Some((square, position.piece_at(square)?))).collect()
    };
    in_every_position(5, GAMES / 2, |position| {
        for mv in position.legal_moves() {
            let mut follower = Follower(pieces(position));
            let next = position.play_unchecked_observed(mv, &mut follower);
            assert_eq!(follower.0, pieces(&next), "{mv:?} in {position}");
        }
    });
}

#[test]
fn notation_round_trips() {
    in_every_position(6, GAMES, |position| {
        let moves = position.legal_moves();
        let mut written: Vec<String> = moves.iter().map(|&mv| position.san(mv)).collect();
        for (&mv, san) in moves.iter().zip(&written) {
            assert_eq!(position.parse_san(san), Ok(mv), "{san} in {position}");
            assert_eq!(position.parse_uci(&mv.to_string()), Ok(mv));
            assert_eq!(position.parse_uci(&position.uci(mv)), Ok(mv));
            assert_eq!(Move::from_bits(mv.bits()), Some(mv));
        }
        written.sort_unstable();
        written.dedup();
        assert_eq!(written.len(), moves.len(), "no two moves are written alike in {position}");
    });
}

#[test]
fn a_turned_board_has_the_turned_moves() {
    in_every_position(7, GAMES, |position| {
        let turned = position.setup().flipped().position().expect("a legal position stays legal");
        let turn = |mv: Move| (mv.from().flip_rank(), mv.to().flip_rank(), mv.kind());
        let mut expected: Vec<_> = position.legal_moves().iter().map(|&mv| format!("{:?}", turn(mv))).collect();
        let mut found: Vec<_> =
            turned.legal_moves().iter().map(|mv| format!("{:?}", (mv.from(), mv.to(), mv.kind()))).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{position}");
    });
}

#[test]
fn passing_changes_only_the_turn_and_the_counters() {
    in_every_position(8, GAMES, |position| match position.null_move() {
        None => assert!(position.is_check()),
        Some(next) => {
            let expected = Setup {
                turn: !position.turn(),
                en_passant: None,
                halfmove_clock: position.halfmove_clock() + 1,
                fullmove_number: position.fullmove_number() + u16::from(position.turn() == Color::Black),
                ..position.setup()
            };
            assert_eq!(expected.playable_position(), Ok(next), "{position}");
        }
    });
}

#[test]
fn keys_tell_positions_apart() {
    let mut seen = std::collections::HashMap::new();
    in_every_position(9, GAMES, |position| {
        let fen = position.shredder_fen();
        // The key stands for the position without the counters.
        let identity = fen.rsplitn(3, ' ').last().map(str::to_owned).expect("a FEN has six fields");
        assert_eq!(seen.entry(position.key()).or_insert_with(|| identity.clone()), &identity);
    });
    let identities: std::collections::HashSet<&String> = seen.values().collect();
    assert_eq!(identities.len(), seen.len(), "equal positions have equal keys");
}

#[test]
fn partial_keys_depend_on_their_pieces_only() {
    in_every_position(10, GAMES, |position| {
        for mv in position.legal_moves() {
            let next = position.play(mv).expect("a legal move");
            let same = |sets: &dyn Fn(&Position) -> Bitboard| sets(position) == sets(&next);
            let pawns = |position: &Position| position.by_role(Role::Pawn);
            if mv.kind() == MoveKind::Normal && same(&pawns) {
                assert_eq!(position.pawn_key(), next.pawn_key());
            }
            for color in Color::ALL {
                let minors =
                    |position: &Position| position.pieces(Role::Knight, color) | position.pieces(Role::Bishop, color);
                if same(&minors) {
                    assert_eq!(position.minor_key(color), next.minor_key(color), "{mv:?} in {position}");
                } else {
                    assert_ne!(position.minor_key(color), next.minor_key(color), "{mv:?} in {position}");
                }
                let pieces = |position: &Position| position.by_color(color) - pawns(position);
                if same(&pieces) && !position.occupied().contains(mv.to()) {
                    assert_eq!(position.non_pawn_key(color), next.non_pawn_key(color), "{mv:?} in {position}");
                }
            }
        }
    });
}

#[test]
fn en_passant_is_kept_only_if_it_can_be_played() {
    in_every_position(11, GAMES, |position| {
        let playable = position.legal_moves().iter().any(|mv| mv.kind() == MoveKind::EnPassant);
        assert_eq!(position.en_passant().is_some(), playable, "{position}");
    });
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    let setup: Setup = fen.parse().expect("well written");
    assert_eq!(setup.to_string(), fen, "a set-up keeps what it was told");
    let position = setup.position().expect("legal");
    assert_eq!(position.to_string(), fen.replace("e3", "-"), "the position knows that no pawn can take");
}

#[test]
fn all_chess960_starts_are_different_and_have_their_castling() {
    let mut seen = std::collections::HashSet::new();
    for number in 0..960 {
        let position = Position::chess960(number).expect("960 exist");
        assert!(seen.insert(position.to_string()));
        assert_eq!(position.castling_rights().rooks().count(), 4);
        let bishops = position.pieces(Role::Bishop, Color::White);
        let colors: Vec<usize> = bishops.into_iter().map(|square| (square.index() + square.index() / 8) % 2).collect();
        assert_ne!(colors[0], colors[1], "bishops stand on both colors in {position}");
        let king = position.king(Color::White);
        let rooks = position.pieces(Role::Rook, Color::White);
        assert!(rooks.first() < Some(king) && Some(king) < rooks.last(), "the king stands between the rooks");
    }
}

#[test]
fn moves_piece_by_piece_are_the_legal_moves() {
    in_every_position(21, 40, |position| {
        let enemies = position.by_color(!position.turn());
        for (targets, mut expected) in
            [(Bitboard::ALL, position.legal_moves().to_vec()), (enemies, position.captures().to_vec())]
        {
            let sets: Vec<PieceMoves> = position.piece_moves(targets).collect();
            assert!(sets.iter().all(|moves| moves.into_iter().len() == moves.len() && !moves.is_empty()), "{position}");
            let mut moves: Vec<Move> = sets.into_iter().flatten().collect();
            moves.sort();
            expected.sort();
            assert_eq!(moves, expected, "{position}");
        }
    });
}

#[test]
fn the_names_of_all_moves_are_those_of_each() {
    in_every_position(22, 12, |position| {
        for (mv, name) in position.san_moves() {
            assert_eq!(name, position.san(mv), "{position}");
        }
    });
}

#[test]
fn pins_are_the_pinned_pieces_with_their_pinners() {
    in_every_position(23, 40, |position| {
        let pinned: Bitboard = position.pins(position.turn()).map(|pin| pin.pinned).collect();
        assert_eq!(pinned, position.pinned(), "{position}");
    });
}
