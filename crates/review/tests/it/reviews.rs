//! Reviews of games: judgements, accuracy, and what is written into the PGN.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::{START, game, random_game, review};
use minds::{Allowance, Choice, Control, Limits, Mind, SearchMind, TreeMind};
use records::pgn::{self, Evaluation, GameTree, Nag};
use review::{Chances, Effort, Judgement, Outlook, Reason, Review, Reviewer, annotate, is_reviewed};
use rules::{Color, Game};
use saavedra_review as review;
use search::{AnyEvaluator, Request, Searcher};

/// A game of a mind against itself.
fn self_play(mind: &mut dyn Mind, most_plies: usize) -> Game {
    let mut game = Game::default();
    mind.new_game(game.start()).expect("a mind of our own");
    while game.outcome().is_none() && game.claimable_draw().is_none() && game.moves().len() < most_plies {
        let choice = mind.choose(&game, &Allowance::default(), &Control::new(), &mut ()).expect("a move");
        let Choice::Move(mv) = choice else { break };
        game.play(mv).expect("a legal move");
    }
    game
}

fn mean_accuracy(games: &[Game], nodes: u64) -> f64 {
    let accuracies = games.iter().flat_map(|game| {
        let review = review(game, nodes);
        Color::ALL.map(|color| review.players[color].accuracy.expect("both have moved"))
    });
    accuracies.sum::<f64>() / (2 * games.len()) as f64
}

#[test]
fn the_engine_is_accurate_minimax_less_so_and_chance_hardly() {
    let engine = self_play(&mut SearchMind::new(Limits { nodes: Some(40_000), ..Limits::default() }), 80);
    let engine = mean_accuracy(&[engine], 10_000);
    let minimax = mean_accuracy(&[self_play(&mut TreeMind::minimax(), 80)], 2_000);
    let random = mean_accuracy(&[random_game(1, 100), random_game(2, 100), random_game(3, 100)], 1_000);
    assert!(engine > 95.0, "{engine}");
    assert!((50.0..90.0).contains(&minimax), "{minimax}");
    assert!(random < 45.0, "{random}");
}

#[test]
fn the_same_game_always_gets_the_same_review() {
    let game = random_game(5, 30);
    let mut reviewer = Reviewer::new(Effort::Nodes(1_000));
    let mut told = || reviewer.review(&game, &Arc::default(), &mut |_| {}).expect("it is not stopped");
    let first = told();
    assert_eq!(first, told(), "whatever was reviewed before");
    assert_eq!(first, review(&game, 1_000));
    let json = serde_json::to_value(&first).expect("JSON");
    assert_eq!(json["moves"].as_array().map(Vec::len), Some(30));
    assert_eq!(json["evals"].as_array().map(Vec::len), Some(31));
    assert_eq!(json["effort"]["nodes"], 1_000);
    assert!(json["white"]["accuracy"].is_number() && json["moves"][0]["reasons"].is_array());
}

