//! Both directions of the protocol, as real programs write it and as no program should.

use saavedra_uci::{
    Bound, Castling, Command, EngineOption, Go, Info, Message, OptionKind, PositionCommand, Start, Status, UciScore,
};
use testkit::Random;

fn command(line: &str) -> Command {
    let reading = Command::read(line).expect("the line is not blank");
    assert_eq!(reading.complaints, [""; 0], "{line}");
    reading.value
}

fn message(line: &str) -> Message {
    let reading = Message::read(line).expect("the line is not blank");
    assert_eq!(reading.complaints, [""; 0], "{line}");
    reading.value
}

fn complaints(line: &str) -> Vec<String> {
    Command::read(line).expect("the line is not blank").complaints
}

fn go(line: &str) -> Go {
    match command(line) {
        Command::Go(go) => go,
        other => panic!("{other:?}"),
    }
}

#[test]
fn blank_lines_say_nothing() {
    assert!(["", " ", "\t", "\r\n", "\u{a0}"].iter().all(|line| Command::read(line).is_none()));
    assert!(Message::read(" \r\n").is_none());
}

#[test]
fn line_ends_tabs_and_blanks_do_not_matter() {
    assert_eq!(command("\t isready \r\n"), Command::IsReady);
    assert_eq!(go("go\tdepth\t \t9\r"), Go { depth: Some(9), ..Go::default() });
}

#[test]
fn junk_before_a_command_of_the_protocol_is_skipped() {
    assert_eq!(command("joho debug on"), Command::Debug(true));
    // A command for people hides in any sentence, so it must come first.
    assert!(matches!(command("what a d"), Command::Unknown { suggestion: None, .. }));
}

#[test]
fn a_mistyped_command_is_recognized() {
    for (typed, meant) in
        [("isredy", "isready"), ("postion startpos", "position"), ("ucinewgmae", "ucinewgame"), ("QUIT", "quit")]
    {
        let Command::Unknown { line, suggestion } = command(typed) else { panic!("{typed}") };
        assert_eq!((line.as_str(), suggestion), (typed, Some(meant)));
    }
}

#[test]
fn option_names_and_values_may_hold_spaces() {
    let option =
        |name: &str, value: Option<&str>| Command::SetOption { name: name.into(), value: value.map(Into::into) };
    assert_eq!(command("setoption name Clear Hash"), option("Clear Hash", None));
    assert_eq!(command("setoption name Clear   Hash value"), option("Clear Hash", Some("")));
    assert_eq!(command("setoption name SyzygyPath value /a b/c  d"), option("SyzygyPath", Some("/a b/c  d")));
    assert_eq!(command("setoption name SyzygyPath value <empty>"), option("SyzygyPath", Some("")));
    assert_eq!(complaints("setoption Hash value 3"), ["setoption wants name before the option's name"]);
    assert_eq!(complaints("setoption name value 3"), ["setoption names no option for the value \"3\""]);
}

#[test]
fn go_takes_its_words_in_any_order_and_together() {
    let expected = Go {
        search_moves: vec!["e2e4".into(), "d2d4".into()],
        ponder: true,
        white_time: Some(-20),
        black_time: Some(1000),
        black_increment: Some(i64::MAX),
        moves_to_go: Some(1),
        depth: Some(5),
        nodes: Some(u64::MAX),
        ..Go::default()
    };
    let line = "go depth 5 searchmoves e2e4 d2d4 btime 1000.9 ponder wtime -20 movestogo 1 nodes 99999999999999999999999 \
                binc 99999999999999999999999";
    assert_eq!(go(line), expected);
    assert_eq!(go("go"), Go::default());
}

