//! The game on the terminal without threads: what it does with commands and answers.

use std::time::{Duration, Instant};

use minds::{Choice, GameEnd, Limits};
use rules::{Color, Game, Position};
use search::{Bound, Line, Score};

use super::super::command::{Command, Side};
use super::{Effect, GameOptions, Task, TerminalGame};

/// A game and the time at which it began.
struct TestGame {
    game: TerminalGame,
    began: Instant,
}

impl TestGame {
    fn new(fen: Option<&str>, time: Option<&str>) -> TestGame {
        let start = fen.map_or_else(Position::initial, |fen| fen.parse().expect("a position"));
        let options = GameOptions {
            start: Game::new(start),
            you: Color::White,
            your_name: "You".to_owned(),
            time: time.map(|time| time.parse().expect("a time control")),
            limits: Limits::default(),
        };
        let began = Instant::now();
        TestGame { game: TerminalGame::new(options, "engine", began), began }
    }

    fn at(&self, seconds: u64) -> Instant {
        self.began + Duration::from_secs(seconds)
    }

    fn say_at(&mut self, seconds: u64, line: &str) -> Result<Effect, String> {
        let command = Command::parse(line)?.expect("not an empty line");
        self.game.execute(command, self.at(seconds))
    }

    fn say(&mut self, line: &str) -> Result<Effect, String> {
        self.say_at(0, line)
    }

    /// The engine answers what it was asked.
    fn answer_at(&mut self, seconds: u64, san: &str) {
        let (ticket, task) = self.game.task().expect("the engine is asked");
        assert_eq!(task, Task::Move);
        let mv = self.game.position().parse_san(san).expect("a legal move");
        self.game.engine_chose(ticket, Ok(Choice::Move(mv)), self.at(seconds));
    }

    fn play(&mut self, moves: &str) {
        for (index, san) in moves.split_whitespace().enumerate() {
            if index % 2 == 0 {
                assert_eq!(self.say(san), Ok(Effect::Nothing));
            } else {
                self.answer_at(0, san);
            }
        }
    }

    fn ending(&self) -> Option<(GameEnd, &str)> {
        self.game.session().result().map(|result| (result.ending, result.reason.as_str()))
    }

    fn think(&mut self, score: i32) {
        let (ticket, _) = self.game.task().expect("the engine is asked");
        let moves = self.game.position().legal_moves().first().copied().into_iter().collect();
        let line = Line { depth: 9, selective_depth: 9, rank: 1, score: Score::new(score), bound: Bound::Exact, moves };
        self.game.set_engine_line(ticket, &line);
    }
}

#[test]
fn a_move_hands_over_to_the_engine_and_its_answer_hands_back() {
    let mut test = TestGame::new(None, None);
    assert_eq!(test.game.task(), None);
    assert_eq!(test.say("e2e4"), Ok(Effect::Nothing));
    assert_eq!(test.say("d4"), Err("it is engine's turn".to_owned()));
    assert_eq!(test.say("now"), Ok(Effect::Interrupt));
    test.answer_at(0, "c5");
    assert_eq!(test.game.game().moves().len(), 2);
    assert_eq!(test.say("Ke3"), Err("Ke3 is not a legal move here".to_owned()));
    assert_eq!(test.say("now"), Err("engine is not thinking".to_owned()));
}

#[test]
fn answers_to_old_questions_are_not_heard() {
    let mut test = TestGame::new(None, None);
    test.play("e4");
    let (old, _) = test.game.task().expect("the engine is asked");
    let answer = test.game.position().parse_san("e5").expect("a legal move");
    assert_eq!(test.say("undo"), Ok(Effect::Nothing));
    test.play("d4");
    test.game.engine_chose(old, Ok(Choice::Move(answer)), test.at(0));
    assert_eq!(test.game.game().moves().len(), 1, "the answer to e4 is no answer to d4");
    test.answer_at(0, "d5");
    assert_eq!(test.game.game().moves().len(), 2);
}

#[test]
fn taking_back_gives_the_turn_and_the_time_back() {
    let mut test = TestGame::new(None, Some("5m+3s"));
    assert_eq!(test.say("undo"), Err("there is nothing to take back".to_owned()));
    assert_eq!(test.say_at(10, "e4"), Ok(Effect::Nothing));
    test.answer_at(30, "e5");
    let left = |test: &TestGame, color, seconds| {
        test.game.session().remaining(color, test.at(seconds)).map(|left| left.as_secs())
    };
    assert_eq!((left(&test, Color::White, 30), left(&test, Color::Black, 30)), (Some(293), Some(283)));
    assert_eq!(test.say_at(60, "undo"), Ok(Effect::Nothing));
    assert_eq!((left(&test, Color::White, 60), left(&test, Color::Black, 60)), (Some(300), Some(300)));
    assert_eq!(test.game.game().moves().len(), 0);
}

#[test]
fn a_finished_game_can_be_taken_back_too() {
    let mut test = TestGame::new(Some("k7/8/1K6/8/8/8/8/7R w - - 0 1"), None);
    test.play("Rh8");
    assert_eq!(test.ending(), Some((GameEnd::Won(Color::White), "checkmate")));
    assert_eq!(test.say("Rh7"), Err("the game is over (checkmate); \"new\" starts another".to_owned()));
    assert_eq!(test.say("undo"), Ok(Effect::Nothing));
    assert_eq!((test.ending(), test.game.task()), (None, None));
    test.play("Kc7");
    assert_eq!(test.game.task().map(|(_, task)| task), Some(Task::Move));
}

