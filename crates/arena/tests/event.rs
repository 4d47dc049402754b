//! Events from the first game to the last, interrupted and resumed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use minds::MindSpec;
use random::Random;
use records::openings::Openings;
use saavedra_arena::event::{
    Event, EventError, EventInputs, EventLog, EventObserver, EventPlan, Finish, Functions, GameEntry, MakeMind,
    OpeningPlan, PairPlayer, PairUnit, PlayedGame, SavedEvent, Venue,
};
use saavedra_arena::queue::{Queue, QueueError, Report, Unit};
use saavedra_arena::report::{PgnFile, Tallies, cross_table, fault_lines};
use saavedra_arena::schedule::Format;
use saavedra_arena::statistics::{Decision, EloScale, Sprt};
use saavedra_arena::{Adjudication, EndReason, Participant, Terms};

fn plan(schedule: Format, minds: &[&str]) -> EventPlan {
    let player = |(number, mind): (usize, &&str)| Participant {
        name: format!("{mind} {number}"),
        mind: mind.parse().expect("a mind"),
        time: "nodes=200".parse().expect("a time control"),
    };
    EventPlan {
        name: "a test".to_owned(),
        seed: 7,
        schedule,
        players: minds.iter().enumerate().map(player).collect(),
        openings: OpeningPlan { plies: Some(6), ..OpeningPlan::default() },
        adjudication: Adjudication::default(),
        tablebase: None,
        time_margin: 0,
        sprt: None,
    }
}

fn setting() -> EventInputs {
    EventInputs {
        openings: Openings::random_plies(6),
        terms: Terms::default(),
        functions: Functions::new(),
        venue: Venue::Here,
    }
}

fn run(event: &mut Event, concurrency: usize) -> Finish {
    event.run(concurrency, &Arc::new(AtomicBool::new(false)), &mut ()).expect("nothing goes wrong")
}

/// Everything that must be the same, however an event came about: the games without dates, and the tables.
fn essence(event: &mut Event) -> (Vec<String>, String) {
    let counted = event.log().counted();
    let ids: Vec<_> = event.log().ids().filter(|id| id.pair < counted).collect();
    let games = ids.into_iter().map(|id| {
        let entry = event.log_mut().entry(id).expect("a journal").expect("a game");
        let moves: Vec<String> = entry.game.moves.iter().map(ToString::to_string).collect();
        format!("{id:?} {} {} {} {:?}", entry.white, entry.black, moves.join(" "), entry.game.reason)
    });
    (games.collect(), cross_table(event.log()))
}

#[test]
fn a_function_of_ours_plays_beside_minds_that_have_names() {
    let plan = plan(Format::RoundRobin { pairs: 3 }, &["function:mine", "random"]);
    let make: MakeMind = Arc::new(|| "capture".parse::<MindSpec>().expect("a mind").build(1).expect("it plays"));
    let functions = Functions::from([("mine".to_owned(), make)]);
    let mut event = Event::begin(plan.clone(), EventInputs { functions, ..setting() }, None).expect("an event");
    assert_eq!(run(&mut event, 2), Finish::Over);
    assert_eq!((event.log().ids().count(), event.log().faults().len()), (6, 0));

    let error = Event::begin(plan, setting(), None).err().expect("there is no function").to_string();
    assert!(error.ends_with("mine did not start: it is a function of the program that held its match"), "{error}");
}

/// A queue like a bad road: units travel as text, come back in another order, and every answer comes twice.
struct BadRoad {
    player: PairPlayer,
    answers: Vec<(u64, String)>,
    random: Random,
}

impl Queue<PairUnit> for BadRoad {
    fn games_per_unit(&self) -> u64 {
        2
    }

    fn room(&self) -> usize {
        5_usize.saturating_sub(self.answers.len())
    }

    fn push(&mut self, unit: PairUnit) {
        let text = serde_json::to_string(&unit).expect("a unit is text");
        let unit: PairUnit = serde_json::from_str(&text).expect("and reads back");
        let games = self.player.play(&unit, &Arc::default()).expect("it is not stopped");
        let answer = (unit.number(), serde_json::to_string(&games).expect("so is what came of it"));
        self.answers.extend([answer.clone(), answer]);
    }

    fn next(&mut self, _longest: std::time::Duration) -> Result<Option<Report<PairUnit>>, QueueError> {
        let (number, text) = self.answers.swap_remove(self.random.below(self.answers.len()));
        let outcome: Vec<PlayedGame> = serde_json::from_str(&text).expect("games");
        Ok(Some(Report::Done { number, outcome }))
    }

    fn settle(&mut self, _number: u64) {}

    fn recall(&mut self) -> Vec<PairUnit> {
        Vec::new()
    }
}