#[test]
fn what_makes_no_sense_inside_a_command_is_left_out() {
    let reading = Command::read("go depth abc wtime nodes 5 blah").expect("the line is not blank");
    assert_eq!(reading.value, Command::Go(Go { nodes: Some(5), ..Go::default() }));
    assert_eq!(
        reading.complaints,
        ["go depth wants a whole number, not \"abc\"", "go wtime lacks its number", "go knows no \"blah\""]
    );
    assert_eq!(complaints("debug maybe"), ["debug wants on or off"]);
    assert_eq!(complaints("position moves e2e4"), ["position wants startpos or fen"]);
    assert_eq!(complaints("position startpos e2e4"), ["position knows no \"e2e4\" after startpos"]);
}

#[test]
fn a_position_may_have_thousands_of_moves() {
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(5_000);
    let Command::Position(history) = command(&format!("position startpos moves {}", moves.join(" "))) else {
        panic!("not a position")
    };
    assert_eq!(history.moves, moves);
    assert_eq!(history.game().expect("knights come and go").moves().len(), 20_000);
}

#[test]
fn a_game_becomes_a_history_and_a_game_again() {
    let chess960 = "position fen 1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w DBdb - 0 1 moves c1d1 c8d8";
    let standard = "position startpos moves e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8";
    for (line, castling) in [(chess960, Castling::KingTakesRook), (standard, Castling::KingMoves)] {
        let Command::Position(history) = command(line) else { panic!("{line}") };
        let game = history.game().expect("the moves are legal");
        assert_eq!(PositionCommand::of(&game, castling), history);
        let written = castling.write_line(game.start(), game.moves());
        assert_eq!(written, history.moves);
    }
    let Command::Position(history) = command("position fen 8/8 w") else { panic!("not a position") };
    assert_eq!(history.start, Start::Fen("8/8 w".into()));
    assert_eq!(history.game().expect_err("not a FEN").to_string().lines().count(), 1);
}

