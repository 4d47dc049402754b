//! The encodings are those of the founding documents, bit for bit: the patterns stand here as they stand there.

#![allow(clippy::unusual_byte_groupings, reason = "the digits are grouped by the fields of the encodings")]

use rules::{CastlingSide, Color, Role, Square};
use saavedra_classic::{Board, mailbox, movemap, packed};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn board<B: Board>(fen: &str) -> B {
    B::from_fen(fen).expect("the position is legal")
}

fn after<B: Board>(fen: &str, moves: &[&str]) -> B {
    let mut board: B = board(fen);
    for mv in moves {
        board.make(mv.parse().expect("a move")).expect("a legal move");
    }
    board
}

mod the_mailbox {
    use super::*;
    use mailbox::{Cell, Content, Mailbox, Move, permission};

    fn last(fen: &str, moves: &[&str]) -> Move {
        after::<Mailbox>(fen, moves).history().last().expect("a move was made").mv
    }

    #[test]
    fn numbers_white_pieces_from_one_and_black_pieces_from_seven() {
        let codes = |color| Role::ALL.map(|role: Role| Content::of(role.of(color)).code());
        assert_eq!(codes(Color::White), [1, 2, 3, 4, 5, 6]);
        assert_eq!(codes(Color::Black), [7, 8, 9, 10, 11, 12]);
        assert_eq!((Content::EMPTY.code(), Content::EMPTY.piece()), (0, None));
        assert_eq!(Content::RIM.piece(), None);
    }

    #[test]
    fn has_a_rim_around_the_squares() {
        assert_eq!((Cell::of(Square::A1).index(), Cell::of(Square::H1).index()), (21, 28));
        assert_eq!((Cell::of(Square::A8).index(), Cell::of(Square::H8).index()), (91, 98));
        assert!(Square::ALL.into_iter().all(|square| Cell::of(square).square() == Some(square)));
        assert_eq!(Cell::COUNT, 120);
    }

    #[test]
    fn puts_each_field_of_a_move_where_the_document_puts_it() {
        let (e2, e4) = (Cell::of(Square::E2), Cell::of(Square::E4));
        let (a1, knight, queen) = (
            Cell::of(Square::A1),
            Content::of(Role::Knight.of(Color::Black)),
            Content::of(Role::Queen.of(Color::White)),
        );
        let quiet = Move::new(e2, e4, Content::EMPTY);
        assert_eq!(quiet.bits() & 0x7f, 35);
        assert_eq!(quiet.bits() >> 7 & 0x7f, 55);
        assert_eq!(quiet.bits(), 0b0000_0000_0000_0001_1011_1010_0011);
        assert_eq!(Move::new(a1, a1, knight).bits() >> 14 & 0xf, 8);
        assert_eq!(Move::new(a1, a1, queen).promoting_to(queen).bits() >> 20 & 0xf, 5);
        assert_eq!(Move::EN_PASSANT, 0b0000_0000_0100_0000_0000_0000_0000);
        assert_eq!(Move::PAWN_START, 0b0000_0000_1000_0000_0000_0000_0000);
        assert_eq!(Move::CASTLE, 0b0001_0000_0000_0000_0000_0000_0000);
    }

    #[test]
    fn keeps_every_field_within_its_mask() {
        let (from, to, captured, promoted) = (0x7f, 0x3f80, 0x3_c000, 0xf0_0000);
        let fields = [from, to, captured, Move::EN_PASSANT, Move::PAWN_START, promoted, Move::CASTLE];
        assert_eq!(fields.iter().sum::<u32>(), 0x1ff_ffff, "25 bits without gap or overlap");
        let far = Cell::of(Square::H8);
        let king = Content::of(Role::King.of(Color::Black));
        let every = [
            (Move::new(far, Cell::of(Square::A1), Content::EMPTY), from | to),
            (Move::new(far, far, king), from | to | captured),
            (Move::new(far, far, king).promoting_to(king), from | to | captured | promoted),
        ];
        for (mv, mask) in every {
            assert_eq!(mv.bits() & !mask, 0);
        }
        let all = Move::new(far, Cell::of(Square::G7), king).promoting_to(Content::of(Role::Rook.of(Color::White)));
        let all = all.with(Move::EN_PASSANT).with(Move::PAWN_START).with(Move::CASTLE);
        assert_eq!((all.from(), all.to(), all.captured()), (far, Cell::of(Square::G7), king));
        assert_eq!(all.promoted(), Content::of(Role::Rook.of(Color::White)));
        assert!(all.is_en_passant() && all.is_pawn_start() && all.is_castle());
    }

