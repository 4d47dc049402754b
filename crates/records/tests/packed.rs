//! Packed games: exact, small, and never wrong without saying so.

use std::cell::{Cell, RefCell};
use std::fs;
use std::io::{self, Write};

use rules::{Move, Position, Setup, Square};
use saavedra_records::GameResult;
use saavedra_records::packed::{
    Counts, GameError, PackedBoard, PackedBoardError, PackedError, PackedGame, Ply, Reader, Writer,
};
use testkit::{Random, Variants, random_walks};

/// Games of up to so many moves, with random moves and scores, half of them Chess960 with two line-ups.
fn random_games(seed: u64, count: usize, most_plies: usize) -> Vec<PackedGame> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|number| {
            let line_up = |random: &mut Random| if number % 2 == 0 { 518 } else { random.below(960) as u16 };
            let start = Position::double_chess960(line_up(&mut random), line_up(&mut random));
            let start = start.expect("there are 960 line-ups");
            let (mut position, mut plies) = (start, Vec::new());
            for _ in 0..random.below(most_plies + 1) {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = *random.pick(&moves);
                plies.push(Ply { mv, score: random.next_u64() as i16 });
                position = position.play(mv).expect("a legal move");
            }
            let result = *random.pick(&GameResult::ALL);
            PackedGame::new(start, plies, result).expect("the moves are legal")
        })
        .collect()
}

/// A file with these blocks of games.
fn file_of(blocks: &[&[PackedGame]]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut writer = Writer::new(&mut file).expect("memory can be written");
    for block in blocks {
        for game in *block {
            writer.write(game).expect("the game fits");
        }
        writer.flush().expect("memory can be written");
    }
    drop(writer);
    file
}

/// Everything that can be read, what was wrong, and the torn tail.
fn read(file: &[u8]) -> Result<(Vec<PackedGame>, Vec<PackedError>, u64), PackedError> {
    let mut reader = Reader::new(file)?;
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    for game in &mut reader {
        match game {
            Ok(game) => games.push(game),
            Err(error) => errors.push(error),
        }
    }
    Ok((games, errors, reader.torn_tail()))
}

#[test]
fn every_position_survives_in_32_bytes() {
    let mut seen = 0;
    random_walks(1, 400, Variants::All, |position| {
        let packed = PackedBoard::new(position).with_score(-123).with_result(GameResult::WhiteWins);
        assert_eq!(packed.position().as_ref(), Ok(position));
        assert_eq!((packed.score(), packed.result()), (-123, Some(GameResult::WhiteWins)));
        assert_eq!(packed.turn(), position.turn());
        assert!(packed.pieces().all(|(square, piece)| position.piece_at(square) == Some(piece)));
        assert_eq!(packed.pieces().count() as u32, position.occupied().count());
        seen += 1;
    });
    assert!(seen > 20_000, "{seen}");
}

#[test]
fn the_farthest_corners_of_the_counters_survive() {
    for fen in [
        "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
        "4k3/8/8/8/8/8/8/RR2K3 w B - 65535 65535",
        "4k3/8/8/8/8/8/8/RR2K3 w A - 100 300",
        "1rkr4/8/8/8/8/8/8/1RKR4 w DBdb - 0 1",
    ] {
        let setup: Setup = fen.parse().expect(fen);
        let position = setup.playable_position().expect(fen);
        assert_eq!(PackedBoard::new(&position).position(), Ok(position), "{fen}");
    }
}

