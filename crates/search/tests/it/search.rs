//! What the search promises to its users.

use std::sync::Arc;
use std::time::Duration;

use nnue::{Architecture, Layers, Network};
use rules::{Color, Game, Move, Position, Role, Square};
use saavedra_search::{
    Answer, AnyEvaluator, Bound, Clock, Control, Evaluator, Limits, Line, NodeEnd, Options, PieceSquare, RankedMove,
    Reporter, Request, Score, SearchStats, Searcher, Tablebase, TablebaseResult, UciScore, Visit, Watcher,
    piece_square_value,
};

fn game(fen: &str) -> Game {
    Game::new(fen.parse().expect("a position"))
}

fn search(game: &Game, limits: &Limits) -> Answer {
    Searcher::new(PieceSquare::new()).search(&Request::new(game, limits.clone()), &Control::new(), &mut ())
}

fn san(game: &Game, answer: &Answer) -> String {
    answer.best.map_or_else(|| "no move".to_owned(), |mv| game.position().san(mv))
}

/// Keeps everything that is reported.
#[derive(Default)]
struct Log(Vec<(Line, SearchStats)>);

impl Reporter for Log {
    fn line(&mut self, line: &Line, stats: &SearchStats) {
        self.0.push((line.clone(), *stats));
    }
}

/// Plays a line out and returns where it ends; every move must be legal.
fn end_of(game: &Game, moves: &[Move]) -> Position {
    moves.iter().fold(*game.position(), |position, &mv| position.play(mv).expect("a legal line"))
}

#[test]
fn the_last_exact_line_is_played_and_whole_wherever_the_search_is_stopped() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1",
        "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
        "7k/8/5K2/8/8/8/8/6R1 w - - 0 1",
        "8/8/8/8/4k3/8/1Q6/4K3 w - - 0 1",
    ] {
        let game = game(fen);
        for nodes in (20..12_000).step_by(49) {
            let (mut log, limits) = (Log::default(), Limits::nodes(nodes));
            let answer = Searcher::new(PieceSquare::new()).search(
                &Request::new(&game, limits.clone()),
                &Control::new(),
                &mut log,
            );
            let (last, _) = log.0.iter().rfind(|(line, _)| line.bound == Bound::Exact).expect("an exact line");
            assert_eq!(answer.best, last.moves.first().copied(), "{fen}, {nodes} nodes");
            assert!(answer.stats.nodes <= nodes, "{fen}: {} of {nodes} nodes", answer.stats.nodes);
            if let UciScore::MateIn(moves) = last.score.to_uci() {
                assert_eq!(last.moves.len(), 2 * moves as usize - 1, "{fen}, {nodes} nodes");
            }
        }
    }
}

#[test]
fn mates_are_found_with_their_whole_line() {
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
        ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 3),
    ] {
        let game = game(fen);
        let answer = search(&game, &Limits::depth(2 * moves as usize + 6));
        assert_eq!(answer.line.score.to_uci(), UciScore::MateIn(moves), "{fen}");
        assert_eq!(answer.line.moves.len(), 2 * moves as usize - 1, "{fen}");
        assert!(end_of(&game, &answer.line.moves).is_checkmate(), "{fen}");
    }
}

#[test]
fn being_mated_is_scored_too() {
    let game = game("7k/8/6K1/8/8/8/8/R7 b - - 0 1");
    let answer = search(&game, &Limits::depth(6));
    assert_eq!(answer.line.score.to_uci(), UciScore::MatedIn(1));
    assert!(end_of(&game, &answer.line.moves).is_checkmate());
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mated = search(&game("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"), &Limits::default());
    assert_eq!((mated.best, mated.line.score.to_uci()), (None, UciScore::MatedIn(0)));
    let stalemate = search(&game("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"), &Limits::default());
    assert_eq!((stalemate.best, stalemate.line.score), (None, Score::DRAW));
}

#[test]
fn the_same_search_visits_the_same_nodes() {
    let mut searcher = Searcher::new(PieceSquare::new());
    let game = game("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let mut run = || {
        searcher.clear();
        let answer = searcher.search(&Request::new(&game, Limits::depth(9)), &Control::new(), &mut ());
        (answer.stats.nodes, answer.best, answer.line)
    };
    let first = run();
    assert_eq!(first, run());
    assert_eq!(first.2.depth, 9);
}