/// Everything that a review tells follows from the numbers it shows.
fn check_numbers(game: &Game, review: &Review) {
    for (judged, (&mv, position)) in review.moves.iter().zip(game.moves().iter().zip(game.positions())) {
        assert_eq!((judged.mv, &judged.position), (mv, position));
        assert!((judged.lost - judged.chances_before.lost_to(judged.chances_after)).abs() < 1e-9);
        let by_loss = Judgement::of_lost(judged.lost);
        let is_about_mate =
            judged.reasons.iter().any(|reason| matches!(reason, Reason::AllowsMate(_) | Reason::MissesMate(_)));
        let is_as_told = match judged.judgement {
            Judgement::Forced => position.legal_move_count() == 1 && judged.lost == 0.0,
            Judgement::Book | Judgement::Brilliant => !by_loss.is_error(),
            Judgement::Miss => by_loss.is_serious(),
            Judgement::Excellent => by_loss == Judgement::Excellent || judged.lost == 0.0,
            judgement => judgement == by_loss || is_about_mate,
        };
        assert!(is_as_told, "{judged:?}");
        assert!(judged.judgement != Judgement::Best || judged.best.first() == Some(mv), "{judged:?}");
        assert!(judged.best.first() != Some(mv) || judged.lost == 0.0, "{judged:?}");
        // No move is better than the one that is called best.
        assert!(judged.chances_before >= judged.chances_after, "{judged:?}");
        let is_praised = matches!(judged.nag(), Some(1 | 3));
        assert_eq!(judged.judgement.is_error(), !judged.reasons.is_empty() && !is_praised);
        assert_eq!(judged.accuracy.is_none(), position.legal_move_count() == 1);
        assert!(!judged.missed_win || judged.chances_before >= Chances::WON);
    }
    for pair in review.moves.windows(2) {
        let is_best = pair[0].best.first() == Some(pair[0].mv);
        assert!(!is_best || pair[0].outlook == pair[1].outlook_best, "one position, one score: {pair:?}");
    }
    for color in Color::ALL {
        let player = review.players[color];
        let praised = player.forced + player.book + player.brilliant + player.best + player.excellent + player.good;
        let criticised = player.inaccuracies + player.misses + player.mistakes + player.blunders;
        assert_eq!(praised + criticised, player.moves);
    }
}

#[test]
fn numbers_of_a_review_agree_with_each_other() {
    for seed in 20..23 {
        let game = random_game(seed, 60);
        check_numbers(&game, &review(&game, 500));
    }
}

#[test]
fn reviews_of_games_of_masters_do_not_contradict_themselves() {
    let Some(folder) = testkit::data_file("pgn") else { return };
    let mut games = 0;
    for name in ["kasparov-deep-blue-1997.pgn", "nepomniachtchi-liren-game1.pgn", "molinari-bordais-1979.pgn"] {
        let text = std::fs::read(folder.join(name)).expect("a file of games");
        for tree in pgn::games(&text[..]) {
            let mut game = tree.expect("a sound game").game();
            let review = review(&game, 1_000);
            check_numbers(&game, &review);
            for judged in review.moves.iter().rev() {
                crate::claims::check(judged, &game);
                game.take_back();
            }
            games += 1;
        }
    }
    assert!(games >= 8, "{games} games");
}

#[test]
fn the_sacrifice_of_the_opera_game_is_never_blamed() {
    let sacrifice = game("4kb1r/p2rqppp/5n2/1B2p1B1/4P3/1Q6/PPP2PPP/2KR4 b k - 1 14", "Qe6 Bxd7 Nxd7");
    for effort in [Effort::Nodes(500), Effort::Nodes(5_000), Effort::Quick, Effort::Normal] {
        let mut reviewer = Reviewer::new(effort);
        let review = reviewer.review(&sacrifice, &Arc::default(), &mut |_| {}).expect("it is not stopped");
        assert!(!review.moves[1].judgement.is_error(), "{effort:?}: {:?}", review.moves[1]);
    }
}

#[test]
fn a_review_can_be_stopped_and_keeps_what_it_has() {
    let game = random_game(6, 40);
    let stop = Arc::new(AtomicBool::new(false));
    let mut judged = 0;
    let stopped = Reviewer::new(Effort::Nodes(1_000)).review(&game, &stop, &mut |step| {
        assert_eq!(step.total, 81, "41 positions and 40 moves");
        judged += usize::from(step.judged.is_some());
        stop.store(judged == 10, Ordering::Relaxed);
    });
    let moves = stopped.expect_err("it was stopped").moves;
    assert_eq!(moves.len(), 10);
    assert!(moves.is_sorted_by_key(|judged| judged.ply));
}