#[test]
fn the_layout_is_the_documented_one() {
    let position: Position = "r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 7 258".parse().expect("legal");
    let board = PackedBoard::new(&position).with_score(-2).with_result(GameResult::Draw);
    let mut expected = [0; 32];
    // e1 and h1; d5 and e5; a8 and e8.
    expected[..8].copy_from_slice(&[0x90, 0, 0, 0, 0x18, 0, 0, 0x11]);
    // White's king and castling rook; Black's pawn and White's; Black's castling rook and king.
    expected[8..11].copy_from_slice(&[0x65, 0x08, 0xde]);
    expected[24..].copy_from_slice(&[0x40, 2, 7, 0, 2, 1, 0xfe, 0xff]);
    assert_eq!(board.bytes(), &expected);

    let plies = vec![Ply { mv: Move::en_passant(Square::E5, Square::D6), score: 258 }];
    let game = PackedGame::new(position, plies, GameResult::BlackWins).expect("legal");
    let mut packed = Vec::new();
    game.pack(&mut packed);
    assert_eq!(packed[25], 1);
    assert_eq!(packed[32..], [0xe4, 0x8a, 2, 1, 0, 0, 0, 0]);
    let file = file_of(&[&[game]]);
    assert_eq!(file[..12], *b"SvdGam\r\n\x01\0\0\0");
    assert_eq!(file[12..32], *b"\xf5SvdBlk\n\x28\0\0\0\x01\0\0\0\x01\0\0\0");
    assert_eq!(file[40..], packed);
}

#[test]
fn a_board_that_is_none_is_refused_with_the_reason() {
    let start = *PackedBoard::new(&Position::initial()).bytes();
    let refuse = |change: &dyn Fn(&mut [u8; 32])| {
        let mut bytes = start;
        change(&mut bytes);
        PackedBoard::from_bytes(bytes).position().expect_err("no position")
    };
    assert_eq!(refuse(&|bytes| bytes[2] = 1), PackedBoardError::Pieces(33));
    assert_eq!(refuse(&|bytes| bytes[8] = 0x17), PackedBoardError::Code(Square::A1, 7));
    assert_eq!(refuse(&|bytes| bytes[7] = 0), PackedBoardError::StrayPiece);
    assert_eq!(refuse(&|bytes| bytes[24] = 0x92), PackedBoardError::Flags(0x92));
    assert!(matches!(refuse(&|bytes| bytes[24] = 0x10), PackedBoardError::Illegal(_)));
    assert!(matches!(refuse(&|bytes| bytes.fill(0)), PackedBoardError::Illegal(_)));
}

#[test]
fn games_come_back_as_they_were_at_little_more_than_four_bytes_a_position() {
    let games = random_games(2, 600, 300);
    let file = file_of(&[&games]);
    let (again, errors, torn) = read(&file).expect("the file is sound");
    assert_eq!((again, errors.len(), torn), (games.clone(), 0, 0));

    let positions: usize = games.iter().map(|game| game.plies().len()).sum();
    let each = file.len() as f64 / positions as f64;
    println!("{} games, {positions} positions, {} bytes: {each:.3} bytes a position", games.len(), file.len());
    assert!(each < 4.5, "{each}");
}

#[test]
fn positions_are_those_of_the_games() {
    let games = random_games(3, 60, 200);
    let file = file_of(&[&games[..20], &games[20..]]);
    let mut positions = Reader::new(&file[..]).expect("the file is sound").positions();
    for game in &games {
        for (ply, expected) in game.moments().enumerate() {
            let moment = positions.next().expect("there are more").expect("all is sound");
            assert_eq!(moment, expected);
            assert_eq!((moment.ply, moment.result), (ply, game.result()));
            assert!(moment.position.is_legal(moment.mv));
            assert_eq!(moment.sample().position(), Ok(moment.position));
        }
    }
    assert!(positions.next().is_none());
    let count = games.iter().map(|game| game.plies().len() as u64).sum();
    assert_eq!(positions.reader().counts(), Counts { games: 60, positions: count });
}

