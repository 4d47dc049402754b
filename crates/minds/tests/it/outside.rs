//! Minds in other processes: well-behaved ones play on, and whatever the others do is told and ends in time.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use programs::CommandLine;
use rules::{Game, Position};
use saavedra_minds::{
    Allowance, CecpMind, Choice, Clock, Control, Fault, FaultKind, GameEnd, Line, LineMind, Mind, Reporter,
    SearchStats, UciMind, world_answer,
};
use search::UciScore;

/// The program that misbehaves on request. `cargo test` builds it beside the tests; `cargo test --test it` does
/// not build examples, and meets whatever was built last.
fn fake_program() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    let profile = test.parent().and_then(Path::parent).expect("tests are in the folder `deps` of the profile");
    let program = profile.join("examples").join(format!("fake_program{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "{} is missing: `cargo build --examples` builds it", program.display());
    program
}

fn fake(protocol: &str, behaviour: &str) -> CommandLine {
    CommandLine::new(fake_program()).with_arguments([protocol, behaviour])
}

const PROTOCOLS: [&str; 4] = ["uci", "cecp", "world", "line"];

fn mind(protocol: &str, command: CommandLine) -> Box<dyn Mind> {
    match protocol {
        "uci" => Box::new(UciMind::new(command)),
        "cecp" => Box::new(CecpMind::new(command)),
        "world" => Box::new(LineMind::world(command)),
        _ => Box::new(LineMind::new(command)),
    }
}

fn fake_mind(protocol: &str, behaviour: &str) -> Box<dyn Mind> {
    mind(protocol, fake(protocol, behaviour))
}

/// Time enough for a program that answers, on any machine.
fn ample() -> Allowance {
    Allowance { grace: Duration::from_secs(60), ..Allowance::time(Duration::from_secs(1)) }
}

fn hasty() -> Allowance {
    Allowance { grace: Duration::from_millis(100), ..Allowance::time(Duration::from_millis(100)) }
}

fn choose(mind: &mut dyn Mind, game: &Game, allowance: &Allowance) -> Result<Choice, Fault> {
    mind.choose(game, allowance, &Control::new(), &mut ())
}

fn first_choice(mind: &mut dyn Mind, allowance: &Allowance) -> Result<Choice, Fault> {
    let game = Game::default();
    mind.new_game(game.start())?;
    choose(mind, &game, allowance)
}

/// A mind plays both sides for some plies.
fn self_play(mind: &mut dyn Mind, start: Position, plies: usize) -> Game {
    let mut game = Game::new(start);
    mind.new_game(&start).expect("a program that starts");
    for _ in 0..plies {
        if game.outcome().is_some() {
            break;
        }
        let mv = choose(mind, &game, &ample()).expect("an answer").mv().expect("a move");
        game.play(mv).expect("a legal move");
    }
    mind.end_game(GameEnd::Unfinished);
    game
}

#[test]
fn programs_play_games_in_every_protocol() {
    let kiwipete: Position =
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".parse().expect("a position");
    for protocol in PROTOCOLS {
        let mut mind = fake_mind(protocol, "fine");
        for start in [Position::initial(), kiwipete] {
            let game = self_play(&mut *mind, start, 30);
            // The fake plays the first legal move, though the world cannot promote to anything but a queen.
            let is_first = |(mv, position): (&rules::Move, &Position)| *mv == position.legal_moves()[0];
            assert!(game.moves().iter().zip(game.positions()).take(12).all(is_first), "{protocol}");
        }
    }
}

#[test]
fn a_game_that_took_another_turn_is_told_anew() {
    for protocol in PROTOCOLS {
        let mut mind = fake_mind(protocol, "fine");
        let mut game = self_play(&mut *mind, Position::initial(), 6);
        game.take_back();
        game.take_back();
        let mv = choose(&mut *mind, &game, &ample()).expect("an answer").mv();
        assert_eq!(mv, Some(game.position().legal_moves()[0]), "{protocol}");
    }
}

#[test]
fn a_program_that_crashes_is_told_of_with_its_last_words_and_started_again() {
    for protocol in PROTOCOLS {
        let mut mind = fake_mind(protocol, "crash");
        for _ in 0..2 {
            let fault = first_choice(&mut *mind, &ample()).expect_err("a crash");
            let FaultKind::Crashed { last_words } = &fault.kind else { panic!("{protocol}: {fault}") };
            assert!(last_words.contains("exit status: 3") && last_words.contains("out of cheese"), "{fault}");
        }
    }
}

#[test]
fn a_program_that_hangs_or_never_ends_its_answer_is_given_up() {
    for protocol in PROTOCOLS {
        for behaviour in ["hang", "flood"] {
            // A flood is an answer where any line is one.
            let is_answer = behaviour == "flood" && (protocol == "world" || protocol == "line");
            let fault = first_choice(&mut *fake_mind(protocol, behaviour), &hasty()).expect_err("no move");
            match fault.kind {
                FaultKind::IllegalMove { .. } => assert!(is_answer, "{protocol} {behaviour}: {fault}"),
                FaultKind::TimedOut { .. } => assert!(!is_answer, "{protocol} {behaviour}: {fault}"),
                _ => panic!("{protocol} {behaviour}: {fault}"),
            }
        }
    }
}

#[test]
fn a_line_without_end_is_passed_over() {
    for protocol in PROTOCOLS {
        let choice = first_choice(&mut *fake_mind(protocol, "babble"), &ample()).expect("an answer");
        assert_eq!(choice.mv(), Some(Position::initial().legal_moves()[0]), "{protocol}");
    }
}

#[test]
fn an_illegal_move_is_quoted_and_does_not_end_the_program() {
    for protocol in PROTOCOLS {
        let mut mind = fake_mind(protocol, "illegal");
        let fault = first_choice(&mut *mind, &ample()).expect_err("an illegal move");
        let FaultKind::IllegalMove { text, fen } = &fault.kind else { panic!("{protocol}: {fault}") };
        assert!(text.contains("e2e5"), "{text}");
        assert_eq!(*fen, Position::initial().to_string());
        assert!(matches!(
            choose(&mut *mind, &Game::default(), &ample()),
            Err(Fault { kind: FaultKind::IllegalMove { .. }, .. })
        ));
    }
}

#[test]
fn a_program_that_is_not_there_or_not_ready_does_not_start() {
    for protocol in PROTOCOLS {
        let mut mind = mind(protocol, CommandLine::new("/no/such/program"));
        let fault = mind.new_game(&Position::initial()).expect_err("nothing to start");
        assert!(fault.to_string().starts_with("program did not start: cannot start /no/such/program:"), "{fault}");
    }
    let time = Duration::from_millis(200);
    for mut mind in [
        Box::new(UciMind::new(fake("uci", "mute")).with_time_to_start(time)) as Box<dyn Mind>,
        Box::new(CecpMind::new(fake("cecp", "mute")).with_time_to_start(time)),
    ] {
        let fault = mind.new_game(&Position::initial()).expect_err("no answer");
        assert!(matches!(fault.kind, FaultKind::TimedOut { .. }), "{fault}");
    }
}

#[derive(Default)]
struct Lines(Vec<Line>);

impl Reporter for Lines {
    fn line(&mut self, line: &Line, _stats: &SearchStats) {
        self.0.push(line.clone());
    }
}

#[test]
fn engines_tell_what_they_think() {
    let game = Game::default();
    for (protocol, verdict) in [("uci", UciScore::MatedIn(2)), ("cecp", UciScore::Centipawns(-33))] {
        let mut lines = Lines::default();
        let choice = fake_mind(protocol, "fine").choose(&game, &ample(), &Control::new(), &mut lines).expect("a move");
        let [line] = &lines.0[..] else { panic!("{protocol}: {:?}", lines.0) };
        assert_eq!((line.score.to_uci(), line.moves.first().copied()), (verdict, choice.mv()), "{protocol}");
    }
}

#[test]
fn an_engine_that_would_think_for_ever_answers_when_it_is_stopped() {
    for protocol in ["uci", "cecp"] {
        let control = Control::new();
        control.stop();
        let mut mind = fake_mind(protocol, "patient");
        let allowance = Allowance { grace: Duration::from_secs(60), ..Allowance::default() };
        let choice = mind.choose(&Game::default(), &allowance, &control, &mut ()).expect("an answer");
        assert_eq!(choice.mv(), Position::initial().parse_uci("a2a3").ok(), "{protocol}");
    }
}

#[test]
fn a_second_answer_is_not_taken_for_the_next() {
    let game = self_play(&mut *fake_mind("uci", "twice"), Position::initial(), 6);
    assert_eq!(game.moves().len(), 6);
}

#[test]
fn uci_options_are_set_if_the_engine_has_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("options");
    let command = fake("uci", "fine").with_variable("FAKE_PROGRAM_LOG", &log);
    let mut mind = UciMind::new(command.clone()).with_option("hash", "16");
    mind.new_game(&Position::initial()).expect("an option it has");
    assert_eq!(mind.name(), "Fake 1.0");
    mind.new_game(&Position::chess960(7).expect("a line-up")).expect("it plays Chess960");
    let told = std::fs::read_to_string(&log).expect("the log is there");
    assert!(told.contains("setoption name Hash value 16"), "{told}");
    assert!(told.contains("setoption name UCI_Chess960 value true"), "{told}");

    let fault = UciMind::new(fake("uci", "fine")).with_option("Hsah", "16").new_game(&Position::initial());
    let fault = fault.expect_err("no such option");
    assert_eq!(fault.to_string(), r#"Fake 1.0 did not start: it has no option "Hsah" (did you mean "Hash"?)"#);
}

#[test]
fn an_engine_that_ponders_goes_on_if_its_reply_is_played_and_thinks_anew_if_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let talk = |ponders: &str| {
        let log = folder.path().join(ponders);
        let command = fake("uci", "ponder").with_variable("FAKE_PROGRAM_LOG", &log);
        let mut mind = UciMind::new(command).with_option("Ponder", ponders);
        let mut game = Game::default();
        mind.new_game(game.start()).expect("a program that starts");
        // It expects the first legal move: first it gets that, then another, then the game ends.
        for reply in [Some(0), Some(1), None] {
            let mv = choose(&mut mind, &game, &ample()).expect("an answer").mv().expect("a move");
            assert_eq!(mv, game.position().legal_moves()[0]);
            game.play(mv).expect("a legal move");
            mind.ponder(&game, &ample());
            if let Some(reply) = reply {
                game.play(game.position().legal_moves()[reply]).expect("a legal move");
            }
        }
        mind.end_game(GameEnd::Unfinished);
        mind.new_game(game.start()).expect("it is ready again");
        drop(mind);
        let told = std::fs::read_to_string(&log).expect("the log is there");
        let first_word = |line: &str| line.split_whitespace().next().map(str::to_owned);
        let told: Vec<String> = told.lines().filter(|line| !line.starts_with("isready")).map(str::to_owned).collect();
        let pondered = told.iter().filter(|line| line.starts_with("go ponder movetime 1000")).count();
        (told.iter().filter_map(|line| first_word(line)).collect::<Vec<_>>().join(" "), pondered)
    };
    assert_eq!(
        talk("true"),
        (
            "uci setoption ucinewgame position go position go ponderhit position go stop position go position go stop \
          ucinewgame quit"
                .to_owned(),
            3
        )
    );
    let without = "uci setoption ucinewgame position go position go position go ucinewgame quit";
    assert_eq!(talk("false"), (without.to_owned(), 0));
}

