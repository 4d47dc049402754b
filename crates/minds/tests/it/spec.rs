//! Minds by name: what is written is what is built, and slips are told.

use rules::Game;
use saavedra_minds::{Allowance, Control, Line, MindKind, MindSpec, Reporter, SearchStats, SpecError};

#[test]
fn specs_print_as_they_are_written() {
    for text in [
        "random",
        "capture:seed=7",
        "minimax",
        "minimax:depth=1,ties=random,seed=3",
        "alphabeta:depth=2",
        "search:nodes=5000",
        "search:nodes=5000,depth=9,time=250,hash=64,threads=2",
        "search:elo=1500",
        "search:nodes=5000,net=nets/my net.nnue",
        "search:net=none",
        "search:nodes=50,random=60",
        "uci:/usr/games/stockfish",
        "uci,Hash=64,Skill Level=3:'/my engines/stockfish' --some argument",
        "cecp:/usr/games/gnuchess --xboard",
        "world:python3 mind.py",
        r"line:C:\minds\mind.exe",
    ] {
        let spec: MindSpec = text.parse().expect(text);
        assert_eq!(spec.to_string(), text);
        assert_eq!(spec.to_string().parse(), Ok(spec));
    }
    let spec = "minimax:seed=3".parse::<MindSpec>().expect("a seed is for random ties");
    assert_eq!(spec.to_string(), "minimax:ties=random,seed=3");
}

