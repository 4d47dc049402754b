//! The referee knows the rules, keeps the clocks, and ends games that are decided.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use minds::{
    Allowance, Choice, Control, Fault, FaultKind, GameEnd, Line, Mind, RandomMind, Reporter, Score, SearchMind,
    SearchStats,
};
use rules::{ByColor, Color, Game};
use saavedra_arena::{
    Adjudication, DrawRule, EndReason, GameRecord, Interrupted, ResignClaim, ResignRule, Terms, TimeControl, referee,
};
use search::{Bound, Limits};

/// What a scripted mind does in a turn.
#[derive(Clone, Copy)]
enum Act {
    /// Plays this move, as people write it.
    Play(&'static str),
    /// Plays the first legal move.
    First,
    /// Plays the first legal move and offers a draw.
    Offer,
    Claim,
    Resign,
    /// Answers what forfeits the game.
    Forfeit,
}

/// A mind that does as it is told, over and over, and remembers what it was told itself.
struct Scripted {
    acts: Vec<Act>,
    score: Option<i32>,
    time: Duration,
    turns: usize,
    allowances: Vec<Allowance>,
    ended: Option<GameEnd>,
}

impl Scripted {
    fn new(acts: &[Act]) -> Scripted {
        let acts = acts.to_vec();
        Scripted { acts, score: None, time: Duration::ZERO, turns: 0, allowances: Vec::new(), ended: None }
    }

    fn thinks(mut self, score: i32) -> Scripted {
        self.score = Some(score);
        self
    }