#[test]
fn a_file_cut_anywhere_yields_its_complete_blocks_and_can_be_continued() {
    let games = random_games(4, 9, 12);
    let blocks = [&games[..3], &games[3..5], &games[5..]];
    let file = file_of(&blocks);
    let ends: Vec<usize> = (0..=3).map(|count| file_of(&blocks[..count]).len()).collect();
    let more = random_games(5, 1, 8);
    let folder = tempfile::tempdir().expect("a folder");
    let path = &folder.path().join("cut");
    for cut in 0..=file.len() {
        let complete = ends.iter().filter(|&&end| end <= cut).count().saturating_sub(1);
        let kept: Vec<PackedGame> = blocks[..complete].concat();
        let (read_games, errors, torn) = read(&file[..cut]).expect("a torn file is no error");
        assert!(read_games == kept && errors.is_empty(), "cut at {cut}");
        let sound = if cut < ends[0] { 0 } else { ends[complete] };
        assert_eq!(torn, (cut - sound) as u64, "cut at {cut}");

        fs::write(path, &file[..cut]).expect("the folder can be written");
        let mut writer = Writer::append(path).expect("a torn file can be continued");
        writer.write(&more[0]).expect("the game fits");
        writer.flush().expect("the file can be written");
        drop(writer);
        let continued = fs::read(path).expect("the file can be read");
        let expected: Vec<PackedGame> = [kept, more.clone()].concat();
        assert!(continued == file_of(&[&blocks[..complete], &[&more[..]]].concat()), "cut at {cut}");
        assert_eq!(read(&continued).expect("sound").0, expected);
    }
}

#[test]
fn a_file_that_is_resumed_has_the_bytes_of_one_written_at_once() {
    let games = random_games(31, 400, 150);
    let whole = file_of(&[&games]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = &folder.path().join("resumed");
    let mut random = Random::new(32);
    for round in 0..30 {
        fs::write(path, &whole[..random.below(whole.len() + 1)]).expect("it can be written");
        let (mut writer, counts) = Writer::resume(path).expect("a cut file can be continued");
        for (number, game) in games.iter().enumerate().skip(counts.games as usize) {
            writer.write(game).expect("the game fits");
            if number % 50 == round {
                writer.save().expect("it can be written");
                let (kept, errors, _) = read(&fs::read(path).expect("a file")).expect("a file of games");
                assert_eq!((kept.len(), errors.len()), (number + 1, 0), "what is saved can be read");
            }
        }
        drop(writer);
        assert!(fs::read(path).expect("a file") == whole, "round {round} made another file");
    }
    let mut damaged = whole.clone();
    damaged[100] ^= 1;
    fs::write(path, &damaged).expect("it can be written");
    assert!(matches!(Writer::resume(path), Err(PackedError::Damaged { offset: 12, .. })));
    assert!(fs::read(path).expect("a file") == damaged, "nothing is cut off");
}

#[test]
fn files_joined_end_to_end_are_a_file() {
    let games = random_games(12, 5, 30);
    let parts = [file_of(&[&games[..2]]), file_of(&[]), file_of(&[&games[2..3], &games[3..]]), file_of(&[])];
    let (read_games, errors, torn) = read(&parts.concat()).expect("sound");
    assert_eq!((read_games, errors.len(), torn), (games, 0, 0));
}

#[test]
fn appending_makes_the_file_and_keeps_others_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = &folder.path().join("append");
    let games = random_games(6, 2, 30);
    for (number, game) in games.iter().enumerate() {
        let mut writer = Writer::append(path).expect("the file can be written");
        assert!(matches!(Writer::append(path), Err(PackedError::InUse)));
        assert!(matches!(Writer::create(path), Err(PackedError::InUse)));
        writer.write(game).expect("the game fits");
        writer.sync().expect("the file can be written");
        let reader = Reader::open(path).expect("the file can be read meanwhile");
        assert_eq!(reader.map(Result::unwrap).collect::<Vec<_>>(), games[..=number]);
    }
}

/// A disk that is full for a while: so many bytes fit, and more only when there is room again.
#[derive(Default)]
struct Disk {
    bytes: RefCell<Vec<u8>>,
    room: Cell<usize>,
}