#[test]
fn threads_change_nothing() {
    let game = random_game(7, 60);
    let mut reviewer = Reviewer::new(Effort::Nodes(500));
    reviewer.set_threads(3).expect("memory for three tables");
    let several = reviewer.review(&game, &Arc::default(), &mut |_| {}).expect("it is not stopped");
    assert_eq!(several, review(&game, 500));
}

#[test]
fn a_limit_of_time_is_for_the_whole_game() {
    let game = random_game(8, 30);
    let mut reviewer = Reviewer::new(Effort::Time(std::time::Duration::from_millis(600)));
    let review = reviewer.review(&game, &Arc::default(), &mut |_| {}).expect("it is not stopped");
    assert_eq!(review.moves.len(), 30);
    assert!(review.moves.iter().any(|judged| judged.judgement.is_error()), "random moves are bad");
}

#[test]
fn a_reviewer_may_work_on_a_thread_of_its_own() {
    let game = random_game(9, 20);
    let here = review(&game, 1_000);
    let mut reviewer = Reviewer::new(Effort::Nodes(1_000));
    let work = move || reviewer.review(&game, &Arc::default(), &mut |_| {}).expect("it is not stopped");
    let thread = std::thread::Builder::new().stack_size(search::STACK_SIZE).spawn(work).expect("a thread");
    assert_eq!(thread.join().expect("it ends"), here);
}

#[test]
fn games_that_are_over_and_games_without_moves_are_fine() {
    let mate = review(&game(START, "f3 e5 g4 Qh4"), 2_000);
    assert!(matches!(mate.outlooks.last(), Some(Outlook::Over(_))));
    assert!(!mate.moves[3].judgement.is_error());
    assert_eq!(mate.moves[3].outlook_best, Outlook::Mate(-1));
    let nothing = review(&Game::default(), 1_000);
    assert!(nothing.moves.is_empty() && nothing.outlooks.len() == 1);
    assert_eq!(nothing.players[Color::White].accuracy, None);
}

#[test]
fn every_move_but_the_only_good_one_is_a_mistake() {
    let mut found = 0;
    for nodes in [300, 600] {
        let game = self_play(&mut SearchMind::new(Limits { nodes: Some(nodes), ..Limits::default() }), 100);
        for judged in review(&game, 20_000).moves {
            if judged.nag() != Some(1) {
                continue;
            }
            found += 1;
            assert!(!judged.judgement.is_error());
            for &other in judged.position.legal_moves().iter().filter(|&&other| other != judged.mv) {
                let mut searcher = Searcher::new(AnyEvaluator::default());
                let mut instead = Game::default();
                for &mv in game.moves()[..judged.ply].iter().chain([&other]) {
                    instead.play(mv).expect("a legal move");
                }
                let request = Request::new(&instead, Limits::nodes(80_000));
                let score = searcher.search(&request, &Control::new(), &mut ()).line.score;
                let lost = judged.chances_before.lost_to(Chances::of(-score, &judged.position));
                // Another search may see things a little differently.
                assert!(lost > 0.05, "{} instead of {:?} loses {lost}", judged.position.san(other), judged.reasons);
            }
        }
    }
    assert!(found > 0, "somewhere in two hard-fought games there is an only move");
}

#[test]
fn the_end_of_the_book_is_told() {
    let game = game(START, "e4 e5 Nf3 Nc6");
    let leaves = |known: &'static [&'static str]| {
        let mut reviewer = Reviewer::new(Effort::Nodes(500));
        reviewer.set_book(|position| known.iter().filter_map(|san| position.parse_san(san).ok()).collect());
        let review = reviewer.review(&game, &Arc::default(), &mut |_| {}).expect("it is not stopped");
        let told = review.moves.iter().flat_map(|judged| judged.reasons.iter().map(move |reason| (judged.ply, reason)));
        told.filter(|(_, reason)| reason.kind() == "leaves_book")
            .map(|(ply, reason)| (ply, reason.to_string()))
            .collect::<Vec<_>>()
    };
    assert_eq!(leaves(&["e4", "e5", "d4", "f4"]), [(2, "leaves the book, which knows d4, f4".to_owned())]);
    assert_eq!(leaves(&["e4", "e5"]), [], "a book that ends was not left");
    assert_eq!(leaves(&[]), []);
}