    #[test]
    fn writes_real_moves_so() {
        assert_eq!(last(START, &["e2e4"]).bits(), 35 | 55 << 7 | 0x80000);
        assert_eq!(last(START, &["g1f3"]).bits(), 27 | 46 << 7);
        assert_eq!(last(START, &["e2e4", "d7d5", "e4d5"]).bits(), 55 | 64 << 7 | 7 << 14);
        let passing = last("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", &["e5d6"]);
        assert_eq!(passing.bits(), 65 | 74 << 7 | 0x40000);
        let castling = last("4k3/8/8/8/8/8/8/4K2R w K - 0 1", &["e1g1"]);
        assert_eq!(castling.bits(), 25 | 27 << 7 | 0x100_0000);
        let promotion = last("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", &["a7b8n"]);
        assert_eq!(promotion.bits(), 81 | 92 << 7 | 10 << 14 | 2 << 20);
    }

    #[test]
    fn gives_castling_the_bits_one_two_four_and_eight() {
        assert_eq!(permission::bit(Color::White, CastlingSide::KingSide), 0b0001);
        assert_eq!(permission::bit(Color::White, CastlingSide::QueenSide), 0b0010);
        assert_eq!(permission::bit(Color::Black, CastlingSide::KingSide), 0b0100);
        assert_eq!(permission::bit(Color::Black, CastlingSide::QueenSide), 0b1000);
        let of = |rights| board::<Mailbox>(&format!("r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1")).castling_permission();
        assert_eq!(["-", "K", "Q", "k", "q", "KQkq", "Kkq"].map(of), [0, 1, 2, 4, 8, 15, 0b1101]);
    }

    #[test]
    fn lists_pieces_by_kind_and_closes_gaps_with_the_last() {
        let squares = |board: &Mailbox, role: Role, color| -> Vec<String> {
            let cells = board.squares_of(role.of(color)).iter();
            cells.map(|cell| cell.square().expect("pieces stand on squares").to_string()).collect()
        };
        let mut board: Mailbox = board("4k3/8/8/2q5/8/8/PPPPP3/4K3 b - - 0 1");
        assert_eq!(squares(&board, Role::Pawn, Color::White), ["a2", "b2", "c2", "d2", "e2"]);
        board.make("c5c2".parse().expect("a move")).expect("a legal move");
        assert_eq!(squares(&board, Role::Pawn, Color::White), ["a2", "b2", "e2", "d2"]);
        assert_eq!(board.material(Color::White), 400);
        assert_eq!(squares(&board, Role::Queen, Color::Black), ["c2"]);
        board.unmake();
        assert_eq!(squares(&board, Role::Pawn, Color::White), ["a2", "b2", "e2", "d2", "c2"]);
        board.check().expect("the order does not matter");
    }

    #[test]
    fn keeps_the_moves_of_all_plies_in_one_array() {
        let mut board: Mailbox = board(START);
        board.generate();
        assert_eq!((board.moves_of(0).map(<[_]>::len), board.moves_of(1).map(<[_]>::len)), (Some(20), None));
        let mut plies_seen = 0;
        let _ = board.visit_moves(|board| {
            assert_eq!((board.ply(), board.moves_of(1).map(<[_]>::len)), (1, Some(0)));
            board.generate();
            // The moves of the ply before are still there, below those of this one.
            assert_eq!((board.moves_of(0).map(<[_]>::len), board.moves_of(1).map(<[_]>::len)), (Some(20), Some(20)));
            plies_seen += 1;
            std::ops::ControlFlow::Continue(())
        });
        assert_eq!(plies_seen, 20);
    }