impl Write for &Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let fit = bytes.len().min(self.room.get());
        if fit == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.bytes.borrow_mut().extend_from_slice(&bytes[..fit]);
        self.room.update(|room| room - fit);
        Ok(fit)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_loses_no_game() {
    let games = random_games(13, 10, 60);
    let whole = file_of(&[&games]).len();
    for room in 12..whole {
        let disk = Disk { room: Cell::new(room), ..Disk::default() };
        let mut writer = Writer::new(&disk).expect("the header fits");
        games.iter().for_each(|game| writer.write(game).expect("a block is not full yet"));
        assert_eq!(writer.flush().expect_err("the disk is full").kind(), io::ErrorKind::StorageFull);
        disk.room.set(usize::MAX);
        writer.flush().expect("there is room again");
        drop(writer);
        let (read_games, errors, torn) = read(&disk.bytes.borrow()).expect("sound");
        assert!(read_games == games && torn == 0, "{room}");
        assert!(room == 12 || matches!(errors[..], [PackedError::Damaged { offset: 12, .. }]), "{errors:?}");
    }
}

#[test]
fn no_flipped_bit_goes_unnoticed_and_the_other_blocks_are_read() {
    let games = random_games(7, 40, 60);
    let blocks: Vec<&[PackedGame]> = games.chunks(4).collect();
    let file = file_of(&blocks);
    let mut random = Random::new(8);
    for _ in 0..3_000 {
        let mut damaged = file.clone();
        let flips = 1 + random.below(3);
        for _ in 0..flips {
            let at = random.below(damaged.len());
            damaged[at] ^= 1 << random.below(8);
        }
        let Ok((read_games, errors, torn)) = read(&damaged) else {
            assert!(damaged[..12] != file[..12], "only the head of the file can be fatal");
            continue;
        };
        assert!(damaged == file || !errors.is_empty() || torn > 0);
        assert!(read_games.iter().all(|game| games.contains(game)));
        assert!(read_games.len() >= games.len() - 4 * flips, "a flip costs one block at most");
    }
}

#[test]
fn reading_goes_on_behind_damage_of_any_length() {
    let games = random_games(9, 12, 40);
    let blocks: Vec<&[PackedGame]> = games.chunks(4).collect();
    let file = file_of(&blocks);
    let second = file_of(&blocks[..1]).len();
    let third = file_of(&blocks[..2]).len();
    let mut random = Random::new(10);
    for _ in 0..200 {
        // Some bytes of the second block give way to others, not always as many.
        let from = second + random.below(third - second);
        let to = from + 1 + random.below(third - from);
        let noise: Vec<u8> = (0..random.below(200)).map(|_| random.next_u64() as u8).collect();
        let mut damaged = file.clone();
        damaged.splice(from..to, noise.iter().copied());
        let (read_games, errors, torn) = read(&damaged).expect("the head is sound");
        assert_eq!(read_games, [blocks[0], blocks[2]].concat());
        let bytes = (third - second + noise.len() + from - to) as u64;
        assert!(
            matches!(errors[..], [PackedError::Damaged { offset, bytes: lost }]
                if offset == second as u64 && lost == bytes)
                || errors.is_empty() && bytes == 0,
            "{errors:?}"
        );
        assert_eq!(torn, 0);
    }
}