#[test]
fn a_win_given_away_is_a_missed_win() {
    let review = review(&game("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7"), 5_000);
    assert!(review.moves[0].missed_win && review.moves[0].judgement == Judgement::Blunder);
    assert_eq!(review.players[Color::White].missed_wins, 1);
}

#[test]
fn a_review_is_written_into_the_game_and_can_be_read_again() {
    let text = "[White \"Somebody\"]\n\n1. f3 {slow} e5 $1 2. g4 $1 $13 (2. e4) 2... Qh4# 0-1\n";
    let mut tree = pgn::games(text.as_bytes()).next().expect("a game").expect("a sound one");
    assert!(!is_reviewed(&tree));
    let review = review(&tree.game(), 5_000);
    annotate(&mut tree, &review);
    assert!(is_reviewed(&tree));
    let nodes: Vec<_> = tree.mainline().collect();
    let blunder = tree.node(nodes[2]);
    assert_eq!(blunder.nags, [Nag(4), Nag(13)], "a judgement is replaced, other glyphs stay");
    assert_eq!(blunder.eval.map(|eval| eval.score), Some(Evaluation::Mate(-1)));
    let words = blunder.comments().join(" ");
    assert!(words.starts_with("Blunder. Allows mate in 1 (2... Qh4#). "), "{words}");
    assert!(words.ends_with(". [%csl Re1] [%cal Rd8h4]"), "{words}");
    assert_eq!(tree.node(nodes[0]).comments()[0], "slow", "what people said stays");
    assert!(tree.node(nodes[1]).children().len() >= 2, "the better line is a variation");
    let written = tree.to_string();
    assert!(written.contains("[Annotator \"Saavedra\"]") && written.contains("[WhiteAccuracy \""));
    let again = pgn::games(written.as_bytes()).next().expect("a game").expect("a sound one");
    assert_eq!(again, tree);
}

#[test]
fn a_move_that_is_only_worse_is_shown_with_its_answer() {
    let game = game("r2qr1k1/3b1ppp/5n2/p3B3/1p6/1P6/2P2PPP/RN1QR1K1 w - - 0 17", "Qf3");
    let review = review(&game, 20_000);
    let judged = &review.moves[0];
    assert!(matches!(judged.reasons[..], [Reason::BetterLine(_)]), "{:?}", judged.reasons);
    assert!(judged.answer().expect("an answer").to_string().starts_with("17... Ng4 "));
    let mut tree = GameTree::from(&game);
    annotate(&mut tree, &review);
    assert!(tree.to_string().contains("[%cal Rf6g4]"), "{tree}");
}

#[test]
fn annotating_twice_changes_nothing() {
    let game = game(START, "e4 e5 Qh5 Ke7");
    let mut tree = GameTree::from(&game);
    let review = review(&game, 5_000);
    annotate(&mut tree, &review);
    let once = tree.clone();
    annotate(&mut tree, &review);
    assert_eq!(tree, once);
}

#[test]
fn a_position_repeated_once_is_no_draw_and_repeated_twice_it_is() {
    let game = game("k7/8/8/8/8/8/1R6/2R1K3 w - - 0 1", "Rc3 Ka7 Rc1 Ka8 Rc3 Ka7 Rc1 Ka8 Rc3");
    let moves = review(&game, 2_000).moves;
    assert!(moves[..8].iter().all(|judged| !judged.judgement.is_serious()), "the game is still won");
    let last = &moves[8];
    assert_eq!((last.judgement, last.outlook), (Judgement::Blunder, Outlook::Centipawns(0)));
    assert!(last.best.first() != Some(last.mv) && last.missed_win);
}