#[test]
fn clocks_depths_and_nodes_reach_an_engine_in_its_own_words() {
    let clock = |seconds| Clock {
        remaining: Duration::from_secs(seconds),
        increment: Duration::from_millis(1500),
        moves_to_go: Some(40),
    };
    let folder = tempfile::tempdir().expect("a folder");
    for (protocol, expected) in [
        ("uci", "go wtime 90000 btime 61000 winc 1500 binc 1500 movestogo 40"),
        ("cecp", "level 40 1:30 1.5\ntime 9000\notim 6100\n"),
    ] {
        let log = folder.path().join(protocol);
        let mut mind = mind(protocol, fake(protocol, "fine").with_variable("FAKE_PROGRAM_LOG", &log));
        choose(&mut *mind, &Game::default(), &Allowance::clocks(clock(90), clock(61))).expect("an answer");
        drop(mind);
        let told = std::fs::read_to_string(&log).expect("the log is there");
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn xboard_engines_that_know_no_depth_or_nodes_are_hurried_when_they_reach_them() {
    for allowance in [Allowance::depth(3), Allowance::nodes(500)] {
        let allowance = Allowance { grace: Duration::from_secs(60), ..allowance };
        let mut lines = Lines::default();
        let mut mind = fake_mind("cecp", "eager");
        let choice = mind.choose(&Game::default(), &allowance, &Control::new(), &mut lines).expect("a choice");
        assert_eq!(choice.mv(), Position::initial().parse_uci("a2a3").ok());
        assert!(lines.0.iter().any(|line| line.depth == 3), "{:?}", lines.0);
    }
}

#[test]
fn xboard_engines_may_resign_offer_and_claim_draws_or_refuse() {
    let answer = |behaviour: &str| first_choice(&mut *fake_mind("cecp", behaviour), &ample());
    assert_eq!(answer("resign"), Ok(Choice::Resign));
    assert_eq!(answer("claim"), Ok(Choice::ClaimDraw));
    assert!(matches!(answer("offer"), Ok(Choice::MoveAndOfferDraw(_))));
    let fault = answer("boast").expect_err("there is no mate");
    assert!(fault.to_string().contains("claims to have won"), "{fault}");

    let mut game = Game::default();
    game.play(game.position().parse_san("e4").expect("a legal move")).expect("a legal move");
    let fault = choose(&mut *fake_mind("cecp", "stubborn"), &game, &ample()).expect_err("it refuses");
    assert_eq!(fault.kind, FaultKind::Refused { text: "Illegal move: all of them".to_owned() });
}

#[test]
fn an_engine_without_features_plays_from_the_initial_position_only() {
    let old = || CecpMind::new(fake("cecp", "old")).with_time_to_start(Duration::from_millis(300));
    assert_eq!(self_play(&mut old(), Position::initial(), 8).moves().len(), 8);
    let fault =
        old().new_game(&"4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().expect("a position")).expect_err("no setboard");
    assert!(fault.to_string().ends_with("it cannot be given a position"), "{fault}");
}

#[test]
fn a_world_is_forfeited_by_zeros_and_makes_queens() {
    let fault = first_choice(&mut *fake_mind("world", "forfeit"), &ample()).expect_err("a forfeit");
    assert_eq!(fault.to_string(), "fake_program forfeited the game");
    let fault = first_choice(&mut *fake_mind("world", "nonsense"), &ample()).expect_err("no move");
    assert!(fault.to_string().starts_with(r#"fake_program answered "12-28", which is not a legal move"#), "{fault}");

    let promotion: Position = "8/P6k/8/8/8/8/8/7K w - - 0 1".parse().expect("a position");
    let only = promotion.parse_uci("a7a8n").expect("a legal move");
    assert_eq!(world_answer(&promotion, Some(only)), "48,56");
    let castling: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().expect("a position");
    assert_eq!(world_answer(&castling, castling.parse_san("O-O").ok()), "4,6");
    assert_eq!(world_answer(&castling, None), "0,0");
}

#[test]
fn a_slow_start_is_over_before_the_game_begins() {
    let mut mind = fake_mind("line", "slow");
    for _ in 0..2 {
        let begun = Instant::now();
        mind.new_game(&Position::initial()).expect("a program that starts");
        // It has answered once, so nothing of its start is left for the first move, which is all that a clock sees.
        assert!(begun.elapsed() >= Duration::from_millis(300));
        choose(&mut *mind, &Game::default(), &ample()).expect("a move");
        mind.end_game(GameEnd::Unfinished);
    }
}

#[test]
fn a_line_may_be_answered_as_people_write_or_by_resigning() {
    let first = Position::initial().legal_moves()[0];
    assert_eq!(first_choice(&mut *fake_mind("line", "san"), &ample()), Ok(Choice::Move(first)));
    assert_eq!(first_choice(&mut *fake_mind("line", "resign"), &ample()), Ok(Choice::Resign));
}