#[test]
fn a_game_that_cannot_have_been_played_is_told_and_the_rest_goes_on() {
    let games = random_games(11, 3, 60);
    let mut contents = Vec::new();
    games.iter().for_each(|game| game.pack(&mut contents));
    let second = games[0].packed_size();
    for (change, expected) in [
        (&[(25, 0)][..], "the game at"),
        (&[(8, 0x00)], "illegal position"),
        (&[(32, 0xff), (33, 0xff)], "ply 0"),
        (&[(32, 0x00), (33, 0x0e)], "ply 0: a1a8 is not a legal move here"),
    ] {
        let mut damaged = contents.clone();
        change.iter().for_each(|&(at, byte)| damaged[second + at] = byte);
        let plies: usize = games.iter().map(|game| game.plies().len()).sum();
        let (read_games, errors, torn) = read(&sealed(&damaged, 3, plies as u32)).expect("sound");
        assert_eq!((read_games, torn), (vec![games[0].clone(), games[2].clone()], 0));
        assert!(errors.len() == 1 && errors[0].to_string().contains(expected), "{errors:?}");
    }
    let (_, errors, _) = read(&sealed(&contents, 4, 0)).expect("sound");
    assert!(matches!(errors[..], [PackedError::Miscounted { offset: 12 }]));
    let (read_games, errors, _) = read(&sealed(&contents[..contents.len() - 4], 3, 0)).expect("sound");
    assert_eq!(read_games, games[..2]);
    assert!(matches!(errors[..], [PackedError::Game { error: GameError::Unfinished, .. }]), "{errors:?}");
}

/// A file with one block of these contents and right checksums, as a faulty program might write it.
fn sealed(contents: &[u8], games: u32, positions: u32) -> Vec<u8> {
    let mut file = b"SvdGam\r\n\x01\0\0\0\xf5SvdBlk\n".to_vec();
    for word in [contents.len() as u32, games, positions, crc32fast::hash(contents)] {
        file.extend_from_slice(&word.to_le_bytes());
    }
    let checksum = crc32fast::hash(&file[12..]);
    file.extend_from_slice(&checksum.to_le_bytes());
    file.extend_from_slice(contents);
    file
}

#[test]
fn other_files_and_other_versions_are_refused() {
    assert!(matches!(read(b"[Event \"?\"]\n\n1. e4 *\n"), Err(PackedError::NotPacked)));
    assert!(matches!(read(b"SvdGam\n"), Err(PackedError::NotPacked)));
    assert!(matches!(read(b"SvdGam\r\n\x02\0\0\0"), Err(PackedError::Version(2))));
    let folder = tempfile::tempdir().expect("a folder");
    let path = &folder.path().join("other");
    fs::write(path, "something worth keeping").expect("the folder can be written");
    assert!(matches!(Writer::append(path), Err(PackedError::NotPacked)));
    assert_eq!(fs::read(path).expect("still there"), b"something worth keeping");
}

#[test]
fn a_game_longer_than_the_rules_allow_is_not_packed() {
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let start = Position::initial();
    let (mut position, mut plies) = (start, Vec::new());
    for text in moves.iter().cycle().take(66_000) {
        let mv = position.parse_uci(text).expect("legal");
        plies.push(Ply { mv, score: 0 });
        position = position.play(mv).expect("a legal move");
    }
    let pack = |count: usize| {
        let game = PackedGame::new(start, plies[..count].to_vec(), GameResult::Draw).expect("legal");
        let mut file = Vec::new();
        Writer::new(&mut file).expect("memory can be written").write(&game)?;
        Ok::<_, PackedError>(read(&file).expect("sound").0 == [game])
    };
    assert!(pack(12_000).expect("the longest game that the rules allow fits"));
    assert!(matches!(pack(66_000), Err(PackedError::TooLong(66_000))));
}

#[test]
fn a_position_for_bullet_is_what_bulletformat_makes_of_it() {
    let position: Position = "r3k2r/1P3ppp/2n5/3pP3/8/8/PP3PPP/R3K2R b KQkq - 5 17".parse().expect("a position");
    let board = PackedBoard::new(&position).with_score(-123).with_result(GameResult::BlackWins);
    let hex: String = board.to_bullet().iter().map(|byte| format!("{byte:02x}")).collect();
    // By bulletformat 1.8.0, which was given the FEN, the score and the result.
    assert_eq!(hex, "91e204180000e39153830010808888b8bd000000000000007b00020404000000");
}
