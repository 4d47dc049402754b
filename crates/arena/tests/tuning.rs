//! Tuning a real engine process by games: the numbers move where they should, whatever interrupts.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use minds::{MindSpec, UciMind};
use records::openings::Openings;
use saavedra_arena::event::{
    Event, EventError, EventInputs, EventLog, EventObserver, EventPlan, Finish, Functions, GameEntry, OpeningPlan,
    SavedEvent, Venue,
};
use saavedra_arena::schedule::Format;
use saavedra_arena::tune::{Tuner, Tuning, choose_all, choose_by_name};
use saavedra_arena::{Adjudication, Participant, ResignClaim, ResignRule, Terms};

/// An engine that plays better the larger its option `Wisdom` is. `cargo test` builds it beside the tests.
fn engine() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    let profile = test.parent().and_then(Path::parent).expect("tests are in the folder `deps` of the profile");
    profile.join("examples").join(format!("unruly_player{}", std::env::consts::EXE_SUFFIX))
}

fn mind() -> MindSpec {
    format!("uci:'{}' wise", engine().display()).parse().expect("a mind")
}

fn tuning(iterations: u64) -> Tuning {
    let MindSpec::Program(program) = mind() else { panic!("a program") };
    let mut engine = UciMind::new(program.command.parse().expect("a command line"));
    let settings = engine.options().expect("it starts");
    let specs = ["wisdom=30..12".parse().expect("a parameter")];
    let parameters = choose_by_name(&specs, settings, &[], 0.05).expect("it has the option");
    assert_eq!((parameters[0].name.as_str(), parameters[0].min, parameters[0].max), ("Wisdom", 0, 100));
    assert_eq!(choose_all(settings, &[], 0.05).len(), 1, "neither its memory nor its mood");
    Tuning { parameters, iterations, seed: 9, rate: 0.03, lag: 4 }
}

fn plan(iterations: u64) -> EventPlan {
    let player = |name: &str| Participant {
        name: name.to_owned(),
        mind: mind(),
        time: "nodes=1".parse().expect("a time control"),
    };
    let win = ResignRule { moves: 2, beyond: 400, claimed_by: ResignClaim::Both };
    EventPlan {
        name: "a tuning".to_owned(),
        seed: 9,
        schedule: Format::Tune(tuning(iterations)),
        players: ["one way", "the other way"].map(player).to_vec(),
        openings: OpeningPlan { plies: Some(4), ..OpeningPlan::default() },
        adjudication: Adjudication { win: Some(win), longest: Some(60), ..Adjudication::default() },
        tablebase: None,
        time_margin: 0,
        sprt: None,
    }
}

fn setting(plan: &EventPlan) -> EventInputs {
    let terms = Terms { adjudication: plan.adjudication.clone(), ..Terms::default() };
    EventInputs { openings: Openings::random_plies(4), terms, functions: Functions::new(), venue: Venue::Here }
}

fn values(log: &EventLog) -> (Vec<f64>, u64) {
    let Format::Tune(tuning) = &log.plan().schedule else { panic!("a tuning") };
    Tuner::values(tuning, log.results())
}

/// Stops an event after some games.
struct StopAfter {
    games: u64,
    stop: Arc<AtomicBool>,
}

impl EventObserver for StopAfter {
    fn finished(&mut self, _chronicle: &mut EventLog, entry: &GameEntry) -> Result<(), EventError> {
        assert_eq!(entry.game.fault, None);
        self.games = self.games.saturating_sub(1);
        if self.games == 0 {
            self.stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}

#[test]
fn an_engine_learns_to_be_wise_and_an_interruption_changes_nothing() {
    const ITERATIONS: u64 = 60;
    let plan = plan(ITERATIONS);
    let mut event = Event::begin(plan.clone(), setting(&plan), None).expect("it begins");
    assert_eq!(event.run(2, &Arc::default(), &mut ()).expect("it runs"), Finish::Over);
    let (learnt, iterations) = values(event.log());
    assert_eq!(iterations, ITERATIONS);
    assert!(learnt[0] > 40.0, "it began with 30: {learnt:?}");

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal");
    let mut event = Event::begin(plan.clone(), setting(&plan), Some(&path)).expect("it begins");
    let stop = Arc::new(AtomicBool::new(false));
    let mut observer = StopAfter { games: 31, stop: Arc::clone(&stop) };
    assert_eq!(event.run(2, &stop, &mut observer).expect("it runs"), Finish::Stopped);
    drop(event);
    let kept = SavedEvent::open(&path).expect("a journal");
    let plan = kept.plan.clone();
    let mut event = Event::resume(kept, plan.clone(), setting(&plan)).expect("it goes on");
    assert!(values(event.log()).1 < ITERATIONS);
    assert_eq!(event.run(1, &Arc::default(), &mut ()).expect("it runs"), Finish::Over);
    assert_eq!(values(event.log()), (learnt, ITERATIONS));
}