#[test]
fn an_event_is_the_same_over_a_road_that_shuffles_and_doubles_answers() {
    let plan = plan(Format::Swiss { rounds: 3, pairs: 2 }, &["random", "capture", "minimax:depth=1", "random"]);
    let mut here = Event::begin(plan.clone(), setting(), None).expect("an event");
    assert_eq!(run(&mut here, 2), Finish::Over);
    let mut there = Event::begin(plan, setting(), None).expect("an event");
    let mut road = BadRoad { player: PairPlayer::new(None), answers: Vec::new(), random: Random::new(3) };
    let finish = there.run_through(&mut road, &AtomicBool::new(false), &mut ()).expect("nothing goes wrong");
    assert_eq!(finish, Finish::Over);
    assert_eq!(essence(&mut there), essence(&mut here));
}

/// Stops an event after so many games.
struct StopAfter {
    games: usize,
    stop: Arc<AtomicBool>,
}

impl EventObserver for StopAfter {
    fn finished(&mut self, _chronicle: &mut EventLog, _entry: &GameEntry) -> Result<(), EventError> {
        self.games = self.games.saturating_sub(1);
        if self.games == 0 {
            self.stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// Plays an event to its end, interrupted again and again, its journal torn at the end each time.
fn play_in_pieces(plan: &EventPlan, path: &Path, seed: u64) -> (Event, usize) {
    let mut random = Random::new(seed);
    for piece in 1.. {
        let mut event = match path.exists() {
            false => Event::begin(plan.clone(), setting(), Some(path)).expect("an event"),
            true => {
                Event::resume(SavedEvent::open(path).expect("a journal"), plan.clone(), setting()).expect("an event")
            }
        };
        let stop = Arc::new(AtomicBool::new(false));
        let mut observer = StopAfter { games: 1 + random.below(9), stop: Arc::clone(&stop) };
        let finish = event.run(1 + random.below(3), &stop, &mut observer).expect("nothing goes wrong");
        if finish != Finish::Stopped {
            return (event, piece);
        }
        drop(event);
        let bytes = fs::read(path).expect("a journal");
        let header = bytes.iter().position(|&byte| byte == b'\n').expect("a first line") + 1;
        let torn = bytes.len() - random.below((bytes.len() - header + 1).min(700));
        fs::write(path, &bytes[..torn]).expect("a file");
    }
    unreachable!("some piece is the last")
}

#[test]
fn an_event_in_pieces_is_the_same_as_one_at_a_stretch() {
    let folder = tempfile::tempdir().expect("a folder");
    for (number, format) in [
        Format::RoundRobin { pairs: 2 },
        Format::Gauntlet { pairs: 3, leaders: 1 },
        Format::Swiss { rounds: 3, pairs: 1 },
        Format::Knockout { pairs: 2, tie_breaks: 3 },
    ]
    .into_iter()
    .enumerate()
    {
        let plan = plan(format, &["random", "capture", "minimax:depth=0,ties=random", "random", "capture"]);
        let mut whole = Event::begin(plan.clone(), setting(), None).expect("an event");
        assert_eq!(run(&mut whole, 2), Finish::Over);
        let (mut pieced, pieces) = play_in_pieces(&plan, &folder.path().join(number.to_string()), number as u64);
        assert!(pieces > 1, "{pieces} pieces");
        assert_eq!(essence(&mut whole), essence(&mut pieced));
        let ids: BTreeSet<_> = pieced.log().ids().collect();
        assert_eq!(ids.len() as u64, pieced.log().results().games());
    }
}

#[test]
fn a_sequential_test_decides_the_same_for_any_order_of_results_and_counts_nothing_after_that() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut plan = plan(Format::Match { pairs: 500 }, &["minimax:depth=1", "random"]);
    plan.sprt = Some(Sprt::new(EloScale::Logistic, 0.0, 50.0, 0.05, 0.05).expect("a test"));
    let mut whole = Event::begin(plan.clone(), setting(), None).expect("an event");
    assert_eq!(run(&mut whole, 1), Finish::Decided);
    let counted = whole.log().counted();
    assert!(counted < 100, "{counted} pairs");
    let trial = whole.log().trial().expect("a test");
    assert_eq!((trial.decision(), trial.pairs().0.iter().sum()), (Decision::H1, counted));
    let (mut pieced, _) = play_in_pieces(&plan, &folder.path().join("journal"), 3);
    assert_eq!(essence(&mut whole), essence(&mut pieced));
    let mut parallel = Event::begin(plan, setting(), None).expect("an event");
    assert_eq!(run(&mut parallel, 4), Finish::Decided);
    assert_eq!(essence(&mut whole), essence(&mut parallel));
    assert_eq!(run(&mut parallel, 4), Finish::Decided, "what is decided stays decided");
}

#[test]
fn an_event_that_is_over_can_be_made_longer_and_not_otherwise_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("journal");
    let short = plan(Format::Match { pairs: 3 }, &["random", "capture"]);
    let long = plan(Format::Match { pairs: 5 }, &["random", "capture"]);
    let mut event = Event::begin(short.clone(), setting(), Some(&journal)).expect("an event");
    assert_eq!((run(&mut event, 2), event.log().results().games()), (Finish::Over, 6));
    drop(event);
    let kept = || SavedEvent::open(&journal).expect("a journal");
    let mut event = Event::resume(kept(), long.clone(), setting()).expect("an event");
    assert_eq!((run(&mut event, 2), event.log().results().games()), (Finish::Over, 10));
    drop(event);
    // The journal has grown, and says so itself.
    assert_eq!(kept().plan, long);
    let complaint = Event::resume(kept(), short, setting()).err().expect("a shorter one").to_string();
    assert_eq!(complaint, "the journal is of another event: schedule.pairs was 5, not 3");
    let other = plan(Format::Match { pairs: 5 }, &["random", "random"]);
    let complaint = Event::resume(kept(), other, setting()).err().expect("another event").to_string();
    assert_eq!(complaint, "the journal is of another event: players[1].mind was capture, not random");
}

#[test]
fn a_player_who_cannot_play_ends_an_event_before_anything_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("journal");
    let plan = plan(Format::Match { pairs: 1 }, &["random", "uci:/nowhere/engine"]);
    let complaint = Event::begin(plan, setting(), Some(&journal)).err().expect("no player there").to_string();
    assert!(complaint.starts_with("the player uci:/nowhere/engine 1 cannot play: "), "{complaint}");
    assert!(complaint.lines().count() == 1 && !journal.exists());
}

