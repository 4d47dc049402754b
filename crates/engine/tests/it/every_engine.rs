//! What holds for every engine that the session drives: the search itself, the search as a mind, and other minds.

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use interface::{Answer, Control, Limits, Reporter};
use rules::Game;
use saavedra_engine::{Engine, SearchEngine};

use crate::common::{self, run_with};
use crate::minds::mind;

/// An engine that is slow to begin a new game, and notes what it is asked.
struct Slow<E> {
    engine: E,
    asked: Arc<Mutex<Vec<(Limits, Duration)>>>,
}

const DELAY: Duration = Duration::from_millis(200);

impl<E: Engine> Engine for Slow<E> {
    fn name(&self) -> String {
        self.engine.name()
    }

    fn new_game(&mut self) {
        thread::sleep(DELAY);
        self.engine.new_game();
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Result<Answer, String> {
        self.asked.lock().expect("no thread panics").push((limits.clone(), control.elapsed()));
        self.engine.search(game, limits, control, reporter)
    }
}

/// What an engine is asked by a script, and how late.
fn asked(engine: impl Engine + 'static, script: &str) -> Vec<(Limits, Duration)> {
    let asked = Arc::default();
    run_with(Slow { engine, asked: Arc::clone(&asked) }, script);
    let asked = asked.lock().expect("no thread panics");
    asked.clone()
}

#[test]
fn time_counts_from_the_arrival_of_the_command() {
    for asked in [
        asked(SearchEngine::new(), "ucinewgame\ngo movetime 10\n"),
        asked(mind("random"), "ucinewgame\ngo movetime 10\n"),
    ] {
        assert!(asked[0].1 >= DELAY, "{:?}", asked[0].1);
    }
}

#[test]
fn zero_moves_to_go_are_none() {
    let script = "go wtime 5000 btime 5000 movestogo 0\ngo depth 1\n";
    for asked in [asked(SearchEngine::new(), script), asked(mind("minimax"), script)] {
        assert_eq!(asked[0].0.clock.map(|clock| clock.moves_to_go), Some(None));
    }
}

#[test]
fn a_clock_with_zero_moves_to_go_is_not_spent_at_once() {
    fn time_taken(engine: impl Engine + 'static) -> Duration {
        let mut engine = common::Engine::start_with(engine);
        engine.settle();
        let asked = Instant::now();
        engine.say("go wtime 20000 btime 20000 movestogo 0");
        engine.until("bestmove");
        let taken = asked.elapsed();
        engine.end();
        taken
    }
    // With one move to go, two thirds of the clock would be spent.
    for taken in [time_taken(SearchEngine::new()), time_taken(mind("search"))] {
        assert!(taken < Duration::from_secs(10), "{taken:?}");
    }
}

#[test]
fn moves_that_cannot_be_searched_are_reported() {
    let script = "go depth 1 searchmoves e2e5 e2e4\n";
    for said in [
        run_with(SearchEngine::new(), script),
        run_with(mind("search"), script),
        run_with(mind("random"), script),
        run_with(mind("minimax"), script),
    ] {
        assert_eq!(said[0], "info string go searchmoves: e2e5 is not a legal move here", "{said:?}");
        assert!(said.last().is_some_and(|line| line.starts_with("bestmove e2e4")), "{said:?}");
    }
}