    #[test]
    fn scores_captures_by_victim_and_then_by_attacker() {
        let mut board: Mailbox = board("4k3/8/8/2q1r3/3P4/8/4R3/4K3 w - - 0 1");
        board.generate();
        let (moves, scores) = (board.moves_of(0).expect("generated"), board.scores_of(0).expect("generated"));
        assert_eq!(moves.len(), scores.len());
        let score = |from: Square, to: Square| {
            let place = moves.iter().position(|mv| (mv.from(), mv.to()) == (Cell::of(from), Cell::of(to)));
            scores[place.expect("the move is there")]
        };
        assert!(score(Square::D4, Square::C5) > score(Square::D4, Square::E5));
        assert!(score(Square::D4, Square::E5) > score(Square::E2, Square::E5));
        assert_eq!(score(Square::E2, Square::E3), 0);
    }

    #[test]
    fn remembers_move_key_en_passant_fifty_moves_and_castling() {
        let start: Mailbox = board("4k3/8/8/8/3p4/8/4P3/R3K2R w KQ - 7 30");
        let board: Mailbox = after("4k3/8/8/8/3p4/8/4P3/R3K2R w KQ - 7 30", &["e2e4", "e8e7", "h1h2"]);
        let [push, king, rook] = board.history() else { panic!("three moves were made") };
        assert_eq!((push.key, push.en_passant, push.fifty, push.castling), (start.key(), None, 7, 3));
        assert_eq!((king.en_passant, king.fifty, king.castling), (Some(Square::E3), 0, 3));
        assert_eq!((rook.en_passant, rook.fifty, rook.castling), (None, 1, 3));
        assert_eq!(board.castling_permission(), 2);
        assert!(push.mv.is_pawn_start());
    }
}

mod the_packed_board {
    use super::*;
    use packed::{HistoryWord, Move, MoveType, Nibble, Packed, flag, number_of};

    #[test]
    fn writes_a_piece_in_four_bits_with_the_team_lowest() {
        let bits = |color| Role::ALL.map(|role: Role| Nibble::of(role.of(color)).bits());
        assert_eq!(bits(Color::White), [0b0010, 0b0100, 0b0110, 0b1000, 0b1010, 0b1100]);
        assert_eq!(bits(Color::Black), [0b0011, 0b0101, 0b0111, 0b1001, 0b1011, 0b1101]);
        assert_eq!((Nibble::EMPTY.bits(), Nibble::EMPTY.piece()), (0b0000, None));
    }

    #[test]
    fn numbers_squares_from_a8_row_by_row() {
        assert_eq!((number_of(Square::A8), number_of(Square::H8)), (0b000000, 0b000111));
        assert_eq!((number_of(Square::A7), number_of(Square::E4)), (0b001000, 0b100100));
        assert_eq!((number_of(Square::A1), number_of(Square::H1)), (0b111000, 0b111111));
    }

    #[test]
    fn packs_the_start_position_by_the_bit_patterns() {
        // The document's first and last row hold; its rows of pawns do not, and pawns stand here instead.
        let black = [0b1001, 0b0101, 0b0111, 0b1011, 0b1101, 0b0111, 0b0101, 0b1001];
        let white = [0b1000, 0b0100, 0b0110, 0b1010, 0b1100, 0b0110, 0b0100, 0b1000];
        let rows: [[u64; 8]; 8] =
            [black, [0b0011; 8], [0b0000; 8], [0b0000; 8], [0b0000; 8], [0b0000; 8], [0b0010; 8], white];
        let mut words = [0; 4];
        for (index, nibble) in rows.into_iter().flatten().enumerate() {
            words[index / 16] |= nibble << (4 * (index % 16));
        }
        assert_eq!(board::<Packed>(START).words(), words);
        assert_eq!(size_of_val(&words), 32);
    }