#[cfg(unix)]
#[test]
fn a_program_that_fails_loses_is_started_again_and_never_stops_the_event() {
    // It plays one good game's worth of moves at most: it dies when it has seen three positions.
    let dying =
        "line:sh -c 'for game in 1 2 3; do read -r line; moves=${line#*moves }; echo ${moves%% *}; done; exit 3'";
    let plan = plan(Format::Match { pairs: 3 }, &["random", dying]);
    let mut event = Event::begin(plan, setting(), None).expect("an event");
    assert_eq!(run(&mut event, 2), Finish::Over);
    let score = Tallies::of(event.log().scores()).between(0, 1).expect("they met");
    assert_eq!(score.games.wins, 6, "{score:?}");
    let ((player, reason), faults) = event.log().faults().first_key_value().expect("faults");
    assert_eq!((*player, *reason, faults.count), (1, EndReason::Crashed, 6));
    let [line] = &fault_lines(event.log())[..] else { panic!("one line") };
    assert!(line.contains("lost 6 times by crash, last in game 3.2: "), "{line}");
}

#[test]
fn a_file_of_games_is_in_order_and_the_same_after_a_resume() {
    struct Writer(PgnFile);
    impl EventObserver for Writer {
        fn finished(&mut self, log: &mut EventLog, _entry: &GameEntry) -> Result<(), EventError> {
            self.0.catch_up(log)
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (pgn, journal) = (folder.path().join("games.pgn"), folder.path().join("journal"));
    let plan = plan(Format::Match { pairs: 8 }, &["random", "capture"]);
    let mut event = Event::begin(plan.clone(), setting(), Some(&journal)).expect("an event");
    let mut writer = Writer(PgnFile::create(&pgn, event.log_mut()).expect("a file"));
    event.run(3, &Arc::new(AtomicBool::new(false)), &mut writer).expect("nothing goes wrong");
    writer.0.finish(event.log_mut()).expect("it is written");
    drop(event);
    let written = fs::read_to_string(&pgn).expect("a file");
    let rounds: Vec<&str> = written.lines().filter(|line| line.starts_with("[Round")).collect();
    let expected: Vec<String> =
        (1..=8).flat_map(|pair| [1, 2].map(|leg| format!("[Round \"{pair}.{leg}\"]"))).collect();
    assert_eq!(rounds, expected);
    fs::write(&pgn, "something else").expect("a file");
    let mut event = Event::resume(SavedEvent::open(&journal).expect("a journal"), plan, setting()).expect("an event");
    let file = PgnFile::create(&pgn, event.log_mut()).expect("a file");
    assert_eq!(run(&mut event, 1), Finish::Over);
    file.finish(event.log_mut()).expect("it is written");
    assert_eq!(fs::read_to_string(&pgn).expect("a file"), written);
}

/// Prints how many games a second are scheduled, played, judged and recorded: with `--ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn speed() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(Format::Match { pairs: 1500 }, &["random", "capture"]);
    let mut event = Event::begin(plan, setting(), Some(&folder.path().join("journal"))).expect("an event");
    let started = std::time::Instant::now();
    run(&mut event, 1);
    println!("{:.0} games a second", event.log().results().games() as f64 / started.elapsed().as_secs_f64());
}
