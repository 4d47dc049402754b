//! Polyglot books: the keys of the format, the moves of real books, and books of our own making.

use std::collections::HashSet;
use std::io::Write;
use std::process::{Command, Stdio};

use rules::{Move, Position};
use saavedra_records::GameResult;
use saavedra_records::polyglot::{Book, BookBuilder, BookError, Entry, RawMove, key, key_after};
use testkit::{Random, Variants, data_file, random_walks};

#[test]
fn the_keys_are_the_published_ones() {
    // The nine positions of the format's description.
    for (moves, expected) in [
        ("", 0x463b_9618_1691_fc9c),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
    ] {
        let mut position = Position::initial();
        let mut told = key(&position);
        for text in moves.split_whitespace() {
            let mv = position.parse_uci(text).expect("legal");
            told = key_after(&position, mv);
            position = position.play(mv).expect("a legal move");
        }
        assert_eq!((key(&position), told), (expected, expected), "{moves}");
    }
}

#[test]
fn a_pinned_pawn_ready_to_take_counts_in_the_key() {
    // The pawn on c4 could take on d3 if it were not pinned by the bishop on a2.
    let position: Position = "8/8/4k3/8/2p5/8/B2P1K2/8 w - - 0 1".parse().expect("legal");
    let mv = position.parse_uci("d2d4").expect("legal");
    let next = position.play(mv).expect("a legal move");
    assert_eq!(next.en_passant(), None);
    assert_ne!(key_after(&position, mv), key(&next));
}

/// What python-chess answers to lines of questions, if it is here. The script sees each line as `line`.
fn python_chess(script: &str, questions: &[String]) -> Option<Vec<String>> {
    let program =
        format!("import sys, chess, chess.polyglot\nfor line in sys.stdin:\n    line = line.strip()\n{script}");
    let mut child = Command::new("python3")
        .args(["-c", &program])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    let text = questions.join("\n") + "\n";
    // A child without python-chess stops listening; its status tells.
    let asking = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().ok()?;
    // Whether it listened shows in its answers.
    let _ = asking.join();
    if !output.status.success() {
        println!("skipped: there is no python-chess");
        return None;
    }
    let answers: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    assert_eq!(answers.len(), questions.len());
    Some(answers)
}

#[test]
fn the_keys_are_those_of_python_chess() {
    let mut random = Random::new(1);
    let (mut questions, mut keys) = (Vec::new(), Vec::new());
    random_walks(2, 40, Variants::All, |position| {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        let mv = *random.pick(&moves);
        questions.push(format!("{};{mv}", position.shredder_fen()));
        keys.push(format!("{:016x} {:016x}", key(position), key_after(position, mv)));
    });
    let script = "
    fen, mv = line.split(';')
    board = chess.Board(fen, chess960=True)
    before = chess.polyglot.zobrist_hash(board)
    board.push(chess.Move.from_uci(mv))
    print('%016x %016x' % (before, chess.polyglot.zobrist_hash(board)))";
    if let Some(answers) = python_chess(script, &questions) {
        for ((question, answer), ours) in questions.iter().zip(&answers).zip(&keys) {
            assert_eq!(answer, ours, "{question}");
        }
    }
}

#[test]
fn a_real_book_has_the_moves_that_python_chess_finds() {
    let Some(file) = data_file("polyglot/performance.bin") else { return };
    let mut book = Book::open(&file).expect("a book");
    assert_eq!(book.len(), 92_954);
    let (mut questions, mut ours, mut castled) = (Vec::new(), Vec::new(), false);
    let mut seen = HashSet::new();
    let mut waiting = vec![Position::initial()];
    while let Some(position) = waiting.pop() {
        if questions.len() == 1_500 || !seen.insert(position.key()) {
            continue;
        }
        let moves = book.moves(&position).expect("the book can be read").0;
        assert!(moves.is_sorted_by(|a, b| a.weight >= b.weight));
        castled |= moves.iter().any(|candidate| candidate.mv.kind() == rules::MoveKind::Castle);
        let mut lines: Vec<String> = moves
            .iter()
            .map(|candidate| format!("{} {} {}", position.uci(candidate.mv), candidate.weight, candidate.learn))
            .collect();
        lines.sort();
        questions.push(position.to_string());
        ours.push(lines.join(", "));
        waiting.extend(moves.iter().map(|candidate| position.play(candidate.mv).expect("a legal move")));
    }
    assert!(castled && questions.len() == 1_500);
    let start = book.moves(&Position::initial()).expect("the book can be read");
    let start: Vec<(String, u16)> = start.0.iter().map(|found| (found.mv.to_string(), found.weight)).collect();
    assert_eq!(start, [("e2e4".to_owned(), 1), ("d2d4".to_owned(), 1), ("c2c4".to_owned(), 1)]);
    let script = format!(
        "
    reader = chess.polyglot.open_reader({:?})
    found = sorted('%s %d %d' % (e.move.uci(), e.weight, e.learn) for e in reader.find_all(chess.Board(line)))
    reader.close()
    print(', '.join(found))",
        file.display().to_string()
    );
    if let Some(answers) = python_chess(&script, &questions) {
        for ((question, answer), ours) in questions.iter().zip(&answers).zip(&ours) {
            assert_eq!(answer, ours, "{question}");
        }
    }
}

