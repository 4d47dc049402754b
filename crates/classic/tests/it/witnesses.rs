//! The boards, which share no code, are asked about the same random games.

use std::collections::HashMap;

use crate::support::BEGINNINGS;
use rules::{Color, MoveKind, Position, Role, Square};
use saavedra_classic::bitboard::BitboardBoard;
use saavedra_classic::mailbox::Mailbox;
use saavedra_classic::movemap::{AsWished, Original, WithLines, WithRights};
use saavedra_classic::packed::Packed;
use saavedra_classic::{Board, UciMove};
use testkit::Random;

const LONGEST_GAME: usize = 120;

#[derive(Clone, PartialEq, Debug)]
struct Witnesses {
    bitboard: BitboardBoard,
    mailbox: Mailbox,
    packed: Packed,
    original: Original,
    with_rights: WithRights,
    with_lines: WithLines,
    as_wished: AsWished,
}

/// Does the same with each of the witnesses; the first is the bitboard.
macro_rules! each {
    ($witnesses:expr, $board:ident => $action:expr) => {{
        let Witnesses { bitboard, mailbox, packed, original, with_rights, with_lines, as_wished } = $witnesses;
        {
            let $board = bitboard;
            $action
        }
        {
            let $board = mailbox;
            $action
        }
        {
            let $board = packed;
            $action
        }
        {
            let $board = original;
            $action
        }
        {
            let $board = with_rights;
            $action
        }
        {
            let $board = with_lines;
            $action
        }
        {
            let $board = as_wished;
            $action
        }
    }};
}

impl Witnesses {
    fn new(fen: &str) -> Witnesses {
        fn board<B: Board>(fen: &str) -> B {
            B::from_fen(fen).expect("games begin with legal positions")
        }
        Witnesses {
            bitboard: board(fen),
            mailbox: board(fen),
            packed: board(fen),
            original: board(fen),
            with_rights: board(fen),
            with_lines: board(fen),
            as_wished: board(fen),
        }
    }

    /// All of them must say the same about the position. Tells the legal moves.
    fn agree(&mut self, position: &Position) -> Vec<UciMove> {
        let legal = self.bitboard.legal_moves();
        let checkers = position.checkers();
        each!(self, board => {
            assert_eq!(board.legal_moves(), legal, "{position}");
            assert_eq!(board.setup().position().as_ref(), Ok(position));
            assert_eq!(board.turn(), position.turn(), "{position}");
            assert_eq!(board.checkers(), checkers, "{position}");
            assert_eq!(board.is_check(), !checkers.is_empty(), "{position}");
            assert_eq!(board.has_legal_move(), !legal.is_empty(), "{position}");
        });
        legal
    }

    /// Each square is attacked by the same pieces on all boards.
    fn agree_on_attacks(&self, position: &Position) {
        for (square, color) in Square::ALL.into_iter().flat_map(|square| Color::ALL.map(|color| (square, color))) {
            let attackers = self.bitboard.attackers(square, color);
            each!(self, board => assert_eq!(board.attackers(square, color), attackers, "{square} in {position}"));
        }
    }

    fn make(&mut self, mv: UciMove) {
        each!(self, board => board.make(mv).expect("all boards call the move legal"));
    }
}

/// Plays a random game, asks the witnesses after each move, and takes everything back. Tells how many positions it saw.
fn play(seed: u64) -> usize {
    let mut random = Random::new(seed);
    let mut witnesses = Witnesses::new(random.pick::<&str>(&BEGINNINGS));
    let mut memories: Vec<(Witnesses, UciMove)> = Vec::new();
    for _ in 0..LONGEST_GAME {
        let position = *witnesses.bitboard.position();
        let legal = witnesses.agree(&position);
        witnesses.mailbox.check().unwrap_or_else(|error| panic!("{position}: {error}"));
        if random.below(16) == 0 {
            witnesses.agree_on_attacks(&position);
        }
        if legal.is_empty() {
            break;
        }
        let mv = *random.pick(&legal);
        memories.push((witnesses.clone(), mv));
        witnesses.make(mv);
    }
    let positions = memories.len() + 1;
    while let Some((before, mv)) = memories.pop() {
        each!(&mut witnesses, board => assert_eq!(board.unmake(), Some(mv)));
        assert!(witnesses == before, "taking {mv} back does not restore {:?}", before.bitboard.position());
    }
    positions
}

fn play_until(positions: usize) {
    let mut seen = 0;
    let mut seed = 0;
    while seen < positions {
        seed += 1;
        seen += play(seed);
    }
}

#[test]
fn all_boards_agree_in_random_games_and_take_every_move_back() {
    play_until(40_000);
}

#[test]
#[ignore = "takes minutes: over a million positions"]
fn all_boards_agree_in_over_a_million_positions_and_take_every_move_back() {
    play_until(1_050_000);
}