    #[test]
    fn numbers_the_types_of_moves() {
        let patterns = MoveType::ALL.map(|kind| kind as u8);
        assert_eq!(
            patterns,
            [
                0b0000, 0b0001, 0b0010, 0b0011, 0b0100, 0b0101, 0b0110, 0b0111, 0b1000, 0b1001, 0b1010, 0b1011, 0b1100,
                0b1101, 0b1110, 0b1111
            ]
        );
        assert_eq!(MoveType::CastleKingSide as u8, 0b0001);
        assert_eq!(MoveType::CastleQueenSide as u8, 0b0010);
        assert_eq!(MoveType::DoublePush as u8, 0b0011);
        assert_eq!(MoveType::Capture as u8, 0b0100);
        assert_eq!(MoveType::EnPassantWhite as u8, 0b0101);
        assert_eq!(MoveType::EnPassantBlack as u8, 0b0110);
        for kind in MoveType::ALL {
            // The last two bits plus two are the three bits of the piece.
            let expected = (kind as u8 >= 0b1000).then_some((kind as u8 & 0b11) + 2);
            assert_eq!(kind.promotion().map(|role| Nibble::of(role.of(Color::White)).bits() >> 1), expected);
            assert_eq!(kind.takes_target(), kind == MoveType::Capture || kind as u8 >= 0b1100);
        }
    }

    #[test]
    fn puts_each_field_of_a_move_where_the_document_puts_it() {
        let king = Nibble::of(Role::King.of(Color::Black));
        assert_eq!(Move::new(0b111111, 0, MoveType::Quiet, Nibble::EMPTY).bits(), 0b111111 << 14);
        assert_eq!(Move::new(0, 0b111111, MoveType::Quiet, Nibble::EMPTY).bits(), 0b111111 << 8);
        assert_eq!(Move::new(0, 0, MoveType::CapturePromoteQueen, Nibble::EMPTY).bits(), 0b1111 << 4);
        assert_eq!(Move::new(0, 0, MoveType::Quiet, king).bits(), 0b1101);
        let mv = Move::new(0b110100, 0b100100, MoveType::DoublePush, Nibble::of(Role::Pawn.of(Color::White)));
        assert_eq!(mv.bits(), 0b110100_100100_0011_0010);
        assert_eq!((mv.from(), mv.to(), mv.kind()), (52, 36, MoveType::DoublePush));
        assert_eq!(Move::MASK, (1 << 20) - 1);
    }

    #[test]
    fn puts_captured_piece_and_flags_above_the_move() {
        let rook = Nibble::of(Role::Rook.of(Color::Black));
        let mv = Move::new(63, 63, MoveType::CapturePromoteQueen, Nibble::of(Role::King.of(Color::White)));
        let word = HistoryWord::new(mv, rook, 0);
        assert_eq!(word.bits(), 0b1001 << 20 | mv.bits());
        assert_eq!((word.mv(), word.captured(), word.flags()), (mv, rook, 0));
        let flags = [
            (flag::BLACK_QUEEN_SIDE, 31),
            (flag::WHITE_QUEEN_SIDE, 30),
            (flag::BLACK_KING_SIDE, 29),
            (flag::WHITE_KING_SIDE, 28),
            (flag::BLACK_KING_MOVED, 27),
            (flag::WHITE_KING_MOVED, 26),
            (flag::BLACK_CASTLED, 25),
            (flag::WHITE_CASTLED, 24),
        ];
        for (flag, bit) in flags {
            assert_eq!(flag, 1 << bit);
            assert_eq!(HistoryWord::new(mv, rook, flag).bits() ^ word.bits(), 1 << bit);
        }
        assert_eq!(flags.iter().map(|(flag, _)| flag).sum::<u32>(), flag::ALL);
        for color in Color::ALL {
            let bit = color as u32;
            assert_eq!(flag::castled(color), 1 << (24 + bit));
            assert_eq!(flag::king_moved(color), 1 << (26 + bit));
            assert_eq!(flag::may_castle(color, CastlingSide::KingSide), 1 << (28 + bit));
            assert_eq!(flag::may_castle(color, CastlingSide::QueenSide), 1 << (30 + bit));
        }
    }