#[test]
fn a_book_of_ours_is_read_alike_by_python_chess() {
    let mut random = Random::new(6);
    let mut builder = BookBuilder::new();
    let mut positions = Vec::new();
    for game in 0..60 {
        let number = if game % 2 == 0 { 518 } else { random.below(960) as u16 };
        let start = Position::chess960(number).expect("there are 960");
        let (mut position, mut moves) = (start, Vec::new());
        while moves.len() < 60 && position.has_legal_moves() {
            let legal = position.legal_moves();
            // Castling is too rare among random moves to leave it to random.
            let castling = legal.iter().copied().find(|mv| mv.kind() == rules::MoveKind::Castle);
            let mv = castling.unwrap_or_else(|| *random.pick(&legal));
            moves.push(mv);
            positions.push(position);
            position = position.play(mv).expect("a legal move");
        }
        builder.add_game(&start, &moves, *random.pick(&GameResult::ALL)).expect("legal");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.bin");
    std::fs::write(&file, builder.to_bytes()).expect("the folder can be written");
    let mut book = Book::open(&file).expect("a book");
    let (mut questions, mut ours) = (Vec::new(), Vec::new());
    for position in positions {
        let found = book.moves(&position).expect("the book can be read").0;
        let mut lines: Vec<String> = found.iter().map(|found| format!("{} {}", found.mv, found.weight)).collect();
        lines.sort();
        questions.push(position.shredder_fen());
        ours.push(lines.join(", "));
    }
    let script = format!(
        "
    reader = chess.polyglot.open_reader({:?})
    board = chess.Board(line, chess960=True)
    print(', '.join(sorted('%s %d' % (e.move.uci(), e.weight) for e in reader.find_all(board))))
    reader.close()",
        file.display().to_string()
    );
    let answers = python_chess(&script, &questions);
    if let Some(answers) = answers {
        for ((question, answer), ours) in questions.iter().zip(&answers).zip(&ours) {
            assert_eq!(answer, ours, "{question}");
        }
    }
}

#[test]
fn every_legal_move_is_written_and_read_again() {
    random_walks(3, 60, Variants::All, |position| {
        for &mv in &position.legal_moves() {
            assert_eq!(RawMove::new(mv).read(position), Some(mv), "{position}");
        }
    });
}

#[test]
fn castling_written_as_a_move_of_the_king_is_understood() {
    let position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().expect("legal");
    let raw = |text: &str| RawMove::new(position.parse_uci(text).expect("legal"));
    let castles = position.parse_uci("e1h1").expect("legal");
    assert_eq!(raw("e1g1"), RawMove(7 | 4 << 6));
    assert_eq!(RawMove(6 | 4 << 6).read(&position), Some(castles));
    assert_eq!(RawMove(6 | 4 << 6 | 1 << 12).read(&position), None);
    assert_eq!(RawMove(u16::MAX).read(&position), None);
}

#[test]
fn games_become_a_book() {
    let start = Position::initial();
    let line = |text: &str| -> Vec<Move> {
        let mut position = start;
        text.split(' ')
            .map(|san| {
                let mv = position.parse_san(san).expect("legal");
                position = position.play(mv).expect("a legal move");
                mv
            })
            .collect()
    };
    let mut builder = BookBuilder::new();
    builder.add_game(&start, &line("e4 e5 Nf3"), GameResult::WhiteWins).expect("legal");
    builder.add_game(&start, &line("e4 c5"), GameResult::Draw).expect("legal");
    builder.add_game(&start, &line("d4 d5"), GameResult::BlackWins).expect("legal");
    builder.add_game(&start, &line("c4 c5"), GameResult::Draw).expect("legal");
    assert!(builder.add_game(&start, &[line("e4 e5")[1]], GameResult::Draw).is_err());
    let bytes = builder.to_bytes();
    let mut written = Vec::new();
    builder.write(&mut written).expect("memory can be written");
    assert_eq!(written, bytes);

    let mut book = Book::in_memory(bytes).expect("a book");
    let mut weights = |moves: &[Move]| -> Vec<(String, u16)> {
        let position = moves.iter().fold(start, |position, &mv| position.play(mv).expect("a legal move"));
        let found = book.moves(&position).expect("memory can be read").0;
        found.iter().map(|candidate| (position.san(candidate.mv), candidate.weight)).collect()
    };
    assert_eq!(weights(&[]), [("e4".to_owned(), 3), ("c4".to_owned(), 1)]);
    assert_eq!(weights(&line("e4")), [("c5".to_owned(), 1)]);
    assert_eq!(weights(&line("d4")), [("d5".to_owned(), 2)]);
    assert_eq!(weights(&line("a3")), []);
}

#[test]
fn weights_are_scaled_to_fit_and_books_merge() {
    let start = Position::initial();
    let mv = |san: &str| start.parse_san(san).expect("legal");
    let mut builder = BookBuilder::new();
    builder.add(&start, mv("e4"), 6_553_500);
    builder.add(&start, mv("d4"), 3_276_750);
    builder.add(&start, mv("a4"), 1);
    let once = builder.entries();
    assert_eq!(once.iter().map(|entry| entry.weight).collect::<Vec<_>>(), [65_535, 32_767, 1]);

    let mut merged = BookBuilder::new();
    for entry in once {
        merged.add_entry(Entry { learn: 7, ..entry });
        merged.add_entry(Entry { weight: 0, learn: 9, ..entry });
    }
    let found = Book::in_memory(merged.to_bytes()).expect("a book").moves(&start).expect("memory can be read");
    assert_eq!(
        found.0.iter().map(|found| (found.weight, found.learn)).collect::<Vec<_>>(),
        [(65_535, 9), (32_767, 9), (1, 9)]
    );
}

#[test]
fn moves_are_chosen_as_often_as_they_weigh() {
    let start = Position::initial();
    let mut builder = BookBuilder::new();
    for (san, weight) in [("e4", 600), ("d4", 300), ("c4", 100)] {
        builder.add(&start, start.parse_san(san).expect("legal"), weight);
    }
    let mut book = Book::in_memory(builder.to_bytes()).expect("a book");
    let moves = book.moves(&start).expect("memory can be read");
    assert_eq!(moves.best().map(|mv| mv.to_string()).as_deref(), Some("e2e4"));
    let mut random = Random::new(4);
    let mut counts = [0; 3];
    for _ in 0..10_000 {
        let mv = moves.choose(&mut random);
        counts[moves.0.iter().position(|found| Some(found.mv) == mv).expect("one of them")] += 1;
    }
    assert!((5_800..6_200).contains(&counts[0]) && (2_850..3_150).contains(&counts[1]), "{counts:?}");

    let weightless = Entry { key: key(&start), mv: RawMove::new(moves.0[0].mv), weight: 0, learn: 0 };
    let mut book = Book::in_memory(weightless.bytes().to_vec()).expect("a book");
    let moves = book.moves(&start).expect("memory can be read");
    assert_eq!((moves.0.len(), moves.best(), moves.choose(&mut random)), (1, None, None));
}

#[test]
fn what_is_no_book_is_refused() {
    let reason = |bytes: Vec<u8>| Book::in_memory(bytes).expect_err("no book");
    assert!(matches!(reason(vec![0; 17]), BookError::Length(17)));
    assert!(matches!(reason([[9; 16], [8; 16]].concat()), BookError::OutOfOrder(1)));
    let text = "This is a text of some length and not a book of openings at all.".repeat(16);
    assert!(matches!(reason(text.into_bytes()), BookError::OutOfOrder(_)));
    assert!(Book::open("no such file").is_err());
    let mut empty = Book::in_memory(Vec::new()).expect("a book may be empty");
    assert!(empty.is_empty() && empty.moves(&Position::initial()).expect("memory can be read").0.is_empty());
}