    fn takes(mut self, milliseconds: u64) -> Scripted {
        self.time = Duration::from_millis(milliseconds);
        self
    }
}

impl Mind for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn choose(
        &mut self,
        game: &Game,
        allowance: &Allowance,
        _control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Result<Choice, Fault> {
        self.allowances.push(allowance.clone());
        if let Some(score) = self.score {
            let stats = SearchStats { nodes: 7, time: Duration::ZERO, hash_full: 0, tablebase_hits: 0 };
            let mut line = Line {
                depth: 3,
                selective_depth: 3,
                rank: 1,
                score: Score::new(score),
                bound: Bound::Exact,
                moves: Vec::new(),
            };
            reporter.line(&line, &stats);
            // What is only a bound, or only second best, is not what it thinks.
            line = Line { depth: 4, bound: Bound::Lower, score: Score::new(900), ..line };
            reporter.line(&line, &SearchStats { nodes: 9, ..stats });
            line = Line { rank: 2, bound: Bound::Exact, ..line };
            reporter.line(&line, &SearchStats { nodes: 11, ..stats });
        }
        let act = self.acts[self.turns % self.acts.len()];
        self.turns += 1;
        let first = game.position().legal_moves()[0];
        Ok(match act {
            Act::Play(san) => Choice::Move(game.position().parse_san(san).expect("a legal move")),
            Act::First => Choice::Move(first),
            Act::Offer => Choice::MoveAndOfferDraw(first),
            Act::Claim => Choice::ClaimDraw,
            Act::Resign => Choice::Resign,
            Act::Forfeit => return Err(Fault::new(self.name(), FaultKind::Forfeited)),
        })
    }

    fn time_taken(&self) -> Option<Duration> {
        Some(self.time)
    }

    fn end_game(&mut self, ending: GameEnd) {
        self.ended = Some(ending);
    }
}

fn time(text: &str) -> TimeControl {
    text.parse().expect("a time control")
}

fn untimed() -> ByColor<TimeControl> {
    ByColor::new_with(|_| time("nodes=100"))
}

fn play_from(fen: &str, white: &mut Scripted, black: &mut Scripted, terms: &Terms) -> GameRecord {
    play_timed(&Game::new(fen.parse().expect("a position")), white, black, untimed(), terms)
}

fn play_timed(
    opening: &Game,
    white: &mut Scripted,
    black: &mut Scripted,
    times: ByColor<TimeControl>,
    terms: &Terms,
) -> GameRecord {
    let minds = ByColor { white: &mut *white as &mut dyn Mind, black: &mut *black };
    let record = referee::play(minds, times, opening, terms, &Arc::default()).expect("it is not stopped");
    assert_eq!([white.ended, black.ended], [Some(record.ending); 2], "both are told");
    let text = serde_json::to_string(&record).expect("it can be written");
    assert_eq!(serde_json::from_str::<GameRecord>(&text).expect("it can be read"), record);
    record
}

fn adjudicated(adjudication: Adjudication) -> Terms {
    Terms { adjudication, ..Terms::default() }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KNIGHTS_OUT_AND_BACK: [[Act; 4]; 2] = [
    [Act::Play("Nf3"), Act::Play("Ng1"), Act::Play("Nc3"), Act::Play("Nb1")],
    [Act::Play("Nf6"), Act::Play("Ng8"), Act::Play("Nc6"), Act::Play("Nb8")],
];

#[test]
fn games_end_by_the_rules_as_match_runners_have_them() {
    let first = || Scripted::new(&[Act::First]);
    let terms = Terms::default();
    let mut opening = Game::default();
    for san in ["f3", "e5"] {
        opening.play(opening.position().parse_san(san).expect("a move")).expect("a legal move");
    }
    let (mut white, mut black) = (Scripted::new(&[Act::Play("g4")]), Scripted::new(&[Act::Play("Qh4")]));
    let record = play_timed(&opening, &mut white, &mut black, untimed(), &terms);
    assert_eq!((record.ending, record.reason), (GameEnd::Won(Color::Black), EndReason::Checkmate));
    assert_eq!((record.moves.len(), record.book_plies, record.thoughts.len()), (4, 2, 2));

    let [white, black] = KNIGHTS_OUT_AND_BACK;
    let record = play_from(START, &mut Scripted::new(&white), &mut Scripted::new(&black), &terms);
    assert_eq!((record.ending, record.reason, record.moves.len()), (GameEnd::Drawn, EndReason::Repetition, 8));

    for (fen, reason) in [
        ("8/8/8/3k4/8/8/3QK3/8 b - - 99 100", EndReason::FiftyMoves),
        ("8/8/8/3k4/3Q4/8/8/K7 b - - 0 1", EndReason::InsufficientMaterial),
        ("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", EndReason::Stalemate),
    ] {
        let acts = if fen.contains("3k4/3Q4") { Scripted::new(&[Act::Play("Kxd4")]) } else { first() };
        let (mut white, mut black) = (first(), acts);
        let record = play_from(fen, &mut white, &mut black, &terms);
        assert_eq!((record.ending, record.reason), (GameEnd::Drawn, reason), "{fen}");
    }
}

#[test]
fn clocks_run_by_the_time_a_move_took_and_each_player_has_their_own() {
    let [white, black] = KNIGHTS_OUT_AND_BACK;
    let (mut white, mut black) = (Scripted::new(&white).takes(2000), Scripted::new(&black).takes(100));
    let times = ByColor { white: time("2/5+1"), black: time("move=0.1") };
    let record = play_timed(&Game::default(), &mut white, &mut black, times, &Terms::default());
    assert_eq!(record.reason, EndReason::Repetition);
    assert_eq!(record.thoughts[0].time, Duration::from_secs(2));
    let clocks: Vec<_> = white.allowances.iter().map(|allowance| allowance.limits.clock.expect("a clock")).collect();
    let told: Vec<_> = clocks.iter().map(|clock| (clock.remaining.as_secs(), clock.moves_to_go)).collect();
    assert_eq!(told, [(5, Some(2)), (4, Some(1)), (8, Some(2)), (7, Some(1))]);
    assert!(black.allowances.iter().all(|allowance| allowance.limits.move_time == Some(Duration::from_millis(100))));
    assert!(white.allowances.iter().all(|allowance| allowance.limits.opponent_clock.is_none()), "it has none");
}

#[test]
fn a_move_after_the_flag_fell_loses_even_if_it_mates() {
    let (mut white, mut black) = (Scripted::new(&[Act::Play("Ra8")]).takes(1001), Scripted::new(&[Act::First]));
    let game = Game::new("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1".parse().expect("a position"));
    let times = ByColor { white: time("1"), black: time("1") };
    let record = play_timed(&game, &mut white, &mut black, times, &Terms::default());
    assert_eq!((record.ending, record.reason), (GameEnd::Won(Color::Black), EndReason::OutOfTime));
    assert_eq!(record.fault.as_deref(), Some("scripted answered 0.001000 s after its flag fell"));
    assert!(record.moves.is_empty());

    let (mut white, mut black) = (Scripted::new(&[Act::Play("Ra8")]).takes(1001), Scripted::new(&[Act::First]));
    let terms = Terms { time_margin: Duration::from_millis(10), ..Terms::default() };
    let record = play_timed(&game, &mut white, &mut black, times, &terms);
    assert_eq!((record.ending, record.reason), (GameEnd::Won(Color::White), EndReason::Checkmate));
}

#[test]
fn players_may_resign_agree_and_claim_what_is_there() {
    let terms = Terms::default();
    let result = |white: &[Act], black: &[Act]| {
        let record = play_from(START, &mut Scripted::new(white), &mut Scripted::new(black), &terms);
        (record.ending, record.reason, record.moves.len())
    };
    assert_eq!(result(&[Act::Resign], &[Act::First]), (GameEnd::Won(Color::Black), EndReason::Resigned, 0));
    assert_eq!(result(&[Act::First, Act::Offer], &[Act::Offer]), (GameEnd::Drawn, EndReason::Agreed, 3));
    assert_eq!(
        result(&[Act::Offer], &[Act::First, Act::First, Act::Resign]).1,
        EndReason::Resigned,
        "one offer is none"
    );
    assert_eq!(result(&[Act::First], &[Act::Claim]), (GameEnd::Won(Color::White), EndReason::WrongClaim, 1));
    // The next move would repeat the start for the third time.
    let [white, black] = KNIGHTS_OUT_AND_BACK;
    let claimant = [black[0], black[1], black[2], Act::Claim];
    assert_eq!(result(&white, &claimant), (GameEnd::Drawn, EndReason::Repetition, 7));
    let record = play_from(START, &mut Scripted::new(&[Act::Claim]), &mut Scripted::new(&[Act::First]), &terms);
    assert!(record.fault.expect("a fault").starts_with("scripted claims a draw that is not there in rnbqkbnr/"));
}

#[test]
fn what_was_thought_is_the_last_exact_best_line() {
    let (mut white, mut black) = (Scripted::new(&[Act::First]).thinks(35), Scripted::new(&[Act::Resign]));
    let record = play_from(START, &mut white, &mut black, &Terms::default());
    let thought = record.thoughts[0];
    assert_eq!((thought.score, thought.depth, thought.nodes), (Some(Score::new(35)), 3, 11));
}

/// Two kings and a queen go about, without captures or pawn moves.
const QUEEN_ENDING: &str = "8/8/3k4/8/8/8/8/KQ6 w - - 0 1";

fn going_about(scores: [Option<i32>; 2], adjudication: Adjudication) -> GameRecord {
    let acts = |checks: [&'static str; 6]| checks.map(Act::Play);
    let mut white = Scripted::new(&acts(["Qb2", "Qb3", "Qb4", "Qb5", "Qa5", "Qb6"]));
    let mut black = Scripted::new(&acts(["Kd7", "Ke7", "Kf7", "Kf8", "Ke8", "Kd7"]));
    (white.score, black.score) = (scores[0], scores[1]);
    play_from(QUEEN_ENDING, &mut white, &mut black, &adjudicated(adjudication))
}

#[test]
fn a_win_that_both_have_seen_for_a_while_is_adjudicated() {
    let rule = |claimed_by| {
        let longest = Some(6);
        Adjudication { win: Some(ResignRule { moves: 3, beyond: 500, claimed_by }), longest, ..Adjudication::default() }
    };
    let result = |scores, claimed_by| {
        let record = going_about(scores, rule(claimed_by));
        (record.ending, record.reason, record.moves.len())
    };
    let won = (GameEnd::Won(Color::White), EndReason::AdjudicatedWin, 6);
    let too_long = (GameEnd::Drawn, EndReason::TooLong, 12);
    assert_eq!(result([Some(500), Some(-700)], ResignClaim::Both), won);
    assert_eq!(result([Some(499), Some(-700)], ResignClaim::Both), too_long);
    assert_eq!(result([Some(499), Some(-700)], ResignClaim::Loser), won);
    assert_eq!(result([Some(900), None], ResignClaim::Loser), too_long, "the winner's word is not enough");
    assert_eq!(result([Some(900), Some(900)], ResignClaim::Both), too_long, "they do not agree");
}

#[test]
fn a_draw_that_both_expect_is_adjudicated_but_not_too_early() {
    let rule = |from_move, moves| Adjudication {
        draw: Some(DrawRule { from_move, moves, within: 10 }),
        longest: Some(6),
        ..Adjudication::default()
    };
    let result = |scores, rule| {
        let record = going_about(scores, rule);
        (record.ending, record.reason, record.moves.len())
    };
    assert_eq!(result([Some(10), Some(-10)], rule(0, 2)), (GameEnd::Drawn, EndReason::AdjudicatedDraw, 4));
    assert_eq!(result([Some(10), Some(-10)], rule(5, 2)), (GameEnd::Drawn, EndReason::AdjudicatedDraw, 10));
    assert_eq!(result([Some(11), Some(-10)], rule(0, 2)).1, EndReason::TooLong);
    assert_eq!(result([None, Some(0)], rule(0, 2)).1, EndReason::TooLong, "silence is no agreement");
    // Every pawn move begins the count anew.
    let acts = [Act::Play("a3"), Act::Play("a4"), Act::Play("a5"), Act::Play("a6"), Act::Resign];
    let (mut white, mut black) = (Scripted::new(&acts).thinks(0), Scripted::new(&KNIGHTS_OUT_AND_BACK[1]).thinks(0));
    let record = play_from(START, &mut white, &mut black, &adjudicated(rule(0, 2)));
    assert_eq!(record.reason, EndReason::Resigned);
}

#[test]
fn a_forfeit_is_the_fault_of_the_player_and_no_resignation() {
    let record =
        play_from(START, &mut Scripted::new(&[Act::First]), &mut Scripted::new(&[Act::Forfeit]), &Terms::default());
    assert_eq!((record.ending, record.reason), (GameEnd::Won(Color::White), EndReason::Forfeited));
    assert_eq!(record.reason.to_string(), "forfeit");
    assert_eq!(record.culprit(), Some(Color::Black));
    assert_eq!(record.fault.as_deref(), Some("scripted forfeited the game"));
}

#[test]
fn a_tablebase_ends_a_game_that_it_knows() {
    let Some(folder) = testkit::data_file("syzygy") else { return };
    let tables = syzygy::Syzygy::open(folder.to_str().expect("text")).expect("the tables open");
    let terms = |pieces| Terms {
        tablebase: Some(Arc::new(tables.clone())),
        adjudication: Adjudication { tablebase_pieces: pieces, longest: Some(3), ..Adjudication::default() },
        ..Terms::default()
    };
    let result = |fen: &str, capture: &'static str, pieces| {
        let mut white = Scripted::new(&[Act::Play(capture), Act::First, Act::First]);
        let record = play_from(fen, &mut white, &mut Scripted::new(&[Act::First]), &terms(pieces));
        (record.ending, record.reason, record.moves.len())
    };
    // Taking the last defender leaves a rook against a king, or a rook against a rook.
    let fen = "8/8/8/3k4/8/1q6/8/KR6 w - - 5 40";
    assert_eq!(result(fen, "Rxb3", None), (GameEnd::Won(Color::White), EndReason::Tablebase, 1));
    assert_ne!(result(fen, "Rxb3", Some(2)).1, EndReason::Tablebase, "three pieces are more than two");
    let fen = "7r/8/8/3k4/8/1q6/8/KR6 w - - 5 40";
    assert_eq!(result(fen, "Rxb3", Some(5)), (GameEnd::Drawn, EndReason::Tablebase, 1));
}

#[test]
fn a_stopped_game_leaves_no_record_and_stops_a_mind_in_its_thoughts() {
    let stop = Arc::new(AtomicBool::new(false));
    let mut deep = SearchMind::new(Limits::default());
    let mut random = RandomMind::new(1);
    let minds = ByColor { white: &mut deep as &mut dyn Mind, black: &mut random };
    let times = ByColor::new_with(|_| time("depth=200"));
    let interrupted = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            stop.store(true, Ordering::Relaxed);
        });
        referee::play(minds, times, &Game::default(), &Terms::default(), &stop)
    });
    assert_eq!(interrupted, Err(Interrupted));
    let mut idle = Scripted::new(&[Act::First]);
    let minds = ByColor { white: &mut idle as &mut dyn Mind, black: &mut random };
    assert_eq!(referee::play(minds, untimed(), &Game::default(), &Terms::default(), &stop), Err(Interrupted));
    assert_eq!((idle.turns, idle.ended), (0, Some(GameEnd::Unfinished)));
}