#[test]
fn rights_that_cannot_be_real_are_left_out_and_other_faults_are_not() {
    let position = |fen: &str| PositionCommand { start: Start::Fen(fen.into()), moves: Vec::new() }.game();
    for (told, meant) in [
        ("4k3/8/8/8/8/8/8/R3K3 w KQkq - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"),
        ("4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", "4k3/8/8/8/8/8/4K3/R6R w - - 0 1"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - e6 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
    ] {
        assert_eq!(position(told).expect("forgiven").position().to_string(), meant);
    }
    assert!(position("4k2R/8/8/8/8/8/8/4K3 w KQ - 0 1").is_err());
    assert!(position("8/8/8/8/8/8/8/4K3 w K - 0 1").is_err());
}

#[test]
fn engines_advertise_options_of_five_kinds() {
    let setting = |line: &str| match message(line) {
        Message::Option(setting) => setting,
        other => panic!("{other:?}"),
    };
    let cases = [
        (
            "Hash type spin default 16 min 1 max 33554432",
            "Hash",
            OptionKind::Spin { default: 16, min: 1, max: 33_554_432 },
        ),
        ("Clear Hash type button", "Clear Hash", OptionKind::Button),
        ("Ponder type check default false", "Ponder", OptionKind::Check { default: false }),
        ("SyzygyPath type string default <empty>", "SyzygyPath", OptionKind::Text { default: String::new() }),
        ("Book type string default C:\\min max\\b", "Book", OptionKind::Text { default: "C:\\min max\\b".into() }),
        (
            "Style type combo default Very Solid var Very Solid var Wild",
            "Style",
            OptionKind::Combo { default: "Very Solid".into(), choices: vec!["Very Solid".into(), "Wild".into()] },
        ),
    ];
    for (line, name, kind) in cases {
        let line = format!("option name {line}");
        assert_eq!(setting(&line), EngineOption { name: name.into(), kind });
        assert_eq!(setting(&line).to_string(), line);
    }
    let reading = Message::read("option name Hash type spin default many min 1 max 2").expect("not blank");
    assert!(matches!(reading.value, Message::Unknown(_)) && reading.complaints.len() == 1, "{reading:?}");
}

#[test]
fn info_lines_of_real_engines_are_read() {
    let line = "info depth 12 seldepth 18 multipv 1 score cp -31 lowerbound wdl 20 900 80 nodes 12345 nps 999 hashfull 3 \
                tbhits 0 time 12 pv e2e4 e7e5";
    let Message::Info(info) = message(line) else { panic!("{line}") };
    assert_eq!((info.score, info.bound), (Some(UciScore::Centipawns(-31)), Bound::Lower));
    assert_eq!((info.wdl, info.nodes, info.pv.len()), (Some([20, 900, 80]), Some(12_345), 2));
    assert_eq!(info.to_string(), line);

    let Message::Info(info) = message("info score lowerbound mate -3 string pv  is not a pv") else {
        panic!("no info")
    };
    assert_eq!((info.score, info.bound), (Some(UciScore::MatedIn(3)), Bound::Lower));
    assert_eq!((info.string.as_deref(), info.pv.len()), (Some("pv  is not a pv"), 0));

    let reading = Message::read("info depth x score cp 1.5e3 nodes 7").expect("not blank");
    assert_eq!(reading.value, Info { nodes: Some(7), ..Info::default() }.into());
    assert_eq!(reading.complaints.len(), 3, "{reading:?}");
}

#[test]
fn other_messages_are_read() {
    let best = |best: Option<&str>, ponder: Option<&str>| Message::BestMove {
        best: best.map(Into::into),
        ponder: ponder.map(Into::into),
    };
    assert_eq!(message("bestmove e2e4"), best(Some("e2e4"), None));
    assert_eq!(message("bestmove (none)"), best(None, None));
    assert_eq!(message("bestmove a7a8q ponder (none)"), best(Some("a7a8q"), None));
    assert_eq!(best(None, None).to_string(), "bestmove 0000");
    assert_eq!(message("id name Saavedra 1 "), Message::Name("Saavedra 1".into()));
    assert_eq!(message("registration checking"), Message::Registration(Status::Checking));
    assert_eq!(message("Stockfish by its option authors"), Message::Unknown("Stockfish by its option authors".into()));
}

#[test]
fn no_text_breaks_the_line_it_is_printed_on() {
    assert_eq!(Message::text("two\r\nlines").to_string(), "info string two  lines");
}

/// Lines of words that mean something, in an order that may mean nothing, with stray bytes between.
fn random_line(random: &mut Random) -> String {
    const WORDS: &str = "uci debug on off isready setoption name value <empty> Clear Hash register later ucinewgame \
        position startpos fen 8/8/8/8/8/8/8/8 w - moves e2e4 e7e8q go searchmoves ponder wtime btime winc binc movestogo \
        depth nodes mate movetime infinite perft stop ponderhit quit d eval bench flip help see 0 1 -5 12.5 \
        99999999999999999999999999999999999999999 id author uciok readyok option type check spin combo button string \
        default min max var true false info seldepth multipv score cp lowerbound upperbound wdl nps hashfull tbhits sbhits \
        time cpuload currmove currmovenumber pv refutation currline bestmove 0000 (none) copyprotection registration \
        checking ok error";
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut bytes = Vec::new();
    for _ in 0..random.below(14) {
        match random.below(12) {
            0 => bytes.extend((0..random.below(6)).map(|_| random.next_u64() as u8)),
            1 => bytes.extend(b"\t\r\n"),
            _ => bytes.extend(random.pick(&words).bytes()),
        }
        bytes.push(b' ');
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn whatever_is_read_prints_as_one_line_that_reads_the_same() {
    let mut random = Random::new(36);
    for _ in 0..60_000 {
        let line = random_line(&mut random);
        if let Some(reading) = Command::read(&line) {
            let printed = reading.value.to_string();
            assert!(!printed.contains(['\n', '\r']), "{line:?}");
            assert_eq!(Command::read(&printed).map(|again| again.value), Some(reading.value), "{line:?}");
        }
        if let Some(reading) = Message::read(&line) {
            let printed = reading.value.to_string();
            assert!(!printed.contains(['\n', '\r']), "{line:?}");
            assert_eq!(Message::read(&printed).map(|again| again.value), Some(reading.value), "{line:?}");
        }
    }
}