    #[test]
    fn writes_real_moves_so() {
        let top = |fen: &str, moves: &[&str]| after::<Packed>(fen, moves).top().bits();
        let rights = 0b1111 << 28;
        assert_eq!(top(START, &["e2e4"]), rights | 0b110100_100100_0011_0010);
        assert_eq!(top(START, &["e2e4", "d7d5", "e4d5"]), rights | 0b0011 << 20 | 0b100100_011011_0100_0010);
        let passing = top("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", &["e5d6"]);
        assert_eq!(passing, 0b0011 << 20 | 0b011100_010011_0101_0010);
        let passing = top("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", &["d4e3"]);
        assert_eq!(passing, 0b0010 << 20 | 0b100011_101100_0110_0011);
        let castling = top("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &["e1g1"]);
        assert_eq!(castling, 0b1010_0101 << 24 | 0b111100_111110_0001_1100);
        let castling = top("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", &["e8c8"]);
        assert_eq!(castling, 0b0101_1010 << 24 | 0b000100_000010_0010_1101);
        let promotion = top("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", &["a7b8r"]);
        assert_eq!(promotion, 0b1001 << 20 | 0b001000_000001_1110_0010);
        let promotion = top("4k3/8/8/8/8/8/p7/4K3 b - - 0 1", &["a2a1b"]);
        assert_eq!(promotion, 0b110000_111000_1001_0011);
    }

    #[test]
    fn begins_the_history_with_what_the_position_tells() {
        let passed: Packed = board("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
        assert_eq!(passed.top().bits(), 0b110100_100100_0011_0010, "the double push e2e4");
        assert_eq!(board::<Packed>("4k3/8/8/8/8/8/8/4K3 w - - 0 1").top().bits(), 0b0001, "Black has moved nothing");
        assert_eq!(board::<Packed>("4k3/8/8/8/8/8/8/4K3 b - - 0 1").top().bits(), 0b0000, "White has moved nothing");
        assert_eq!(board::<Packed>("8/4k3/8/8/8/8/8/R3K3 w Q - 0 1").flags(), 1 << 27 | 1 << 30);
    }

    #[test]
    fn loses_rights_with_the_rook_the_king_and_the_taken_rook() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let rights = |moves: &[&str]| after::<Packed>(fen, moves).flags() >> 28;
        assert_eq!(rights(&["a1b1"]), 0b1011);
        assert_eq!(rights(&["h1h8"]), 0b1100, "White's rook has moved and Black's is gone");
        assert_eq!(rights(&["e1e2"]), 0b1010);
        assert_eq!(after::<Packed>(fen, &["e1e2"]).flags() >> 24 & 0xf, 0b0100, "the king has moved, but not castled");
        assert_eq!(rights(&["e1e2", "h8h7"]), 0b1000);
    }
}

mod the_move_maps {
    use super::*;
    use movemap::{AsWished, Original, Value, WithRights};

    fn last(fen: &str, moves: &[&str]) -> [i32; 7] {
        after::<Original>(fen, moves).sequences().last().expect("a move was made").integers()
    }

