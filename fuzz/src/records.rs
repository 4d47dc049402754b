//! Files of games and books: whatever is in them, nothing panics, and what was not written is not read.

use ::records::GameResult;
use ::records::openings::{Openings, Order};
use ::records::packed::{PackedBoard, PackedGame, Ply, Reader, Writer};
use ::records::polyglot::{Book, BookBuilder, Entry, RawMove};
use random::Random;
use rules::Position;

use crate::{STARTS, assert_consistent, assert_is_a_reason};

/// A game, an empty file, a block; then places and bytes to damage a file with.
pub(crate) const PACKED_SEEDS: &[&str] = &[
    "\u{10}\0\0\0\0\0\0\u{10}\u{5d}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\u{2}\0\0\u{1}\0\0\0\u{4}\u{3}\u{1}\0\0\0\0\0",
    "SvdGam\r\n\u{1}\0\0\0",
    "\0\u{20}\u{1}\0\u{60}\u{2}\u{1}\u{7f}\u{40}",
];

/// Bytes as a game, as a file, and as damage to a file.
pub(crate) fn packed(data: &[u8]) {
    match PackedGame::unpack(data) {
        Err(error) => assert_is_a_reason(&error.to_string()),
        Ok(game) => {
            let mut packed = Vec::new();
            game.pack(&mut packed);
            assert_eq!(packed.len(), game.packed_size());
            assert_eq!(PackedGame::unpack(&packed), Ok(game));
        }
    }
    if let Some(bytes) = data.first_chunk() {
        match PackedBoard::from_bytes(*bytes).position() {
            Err(error) => assert_is_a_reason(&error.to_string()),
            Ok(position) => {
                assert_consistent(&position);
                assert_eq!(PackedBoard::new(&position).position(), Ok(position));
            }
        }
    }
    // Games may be found even here: a driver that sees comparisons can forge a checksum.
    let _ = read(data);

    let games = games();
    let mut file = Vec::new();
    let mut writer = Writer::new(&mut file).expect("memory can be written");
    for game in &games {
        writer.write(game).expect("the game fits");
        writer.flush().expect("memory can be written");
    }
    drop(writer);
    let sound = file.clone();
    for damage in data.chunks_exact(3) {
        let place = usize::from(u16::from_be_bytes([damage[0], damage[1]])) % file.len();
        file[place] ^= damage[2];
    }
    if let Some((found, was_told)) = read(&file) {
        assert!(found.iter().all(|game| games.contains(game)));
        assert!(was_told || file == sound);
    }
}

/// The games of a file and whether anything was wrong, or nothing if it is not a file of games.
fn read(file: &[u8]) -> Option<(Vec<PackedGame>, bool)> {
    let mut reader = Reader::new(file).map_err(|error| assert_is_a_reason(&error.to_string())).ok()?;
    let (mut games, mut is_damaged) = (Vec::new(), false);
    for game in &mut reader {
        match game {
            Ok(game) => games.push(game),
            Err(error) => {
                assert_is_a_reason(&error.to_string());
                is_damaged = true;
            }
        }
    }
    Some((games, is_damaged || reader.torn_tail() > 0))
}

/// A game of a few moves from each start.
fn games() -> Vec<PackedGame> {
    let game = |(number, fen): (usize, &&str)| {
        let start: Position = fen.parse().expect("the starts are legal");
        let (mut position, mut random, mut plies) = (start, Random::new(number as u64), Vec::new());
        while let Some(mv) = random.choose(&position.legal_moves()).filter(|_| plies.len() < 4) {
            plies.push(Ply { mv, score: number as i16 });
            position = position.play(mv).expect("a legal move");
        }
        PackedGame::new(start, plies, GameResult::ALL[number % 3]).expect("the moves are legal")
    };
    STARTS.iter().enumerate().map(game).collect()
}

/// An entry for the start position, and keys in order.
pub(crate) const POLYGLOT_SEEDS: &[&str] =
    &["\0\0\0\0\0\0\0\0\u{3}\u{1c}\0\u{1}\0\0\0\0", "0123456789abcdef123456789abcdef0", ""];

/// Bytes as a book, and as entries for the positions that are looked up.
pub(crate) fn polyglot(data: &[u8]) {
    let positions = STARTS.map(|fen| fen.parse::<Position>().expect("the starts are legal"));
    let mut builder = BookBuilder::new();
    for (number, bytes) in data.as_chunks().0.iter().enumerate() {
        let entry = Entry::from_bytes(*bytes);
        assert_eq!(entry.bytes(), *bytes);
        let position = &positions[number % positions.len()];
        if let Some(mv) = entry.mv.read(position) {
            assert!(position.is_legal(mv));
            assert_eq!(RawMove::new(mv).read(position), Some(mv));
        }
        builder.add_entry(Entry { key: ::records::polyglot::key(position), ..entry });
        builder.add_entry(entry);
    }
    for (book, is_ours) in [(data.to_vec(), false), (builder.to_bytes(), true)] {
        match Book::in_memory(book) {
            Err(error) => {
                assert_is_a_reason(&error.to_string());
                assert!(!is_ours, "our own books can be opened");
            }
            Ok(mut book) => {
                for position in &positions {
                    let moves = book.moves(position).expect("memory can be read");
                    assert!(moves.0.iter().all(|candidate| position.is_legal(candidate.mv)));
                    let chosen = moves.choose(&mut Random::new(1));
                    assert_eq!(chosen.is_some(), moves.best().is_some());
                }
            }
        }
    }
}

/// A book of positions and one of games.
pub(crate) const OPENINGS_SEEDS: &[&str] = &[
    "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1\n1rkr4/8/8/8/8/8/8/1RKR4 w DBdb - bm Rb2; id \"1\";\n",
    "[Event \"?\"]\n\n1. e4 (1. d4) e5 {yes} 2. Nf3 *\n\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. O-O-O+ *\n",
];

/// Any text as a book of openings is refused with a reason, or all its openings can be played on.
pub(crate) fn openings(data: &[u8]) {
    for most_plies in [None, Some(3)] {
        match Openings::from_text("book", data, most_plies) {
            Err(error) => assert_is_a_reason(&error.to_string()),
            Ok(openings) => {
                let openings = openings.in_order(Order::Random);
                for pair in 0..openings.count().unwrap_or(0).min(10) as u64 {
                    let opening = openings.opening(1, pair);
                    assert!(most_plies.is_none_or(|most| opening.moves.len() <= most));
                    let end = opening
                        .moves
                        .iter()
                        .fold(opening.start, |position, &mv| position.play(mv).expect("a legal move"));
                    assert!(end == opening.end() && end.has_legal_moves());
                }
            }
        }
    }
}