#[test]
fn the_flag_falls_on_the_player_who_is_late() {
    let mut test = TestGame::new(None, Some("1m"));
    test.game.tick(test.at(59));
    assert_eq!(test.ending(), None);
    assert!(test.say_at(60, "e4").is_err());
    assert_eq!(test.ending(), Some((GameEnd::Won(Color::Black), "white ran out of time")));
    let mut bare = TestGame::new(Some("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"), Some("1m"));
    bare.game.tick(bare.at(61));
    assert_eq!(bare.ending(), Some((GameEnd::Drawn, "white ran out of time, and black cannot mate")));
}

#[test]
fn draws_are_claimed_agreed_or_declined() {
    let mut test = TestGame::new(None, None);
    assert_eq!(test.say("draw"), Ok(Effect::Show("engine declines the draw".to_owned())));
    test.play("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    assert_eq!(test.say("draw"), Ok(Effect::Nothing));
    assert_eq!(test.ending(), Some((GameEnd::Drawn, "threefold repetition, claimed by white")));

    let mut test = TestGame::new(None, None);
    let shuffle = "Nf3 Nf6 Ng1 Ng8 Nc3 Nf6 Nb1 Ng8 Nf3 Nc6 Ng1 Nb8 e3 e6 Ke2 Ke7 Ke1 Ke8 a3 a6 a4 a5 h3 h6 h4 h5 \
                   Nf3 Nf6 Ng1 Ng8 b3 b6 c3 c6 d3 d6 g3 g6 f3 f6 e4";
    test.play(shuffle);
    test.think(20);
    assert_eq!(test.say("draw"), Ok(Effect::Show("engine declines the draw".to_owned())));
    test.think(-10);
    assert_eq!(test.game.engine_line().map(|line| line.score.as_str()), Some("+0.10"), "seen by White");
    assert_eq!(test.say("draw"), Ok(Effect::Nothing));
    assert_eq!(test.ending(), Some((GameEnd::Drawn, "agreement")));
}

#[test]
fn a_draw_that_the_engine_offers_stands_until_the_next_move() {
    let mut test = TestGame::new(None, None);
    test.play("e4");
    let (ticket, _) = test.game.task().expect("the engine is asked");
    let mv = test.game.position().parse_san("e5").expect("a legal move");
    test.game.engine_chose(ticket, Ok(Choice::MoveAndOfferDraw(mv)), test.at(0));
    assert!(test.game.session().draw_offer().is_some());
    test.play("Nf3 Nc6");
    assert_eq!(test.say("draw"), Ok(Effect::Show("engine declines the draw".to_owned())));
}

#[test]
fn an_engine_that_fails_can_be_replaced() {
    let mut test = TestGame::new(None, None);
    test.play("e4");
    let (ticket, _) = test.game.task().expect("the engine is asked");
    test.game.engine_chose(ticket, Err("it crashed".to_owned()), test.at(0));
    assert_eq!((test.game.task(), test.game.session().fault()), (None, Some("it crashed")));
    assert_eq!(test.say("d4"), Err("engine cannot go on; \"engine NAME\" or \"undo\" help".to_owned()));
    assert_eq!(test.say("engine other"), Ok(Effect::ChangeEngine("other".to_owned())));
    test.game.replace_engine("other".to_owned(), test.at(0));
    test.answer_at(0, "e5");
    assert_eq!((test.game.session().fault(), test.game.name(Color::Black)), (None, "other"));
}

#[test]
fn an_engine_cannot_cheat() {
    for (choice, complaint) in [
        (Choice::ClaimDraw, "engine claims a draw that is not there"),
        (Choice::Move(Position::initial().parse_san("e4").expect("a move")), "engine chose e2e4, which is not legal"),
    ] {
        let mut test = TestGame::new(None, None);
        test.play("e4");
        let (ticket, _) = test.game.task().expect("the engine is asked");
        test.game.engine_chose(ticket, Ok(choice), test.at(0));
        assert_eq!((test.game.session().fault(), test.game.game().moves().len()), (Some(complaint), 1));
    }
}

#[test]
fn hints_are_asked_for_and_forgotten_with_the_next_move() {
    let mut test = TestGame::new(None, None);
    assert_eq!(test.say("hint"), Ok(Effect::Nothing));
    let (ticket, task) = test.game.task().expect("a hint is wanted");
    assert_eq!(task, Task::Hint);
    let mv = test.game.position().parse_san("d4").expect("a move");
    test.game.hint_found(ticket, Some(mv));
    assert_eq!((test.game.hint(), test.game.task()), (Some(mv), None));
    test.play("e4 e5");
    assert_eq!(test.game.hint(), None);
}

#[test]
fn a_new_game_may_change_colours() {
    let mut test = TestGame::new(None, Some("5m"));
    test.play("e4 e5");
    assert_eq!(test.game.execute(Command::New(Some(Side::Black)), test.at(100)), Ok(Effect::Nothing));
    let game = &test.game;
    assert_eq!((game.you(), game.orientation(), game.game().moves().len()), (Color::Black, Color::Black, 0));
    assert_eq!(game.session().remaining(Color::White, test.at(100)), Some(Duration::from_secs(300)));
    test.answer_at(100, "d4");
    assert_eq!(test.say_at(100, "undo"), Err("there is nothing to take back".to_owned()));
    assert_eq!(test.say_at(100, "resign"), Ok(Effect::Nothing));
    assert_eq!(test.ending(), Some((GameEnd::Won(Color::White), "black resigned")));
}