    #[test]
    fn are_those_of_the_document() {
        assert_eq!(movemap::KNIGHT, [(2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (1, -2), (-1, 2), (-1, -2)]);
        assert_eq!(movemap::BISHOP, [(1, 1), (-1, -1), (1, -1), (-1, 1)]);
        assert_eq!(movemap::ROOK, [(0, 1), (1, 0), (0, -1), (-1, 0)]);
        assert_eq!(movemap::QUEEN, [(1, 1), (-1, -1), (1, -1), (-1, 1), (0, 1), (1, 0), (0, -1), (-1, 0)]);
        assert_eq!(movemap::KING, movemap::QUEEN);
    }

    #[test]
    fn act_on_values_of_ten_times_type_plus_colour() {
        for (role, number) in Role::ALL.into_iter().zip(1..) {
            for (color, rest) in [(Color::White, 0), (Color::Black, 1)] {
                let value = Value::of(role.of(color));
                assert_eq!((value.number() / 10, value.number() % 10), (number, rest));
                assert_eq!((value.kind(), value.colour()), (number, rest));
                assert_eq!(value.piece(), Some(role.of(color)));
            }
        }
        assert_eq!((Value::EMPTY.number(), Value::EMPTY.piece()), (0, None));
        assert_eq!(board::<Original>(START).value_at(Square::E8).number(), 61);
    }

    #[test]
    fn make_sequences_of_seven_integers() {
        // Normal: type, start, end, captured type, captured colour, captured moved, has moved. One is "not moved".
        assert_eq!(last(START, &["e2e4"]), [0, 12, 28, 0, 0, 1, 1]);
        assert_eq!(last(START, &["e2e4", "d7d5", "e4d5"]), [0, 28, 35, 1, 1, 0, 0]);
        assert_eq!(last("4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1", &["h1h8"]), [0, 7, 63, 4, 1, 1, 1]);
        // Castle: type, start, end, rook start, rook end.
        assert_eq!(last("4k3/8/8/8/8/8/8/4K2R w K - 0 1", &["e1g1"]), [1, 4, 6, 7, 5, 0, 0]);
        assert_eq!(last("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", &["e8c8"]), [1, 60, 58, 56, 59, 0, 0]);
        // Promotion: type, start, end, captured type, captured colour, captured moved, promotion type.
        assert_eq!(last("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", &["a7b8n"]), [2, 48, 57, 4, 1, 0, 2]);
        assert_eq!(last("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", &["a7a8q"]), [2, 48, 56, 0, 0, 1, 5]);
        // En passant: type, start, end, captured.
        assert_eq!(last("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", &["e5d6"]), [3, 36, 43, 35, 0, 0, 0]);
    }

    #[test]
    fn remember_what_has_moved_as_a_zero() {
        let board: Original = board("r3k2r/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQq - 0 1");
        let moved = |square| board.memory().at(square);
        assert_eq!([Square::A8, Square::E8, Square::A1, Square::E2, Square::D5].map(moved), [1; 5]);
        assert_eq!(moved(Square::E4), 0, "the pawn is out of place");
        assert_eq!(moved(Square::H8), 0, "the rook may not castle, so it has moved and come back");
        let board: Original = after(START, &["g1f3", "g8f6", "f3g1"]);
        assert_eq!([Square::G1, Square::F6].map(|square| board.memory().at(square)), [0; 2]);
        assert_eq!([Square::F3, Square::G8].map(|square| board.memory().at(square)), [1; 2]);
    }

    #[test]
    fn carry_the_castling_rights_where_the_wish_is_granted() {
        let rights = |mv| after::<WithRights>("4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1", &[mv]);
        let integers = |mv| rights(mv).sequences().last().expect("a move was made").integers();
        assert_eq!(integers("h1h7"), [0, 7, 55, 0, 0, 3, 0]);
        assert_eq!(integers("e1c1"), [1, 4, 2, 0, 3, 3, 0]);
        assert_eq!(integers("a7a8q"), [2, 48, 56, 0, 0, 3, 5]);
        let passing: AsWished = after("4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1", &["e5d6"]);
        assert_eq!(passing.sequences().last().expect("a move").integers(), [3, 36, 43, 35, 0, 0, 0]);
    }
}