#[test]
fn only_the_moves_asked_for_are_considered() {
    let game = Game::default();
    let asked_for = ["a2a3", "h2h4"].map(|text| game.position().parse_uci(text).expect("legal"));
    let limits = Limits { moves: Some(asked_for.to_vec()), ..Limits::depth(6) };
    assert!(asked_for.contains(&search(&game, &limits).best.expect("a move")));
    let nothing = Limits { moves: Some(Vec::new()), ..Limits::depth(6) };
    assert_eq!(search(&game, &nothing).best, None);
}

#[test]
fn several_lines_come_in_order_and_differ() {
    let mut searcher = Searcher::new(PieceSquare::new());
    let mut log = Log::default();
    let game = Game::default();
    searcher.search(&Request::new(&game, Limits::depth(7)).with_lines(4), &Control::new(), &mut log);
    assert_eq!(log.0.len(), 4 * 7);
    for lines in log.0.chunks(4) {
        let ranks: Vec<_> = lines.iter().map(|(line, _)| line.rank).collect();
        assert_eq!(ranks, [1, 2, 3, 4]);
        assert!(lines.is_sorted_by(|(better, _), (worse, _)| better.score >= worse.score));
        for (index, (line, _)) in lines.iter().enumerate() {
            assert!(lines[..index].iter().all(|(other, _)| other.moves[0] != line.moves[0]));
        }
    }
    // No more lines than moves.
    let mut log = Log::default();
    let bare = self::game("7k/8/8/8/8/8/8/K7 w - - 0 1");
    searcher.search(&Request::new(&bare, Limits::depth(2)).with_lines(100), &Control::new(), &mut log);
    assert_eq!(log.0.last().map(|(line, _)| line.rank), Some(3));
}