#[test]
fn slips_are_told_with_a_hint() {
    for (text, complaint) in [
        ("", r#"there is no mind "" (there are random, capture, minimax, alphabeta, search, uci, cecp, world, line)"#),
        ("alphabet", r#"there is no mind "alphabet" (did you mean "alphabeta"?)"#),
        ("search:nods=5", r#"the mind search has no setting "nods" (did you mean "nodes"?)"#),
        ("random:depth=5", r#"the mind random has no setting "depth" (there are seed)"#),
        ("search:nodes=many", "nodes=many: expected a whole number from 1 on"),
        ("search:hash=0", "hash=0: expected mebibytes, like 64, 64MiB or 2GiB"),
        ("search:threads=5000000", "threads=5000000: expected a whole number from 1 to 1024"),
        ("alphabeta:depth=101", "depth=101: expected a whole number from 0 to 100"),
        ("search:random=101", "random=101: expected a whole number from 0 to 100"),
        ("search:elo=9000", "elo=9000: expected a rating from 500 to 2800"),
        ("search:net=", "net=: expected a file, or none"),
        (
            "search:net=a,b.nnue",
            r#"a comma ends a setting, and "b.nnue" after it is none: expected a path without commas"#,
        ),
        ("minimax:ties=last", "ties=last: expected first or random"),
        ("minimax:3", r#""3" is not a setting: expected a name, =, and a value"#),
        ("uci:", "the command line is empty: expected a program to start after the colon"),
        ("uci", "the command line is empty: expected a program to start after the colon"),
        ("cecp,Hash=3:program", "only uci has options, cecp has none"),
    ] {
        let error: SpecError = text.parse::<MindSpec>().expect_err(text);
        assert_eq!(error.to_string(), complaint);
    }
}

#[test]
fn every_kind_of_our_own_can_be_built_and_plays() {
    for kind in MindKind::ALL.iter().filter(|kind| !kind.is_outside) {
        let spec: MindSpec = kind.form.parse().expect(kind.form);
        let mut mind = spec.build(1).expect(kind.form);
        let game = Game::default();
        let choice = mind.choose(&game, &Allowance::nodes(1000), &Control::new(), &mut ()).expect(kind.form);
        assert!(choice.mv().is_some_and(|mv| game.position().is_legal(mv)), "{}", kind.form);
        assert_eq!(mind.name(), kind.form);
    }
}

#[test]
fn a_seed_of_its_own_comes_before_the_seed_of_the_game() {
    let moves = |text: &str, seed: u64| {
        let mut mind = text.parse::<MindSpec>().expect(text).build(seed).expect(text);
        let mut game = Game::default();
        for _ in 0..20 {
            let mv = mind.choose(&game, &Allowance::default(), &Control::new(), &mut ()).expect(text).mv();
            game.play(mv.expect("a move")).expect("a legal move");
        }
        game.moves().to_vec()
    };
    assert_eq!(moves("random:seed=4", 1), moves("random:seed=4", 2));
    assert_ne!(moves("random", 1), moves("random", 2));
    assert_eq!(moves("random", 4), moves("random:seed=4", 1));
}

#[test]
fn a_search_held_back_to_a_rating_repeats_by_its_seed_and_tells_only_its_conclusion() {
    struct Count(usize);
    impl Reporter for Count {
        fn line(&mut self, _line: &Line, _stats: &SearchStats) {
            self.0 += 1;
        }
    }
    let moves = |seed: u64| {
        let mut mind = "search:elo=600".parse::<MindSpec>().expect("a mind").build(seed).expect("a mind");
        let (mut game, mut told) = (Game::default(), Count(0));
        for _ in 0..12 {
            let choice = mind.choose(&game, &Allowance::default(), &Control::new(), &mut told).expect("a choice");
            game.play(choice.mv().expect("a move")).expect("a legal move");
        }
        assert_eq!(told.0, 12);
        game.moves().to_vec()
    };
    assert_eq!(moves(1), moves(1));
    assert_ne!(moves(1), moves(2));
}

#[test]
fn a_search_judges_by_the_network_of_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("net.nnue");
    let spec: MindSpec = format!("search:nodes=300,net={}", path.display()).parse().expect("a mind");
    let missing = spec.build(1).err().expect("there is no such file").to_string();
    assert!(missing.contains("cannot be read"), "{missing}");
    let architecture = nnue::Architecture::new(32).expect("a multiple of 32");
    let bytes = nnue::Network::random(1, architecture).write();
    std::fs::write(&path, &bytes[..bytes.len() - 3]).expect("it can be written");
    let damaged = spec.build(1).err().expect("the network is cut short").to_string();
    assert!(damaged.contains("cut short"), "{damaged}");
    std::fs::write(&path, &bytes).expect("it can be written");
    let mut scores = Vec::new();
    for spec in [spec, "search:nodes=300,net=none".parse().expect("a mind")] {
        struct Last(Vec<i32>);
        impl Reporter for Last {
            fn line(&mut self, line: &Line, _: &SearchStats) {
                self.0.push(line.score.value());
            }
        }
        let mut last = Last(Vec::new());
        let mut mind = spec.build(1).expect("it can be built");
        mind.choose(&Game::default(), &Allowance::default(), &Control::new(), &mut last).expect("it plays");
        scores.push(last.0);
    }
    assert_ne!(scores[0], scores[1], "another judge thinks differently");
}

#[test]
fn some_moves_of_a_diluted_search_are_drawn_by_lot() {
    let moves = |text: &str, seed: u64| {
        let mut mind = text.parse::<MindSpec>().expect("a mind").build(seed).expect("a mind");
        let mut game = Game::default();
        for _ in 0..20 {
            let choice = mind.choose(&game, &Allowance::default(), &Control::new(), &mut ()).expect("a choice");
            game.play(choice.mv().expect("a move")).expect("a legal move");
        }
        game.moves().to_vec()
    };
    assert_eq!(
        moves("search:nodes=50,random=0", 1),
        moves("search:nodes=50", 2),
        "without random moves it is the search itself"
    );
    assert_eq!(moves("search:nodes=50,random=50", 1), moves("search:nodes=50,random=50", 1));
    assert_ne!(moves("search:nodes=50,random=50", 1), moves("search:nodes=50,random=50", 2));
    assert_ne!(moves("search:nodes=50,random=100", 1), moves("search:nodes=50", 1));
}