/// A position by its text, without the counters.
type Text = String;

/// The numbers that a board gives to positions, and the positions that have a number.
#[derive(Default)]
struct KeyBook {
    keys: HashMap<Text, u64>,
    texts: HashMap<u64, Text>,
    repetitions: usize,
}

impl KeyBook {
    fn enter(&mut self, text: &str, key: u64) {
        let known = self.keys.insert(text.to_owned(), key);
        self.repetitions += usize::from(known.is_some());
        assert!(known.is_none_or(|known| known == key), "{text} had another key before");
        let other = self.texts.insert(key, text.to_owned());
        assert!(other.is_none_or(|other| other == text), "{text} has the key of another position");
    }
}

/// The first four fields of the FEN.
fn text_of(fen: &str) -> Text {
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// The square that a move passes if it is a double step of a pawn, whether anybody can take there or not.
fn passed_by(position: &Position, mv: rules::Move) -> Option<Square> {
    let is_pawn = position.role_at(mv.from()) == Some(Role::Pawn) && mv.kind() == MoveKind::Normal;
    let (from, to) = (mv.from().rank() as i8, mv.to().rank() as i8);
    if is_pawn && (to - from).abs() == 2 { mv.from().offset(0, (to - from) / 2) } else { None }
}

#[test]
fn keys_change_exactly_when_positions_do() {
    // By the rules of repetition en passant counts only where it is possible; the mailbox counts every double step.
    let (mut bitboard, mut packed, mut movemap, mut mailbox) =
        (KeyBook::default(), KeyBook::default(), KeyBook::default(), KeyBook::default());
    for seed in 0..600 {
        let mut random = Random::new(1_000_000 + seed);
        let mut witnesses = Witnesses::new(random.pick::<&str>(&BEGINNINGS));
        let mut passed = witnesses.mailbox.setup().en_passant;
        for _ in 0..LONGEST_GAME {
            let position = *witnesses.bitboard.position();
            let text = text_of(&position.to_string());
            bitboard.enter(&text, witnesses.bitboard.key());
            packed.enter(&text, witnesses.packed.key());
            movemap.enter(&text, witnesses.original.key());
            assert_eq!(witnesses.as_wished.key(), witnesses.original.key());
            let mut as_documented = position.setup();
            as_documented.en_passant = passed;
            mailbox.enter(&text_of(&as_documented.to_string()), witnesses.mailbox.key());

            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = *random.pick(&moves);
            passed = passed_by(&position, mv);
            witnesses.make(position.uci(mv).parse().expect("UCI moves are plain moves"));
        }
    }
    for book in [bitboard, packed, movemap, mailbox] {
        assert!(book.keys.len() > 20_000 && book.repetitions > 1_000, "{} {}", book.keys.len(), book.repetitions);
    }
}

#[test]
fn two_ways_to_the_same_position_give_the_same_key() {
    fn key<B: Board>(moves: &[&str]) -> u64 {
        let mut board = B::from_fen("4k3/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQ - 0 1").expect("a legal position");
        for mv in moves {
            board.make(mv.parse().expect("a move")).expect("a legal move");
        }
        board.key()
    }
    fn try_with<B: Board>() {
        let one = key::<B>(&["e2e3", "e7e6", "d2d3", "d7d6"]);
        assert_eq!(one, key::<B>(&["d2d3", "d7d6", "e2e3", "e7e6"]));
        // The pieces are back, but the king has moved: the right to castle is part of the position.
        assert_ne!(key::<B>(&[]), key::<B>(&["e1d1", "e8d8", "d1e1", "d8e8"]));
        // Once the rights are gone, more moves of king and rooks make no difference.
        let gone = key::<B>(&["e1d1", "e8d8", "d1e1", "d8e8"]);
        assert_eq!(gone, key::<B>(&["a1b1", "e8d8", "h1g1", "d8e8", "b1a1", "e8d8", "g1h1", "d8e8"]));
        // Whose turn it is, is part of the position: White loses a move on the way.
        assert_ne!(one, key::<B>(&["e2e3", "e7e6", "d2d3"]));
    }
    try_with::<BitboardBoard>();
    try_with::<Mailbox>();
    try_with::<Packed>();
    try_with::<Original>();
    try_with::<AsWished>();
}

#[test]
fn a_useless_en_passant_square_matters_to_the_mailbox_alone() {
    let with = Witnesses::new("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    let without = Witnesses::new("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert_eq!(with.bitboard.key(), without.bitboard.key());
    assert_eq!(with.packed.key(), without.packed.key());
    assert_eq!(with.original.key(), without.original.key());
    assert_ne!(with.mailbox.key(), without.mailbox.key());
}