#[test]
fn reports_grow_and_end_with_the_answer() {
    let game = game("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    let mut log = Log::default();
    let answer =
        Searcher::new(PieceSquare::new()).search(&Request::new(&game, Limits::depth(9)), &Control::new(), &mut log);
    assert!(log.0.is_sorted_by(|(a, x), (b, y)| a.depth <= b.depth && x.nodes <= y.nodes && x.time <= y.time));
    let (last, _) = log.0.iter().rfind(|(line, _)| line.bound == Bound::Exact).expect("a line");
    assert_eq!(last.moves.first(), answer.best.as_ref());
    for (line, _) in &log.0 {
        end_of(&game, &line.moves);
    }
    let reply = answer.ponder.expect("a reply");
    assert!(game.position().play(answer.best.expect("a move")).expect("a legal move").is_legal(reply));
}

#[test]
fn a_repetition_is_a_draw_worth_having() {
    // White is a rook down and about to be mated, but the queen checks for ever.
    let game = game("1k6/p7/1p6/8/8/8/1q2r1PP/3Q3K w - - 0 1");
    let answer = search(&game, &Limits::depth(12));
    assert_eq!(answer.line.score, Score::DRAW, "{:?}", answer.line);
}

#[test]
fn positions_of_the_game_count_for_repetition() {
    // A queen down, White reaches a position for the third time.
    let mut game = game("7k/8/8/8/8/8/q7/6K1 b - - 0 1");
    for san in "Kg8 Kh1 Kh8 Kg1 Kg8 Kh1 Kh8".split(' ') {
        let mv = game.position().parse_san(san).expect("legal");
        game.play(mv).expect("legal");
    }
    assert_eq!(search(&game, &Limits::depth(8)).line.score, Score::DRAW);
    assert!(search(&Game::new(*game.position()), &Limits::depth(8)).line.score < Score::new(-500));
}

#[test]
fn mate_beats_the_fifty_move_rule_and_nothing_else_does() {
    let mating = search(&game("7k/8/6K1/8/8/8/8/R7 w - - 99 80"), &Limits::depth(5));
    assert_eq!(mating.line.score.to_uci(), UciScore::MateIn(1));
    let late = search(&game("7k/8/5K2/8/8/8/8/R7 w - - 99 80"), &Limits::depth(5));
    assert_eq!(late.line.score, Score::DRAW);
}

#[test]
fn limits_of_nodes_are_kept_and_one_node_is_enough_for_a_move() {
    let game = Game::default();
    for nodes in [1, 100, 5_000, 100_000] {
        let answer = search(&game, &Limits::nodes(nodes));
        assert!(answer.best.is_some_and(|mv| game.position().is_legal(mv)));
        assert!(answer.stats.nodes <= nodes, "{nodes}: {}", answer.stats.nodes);
    }
    let soft = search(&game, &Limits { soft_nodes: Some(5_000), ..Limits::default() });
    assert!((5_000..200_000).contains(&soft.stats.nodes));
}

#[test]
fn even_the_first_depth_is_interrupted_where_captures_explode() {
    let game = game("1q6/2Qq4/1Q1Qq1k1/1QQq3q/qq3Qq1/2Q1Q1q1/2K5/2Q5 w - - 0 1");
    for lines in [1, 8] {
        let mut searcher = Searcher::new(PieceSquare::new());
        let limits = Limits::nodes(100);
        let mut log = Log::default();
        let answer = searcher.search(&Request::new(&game, limits).with_lines(lines), &Control::new(), &mut log);
        assert!(answer.stats.nodes < 200);
        assert!(answer.best.is_some_and(|mv| game.position().is_legal(mv)));
        assert_eq!(log.0.last().map(|(line, _)| line.moves.first().copied()), Some(answer.best));
    }
}

#[test]
fn a_search_on_the_opponents_time_ends_soon_after_the_expected_move() {
    let control = Arc::new(Control::pondering());
    let pondering = Arc::clone(&control);
    let clock = Clock { remaining: Duration::from_millis(200), increment: Duration::ZERO, moves_to_go: None };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    let thread = std::thread::spawn(move || {
        Searcher::new(PieceSquare::new()).search(&Request::new(&Game::default(), limits.clone()), &pondering, &mut ())
    });
    std::thread::sleep(Duration::from_millis(300));
    assert!(!thread.is_finished(), "the clock does not count yet");
    control.ponder_hit();
    assert!(thread.join().expect("no panic").best.is_some());
}

#[test]
fn a_mate_that_was_asked_for_ends_the_search() {
    let limits = Limits { mate: Some(3), ..Limits::default() };
    let answer = search(&game("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"), &limits);
    assert!(matches!(answer.line.score.to_uci(), UciScore::MateIn(moves) if moves <= 3));
}

#[test]
fn stopping_ends_a_search_without_limits() {
    let control = Arc::new(Control::new());
    let stopper = Arc::clone(&control);
    let thread = std::thread::spawn(move || {
        let game = Game::default();
        Searcher::new(PieceSquare::new()).search(&Request::new(&game, Limits::default()), &stopper, &mut ())
    });
    std::thread::sleep(Duration::from_millis(50));
    control.stop();
    assert!(thread.join().expect("no panic").best.is_some());
}

#[test]
fn an_empty_clock_still_gets_a_move() {
    let clock = Clock { remaining: Duration::ZERO, increment: Duration::ZERO, moves_to_go: None };
    let answer = search(&Game::default(), &Limits { clock: Some(clock), ..Limits::default() });
    assert!(answer.best.is_some());
}

#[test]
fn two_threads_agree_on_a_mate_and_share_the_work() {
    let mut searcher = Searcher::new(PieceSquare::new());
    searcher.set_threads(2);
    let game = game("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1");
    let answer = searcher.search(&Request::new(&game, Limits::depth(8)), &Control::new(), &mut ());
    assert_eq!(san(&game, &answer), "Qh6+");
    assert_eq!(answer.line.score.to_uci(), UciScore::MateIn(2));
    searcher.set_threads(1);
    searcher.set_hash(1).expect("a mebibyte");
    assert!(searcher.search(&Request::new(&game, Limits::depth(4)), &Control::new(), &mut ()).best.is_some());
}

#[test]
fn a_table_that_cannot_be_had_is_refused_and_the_old_one_serves_on() {
    let mut searcher = Searcher::new(PieceSquare::new());
    let error = searcher.set_hash(1 << 40).expect_err("no machine has that much memory");
    assert_eq!(error.to_string(), "there is not enough memory for a table of 1099511627776 MiB");
    assert!(
        searcher.search(&Request::new(&Game::default(), Limits::depth(5)), &Control::new(), &mut ()).best.is_some()
    );
}

#[test]
fn the_evaluation_kept_up_to_date_is_the_evaluation_from_scratch() {
    let mut evaluator = PieceSquare::new();
    testkit::random_walks(7, 20, testkit::Variants::All, |position| {
        evaluator.reset(position);
        for &mv in position.legal_moves().iter() {
            let next = position.play_unchecked_observed(mv, evaluator.push());
            let mut afresh = PieceSquare::new();
            afresh.reset(&next);
            assert_eq!(evaluator.evaluate(&next), afresh.evaluate(&next), "{next:?}");
            evaluator.pop();
        }
    });
}

#[test]
fn the_evaluation_is_fair_to_both_colors() {
    for fen in ["r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R", "8/8/4k3/8/8/3K4/4P3/8", "8/8/4k3/8/8/3K4/R7/8"]
    {
        let mirrored: Vec<String> = fen
            .split('/')
            .rev()
            .map(|rank| {
                let swap = |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
                rank.chars().map(swap).collect()
            })
            .collect();
        let mut searcher = Searcher::new(PieceSquare::new());
        let white = searcher.evaluate(game(&format!("{fen} w - - 0 1")).position());
        let black = searcher.evaluate(game(&format!("{} b - - 0 1", mirrored.join("/"))).position());
        assert_eq!(white, black, "{fen}");
    }
}

/// Knows that king and rook win, and which move of the root is best.
struct RookEndings;

impl Tablebase for RookEndings {
    fn most_pieces(&self) -> usize {
        3
    }

    fn result(&self, position: &Position) -> Option<TablebaseResult> {
        let has_rook = position.by_color(position.turn()).count() == 2;
        Some(if has_rook { TablebaseResult::Win } else { TablebaseResult::Loss })
    }

    fn rank_moves(&self, position: &Position, _respects_fifty_moves: bool) -> Option<Vec<RankedMove>> {
        let result = self.result(position)?;
        let is_favourite = |mv: &Move| position.uci(*mv) == "a1b1";
        let ranked = |&mv: &Move| RankedMove { mv, result, rank: i32::from(is_favourite(&mv)) };
        let mut moves: Vec<_> = position.legal_moves().iter().map(ranked).collect();
        moves.sort_by_key(|ranked| -ranked.rank);
        Some(moves)
    }
}

#[test]
fn tablebases_choose_at_the_root_and_answer_in_the_search() {
    let mut searcher = Searcher::new(PieceSquare::new());
    let options = Options { tablebase: Some(Arc::new(RookEndings)), ..Options::default() };
    let request = |game| Request::new(game, Limits::depth(4)).with_options(options.clone());
    let known = game("8/8/8/4k3/8/8/8/R3K3 w - - 0 1");
    let answer = searcher.search(&request(&known), &Control::new(), &mut ());
    assert_eq!(san(&known, &answer), "Rb1");
    assert!(answer.line.score.is_win() && !answer.line.score.is_mate());
    // The rook takes the last pawn and the win is known.
    let before = game("8/8/8/4k3/8/p7/8/R3K3 w - - 0 1");
    let answer = searcher.search(&request(&before), &Control::new(), &mut ());
    assert_eq!(san(&before, &answer), "Rxa3");
    assert!(answer.line.score.is_win() && answer.stats.tablebase_hits > 0);
    assert_eq!(before.position().turn(), Color::White);
}

/// A network that has learnt nothing, as an evaluator.
fn untrained() -> AnyEvaluator {
    Arc::new(Network::random(1, Architecture::new(64).expect("valid"))).into()
}

/// The same with further layers.
fn untrained_pairwise() -> AnyEvaluator {
    let architecture = Architecture::new(128).and_then(|one| one.with_layers(Layers::Pairwise)).expect("valid");
    Arc::new(Network::random(1, architecture)).into()
}

#[test]
fn a_network_judges_the_same_through_a_search_as_from_scratch() {
    for (mut evaluator, walks) in [(untrained(), 20), (untrained_pairwise(), 5)] {
        let network = Arc::clone(evaluator.network().expect("it is one"));
        testkit::random_walks(4, walks, testkit::Variants::All, |position| {
            evaluator.reset(position);
            for mv in position.legal_moves() {
                let next = position.play_unchecked_observed(mv, evaluator.push());
                assert_eq!(evaluator.evaluate(&next), network.evaluate(&next), "{next:?}");
                evaluator.pop();
            }
        });
    }
}

#[test]
fn a_search_with_a_network_repeats_and_finds_mates_on_any_number_of_threads() {
    let game = game("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    let limits = Limits::depth(8);
    let start = Game::default();
    let request = Request::new(&start, limits.clone());
    let nodes = || Searcher::new(untrained()).search(&request, &Control::new(), &mut ()).stats.nodes;
    assert_eq!(nodes(), nodes());
    for threads in [1, 3] {
        let mut searcher = Searcher::new(untrained());
        searcher.set_threads(threads);
        let answer = searcher.search(&Request::new(&game, limits.clone()), &Control::new(), &mut ());
        assert_eq!(answer.line.score.to_uci(), UciScore::MateIn(1));
    }
}

#[test]
fn either_evaluator_is_the_same_inside_any_evaluator() {
    let game = Game::default();
    let request = Request::new(&game, Limits::depth(7));
    let direct = Searcher::new(PieceSquare::new()).search(&request, &Control::new(), &mut ());
    let tables = AnyEvaluator::PieceSquare(PieceSquare::new());
    let inside = Searcher::new(tables).search(&request, &Control::new(), &mut ());
    assert_eq!(direct.stats.nodes, inside.stats.nodes);
    assert_eq!(direct.line.moves, inside.line.moves);
}

#[test]
fn a_piece_contributes_what_would_be_lost_without_it() {
    let position = *game("4k3/8/8/3q4/8/8/1P6/4K3 w - - 0 1").position();
    let tables = Searcher::new(PieceSquare::new()).contributions(&position);
    let worth = |role: Role, color, square| piece_square_value(role.of(color), square);
    let expected = [
        (Square::B2, worth(Role::Pawn, Color::White, Square::B2)),
        (Square::D5, -worth(Role::Queen, Color::Black, Square::D5)),
    ];
    // Without the queen the kings would be judged more as in an endgame.
    let difference = |index: usize| (tables[index].1 - expected[index].1).abs();
    assert_eq!(tables.iter().map(|(square, _)| *square).collect::<Vec<_>>(), [Square::B2, Square::D5]);
    assert!(difference(0) == 0 && difference(1) < 30, "{tables:?}");
    assert_eq!(Searcher::new(untrained()).contributions(&position).len(), 2);
}

/// Counts what it is told, and how deep it is in the tree.
#[derive(Default)]
struct Counted {
    nodes: u64,
    open: usize,
    moves: usize,
    stopped: u64,
}

impl Watcher for Counted {
    fn plays(&mut self, _mv: Option<Move>) {
        self.moves += 1;
    }

    fn takes_back(&mut self) {
        self.moves -= 1;
    }

    fn enters(&mut self, visit: Visit) {
        assert!(visit.alpha < visit.beta);
        assert!(self.moves <= self.open, "a node lies between two moves");
        self.nodes += 1;
        self.open += 1;
    }

    fn leaves(&mut self, why: NodeEnd, score: Score) {
        assert!(score.value().abs() <= Score::MATE.value());
        self.stopped += u64::from(why == NodeEnd::Stopped);
        self.open -= 1;
    }
}

#[test]
fn a_watcher_sees_every_node_and_changes_nothing() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        let (game, limits) = (game(fen), Limits::depth(9));
        let mut counted = Counted::default();
        let mut searcher = Searcher::new(PieceSquare::new());
        let request = Request::new(&game, limits.clone());
        let watched = searcher.search_watched(&request, &Control::new(), &mut (), &mut counted);
        let alone = search(&game, &limits);
        assert_eq!((watched.line, watched.stats.nodes), (alone.line, alone.stats.nodes));
        assert_eq!((counted.nodes, counted.open, counted.moves), (alone.stats.nodes, 0, 0));
        assert_eq!(counted.stopped, 0);
        // A search that is cut short leaves every node that it has entered.
        let mut counted = Counted::default();
        let mut searcher = Searcher::new(PieceSquare::new());
        let request = Request::new(&game, Limits::nodes(5_000));
        searcher.search_watched(&request, &Control::new(), &mut (), &mut counted);
        assert_eq!((counted.open, counted.moves), (0, 0));
        assert!(counted.stopped > 0);
    }
}

#[test]
fn a_search_says_now_and_then_that_it_goes_on() {
    #[derive(Default)]
    struct Pulses(Vec<SearchStats>);
    impl Reporter for Pulses {
        fn line(&mut self, _line: &Line, _stats: &SearchStats) {}
        fn pulse(&mut self, stats: &SearchStats) {
            self.0.push(*stats);
        }
    }
    let mut pulses = Pulses::default();
    let (game, limits) = (Game::default(), Limits::move_time(Duration::from_millis(600)));
    Searcher::new(PieceSquare::new()).search(&Request::new(&game, limits), &Control::new(), &mut pulses);
    let (first, last) = (pulses.0.first().expect("a pulse"), pulses.0.last().expect("a pulse"));
    assert!(first.time >= Duration::from_millis(250) && first.nodes > 0 && first.nodes <= last.nodes);
}
